//! Track's table: a list of any length requests only the visible rows, and keeps ticks and cursor through
//! every change.

use app::state::{
    Command, DrillDown, ListField, ListOrder, Metric, Remote, TrackCommand, TrackList, ViewedList,
};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shipping::{CarrierId, ConsignmentId, StatusId};

use super::list::{
    FIRST, Window, asked, at_the_table, list, needed, open, row, serve, shared, to_the_table,
};
use crate::journeys::kit::Role;
use crate::support::keyboard::{
    burst, click, click_containing, type_and_see, type_at_once, type_keys,
};
use crate::support::lists::{assert_third_row_stays, third_row};

const MANY: i64 = 100_000;

fn id(id: i64) -> ConsignmentId {
    ConsignmentId::new(id)
}

fn give(window: &mut Window, list: TrackList) {
    window.state_mut().shared.track.list = Remote::ready(list);
    window.run();
}

#[test]
fn only_rows_in_sight_or_near_are_asked_for_and_once() {
    let mut window = open(shared(MANY));
    let first = needed(&mut window);
    assert_eq!(first[0], FIRST + MANY - 1);
    assert!((30..=512).contains(&first.len()), "{}", first.len());
    window.run_steps(3);
    assert_eq!(needed(&mut window), [0; 0], "they are on their way");
    window.get_by_label("100,000 rows");
    window.get_by_label("MS299999, loading");
    to_the_table(&mut window);
    asked(&mut window);
    type_keys(&mut window, "<End>");
    window.run_steps(12);
    let last = needed(&mut window);
    assert_eq!(last.last(), Some(&FIRST));
    assert!(last.len() <= 512, "{}", last.len());
}

#[test]
fn rows_that_come_take_their_lines_and_nothing_jumps() {
    let mut window = open(shared(MANY));
    let place = |window: &Window, name: &str| window.get_by_label_contains(name).rect();
    let before = place(&window, "MS299997, loading");
    assert!(serve(&mut window) > 0);
    let there = row(299_997);
    let after = place(&window, &format!("MS299997 {}", there.to));
    assert_eq!(before, after);
    assert_eq!(needed(&mut window), [0; 0]);
}

#[test]
fn a_row_under_the_cursor_has_its_page_opened_once() {
    let mut window = open(shared(MANY));
    serve(&mut window);
    to_the_table(&mut window);
    let opens = |window: &mut Window| -> Vec<i64> {
        let asked = asked(window).into_iter();
        let opened = asked.filter_map(|command| match command {
            TrackCommand::Open(id) => Some(id.get()),
            _ => None,
        });
        opened.collect()
    };
    opens(&mut window);
    type_keys(&mut window, "<Down*2>");
    assert_eq!(opens(&mut window), [299_998, 299_997]);
    window.run_steps(3);
    assert_eq!(opens(&mut window), [0; 0]);
}

#[test]
fn ticks_and_cursor_survive_order_words_and_refresh_and_the_hidden_are_counted() {
    let mut window = at_the_table(MANY);
    type_at_once(&mut window, "<Space><Shift+Down*2>");
    window.get_by_label("100,000 rows, 3 ticked");
    // In no order that could be halved, with one more on top.
    let mixed = (FIRST..=FIRST + MANY).map(|at| FIRST + (at * 7_919) % (MANY + 1));
    let by_name = TrackList {
        query: app::state::TrackQuery {
            order: ListOrder {
                column: ListField::To,
                descending: false,
            },
            ..Default::default()
        },
        ..list(mixed)
    };
    give(&mut window, by_name);
    window.get_by_label("100,001 rows, 3 ticked");
    give(&mut window, list([299_999, 299_990].into_iter()));
    window.get_by_label("2 rows, 3 ticked, 2 hidden");
    give(&mut window, list((FIRST..FIRST + MANY).rev()));
    type_and_see(&mut window, "<Shift+Down>", "100,000 rows, 4 ticked");
}

#[test]
fn all_are_ticked_by_a_key_and_another_door_begins_anew() {
    let mut window = at_the_table(MANY);
    type_and_see(&mut window, "<Ctrl+A>", "100,000 rows, 100,000 ticked");
    type_and_see(&mut window, "<Ctrl+A>", "100,000 rows");
    type_and_see(&mut window, "<Space>", "100,000 rows, 1 ticked");
    window.state_mut().shared.track.query.drill_down = DrillDown::WentWrong;
    window.run();
    window.get_by_label("100,000 rows");
}

#[test]
fn what_is_in_sight_stays_there_while_others_arrive() {
    let mut window = at_the_table(5_000);
    type_at_once(&mut window, "<End><PageUp>");
    type_keys(&mut window, "<PageUp>");
    window.run_steps(12);
    let before = third_row(&window);
    give(&mut window, list((FIRST..FIRST + 5_003).rev()));
    assert_third_row_stays(&mut window, &before);
}

#[test]
fn words_and_order_are_the_stores_to_follow() {
    let mut window = open(shared(20));
    type_keys(&mut window, "<Ctrl+F>tweed");
    let words: Vec<_> = asked(&mut window)
        .into_iter()
        .filter(|one| matches!(one, TrackCommand::FilterWords(_)))
        .collect();
    assert_eq!(
        words.last(),
        Some(&TrackCommand::FilterWords("tweed".to_owned()))
    );
    type_keys(&mut window, "<Enter>");
    asked(&mut window);
    // The third column is the receiver.
    type_at_once(&mut window, "<Right*3>");
    type_keys(&mut window, "<Alt+Down>");
    let by_receiver = TrackCommand::Order(ListOrder {
        column: ListField::To,
        descending: true,
    });
    assert!(asked(&mut window).contains(&by_receiver));
    // What a scan or the board asked for is in the filter.
    window.state_mut().shared.track.query.words = "MS200007".to_owned();
    window.run();
    let shown = window.get_by_role_and_label(Role::TextInput, "Filter");
    assert_eq!(shown.accesskit_node().value().as_deref(), Some("MS200007"));
    assert_eq!(asked(&mut window), [], "it is not asked for again");
}

#[test]
fn pills_say_what_narrows_the_rows_and_go_by_mouse_and_by_key() {
    let mut shared = shared(20);
    let door = DrillDown::Status(StatusId::IN_TRANSIT);
    shared.track.query.drill_down = door;
    shared.track.query.scope.carrier = Some(CarrierId::new(3));
    let board = app::state::Board {
        by_carrier: vec![Metric {
            name: "Bluegum".to_owned(),
            drill_down: DrillDown::Carrier(Some(CarrierId::new(3))),
            count: 20,
        }],
        ..Default::default()
    };
    shared.track.board = Remote::ready(std::sync::Arc::new(board));
    let mut window = open(shared);
    asked(&mut window);
    click(&mut window, "Remove Carrier: Bluegum");
    assert_eq!(asked(&mut window), [TrackCommand::Carrier(None)]);
    type_keys(&mut window, "<Ctrl+F><Backspace>");
    assert_eq!(asked(&mut window), [TrackCommand::ClearDrillDown]);
    // With something typed the key is the field's.
    type_keys(&mut window, "ab<Backspace>");
    assert!(!asked(&mut window).contains(&TrackCommand::ClearDrillDown));
    window.get_by_label("Remove Status: In Transit");
}

#[test]
fn nothing_found_leads_to_the_service_by_enter() {
    let mut shared = shared(0);
    shared.track.query.words = "SO-77".to_owned();
    let mut nothing = list(std::iter::empty());
    nothing.query.words = "SO-77".to_owned();
    shared.track.list = Remote::ready(nothing);
    let mut window = open(shared);
    window.get_by_label("Not on this bench");
    asked(&mut window);
    type_keys(&mut window, "<Ctrl+F><Enter>");
    let ask = TrackCommand::AskService("SO-77".to_owned());
    assert_eq!(asked(&mut window), std::slice::from_ref(&ask));
    click_containing(&mut window, "Ask the service");
    assert_eq!(asked(&mut window), [ask]);
    window.state_mut().shared.search.searching_for = Some("SO-77".to_owned());
    window.run();
    window.get_by_label("Loading…");
}

#[test]
fn a_cell_and_rows_are_copied_and_what_waits_leads_to_dispatch() {
    let mut window = open(shared(40));
    serve(&mut window);
    to_the_table(&mut window);
    burst(&mut window, vec![egui::Event::Copy]);
    window.get_by_label("Number copied");
    asked(&mut window);
    type_at_once(&mut window, "<Space><Shift+Down>");
    type_keys(&mut window, "<Ctrl+Shift+C>");
    let ids = vec![id(200_039), id(200_038)];
    let asked_for = std::mem::take(&mut window.state_mut().asked);
    assert!(asked_for.contains(&app::state::ListCommand::CopyRows(ids.clone()).into()));
    let rows = ids
        .iter()
        .map(|id| std::sync::Arc::new(row(id.get())))
        .collect();
    let copies = app::state::RowsToCopy { of: ids, rows };
    window.state_mut().shared.to_copy = Some(std::sync::Arc::new(copies));
    window.run();
    window.get_by_label("2 rows copied");
    // 200,037 waits for its manifest: its menu leads to where it is grouped.
    type_at_once(&mut window, "<Down><Shift+F10>");
    assert_eq!(row(200_037).status.id, StatusId::UNMANIFESTED);
    std::mem::take(&mut window.state_mut().asked);
    type_keys(&mut window, "<Enter>");
    let reveal = app::state::DispatchCommand::Reveal(id(200_037));
    let asked = std::mem::take(&mut window.state_mut().asked);
    assert!(asked.contains(&Command::Dispatch(reveal)), "{asked:?}");
}

#[test]
fn columns_and_views_are_the_tables_own() {
    let mut window = at_the_table(20);
    type_at_once(&mut window, "<Right><Alt+Right>");
    window.run_steps(8);
    let all = std::mem::take(&mut window.state_mut().asked);
    let kept = all.into_iter().rev().find_map(|command| match command {
        Command::Dispatch(app::state::DispatchCommand::SaveView(view)) => Some(view),
        _ => None,
    });
    let kept = kept.expect("how the table is left");
    let words: Vec<_> = kept.columns.iter().map(|col| col.column.as_str()).collect();
    assert_eq!(
        (kept.list, words[0], words[1]),
        (ViewedList::Track, "status", "number")
    );
}

#[test]
fn other_words_begin_at_the_top_unless_the_clerk_is_at_one_of_their_rows() {
    let mut window = at_the_table(5_000);
    type_keys(&mut window, "<End>");
    window.run_steps(12);
    let holding = |words: &str, ids: std::ops::Range<i64>| {
        let mut rows = list(ids.rev());
        rows.query.words = words.to_owned();
        rows
    };
    give(&mut window, holding("ball", FIRST + 4_000..FIRST + 5_000));
    window.run_steps(12);
    window.get_by_label("MS204999, loading");
    give(&mut window, holding("bal", FIRST..FIRST + 5_000));
    window.run_steps(12);
    window.get_by_label("MS200000, loading");
}
