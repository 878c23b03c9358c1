//! Pictures of Track's table, for a person to look at.

use app::state::{DrillDown, Remote, Shared, ThemeChoice};
use shipping::{CarrierId, Company, StatusId};

use super::list::{Window, list, needed, serve, shared, sized, to_the_table};
use crate::journeys::kit::picture_showing;
use crate::support::keyboard::{type_at_once, type_keys};

const NARROW: [f32; 2] = [1024.0, 700.0];
const WIDE: [f32; 2] = [1440.0, 900.0];
const LARGE: [f32; 2] = [1920.0, 1080.0];

fn busy() -> Shared {
    let mut shared = shared(100_000);
    shared.track.query.drill_down = DrillDown::Status(StatusId::IN_TRANSIT);
    shared.track.query.scope.carrier = Some(CarrierId::new(2));
    let companies: Vec<Company> = serde_json::from_value(serde_json::json!([
        {"id": 1, "name": "Harbour Supplies", "displayName": "Harbour Supplies"},
        {"id": 2, "name": "Kauri Trading", "displayName": "Kauri Trading"},
    ]))
    .expect("companies");
    shared.catalogue.companies = Remote::ready(companies);
    shared
}

fn worked(shared: Shared, size: [f32; 2], theme: ThemeChoice) -> Window {
    let mut window = sized(shared, size, theme);
    serve(&mut window);
    to_the_table(&mut window);
    type_at_once(&mut window, "<Space><Down><Space>");
    type_at_once(&mut window, "<Down*2><Right>");
    window
}

#[test]
fn the_table_is_drawn_in_both_themes_and_at_every_size() {
    for (theme, word) in [(ThemeChoice::Light, "light"), (ThemeChoice::Dark, "dark")] {
        for (size, of) in [(NARROW, "narrow"), (WIDE, "wide")] {
            let mut window = worked(busy(), size, theme);
            picture_showing(
                &mut window,
                &format!("track-table-{of}-{word}"),
                &["100,000 rows, 2 ticked", "Remove Status: In Transit"],
            );
        }
    }
    let mut window = worked(busy(), LARGE, ThemeChoice::Light);
    picture_showing(
        &mut window,
        "track-table-large-light",
        &["100,000 rows, 2 ticked"],
    );
    type_keys(&mut window, "<Shift+F10>");
    picture_showing(&mut window, "track-table-menu-light", &["Copy"]);
}

#[test]
fn rows_that_are_not_read_yet_have_their_lines() {
    for (theme, word) in [(ThemeChoice::Light, "light"), (ThemeChoice::Dark, "dark")] {
        let mut window = sized(shared(1_000_000), WIDE, theme);
        assert!(!needed(&mut window).is_empty());
        picture_showing(
            &mut window,
            &format!("track-table-placeholders-{word}"),
            &["1,000,000 rows"],
        );
    }
}

#[test]
fn each_empty_state_says_what_to_do() {
    let empty = |words: &str, door: DrillDown| {
        let mut shared = shared(0);
        shared.track.query.words = words.to_owned();
        shared.track.query.drill_down = door;
        let mut nothing = list(std::iter::empty());
        nothing.query.words = words.to_owned();
        shared.track.list = Remote::ready(nothing);
        shared
    };
    for (name, words, door, text) in [
        ("words", "SO-4711", DrillDown::All, "No match for"),
        (
            "words-door",
            "SO-4711",
            DrillDown::WentWrong,
            "No match for",
        ),
        (
            "door",
            "",
            DrillDown::DueToday,
            "No results. Remove the filters above",
        ),
        (
            "first",
            "",
            DrillDown::All,
            "Rows appear after the first sync",
        ),
    ] {
        let mut window = sized(empty(words, door), NARROW, ThemeChoice::Light);
        picture_showing(&mut window, &format!("track-table-empty-{name}"), &[text]);
    }
    let mut unread = shared(0);
    unread.track.list = Remote::default();
    let mut window = sized(unread, NARROW, ThemeChoice::Dark);
    picture_showing(
        &mut window,
        "track-table-unread",
        &["Loading the consignments stored on this bench"],
    );
}
