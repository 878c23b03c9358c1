//! What waits for a manifest, as the bench lists it: of each consignment what a row shows and is found by, and no more,
//! so that 100,000 of them have room.
//!
//! What always holds: the newest is first, each consignment is there once; a list that was given out never changes, and one
//! that differs in a few rows shares all others with it. It must not know where rows come from.

mod kept;
mod numbers;

use std::collections::HashSet;
use std::sync::Arc;

use crate::shipping::{
    CarrierId, CarrierServiceId, CompanyId, Consignment, ConsignmentId, CubicMetres, Dollars,
    Kilograms, LocalTime, Location,
};
pub(super) use kept::body;
use numbers::{Entry, Numbers, digest, entries};

/// A place as a row shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Spot {
    /// Suburb, or city outside Australia.
    pub suburb: Box<str>,
    /// State or region.
    pub state: Box<str>,
    /// Postcode.
    pub postcode: Box<str>,
    /// Country, as the service spells it; empty at home as a rule.
    pub country: Box<str>,
    /// IANA time zone; may be empty.
    pub zone: Box<str>,
}

/// A consignment that waits for its manifest. Texts that the service did not give are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its id.
    pub id: ConsignmentId,
    /// Whose it is.
    pub company: Option<CompanyId>,
    /// `MS200431`.
    pub number: Box<str>,
    /// The carrier's reference.
    pub carrier_number: Box<str>,
    /// The shipper's reference.
    pub reference: Box<str>,
    /// The second reference, or the bench's key.
    pub reference2: Box<str>,
    /// Opens its public tracking page.
    pub tracking_token: Box<str>,
    /// The sender.
    pub from: Arc<str>,
    /// Where it is picked up.
    pub from_spot: Arc<Spot>,
    /// The receiver.
    pub to: Box<str>,
    /// Where it goes.
    pub to_spot: Arc<Spot>,
    /// The carrier, where the answer names its id.
    pub carrier_id: Option<CarrierId>,
    /// The carrier.
    pub carrier: Arc<str>,
    /// The carrier's service, where the answer names its id.
    pub service_id: Option<CarrierServiceId>,
    /// The carrier's service.
    pub service: Arc<str>,
    /// Pieces.
    pub pieces: i64,
    /// Kilograms of all pieces.
    pub weight: Option<Kilograms>,
    /// Cubic metres of all pieces.
    pub volume: Option<CubicMetres>,
    /// What the shipper pays, tax included.
    pub price: Option<Dollars>,
    /// Leaves, on the sender's clocks.
    pub despatch: Option<LocalTime>,
    /// Arrives, on the receiver's clocks.
    pub eta: Option<LocalTime>,
    /// It holds dangerous goods.
    pub dangerous: bool,
    /// One end is outside Australia.
    pub international: bool,
    /// Marked as important at the service.
    pub important: bool,
    /// Made in test mode: no carrier comes for it.
    pub is_test: bool,
}

impl Waiting {
    /// Every number and reference that it goes by.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        let numbers = [
            &self.number,
            &self.reference,
            &self.reference2,
            &self.carrier_number,
            &self.tracking_token,
        ];
        numbers
            .into_iter()
            .map(|text| &**text)
            .filter(|text| !text.is_empty())
    }
}

/// Makes rows; what many of them say alike is kept once.
#[derive(Debug, Default)]
pub struct Rows {
    texts: HashSet<Arc<str>>,
    spots: HashSet<Arc<Spot>>,
}

impl Rows {
    /// The row of a consignment.
    pub fn row(&mut self, one: &Consignment) -> Waiting {
        self.row_after(one, None)
    }

    /// The same; what this answer says nothing of stays as the row before has it.
    pub fn row_after(&mut self, one: &Consignment, before: Option<&Waiting>) -> Waiting {
        Waiting {
            id: one.id,
            company: one.company_id,
            number: one.consignment_number.as_str().into(),
            carrier_number: boxed(one.carrier_consignment_id.as_deref()),
            reference: boxed(one.customer_reference.as_deref()),
            reference2: boxed(one.customer_reference2.as_deref()),
            tracking_token: boxed(one.tracking_page_access_token.as_deref()),
            from: self.text(one.from_name.as_deref().unwrap_or_default()),
            from_spot: self.spot(one.from_location.as_ref()),
            to: boxed(one.to_name.as_deref()),
            to_spot: self.spot(one.to_location.as_ref()),
            carrier_id: one.carrier_id(),
            carrier: self.text(one.carrier_name()),
            service_id: one.carrier_service_id(),
            service: self.text(one.service_name()),
            pieces: one.pieces(),
            weight: one.total_weight,
            volume: one.total_volume.or(one.total_cubic),
            price: one.consignment_total.total_sell_price,
            despatch: one.despatch_date_local,
            eta: one.eta_local,
            dangerous: { one.dangerous_goods() }
                .unwrap_or_else(|| before.is_some_and(|before| before.dangerous)),
            international: one.is_international,
            important: one.important,
            is_test: { one.is_test }.unwrap_or_else(|| before.is_some_and(|before| before.is_test)),
        }
    }

    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let kept: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&kept));
        kept
    }

    fn spot(&mut self, location: Option<&Location>) -> Arc<Spot> {
        let spot = location.map_or_else(Spot::default, |location| Spot {
            suburb: location.suburb.as_str().into(),
            state: location.state.as_str().into(),
            postcode: location.postcode.as_str().into(),
            country: location.country.as_str().into(),
            zone: location.time_zone.as_str().into(),
        });
        self.shared(spot)
    }

    fn shared(&mut self, spot: Spot) -> Arc<Spot> {
        if let Some(known) = self.spots.get(&spot) {
            return Arc::clone(known);
        }
        let kept = Arc::new(spot);
        self.spots.insert(Arc::clone(&kept));
        kept
    }
}

fn boxed(text: Option<&str>) -> Box<str> {
    text.unwrap_or_default().into()
}

/// What waits for a manifest, newest first. Cheap to clone; a long one is to be made, and let go of, off the window's thread.
#[derive(Debug, Clone, Default)]
pub struct WaitingList {
    rows: Arc<Vec<Arc<Waiting>>>,
    numbers: Arc<Numbers>,
    /// The numbers of what was put in since those were sorted.
    newer: Vec<Entry>,
}

impl WaitingList {
    /// A list of these: sorted, each once; of two alike the later one stays.
    pub fn new(rows: impl IntoIterator<Item = Waiting>) -> Self {
        Self::of_shared(rows.into_iter().map(Arc::new).collect())
    }

    /// The same, of rows that other lists have too.
    pub(super) fn of_shared(mut rows: Vec<Arc<Waiting>>) -> Self {
        // The later of two is to come first of its kind: reversed before a sort that keeps the order.
        rows.reverse();
        rows.sort_by_key(|one| std::cmp::Reverse(one.id));
        rows.dedup_by_key(|one| one.id);
        rows.shrink_to_fit();
        Self {
            numbers: Arc::new(Numbers::of(&rows)),
            rows: Arc::new(rows),
            newer: Vec::new(),
        }
    }

    /// The unmanifested ones of these.
    pub fn of(consignments: &[Consignment]) -> Self {
        let mut rows = Rows::default();
        let waiting = consignments.iter().filter(|one| one.is_unmanifested());
        Self::new(waiting.map(|one| rows.row(one)))
    }

    /// All of them, newest first.
    pub fn rows(&self) -> &[Arc<Waiting>] {
        &self.rows
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Does nothing wait?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All of them, newest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Waiting> {
        self.rows.iter().map(|one| &**one)
    }

    /// The one with this id.
    pub fn get(&self, id: ConsignmentId) -> Option<&Waiting> {
        self.shared(id).map(|one| &**one)
    }

    /// The same, to be shared with another list.
    pub(super) fn shared(&self, id: ConsignmentId) -> Option<&Arc<Waiting>> {
        self.place(id).ok().map(|at| &self.rows[at])
    }

    /// The newest that goes by this number or reference, whole, and with letters of any size. Looks at few of them.
    pub fn called(&self, number: &str) -> Option<&Waiting> {
        let wanted = number.to_lowercase();
        let digest = digest(&wanted);
        let newer = self.newer.iter().filter(|(known, _)| *known == digest);
        let newer = newer.map(|(_, id)| *id);
        let found = self.numbers.called(&wanted).chain(newer);
        found
            .filter_map(|id| self.get(id))
            .filter(|one| one.numbers().any(|number| number.to_lowercase() == wanted))
            .max_by_key(|one| one.id)
    }

    /// The newest whose receiver holds these words, or with a number or reference that begins so. Looks at all of them.
    pub fn like(&self, words: &str) -> Option<&Waiting> {
        let wanted = words.to_lowercase();
        self.iter().find(|one| {
            one.to.to_lowercase().contains(&wanted)
                || one
                    .numbers()
                    .any(|number| number.to_lowercase().starts_with(&wanted))
        })
    }

    /// True where both are one list, not only alike.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows)
    }

    /// Puts one in, instead of the one with its id.
    pub fn put(&mut self, row: Waiting) {
        let place = self.place(row.id);
        if place.is_ok_and(|at| *self.rows[at] == row) {
            return;
        }
        self.newer.extend(entries(&row));
        let rows = Arc::make_mut(&mut self.rows);
        match place {
            Ok(at) => rows[at] = Arc::new(row),
            Err(at) => rows.insert(at, Arc::new(row)),
        }
    }

    /// Takes one out.
    pub fn remove(&mut self, id: ConsignmentId) {
        if let Ok(at) = self.place(id) {
            Arc::make_mut(&mut self.rows).remove(at);
        }
    }

    /// Keeps those that `keep` says.
    pub fn retain(&mut self, mut keep: impl FnMut(&Waiting) -> bool) {
        Arc::make_mut(&mut self.rows).retain(|one| keep(one));
    }

    fn place(&self, id: ConsignmentId) -> Result<usize, usize> {
        self.rows.binary_search_by(|one| id.cmp(&one.id))
    }
}
