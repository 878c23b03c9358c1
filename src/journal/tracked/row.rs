//! A consignment as it is followed: what a row shows and is found by, what the board counts it by, and its history.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::shipping::{
    CarrierId, CompanyId, Consignment, ConsignmentId, CubicMetres, Dollars, Kilograms, LocalTime,
    Location, ManifestId, Status, StatusChange, StatusId, UtcTime, zone_of,
};

/// A consignment with its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// What a row shows.
    pub row: Tracked,
    /// How it got there, as the service told it.
    pub history: Vec<StatusChange>,
}

/// A consignment that is followed. Texts that the service did not give are empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracked {
    /// Its id.
    pub id: ConsignmentId,
    /// Whose it is.
    pub company: Option<CompanyId>,
    /// `MS200431`.
    pub number: String,
    /// The carrier's reference.
    pub carrier_number: String,
    /// The shipper's reference.
    pub reference: String,
    /// The second reference, or the bench's key.
    pub reference2: String,
    /// Opens its public tracking page.
    pub tracking_token: String,
    /// The sender.
    pub from: String,
    /// Where it is picked up.
    pub from_place: Location,
    /// The receiver.
    pub to: String,
    /// Where it goes.
    pub to_place: Location,
    /// The carrier, where the answer names its id.
    pub carrier_id: Option<CarrierId>,
    /// The carrier.
    pub carrier: String,
    /// The carrier's service.
    pub service: String,
    /// Where it stands.
    pub status: Status,
    /// When its status changed last; nothing where no step of its history says when.
    pub changed: Option<Timestamp>,
    /// When the carrier told something of it last.
    pub scanned: Option<Timestamp>,
    /// When it was booked, or left Unmanifested.
    pub booked: Option<Timestamp>,
    /// When it was delivered, or ended in another way.
    pub ended: Option<Timestamp>,
    /// Leaves, on the sender's clocks.
    pub despatch: Option<LocalTime>,
    /// Leaves.
    pub despatch_at: Option<Timestamp>,
    /// To arrive, on the receiver's clocks.
    pub eta: Option<LocalTime>,
    /// To arrive.
    pub eta_at: Option<Timestamp>,
    /// The manifest that it is booked on.
    pub manifest: Option<ManifestId>,
    /// Files that it has.
    pub attachments: i64,
    /// Pieces.
    pub pieces: i64,
    /// Kilograms of all pieces.
    pub weight: Option<Kilograms>,
    /// Cubic metres of all pieces.
    pub volume: Option<CubicMetres>,
    /// What the shipper pays, tax included.
    pub price: Option<Dollars>,
    /// It holds dangerous goods; nothing where the answer did not say.
    pub dangerous: Option<bool>,
    /// One end is outside Australia.
    pub international: bool,
    /// Marked as important at the service.
    pub important: bool,
    /// Made in test mode: no carrier comes for it.
    #[serde(default)]
    pub is_test: bool,
}

impl Tracked {
    /// Every number and reference that it goes by.
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

    /// All that it is found by.
    pub fn found_by(&self) -> String {
        let names = [
            self.to.as_str(),
            &self.to_place.suburb,
            &self.to_place.postcode,
            &self.from,
        ];
        let words: Vec<&str> = self.numbers().chain(names).collect();
        words.join(" ")
    }
}

impl Followed {
    /// What the service says of a consignment, in whichever of its shapes. What this answer says nothing of stays as the row
    /// before has it; of a history that it leaves out, the row alone: what was kept of it is whoever keeps it's to find.
    pub fn of(one: &Consignment, before: Option<&Tracked>) -> Self {
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
        let row = Tracked {
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
            _ if one.is_whole() => row.whole_after(before),
            before => row.lighter_after(one, before),
        };
        Self { row, history }
    }
}

/// When a status was reached for the last time: carriers tell one that lasts again and again. Steps of single pieces count for
/// nothing here.
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

/// The moment that the service says, else the one that the place's clocks show.
fn moment(utc: Option<UtcTime>, local: Option<LocalTime>, place: &Location) -> Option<Timestamp> {
    if let Some(at) = utc {
        return Some(at.0);
    }
    Some(local?.told_in(zone_of(place))?.0)
}
