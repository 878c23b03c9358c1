//! References, despatch, and the folded options.

use app::state::{Editing, ThemeChoice};
use draft::{CustomValueLine, Field, ReceiverAccountKind};
use egui::Event;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shipping::Question;

use crate::journeys::screens::{Desk, data, desk};
use crate::support::keyboard::{burst, click, type_at_once, type_keys};

fn open(editing: Editing) -> Harness<'static, Desk> {
    let of = Desk::new(data::shared(), editing);
    desk([1440.0, 900.0], 1.0, ThemeChoice::Light, of)
}

/// The first line has three pieces, and the keyboard is in their references.
fn at_references() -> Harness<'static, Desk> {
    let mut editing = data::editing();
    "3".clone_into(&mut editing.draft.goods[0].quantity);
    let mut harness = open(editing);
    type_keys(&mut harness, "<Alt+R>");
    harness
}

#[test]
fn options_are_chosen_by_key_folded_or_not() {
    let mut harness = open(Editing::default());
    type_keys(&mut harness, "<Alt+5><Alt+4>");
    type_at_once(&mut harness, "<Alt+8><Alt+5>");
    let chosen: Vec<_> = harness.state().editing.draft.questions.iter().collect();
    assert_eq!(chosen, [&Question::AuthorityToLeave]);
    type_keys(&mut harness, "<Space>");
    let draft = &harness.state().editing.draft;
    assert!(
        draft.questions.contains(&Question::Tailgate),
        "the focus was on the first"
    );
}

#[test]
fn the_options_are_passed_over_until_they_are_unfolded() {
    let mut harness = open(Editing::default());
    assert!(harness.query_by_label("Printer token").is_none());
    type_keys(&mut harness, "<Alt+4>");
    assert!(harness.query_by_label("Printer token").is_some());
}

#[test]
fn every_text_of_a_consignment_can_be_typed() {
    let mut harness = open(Editing::default());
    type_keys(&mut harness, "<Alt+4>");
    for field in Field::texts() {
        let label = field.row().label;
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
}

#[test]
fn what_is_set_shows_while_it_is_folded() {
    let mut editing = Editing::default();
    editing.draft.flags.tracking_email = true;
    editing.draft.receiver_account = "ACC-1".to_owned();
    editing.draft.custom_values = vec![CustomValueLine {
        name: "palletSpaces".to_owned(),
        value: "2".to_owned(),
    }];
    let harness = open(editing);
    for word in ["Tracking e-mail", "Receiver pays", "1 carrier option"] {
        harness.get_by_label(word);
    }
}

#[test]
fn the_receivers_account_is_a_code_or_an_id() {
    let mut harness = open(Editing::default());
    type_keys(&mut harness, "<Alt+4>");
    harness.get_by_label("Receiver pays: account").focus();
    harness.run();
    type_at_once(&mut harness, "4711<Tab>i");
    let draft = &harness.state().editing.draft;
    assert_eq!(
        (&*draft.receiver_account, draft.receiver_account_by),
        ("4711", ReceiverAccountKind::Id)
    );
}

#[test]
fn a_carriers_own_option_is_added_offered_and_taken_away() {
    let mut harness = open(Editing::default());
    type_keys(&mut harness, "<Alt+4>");
    click(&mut harness, "Add carrier-specific option");
    type_at_once(&mut harness, "duties<Down><Enter>t<Down><Enter>");
    let values = &harness.state().editing.draft.custom_values;
    assert_eq!(
        *values,
        [CustomValueLine {
            name: "AreDutiesPaidByRecipient".to_owned(),
            value: "true".to_owned()
        }]
    );
    click(&mut harness, "Remove carrier option 1");
    assert!(harness.state().editing.draft.custom_values.is_empty());
}

#[test]
fn references_are_scanned_one_after_another_and_counted() {
    let mut harness = at_references();
    type_at_once(&mut harness, "X1<Enter>X2<Enter>X1<Enter>");
    assert_eq!(harness.state().editing.draft.goods[0].references, "X1 X2 ");
    harness.get_by_label("References: 2 of 3");
    harness.get_by_label_contains("X1 is already in the list");
    type_at_once(&mut harness, "X3<Enter>Y1<Enter>");
    let goods = &harness.state().editing.draft.goods;
    assert_eq!(
        [&*goods[0].references, &*goods[1].references],
        ["X1 X2 X3 ", "Y1 "],
        "once all are there the next line is scanned"
    );
    harness.get_by_label("References: 3 of 3");
}

#[test]
fn references_are_pasted_as_a_list() {
    let mut harness = at_references();
    let list = Event::Paste("A1\r\nA2\r\nA3\r\n".to_owned());
    burst(&mut harness, vec![list]);
    type_keys(&mut harness, "<Tab>");
    let line = &harness.state().editing.draft.goods[0];
    assert_eq!(line.references().collect::<Vec<_>>(), ["A1", "A2", "A3"]);
    harness.get_by_label("References: 3 of 3");
}

/// The texts below the despatch field, in a window where its zone has no room in the field.
fn despatch_notes(moment: &str, zone: &str, told: &str) -> bool {
    let mut shared = data::shared();
    shared.now = moment.parse().expect("a moment");
    zone.clone_into(&mut shared.session.zone);
    let of = Desk::new(shared, Editing::default());
    let harness = desk([1200.0, 900.0], 1.0, ThemeChoice::Light, of);
    harness.query_by_label_contains(told).is_some()
}

#[test]
fn a_zone_is_told_by_its_distance_from_utc() {
    for (moment, zone, told) in [
        ("2026-11-20T03:05:00Z", "Australia/Sydney", "UTC+11"),
        ("2026-07-20T03:05:00Z", "Australia/Sydney", "UTC+10"),
        ("2026-07-20T03:05:00Z", "Australia/Darwin", "UTC+9:30"),
        ("2026-07-20T03:05:00Z", "Pacific/Honolulu", "UTC-10"),
    ] {
        assert!(despatch_notes(moment, zone, told), "{told}");
    }
}

#[test]
fn a_change_of_clocks_is_told_a_week_before() {
    for (moment, zone, told) in [
        (
            "2026-10-01T00:00:00Z",
            "Australia/Sydney",
            Some("Clocks go forward Sun 4 Oct 02:00"),
        ),
        (
            "2027-04-01T00:00:00Z",
            "Australia/Sydney",
            Some("Clocks go back Sun 4 Apr 03:00"),
        ),
        ("2026-11-20T03:05:00Z", "Australia/Sydney", None),
        ("2026-10-01T00:00:00Z", "Australia/Brisbane", None),
    ] {
        let is_told = despatch_notes(moment, zone, told.unwrap_or("Clocks go"));
        assert_eq!(is_told, told.is_some(), "{moment} {zone}");
    }
}

#[test]
fn the_despatch_field_tells_its_zone_and_what_does_not_fit_is_told() {
    let mut harness = open(Editing::default());
    harness.get_by_label("Despatch").focus();
    harness.run();
    type_keys(&mut harness, "15:30");
    assert_eq!(harness.state().editing.draft.despatch, "15:30");
    harness.get_by_label("Reference").focus();
    harness.run();
    let long = Event::Paste("R".repeat(60));
    burst(&mut harness, vec![long]);
    assert_eq!(harness.state().editing.draft.reference1.len(), 50);
    harness.get_by_label("Too long: cut to 50 characters");
    type_keys(&mut harness, "<Backspace>");
    assert!(harness.query_by_label_contains("Too long").is_none());
}
