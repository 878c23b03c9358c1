//! The shapes in which a consignment is told: a lighter one never erases what a fuller one told.

use packbench::journal::Followed;
use packbench::shipping::{Consignment, StatusId};
use serde_json::{Value, json};

fn read(value: Value) -> Consignment {
    serde_json::from_str(&value.to_string()).expect("a consignment")
}

fn step(status: i64, at: &str) -> Value {
    json!({"consignmentTrackingStatus": {"id": status, "name": "As it is"}, "statusDateUtc": at})
}

fn fetched() -> Consignment {
    read(json!({
        "id": 7, "consignmentNumber": "MS7", "companyId": 1, "carrierConsignmentId": "SCX1",
        "customerReference": "SO-1", "customerReference2": "Bench4-A", "trackingPageAccessToken": "t",
        "status": {"id": 3, "name": "Manifested"},
        "statusHistory": [step(2, "2026-11-20T03:00:00"), step(3, "2026-11-20T03:05:00")],
        "fromName": "Dock", "toName": "Farm",
        "toLocation": {"suburb": "Ballarat", "postcode": "3350", "state": "VIC", "country": "AU"},
        "carrier": {"id": 11, "name": "Southern Cross"}, "carrierService": {"id": 1, "name": "Road"},
        "manifestId": 9, "attachmentCount": 2, "important": true, "totalWeight": 18.5, "totalItemCount": 2,
        "consignmentTotal": {"totalSellPrice": 38.4}, "dgsDeclaration": true, "isInternational": true,
        "etaLocal": "2026-11-23T17:00:00"
    }))
}

#[test]
fn a_lists_row_keeps_what_only_a_fetched_one_tells() {
    let whole = Followed::of(&fetched(), None).row;
    let listed = read(json!({
        "id": 7, "consignmentNumber": "MS7",
        "consignmentTrackingStatus": {"id": 5, "name": "In Transit"},
        "consignmentTrackingHistories": [step(2, "2026-11-20T03:00:00"), step(3, "2026-11-20T03:05:00"),
            step(5, "2026-11-20T09:00:00")]
    }));
    let after = Followed::of(&listed, Some(&whole));
    assert_eq!(after.history.len(), 3);
    let row = after.row;
    assert_eq!(row.status.id, StatusId::IN_TRANSIT);
    assert!(row.changed > whole.changed);
    let mut as_before = row.clone();
    as_before.status.clone_from(&whole.status);
    (as_before.changed, as_before.important) = (whole.changed, whole.important);
    assert_eq!(as_before, whole, "nothing else is another");
    assert!(!row.important, "that was said of where it stood");
}

#[test]
fn an_edits_answer_keeps_the_history_and_the_files() {
    let whole = Followed::of(&fetched(), None).row;
    let edited = read(json!({
        "id": 7, "consignmentNumber": "MS7", "status": {"id": 3, "name": "Manifested"}, "toName": "Another farm", "items": []
    }));
    let row = Followed::of(&edited, Some(&whole)).row;
    assert_eq!(row.to, "Another farm");
    assert_eq!((row.changed, row.booked), (whole.changed, whole.booked));
    assert_eq!((row.attachments, row.manifest), (2, whole.manifest));
    assert_eq!(row.reference, "SO-1");
}

#[test]
fn a_reference_that_was_taken_away_goes_with_a_whole_answer_alone() {
    let whole = Followed::of(&fetched(), None).row;
    let mut taken = serde_json::to_value(fetched()).expect("JSON");
    taken["customerReference"] = Value::Null;
    let row = Followed::of(&read(taken), Some(&whole)).row;
    assert_eq!(row.reference, "");
    assert_eq!(row.reference2, "Bench4-A");
}

#[test]
fn places_in_two_countries_are_international_whoever_does_not_say_so() {
    let listed = |from: &str, to: &str| {
        let place = |country: &str| json!({"suburb": "S", "postcode": "1", "country": country});
        read(json!({
            "id": 1, "consignmentTrackingStatus": {"id": 2, "name": "Unmanifested"},
            "fromLocation": place(from), "toLocation": place(to)
        }))
    };
    for (from, to, expected) in [
        ("AUS", "NZL", true),
        ("AU", "AUS", false),
        ("NZL", "NZ", false),
        ("", "NZL", false),
    ] {
        let row = Followed::of(&listed(from, to), None).row;
        assert_eq!(row.international, expected, "{from} to {to}");
    }
}
