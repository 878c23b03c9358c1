//! Invented unmanifested consignments of a warehouse.

use std::sync::Arc;

use app::state::{RowPlace, UnmanifestedList, UnmanifestedRow};
use shipping::{CarrierId, CarrierServiceId, Consignment, ConsignmentId, LocalTime};

const TOWNS: [(&str, &str, &str); 8] = [
    ("Ballarat Central", "VIC", "3350"),
    ("Tweed Heads", "NSW", "2485"),
    ("Hamilton", "NZ", "3200"),
    ("Gawler", "SA", "5118"),
    ("West Perth", "WA", "6005"),
    ("Mount Isa", "QLD", "4825"),
    ("Daylesford", "VIC", "3460"),
    ("Cairns", "QLD", "4870"),
];
const NAMES: [&str; 9] = [
    "Ballarat Farm & Garden",
    "Tweed Marine",
    "Aroha Outdoor",
    "Gawler Hardware",
    "Kings Park Nursery",
    "Mount Isa Rural",
    "Daylesford Timber",
    "Cairns Irrigation",
    "Café Zürich",
];
pub(crate) const CARRIERS: [(&str, &str); 5] = [
    ("Southern Cross", "Road"),
    ("Bluegum", "Road"),
    ("Tasman Freight", "Air"),
    ("Kookaburra Air", "Express"),
    ("Northline Express", "Overnight"),
];

/// So many rows, newest first.
pub(crate) fn list(rows: usize) -> UnmanifestedList {
    let first = UnmanifestedList::from_consignments(&[one()]);
    let base = first.rows()[0].as_ref();
    let towns: Vec<_> = TOWNS
        .iter()
        .map(|(suburb, state, postcode)| {
            Arc::new(RowPlace {
                suburb: (*suburb).into(),
                state: (*state).into(),
                postcode: (*postcode).into(),
                ..RowPlace::default()
            })
        })
        .collect();
    let texts = |pick: fn(&(&'static str, &'static str)) -> &'static str| -> Vec<Arc<str>> {
        CARRIERS
            .iter()
            .map(|carrier| pick(carrier).into())
            .collect()
    };
    let (carriers, services) = (texts(|carrier| carrier.0), texts(|carrier| carrier.1));
    let from: Arc<str> = "Harbour Supplies, Sydney DC".into();
    UnmanifestedList::new((0..rows).map(|at| {
        let id = i64::try_from(200_000 + at).unwrap_or_default();
        let figure = |of: usize, and: usize| format!("{}.{:02}", at * of % 400 + 2, at % and);
        let time = |day: usize| {
            let text = format!("2026-11-{:02}T{:02}:30:00", day, 8 + at % 9);
            LocalTime::read(&text).ok()
        };
        UnmanifestedRow {
            id: ConsignmentId::new(id),
            number: format!("MS{id}").into(),
            carrier_number: format!("SCX{:08}", at * 7919 % 99_999_989).into(),
            reference: format!("SO-{}", 48_000 + at * 3).into(),
            reference2: format!("PB-{:06X}", at * 104_729 % 16_777_213).into(),
            from: Arc::clone(&from),
            to: format!("{} {}", NAMES[at % NAMES.len()], at % 977).into(),
            to_place: Arc::clone(&towns[at % towns.len()]),
            carrier_id: Some(CarrierId::new(1)),
            carrier: Arc::clone(&carriers[at % carriers.len()]),
            service_id: Some(CarrierServiceId::new(1)),
            service: Arc::clone(&services[at % services.len()]),
            pieces: i64::try_from(at % 12 + 1).unwrap_or_default(),
            weight: serde_json::from_str(&figure(37, 10)).ok(),
            volume: serde_json::from_str(&format!("0.{:03}", at % 900 + 10)).ok(),
            price: serde_json::from_str(&figure(13, 100)).ok(),
            despatch: time(20 + at % 5),
            eta: time(23 + at % 6),
            dangerous: at % 11 == 0,
            international: at % 17 == 0,
            important: at % 97 == 0,
            is_test: false,
            ..base.clone()
        }
    }))
}

fn one() -> Consignment {
    let text =
        r#"{"id": 1, "consignmentNumber": "MS1", "status": {"id": 2, "name": "Unmanifested"}}"#;
    serde_json::from_str(text).expect("a consignment")
}
