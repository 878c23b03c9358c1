//! Editing unmanifested consignments: the form is sent back whole, with members unknown to the client
//! ("Operation rules" 4).

use client::Failure;
use shipping::{ConsignmentId, EditForm, EditItem, ItemReference, Kilograms};

use crate::contract::orders::{nested, number};
use crate::contract::refusal;
use crate::support::contract::{Held, Stage, cases};

cases! {
    Reads:
        the_form_is_fetched_by_the_id;
    Writes:
        a_form_goes_back_as_it_came_but_for_what_changed;
    Practises:
        an_item_is_added_and_another_changed, references_change_only_when_the_form_says_so,
        a_manifested_consignment_has_no_form, a_form_that_is_out_of_date_is_refused;
}

const FORM: &str = "GET /apiv2/consignments/getUnmanifestedConsignmentForEdit?id=<id:made>";
const EDIT: &str = "POST /apiv2/consignments/editUnmanifestedConsignment";

/// The form of the consignment that [`Stage::make`] makes. Slots: its reference, its items, whether references are set.
const FORM_OF: &str = r#"{
    "id": "<id:made>", "rowVersion?": "<text:version>", "companyId?": 1, "carrierId?": 11, "carrierServiceId?": 1101,
    "carrierAccountId?": 3101, "companyCarrierAccountId?": 5101, "defaultRouteSelection?": null,
    "carrierConsignmentId?": "SCX00200001", "customerReference?": "REFERENCE", "customerReference2?": null,
    "dispatchDateTimeUtc?": "2026-11-20T03:05:00", "specialInstructions?": null, "questionIds?": [],
    "printerToken?": null, "sendingTrackingEmail?": false, "customValues?": [], "receiverAccountCode?": null,
    "receiverAccountId?": null, "staffMemberName?": null, "dgsDeclaration?": false, "isInternational?": false,
    "setItemReferences?": SETS, "costCentreCode?": "HARBOUR", "handlingNotes?": "Keep dry",
    "deliveryWindow?": { "opensLocal": "08:00:00", "closesLocal": "17:00:00" },
    "fromName?": "Harbour Supplies, Sydney DC", "fromContact?": "Dock office", "fromPhone?": "02 5550 0114",
    "fromEmail?": "dock.sydney@harbour.example", "fromAddressLine1?": "14 Wharf Road", "fromAddressLine2?": "",
    "fromCompanyLocationId?": 7001,
    "fromLocation?": {
        "id": "<id>", "suburb": "Alexandria", "postcode": "2015", "state": "NSW", "timeZone": "Australia/Sydney",
        "country": "AUS"
    },
    "internationalFromCity?": null, "internationalFromPostcode?": null, "internationalFromProvince?": null,
    "fromCountryCode?": null,
    "toName?": "Ballarat Farm & Garden", "toContact?": "J. Okafor", "toPhone?": "03 5550 0199",
    "toEmail?": "stores@bfg.example", "toAddressLine1?": "8 Creswick Road", "toAddressLine2?": "",
    "toCompanyLocationId?": null,
    "toLocation?": {
        "id": "<id>", "suburb": "Ballarat Central", "postcode": "3350", "state": "VIC",
        "timeZone": "Australia/Melbourne", "country": "AUS"
    },
    "internationalToCity?": null, "internationalToPostcode?": null, "internationalToProvince?": null,
    "toCountryCode?": null,
    "items?": ITEMS
}"#;

const HOSE_REELS: &str = r#"{
    "id": "<id:item>", "companyItemId": null, "itemType": "Carton", "name": "Hose reels, 20 m", "sku": null,
    "quantity": 2, "standardItem": { "weight": WEIGHT, "length": 40, "width": 40, "height": 30 },
    "palletSpaces": null, "isStackable": true, "consignmentItemDgItems": [], "consignmentItemContents": [],
    "consignmentItemReferences": REFERENCES
}"#;

const OWN: &str = r#"[
    { "carrierItemReference": "SCX200001000001" }, { "carrierItemReference": "SCX200001000002" }
]"#;

fn reels(weight: &str, references: &str) -> String {
    HOSE_REELS
        .replace("WEIGHT", weight)
        .replace("REFERENCES", references)
}

fn form(reference: &str, sets: bool, items: &str) -> String {
    FORM_OF
        .replace("REFERENCE", reference)
        .replace("SETS", &sets.to_string())
        .replace("ITEMS", items)
}

/// As it is sent: every field is there.
fn sent(reference: &str, sets: bool, items: &str) -> String {
    form(reference, sets, items).replace("?\":", "\":")
}

async fn fetched(stage: &mut Stage) -> EditForm {
    let id = stage.consignment("made");
    let form_of = stage.client().edit_form(id).await;
    let unchanged = form("SO-48213", false, &format!("[{}]", reels("9", OWN)));
    stage.answered(
        FORM,
        "",
        &format!(r#"{{ "object": {unchanged}, "errors": null }}"#),
    );
    form_of.expect("a form")
}

async fn the_form_is_fetched_by_the_id(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let form = fetched(stage).await;
    assert_eq!(form.id().map(ConsignmentId::get), Some(stage.id("made")));
    Ok(())
}

async fn a_form_goes_back_as_it_came_but_for_what_changed(stage: &mut Stage) -> Held {
    let id = stage.make_one().await?;
    let form = stage.client().edit_form(id).await;
    let came = stage.requested(FORM, "");
    let mut form = form.expect("a form");
    form.set("customerReference", &"SO-48214");
    let edited = stage.client().edit(&form).await;
    // What the service sent is the literal: all of it comes back, but for the one field.
    let came = String::from_utf8(came.answer).expect("text");
    let came = crate::support::contract::Json::read(&came).expect("JSON");
    let came = came.get("object").expect("a form").to_string();
    let expected = came.replace(
        r#""customerReference":"SO-48213""#,
        r#""customerReference":"SO-48214""#,
    );
    assert_ne!(came, expected, "the reference is in the form");
    let answer = r#"{
        "object": { "id": "<id:made>", "status": { "id": 2, "...": "..." }, "customerReference?": "SO-48214", "...": "..." },
        "errors": null
    }"#;
    stage.answered(EDIT, &expected, answer);
    assert_eq!(edited.expect("a consignment").id, id);
    Ok(())
}

async fn an_item_is_added_and_another_changed(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let mut form = fetched(stage).await;
    let mut items = form.items();
    let mut size = items[0]
        .get::<shipping::StandardItem>("standardItem")
        .expect("a size");
    size.weight = Some(Kilograms(number("9.75")));
    items[0].set("standardItem", &size);
    items.push(
        EditItem::new(&nested("Brass fittings", ["14.2", "30", "25", "20"])).expect("a record"),
    );
    form.set_items(&items);
    let edited = stage.client().edit(&form).await;
    let added = r#"{
        "itemType": "Carton", "name": "Brass fittings", "quantity": 1,
        "standardItem": { "weight": 14.2, "length": 30, "width": 25, "height": 20 }
    }"#;
    let items = format!("[{}, {added}]", reels("9.75", OWN));
    let answer = r#"{
        "object": {
            "id": "<id:made>", "consignmentNumber": "MS200001", "status": { "id": 2, "...": "..." },
            "items": [
                { "id": "<id:item>", "weight": 9.75, "references": ["SCX200001000001", "SCX200001000002"], "...": "..." },
                { "name": "Brass fittings", "weight": 14.2, "references": ["SCX200001000003"], "...": "..." }
            ],
            "totalItemCount": 3, "totalWeight": 33.7, "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(EDIT, &sent("SO-48213", false, &items), answer);
    assert_eq!(edited.expect("a consignment").pieces(), 3);
    Ok(())
}

async fn references_change_only_when_the_form_says_so(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let mut form = fetched(stage).await;
    let mut items = form.items();
    let barcode = |text: &str| ItemReference {
        carrier_item_reference: text.to_owned(),
    };
    let own = [barcode("HARB00004811"), barcode("HARB00004812")];
    items[0].set_references(&own);
    form.set_items(&items);
    let edited = stage.client().edit(&form).await;
    let delegated = r#"[{ "carrierItemReference": "HARB00004811" }, { "carrierItemReference": "HARB00004812" }]"#;
    let items = format!("[{}]", reels("9", delegated));
    let answer = r#"{
        "object": { "items": [{ "references": ["HARB00004811", "HARB00004812"], "...": "..." }], "...": "..." },
        "errors": null
    }"#;
    let request = sent("SO-48213", true, &items);
    stage.answered(EDIT, &request, answer);
    assert_eq!(edited.expect("a consignment").item_references().len(), 2);
    // Removed again: the objects are gone, and the form says that references are set.
    let form = stage
        .tell("GET", FORM.trim_start_matches("GET "), "")
        .await
        .to_string();
    let removed = form
        .replace(
            r#"[{"carrierItemReference":"HARB00004811"},{"carrierItemReference":"HARB00004812"}]"#,
            "[]",
        )
        .replace(
            r#""setItemReferences":false"#,
            r#""setItemReferences":true"#,
        );
    let own = r#"{
        "object": { "items": [{ "references": ["SCX200001000001", "SCX200001000002"], "...": "..." }], "...": "..." },
        "errors": null
    }"#;
    stage.said(EDIT, &removed, own).await;
    Ok(())
}

async fn a_manifested_consignment_has_no_form(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    let form = stage.client().edit_form(stage.consignment("made")).await;
    let refusal = refusal("", "Consignment already manifested");
    stage.refused(FORM, "", &refusal);
    assert!(matches!(form, Err(Failure::Refused(_))));
    Ok(())
}

async fn a_form_that_is_out_of_date_is_refused(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let mut form = fetched(stage).await;
    form.set("customerReference", &"SO-48214");
    let first = stage.client().edit(&form).await;
    let items = format!("[{}]", reels("9", OWN));
    let request = sent("SO-48214", false, &items);
    stage.answered(
        EDIT,
        &request,
        r#"{ "object": { "id": "<id:made>", "...": "..." }, "errors": null }"#,
    );
    let second = stage.client().edit(&form).await;
    let refusal = refusal(
        "rowVersion",
        "Consignment was changed since it was fetched for editing",
    );
    stage.refused(EDIT, &request, &refusal);
    assert!(first.is_ok() && second.is_err());
    Ok(())
}
