//! A supervisor's board on a busy afternoon: every kind of exception, four carriers, a fortnight.

use std::collections::HashMap;
use std::sync::Arc;

use app::state::{
    AgeBand, Arrival, ArrivalCounts, Board, CarrierPerformance, ConsignmentHistory, ConsignmentRow,
    DayPerformance, DrillDown, Exception, ExceptionRow, Metric, Remote, Shared, SyncMark,
};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use serde_json::json;
use shipping::{CarrierId, CompanyId, Consignment, ConsignmentId, StatusId, TransitState};

use super::now;

type Told = (i64, &'static str, &'static str, Exception, i64);

/// Id, receiver, carrier, what, and for how many hours.
const TOLD: [Told; 9] = [
    (
        200_102,
        "Kings Park Nursery",
        "Bluegum",
        Exception::Lost,
        52,
    ),
    (
        200_091,
        "Barossa Cellar Door",
        "Southern Cross",
        Exception::Damaged,
        31,
    ),
    (
        200_077,
        "Aroha Outdoor",
        "Tasman Freight",
        Exception::DeliveryFailed,
        26,
    ),
    (
        199_990,
        "Mount Isa Rural",
        "Southern Cross",
        Exception::Late,
        97,
    ),
    (
        199_870,
        "Tweed Marine",
        "Southern Cross",
        Exception::Late,
        74,
    ),
    (
        200_118,
        "Gawler Hardware and Rural Supplies of the Barossa",
        "Bluegum",
        Exception::NotCollected,
        6,
    ),
    (
        199_902,
        "Ballarat Farm & Garden",
        "Kookaburra Air",
        Exception::NoScan,
        70,
    ),
    (199_951, "Tweed Marine", "Bluegum", Exception::Delayed, 20),
    (
        199_512,
        "Aroha Outdoor",
        "Tasman Freight",
        Exception::TrackingExpired,
        400,
    ),
];

/// Name, on time, late and failed of a fortnight.
const CARRIERS: [(&str, usize, usize, usize); 5] = [
    ("Southern Cross", 1_546, 62, 36),
    ("Bluegum", 823, 61, 18),
    ("Tasman Freight", 377, 7, 4),
    ("Kookaburra Air", 208, 28, 4),
    ("Wattle Couriers of the Hunter Valley", 12, 0, 0),
];

pub(crate) const FRESH: [ConsignmentId; 2] =
    [ConsignmentId::new(200_102), ConsignmentId::new(200_118)];

fn ago(hours: i64) -> Timestamp {
    now() - SignedDuration::from_hours(hours)
}

fn share((on_time, late, failed): (usize, usize, usize)) -> ArrivalCounts {
    ArrivalCounts {
        on_time,
        late,
        failed,
    }
}

fn tally(name: &str, door: DrillDown, count: usize) -> Metric {
    Metric {
        name: name.to_owned(),
        drill_down: door,
        count,
    }
}

fn carrier(at: usize) -> Option<CarrierId> {
    i64::try_from(at + 1).ok().map(CarrierId::new)
}

fn days() -> Vec<DayPerformance> {
    let mut days = Vec::new();
    for back in (0..14_u8).rev() {
        let day = date(2026, 11, 20) - i64::from(back).days();
        for (at, (_, on_time, late, failed)) in CARRIERS.iter().enumerate().take(4) {
            let wave = (usize::from(back) * 7 + at * 5) % 11;
            days.push(DayPerformance {
                day,
                carrier: carrier(at),
                share: share((on_time / 14, late * wave / 70, failed * (wave % 4) / 28)),
            });
        }
    }
    days
}

fn board() -> Board {
    let exceptions = TOLD.map(|(id, _, _, exception, hours)| ExceptionRow {
        id: ConsignmentId::new(id),
        exception,
        since: ago(hours),
    });
    let kinds = Exception::ALL.iter().copied().filter_map(|kind| {
        let count = TOLD.iter().filter(|told| told.3 == kind).count();
        let name = kind.label();
        (count > 0).then(|| tally(name, DrillDown::Exception(kind), count))
    });
    let statuses = [
        (7, "Complete", 3_120),
        (5, "In Transit", 2_204),
        (2, "Unmanifested", 1_208),
        (16, "Scanned Into Depot", 402),
        (3, "Manifested", 312),
        (13, "On For Delivery", 288),
        (15, "Picked Up", 46),
        (6, "Delayed", 12),
        (8, "Lost", 1),
        (9, "Damaged", 1),
    ];
    let ages = AgeBand::ALL
        .into_iter()
        .zip([1_604, 1_120, 890, 640, 168, 38]);
    let companies = [("Harbour Supplies", 1, 6_020), ("Harbour Rural", 2, 1_574)];
    Board {
        as_of: now(),
        total: 7_594,
        unmanifested: 1_208,
        due_today: 64,
        booked: 312,
        not_collected: 1,
        moving: 2_940,
        median_transit: Some(SignedDuration::from_hours(43)),
        late: 2,
        late_since_midnight: 2,
        went_wrong: 3,
        arrivals: share((2_966, 158, 62)),
        arrivals_before: share((2_800, 180, 72)),
        by_status: statuses
            .map(|(id, name, count)| tally(name, DrillDown::Status(StatusId::new(id)), count))
            .to_vec(),
        by_carrier: CARRIERS
            .iter()
            .enumerate()
            .map(|(at, (name, on_time, ..))| {
                tally(name, DrillDown::Carrier(carrier(at)), on_time * 2)
            })
            .collect(),
        by_company: companies
            .map(|(name, id, count)| {
                tally(name, DrillDown::Company(Some(CompanyId::new(id))), count)
            })
            .to_vec(),
        by_age: ages
            .map(|(age, count)| tally(age.words(), DrillDown::Age(age), count))
            .collect(),
        by_exception: kinds.collect(),
        carriers: CARRIERS
            .iter()
            .enumerate()
            .map(|(at, (name, on_time, late, failed))| CarrierPerformance {
                carrier: carrier(at),
                name: (*name).to_owned(),
                arrivals: share((*on_time, *late, *failed)),
            })
            .collect(),
        days: days(),
        exceptions: exceptions.to_vec(),
        ..Board::default()
    }
}

fn followed((id, to, carrier, ..): Told) -> ConsignmentRow {
    let value = json!({
        "id": id, "consignmentNumber": format!("MS{id}"), "toName": to, "fromName": "Harbour Supplies",
        "consignmentTrackingStatus": {"id": 5, "name": "In Transit"},
        "carrier": {"id": 1, "displayName": carrier},
        "toLocation": {"suburb": "West Perth", "state": "WA", "postcode": "6005"},
    });
    let one: Consignment = serde_json::from_value(value).expect("a consignment");
    ConsignmentHistory::of(&one, None).row
}

/// What is followed, counted, with two exceptions that nobody has seen.
pub(crate) fn put_into(shared: &mut Shared) {
    let at = now() - SignedDuration::from_secs(7);
    let track = &mut shared.track;
    track.mark = Some(SyncMark {
        seen_to: at,
        at,
        whole_at: at,
    });
    track.board = Remote::ready(Arc::new(board()));
    let rows = TOLD.map(|told| (ConsignmentId::new(told.0), Arc::new(followed(told))));
    track.new_exceptions = FRESH.to_vec();
    shared.rows = Arc::new(HashMap::from(rows));
}

/// The numbers of a board's lists, each with what it opens.
pub(crate) fn metrics(board: &Board) -> impl Iterator<Item = (DrillDown, usize)> {
    let lists = [
        &board.by_status,
        &board.by_carrier,
        &board.by_company,
        &board.by_age,
        &board.by_exception,
    ];
    let metrics = lists.into_iter().flatten();
    metrics.map(|metric| (metric.drill_down, metric.count))
}

/// Every drill-down of that board except those of single days, with its number.
pub(crate) fn doors() -> Vec<(DrillDown, usize)> {
    let board = board();
    let carriers = board.carriers.iter().flat_map(|tally| {
        [Arrival::OnTime, Arrival::Late, Arrival::Failed].map(|how| {
            let (carrier, day) = (tally.carrier, None);
            (
                DrillDown::Arrived { carrier, day, how },
                tally.arrivals.count(how),
            )
        })
    });
    let figures = [
        (
            DrillDown::TransitState(TransitState::Unmanifested),
            board.unmanifested,
        ),
        (DrillDown::DueToday, board.due_today),
        (DrillDown::TransitState(TransitState::Booked), board.booked),
        (DrillDown::TransitState(TransitState::Moving), board.moving),
        (DrillDown::WentWrong, board.went_wrong),
        (DrillDown::Exceptions, board.exceptions.len()),
    ];
    metrics(&board)
        .chain(carriers)
        .chain(figures)
        .filter(|(_, count)| *count > 0)
        .collect()
}
