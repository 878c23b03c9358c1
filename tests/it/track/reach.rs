//! Track by keyboard: every offered action works wherever the focus is, and nothing takes the focus away
//! while the clerk types.

use std::sync::Arc;

use app::state::{
    Command, ConsignCommand, ConsignmentHistory, DispatchCommand, PageCommand, Remote, SaveRequest,
    Screen, TrackCommand, TrackPane,
};
use egui::Event;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shipping::ConsignmentId;

use super::list::{asked, list, open, row, serve, shared, to_the_table};
use super::page::told;
use crate::journeys::kit::{Role, focused};
use crate::journeys::screens::{self, Desk, data};
use crate::support::keyboard::{click, click_containing, keys, type_keys};

fn board() -> app::state::Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    data::board::put_into(&mut shared);
    shared
}

fn close() -> Command {
    TrackCommand::Close.into()
}

/// What was copied in the last frame.
fn copied(window: &Harness<'_, Desk>) -> Vec<String> {
    let commands = &window.output().platform_output.commands;
    let copied = commands.iter().filter_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    copied.collect()
}

#[test]
fn escape_puts_the_page_away_and_not_while_something_is_typed() {
    let mut window = screens::open(told::manifested());
    window.state_mut().asked.clear();
    type_keys(&mut window, "<Esc>");
    assert!(window.state().asked.contains(&close()));
    let mut window = screens::open(told::manifested());
    window.state_mut().asked.clear();
    type_keys(&mut window, "<Ctrl+F>tweed<Esc>");
    assert!(
        !window.state().asked.contains(&close()),
        "it was the field's"
    );
    type_keys(&mut window, "<Alt+X>");
    window.run();
    type_keys(&mut window, "<Esc>");
    assert!(
        !window.state().asked.contains(&close()),
        "it was the dialog's"
    );
}

#[test]
fn the_carriers_number_is_copied_by_key_on_the_page_and_in_the_dialog() {
    let mut window = screens::open(told::manifested());
    for event in keys("<Alt+Shift+N>") {
        window.event(event);
        window.step();
        if !copied(&window).is_empty() {
            break;
        }
    }
    assert_eq!(copied(&window), ["BGX198102001"]);
    let mut window = screens::open(told::manifested());
    type_keys(&mut window, "<Alt+X>");
    window.run();
    let reached = (0..8).any(|_| {
        type_keys(&mut window, "<Tab>");
        focused(&window).as_deref() == Some("Copy carrier con. number")
    });
    assert!(reached);
}

#[test]
fn what_the_table_alone_can_do_brings_the_table_up() {
    for key in ["<Ctrl+F>", "<Alt+V>", "<Alt+A>"] {
        let mut window = screens::open(board());
        window.state_mut().asked.clear();
        type_keys(&mut window, key);
        let table = TrackCommand::Show(TrackPane::Table);
        assert!(window.state().asked.contains(&table.into()), "{key}");
        window.state_mut().shared.track.pane = TrackPane::Table;
        window.run();
        if key != "<Alt+V>" {
            type_keys(&mut window, "tweed");
            let words = TrackCommand::FilterWords("tweed".to_owned());
            assert!(window.state().asked.contains(&words.into()), "{key}");
        }
    }
    // What is about rows is not offered where there are none.
    let mut window = screens::open(board());
    type_keys(&mut window, "<Ctrl+K>columns");
    window.run();
    assert_eq!(window.query_all_by_label_contains("Columns…").count(), 0);
}

#[test]
fn a_row_without_a_page_is_done_with_all_the_same() {
    let number = ConsignmentId::new(200_039);
    let label: Command = DispatchCommand::ShowLabel(number).into();
    let clone: Command = ConsignCommand::Clone(number).into();
    let files: Command = SaveRequest::Files(vec![number]).into();
    for (key, command) in [
        ("<Alt+L>", label),
        ("<Ctrl+Shift+N>", clone),
        ("<Ctrl+S>", files),
    ] {
        let mut window = open(shared(40));
        serve(&mut window);
        to_the_table(&mut window);
        window.state_mut().shared.track.page.open = None;
        window.run();
        type_keys(&mut window, key);
        assert!(window.state().asked.contains(&command), "{key}");
    }
    // The tracking page needs the page: that is opened first, and goes on once something is known of it.
    let mut window = open(shared(40));
    serve(&mut window);
    to_the_table(&mut window);
    asked(&mut window);
    type_keys(&mut window, "<Alt+P>");
    let before = asked(&mut window);
    assert!(before.contains(&TrackCommand::Open(number)), "{before:?}");
    let page = &mut window.state_mut().shared.track.page;
    page.open = Some(number);
    window.run();
    let shows = |all: &[TrackCommand]| {
        let tracking =
            |one: &TrackCommand| matches!(one, TrackCommand::Page(PageCommand::ShowTracking(_)));
        all.iter().any(tracking)
    };
    assert!(!shows(&asked(&mut window)));
    let (row, history) = (row(number.get()), Vec::new());
    let page = &mut window.state_mut().shared.track.page;
    page.history = Remote::ready(Some(ConsignmentHistory { row, history }));
    window.run();
    assert!(shows(&asked(&mut window)));
}

#[test]
fn a_status_is_offered_for_rows_that_can_have_it_only() {
    let weighs = |window: &mut super::list::Window| {
        let weigh = |one: &TrackCommand| matches!(one, TrackCommand::LoadForStatus(_));
        asked(window).iter().any(weigh)
    };
    // Nothing is there to be set.
    let mut window = open(shared(0));
    type_keys(&mut window, "<Alt+U>");
    assert!(!weighs(&mut window));
    let stand = |status: i64| {
        let mut shared = shared(0);
        let mut row = row(200_001);
        row.status.id = shipping::StatusId::new(status);
        shared.rows = Arc::new([(row.id, Arc::new(row))].into_iter().collect());
        shared.track.list = Remote::ready(list([200_001].into_iter()));
        let mut window = open(shared);
        to_the_table(&mut window);
        window
    };
    for (status, set, cancel) in [
        (2, false, false),
        (3, true, true),
        (10, false, false),
        (4, true, false),
    ] {
        let mut window = stand(status);
        type_keys(&mut window, "<Alt+U>");
        assert_eq!(weighs(&mut window), set, "set from {status}");
        let mut window = stand(status);
        type_keys(&mut window, "<Alt+X>");
        assert_eq!(weighs(&mut window), cancel, "cancel from {status}");
    }
}

#[test]
fn exceptions_that_come_late_leave_the_keys_to_the_scan() {
    let mut shared = board();
    let counted = std::mem::take(&mut shared.track.board);
    let mut window = screens::open(shared);
    type_keys(&mut window, "<F9>MS2000");
    window.state_mut().shared.track.board = counted;
    window.run();
    window.event(Event::Text("12".to_owned()));
    window.run();
    let values = window
        .get_all_by_role(Role::TextInput)
        .filter_map(|node| node.accesskit_node().value());
    assert!(values.into_iter().any(|value| value == "MS200012"));
}

#[test]
fn nothing_is_said_to_be_fetched_while_nothing_is() {
    let mut shared = shared(0);
    shared.track.mark = None;
    let mut window = open(shared);
    window.get_by_label("Not synced yet");
    asked(&mut window);
    click_containing(&mut window, "Refresh");
    assert_eq!(asked(&mut window), [TrackCommand::Sync { whole: false }]);
}

#[test]
fn what_was_found_has_a_pill_that_takes_it_away() {
    let mut shared = shared(20);
    shared.track.query.words = "MS200002".to_owned();
    shared.track.query.scope.days = 3_650;
    let mut window = open(shared);
    asked(&mut window);
    click(&mut window, "Remove Search: MS200002");
    assert!(asked(&mut window).contains(&TrackCommand::FilterWords(String::new())));
}

#[test]
fn enter_saves_the_hours() {
    let mut window = screens::open(board());
    window.state_mut().asked.clear();
    type_keys(&mut window, "<Alt+T>");
    window.run();
    type_keys(&mut window, "6<Enter>");
    window.run();
    let saved = |command: &Command| matches!(command, Command::Track(TrackCommand::SetThresholds(hours)) if hours.late_hours == 6);
    assert!(window.state().asked.iter().any(saved));
}

#[test]
fn a_reason_may_begin_with_a_digit() {
    let mut window = screens::open(told::manifested());
    type_keys(&mut window, "<Alt+X>");
    window.run();
    type_keys(&mut window, "2 pallets short");
    window.run();
    let reason = window.get_by_role_and_label(Role::TextInput, "Reason");
    let value = reason.accesskit_node().value();
    assert_eq!(value.as_deref(), Some("2 pallets short"));
}

#[test]
fn table_and_page_count_the_same_as_late() {
    let late = |hours: u16| {
        let mut shared = told::manifested();
        shared.track.thresholds.late_hours = hours;
        let row = shared.track.page.history.value().and_then(Option::as_ref);
        let mut row = row.expect("it is followed").row.clone();
        row.eta_at = Some(shared.now - jiff::SignedDuration::from_hours(3));
        let history = Vec::new();
        shared.track.page.consignment = Remote::default();
        shared.track.page.history = Remote::ready(Some(ConsignmentHistory { row, history }));
        let window = screens::open(shared);
        window.query_all_by_label_contains("3 h late").count() > 0
    };
    assert!(late(0));
    assert!(!late(6), "nobody is to look at it yet");
}
