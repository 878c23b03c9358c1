//! The board by keyboard alone: the worst exception is visible at once, its proof is one key away, and Tab
//! reaches every number.

use std::collections::BTreeSet;

use app::state::{
    Command, CompanyFilter, ConsignmentHistory, ConsignmentRow, FilesCommand, Remote, Screen,
    ThemeChoice, Thresholds, TrackCommand,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::json;
use shipping::{Attachment, CompanyId, ConsignmentId};

use super::looks::busy;
use crate::journeys::kit::{Role, focused, picture};
use crate::journeys::screens::{Desk, data, open_in};
use crate::support::keyboard::{click, type_keys};

type Window = Harness<'static, Desk>;

fn window() -> Window {
    let size = [1440.0, 900.0];
    open_in(busy(), size, ThemeChoice::Light)
}

fn asked(window: &mut Window) -> Vec<TrackCommand> {
    let asked = std::mem::take(&mut window.state_mut().asked);
    let on_track = |command| match command {
        Command::Track(command) => Some(command),
        _ => None,
    };
    asked.into_iter().filter_map(on_track).collect()
}

fn open_on_consign() -> Harness<'static, Desk> {
    let mut shared = busy();
    shared.screen = Screen::Consign;
    open_in(shared, [1440.0, 900.0], ThemeChoice::Light)
}

const WORST: ConsignmentId = ConsignmentId::new(200_102);

#[test]
fn one_key_shows_the_worst_and_one_more_its_proof() {
    let mut window = open_on_consign();
    type_keys(&mut window, "<F5>");
    assert!(window.state().asked.contains(&Command::Show(Screen::Track)));
    window.state_mut().shared.screen = Screen::Track;
    window.run();
    assert!(asked(&mut window).contains(&TrackCommand::Open(WORST)));
    // As the program does it: its page is open, and its files are listed.
    let file = json!({ "id": 71, "fileName": "POD.pdf", "consignmentId": WORST.get() });
    let file: Attachment = serde_json::from_value(file).expect("a file");
    let id = file.id;
    let shared = &mut window.state_mut().shared;
    let row = ConsignmentRow::clone(&shared.rows[&WORST]);
    let history = Vec::new();
    let page = &mut shared.track.page;
    page.open = Some(WORST);
    page.history = Remote::ready(Some(ConsignmentHistory { row, history }));
    page.files = Remote::ready(vec![file]);
    window.run();
    type_keys(&mut window, "<Enter>");
    let proof = TrackCommand::Files(FilesCommand::ShowFile(id));
    assert!(asked(&mut window).contains(&proof));
}

#[test]
fn the_page_follows_the_cursor() {
    let mut window = window();
    asked(&mut window);
    window.state_mut().shared.track.page.open = Some(WORST);
    type_keys(&mut window, "<Down>");
    let next = TrackCommand::Open(ConsignmentId::new(200_091));
    assert!(asked(&mut window).contains(&next));
}

#[test]
fn every_number_is_reached_by_tab_named_and_opened_by_enter() {
    let mut window = window();
    let (mut opened, mut unnamed) = (BTreeSet::new(), Vec::new());
    for _ in 0..150 {
        type_keys(&mut window, "<Tab>");
        let name = focused(&window).unwrap_or_default();
        // The menu of periods contains numbers but is no drill-down.
        let counts = name.contains(|c: char| c.is_ascii_digit()) && !name.starts_with("Period");
        if !counts {
            continue;
        }
        asked(&mut window);
        type_keys(&mut window, "<Enter>");
        for command in asked(&mut window) {
            let TrackCommand::DrillDown(door) = command else {
                continue;
            };
            opened.insert(format!("{door:?}"));
            let known = data::board::doors();
            if let Some((_, count)) = known.iter().find(|(known, _)| *known == door) {
                let digits = name.replace(',', "");
                if !digits.contains(&count.to_string()) {
                    unnamed.push((name.clone(), door));
                }
            }
        }
    }
    assert_eq!(unnamed, [], "names say their number");
    let missing: Vec<_> = data::board::doors()
        .into_iter()
        .filter(|(door, _)| !opened.contains(&format!("{door:?}")))
        .collect();
    assert_eq!(missing, [], "each number is a door");
}

fn type_late_hours(window: &mut Window, hours: &str) {
    let field = window.get_by_role_and_label(Role::TextInput, "Late after the ETA");
    field.focus();
    window.run();
    window.event(egui::Event::Text(hours.to_owned()));
    window.run();
}

#[test]
fn thresholds_are_typed_with_what_is_wrong_at_the_field() {
    let mut window = window();
    asked(&mut window);
    type_keys(&mut window, "<Alt+T>");
    for wrong in ["1000", "99999999", "1,5", "1.5", "-1", "+1", " ", "two"] {
        type_late_hours(&mut window, wrong);
        window.get_by_label("A whole number of hours from 0 to 999");
        click(&mut window, "Save");
        assert!(asked(&mut window).is_empty(), "{wrong:?} is not taken");
        type_keys(&mut window, "<Ctrl+A>");
    }
    type_late_hours(&mut window, "6");
    click(&mut window, "Save");
    let late = Thresholds {
        late_hours: 6,
        ..Thresholds::default()
    };
    assert_eq!(asked(&mut window), [TrackCommand::SetThresholds(late)]);
}

#[test]
fn the_smallest_part_of_a_bar_is_seen() {
    let window = window();
    let parts = window.query_all_by_label("Southern Cross: 36 failed");
    let widths: Vec<f32> = parts.map(|part| part.rect().width()).collect();
    assert_eq!(widths.len(), 2, "the part and its number");
    assert!(widths.iter().all(|width| *width >= 5.0), "{widths:?}");
}

#[test]
fn what_is_new_is_told_on_every_screen_and_leads_to_the_board() {
    let mut window = open_on_consign();
    window.get_by_label("Track, 2 new exceptions");
    click(&mut window, "2 new exceptions");
    let asked = &window.state().asked;
    assert!(asked.contains(&Command::Show(Screen::Track)), "{asked:?}");
}

#[test]
fn the_board_is_still_while_nothing_happens() {
    let mut window = window();
    // Runs until nothing more is asked for, and fails where that never comes.
    window.run();
    let before = window.ctx.cumulative_frame_nr();
    window.run();
    assert!(window.ctx.cumulative_frame_nr() - before <= 2);
}

#[test]
fn one_company_is_looked_at_by_its_menu() {
    let mut window = window();
    type_keys(&mut window, "<Alt+5>");
    window.run();
    for name in ["All companies", "Harbour Supplies", "Harbour Rural"] {
        let lines = window.query_all_by_label_contains(name);
        assert!(lines.count() > 0, "{name} is not in the menu");
    }
    picture(&mut window, "board-companies");
    for _ in 0..2 {
        type_keys(&mut window, "<Down>");
    }
    asked(&mut window);
    type_keys(&mut window, "<Enter>");
    let rural = CompanyFilter::One(CompanyId::new(2));
    assert_eq!(asked(&mut window), [TrackCommand::Companies(rural)]);
    window.state_mut().shared.track.companies = rural;
    window.run();
    window.get_by_label("Company: Harbour Rural");
}
