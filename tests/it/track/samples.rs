//! Sample rows as a service might send them.

use shipping::{
    CarrierId, CompanyId, ConsignmentId, Dollars, Kilograms, LocalTime, Location, Status,
    StatusChange, StatusId, UtcTime,
};
use storage::{ConsignmentHistory, ConsignmentRow};

pub(super) const NOW: &str = "2026-11-20T03:05:00Z";

pub(super) fn at(text: &str) -> jiff::Timestamp {
    text.parse().expect("a moment")
}

pub(super) fn status(id: i64) -> Status {
    let id = StatusId::new(id);
    Status {
        id,
        name: id.name().unwrap_or("Unheard of").to_owned(),
        description: format!("What {id:?} means"),
    }
}

pub(super) fn step(status_id: i64, when: &str) -> StatusChange {
    StatusChange {
        consignment_tracking_status: Some(status(status_id)),
        consignment_id: None,
        created_by_name: "Carrier".to_owned(),
        created_by_user_id: None,
        status_is_partial: false,
        status_date_local: Some(LocalTime("2026-11-19T09:30:00".parse().expect("a time"))),
        status_date_utc: Some(UtcTime(at(when))),
        carrier_status: Some("OFD".to_owned()),
        carrier_status_description: Some("Onboard for delivery".to_owned()),
        status_information: None,
        item_reference: None,
    }
}

/// A consignment on its way, all of it filled in.
pub(super) fn followed(id: i64) -> ConsignmentHistory {
    let place = |suburb: &str, postcode: &str| Location {
        id: Some(7),
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
        state: "NSW".to_owned(),
        time_zone: "Australia/Sydney".to_owned(),
        country: "Australia".to_owned(),
    };
    let local = |text: &str| Some(LocalTime(text.parse().expect("a time")));
    let row = ConsignmentRow {
        company: Some(CompanyId::new(1)),
        number: format!("MS{id}"),
        carrier_number: format!("TLX{}", 900_000 + id),
        reference: format!("SO-{id}"),
        tracking_token: format!("Ab{id}xYzToken"),
        from: "Main Warehouse".to_owned(),
        from_place: place("Alexandria", "2015"),
        to: "Smith & Sons".to_owned(),
        to_place: place("Wollongong", "2500"),
        carrier_id: Some(CarrierId::new(4)),
        carrier: "Team Lines".to_owned(),
        service: "Road".to_owned(),
        status: status(5),
        changed: Some(at("2026-11-19T01:00:00Z")),
        scanned: Some(at("2026-11-19T01:00:00Z")),
        booked: Some(at("2026-11-18T01:00:00Z")),
        despatch: local("2026-11-18T12:00:00"),
        despatch_at: Some(at("2026-11-18T01:00:00Z")),
        eta: local("2026-11-21T17:00:00"),
        eta_at: Some(at("2026-11-21T06:00:00Z")),
        attachments: 2,
        pieces: 3,
        weight: Some(Kilograms("12.5".parse().expect("a number"))),
        price: Some(Dollars("48.07".parse().expect("a number"))),
        dangerous: Some(false),
        important: true,
        ..ConsignmentRow::empty(ConsignmentId::new(id))
    };
    ConsignmentHistory {
        row,
        history: vec![
            step(3, "2026-11-18T01:00:00Z"),
            step(5, "2026-11-19T01:00:00Z"),
        ],
    }
}

/// The same, changed.
pub(super) fn with(id: i64, change: impl FnOnce(&mut ConsignmentRow)) -> ConsignmentHistory {
    let mut one = followed(id);
    change(&mut one.row);
    one
}

pub(super) fn ids(numbers: &[i64]) -> Vec<ConsignmentId> {
    numbers.iter().copied().map(ConsignmentId::new).collect()
}
