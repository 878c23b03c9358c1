//! A typed consignment, and its routes.

use app::state::{Editing, PricePart, RouteDetails, RouteView, SaveState};
use draft::{ChosenRoute, DgLine, Draft, GoodsLine, Routing};
use shipping::{CarrierId, CarrierServiceId, DespatchOption, Dollars, Question};

use super::{local, locations, now};
use crate::support::requests::{spirits, type_ballarat};

fn route(carrier: i64, name: &str, service: &str, price: &str, eta: &str) -> ChosenRoute {
    ChosenRoute {
        carrier_id: CarrierId::new(carrier),
        service_id: Some(CarrierServiceId::new(carrier * 10)),
        account_id: None,
        company_account_id: None,
        carrier: name.to_owned(),
        service: service.to_owned(),
        price: Some(Dollars(price.parse().expect("a price"))),
        account: String::new(),
        eta: local(eta),
    }
}

fn details() -> RouteDetails {
    let part = |name: &str, amount: &str| PricePart {
        name: name.to_owned(),
        amount: Dollars(amount.parse().expect("a price")),
        is_tax: name.starts_with("GST"),
    };
    let option = |leaves, eta, days, holiday| DespatchOption {
        despatch_date_local: local(leaves),
        despatch_date_utc: None,
        eta_local: local(eta),
        eta_utc: None,
        duration_in_minutes: None,
        total_business_days: Some(days),
        eta_affected_by_public_holidays: holiday,
        despatch_date_affected_by_public_holidays: false,
        is_time_window: false,
        custom_eta_string: None,
        carrier_accepts_despatch_times: None,
    };
    RouteDetails {
        parts: vec![
            part("Freight", "22.73"),
            part("Fuel levy, 18.5 %", "4.20"),
            part("Hydraulic tailgate", "8.00"),
            part("GST, 10 %", "3.47"),
        ],
        despatches: vec![
            option("2026-11-20T15:30:00", "2026-11-23T17:00:00", 1, false),
            option("2026-11-23T07:00:00", "2026-11-25T17:00:00", 2, true),
        ],
    }
}

pub(super) fn routes() -> Vec<RouteView> {
    let offer = |route, cheapest, fastest| RouteView::Offer {
        route,
        before_tax: Some(Dollars("34.93".parse().expect("a price"))),
        despatch: None,
        cheapest,
        fastest,
        details: Box::new(details()),
    };
    vec![
        offer(
            route(1, "Southern Cross", "Road", "38.40", "2026-11-23T17:00:00"),
            true,
            false,
        ),
        offer(
            route(2, "Bluegum", "Road", "41.05", "2026-11-23T17:00:00"),
            false,
            false,
        ),
        offer(
            route(
                3,
                "Tasman Freight",
                "General",
                "44.90",
                "2026-11-24T17:00:00",
            ),
            false,
            false,
        ),
        offer(
            route(
                4,
                "Southern Cross",
                "Express",
                "96.20",
                "2026-11-21T12:00:00",
            ),
            false,
            true,
        ),
        RouteView::Refusal {
            carrier: "Kookaburra Air".to_owned(),
            reason: "takes no dangerous goods".to_owned(),
        },
    ]
}

pub(super) fn draft() -> Draft {
    let mut draft = Draft::default();
    let places = locations();
    draft.from.set_location(&places[0]);
    type_ballarat(&mut draft.to);
    for (slot, text) in [
        (&mut draft.reference1, "SO-48213"),
        (&mut draft.despatch, "15:30"),
        (&mut draft.instructions, "Ring bell at gate 2"),
    ] {
        text.clone_into(slot);
    }
    draft.questions.insert(Question::Tailgate);
    draft.goods = [
        (
            "Carton",
            "Hose reels, 20 m",
            "HR-20",
            "2",
            "9.0",
            ["40", "40", "30"],
        ),
        (
            "Carton",
            "Methylated spirits, 12 × 1 L",
            "MS-12",
            "1",
            "11.5",
            ["36", "28", "32"],
        ),
        (
            "Pallet",
            "Potting mix, 40 bags",
            "PM-40",
            "1",
            "",
            ["117", "117", "20"],
        ),
    ]
    .into_iter()
    .map(line)
    .collect();
    draft.goods[1].dangerous.push(DgLine {
        flash_point: "33".to_owned(),
        hazchem: String::new(),
        ..spirits()
    });
    draft.routing = Routing::Chosen(route(
        1,
        "Southern Cross",
        "Road",
        "38.40",
        "2026-11-23T17:00:00",
    ));
    draft
}

fn line(
    (kind, name, sku, quantity, weight, [length, width, height]): (
        &str,
        &str,
        &str,
        &str,
        &str,
        [&str; 3],
    ),
) -> GoodsLine {
    GoodsLine {
        item_type: kind.to_owned(),
        name: name.to_owned(),
        sku: sku.to_owned(),
        quantity: quantity.to_owned(),
        weight: weight.to_owned(),
        length: length.to_owned(),
        width: width.to_owned(),
        height: height.to_owned(),
        ..GoodsLine::default()
    }
}

/// A consignment that lacks a weight, a Hazchem code and the declaration.
pub(crate) fn editing() -> Editing {
    let mut editing = Editing::of(draft());
    editing.show_all = true;
    editing.saved = SaveState::At(now());
    editing
}
