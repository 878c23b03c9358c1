//! A tracked consignment: the values of a row, the texts it is found by, the numbers it is counted by,
//! and its history.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use shipping::{
    CarrierId, CarrierServiceId, CompanyId, Consignment, ConsignmentId, CubicMetres, Dollars,
    Kilograms, LocalTime, Location, ManifestId, Status, StatusChange, StatusId, UtcTime,
    time_zone_of,
};

/// A tracked consignment with its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsignmentHistory {
    pub row: ConsignmentRow,
    /// The status history, as the service gave it.
    pub history: Vec<StatusChange>,
}

/// A row of a tracked consignment. Texts that the service did not give are empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsignmentRow {
    pub id: ConsignmentId,
    /// The company that owns the consignment.
    pub company: Option<CompanyId>,
    /// The consignment number, such as `MS200431`.
    pub number: String,
    /// The consignment's number at the carrier.
    pub carrier_number: String,
    /// The shipper's reference.
    pub reference: String,
    /// The second reference, which may hold the bench's key.
    pub reference2: String,
    /// Token of the public tracking page.
    pub tracking_token: String,
    /// The sender's name.
    pub from: String,
    /// The pickup place.
    pub from_place: Location,
    /// The receiver's name.
    pub to: String,
    /// The destination.
    pub to_place: Location,
    /// The carrier's id, if the answer gives it.
    pub carrier_id: Option<CarrierId>,
    /// The carrier's name.
    pub carrier: String,
    /// The id of the carrier's service, if the answer gives it.
    #[serde(default)]
    pub service_id: Option<CarrierServiceId>,
    /// The name of the carrier's service.
    pub service: String,
    pub status: Status,
    /// When the status last changed; `None` if no entry of the history has a time.
    pub changed: Option<Timestamp>,
    /// When the carrier last reported anything.
    pub scanned: Option<Timestamp>,
    /// When the consignment was booked, or left Unmanifested.
    pub booked: Option<Timestamp>,
    /// When the consignment was delivered, or ended in another way.
    pub ended: Option<Timestamp>,
    /// Despatch time in the sender's time zone.
    pub despatch: Option<LocalTime>,
    /// Despatch time.
    pub despatch_at: Option<Timestamp>,
    /// ETA in the receiver's time zone.
    pub eta: Option<LocalTime>,
    pub eta_at: Option<Timestamp>,
    pub manifest: Option<ManifestId>,
    /// Number of attached files.
    pub attachments: i64,
    /// Number of pieces.
    pub pieces: i64,
    /// Total weight in kilograms.
    pub weight: Option<Kilograms>,
    /// Total volume in cubic metres.
    pub volume: Option<CubicMetres>,
    /// Price for the shipper, including tax.
    pub price: Option<Dollars>,
    /// True if there are dangerous goods; `None` if the answer did not say.
    pub dangerous: Option<bool>,
    /// True if one of the places is outside Australia.
    pub international: bool,
    /// True if marked as important at the service.
    pub important: bool,
    /// True if made in test mode, so that no carrier comes.
    #[serde(default)]
    pub is_test: bool,
}

impl ConsignmentRow {
    /// Returns all numbers and references of the consignment.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        let numbers = [
            &self.number,
            &self.carrier_number,
            &self.reference,
            &self.reference2,
            &self.tracking_token,
        ];
        numbers
            .into_iter()
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }
}

impl ConsignmentHistory {
    /// Converts the service's answer, in any of its shapes. Values that the answer leaves out are taken from
    /// the row `before`. A history that the answer leaves out stays empty here; the
    /// caller keeps the stored history.
    pub fn of(one: &Consignment, before: Option<&ConsignmentRow>) -> Self {
        let history = one.history().to_vec();
        let status = one.status().cloned().unwrap_or_else(|| Status {
            id: StatusId::new(0),
            name: String::new(),
            description: String::new(),
        });
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let place = |place: &Option<Location>| place.clone().unwrap_or_default();
        let (from_place, to_place) = (place(&one.from_location), place(&one.to_location));
        let at = |step: &StatusChange| step.status_date_utc.map(|at| at.0);
        let from_carrier = |step: &&StatusChange| {
            step.carrier_status.is_some() || step.carrier_status_description.is_some()
        };
        let left = |step: &&StatusChange| {
            let there = step.consignment_tracking_status.as_ref();
            there.is_some_and(|there| there.id == StatusId::MANIFESTED)
        };
        let changed = history.iter().filter_map(at).max();
        let ended = one.completed_date_utc.map(|at| at.0);
        let ended = ended.or_else(|| reached(&history, status.id));
        let row = ConsignmentRow {
            id: one.id,
            company: one.company_id,
            number: one.consignment_number.clone(),
            carrier_number: text(&one.carrier_consignment_id),
            reference: text(&one.customer_reference),
            reference2: text(&one.customer_reference2),
            tracking_token: text(&one.tracking_page_access_token),
            from: text(&one.from_name),
            to: text(&one.to_name),
            carrier_id: one.carrier_id(),
            carrier: one.carrier_name().to_owned(),
            service_id: one.carrier_service_id(),
            service: one.service_name().to_owned(),
            changed,
            scanned: { history.iter().filter(from_carrier).filter_map(at).max() },
            booked: { history.iter().filter(left).filter_map(at).min() },
            ended: ended.filter(|_| status.id.is_final()),
            status,
            despatch: one.despatch_date_local,
            despatch_at: moment(one.despatch_date_utc, one.despatch_date_local, &from_place),
            eta: one.eta_local,
            eta_at: moment(one.eta_utc, one.eta_local, &to_place),
            from_place,
            to_place,
            manifest: one.manifest_id.filter(|id| id.get() != 0),
            attachments: { one.attachment_count }
                .or_else(|| before.map(|before| before.attachments))
                .unwrap_or_default(),
            pieces: one.pieces(),
            weight: one.total_weight,
            volume: one.total_volume.or(one.total_cubic),
            price: one.consignment_total.total_sell_price,
            dangerous: { one.dangerous_goods() }
                .or_else(|| before.and_then(|before| before.dangerous)),
            international: one.is_international,
            important: one.important,
            is_test: { one.is_test }.unwrap_or_else(|| before.is_some_and(|before| before.is_test)),
        };
        let row = match before {
            _ if one.has_full_details() => row.merge_complete(before),
            before => row.merge_partial(one, before),
        };
        Self { row, history }
    }
}

/// Returns when a consignment last came into a status. Carriers repeat a status while it lasts, so the first entry of
/// the last run counts. Ignores entries for single pieces.
fn reached(history: &[StatusChange], status: StatusId) -> Option<Timestamp> {
    let whole = history.iter().filter(|step| !step.status_is_partial);
    let mut steps: Vec<(Timestamp, bool)> = whole
        .filter_map(|step| {
            let there = step.consignment_tracking_status.as_ref()?;
            Some((step.status_date_utc?.0, there.id == status))
        })
        .collect();
    steps.sort_unstable();
    let mut runs = steps.chunk_by(|one, next| one.1 == next.1).rev();
    let last = runs.find(|run| run[0].1)?;
    Some(last[0].0)
}

/// Returns the UTC time if given; otherwise converts the local time with the place's time zone.
fn moment(utc: Option<UtcTime>, local: Option<LocalTime>, place: &Location) -> Option<Timestamp> {
    if let Some(at) = utc {
        return Some(at.0);
    }
    Some(local?.in_zone_lenient(time_zone_of(place))?.0)
}
