//! Invented unmanifested consignments of a warehouse.

use app::state::{ConsignmentHistory, ConsignmentRow};
use shipping::{CarrierId, CarrierServiceId, Consignment, ConsignmentId, LocalTime, Location};

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

/// So many rows, the oldest first.
pub(crate) fn rows(count: usize) -> impl DoubleEndedIterator<Item = ConsignmentRow> {
    let base = ConsignmentHistory::of(&one(), None).row;
    (0..count).map(move |at| row(&base, at))
}

fn row(base: &ConsignmentRow, at: usize) -> ConsignmentRow {
    let id = i64::try_from(200_000 + at).unwrap_or_default();
    let figure = |of: usize, and: usize| format!("{}.{:02}", at * of % 400 + 2, at % and);
    let time = |day: usize| {
        let text = format!("2026-11-{:02}T{:02}:30:00", day, 8 + at % 9);
        LocalTime::read(&text).ok()
    };
    let (suburb, state, postcode) = TOWNS[at % TOWNS.len()];
    let (carrier, service) = CARRIERS[at % CARRIERS.len()];
    ConsignmentRow {
        id: ConsignmentId::new(id),
        number: format!("MS{id}"),
        carrier_number: format!("SCX{:08}", at * 7919 % 99_999_989),
        reference: format!("SO-{}", 48_000 + at * 3),
        reference2: format!("PB-{:06X}", at * 104_729 % 16_777_213),
        from: "Harbour Supplies, Sydney DC".to_owned(),
        to: format!("{} {}", NAMES[at % NAMES.len()], at % 977),
        to_place: Location {
            suburb: suburb.to_owned(),
            state: state.to_owned(),
            postcode: postcode.to_owned(),
            ..Location::default()
        },
        carrier_id: Some(CarrierId::new(1)),
        carrier: carrier.to_owned(),
        service_id: Some(CarrierServiceId::new(1)),
        service: service.to_owned(),
        pieces: i64::try_from(at % 12 + 1).unwrap_or_default(),
        weight: serde_json::from_str(&figure(37, 10)).ok(),
        volume: serde_json::from_str(&format!("0.{:03}", at % 900 + 10)).ok(),
        price: serde_json::from_str(&figure(13, 100)).ok(),
        despatch: time(20 + at % 5),
        eta: time(23 + at % 6),
        dangerous: Some(at.is_multiple_of(11)),
        international: at.is_multiple_of(17),
        important: at.is_multiple_of(97),
        ..base.clone()
    }
}

fn one() -> Consignment {
    let text =
        r#"{"id": 1, "consignmentNumber": "MS1", "status": {"id": 2, "name": "Unmanifested"}}"#;
    serde_json::from_str(text).expect("a consignment")
}
