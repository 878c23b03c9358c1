//! The thirteen field notes ("Behaviour that bites"): for each, the literal answer of a live service and how
//! we read it.

use client::{Client, Connection, Failure, Middleware, RecentUpdates};
use serde_json::{Value, json};
use shipping::{
    CompanyId, Compatibility, ConsignmentId, ConsignmentRequest, Despatch, DespatchSpelling,
    LivePricingRequest, LocalTime, ManifestGroup, OptionalFeatures, PendingConsignmentId,
    RouteSelection, UnNumber,
};

use crate::support::wire::{Fault, Wire, answer};

/// The changes since the day before.
fn since_yesterday() -> RecentUpdates {
    RecentUpdates::since("2026-11-19T00:00:00Z".parse().expect("a moment"))
}

/// A client of a service that answers everything with `body`.
fn client_of(body: &str) -> (Wire, Client) {
    spoken(body, Compatibility::default())
}

fn spoken(body: &str, dialect: Compatibility) -> (Wire, Client) {
    let wire = Wire::alone(answer("200 OK", "application/json", body));
    let mut connection = Connection::new(&wire.base_url(), "token".into()).expect("an address");
    connection.compatibility = dialect;
    let client = Client::new(&connection).expect("a client");
    (wire, client)
}

/// The smallest request that the interface knows, in its own words.
fn request(fields: &Value) -> ConsignmentRequest {
    let mut request = json!({ "items": [{ "companyItemId": 5 }], "carrierId": 11 });
    for (name, value) in fields.as_object().expect("fields") {
        request[name] = value.clone();
    }
    serde_json::from_str(&request.to_string()).expect("a request")
}

#[tokio::test]
async fn note_1_http_200_with_errors_is_a_failure() {
    let body = r#"{"object": null, "errors": [{"validationType": "Error", "memberNames": [], "errorMessage": "Invalid Company ID"}]}"#;
    let (_wire, client) = client_of(body);
    let failure = client.companies(None).await.expect_err("refused");
    let Failure::Refused(errors) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(errors[0].validation_type, "Error");
    assert_eq!(errors[0].error_message, "Invalid Company ID");
}

#[tokio::test]
async fn note_2_the_despatch_time_is_spelt_as_the_connection_says_and_an_echo_that_differs_is_noticed()
 {
    let echo = r#"{"object": {"id": 7, "consignmentNumber": "MS7", "despatchDateUtc": "2026-11-20T03:05:00",
        "despatchDateLocal": "2026-11-20T14:05:00"}, "errors": null}"#;
    let mut order = request(&json!({}));
    let asked: LocalTime = serde_json::from_str(r#""2026-11-23T09:00:00""#).expect("a time");
    order.set_despatch(Some(Despatch::Local(asked)));
    for (spelling, field) in [
        (DespatchSpelling::Dispatch, "dispatchDateTimeLocal"),
        (DespatchSpelling::Despatch, "despatchDateTimeLocal"),
    ] {
        let dialect = Compatibility {
            despatch: spelling,
            ..Compatibility::default()
        };
        let (wire, client) = spoken(echo, dialect);
        let made = client.create(&order).await.expect("made");
        let sent = wire.last_body();
        assert_eq!(sent[field], json!("2026-11-23T09:00:00.000Z"));
        let times = |name: &String| name.contains("DateTime");
        let fields = sent.as_object().expect("an object");
        assert_eq!(
            fields.keys().filter(|name| times(name)).count(),
            1,
            "{sent}"
        );
        assert!(made.despatch_differs_from(Despatch::Local(asked)));
    }
}

#[tokio::test]
async fn note_3_items_are_read_under_both_names() {
    for name in ["items", "consignmentItems"] {
        let body = format!(
            r#"{{"object": {{"id": 7, "{name}": [{{"name": "Hose", "quantity": "2", "itemType": 1, "references": ["A1", "A2"],
                "standardItem": {{"weight": 9.50, "length": 40, "width": "40", "height": 30}}}}]}}, "errors": []}}"#
        );
        let (_wire, client) = client_of(&body);
        let consignment = client.consignment(ConsignmentId::new(7)).await.expect(name);
        assert_eq!(consignment.item_references(), ["A1", "A2"]);
        let item = &consignment.items()[0];
        assert_eq!(
            (item.quantity, item.item_type.as_deref()),
            (Some(2), Some("1"))
        );
        assert_eq!(
            item.size().weight.map(|kg| kg.to_string()).as_deref(),
            Some("9.50")
        );
        assert_eq!(
            item.size().width.map(|cm| cm.to_string()).as_deref(),
            Some("40")
        );
    }
}

#[tokio::test]
async fn note_4_the_lighter_list_has_its_own_names_for_status_and_history() {
    let body = r#"{"object": [{"id": 7, "consignmentTrackingStatus": {"id": 5, "name": "In Transit"},
        "consignmentTrackingHistories": [{"consignmentTrackingStatus": {"id": 99, "name": "At the lighthouse"},
        "statusIsPartial": true, "statusDateUtc": null, "carrierStatus": null}]}], "errors": null, "totalItems": 1}"#;
    let (_wire, client) = client_of(body);
    let page = client.recent_page(&since_yesterday(), 1).await;
    let page = page.expect("a page");
    let row = &page.rows[0];
    assert_eq!(row.status().expect("a status").id.get(), 5);
    let step = &row.history()[0];
    let status = step.consignment_tracking_status.as_ref().expect("a status");
    assert_eq!(
        (status.id.get(), status.label().as_str()),
        (99, "At the lighthouse")
    );
    assert!(step.status_is_partial);
}

#[tokio::test]
async fn note_5_a_group_takes_its_declaration_there_and_back_with_what_else_was_said_of_it() {
    let body = r#"{"object": [{"consignmentIds": ["7"], "companyId": 1, "carrierName": "Southern Cross", "palletSpaces": "2",
        "pickupDateTime": "2026-11-20T15:30:00", "dgsDeclaration": true, "fromLocationId": 12.50}], "errors": []}"#;
    let (wire, client) = client_of(body);
    let groups: Vec<ManifestGroup> = client
        .group(&[ConsignmentId::new(7)])
        .await
        .expect("groups");
    assert_eq!(groups[0].dgs_declaration, Some(true));
    // The same body is no manifest result; what was sent is what counts here.
    let _unread = client.manifest(&groups).await;
    assert_eq!(
        wire.last_body(),
        json!([{
            "consignmentIds": [7], "companyId": 1, "carrierName": "Southern Cross", "palletSpaces": 2,
            "pickupDateTime": "2026-11-20T15:30:00", "pickupAlreadyBooked": false, "dgsDeclaration": true,
            "fromLocationId": 12.5
        }])
    );
}

#[tokio::test]
async fn note_6_a_manifest_that_did_nothing_is_told_by_its_id_and_by_the_consignments() {
    let body = r#"{"object": [{"id": 0, "consignmentIds": [7], "companyId": 1, "carrierReference": null,
        "bookingSuccessful": true, "errorMessage": null}], "errors": null}"#;
    let (_wire, client) = client_of(body);
    let results = client.manifest(&[]).await.expect("an answer");
    assert_eq!(results[0].id.map(shipping::ManifestId::get), Some(0));
    let body = r#"{"object": {"id": 7, "status": {"id": 3, "name": "Manifested"}, "manifestId": 0}, "errors": null}"#;
    let (_wire, client) = client_of(body);
    let consignment = client.consignment(ConsignmentId::new(7)).await.expect("it");
    assert!(!consignment.is_manifested(), "no manifest has the number 0");
}

#[tokio::test]
async fn note_7_times_without_a_zone_are_utc_where_they_are_called_so() {
    let body = r#"{"object": {"id": 7, "etaUtc": "2026-11-24T06:00:00", "despatchDateUtc": "2026-11-20T14:05:00.123+11:00",
        "etaLocal": "2026-11-24T17:00:00Z", "despatchDateLocal": "2026-11-20T14:05:00.5", "completedDate": ""}, "errors": null}"#;
    let (_wire, client) = client_of(body);
    let consignment = client.consignment(ConsignmentId::new(7)).await.expect("it");
    let text = |time: Option<String>| time.expect("a time");
    assert_eq!(
        text(consignment.eta_utc.map(|time| time.0.to_string())),
        "2026-11-24T06:00:00Z"
    );
    assert_eq!(
        text(consignment.despatch_date_utc.map(|time| time.0.to_string())),
        "2026-11-20T03:05:00.123Z"
    );
    assert_eq!(
        text(consignment.eta_local.map(|time| time.0.to_string())),
        "2026-11-24T17:00:00"
    );
    assert_eq!(
        text(
            consignment
                .despatch_date_local
                .map(|time| time.0.to_string())
        ),
        "2026-11-20T14:05:00.5"
    );
    assert_eq!(consignment.completed_date, None);
}

#[tokio::test]
async fn note_8_numbers_come_as_text_and_names_as_numbers() {
    let body = r#"{"object": {"id": "7", "companyId": "1", "manifestId": "88", "status": {"id": "3"}, "questionIds": [7, "36"],
        "totalItemCount": "3", "toCountryCode": "NZ", "fromCountryCode": "AUS", "items": [{"itemType": 26,
        "consignmentItemDgItems": [{"unNumber": "1170", "packingGroup": "2", "dgClassType": "1", "subDgClassTypes": ["5", 99]}]}]},
        "errors": null}"#;
    let (_wire, client) = client_of(body);
    let consignment = client.consignment(ConsignmentId::new(7)).await.expect("it");
    assert_eq!(consignment.id, ConsignmentId::new(7));
    assert_eq!(consignment.company_id, Some(CompanyId::new(1)));
    assert!(consignment.is_manifested());
    assert_eq!(consignment.question_ids, ["7", "36"]);
    assert_eq!(consignment.pieces(), 3);
    assert_eq!(consignment.to_country_code.as_deref(), Some("NZ"));
    let good = &consignment.items()[0].consignment_item_dg_items[0];
    assert_eq!(good.un_number, UnNumber::new(1170));
    assert_eq!(
        good.dg_class_type, None,
        "1 is outside the interface's list"
    );
    assert_eq!(good.sub_dg_class_types.len(), 1, "so is 99");
    for (said, meant) in [
        ("1", RouteSelection::Fastest),
        ("\"cheapest\"", RouteSelection::Cheapest),
    ] {
        let read: RouteSelection = serde_json::from_str(said).expect(said);
        assert_eq!(read, meant);
    }
}

#[tokio::test]
async fn note_9_pages_count_from_one_and_say_how_many_rows_there_are() {
    let body = r#"{"object": [{"id": 7}], "errors": null, "totalItems": "1", "startIndex": 1, "retrievalSize": 200}"#;
    let (wire, client) = client_of(body);
    let page = client.recent_page(&since_yesterday(), 1).await;
    let page = page.expect("a page");
    assert_eq!((page.rows.len(), page.total), (1, Some(1)));
    assert_eq!(wire.count("startIndex=1&retrieveSize=200"), 1);
    let all = client
        .recently_updated(&since_yesterday())
        .await
        .expect("all");
    assert_eq!(all.len(), 1);
    assert_eq!(
        wire.count("startIndex=1&"),
        2,
        "a page that is not full is the last"
    );
}

#[tokio::test]
async fn note_10_linked_pending_consignments_are_named_only_where_the_service_knows_them() {
    let body = r#"{"object": {"id": 7}, "errors": null}"#;
    let order = request(&json!({ "linkedPendingConsignmentIds": [31] }));
    assert_eq!(
        order.linked_pending_consignment_ids,
        [PendingConsignmentId::new(31)]
    );
    let (wire, client) = client_of(body);
    client.create(&order).await.expect("made");
    assert_eq!(wire.last_body().get("linkedPendingConsignmentIds"), None);
    let knows = Compatibility {
        optional: OptionalFeatures {
            linked_pending: true,
            ..OptionalFeatures::default()
        },
        ..Compatibility::default()
    };
    let (wire, client) = spoken(body, knows);
    client.create(&order).await.expect("made");
    assert_eq!(wire.last_body()["linkedPendingConsignmentIds"], json!([31]));
}

#[tokio::test]
async fn note_11_a_create_whose_answer_is_lost_is_not_sent_again() {
    let wire = Wire::alone(Fault::LoseRequest);
    let connection = Connection::new(&wire.base_url(), "token".into()).expect("an address");
    let client = Client::new(&connection).expect("a client");
    let failure = client.create(&request(&json!({}))).await.expect_err("lost");
    assert_eq!(failure, Failure::Broken, "nobody knows");
    assert_eq!(wire.count("createConsignment"), 1);
}

#[tokio::test]
async fn note_12_the_middlewares_failure_is_read_in_both_shapes() {
    for (status, body) in [
        (
            "200 OK",
            r#"{"is_error": true, "error_message": "Invalid to location", "rates": []}"#,
        ),
        ("200 OK", r#"{"error": "Invalid to location"}"#),
        ("400 Bad Request", r#"{"error": "Invalid to location"}"#),
    ] {
        let wire = Wire::alone(answer(status, "application/json", body));
        let middleware = Middleware::new(
            &wire.base_url(),
            "shop",
            "integration".into(),
            "token".into(),
        );
        let connection = Connection::new(&wire.base_url(), "token".into());
        let mut connection = connection.expect("an address");
        connection.middleware = middleware.ok();
        let client = Client::new(&connection).expect("a client");
        let failure = client.live_prices(&LivePricingRequest::default()).await;
        let Err(Failure::Refused(errors)) = failure else {
            panic!("{failure:?}")
        };
        assert_eq!(errors[0].error_message, "Invalid to location");
        assert_eq!(wire.count("POST /live-pricing/shop "), 1);
    }
}

#[tokio::test]
async fn note_13_the_list_of_what_is_unmanifested_is_asked_for_page_by_page() {
    let body = r#"{"object": [{"id": 7, "status": {"id": 2}}], "errors": null, "totalItems": 1}"#;
    let (wire, client) = client_of(body);
    let rows = client.unmanifested(None).await.expect("a list");
    assert_eq!(rows.len(), 1);
    assert_eq!(
        wire.count("GET /apiv2/consignments/getUnmanifested?startIndex=1"),
        1
    );
    let wire = Wire::alone(answer("404 Not Found", "application/json", "{}"));
    let connection = Connection::new(&wire.base_url(), "token".into()).expect("an address");
    let client = Client::new(&connection).expect("a client");
    let failure = client.unmanifested(None).await.expect_err("not there");
    assert_eq!(failure, Failure::Status(404));
}
