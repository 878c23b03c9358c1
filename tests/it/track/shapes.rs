//! The JSON shapes of a consignment: a shorter one never erases the data of a fuller one.

use serde_json::{Value, json};
use shipping::{Consignment, Location, StatusId, time_zone_of};
use storage::ConsignmentHistory;

use super::samples::at;

fn read(value: &Value) -> Consignment {
    serde_json::from_str(&value.to_string()).expect("a consignment")
}

fn step(status: i64, at: &str) -> Value {
    json!({"consignmentTrackingStatus": {"id": status, "name": "As it is"}, "statusDateUtc": at})
}

fn fetched() -> Consignment {
    read(&json!({
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
    let whole = ConsignmentHistory::of(&fetched(), None).row;
    let listed = read(&json!({
        "id": 7, "consignmentNumber": "MS7",
        "consignmentTrackingStatus": {"id": 5, "name": "In Transit"},
        "consignmentTrackingHistories": [step(2, "2026-11-20T03:00:00"), step(3, "2026-11-20T03:05:00"),
            step(5, "2026-11-20T09:00:00")]
    }));
    let after = ConsignmentHistory::of(&listed, Some(&whole));
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
    let whole = ConsignmentHistory::of(&fetched(), None).row;
    let edited = read(&json!({
        "id": 7, "consignmentNumber": "MS7", "status": {"id": 3, "name": "Manifested"}, "toName": "Another farm", "items": []
    }));
    let row = ConsignmentHistory::of(&edited, Some(&whole)).row;
    assert_eq!(row.to, "Another farm");
    assert_eq!((row.changed, row.booked), (whole.changed, whole.booked));
    assert_eq!((row.attachments, row.manifest), (2, whole.manifest));
    assert_eq!(row.reference, "SO-1");
}

#[test]
fn a_reference_that_was_taken_away_goes_with_a_whole_answer_alone() {
    let whole = ConsignmentHistory::of(&fetched(), None).row;
    let mut taken = serde_json::to_value(fetched()).expect("JSON");
    taken["customerReference"] = Value::Null;
    let row = ConsignmentHistory::of(&read(&taken), Some(&whole)).row;
    assert_eq!(row.reference, "");
    assert_eq!(row.reference2, "Bench4-A");
}

#[test]
fn places_in_two_countries_are_international_whoever_does_not_say_so() {
    let listed = |from: &str, to: &str| {
        let place = |country: &str| json!({"suburb": "S", "postcode": "1", "country": country});
        read(&json!({
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
        let row = ConsignmentHistory::of(&listed(from, to), None).row;
        assert_eq!(row.international, expected, "{from} to {to}");
    }
}

#[test]
fn a_whole_answer_without_a_count_of_files_keeps_the_one_that_is_known() {
    let whole = ConsignmentHistory::of(&fetched(), None).row;
    let mut silent = serde_json::to_value(fetched()).expect("JSON");
    silent["attachmentCount"] = Value::Null;
    assert_eq!(
        ConsignmentHistory::of(&read(&silent), Some(&whole))
            .row
            .attachments,
        2
    );
}

#[test]
fn a_whole_answer_is_whole_before_anything_has_happened_too() {
    let whole = ConsignmentHistory::of(&fetched(), None).row;
    let mut bare = serde_json::to_value(fetched()).expect("JSON");
    bare["statusHistory"] = json!([]);
    for field in ["customerReference", "manifestId"] {
        bare[field] = Value::Null;
    }
    bare["important"] = json!(false);
    let row = ConsignmentHistory::of(&read(&bare), Some(&whole)).row;
    assert_eq!(
        (row.reference.as_str(), row.manifest, row.important),
        ("", None, false)
    );
}

fn delivered(history: &Value) -> Option<jiff::Timestamp> {
    let complete = json!({"id": 7, "name": "Complete"});
    let told = read(&json!({"id": 7, "status": complete, "statusHistory": history}));
    ConsignmentHistory::of(&told, None).row.ended
}

#[test]
fn a_delivery_that_is_told_again_the_next_day_was_not_later_for_that() {
    let history = json!([
        step(7, "2026-11-21T09:00:00"),
        step(5, "2026-11-20T01:00:00"),
        step(7, "2026-11-20T03:00:00")
    ]);
    assert_eq!(delivered(&history), Some(at("2026-11-20T03:00:00Z")));
    let taken_back = json!([
        step(7, "2026-11-20T03:00:00"),
        step(5, "2026-11-20T06:00:00"),
        step(7, "2026-11-21T02:00:00"),
        step(7, "2026-11-21T09:00:00")
    ]);
    assert_eq!(delivered(&taken_back), Some(at("2026-11-21T02:00:00Z")));
}

#[test]
fn a_zone_that_nobody_knows_is_that_of_the_state() {
    let place = |zone: &str, state: &str| Location {
        time_zone: zone.to_owned(),
        state: state.to_owned(),
        ..Location::default()
    };
    for (zone, state, expected) in [
        ("AUS Eastern Standard Time", "VIC", "Australia/Melbourne"),
        ("Australia/Perth", "VIC", "Australia/Perth"),
        ("", "QLD", "Australia/Brisbane"),
        ("AUS Eastern Standard Time", "", ""),
    ] {
        assert_eq!(
            time_zone_of(&place(zone, state)),
            expected,
            "{zone} {state}"
        );
    }
}

#[test]
fn an_eta_told_as_local_time_alone_is_always_a_moment() {
    for (zone, eta, expected) in [
        (
            "AUS Eastern Standard Time",
            "2026-11-23T17:00:00",
            "2026-11-23T06:00:00Z",
        ),
        // The hour that comes twice, and the one that is left out.
        (
            "Australia/Sydney",
            "2027-04-04T02:30:00",
            "2027-04-03T15:30:00Z",
        ),
        (
            "Australia/Sydney",
            "2026-10-04T02:30:00",
            "2026-10-03T16:30:00Z",
        ),
    ] {
        let told = read(&json!({
            "id": 7, "status": {"id": 5, "name": "In Transit"}, "etaLocal": eta,
            "toLocation": {"suburb": "Sydney", "state": "NSW", "timeZone": zone}
        }));
        assert_eq!(
            ConsignmentHistory::of(&told, None).row.eta_at,
            Some(at(expected)),
            "{zone} {eta}"
        );
    }
}
