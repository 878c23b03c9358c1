//! A service that lists a warehouse's invented consignments, all different, in the service's JSON.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::list::data::CARRIERS;
use crate::support::runtime::serve;

const FIRST_NAMES: [&str; 20] = [
    "Ballarat",
    "Tweed",
    "Aroha",
    "Gawler",
    "Kings Park",
    "Mount Isa",
    "Daylesford",
    "Cairns",
    "Bendigo",
    "Otago",
    "Wollongong",
    "Geelong",
    "Fremantle",
    "Launceston",
    "Whangarei",
    "Toowoomba",
    "Mildura",
    "Albury",
    "Dubbo",
    "Warragul",
];
const TRADES: [&str; 16] = [
    "Farm & Garden",
    "Marine",
    "Outdoor",
    "Hardware",
    "Nursery",
    "Rural",
    "Timber",
    "Irrigation",
    "Café Supplies",
    "Plumbing",
    "Bakery",
    "Electrical",
    "Stockfeeds",
    "Cycles",
    "Pharmacy",
    "Upholstery",
];
const SUBURBS: [&str; 25] = [
    "Central", "North", "South", "East", "West", "Heights", "Bay", "Creek", "Park", "Hill",
    "Valley", "Point", "Grove", "Junction", "Beach", "Flat", "Waters", "Ridge", "Vale", "Downs",
    "Springs", "Gardens", "Harbour", "Plains", "Lake",
];
/// The service, while it is not dropped.
pub(crate) struct Warehouse {
    pub(crate) address: String,
    looked: Arc<AtomicUsize>,
    _runtime: Runtime,
}

#[derive(Clone)]
struct Inside {
    count: usize,
    looked: Arc<AtomicUsize>,
}

impl Warehouse {
    pub(crate) fn of(count: usize) -> Self {
        let looked = Arc::<AtomicUsize>::default();
        let inside = Inside {
            count,
            looked: Arc::clone(&looked),
        };
        let router = Router::new().fallback(answer).with_state(inside);
        let (address, runtime) = serve(router);
        Self {
            address,
            looked,
            _runtime: runtime,
        }
    }

    /// How often somebody read the whole list and then asked which ids wait.
    pub(crate) fn looked(&self) -> usize {
        self.looked.load(Ordering::Relaxed)
    }
}

async fn answer(State(inside): State<Inside>, uri: Uri) -> Response {
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let object = match path.rsplit('/').next().unwrap_or_default() {
        "ping" => json!(true),
        "getAll" => json!([{"id": 1, "name": "Harbour Supplies"}]),
        "companyLocations" => json!([]),
        "groupAllUnmanifestedConsignmentsForManifest" => {
            inside.looked.fetch_add(1, Ordering::Relaxed);
            let ids: Vec<_> = (0..inside.count).map(|at| 200_000 + at).collect();
            json!([{"consignmentIds": ids, "companyId": 1, "carrierName": "Northline Express"}])
        }
        "getRecentlyCreatedOrUpdatedConsignments" => {
            let start = query
                .split('&')
                .find_map(|pair| pair.strip_prefix("startIndex="));
            let start: usize = start.and_then(|text| text.parse().ok()).unwrap_or(1);
            let end = inside.count.min(start - 1 + 200);
            let rows: Vec<_> = (start - 1..end).map(record).collect();
            return json_of(&json!({"object": rows, "errors": null, "totalItems": inside.count}));
        }
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    json_of(&json!({"object": object, "errors": null}))
}

fn json_of(value: &Value) -> Response {
    ([("content-type", "application/json")], value.to_string()).into_response()
}

fn record(at: usize) -> Value {
    let id = 200_000 + at;
    let town = FIRST_NAMES[at % FIRST_NAMES.len()];
    let suburb = format!("{town} {}", SUBURBS[at / 7 % SUBURBS.len()]);
    let (carrier, service) = CARRIERS[at % CARRIERS.len()];
    let name = format!("{town} {} {}", TRADES[at / 3 % TRADES.len()], at % 1_013);
    let moment = format!(
        "2026-11-{:02}T{:02}:{:02}:00",
        11 + at % 9,
        at % 24,
        at % 60
    );
    json!({
        "id": id, "consignmentNumber": format!("MS{id}"), "companyId": 1,
        "carrierConsignmentId": format!("SCX{:08}", at * 7_919 % 99_999_989),
        "customerReference": format!("SO-{}", 48_000 + at * 3),
        "customerReference2": format!("Bench4-{:08X}", at * 104_729),
        "trackingPageAccessToken": format!("{:016x}", at.wrapping_mul(2_654_435_761_097)),
        "consignmentTrackingStatus": {"id": 2, "name": "Unmanifested", "description": "Created, not booked yet"},
        "consignmentTrackingHistories": [{"consignmentId": id, "createdByName": "Clerk", "statusIsPartial": false,
            "consignmentTrackingStatus": {"id": 2, "name": "Unmanifested", "description": "Created"},
            "statusDateLocal": moment, "statusDateUtc": moment}],
        "consignmentTotal": {"sellPricesCleared": true, "totalSellPrice": at % 400 + 12, "totalTaxSellPrice": 3.49},
        "despatchDateLocal": moment, "etaLocal": moment,
        "carrier": {"id": 11 + at % 5, "name": carrier, "displayName": carrier},
        "carrierService": {"id": 31 + at % 5, "name": service, "displayName": service},
        "fromName": "Harbour Supplies, Sydney DC", "fromContact": "Dock office", "fromPhone": "02 5550 0114",
        "fromAddressLine1": "12 Bourke Road",
        "fromLocation": {"id": 9, "postcode": "2015", "state": "NSW", "timeZone": "Australia/Sydney",
            "suburb": "Alexandria", "country": "AU"},
        "toName": name, "toContact": format!("J. {}", SUBURBS[at % 25]), "toPhone": format!("03 5550 {:04}", at % 9_999),
        "toAddressLine1": format!("{} Creswick Road", at % 300 + 1),
        "toLocation": {"id": at % 500, "postcode": format!("{:04}", 2_000 + at % 500), "state": "VIC",
            "timeZone": "Australia/Melbourne", "suburb": suburb, "country": "AU"},
        "totalItemCount": at % 9 + 1, "totalWeight": at % 300 + 2, "totalVolume": 0.096,
        "isInternational": false, "dgsDeclaration": at.is_multiple_of(13), "isTest": false
    })
}
