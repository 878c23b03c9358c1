//! The dialogs that set statuses: keys, refusals at their fields, and pictures.

use std::sync::Arc;

use app::state::{Command, Remote, Shared, ThemeChoice, TrackCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shipping::{ConsignmentId, LocalTime, StatusId, StatusUpdate};

use super::super::page::told;
use super::update;
use crate::journeys::kit::{picture, picture_showing};
use crate::journeys::screens::{Desk, open, open_in};
use crate::support::keyboard::{hold_key, type_at_once, type_keys};

fn asks(key: &str, shared: Shared) -> Harness<'static, Desk> {
    let mut harness = open(shared);
    type_keys(&mut harness, key);
    harness.run();
    harness
}

/// Ctrl+Enter, held until it is meant.
fn hold(harness: &mut Harness<'_, Desk>) {
    hold_key(harness, "<Ctrl+Enter>", 80);
    harness.run();
}

fn shows(harness: &Harness<'_, Desk>, words: &str) -> bool {
    harness.query_all_by_label_contains(words).count() > 0
}

fn sent(harness: &Harness<'_, Desk>) -> Vec<StatusUpdate> {
    let asked = harness.state().asked.iter();
    let sent = asked.filter_map(|command| match command {
        Command::Track(TrackCommand::SetStatuses(updates)) => Some(updates.clone()),
        _ => None,
    });
    sent.flatten().collect()
}

#[test]
fn a_consignment_is_cancelled_by_three_keys_the_last_one_held() {
    let mut harness = asks("<Alt+X>", told::manifested());
    assert!(shows(&harness, "Bluegum isn't notified"));
    assert!(shows(&harness, "BGX198102001"));
    type_keys(&mut harness, "<Alt+1>");
    harness.run();
    picture(&mut harness, "track-cancel-light");
    hold(&mut harness);
    let cancelled = StatusUpdate {
        extra_information: Some("No longer needed".to_owned()),
        ..update(told::ID, StatusId::CANCELLED)
    };
    assert_eq!(sent(&harness), [cancelled]);
}

#[test]
fn nothing_is_cancelled_without_a_reason_or_by_a_short_press() {
    let mut harness = asks("<Alt+X>", told::manifested());
    hold(&mut harness);
    assert!(shows(&harness, "Enter a reason"));
    type_keys(&mut harness, "Wrong<Ctrl+Enter>");
    harness.run();
    assert_eq!(sent(&harness), []);
}

#[test]
fn a_status_is_set_with_its_time_and_the_future_is_refused_at_the_field() {
    let mut harness = asks("<Alt+U>", told::damaged());
    type_at_once(&mut harness, "deliv<Enter>");
    type_keys(&mut harness, "23:00");
    harness.run();
    let words = "That time is in the future: it is now Fri 20 Nov 14:05 there";
    assert!(shows(&harness, words));
    picture(&mut harness, "track-status-future-light");
    type_keys(&mut harness, "<Ctrl+Enter>");
    harness.run();
    assert_eq!(sent(&harness), []);
    type_keys(&mut harness, "<Ctrl+A>thu 9:30");
    harness.run();
    assert!(shows(&harness, "Thu 19 Nov 09:30 AEDT"));
    type_keys(&mut harness, "<Ctrl+Enter>");
    harness.run();
    let set = StatusUpdate {
        status_date_time_local: LocalTime::read("2026-11-19T09:30:00").ok(),
        ..update(told::ID, StatusId::new(17))
    };
    assert_eq!(sent(&harness), [set]);
}

#[test]
fn the_dialogs_are_drawn_dark_and_small() {
    for (key, name, text) in [
        ("<Alt+X>", "cancel", "Bluegum isn't notified"),
        ("<Alt+U>", "status", "Set a status"),
    ] {
        let mut harness = open_in(told::manifested(), [1024.0, 700.0], ThemeChoice::Dark);
        type_keys(&mut harness, key);
        harness.run();
        picture_showing(&mut harness, &format!("track-{name}-small-dark"), &[text]);
    }
}

#[test]
fn of_many_it_is_said_which_are_left_out_and_why() {
    let mut shared = told::manifested();
    let row = { shared.track.page.history.value() }.and_then(Option::as_ref);
    let row = row.expect("it is followed").row.clone();
    let like = |id: i64, status: i64| {
        let mut row = row.clone();
        row.id = ConsignmentId::new(id);
        row.number = format!("MS{id}");
        row.carrier_number = format!("BGX{id}001");
        row.status.id = StatusId::new(status);
        Arc::new(row)
    };
    let rows = vec![
        like(198_106, 5),
        like(198_105, 3),
        like(198_104, 10),
        like(198_103, 3),
    ];
    let ids: Arc<[ConsignmentId]> = rows.iter().map(|row| row.id).collect();
    shared.rows = Arc::new(rows.iter().map(|row| (row.id, Arc::clone(row))).collect());
    shared.track.list = Remote::ready(app::state::TrackList {
        ids,
        ..app::state::TrackList::default()
    });
    shared.track.status_rows = Remote::ready(rows);
    let mut harness = open(shared);
    // Into the rows, and all of them ticked.
    type_keys(&mut harness, "<Ctrl+F><Tab><Ctrl+A>");
    harness.run();
    type_keys(&mut harness, "<Alt+X>");
    harness.run();
    type_keys(&mut harness, "<Alt+4>");
    harness.run();
    picture(&mut harness, "track-cancel-many-light");
    assert!(shows(&harness, "Consignments that will be skipped: 2"));
    assert!(shows(&harness, "MS198104: already cancelled"));
    hold(&mut harness);
    let ids: Vec<_> = sent(&harness)
        .iter()
        .map(|one| one.consignment_id.get())
        .collect();
    assert_eq!(ids, [198_105, 198_103], "newest first, as listed");
}
