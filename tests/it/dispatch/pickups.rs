//! Typed pickups: how each notation of a time is read, and which errors and warnings each field shows.

use draft::{PickupContext, PickupDraft, PickupField, PickupReview, UsualHours};
use jiff::Timestamp;
use jiff::civil::{date, time};
use shipping::{ConsignmentId, LocalTime, ManifestGroup};

use crate::support::desk::NOW;

const SYDNEY: &str = "Australia/Sydney";

pub(super) fn now() -> Timestamp {
    NOW.parse().expect("a moment")
}

#[expect(clippy::unnecessary_wraps, reason = "what a group has")]
pub(super) fn at(text: &str) -> Option<LocalTime> {
    Some(LocalTime::read(text).expect("a time"))
}

/// Of Friday 20 November 2026, when it is 14:05 there.
pub(super) fn group(ids: &[i64]) -> ManifestGroup {
    let group: ManifestGroup = serde_json::from_str(
        r#"{"consignmentIds":[1],"companyId":1,"carrierName":"Bluegum","palletSpaces":2,"bay":"B7"}"#,
    )
    .expect("a group");
    ManifestGroup {
        consignment_ids: ids.iter().copied().map(ConsignmentId::new).collect(),
        pickup_date_time: at("2026-11-20T16:00:00"),
        pickup_closing_time: at("2026-11-20T17:00:00"),
        ..group
    }
}

pub(super) fn draft() -> PickupDraft {
    PickupDraft::from(group(&[1, 2, 3]))
}

fn reviewed(draft: &PickupDraft) -> PickupReview {
    draft.review(&PickupContext::at(now(), SYDNEY))
}

/// The time that is read of a typed pickup, or what is said of it.
fn read(text: &str) -> Result<String, String> {
    let mut draft = draft();
    text.clone_into(&mut draft.pickup);
    // It may have passed: here it counts what was read.
    let review = draft.review(&PickupContext::at(
        "2026-11-20T03:05:00Z".parse().expect("a moment"),
        SYDNEY,
    ));
    if let Some(pickup) = review.pickup {
        return Ok(pickup.0.strftime("%a %-d %b %Y %H:%M").to_string());
    }
    Err(review.group.expect_err("nothing was read")[0].1.clone())
}

#[test]
fn a_time_is_read_however_a_clerk_types_it() {
    for (typed, meant) in [
        ("1600", "Fri 20 Nov 2026 16:00"),
        ("16:00", "Fri 20 Nov 2026 16:00"),
        ("16.00", "Fri 20 Nov 2026 16:00"),
        ("16h30", "Fri 20 Nov 2026 16:30"),
        ("16h", "Fri 20 Nov 2026 16:00"),
        ("16", "Fri 20 Nov 2026 16:00"),
        ("4pm", "Fri 20 Nov 2026 16:00"),
        ("4 PM", "Fri 20 Nov 2026 16:00"),
        ("4.30 p.m.", "Fri 20 Nov 2026 16:30"),
        ("430pm", "Fri 20 Nov 2026 16:30"),
        ("12pm", "Fri 20 Nov 2026 12:00"),
        ("12am", "Fri 20 Nov 2026 00:00"),
        ("noon", "Fri 20 Nov 2026 12:00"),
        ("930", "Fri 20 Nov 2026 09:30"),
        ("0930", "Fri 20 Nov 2026 09:30"),
        ("06:00", "Fri 20 Nov 2026 06:00"),
        ("Fri 16:00", "Fri 20 Nov 2026 16:00"),
        ("mon 9", "Mon 23 Nov 2026 09:00"),
        ("Tuesday at 4pm", "Tue 24 Nov 2026 16:00"),
        ("tomorrow 9", "Sat 21 Nov 2026 09:00"),
        ("9 tomorrow", "Sat 21 Nov 2026 09:00"),
        ("today, 4pm", "Fri 20 Nov 2026 16:00"),
        ("Fri 20 16:00", "Fri 20 Nov 2026 16:00"),
        ("Mon 23 1600", "Mon 23 Nov 2026 16:00"),
        ("Mon 23 Nov 16:00", "Mon 23 Nov 2026 16:00"),
        ("23 November 16:00", "Mon 23 Nov 2026 16:00"),
        ("Nov 23 4pm", "Mon 23 Nov 2026 16:00"),
        ("23nov 1600", "Mon 23 Nov 2026 16:00"),
        ("23rd Nov 2026 16:00", "Mon 23 Nov 2026 16:00"),
        ("23/11 16:00", "Mon 23 Nov 2026 16:00"),
        ("23/11/26 4pm", "Mon 23 Nov 2026 16:00"),
        ("23-11-2026 16:00", "Mon 23 Nov 2026 16:00"),
        ("2026-11-23 16:00", "Mon 23 Nov 2026 16:00"),
        ("2026-11-23T16:00:00", "Mon 23 Nov 2026 16:00"),
        ("4 Jan 9am", "Mon 4 Jan 2027 09:00"),
        ("mon 7 9am", "Mon 7 Dec 2026 09:00"),
    ] {
        assert_eq!(read(typed).as_deref(), Ok(meant), "{typed}");
    }
}

#[test]
fn what_could_be_two_times_or_is_none_is_asked_for_not_guessed() {
    let none = "Enter a time, like 16:00 or Mon 4pm";
    for (typed, said) in [
        ("", none),
        ("4", "Is it 4am or 4pm?"),
        ("mon 5", "Is it 5am or 5pm?"),
        ("Mon 20 Nov 16:00", "20 Nov is a Friday"),
        ("soon", none),
        ("25:00", none),
        ("16:75", none),
        ("13pm", none),
        ("16:00 17:00", none),
        ("31 Feb 16:00", none),
        ("20 Nov", none),
        ("20 Nov 2026", none),
        ("2026-11-20", none),
        ("١٦:٠٠", none),
        ("1600000000000000000000", none),
        ("::", none),
        ("99999-11-20 16:00", none),
    ] {
        assert_eq!(read(typed), Err(said.to_owned()), "{typed}");
    }
}

#[test]
fn any_text_at_all_is_read_or_refused_without_a_stumble() {
    for typed in [
        "é4pm",
        "pm",
        "4pmpm",
        "noon noon",
        "-",
        "/",
        "1/",
        "//",
        "20/",
        "nov",
        "th",
        "1th",
        "٣",
        "16:0",
        "am am",
    ] {
        let _read = read(typed);
    }
}

#[test]
fn a_default_reads_back_as_the_time_that_it_is() {
    for (pickup, closing) in [
        ("2026-11-20T16:00:00", "2026-11-20T17:30:00"),
        ("2026-12-31T16:00:00", "2027-01-01T09:00:00"),
        ("2027-01-04T09:15:00", "2027-01-04T17:00:00"),
    ] {
        let group = ManifestGroup {
            pickup_date_time: at(pickup),
            pickup_closing_time: at(closing),
            ..group(&[1])
        };
        let sent = PickupDraft::from(group.clone())
            .review(&PickupContext::at(now(), SYDNEY))
            .group
            .expect("it is right");
        assert_eq!(sent.pickup_date_time, group.pickup_date_time);
        assert_eq!(sent.pickup_closing_time, group.pickup_closing_time);
        assert_eq!(sent.other, group.other, "what else it said goes back");
    }
}

/// What is said at each field of a draft changed so.
fn said(change: impl FnOnce(&mut PickupDraft)) -> (Vec<(PickupField, String)>, Vec<String>) {
    let mut draft = draft();
    change(&mut draft);
    let usual = UsualHours {
        pickup: Some(time(15, 0, 0, 0)),
        closing: Some(time(17, 0, 0, 0)),
    };
    let review = draft.review(&PickupContext {
        usual,
        despatch: Some(date(2026, 11, 20)),
        ..PickupContext::at(now(), SYDNEY)
    });
    let warnings = review.warnings.into_iter().map(|(_, words)| words);
    (review.group.err().unwrap_or_default(), warnings.collect())
}

fn wrong(change: impl FnOnce(&mut PickupDraft)) -> Vec<(PickupField, String)> {
    said(change).0
}

fn odd(change: impl FnOnce(&mut PickupDraft)) -> Vec<String> {
    let (wrong, odd) = said(change);
    assert_eq!(wrong, [], "it is only odd");
    odd
}

#[test]
fn what_is_wrong_is_said_at_its_field() {
    let is = |field: PickupField, words: &str| vec![(field, words.to_owned())];
    assert_eq!(wrong(|_| {}), []);
    assert_eq!(
        wrong(|draft| draft.pickup = "14:00".into()),
        is(PickupField::Pickup, "14:00 has passed")
    );
    assert_eq!(
        wrong(|draft| draft.pickup = "19 Nov 16:00".into())[0],
        (PickupField::Pickup, "Thu 19 Nov has passed".to_owned())
    );
    assert_eq!(
        wrong(|draft| draft.closing = "15:00".into()),
        is(PickupField::Closing, "Closing time is before the pickup")
    );
    assert_eq!(
        wrong(|draft| draft.closing = "4pm".into()),
        is(
            PickupField::Closing,
            "Closing time is the same as the pickup"
        )
    );
    for typed in ["2.5", "two", "1e3"] {
        assert_eq!(
            wrong(|draft| draft.spaces = typed.into()),
            is(PickupField::Spaces, "Enter a whole number"),
            "{typed}"
        );
    }
    assert_eq!(
        wrong(|draft| draft.spaces = "-1".into()),
        is(PickupField::Spaces, "Enter 0 or more")
    );
    assert_eq!(
        wrong(|draft| draft.spaces = "1000".into()),
        is(PickupField::Spaces, "At most 999")
    );
    assert_eq!(
        wrong(|draft| draft.instructions = "x".repeat(501)),
        is(
            PickupField::Instructions,
            "501 characters: at most 500 allowed"
        )
    );
    assert_eq!(
        wrong(|draft| draft.known_dangerous = true),
        is(
            PickupField::Declaration,
            "Declare the dangerous goods in this group"
        )
    );
}

/// A change of a draft, and the warnings that it leads to.
type OddCase = (fn(&mut PickupDraft), &'static [&'static str]);

#[test]
fn what_is_only_odd_is_said_and_blocks_nothing() {
    const DATE: &str = "The group's despatch date is Fri 20 Nov";
    const CLOSES: &str = "This location usually closes at 17:00";
    let cases: [OddCase; 9] = [
        (|draft| draft.pickup = "15:30".into(), &[]),
        (
            |draft| draft.pickup = "14:10".into(),
            &[
                "Only 5 minutes from now",
                "Before the usual pickup at 15:00",
            ],
        ),
        (
            |draft| {
                draft.pickup = "17:30".into();
                draft.closing = "18:00".into();
            },
            &[CLOSES],
        ),
        (|draft| draft.closing = "18:00".into(), &[CLOSES]),
        (|draft| draft.pickup = "Mon 16:00".into(), &[DATE]),
        (
            |draft| draft.pickup = "Sat 16:00".into(),
            &[DATE, "On a Saturday"],
        ),
        (
            |draft| draft.pickup = "1 Dec 16:00".into(),
            &["11 days from now", DATE],
        ),
        (
            |draft| draft.spaces = "70".into(),
            &["More pallet spaces than a road train has"],
        ),
        (
            |draft| draft.closing = "Sat 9:00".into(),
            &["Closes on Sat 21 Nov"],
        ),
    ];
    for (change, warnings) in cases {
        assert_eq!(odd(change), warnings);
    }
}

#[test]
fn what_is_booked_by_other_means_needs_no_time_that_is_right() {
    let wrong = wrong(|draft| {
        draft.already_booked = true;
        draft.pickup = "14:00".into();
        draft.closing = "13:00".into();
    });
    assert_eq!(wrong, []);
    let mut empty = draft();
    empty.already_booked = true;
    empty.pickup.clear();
    empty.closing.clear();
    let sent = empty
        .review(&PickupContext::at(now(), SYDNEY))
        .group
        .expect("nothing is wrong");
    assert_eq!(
        (sent.pickup_date_time, sent.pickup_already_booked),
        (None, true)
    );
}

#[test]
fn the_closing_time_is_on_the_day_that_the_pickup_was_moved_to() {
    let mut moved = draft();
    "Mon 10:00".clone_into(&mut moved.pickup);
    let sent = moved
        .review(&PickupContext::at(now(), SYDNEY))
        .group
        .expect("nothing is wrong");
    assert_eq!(sent.pickup_date_time, at("2026-11-23T10:00:00"));
    assert_eq!(sent.pickup_closing_time, at("2026-11-23T17:00:00"));
}

#[test]
fn a_time_that_the_clocks_skip_or_repeat_is_refused_at_its_field() {
    for typed in ["2027-10-03 02:30", "2027-04-04 02:30"] {
        let mut draft = draft();
        typed.clone_into(&mut draft.pickup);
        draft.closing.clear();
        let wrong = reviewed(&draft)
            .group
            .expect_err("it names no moment, or two");
        let words = "The clocks change at that time. Choose another time".to_owned();
        assert_eq!(wrong, [(PickupField::Pickup, words)], "{typed}");
    }
}
