//! The service's own printers: what can be sent to which printer, and what printing rules send automatically.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, assert_refused, booked, dangerous_order, messages, order,
    order_with, with,
};

const SEND: &str = "/apiv2/labels/sendLabelsToPrinter";
const GROUP: &str = "/apiv2/labels/groupConsignmentsForPrinting";
const JOBS: &str = "/practice/printJobs";

async fn created(bench: &Bench) -> i64 {
    let id = &bench.posted(CREATE, &order()).await["id"];
    id.as_i64().expect("an id")
}

fn labels(id: i64) -> Value {
    json!({ "consignmentIds": [id], "labelType": 3, "printerId": 601, "printA4": false })
}

#[tokio::test]
async fn labels_are_sent_with_success_and_no_object() {
    let bench = Bench::start().await;
    let id = created(&bench).await;
    let (status, reply) = bench.post(SEND, &json!([labels(id)])).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(reply, json!({ "errors": null, "success": true }));
    assert_eq!(
        bench.fetched(JOBS).await,
        json!([{
            "id": 1, "dateUtc": "2026-11-20T03:05:00", "companyId": 1, "consignmentIds": [id], "labelType": 3,
            "labelTypeName": "item", "printerId": 601, "printerName": "SYD-LABEL-1", "printA4": false,
            "createdByName": "Practice clerk", "printingRule": null
        }])
    );
}

#[tokio::test]
async fn each_kind_of_paper_needs_a_consignment_that_has_it() {
    let bench = Bench::start().await;
    let plain = created(&bench).await;
    let dangerous = bench.posted(CREATE_COMPLEX, &dangerous_order()).await["id"].clone();
    let manifested = booked(&bench, &order()).await;
    for (id, label_type, message) in [
        (json!(plain), 0, Some("Label type 0 is not known")),
        (json!(plain), 6, Some("Label type 6 is not known")),
        (json!(plain), 9, Some("Label type 9 is not known")),
        (
            json!(plain),
            1,
            Some("Consignment 200001 is not manifested"),
        ),
        (json!(manifested), 1, None),
        (json!(plain), 2, None),
        (json!(plain), 3, None),
        (json!(plain), 4, None),
        (
            json!(plain),
            5,
            Some("Consignment 200001 holds no dangerous goods"),
        ),
        (dangerous, 5, None),
        (
            json!(plain),
            7,
            Some("Consignment 200001 is not international"),
        ),
        (
            json!(plain),
            8,
            Some("Consignment 200001 has no uploaded commercial invoice"),
        ),
    ] {
        let wanted = json!([{ "consignmentIds": [id], "labelType": label_type, "printerId": "602", "printA4": true }]);
        let (_, reply) = bench.post(SEND, &wanted).await;
        assert_eq!(reply["success"], json!(message.is_none()), "{reply}");
        if let Some(message) = message {
            assert_refused_at(&reply, "labelType", message);
        }
    }
}

#[track_caller]
fn assert_refused_at(reply: &Value, member: &str, message: &str) {
    assert_eq!(messages(reply), [message]);
    assert_eq!(reply["errors"][0]["memberNames"], json!([member]));
}

#[tokio::test]
async fn a_printer_is_known_and_of_the_company_and_not_switched_off() {
    let bench = Bench::start().await;
    let id = created(&bench).await;
    for (printer, message) in [
        (json!(699), "Printer 699 is not known"),
        (json!(611), "Printer 611 is not available for this company"),
        (json!(605), "Printer 605 is disabled"),
        (Value::Null, "printerId is required"),
    ] {
        let wanted = with(labels(id), json!({ "printerId": printer }));
        let (_, reply) = bench.post(SEND, &json!([wanted])).await;
        assert_refused_at(&reply, "printerId", message);
    }
}

#[tokio::test]
async fn all_of_it_is_sent_or_nothing() {
    let bench = Bench::start().await;
    let id = created(&bench).await;
    let bad = with(labels(id), json!({ "printerId": 699 }));
    let (_, reply) = bench.post(SEND, &json!([labels(id), bad])).await;
    assert_eq!(reply["success"], json!(false));
    for nothing in [json!([]), json!([{ "labelType": 3, "printerId": 601 }])] {
        let (_, reply) = bench.post(SEND, &nothing).await;
        assert_eq!(messages(&reply), ["ConsignmentIds are required"]);
    }
    let unknown = json!([labels(7)]);
    let (_, reply) = bench.post(SEND, &unknown).await;
    assert_eq!(messages(&reply), ["Consignment 7 was not found"]);
    assert_eq!(bench.fetched(JOBS).await, json!([]));
}

#[tokio::test]
async fn printers_come_with_the_defaults_of_the_company() {
    let bench = Bench::start().await;
    let id = created(&bench).await;
    let dangerous = bench.posted(CREATE_COMPLEX, &dangerous_order()).await["id"].clone();
    let grouped = bench.posted(GROUP, &json!([id, dangerous])).await;
    assert_eq!(
        grouped["defaultItemPrinter"],
        json!({
            "id": 601, "name": "SYD-LABEL-1", "description": "Sydney DC, packing bench 1, A6 labels", "companyId": 1,
            "disabled": false, "status": 1
        })
    );
    assert_eq!(grouped["defaultA4Printer"]["id"], json!(602));
    let ids: Vec<&Value> = grouped["printers"]
        .as_array()
        .expect("printers")
        .iter()
        .map(|printer| &printer["id"])
        .collect();
    assert_eq!(ids, [601, 602, 603, 604, 605]);
    let group = &grouped["groups"][0];
    assert_eq!(group["consignmentIds"], json!([id, dangerous]));
    assert_eq!(
        (&group["isDg"], &group["canPrintManifests"]),
        (&json!(true), &json!(false))
    );
    assert_refused(&bench, GROUP, &json!([]), &["ConsignmentIds are required"]).await;
    assert_refused(&bench, GROUP, &json!([7]), &["Consignment 7 was not found"]).await;
}

#[tokio::test]
async fn a_printer_token_prints_by_rule_as_the_consignment_is_made() {
    let bench = Bench::start().await;
    let printed = async |order: &Value, path: &str| {
        let id = bench.posted(path, order).await["id"].clone();
        let jobs = bench.fetched(JOBS).await;
        let jobs = jobs.as_array().expect("jobs").clone().into_iter();
        let own = jobs.filter(|job| job["consignmentIds"] == json!([id]));
        let mut said: Vec<String> = own
            .map(|job| {
                let rule = job["printingRule"].as_str().expect("a rule");
                format!("{rule}: {} on {}", job["labelTypeName"], job["printerName"])
            })
            .collect();
        said.reverse();
        said
    };
    let with_token = |token: &str, from: &str| {
        order_with(json!({ "printerToken": token, "fromAbbreviation": from }))
    };
    assert_eq!(
        printed(&with_token("bench-1", "HSYD"), CREATE).await,
        ["Bench labels: \"item\" on \"SYD-LABEL-1\""]
    );
    let dangerous = with(dangerous_order(), json!({ "printerToken": "BENCH-1" }));
    assert_eq!(
        printed(&dangerous, CREATE_COMPLEX).await,
        [
            "Bench labels: \"item\" on \"SYD-LABEL-1\"",
            "Bench dangerous goods document: \"dangerous goods document\" on \"SYD-OFFICE\""
        ]
    );
    assert_eq!(
        printed(&with_token("DOCK", "HMEL"), CREATE).await,
        ["Dock labels, Melbourne: \"item\" on \"MEL-LABEL-1\""]
    );
    assert_eq!(
        printed(&with_token("anything else", "HSYD"), CREATE).await,
        <[String; 0]>::default(),
        "any token may be sent"
    );
}
