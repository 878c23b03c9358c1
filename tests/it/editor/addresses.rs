//! Sender and receiver addresses: picked, typed and pasted.

mod as_typed;

use std::sync::Arc;

use app::state::{Command, ConsignCommand, Editing, ThemeChoice};
use draft::{AddressMode, Receiver, Suburb};
use egui::Event;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::journeys::kit::Role;
use crate::journeys::screens::{Desk, data, desk};
use crate::support::keyboard::{burst, type_at_once, type_keys};

fn receivers() -> Vec<Receiver> {
    let receiver = |name: &str, contact: &str, place: &str| Receiver {
        name: name.to_owned(),
        contact: contact.to_owned(),
        phone: "03 5550 0199".to_owned(),
        email: "stores@example.com".to_owned(),
        line1: "8 Creswick Road".to_owned(),
        place: place.to_owned(),
        ..Receiver::default()
    };
    vec![
        receiver("Mallee Irrigation", "P. Nguyen", "Mildura VIC 3500"),
        receiver("Tweed Valley Nursery", "A. Silva", "Murwillumbah NSW 2484"),
    ]
}

fn suburbs() -> Vec<Suburb> {
    let suburb = |name: &str, state: &str, postcode: &str| Suburb {
        suburb: name.to_owned(),
        state: state.to_owned(),
        postcode: postcode.to_owned(),
    };
    vec![
        suburb("Ballarat Central", "VIC", "3350"),
        suburb("Bakery Hill", "VIC", "3350"),
        suburb("Mildura", "VIC", "3500"),
    ]
}

fn known() -> Desk {
    let mut shared = data::shared();
    shared.catalogue.receivers = Arc::new(receivers());
    shared.catalogue.suburbs = Arc::new(suburbs());
    Desk::new(shared, Editing::default())
}

fn open(of: Desk) -> Harness<'static, Desk> {
    desk([1440.0, 900.0], 1.0, ThemeChoice::Light, of)
}

fn paste(text: &str) -> Vec<Event> {
    vec![Event::Paste(text.to_owned())]
}

fn to(harness: &mut Harness<'_, Desk>) {
    type_keys(harness, "<Alt+2>");
}

/// To the name of a full address.
fn address(harness: &mut Harness<'_, Desk>) {
    to(harness);
    type_keys(harness, "<Alt+A>");
}

#[test]
fn a_receiver_that_was_sent_to_before_is_picked_whole_and_the_reference_is_next() {
    let mut harness = open(known());
    to(&mut harness);
    type_at_once(&mut harness, "mallee<Enter>SO-1");
    let draft = &harness.state().editing.draft;
    assert_eq!(draft.to.mode, AddressMode::Full);
    assert_eq!(
        [&*draft.to.name, &*draft.to.contact, &*draft.to.place],
        ["Mallee Irrigation", "P. Nguyen", "Mildura VIC 3500"]
    );
    assert_eq!(draft.reference1, "SO-1");
}

#[test]
fn a_receiver_is_found_by_its_suburb_and_its_contact() {
    for typing in ["murwill", "silva"] {
        let mut harness = open(known());
        to(&mut harness);
        type_at_once(&mut harness, &format!("{typing}<Enter>"));
        assert_eq!(
            harness.state().editing.draft.to.name,
            "Tweed Valley Nursery",
            "{typing}"
        );
    }
}

#[test]
fn the_exact_abbreviation_comes_before_everything_else() {
    let mut of = known();
    let mut receivers = receivers();
    receivers[0].name = "Twm Trading".to_owned();
    of.shared.catalogue.receivers = Arc::new(receivers);
    let mut harness = open(of);
    to(&mut harness);
    type_at_once(&mut harness, "twm<Enter>");
    let to = &harness.state().editing.draft.to;
    assert_eq!((to.mode, to.title()), (AddressMode::Saved, "Tweed Marine"));
}

#[test]
fn the_sender_is_no_receiver() {
    let mut harness = open(known());
    type_keys(&mut harness, "<Alt+1>mallee");
    assert!(harness.query_by_label("Mallee Irrigation").is_none());
    type_at_once(&mut harness, "<Esc><Ctrl+A>hsyd<Enter>aroha");
    let draft = &harness.state().editing.draft;
    assert_eq!(draft.from.title(), "Harbour Supplies, Sydney DC");
    assert_eq!(draft.to.search, "aroha", "after From comes To");
}

#[test]
fn going_to_the_other_kind_of_address_and_back_loses_nothing() {
    let mut harness = open(known());
    to(&mut harness);
    type_at_once(&mut harness, "twm<Enter>");
    address(&mut harness);
    type_keys(&mut harness, "Somebody else<Alt+A>");
    let side = &harness.state().editing.draft.to;
    assert_eq!(
        (side.mode, side.title()),
        (AddressMode::Saved, "Tweed Marine")
    );
    type_keys(&mut harness, "<Alt+A>");
    let side = &harness.state().editing.draft.to;
    assert_eq!(
        (side.mode, side.title()),
        (AddressMode::Full, "Somebody else")
    );
}

#[test]
fn an_address_is_typed_in_the_order_that_it_is_said() {
    let mut harness = open(known());
    address(&mut harness);
    let texts = [
        "Corner Store",
        "Ana",
        "03 5550 0100",
        "ana@example.com",
        "1 High Street",
        "3500",
    ];
    type_at_once(&mut harness, &format!("{}<Tab>SO-2", texts.join("<Tab>")));
    let draft = &harness.state().editing.draft;
    let side = &draft.to;
    assert_eq!(
        [
            &*side.name,
            &*side.contact,
            &*side.phone,
            &*side.email,
            &*side.line1,
            &*side.place
        ],
        [
            "Corner Store",
            "Ana",
            "03 5550 0100",
            "ana@example.com",
            "1 High Street",
            "Mildura VIC 3500"
        ]
    );
    assert_eq!(draft.reference1, "SO-2");
}

#[test]
fn a_suburb_that_is_not_known_stays_as_typed() {
    let mut harness = open(known());
    address(&mut harness);
    type_at_once(&mut harness, "<Tab*5>");
    type_at_once(&mut harness, "Nowhere SA 5999<Tab>");
    assert_eq!(harness.state().editing.draft.to.place, "Nowhere SA 5999");
}

#[test]
fn a_suburb_is_found_by_its_name_its_postcode_and_both() {
    for (typed, picked) in [
        ("ball", "Ballarat Central VIC 3350"),
        ("central", "Ballarat Central VIC 3350"),
        ("hill 3350", "Bakery Hill VIC 3350"),
        ("vic mild", "Mildura VIC 3500"),
        ("3500", "Mildura VIC 3500"),
    ] {
        let mut harness = open(known());
        address(&mut harness);
        harness.get_by_label("To: suburb and postcode").focus();
        harness.run();
        type_at_once(&mut harness, &format!("{typed}<Down><Enter>"));
        assert_eq!(harness.state().editing.draft.to.place, picked, "{typed}");
    }
}

#[test]
fn only_a_suburb_that_is_meant_for_certain_is_picked_without_choosing_it() {
    for (typed, place) in [("3500", "Mildura VIC 3500"), ("3350", "3350")] {
        let mut harness = open(known());
        address(&mut harness);
        harness.get_by_label("To: suburb and postcode").focus();
        harness.run();
        type_at_once(&mut harness, &format!("{typed}<Enter>"));
        assert_eq!(harness.state().editing.draft.to.place, place);
    }
}

#[test]
fn the_second_line_and_the_country_are_passed_over_until_they_are_asked_for() {
    let mut harness = open(known());
    address(&mut harness);
    assert!(harness.query_by_label("To: address line 2").is_none());
    type_at_once(&mut harness, "<Alt+S>Level 2");
    assert_eq!(harness.state().editing.draft.to.line2, "Level 2");
    assert!(harness.query_by_label("To: country").is_none());
}

#[test]
fn another_country_asks_for_city_province_and_postcode() {
    let mut harness = open(known());
    address(&mut harness);
    type_at_once(&mut harness, "<Alt+B>fij<Enter>Suva<Tab>Central<Tab>0000");
    let side = &harness.state().editing.draft.to;
    assert_eq!(
        [
            &*side.country,
            &*side.city,
            &*side.province,
            &*side.postcode
        ],
        ["Fiji", "Suva", "Central", "0000"]
    );
    assert!(harness.query_by_label("To: suburb and postcode").is_none());
    harness.get_by_label("The receiver pays duties and taxes");
}

const BLOCK: &str = "Ballarat Farm & Garden\n8 Creswick Road\nBallarat Central VIC 3350\n";

#[test]
fn a_pasted_block_is_split_shown_and_taken() {
    let mut harness = open(known());
    address(&mut harness);
    burst(&mut harness, paste(BLOCK));
    assert_eq!(
        harness.state().editing.draft.to.name,
        "",
        "not before it is taken"
    );
    harness.get_by_role_and_label(Role::Dialog, "Receiver as pasted");
    type_keys(&mut harness, "<Enter>");
    let side = &harness.state().editing.draft.to;
    assert_eq!(
        [&*side.name, &*side.line1, &*side.place],
        [
            "Ballarat Farm & Garden",
            "8 Creswick Road",
            "Ballarat Central VIC 3350"
        ]
    );
    type_keys(&mut harness, "Jo");
    let side = &harness.state().editing.draft.to;
    assert_eq!(side.contact, "Jo", "what is missing first is next");
}

#[test]
fn a_pasted_block_takes_nothing_of_the_address_before_along() {
    let mut harness = open(known());
    address(&mut harness);
    let before = &mut harness.state_mut().editing.draft.to;
    "Anna".clone_into(&mut before.contact);
    "0400 111 222".clone_into(&mut before.phone);
    "anna@example.com".clone_into(&mut before.email);
    "Shed 4".clone_into(&mut before.line2);
    burst(&mut harness, paste(BLOCK));
    type_keys(&mut harness, "<Enter>");
    let side = &harness.state().editing.draft.to;
    assert_eq!(side.name, "Ballarat Farm & Garden");
    assert_eq!(
        [&*side.contact, &*side.phone, &*side.email, &*side.line2],
        [""; 4]
    );
}

#[test]
fn a_name_that_nobody_knows_takes_nothing_of_the_address_before_along() {
    let mut harness = open(known());
    let before = &mut harness.state_mut().editing.draft.to;
    "Anna's Attic".clone_into(&mut before.name);
    "0400 111 222".clone_into(&mut before.phone);
    to(&mut harness);
    type_at_once(&mut harness, "bob's bikes<Enter>");
    let side = &harness.state().editing.draft.to;
    assert_eq!((&*side.name, &*side.phone), ("bob's bikes", ""));
}

#[test]
fn a_pasted_block_is_left_by_escape_and_all_is_as_it_was() {
    let mut harness = open(known());
    to(&mut harness);
    type_keys(&mut harness, "twe");
    let before = harness.state().editing.draft.clone();
    burst(&mut harness, paste(BLOCK));
    type_keys(&mut harness, "<Esc>");
    assert_eq!(harness.state().editing.draft, before);
    assert!(harness.query_by_label("Receiver as pasted").is_none());
}

#[test]
fn ten_thousand_pasted_lines_are_counted_and_not_dropped_in_silence() {
    let mut harness = open(known());
    address(&mut harness);
    let block = "somewhere in a long, long list\n".repeat(10_000);
    burst(&mut harness, paste(&block));
    harness.get_by_label_contains("lines left out, but still on the clipboard");
    type_keys(&mut harness, "<Esc>");
    // In a field for one line it is cut, and that is said.
    let mut harness = open(known());
    type_keys(&mut harness, "<Alt+3>");
    burst(&mut harness, paste(&block));
    harness.get_by_label_contains("Too long: cut to");
}

#[test]
fn a_send_that_fails_leads_to_the_first_problem() {
    let mut harness = open(known());
    type_keys(&mut harness, "<Alt+3><Ctrl+Enter>");
    assert_eq!(
        harness.state().asked,
        [Command::Consign(ConsignCommand::Send)]
    );
    type_keys(&mut harness, "hsyd");
    let draft = &harness.state().editing.draft;
    assert_eq!(draft.from.search, "hsyd", "From is what is wrong first");
    let field = harness.get_by_label("From: saved location");
    let told = field.accesskit_node().description();
    assert_eq!(
        told.as_deref(),
        Some("Pick a saved location, or type an address"),
        "and it is said to who cannot see it"
    );
}
