//! Invented consignments in the service's JSON, each with a page of its own.

use std::sync::Arc;

use app::state::{
    ConsignmentHistory, ManifestRow, OperationId, PageView, Remote, Screen, Shared, TrackPane,
};
use engine::{EngineError, Failure};
use serde_json::{Value, json};
use shipping::{Consignment, ConsignmentId, TrackingBases, TrackingDesign};

use crate::journeys::screens::data;

pub(in crate::track) const ID: ConsignmentId = ConsignmentId::new(198_102);
pub(in crate::track) const ADDRESS: &str =
    "https://track.example/v2/9f1c7a52e8d04b6e9f1c7a52e8d04b6e";

/// The status, the local time, the UTC time, and the person.
pub(in crate::track) type Told = (i64, &'static str, &'static str, &'static str);

fn steps(told: &[Told]) -> Vec<Value> {
    let step = |(status, local, utc, by): &Told| {
        json!({
            "consignmentTrackingStatus": { "id": status, "name": shipping::StatusId::new(*status).name() },
            "statusDateLocal": local, "statusDateUtc": utc, "createdByName": by, "statusIsPartial": false,
        })
    };
    told.iter().map(step).collect()
}

const BOOKED: [Told; 2] = [
    (2, "2026-11-17T15:02:00", "2026-11-17T04:02:00", "Kiri"),
    (3, "2026-11-17T16:10:00", "2026-11-17T05:10:00", "Kiri"),
];

fn base(status: i64, history: Vec<Value>) -> Value {
    let mut one = json!({
        "id": ID, "consignmentNumber": "MS198102", "carrierConsignmentId": "BGX198102001",
        "status": { "id": status, "name": shipping::StatusId::new(status).name() },
        "customerReference": "SO-47917", "customerReference2": "BENCH4-7KQ2M9PA",
        "fromName": "Harbour Supplies", "fromContact": "Dock office", "fromPhone": "02 5550 0114",
        "fromAddressLine1": "14 Wharf Road",
        "fromLocation": { "suburb": "Alexandria", "state": "NSW", "postcode": "2015" },
        "toName": "Kings Park Nursery", "toContact": "R. Ngata", "toPhone": "08 5550 0177",
        "toEmail": "yard@kingspark.example", "toAddressLine1": "5 Fraser Avenue", "toAddressLine2": "Gate 3",
        "toLocation": { "suburb": "West Perth", "state": "WA", "postcode": "6005" },
        "carrier": { "id": 2, "displayName": "Bluegum" }, "carrierService": { "id": 4, "displayName": "Road" },
        "despatchDateLocal": "2026-11-17T16:30:00", "despatchDateUtc": "2026-11-17T05:30:00",
        "etaLocal": "2026-11-23T17:00:00", "etaUtc": "2026-11-23T09:00:00",
        "manifestId": 511, "attachmentCount": 0, "trackingPageAccessToken": "9f1c7a52e8d04b6e9f1c7a52e8d04b6e",
    });
    let rest = json!({
        "totalItemCount": 3, "totalWeight": 21.0, "totalVolume": 0.144, "totalCubic": 36.0, "heaviestWeight": 9.0,
        "specialInstructions": "Ring before noon",
        "consignmentTotal": {
            "totalSellPrice": 48.62, "totalTaxSellPrice": 4.42, "sellFuelLevyPrice": 5.10,
            "totalSellBeforeTax": 44.20, "sellPricesCleared": false,
        },
    });
    for (name, value) in rest.as_object().expect("an object") {
        one[name] = value.clone();
    }
    one["statusHistory"] = history.into();
    one["items"] = json!([
        { "itemType": "Carton", "name": "Hose reels, 20 m", "sku": "HR-20", "quantity": 2, "weight": 9,
          "length": 40, "width": 40, "height": 30, "references": ["BGX0001", "BGX0002"] },
        { "itemType": "Carton", "name": "Fittings", "quantity": 1, "weight": 3,
          "length": 30, "width": 20, "height": 20, "references": ["BGX0003"] },
    ]);
    one
}

fn showing(one: &Value) -> Shared {
    let one: Consignment = serde_json::from_str(&one.to_string()).expect("a consignment");
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    shared.track.pane = TrackPane::Table;
    shared.dispatch.groups_view.manifests = Remote::ready(Arc::new(vec![ManifestRow {
        operation: OperationId(9_001),
        carrier: "Bluegum".to_owned(),
        reference: "BG-55102".to_owned(),
        manifest: Some(shipping::ManifestId::new(511)),
        pickup: None,
        count: 1,
        booked: shared.now,
        is_partial: false,
        search_text: String::new(),
    }]));
    shared.track.page = PageView {
        open: Some(one.id),
        history: Remote::ready(Some(ConsignmentHistory::of(&one, None))),
        consignment: Remote::ready(Arc::new(one)),
        fetched_at: Some(shared.now),
        ..PageView::default()
    };
    shared
}

/// A page with these tracking steps. A step with an empty time has no time. Without `places`, sender and receiver are unknown.
pub(in crate::track) fn stepped(told: &[Told], places: bool) -> Shared {
    let mut history = steps(told);
    for step in &mut history {
        for time in ["statusDateLocal", "statusDateUtc"] {
            if step[time] == json!("") {
                step[time] = Value::Null;
            }
        }
    }
    let mut one = base(5, history);
    if !places {
        (one["fromLocation"], one["toLocation"]) = (json!({}), json!({}));
    }
    showing(&one)
}

/// Booked, and nothing else.
pub(in crate::track) fn manifested() -> Shared {
    showing(&base(3, steps(&BOOKED)))
}

/// Not booked yet.
pub(in crate::track) fn waiting() -> Shared {
    let mut one = base(2, steps(&BOOKED[..1]));
    one["manifestId"] = json!(0);
    showing(&one)
}

/// Dangerous goods, of which a piece came to harm in Perth.
pub(in crate::track) fn damaged() -> Shared {
    let mut history = steps(&BOOKED);
    history.extend(steps(&[
        (5, "2026-11-17T19:02:00", "2026-11-17T08:02:00", "Bluegum"),
        (16, "2026-11-19T06:40:00", "2026-11-18T22:40:00", "Bluegum"),
        (9, "2026-11-19T09:05:00", "2026-11-19T01:05:00", "Bluegum"),
        (9, "2026-11-19T09:12:00", "2026-11-19T01:12:00", "Bluegum"),
    ]));
    history[3]["statusInformation"] = json!("Perth");
    history[4]["statusIsPartial"] = json!(true);
    history[4]["itemReference"] = json!("BGX0002");
    history[5]["carrierStatus"] = json!("DMG");
    history[5]["carrierStatusDescription"] = json!("Carton crushed, contents leaking");
    history[5]["statusInformation"] = json!("Perth depot, bay 4");
    let mut one = base(9, history);
    one["important"] = json!(true);
    one["dgsDeclaration"] = json!(true);
    one["items"][1]["name"] = json!("Ethanol, 1 L bottles");
    one["items"][1]["consignmentItemDgItems"] = json!([{
        "unNumber": 1170, "properShippingName": "ETHANOL SOLUTION", "packingGroup": 2, "dgClassType": 5,
        "containerType": 6, "numberOfContainers": 3, "aggregateQuantity": 3, "isAggregateQuantityWeight": false,
    }]);
    one["attachmentCount"] = json!(2);
    showing(&one)
}

/// To New Zealand, delivered late.
pub(in crate::track) fn abroad() -> Shared {
    let mut history = steps(&BOOKED);
    history.extend(steps(&[
        (
            5,
            "2026-11-18T08:00:00",
            "2026-11-17T21:00:00",
            "Tasman Freight",
        ),
        (
            7,
            "2026-11-20T15:30:00",
            "2026-11-20T02:30:00",
            "Tasman Freight",
        ),
    ]));
    history[3]["statusInformation"] = json!("Signed by H. Parata");
    let mut one = base(7, history);
    one["isInternational"] = json!(true);
    one["toName"] = json!("Aroha Outdoor");
    one["toAddressLine1"] = json!("71 Te Rapa Road");
    one["toAddressLine2"] = json!(null);
    one["toCountryCode"] = json!("NZL");
    one["toLocation"] = json!({
        "suburb": "Hamilton", "postcode": "3200", "timeZone": "Pacific/Auckland", "country": "NZL"
    });
    one["etaLocal"] = json!("2026-11-20T12:00:00");
    one["etaUtc"] = json!("2026-11-19T23:00:00");
    one["completedDateUtc"] = json!("2026-11-20T02:30:00");
    one["items"][0]["consignmentItemContents"] = json!([{
        "description": "Garden hose on a reel", "quantity": 2, "harmonizedCode": "3917.39", "purpose": "Sale",
        "countryOfManufactureCode": "AUS", "dollarValue": 240,
    }]);
    one["consignmentTotal"]["sellPricesCleared"] = json!(true);
    showing(&one)
}

/// Twenty-six steps over ten days, with long silences.
pub(in crate::track) fn long() -> Shared {
    let mut history = steps(&BOOKED[..1]);
    for at in 0..24_i64 {
        let day = 8 + at / 3;
        let hour = 6 + at % 3 * 4;
        let local = format!("2026-11-{day:02}T{hour:02}:20:00");
        let utc = format!(
            "2026-11-{:02}T{:02}:20:00",
            day - 1,
            hour + 13 - at % 3 * 4 + at % 3
        );
        let status = [16, 5, 18][usize::try_from(at % 3).expect("small")];
        history.push(json!({
            "consignmentTrackingStatus": { "id": status },
            "statusDateLocal": local, "statusDateUtc": utc, "createdByName": "Bluegum",
        }));
    }
    history.push(
        json!({ "consignmentTrackingStatus": { "id": 6, "name": "Delayed" },
        "statusDateUtc": "2026-11-18T01:00:00", "createdByName": "Bluegum",
        "carrierStatusDescription": "Line closed by flood at Ceduna" }),
    );
    let mut one = base(6, history);
    one["etaLocal"] = json!("2026-11-18T17:00:00");
    one["etaUtc"] = json!("2026-11-18T09:00:00");
    showing(&one)
}

/// The service is away: what was followed is shown.
pub(in crate::track) fn failed() -> Shared {
    let mut shared = damaged();
    let page = &mut shared.track.page;
    page.consignment = Remote::failed(EngineError::Service(Failure::TimedOut), None);
    page.fetched_at = None;
    shared
}

/// The token may not cancel.
pub(in crate::track) fn refused() -> Shared {
    let mut shared = manifested();
    let words = "You do not have permission to cancel consignments";
    shared.track.rights.no_cancel = Some(words.to_owned());
    shared
}

/// Its tracking page is shown.
pub(in crate::track) fn tracking() -> Shared {
    let mut shared = manifested();
    shared.session.tracking = TrackingBases {
        v1: Some("https://track.example/v1".to_owned()),
        v2: Some("https://track.example/v2".to_owned()),
        ..TrackingBases::default()
    };
    shared.track.page.tracking = Some(TrackingDesign::Modern);
    shared
}
