//! The numbers agree with the service, each opens as many rows as it says, and thresholds change what counts.

use std::collections::BTreeMap;

use app::Core;
use app::state::{
    Arrival, Board, Command, CompanyFilter, DrillDown, Exception, Screen, Thresholds, TrackCommand,
    TrackPane,
};
use serde_json::{Value, json};
use shipping::{CompanyId, ConsignmentId, StatusId};

use super::support::{Depot, look};
use crate::journeys::screens::data::board::metrics;
use crate::support::desk::Desk;

/// What becomes of what is booked, one each.
const BECOMES: [i64; 8] = [8, 9, 28, 27, 6, 5, 16, 7];

/// A week of a small depot: two unmanifested, three booked and left, one each of what can become of others.
fn week(depot: &Depot) -> Vec<ConsignmentId> {
    let mut all = depot.make(2);
    all.extend(depot.book(3));
    let moved = depot.book(BECOMES.len());
    depot.pass(8);
    for (id, status) in moved.iter().zip(BECOMES) {
        depot.becomes(*id, status);
    }
    all.extend(moved);
    all
}

/// The board that was counted after this.
fn counted(desk: &mut Desk, what: &str, fits: impl Fn(&Board) -> bool) -> Board {
    desk.until(what, |core| {
        let board = &core.shared.track.board;
        let value = board.value().filter(|_| !board.is_loading())?;
        fits(value).then(|| Board::clone(value))
    })
}

fn on_board(desk: &mut Desk) {
    desk.ask(Command::Show(Screen::Track));
    desk.ask(TrackCommand::Show(TrackPane::Board));
    desk.turn();
}

/// How many the service says to be of each status.
fn truth(depot: &Depot, ids: &[ConsignmentId]) -> BTreeMap<i64, usize> {
    let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let found = depot.ask(
        "/apiv2/consignments/returnConsignments",
        &json!({ "ids": ids }),
    );
    let mut of = BTreeMap::new();
    for one in found.as_array().expect("consignments") {
        let status = one["status"]["id"].as_i64().expect("a status");
        *of.entry(status).or_default() += 1;
    }
    of
}

/// Returns every number of a board with its drill-down.
fn doors(board: &Board) -> Vec<(DrillDown, usize)> {
    let shares = board.carriers.iter().flat_map(|tally| {
        [Arrival::OnTime, Arrival::Late, Arrival::Failed].map(|how| {
            let (carrier, day) = (tally.carrier, None);
            (
                DrillDown::Arrived { carrier, day, how },
                tally.arrivals.count(how),
            )
        })
    });
    metrics(board)
        .chain(shares)
        .chain([
            (DrillDown::All, board.total),
            (DrillDown::DueToday, board.due_today),
            (DrillDown::WentWrong, board.went_wrong),
            (DrillDown::Exceptions, board.exceptions.len()),
            (DrillDown::Exception(Exception::Late), board.late),
            (
                DrillDown::Exception(Exception::NotCollected),
                board.not_collected,
            ),
        ])
        .collect()
}

fn rows_behind(desk: &mut Desk, door: DrillDown) -> usize {
    desk.ask(TrackCommand::DrillDown(door));
    desk.turn();
    desk.until(&format!("the rows behind {door:?}"), |core: &Core| {
        let list = &core.shared.track.list;
        let found = list
            .value()
            .filter(|found| found.query.drill_down == door)?;
        (!list.is_loading()).then(|| found.ids.len())
    })
}

#[test]
fn what_is_shown_is_what_the_service_has_and_each_door_opens_as_many_rows() {
    let depot = Depot::open();
    let all = week(&depot);
    let mut desk = depot.desk();
    look(&mut desk);
    on_board(&mut desk);
    let board = counted(&mut desk, "all is counted", |board| {
        board.total == all.len()
    });
    let shown: BTreeMap<i64, usize> = board
        .by_status
        .iter()
        .map(|tally| match tally.drill_down {
            DrillDown::Status(status) => (status.get(), tally.count),
            other => panic!("{other:?} is no status"),
        })
        .collect();
    assert_eq!(shown, truth(&depot, &all));
    assert_eq!(board.unmanifested, 2);
    assert_eq!(board.exceptions[0].exception, Exception::Lost);
    assert!(
        board
            .by_status
            .iter()
            .all(|tally| tally.drill_down != DrillDown::Status(StatusId::CANCELLED))
    );
    for (door, count) in doors(&board) {
        assert_eq!(rows_behind(&mut desk, door), count, "{door:?}");
    }
}

#[test]
fn thresholds_change_what_counts_and_are_kept() {
    let depot = Depot::open();
    depot.book(3);
    depot.pass(12);
    let mut desk = depot.desk();
    look(&mut desk);
    on_board(&mut desk);
    let board = counted(&mut desk, "all is counted", |board| board.total == 3);
    assert_eq!(board.not_collected, 0);
    let strict = Thresholds {
        not_collected_hours: 6,
        ..Thresholds::default()
    };
    desk.ask(TrackCommand::SetThresholds(strict));
    counted(&mut desk, "not collected in time", |board| {
        board.not_collected == 3
    });
    assert!(
        desk.core.shared.track.new_exceptions.is_empty(),
        "nothing happened"
    );
    desk.core.close(depot.home.runtime.handle());
    let kept = app::config::Settings::read(&depot.home.places).expect("settings");
    assert_eq!(kept.track.not_collected_hours, 6);
}

#[test]
fn lateness_comes_by_time_alone() {
    let depot = Depot::open();
    depot.book(1);
    let mut desk = depot.desk();
    look(&mut desk);
    on_board(&mut desk);
    let early = counted(&mut desk, "it is counted", |board| board.total == 1);
    assert!(early.exceptions.is_empty());
    depot.pass(25);
    let later = counted(&mut desk, "it is late by now", |board| {
        !board.exceptions.is_empty()
    });
    assert_eq!(later.not_collected + later.late, 1);
    desk.until("it is said", |core| {
        (core.shared.track.new_exceptions.len() == 1).then_some(())
    });
}

#[test]
fn the_companies_below_are_looked_at_or_not() {
    let value = |children: bool| json!({ "track": { "children": children } });
    let read = |value: Value| serde_json::from_value::<app::config::Settings>(value);
    assert!(read(value(true)).expect("settings").track.children);
    let depot = Depot::open();
    depot.make(1);
    let mut desk = depot.desk();
    look(&mut desk);
    on_board(&mut desk);
    desk.ask(TrackCommand::Companies(CompanyFilter::Own));
    let own = desk.core.shared.session.company.expect("a company");
    desk.until("its own alone", |core| {
        let companies = core.shared.track.scope.companies.as_deref();
        (companies == Some(&[own])).then_some(())
    });
    let other = CompanyId::new(2);
    let one = TrackCommand::Companies(CompanyFilter::One(other));
    desk.ask(one);
    desk.until("one of them alone", |core| {
        let companies = core.shared.track.scope.companies.as_deref();
        (companies == Some(&[other])).then_some(())
    });
    desk.ask(TrackCommand::Companies(CompanyFilter::All));
    desk.until("those below, too", |core| {
        let companies = core.shared.track.scope.companies.as_deref();
        companies
            .is_none_or(|companies| companies.len() > 1)
            .then_some(())
    });
}
