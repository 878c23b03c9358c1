//! The list is updated incrementally and still ends up correct, whatever others do at any time and whatever
//! their clocks say.

use std::collections::BTreeSet;
use std::time::Duration;

use app::state::{ConsignmentRow, DispatchCommand, Screen};
use client::RecentUpdates;
use jiff::{SignedDuration, Timestamp};
use shipping::ConsignmentId;

use super::depot::{Depot, waiting};
use super::support::listed;
use crate::support::desk::{Desk, Home, NOW};

const RECENT: &str = "getRecently";
const MINUTE: Duration = Duration::from_secs(61);

fn now() -> Timestamp {
    NOW.parse().expect("a moment")
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

/// A bench that has read the whole list and shows it.
fn open(home: &Home, depot: &Depot) -> Desk {
    let mut desk = home.open(&depot.service());
    listed(&mut desk);
    desk.ask(app::state::Command::Show(Screen::Dispatch));
    desk.turn();
    listed(&mut desk);
    depot.count("");
    desk
}

/// What the list says a minute later.
fn a_minute_later(desk: &mut Desk) -> Vec<ConsignmentId> {
    desk.pass(MINUTE);
    listed(desk)
}

fn row(desk: &mut Desk, id: i64) -> ConsignmentRow {
    desk.row(ConsignmentId::new(id))
}

#[test]
fn a_difference_finds_what_came_what_changed_and_what_went() {
    let home = Home::new();
    let depot = Depot::holding(600, now());
    let mut desk = open(&home, &depot);
    assert_eq!(listed(&mut desk).len(), 600);
    depot.change(601, |_| ());
    depot.change(7, |row| row.to = "Somebody else".to_owned());
    depot.change(8, |row| row.status = 3);
    depot.inside().rows.remove(&9);
    let old = now() - hours(24 * 12);
    depot.inside().rows.insert(602, waiting(602, old));
    let after = a_minute_later(&mut desk);
    assert_eq!(after, depot.waiting());
    assert_eq!(row(&mut desk, 7).to, "Somebody else");
    assert_eq!(depot.count(RECENT), 1, "one page, and not the whole list");
    // Where nothing differs, it is the same list.
    let list = desk.core.shared.dispatch.unmanifested.value().expect("one");
    let before = std::sync::Arc::clone(list);
    a_minute_later(&mut desk);
    let list = desk.core.shared.dispatch.unmanifested.value().expect("one");
    assert!(std::sync::Arc::ptr_eq(list, &before));
}

#[test]
fn a_few_that_wait_among_many_that_went_are_asked_for_by_their_ids() {
    let home = Home::new();
    let depot = Depot::holding(1_200, now());
    for row in depot.inside().rows.values_mut().take(1_100) {
        row.status = 3;
    }
    let mut desk = open(&home, &depot);
    assert_eq!(listed(&mut desk).len(), 100);
    desk.ask(DispatchCommand::Refresh);
    desk.turn();
    listed(&mut desk);
    assert!(depot.count(RECENT) > 1, "the whole list has pages");
    // Without a change of status, and gone.
    if let Some(row) = depot.inside().rows.get_mut(&1_150) {
        row.to = "Somebody else".to_owned();
    }
    depot.inside().rows.remove(&1_151);
    depot.change(1_201, |_| ());
    assert_eq!(a_minute_later(&mut desk), depot.waiting());
    assert_eq!(&*row(&mut desk, 1_150).to, "Somebody else");
    assert_eq!(depot.count(RECENT), 1, "one page, and not ten days of them");
}

#[test]
fn a_change_that_was_read_by_a_sync_that_nobody_waited_for_is_shown() {
    let home = Home::new();
    let depot = Depot::holding(450, now());
    let mut desk = open(&home, &depot);
    for turn in 0..5 {
        let receiver = format!("Receiver of turn {turn}");
        depot.change(7, |row| row.to.clone_from(&receiver));
        // A sync of changes, which gives way to a full one.
        desk.ask(app::state::Command::Show(Screen::Dispatch));
        desk.turn();
        desk.ask(DispatchCommand::Refresh);
        desk.turn();
        listed(&mut desk);
        assert_eq!(*row(&mut desk, 7).to, *receiver);
    }
}

#[test]
fn a_new_consignment_that_another_bench_deleted_at_once_leaves_the_list() {
    let home = Home::new();
    let depot = Depot::holding(3, now());
    let mut desk = open(&home, &depot);
    depot.change(4, |_| ());
    assert_eq!(a_minute_later(&mut desk), depot.waiting());
    depot.inside().rows.remove(&4);
    assert_eq!(a_minute_later(&mut desk).len(), 3);
}

#[test]
fn a_service_that_does_not_group_is_listed_all_the_same() {
    use axum::http::StatusCode;
    for status in [StatusCode::FORBIDDEN, StatusCode::INTERNAL_SERVER_ERROR] {
        let home = Home::new();
        let depot = Depot::holding(450, now());
        depot.inside().no_groups = Some(status);
        let mut desk = open(&home, &depot);
        assert_eq!(listed(&mut desk), depot.waiting(), "{status}");
        depot.change(451, |_| ());
        depot.change(8, |row| row.status = 3);
        assert_eq!(a_minute_later(&mut desk), depot.waiting(), "{status}");
    }
    // Away, it says nothing: the list is as it was.
    let home = Home::new();
    let depot = Depot::holding(3, now());
    let mut desk = open(&home, &depot);
    depot.inside().no_groups = Some(StatusCode::UNAUTHORIZED);
    a_minute_later(&mut desk);
    let list = &desk.core.shared.dispatch.unmanifested;
    assert!(list.problem().is_some() && list.value().is_some());
}

#[test]
fn what_has_waited_for_longer_than_the_service_lists_is_there() {
    let home = Home::new();
    let depot = Depot::holding(450, now());
    let old = now() - hours(24 * 30);
    for id in 1..=120 {
        depot.inside().rows.insert(id, waiting(id, old));
    }
    let mut desk = open(&home, &depot);
    assert_eq!(listed(&mut desk), depot.waiting());
    assert_eq!(&*row(&mut desk, 1).to, "Receiver 1");
    assert_eq!(a_minute_later(&mut desk), depot.waiting());
}

#[test]
fn rows_that_move_up_while_the_pages_are_read_are_not_missed() {
    for taken in [3, 150] {
        let home = Home::new();
        let depot = Depot::holding(1_000, now());
        depot.on_page(move |inside, start| {
            // Behind the first page, so that all others move up.
            if start > 1 {
                for id in 1..=taken {
                    inside.rows.remove(&id);
                }
            }
        });
        let mut desk = open(&home, &depot);
        assert_eq!(listed(&mut desk), depot.waiting(), "{taken} were taken");
    }
}

#[test]
fn however_many_leave_between_two_pages_the_rest_is_read() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    for (taken, nth) in [10, 60, 111, 150, 400]
        .map(|taken| [(taken, 2), (taken, 4)])
        .concat()
    {
        let depot = Depot::holding(1_000, now());
        let mut asked = 0;
        depot.on_page(move |inside, _| {
            asked += 1;
            if asked == nth {
                inside.rows.retain(|id, _| *id > taken);
            }
        });
        let updates = RecentUpdates::since(now() - hours(100));
        let rows = runtime.block_on(depot.client().recently_updated(&updates));
        let rows = rows.unwrap_or_else(|failure| panic!("{taken} before page {nth}: {failure}"));
        let read: Vec<_> = rows.iter().map(|row| row.id).collect();
        let once: BTreeSet<_> = read.iter().copied().collect();
        assert_eq!(once.len(), read.len(), "each once");
        let missed: Vec<_> = { depot.waiting().into_iter() }
            .filter(|id| !once.contains(id))
            .collect();
        assert!(missed.is_empty(), "{taken} before page {nth}: {missed:?}");
    }
}

#[test]
fn a_service_whose_clock_is_hours_off_is_followed_all_the_same() {
    for off in [-6, 6] {
        let home = Home::new();
        let there = now() + hours(off);
        let depot = Depot::holding(500, there);
        let mut desk = open(&home, &depot);
        assert_eq!(listed(&mut desk), depot.waiting(), "{off} hours");
        depot.inside().now = there + SignedDuration::from_mins(2);
        depot.change(501, |_| ());
        depot.change(7, |row| row.to = "Somebody else".to_owned());
        depot.change(8, |row| row.status = 3);
        assert_eq!(a_minute_later(&mut desk), depot.waiting(), "{off} hours");
        assert_eq!(&*row(&mut desk, 7).to, "Somebody else", "{off} hours");
    }
}

#[test]
fn a_service_with_a_list_of_its_own_is_asked_for_that() {
    for has_list in [true, false] {
        let home = Home::new();
        let depot = Depot::holding(450, now() - hours(24 * 20));
        {
            let mut inside = depot.inside();
            inside.now = now();
            inside.has_list = has_list;
            inside.rows.insert(451, waiting(451, now()));
        }
        let mut service = depot.service();
        service.compatibility.optional.unmanifested_list = true;
        let mut desk = home.open(&service);
        assert_eq!(listed(&mut desk), depot.waiting());
        let company = desk.core.shared.session.company;
        assert!(company.is_some());
        depot.inside().rows.remove(&5);
        depot.change(6, |row| row.status = 3);
        depot.count("");
        desk.ask(DispatchCommand::Refresh);
        desk.turn();
        assert_eq!(listed(&mut desk), depot.waiting());
        assert_eq!(depot.count(RECENT) == 0, has_list);
    }
}

#[test]
fn nobody_is_asked_while_nobody_looks() {
    let home = Home::new();
    let depot = Depot::holding(3, now());
    let mut desk = open(&home, &depot);
    for (what, screen, hidden, asks) in [
        ("Dispatch", Screen::Dispatch, false, true),
        ("Labels", Screen::Labels, false, true),
        ("Consign", Screen::Consign, false, false),
        ("a hidden window", Screen::Dispatch, true, false),
    ] {
        desk.core.shared.screen = screen;
        desk.core.hide(hidden);
        depot.count("");
        a_minute_later(&mut desk);
        assert_eq!(depot.count(RECENT) > 0, asks, "{what}");
    }
    // Seen again, it is looked at at once.
    desk.core.hide(false);
    desk.pass(MINUTE);
    listed(&mut desk);
    desk.core.hide(true);
    desk.pass(MINUTE * 5);
    listed(&mut desk);
    depot.count("");
    desk.core.hide(false);
    desk.turn();
    listed(&mut desk);
    assert!(depot.count(RECENT) > 0);
}

#[test]
fn the_list_that_was_kept_is_whole_and_is_shown_at_once_at_the_next_start() {
    let home = Home::new();
    let depot = Depot::holding(700, now());
    let mut desk = open(&home, &depot);
    let rows = |desk: &mut Desk| -> Vec<ConsignmentRow> {
        let list = desk.core.shared.dispatch.unmanifested.value();
        let list = list.expect("a list").to_vec();
        list.into_iter().map(|id| desk.row(id)).collect()
    };
    let before = rows(&mut desk);
    desk.core.close(home.runtime.handle());
    let service = depot.service();
    drop(depot);
    home.clock.advance(hours(2));
    let mut desk = home.open(&service);
    desk.until("the list", |core| {
        core.shared.dispatch.unmanifested.value().map(drop)
    });
    assert_eq!(rows(&mut desk), before);
    assert_eq!(desk.core.shared.dispatch.unmanifested_at, Some(now()));
}

#[test]
fn the_list_is_in_the_store_and_the_journal_holds_none() {
    let home = Home::new();
    let depot = Depot::holding(500, now());
    let mut desk = open(&home, &depot);
    depot.change(7, |row| row.to = "Somebody else".to_owned());
    depot.change(8, |row| row.status = 3);
    a_minute_later(&mut desk);
    desk.core.close(home.runtime.handle());
    let journal = home.places.journal("practice");
    let store = storage::TrackStore::open(&storage::TrackStore::beside(&journal));
    let store = store.expect("a store").reader().expect("a reader");
    let ids = [7, 8].map(ConsignmentId::new);
    let rows = store.rows(&ids).expect("rows");
    let rows: Vec<_> = { rows.iter() }
        .map(|row| (row.to.as_str(), row.status.id.get()))
        .collect();
    assert_eq!(rows, [("Somebody else", 2), ("Receiver 8", 3)]);
    let file = rusqlite::Connection::open(journal).expect("a file");
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'last_seen%'";
    let tables: i64 = file.query_row(sql, [], |row| row.get(0)).expect("a count");
    assert_eq!(tables, 0);
}

#[test]
fn a_list_of_another_company_is_put_away_at_once() {
    let home = Home::new();
    let depot = Depot::holding(3, now());
    let mut desk = open(&home, &depot);
    let other = shipping::CompanyId::new(2);
    desk.ask(app::state::WindowCommand::PickCompany(other));
    desk.turn();
    let shared = &desk.core.shared;
    assert!(shared.dispatch.unmanifested.value().is_none() && shared.labels.queue.is_empty());
    assert!(shared.dispatch.unmanifested.is_loading());
}
