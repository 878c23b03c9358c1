//! A consignment's page: its texts about times, goods and people, and pictures in both themes.

pub(super) mod told;

use app::state::{Command, DispatchCommand, PageCommand, Shared, ThemeChoice, TrackCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shipping::{TrackingBases, TrackingDesign};

use crate::journeys::kit::{picture, picture_showing};
use crate::journeys::screens::{Desk, open, open_in};
use crate::support::keyboard::{click, type_keys};

const SMALL: [f32; 2] = [1024.0, 700.0];
const USUAL: [f32; 2] = [1440.0, 900.0];

fn asked(mut harness: Harness<'static, Desk>, script: &str) -> Vec<Command> {
    harness.state_mut().asked.clear();
    type_keys(&mut harness, script);
    harness.state().asked.clone()
}

/// A picture's name, what is drawn, and a text that must stand on it.
type Case = (&'static str, fn() -> Shared, &'static str);

const CASES: [Case; 6] = [
    ("plain", told::manifested, "Manifested"),
    ("dangerous", told::damaged, "Damaged in transit"),
    ("customs", told::abroad, "Hamilton 3200 NZL"),
    ("long", told::long, "Delayed by the carrier"),
    ("failed", told::failed, "Retry"),
    (
        "refused",
        told::refused,
        "You do not have permission to cancel consignments",
    ),
];

#[test]
fn the_page_is_drawn_in_both_themes_and_small() {
    // A picture takes its time: each state in one of the two looks.
    let looks = [
        (USUAL, ThemeChoice::Light, "light"),
        (SMALL, ThemeChoice::Dark, "small-dark"),
    ];
    for (at_case, (name, shared, text)) in CASES.into_iter().enumerate() {
        let (size, theme, word) = looks[at_case % 2];
        let mut harness = open_in(shared(), size, theme);
        picture_showing(&mut harness, &format!("track-page-{name}-{word}"), &[text]);
    }
    let mut tall = open_in(told::damaged(), [1440.0, 1700.0], ThemeChoice::Light);
    picture_showing(
        &mut tall,
        "track-page-dangerous-whole",
        &["Damaged in transit"],
    );
    let mut tall = open_in(told::abroad(), [1440.0, 1700.0], ThemeChoice::Dark);
    picture_showing(
        &mut tall,
        "track-page-customs-whole",
        &["Customs: 2 × Garden hose on a reel"],
    );
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

#[test]
fn each_step_is_on_the_clocks_of_its_place() {
    let damaged = (9, "2026-11-19T09:12:00", "2026-11-19T01:12:00", "");
    let booked = (3, "2026-11-17T16:10:00", "2026-11-17T05:10:00", "");
    // In transit, at a depot between the two places.
    let depot = (16, "2026-11-18T09:40:00", "2026-11-17T23:10:00", "");
    // UTC alone is never shown as if it were local.
    let in_utc = (9, "", "2026-11-19T01:12:00", "");
    let local = (9, "2026-11-19T09:12:00", "", "");
    let nothing = (9, "", "", "");
    for (step, places, words) in [
        (damaged, true, ["Thu 19 Nov", "09:12", "AWST"]),
        (booked, true, ["Tue 17 Nov", "16:10", "16:10"]),
        (depot, true, ["Wed 18 Nov", "09:40", "UTC+10:30"]),
        (in_utc, true, ["Thu 19 Nov", "09:12", "AWST"]),
        (in_utc, false, ["Thu 19 Nov", "01:12", "UTC"]),
        (local, true, ["Thu 19 Nov", "09:12", "local time"]),
        (nothing, true, ["no time", "no time", "no time"]),
    ] {
        let harness = open(told::stepped(&[step], places));
        for words in words {
            harness.get_by_label(words);
        }
    }
}

#[test]
fn the_newest_is_first_by_day_and_silence_is_said() {
    let mut shared = told::stepped(
        &[
            (2, "2026-11-17T15:00:00", "2026-11-17T04:00:00", ""),
            (3, "2026-11-17T16:10:00", "2026-11-17T05:10:00", ""),
            (9, "", "", ""),
            (5, "2026-11-19T06:40:00", "2026-11-18T22:40:00", ""),
        ],
        true,
    );
    shared.now = "2026-11-20T03:05:00Z".parse().expect("a moment");
    let harness = open(shared);
    let tops = [
        "No scan for 1 d 4 h",
        "Thu 19 Nov",
        "06:40",
        "No scan for 1 d 17 h",
        "no time",
        "Tue 17 Nov",
        "16:10",
        "15:00",
    ]
    .map(|words| harness.get_by_label(words).rect().top());
    assert!(tops.is_sorted(), "{tops:?}");
}

#[test]
fn the_time_to_the_eta_is_read_at_a_glance() {
    let mut harness = open(told::manifested());
    for (minutes, words) in [
        (59, "in 59 min"),
        (60, "in 1 h"),
        (6 * 60 + 50, "in 6 h"),
        (24 * 60, "in 1 d"),
        (52 * 60, "in 2 d 4 h"),
        (-61, "1 h late"),
    ] {
        let shared = &mut harness.state_mut().shared;
        let history = shared.track.page.history.value_mut();
        let row = &mut history.and_then(Option::as_mut).expect("a row").row;
        row.eta_at = Some(shared.now + jiff::SignedDuration::from_mins(minutes));
        harness.run();
        harness.get_by_label_contains(&format!(", {words}"));
    }
}

type Page = fn() -> Shared;

#[test]
fn what_can_be_done_has_a_key_and_fits_where_it_stands() {
    let id = told::ID;
    let design = TrackingDesign::Modern;
    let cases: [(Page, &str, Command); 6] = [
        (
            told::manifested,
            "<Alt+P>",
            PageCommand::ShowTracking(design).into(),
        ),
        (
            told::manifested,
            "<Alt+L>",
            DispatchCommand::ShowLabel(id).into(),
        ),
        (told::manifested, "<Alt+R>", PageCommand::Refresh.into()),
        (told::waiting, "<Alt+D>", DispatchCommand::Reveal(id).into()),
        (
            told::manifested,
            "<Alt+U>",
            TrackCommand::LoadForStatus(vec![id]).into(),
        ),
        (
            told::manifested,
            "<Alt+X>",
            TrackCommand::LoadForStatus(vec![id]).into(),
        ),
    ];
    for (shared, key, command) in cases {
        assert_eq!(asked(open(shared()), key), [command], "{key}");
    }
    // The carrier has it, or never had it: there is nothing to cancel. What the token may not is not offered.
    for shared in [told::damaged, told::waiting, told::refused] {
        assert_eq!(asked(open(shared()), "<Alt+X>"), []);
    }
}

#[test]
fn a_failed_refresh_keeps_what_is_known_and_offers_another() {
    let mut harness = open(told::failed());
    assert!(harness.query_all_by_label("Kings Park Nursery").count() > 0);
    click(&mut harness, "Retry");
    assert!(harness.state().asked.contains(&PageCommand::Refresh.into()));
}

#[test]
fn the_code_is_drawn_and_reads_back() {
    for (theme, size, word) in [
        (ThemeChoice::Light, USUAL, "light"),
        (ThemeChoice::Dark, SMALL, "small-dark"),
    ] {
        let mut harness = open_in(told::tracking(), size, theme);
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
    let mut harness = open(shared);
    picture(&mut harness, "track-code-none");
    let said = harness.query_all_by_label_contains("No address for tracking pages is set");
    assert!(said.count() > 0);
    harness.get_by_role_and_label(crate::journeys::kit::Role::Button, "Settings");
}
