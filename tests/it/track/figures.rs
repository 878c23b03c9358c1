//! The board's metrics agree with the rows behind them, whatever the store contains.

use std::path::Path;
use std::sync::Arc;

use app::state::{
    Arrival, ArrivalCounts, Board, DrillDown, Exception, ListField, ListOrder, Thresholds,
    TrackQuery, TrackScope,
};
use engine::{Fetch, Remote};
use fastrand::Rng;
use jiff::SignedDuration;
use shipping::{CarrierId, CompanyId, ConsignmentId, LocalTime, StatusId, TransitState};
use storage::{ConsignmentHistory, ConsignmentRow, TrackStore};

use super::samples::{NOW, at, ids, status, with};
use super::store::damage;
use crate::journeys::screens::data::board::metrics;
use crate::support::lanes::{Lanes, Site};
use crate::support::wait::{SOON, until};

const ZONE: &str = "Australia/Sydney";

pub(super) fn fetched<T: Send + Clone + 'static>(fetch: Fetch<T>) -> T {
    let mut remote = Remote::default();
    remote.start(fetch);
    until("it came", SOON, || remote.poll().then_some(()));
    let problem = remote.problem().map(ToString::to_string);
    remote
        .value()
        .cloned()
        .unwrap_or_else(|| panic!("{problem:?}"))
}

fn scope(days: u16) -> TrackScope {
    TrackScope {
        days,
        zone: ZONE.into(),
        ..TrackScope::default()
    }
}

fn board(lanes: &Lanes, scope: &TrackScope) -> Arc<Board> {
    fetched(lanes.reads().board(scope.clone(), Thresholds::default()))
}

fn listed(lanes: &Lanes, scope: &TrackScope, door: DrillDown) -> Vec<ConsignmentId> {
    let query = TrackQuery {
        scope: scope.clone(),
        drill_down: door,
        ..TrackQuery::default()
    };
    let list = fetched(lanes.reads().track_list(query, Thresholds::default()));
    assert!(!list.more);
    list.ids.to_vec()
}

/// A bench whose store holds these from the start.
fn bench(site: &Site, name: &str, rows: &[ConsignmentHistory]) -> Lanes {
    put(&site.journal(name), rows);
    site.bench(name)
}

fn put(journal: &Path, rows: &[ConsignmentHistory]) {
    let mut store = TrackStore::open(&TrackStore::beside(journal)).expect("a store");
    store.put(rows, at(NOW)).expect("kept");
}

/// A consignment of any kind, with times around now.
fn any(random: &mut Rng, id: i64) -> ConsignmentHistory {
    let mut around = |days: i64| {
        let seconds = random.i64(-days * 86_400..days * 86_400);
        let moment = at(NOW) + SignedDuration::from_secs(seconds);
        random.bool().then_some(moment)
    };
    let (despatch, eta) = (around(20), around(20));
    let [changed, scanned, booked, ended] = [20, 4, 9, 20].map(&mut around);
    with(id, |row: &mut ConsignmentRow| {
        let last_known = StatusId::KNOWN.last().map_or(0, |status| status.get());
        row.status = status(random.i64(1..=last_known + 1));
        row.company = random.bool().then(|| CompanyId::new(random.i64(1..4)));
        row.carrier_id = random.bool().then(|| CarrierId::new(random.i64(1..5)));
        row.carrier = format!("Carrier {:?}", row.carrier_id);
        (row.despatch_at, row.eta_at) = (despatch, eta);
        row.eta = eta.map(|eta| LocalTime::at(eta, "Australia/Perth"));
        (row.changed, row.scanned, row.booked) = (changed, scanned, booked);
        row.ended = ended.filter(|_| row.status.id.is_final());
    })
}

/// Returns every number that has a drill-down, with the drill-down.
fn numbers(board: &Board) -> Vec<(DrillDown, usize)> {
    let course = |course, count| (DrillDown::TransitState(course), count);
    let mut all = vec![
        (DrillDown::All, board.total),
        course(TransitState::Unmanifested, board.unmanifested),
        course(TransitState::Booked, board.booked),
        course(TransitState::Moving, board.moving),
        (DrillDown::DueToday, board.due_today),
        (
            DrillDown::Exception(Exception::NotCollected),
            board.not_collected,
        ),
        (DrillDown::Exception(Exception::Late), board.late),
        (DrillDown::WentWrong, board.went_wrong),
        (
            DrillDown::Exceptions,
            board.by_exception.iter().map(|tally| tally.count).sum(),
        ),
    ];
    all.extend(metrics(board));
    let mut shares = |carrier, day, share: ArrivalCounts| {
        for how in [Arrival::OnTime, Arrival::Late, Arrival::Failed] {
            all.push((DrillDown::Arrived { carrier, day, how }, share.count(how)));
        }
    };
    shares(None, None, board.arrivals);
    for one in board.carriers.iter().filter(|one| one.carrier.is_some()) {
        shares(one.carrier, None, one.arrivals);
    }
    for one in board.days.iter().filter(|one| one.carrier.is_some()) {
        shares(one.carrier, Some(one.day), one.share);
    }
    all
}

#[test]
fn every_number_is_how_many_rows_its_door_opens() {
    let site = Site::open();
    for seed in 0..2 {
        let mut random = Rng::with_seed(seed);
        let rows: Vec<_> = (1..=300).map(|id| any(&mut random, id)).collect();
        let lanes = bench(&site, &format!("Bench{seed}"), &rows);
        let scopes = [
            scope(3),
            scope(14),
            TrackScope {
                carrier: Some(CarrierId::new(2)),
                ..scope(14)
            },
            TrackScope {
                companies: Some([CompanyId::new(1), CompanyId::new(3)].into()),
                ..scope(30)
            },
        ];
        for scope in scopes {
            let board = board(&lanes, &scope);
            assert!(board.total > 0);
            let asked = numbers(&board).into_iter().map(|(door, count)| {
                let query = TrackQuery {
                    scope: scope.clone(),
                    drill_down: door,
                    ..TrackQuery::default()
                };
                let mut list = Remote::default();
                let reads = lanes.reads();
                list.start(reads.track_list(query, Thresholds::default()));
                // The next query would cancel this one.
                until("a list", SOON, || list.poll().then_some(()));
                (door, count, list)
            });
            for (door, count, list) in asked.collect::<Vec<_>>() {
                let rows = list.value().map(|list| list.ids.len());
                assert_eq!(rows, Some(count), "{door:?} of {scope:?}, seed {seed}");
            }
            let listed = listed(&lanes, &scope, DrillDown::Exceptions);
            assert_eq!(board.exceptions.len(), listed.len());
            assert!(
                board
                    .exceptions
                    .is_sorted_by_key(|row| (row.exception, row.since))
            );
        }
        lanes.close(&site.runtime);
    }
}

/// One of this status that is despatched, due and heard of so; now is 14:05 on the 20th in Sydney.
fn one(id: i64, status_id: i64, despatch: &str, eta: &str, scanned: &str) -> ConsignmentHistory {
    with(id, |row| {
        row.status = status(status_id);
        row.despatch_at = Some(at(despatch));
        (row.booked, row.changed) = (Some(at(despatch)), Some(at(scanned)));
        (row.eta_at, row.scanned) = (Some(at(eta)), Some(at(scanned)));
        row.eta = row.eta_at.map(|eta| LocalTime::at(eta, ZONE));
        row.ended = row.changed.filter(|_| row.status.id.is_final());
    })
}

#[test]
fn each_exception_is_one_and_the_worst_with_since_when() {
    let site = Site::open();
    let (early, late, soon) = (
        "2026-11-10T00:00:00Z",
        "2026-11-19T10:00:00Z",
        "2026-11-25T00:00:00Z",
    );
    let recent = "2026-11-20T01:00:00Z";
    let rows = [
        one(1, 8, early, late, recent),
        one(2, 5, early, late, recent),
        one(3, 5, early, soon, "2026-11-17T00:00:00Z"),
        one(4, 3, early, soon, early),
        one(5, 6, early, soon, recent),
        one(6, 6, early, late, recent),
        one(7, 5, early, soon, recent),
        one(8, 7, early, late, recent),
        one(9, 2, early, late, early),
    ];
    let lanes = bench(&site, "Bench4", &rows);
    let board = board(&lanes, &scope(14));
    let found: Vec<_> = { board.exceptions.iter() }
        .map(|row| (row.id.get(), row.exception, row.since))
        .collect();
    assert_eq!(
        found,
        [
            (1, Exception::Lost, at(recent)),
            (2, Exception::Late, at(late)),
            (6, Exception::Late, at(late)),
            (4, Exception::NotCollected, at(early)),
            (3, Exception::NoScan, at("2026-11-17T00:00:00Z")),
            (5, Exception::Delayed, at(recent)),
        ]
    );
    assert_eq!((board.late, board.late_since_midnight), (2, 0));
    let share = ArrivalCounts {
        on_time: 0,
        late: 3,
        failed: 1,
    };
    assert_eq!(board.arrivals, share);
    assert_eq!(board.due_today, 1, "what should have left is due");
    lanes.close(&site.runtime);
}

#[test]
fn what_came_before_the_days_of_its_eta_came_on_time_all_the_same() {
    let site = Site::open();
    let early = |id, from, eta| one(id, 7, from, eta, from);
    let rows = [
        early(1, "2026-11-10T00:00:00Z", "2026-11-19T06:00:00Z"),
        early(2, "2026-11-08T00:00:00Z", "2026-11-15T06:00:00Z"),
        one(3, 5, "2026-11-18T00:00:00Z", "2026-11-19T06:00:00Z", NOW),
    ];
    let lanes = bench(&site, "Bench4", &rows);
    let board = board(&lanes, &scope(3));
    let share = |on_time, late| ArrivalCounts {
        on_time,
        late,
        failed: 0,
    };
    assert_eq!((board.total, board.arrivals), (1, share(1, 1)));
    assert_eq!(board.arrivals_before, share(1, 0));
    let door = DrillDown::Arrived {
        carrier: None,
        day: None,
        how: Arrival::OnTime,
    };
    assert_eq!(listed(&lanes, &scope(3), door), ids(&[1]));
    lanes.close(&site.runtime);
}

#[test]
fn a_day_begins_at_midnight_where_the_bench_is() {
    let site = Site::open();
    let recent = "2026-11-20T01:00:00Z";
    let rows = [
        // 23:30 today and 00:30 tomorrow in Sydney; 12:30 and 13:30 in UTC, both today there.
        one(1, 2, "2026-11-20T12:30:00Z", "2026-11-25T00:00:00Z", recent),
        one(2, 2, "2026-11-20T13:30:00Z", "2026-11-25T00:00:00Z", recent),
        // Late since 23:30 yesterday and 00:30 today in Sydney.
        one(3, 5, recent, "2026-11-19T12:30:00Z", recent),
        one(4, 5, recent, "2026-11-19T13:30:00Z", recent),
    ];
    let lanes = bench(&site, "Bench4", &rows);
    let here = board(&lanes, &scope(14));
    assert_eq!((here.due_today, here.late_since_midnight), (1, 1));
    let utc = board(&lanes, &TrackScope::default());
    assert_eq!((utc.due_today, utc.late_since_midnight), (2, 0));
    assert_eq!(listed(&lanes, &scope(14), DrillDown::DueToday), ids(&[1]));
    lanes.close(&site.runtime);
}

#[test]
fn rows_come_in_the_order_asked_for_and_what_is_unknown_comes_last() {
    let site = Site::open();
    let row = |id, to: &str, weight: Option<&str>, eta: Option<&str>| {
        with(id, |row| {
            row.to = to.to_owned();
            row.weight = weight.map(|kg| shipping::Kilograms(kg.parse().expect("a number")));
            row.eta_at = eta.map(at);
        })
    };
    let rows = [
        row(1, "Émile", Some("9.5"), Some("2026-11-22T00:00:00Z")),
        row(2, "", Some("10"), None),
        row(3, "adam", None, Some("2026-11-21T00:00:00Z")),
        row(4, "Zoe", Some("9.5"), Some("2026-11-22T00:00:00Z")),
    ];
    let lanes = bench(&site, "Bench4", &rows);
    for (column, rising, falling) in [
        (ListField::Number, [1, 2, 3, 4], [4, 3, 2, 1]),
        (ListField::To, [3, 1, 4, 2], [4, 1, 3, 2]),
        (ListField::Weight, [1, 4, 2, 3], [2, 4, 1, 3]),
        (ListField::Eta, [3, 1, 4, 2], [4, 1, 3, 2]),
        (ListField::Carrier, [1, 2, 3, 4], [4, 3, 2, 1]),
        (ListField::State, [1, 2, 3, 4], [4, 3, 2, 1]),
        (ListField::Dangerous, [1, 2, 3, 4], [4, 3, 2, 1]),
    ] {
        for (descending, expected) in [(false, rising), (true, falling)] {
            let query = TrackQuery {
                scope: scope(14),
                order: ListOrder { column, descending },
                ..TrackQuery::default()
            };
            let list = fetched(lanes.reads().track_list(query, Thresholds::default()));
            assert_eq!(
                list.ids.to_vec(),
                ids(&expected),
                "{column:?}, {descending}"
            );
        }
    }
    lanes.close(&site.runtime);
}

#[test]
fn words_are_looked_for_behind_a_door() {
    let site = Site::open();
    let rows = [
        with(1, |row| row.to = "Smith".to_owned()),
        with(2, |row| {
            row.to = "Smith".to_owned();
            row.status = status(2);
        }),
        with(3, |row| row.status = status(2)),
    ];
    let lanes = bench(&site, "Bench4", &rows);
    let list = |words: &str, door| {
        let query = TrackQuery {
            words: words.to_owned(),
            drill_down: door,
            ..TrackQuery::default()
        };
        let list = fetched(lanes.reads().track_list(query, Thresholds::default()));
        list.ids.to_vec()
    };
    let unmanifested = DrillDown::TransitState(TransitState::Unmanifested);
    assert_eq!(list("smith", unmanifested), ids(&[3, 2]));
    assert_eq!(list("smith so-2", unmanifested), ids(&[2]));
    assert_eq!(list("so-1", unmanifested), ids(&[]));
    assert_eq!(
        list(" - ", unmanifested),
        ids(&[3, 2]),
        "no word is no condition"
    );
    lanes.close(&site.runtime);
}

#[test]
fn damage_that_shows_in_a_job_begins_the_store_anew() {
    let site = Site::open();
    let rows: Vec<_> = (1..=300).map(super::samples::followed).collect();
    let lanes = bench(&site, "Bench4", &rows);
    let store = TrackStore::beside(&site.journal("Bench4"));
    assert_eq!(board(&lanes, &scope(14)).total, 300);
    damage(&store);
    let found = fetched(lanes.reads().track_rows(ids(&[1, 2, 3, 200])));
    assert!(found.is_empty(), "what was damaged is gone");
    assert_eq!(
        board(&lanes, &scope(14)).total,
        0,
        "the figures are those of the new store"
    );
    lanes.close(&site.runtime);
}
