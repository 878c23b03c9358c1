//! A consignment's page: its texts about times, goods and people, and pictures in both themes.

pub(super) mod told;

use app::state::{
    Command, DispatchCommand, Editing, PageCommand, Shared, ThemeChoice, TrackCommand,
};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shipping::{TrackingBases, TrackingDesign};

use crate::journeys::kit::{burst, chord, picture};
use crate::journeys::screens::{Desk, desk};

const SMALL: [f32; 2] = [1024.0, 700.0];
const USUAL: [f32; 2] = [1440.0, 900.0];

fn at(size: [f32; 2], theme: ThemeChoice, shared: Shared) -> Harness<'static, Desk> {
    desk(size, 1.0, theme, Desk::new(shared, Editing::default()))
}

fn open(shared: Shared) -> Harness<'static, Desk> {
    at(USUAL, ThemeChoice::Light, shared)
}

fn asked(mut harness: Harness<'static, Desk>, modifiers: Modifiers, key: Key) -> Vec<Command> {
    harness.state_mut().asked.clear();
    burst(&mut harness, chord(modifiers, key));
    harness.state().asked.clone()
}

type Case = (&'static str, fn() -> Shared);

const CASES: [Case; 6] = [
    ("plain", told::manifested),
    ("dangerous", told::damaged),
    ("customs", told::abroad),
    ("long", told::long),
    ("failed", told::failed),
    ("refused", told::refused),
];

#[test]
fn the_page_is_drawn_in_both_themes_and_small() {
    // A picture takes its time: each state in one of the two looks.
    let looks = [
        (USUAL, ThemeChoice::Light, "light"),
        (SMALL, ThemeChoice::Dark, "small-dark"),
    ];
    for (at_case, (name, shared)) in CASES.into_iter().enumerate() {
        let (size, theme, word) = looks[at_case % 2];
        let mut harness = at(size, theme, shared());
        picture(&mut harness, &format!("track-page-{name}-{word}"));
    }
    let mut tall = at([1440.0, 1700.0], ThemeChoice::Light, told::damaged());
    picture(&mut tall, "track-page-dangerous-whole");
    let mut tall = at([1440.0, 1700.0], ThemeChoice::Dark, told::abroad());
    picture(&mut tall, "track-page-customs-whole");
}

#[test]
fn steps_are_on_the_clocks_of_their_place_and_say_so() {
    let harness = open(told::damaged());
    for words in [
        "“Carton crushed, contents leaking” (DMG)",
        "AWST",
        "by Kiri, BG-55102",
        "Piece BGX0002",
        "part of it",
        "Damaged in transit",
        "Status Damaged",
    ] {
        assert!(harness.query_all_by_label(words).count() > 0, "{words}");
    }
    // Perth's 09:12 is Sydney's 12:12: only the one is said.
    assert!(harness.query_by_label("09:12").is_some());
    assert!(harness.query_by_label("12:12").is_none());
}

type Page = fn() -> Shared;

#[test]
fn what_can_be_done_has_a_key_and_fits_where_it_stands() {
    let id = told::ID;
    let design = TrackingDesign::Modern;
    let cases: [(Page, Modifiers, Key, Command); 6] = [
        (
            told::manifested,
            Modifiers::ALT,
            Key::P,
            PageCommand::ShowTracking(design).into(),
        ),
        (
            told::manifested,
            Modifiers::ALT,
            Key::L,
            DispatchCommand::ShowLabel(id).into(),
        ),
        (
            told::manifested,
            Modifiers::ALT,
            Key::R,
            PageCommand::Refresh.into(),
        ),
        (
            told::waiting,
            Modifiers::ALT,
            Key::D,
            DispatchCommand::Reveal(id).into(),
        ),
        (
            told::manifested,
            Modifiers::ALT,
            Key::U,
            TrackCommand::LoadForStatus(vec![id]).into(),
        ),
        (
            told::manifested,
            Modifiers::ALT,
            Key::X,
            TrackCommand::LoadForStatus(vec![id]).into(),
        ),
    ];
    for (shared, modifiers, key, command) in cases {
        assert_eq!(asked(open(shared()), modifiers, key), [command], "{key:?}");
    }
    // The carrier has it, or never had it: there is nothing to cancel. What the token may not is not offered.
    for shared in [told::damaged, told::waiting, told::refused] {
        assert_eq!(asked(open(shared()), Modifiers::ALT, Key::X), []);
    }
}

#[test]
fn a_failed_refresh_keeps_what_is_known_and_offers_another() {
    let mut harness = open(told::failed());
    assert!(harness.query_all_by_label("Kings Park Nursery").count() > 0);
    harness.get_by_label("Retry").click();
    harness.run();
    assert!(harness.state().asked.contains(&PageCommand::Refresh.into()));
}

#[test]
fn the_code_is_drawn_and_reads_back() {
    for (theme, size, word) in [
        (ThemeChoice::Light, USUAL, "light"),
        (ThemeChoice::Dark, SMALL, "small-dark"),
    ] {
        let mut harness = at(size, theme, told::tracking());
        picture(&mut harness, &format!("track-code-{word}"));
        let shot = harness.render().expect("a renderer");
        let grey: Vec<u8> = shot.pixels().map(|pixel| pixel.0[1]).collect();
        let read = rxing::helpers::detect_in_luma(
            grey,
            shot.width(),
            shot.height(),
            Some(rxing::BarcodeFormat::QR_CODE),
        );
        let read = read.expect("a code that can be read");
        assert_eq!(read.getText(), told::ADDRESS);
    }
}

#[test]
fn without_an_address_it_is_said_where_to_set_one() {
    let mut shared = told::tracking();
    shared.session.tracking = TrackingBases::default();
    let shown = shared.track.page.tracking.as_mut().expect("it is shown");
    shown.address = Err(shipping::TrackingPageError::NotSet);
    shown.code = None;
    let mut harness = open(shared);
    picture(&mut harness, "track-code-none");
    let said = harness.query_all_by_label_contains("No address for tracking pages is set");
    assert!(said.count() > 0);
    harness.get_by_role_and_label(crate::journeys::kit::Role::Button, "Settings");
}
