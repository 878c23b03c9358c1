//! An invented shipper with everything that a screen can show.

pub(crate) mod board;
pub(super) mod operations;
pub(crate) mod paper;
mod pickups;
pub(super) mod setup;
mod typed;

use std::time::Duration;

use app::state::{Environment, Notice, NoticeId, Remote, Shared, Tone};
use jiff::Timestamp;
use serde_json::json;
use shipping::{CompanyId, CompanyLocation, Consignment, LocalTime};

use std::sync::Arc;

use crate::support::lists::{list_rows, rows_of};
pub(crate) use typed::editing;

pub(super) fn now() -> Timestamp {
    "2026-11-20T03:05:02Z".parse().expect("a time")
}

/// A time that every record may lack.
#[expect(clippy::unnecessary_wraps, reason = "the records hold it as an option")]
fn local(text: &str) -> Option<LocalTime> {
    Some(LocalTime::read(text).expect("a local time"))
}

const PLACES: [(&str, &str, &str, &str, &str); 6] = [
    (
        "Harbour Supplies, Sydney DC",
        "HSYD",
        "14 Wharf Road",
        "Alexandria",
        "NSW 2015",
    ),
    (
        "Ballarat Farm & Garden",
        "BFG",
        "8 Creswick Road",
        "Ballarat Central",
        "VIC 3350",
    ),
    (
        "Tweed Marine",
        "TWM",
        "2 Wharf Street",
        "Tweed Heads",
        "NSW 2485",
    ),
    (
        "Aroha Outdoor",
        "ARO",
        "71 Te Rapa Road",
        "Hamilton",
        "NZ 3200",
    ),
    (
        "Gawler Hardware and Rural Supplies of the Barossa",
        "GAW",
        "19 Murray Street",
        "Gawler",
        "SA 5118",
    ),
    (
        "Kings Park Nursery",
        "KPN",
        "5 Fraser Avenue",
        "West Perth",
        "WA 6005",
    ),
];

fn locations() -> Vec<CompanyLocation> {
    let place = |(id, (name, short, street, suburb, rest)): (
        i64,
        (&str, &str, &str, &str, &str),
    )| {
        let (state, postcode) = rest.split_once(' ').expect("state and postcode");
        let value = json!({
            "id": id, "name": name, "abbreviation": short, "contact": "Dock office", "phone": "02 5550 0114",
            "addressLine1": street,
            "location": {"suburb": suburb, "state": state, "postcode": postcode, "timeZone": "Australia/Sydney"},
        });
        serde_json::from_value(value).expect("a location")
    };
    (1..).zip(PLACES).map(place).collect()
}

pub(super) fn consignments(count: i64) -> Vec<Consignment> {
    const CARRIERS: [(&str, &str); 4] = [
        ("Southern Cross", "Road"),
        ("Bluegum", "Road"),
        ("Tasman Freight", "Air"),
        ("Kookaburra Air", "Express"),
    ];
    let one = |at: i64| {
        let index = usize::try_from(at).expect("small");
        let (name, _, _, suburb, rest) = PLACES[1 + index % 5];
        let (state, postcode) = rest.split_once(' ').expect("state and postcode");
        let (carrier, service) = CARRIERS[index % 4];
        let value = json!({
            "id": 200_431 - at, "consignmentNumber": format!("MS{}", 200_431 - at),
            "status": {"id": 2, "name": "Unmanifested"},
            "carrier": {"id": 1, "displayName": carrier}, "carrierService": {"id": 1, "displayName": service},
            "customerReference": format!("SO-{}", 48_213 - 3 * at), "toName": name,
            "fromName": "Harbour Supplies",
            "fromLocation": {"suburb": "Alexandria", "state": "NSW", "postcode": "2015"},
            "toLocation": {"suburb": suburb, "state": state, "postcode": postcode},
            "totalItemCount": at % 12 + 1, "totalWeight": format!("{}.{}", at * 37 % 400 + 2, at % 10),
            "despatchDateLocal": if at % 5 == 0 { "2026-11-23T15:30:00" } else { "2026-11-20T15:30:00" },
            "dgsDeclaration": at % 5 == 0,
        });
        serde_json::from_str(&value.to_string()).expect("a consignment")
    };
    (0..count).map(one).collect()
}

/// A busy afternoon.
pub(crate) fn shared() -> Shared {
    let mut shared = Shared::new(now(), Environment::Practice);
    in_sydney(&mut shared);
    "Bench 4".clone_into(&mut shared.bench.name);
    "Kiri".clone_into(&mut shared.bench.staff);
    shared.session.health.latency = Some(Duration::from_millis(84));
    let company = |id: i64, name: &str| {
        serde_json::from_value(json!({"id": id, "name": name})).expect("a company")
    };
    shared.catalogue.companies = Remote::ready(vec![
        company(1, "Harbour Supplies"),
        company(2, "Harbour Rural"),
    ]);
    shared.session.company = Some(CompanyId::new(1));
    shared.session.own_company = shared.session.company;
    shared.catalogue.locations = Remote::ready(locations());
    shared.consign.routes = Remote::ready(typed::routes());
    list_rows(&mut shared, rows_of(&consignments(1_208)));
    shared.dispatch.unmanifested_at = Some(now());
    pickups::put_into(&mut shared);
    paper::put_into(&mut shared);
    operations::put_into(&mut shared);
    shared.consign.drafts = vec![typed::draft(), typed::draft()];
    shared
}

fn in_sydney(shared: &mut Shared) {
    "Australia/Sydney".clone_into(&mut shared.session.zone);
    "Sydney".clone_into(&mut shared.session.place);
}

/// With what can go wrong around the screens.
pub(super) fn troubled() -> Shared {
    let mut shared = shared();
    shared.session.environment = Environment::Live;
    shared.session.health.away_since = Some(now());
    shared.search.not_found = Some("SO-99999".to_owned());
    let mut notice = Notice::new(
        Tone::Warning,
        "The service cannot be reached",
        "Check the network; what you type is kept",
    );
    "connect: connection refused".clone_into(&mut notice.detail);
    shared.notices.shown = vec![(NoticeId(1), notice)];
    shared
}

/// A bench on its first morning.
pub(crate) fn blank() -> Shared {
    let mut shared = Shared::new(now(), Environment::Test);
    in_sydney(&mut shared);
    shared.dispatch.unmanifested = Remote::ready(Arc::default());
    shared.labels.printers = Remote::ready(Vec::new());
    shared
}
