//! The evidence in a consignment's history for a status that was set, after the answer was lost.

use engine::StatusEvidence;
use serde_json::{Value, json};
use shipping::{Consignment, ConsignmentId, LocalTime, StatusId, StatusUpdate};

const SINCE: &str = "2026-11-20T02:55:00Z";

fn update(status: i64, given: Option<&str>) -> StatusUpdate {
    StatusUpdate {
        consignment_id: ConsignmentId::new(1),
        status: StatusId::new(status),
        status_date_time_local: given.map(|at| LocalTime::read(at).expect("a time")),
        item_reference: None,
        extra_information: None,
    }
}

fn told(update: &StatusUpdate, now: i64, history: Value) -> StatusEvidence {
    let mut one = json!({ "id": 1, "status": { "id": now } });
    one["statusHistory"] = history;
    let one: Consignment = serde_json::from_value(one).expect("a consignment");
    StatusEvidence::of(&one, update, SINCE.parse().expect("a moment"))
}

fn reached(status: i64, given: Option<&str>, now: i64, history: Value) -> bool {
    told(&update(status, given), now, history) == StatusEvidence::Ours
}

fn step(status: i64, local: &str, utc: &str) -> Value {
    json!({
        "consignmentTrackingStatus": { "id": status },
        "statusDateLocal": local, "statusDateUtc": utc
    })
}

#[test]
fn a_step_of_long_ago_is_found_by_the_time_that_was_given() {
    let history = json!([step(9, "2026-11-18T16:20:00", "2026-11-18T05:20:00")]);
    assert!(reached(9, Some("2026-11-18T16:20:00"), 5, history.clone()));
    assert!(!reached(9, Some("2026-11-18T16:25:00"), 5, history));
}

#[test]
fn standing_there_since_before_proves_nothing() {
    let history = json!([step(5, "2026-11-18T16:20:00", "2026-11-18T05:20:00")]);
    assert!(!reached(5, None, 5, history));
    let history = json!([step(5, "2026-11-20T14:00:00", "2026-11-20T03:00:00")]);
    assert!(reached(5, None, 7, history));
    assert!(reached(5, None, 5, json!([])));
    assert!(reached(
        10,
        Some("2026-11-18T16:20:00"),
        10,
        json!([step(10, "2026-11-18T05:20:00", "2026-11-17T18:20:00")])
    ));
}

#[test]
fn what_the_carrier_says_now_is_not_what_was_set_for_another_time() {
    let mut asked = update(9, Some("2026-11-19T16:20:00"));
    let mut carriers = step(9, "2026-11-20T14:00:00", "2026-11-20T03:00:00");
    assert_eq!(told(&asked, 9, json!([carriers])), StatusEvidence::Possible);
    let to_the_minute = step(9, "2026-11-19T16:20:31", "2026-11-19T05:20:31");
    assert_eq!(
        told(&asked, 9, json!([carriers, to_the_minute])),
        StatusEvidence::Ours
    );
    asked.extra_information = Some("Nobody home ".to_owned());
    assert_eq!(told(&asked, 9, json!([carriers])), StatusEvidence::Possible);
    carriers["statusInformation"] = "Nobody home".into();
    assert_eq!(told(&asked, 9, json!([carriers])), StatusEvidence::Ours);
}

#[test]
fn a_step_that_names_no_piece_does_not_prove_a_pieces() {
    let mut asked = update(9, None);
    asked.item_reference = Some("P-2".to_owned());
    let mut one = step(9, "2026-11-20T14:00:00", "2026-11-20T03:00:00");
    assert_eq!(told(&asked, 9, json!([one])), StatusEvidence::Possible);
    one["itemReference"] = "P-1".into();
    assert_eq!(told(&asked, 9, json!([one])), StatusEvidence::Missing);
    one["itemReference"] = "P-2".into();
    assert_eq!(told(&asked, 9, json!([one])), StatusEvidence::Ours);
    let old = step(9, "2026-11-18T16:20:00", "2026-11-18T05:20:00");
    assert_eq!(told(&asked, 9, json!([old])), StatusEvidence::Missing);
}
