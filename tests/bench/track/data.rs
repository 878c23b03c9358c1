//! A store of many consignments, and the engine that reads it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use app::state::TrackScope;
use engine::{Engine, Reads};
use jiff::{SignedDuration, Timestamp};
use shipping::{
    CarrierId, Clock, CompanyId, ConsignmentId, Dollars, Kilograms, LocalTime, Location, Status,
    StatusChange, StatusId, UtcTime,
};
use storage::{ConsignmentHistory, ConsignmentRow, TrackStore};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support::memory::own_resident_kib;
use crate::support::runtime::runtime;
use crate::support::start_engine;

const A_PAGE: i64 = 200;
const FIRST: i64 = 200_000;

/// Kept again, unchanged, at the most.
const AGAIN: i64 = 50_000;

pub(crate) struct Store {
    pub(crate) path: PathBuf,
    /// How long each took, and of how many rows.
    took: [(&'static str, Duration, i64); 3],
    work: Option<Engine>,
    before: Option<u64>,
    runtime: Runtime,
    folder: TempDir,
}

pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_795_143_900).expect("in range")
}

pub(crate) fn scope() -> TrackScope {
    TrackScope {
        zone: "Australia/Sydney".into(),
        ..TrackScope::default()
    }
}

impl Store {
    pub(crate) fn make(count: i64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = TrackStore::beside(&folder.path().join("journal.db"));
        let mut store = TrackStore::open(&path).expect("a store");
        let mut random = fastrand::Rng::with_seed(7);
        let (mut kept, mut kept_again, mut again) = (Duration::ZERO, Duration::ZERO, 0);
        for first in (0..count).step_by(usize::try_from(A_PAGE).expect("small")) {
            let page: Vec<_> = (first..count.min(first + A_PAGE))
                .map(|number| followed(&mut random, number, count))
                .collect();
            let started = Instant::now();
            store.put(&page, now()).expect("kept");
            kept += started.elapsed();
            if first < AGAIN {
                let started = Instant::now();
                assert!(store.put(&page, now()).expect("kept").is_empty());
                kept_again += started.elapsed();
                again += A_PAGE;
            }
        }
        let started = Instant::now();
        while store.index(256).expect("indexed") > 0 {}
        Self {
            path,
            took: [
                ("to keep", kept, count),
                ("to keep again unchanged", kept_again, again),
                ("to index", started.elapsed(), count),
            ],
            work: None,
            before: None,
            runtime: runtime(2),
            folder,
        }
    }

    /// Opens the engine on the store. No service is called.
    pub(crate) fn open(&mut self) {
        self.before = own_resident_kib();
        let clock = Clock::fixed(now());
        let home = self.folder.path();
        self.work = Some(start_engine::start(
            &self.runtime,
            home,
            clock,
            "http://127.0.0.1:9",
            "none",
        ));
    }

    pub(crate) fn reads(&self) -> &Reads {
        self.work.as_ref().expect("it is open").reads()
    }

    /// What making the store took, and its size.
    pub(crate) fn summary(&self) -> String {
        let micros = |time: Duration, rows: i64| time.as_secs_f64() * 1e6 / rows.max(1) as f64;
        let took = self.took.map(|(what, time, rows)| {
            let micros = micros(time, rows);
            format!("{micros:.1} µs each {what}")
        });
        let megabytes = std::fs::metadata(&self.path).expect("a file").len() / 1_000_000;
        format!("{}; {megabytes} MB on disk", took.join(", "))
    }

    /// By how many MiB the process has grown since it was opened.
    pub(crate) fn grown(&self) -> Option<u64> {
        Some(own_resident_kib()?.saturating_sub(self.before?) / 1024)
    }
}

const RECEIVERS: [&str; 12] = [
    "Smith & Sons",
    "Harbour Café",
    "O'Brien Marine",
    "Northside Tiles",
    "Jones Electrical",
    "Bluewater Pools",
    "Müller Optics",
    "Green Valley Farm",
    "Outback Tools",
    "City Pharmacy",
    "Red Gum Joinery",
    "Kangaroo Toys",
];

const PLACES: [(&str, &str, &str); 8] = [
    ("Wollongong", "2500", "Australia/Sydney"),
    ("Alexandria", "2015", "Australia/Sydney"),
    ("Fremantle", "6160", "Australia/Perth"),
    ("Ballarat", "3350", "Australia/Melbourne"),
    ("Toowoomba", "4350", "Australia/Brisbane"),
    ("Glenelg", "5045", "Australia/Adelaide"),
    ("Launceston", "7250", "Australia/Hobart"),
    ("Palmerston", "0830", "Australia/Darwin"),
];

const CARRIERS: [&str; 5] = [
    "Team Lines",
    "Fast Road",
    "Ute Express",
    "Sky Parcels",
    "Post",
];

/// The older ones are delivered, the newest on their way; 180 days of them.
fn followed(random: &mut fastrand::Rng, number: i64, count: i64) -> ConsignmentHistory {
    let id = FIRST + number;
    let age = (count - number) * 180 * 86_400 / count;
    let despatch = now() - SignedDuration::from_secs(age);
    let eta = despatch + SignedDuration::from_hours(48);
    let status = match random.u8(0..100) {
        _ if age < 43_200 => 2,
        _ if age < 100_000 => 3,
        0 => 8,
        1 => 17,
        2 | 3 => 10,
        _ if age < 250_000 => 5,
        _ => 7,
    };
    let history = history(status, despatch);
    let changed = history
        .iter()
        .filter_map(|step| step.status_date_utc)
        .map(|at| at.0)
        .max();
    let (suburb, postcode, zone) = PLACES[random.usize(0..PLACES.len())];
    let carrier = random.usize(0..CARRIERS.len());
    let status = told(status);
    let row = ConsignmentRow {
        company: Some(CompanyId::new(1 + id % 3)),
        number: format!("MS{id}"),
        carrier_number: format!("TLX{:09}", random.u32(..1_000_000_000)),
        reference: format!("SO-{}", random.u32(10_000..1_000_000)),
        reference2: format!("BENCH4-{:08X}", random.u32(..)),
        tracking_token: format!("{:016x}", random.u64(..)),
        from: "Main Warehouse".to_owned(),
        from_place: place("Alexandria", "2015", "Australia/Sydney"),
        to: format!(
            "{} {}",
            RECEIVERS[random.usize(0..RECEIVERS.len())],
            random.u16(..2_000)
        ),
        to_place: place(suburb, postcode, zone),
        carrier_id: Some(CarrierId::new(
            i64::try_from(carrier).unwrap_or_default() + 1,
        )),
        carrier: CARRIERS[carrier].to_owned(),
        service: "Road".to_owned(),
        changed,
        scanned: changed.filter(|_| history.len() > 2),
        booked: { history.get(1).and_then(|step| step.status_date_utc) }.map(|at| at.0),
        ended: changed.filter(|_| status.id.is_final()),
        status,
        despatch: Some(LocalTime::at(despatch, "Australia/Sydney")),
        despatch_at: Some(despatch),
        eta: Some(LocalTime::at(eta, zone)),
        eta_at: Some(eta),
        pieces: 3,
        weight: Some(Kilograms(random.i64(1..900).into())),
        price: Some(Dollars(random.i64(10..900).into())),
        dangerous: Some(false),
        ..ConsignmentRow::empty(ConsignmentId::new(id))
    };
    ConsignmentHistory { row, history }
}

fn place(suburb: &str, postcode: &str, zone: &str) -> Location {
    Location {
        id: Some(7),
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
        state: "NSW".to_owned(),
        time_zone: zone.to_owned(),
        country: "Australia".to_owned(),
    }
}

fn told(id: i64) -> Status {
    let id = StatusId::new(id);
    Status {
        id,
        name: id.name().unwrap_or_default().to_owned(),
        description: "Where it stands, in a sentence of the service".to_owned(),
    }
}

fn history(status: i64, despatch: Timestamp) -> Vec<StatusChange> {
    let way: &[i64] = match status {
        2 => &[2],
        3 => &[2, 3],
        5 => &[2, 3, 15, 5],
        7 => &[2, 3, 15, 5, 13, 7],
        other => &[2, 3, 15, other],
    };
    let step = |(at, id): (usize, &i64)| {
        let hours = i64::try_from(at).unwrap_or_default() * 9;
        let when = despatch + SignedDuration::from_hours(hours);
        StatusChange {
            consignment_tracking_status: Some(told(*id)),
            consignment_id: None,
            created_by_name: "Carrier".to_owned(),
            created_by_user_id: None,
            status_is_partial: false,
            status_date_local: Some(LocalTime::at(when, "Australia/Sydney")),
            status_date_utc: Some(UtcTime(when)),
            carrier_status: Some("SCN".to_owned()),
            carrier_status_description: Some("Scanned at the depot".to_owned()),
            status_information: None,
            item_reference: None,
        }
    };
    way.iter().enumerate().map(step).collect()
}
