//! A status change as typed: its time, its problems, and the consignments that are left out.

use draft::StatusField::{Information, Item, Status, Time};
use draft::{StatusChangeDraft, StatusTarget, refusal_reason, settable_statuses};
use jiff::Timestamp;
use shipping::{ConsignmentId, StatusId};

const SYDNEY: &str = "Australia/Sydney";

/// Friday 20 November 2026, 14:05 in Sydney.
fn now() -> Timestamp {
    "2026-11-20T03:05:00Z".parse().expect("a moment")
}

fn target(id: i64, status: i64, zone: &str) -> StatusTarget {
    StatusTarget {
        id: ConsignmentId::new(id),
        number: format!("MS{id}"),
        status: StatusId::new(status),
        zone: zone.to_owned(),
        in_open_operation: false,
    }
}

fn typed(status: i64, time: &str) -> StatusChangeDraft {
    StatusChangeDraft {
        status: Some(StatusId::new(status)),
        time: time.to_owned(),
        information: "Signed by J. Okafor".to_owned(),
        ..StatusChangeDraft::default()
    }
}

fn read(time: &str, zone: &str) -> Result<Option<String>, String> {
    let checked = typed(7, time).check(&[target(1, 5, zone)], now(), SYDNEY);
    checked
        .map(|plan| plan.at.map(|at| at.0.to_string()))
        .map_err(|said| said.into_iter().map(|(_, words)| words).collect())
}

#[test]
fn times_are_past_ones_on_the_clocks_of_the_place() {
    for (text, at) in [
        ("13:30", "2026-11-20T13:30:00"),
        ("yesterday 4pm", "2026-11-19T16:00:00"),
        ("Thu 9:30", "2026-11-19T09:30:00"),
        ("fri 9", "2026-11-20T09:00:00"),
        ("sat 10:00", "2026-11-14T10:00:00"),
        ("18/11 16:20", "2026-11-18T16:20:00"),
        ("Wed 18 Nov 16:20", "2026-11-18T16:20:00"),
    ] {
        assert_eq!(read(text, SYDNEY), Ok(Some(at.to_owned())), "{text}");
    }
    assert_eq!(read("", SYDNEY), Ok(None));
    assert_eq!(read(" now ", SYDNEY), Ok(None));
}

#[test]
fn the_future_is_refused_by_the_clocks_of_the_place() {
    let words = "That time is in the future: it is now Fri 20 Nov 11:05 there";
    // 13:30 is past in Sydney, and not in Perth.
    assert_eq!(read("13:30", "Australia/Perth"), Err(words.to_owned()));
    for text in ["14:06", "tomorrow 9am", "20/11/2027 9:00"] {
        let words = "That time is in the future: it is now Fri 20 Nov 14:05 there";
        assert_eq!(read(text, SYDNEY), Err(words.to_owned()), "{text}");
    }
}

#[test]
fn an_hour_that_comes_twice_is_refused() {
    let (april, target) = ("2026-04-06T03:05:00Z", target(1, 5, SYDNEY));
    let april = april.parse().expect("a moment");
    let said = typed(7, "5/4 2:30").check(&[target], april, SYDNEY);
    let said = said.expect_err("the clocks went back");
    assert_eq!(said[0].0, Time);
    let words = &said[0].1;
    assert!(words.starts_with("The clocks change at 02:30"), "{words}");
}

#[test]
fn nothing_leads_back_and_only_what_is_manifested_is_cancelled() {
    for status in [1, 2, 3, 21, 25] {
        let said = typed(status, "").check(&[target(1, 5, SYDNEY)], now(), SYDNEY);
        assert!(said.is_err(), "{status}");
    }
    for status in settable_statuses() {
        assert_eq!(refusal_reason(StatusId::IN_TRANSIT, status), None);
    }
    assert_eq!(settable_statuses().count(), 22);
    let cancelled = StatusId::CANCELLED;
    assert_eq!(refusal_reason(StatusId::MANIFESTED, cancelled), None);
    for from in [2, 5, 7, 10] {
        let refused = refusal_reason(StatusId::new(from), cancelled);
        assert!(refused.is_some(), "{from}");
    }
}

#[test]
fn what_can_not_be_set_is_left_out_and_said() {
    let targets = [(1, 3), (2, 10), (3, 2), (4, 3)];
    let mut targets = targets.map(|(id, status)| target(id, status, SYDNEY));
    targets[3].in_open_operation = true;
    let cancel = StatusChangeDraft {
        information: "Not needed\n any more".to_owned(),
        ..StatusChangeDraft::cancel()
    };
    let plan = cancel.check(&targets, now(), SYDNEY).expect("one can");
    assert_eq!(plan.updates.len(), 1);
    let said = plan.updates[0].extra_information.as_deref();
    assert_eq!(said, Some("Not needed any more"));
    let left: Vec<_> = plan.skipped.into_iter().map(|one| one.reason).collect();
    let reasons = "already cancelled, not manifested: delete it instead, being changed by an action that isn't finished";
    assert_eq!(left.join(", "), reasons);
}

#[test]
fn every_problem_is_said_at_its_field() {
    let draft = StatusChangeDraft {
        time: "tomorrow 9:00".to_owned(),
        item: Some("SCX1".to_owned()),
        information: "x".repeat(501),
        status: None,
    };
    let two = [target(1, 5, SYDNEY), target(2, 5, SYDNEY)];
    let said = draft.check(&two, now(), SYDNEY).expect_err("all wrong");
    let fields: Vec<_> = said.iter().map(|(field, _)| *field).collect();
    assert_eq!(fields, [Information, Item, Status, Time]);
    let silent = StatusChangeDraft::cancel().check(&two[..1], now(), SYDNEY);
    let words = &silent.expect_err("no reason")[0].1;
    assert!(words.starts_with("Enter a reason"), "{words}");
}
