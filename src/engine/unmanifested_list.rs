//! The list of unmanifested consignments, with only the values that a row shows and is searched by, so that
//! 100,000 of them fit in memory. Newest first, each consignment once. A list is a snapshot: a changed copy
//! shares all unchanged rows with the original.

mod number_index;

use std::collections::HashSet;
use std::sync::Arc;

use number_index::{Entry, NumberIndex, digest, entries};
use shipping::{
    CarrierId, CarrierServiceId, CompanyId, Consignment, ConsignmentId, CubicMetres, Dollars,
    Kilograms, LocalTime, Location,
};
use storage::{ConsignmentHistory, ConsignmentRow, FieldValue, ListField};

/// A place as a row shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct RowPlace {
    /// Suburb, or city outside Australia.
    pub suburb: Box<str>,
    /// State or region.
    pub state: Box<str>,
    pub postcode: Box<str>,
    /// The country as the service spells it; usually empty for Australia.
    pub country: Box<str>,
    /// IANA time zone; may be empty.
    pub zone: Box<str>,
}

/// An unmanifested consignment. Texts that the service did not send are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmanifestedRow {
    pub id: ConsignmentId,
    pub company: Option<CompanyId>,
    /// The consignment number: `MS200431`.
    pub number: Box<str>,
    /// The carrier's number.
    pub carrier_number: Box<str>,
    /// The shipper's reference.
    pub reference: Box<str>,
    /// The second reference, or the bench's key (see `operation/create.rs`).
    pub reference2: Box<str>,
    /// The sender's name.
    pub from: Arc<str>,
    /// The place of pickup.
    pub from_place: Arc<RowPlace>,
    /// The receiver's name.
    pub to: Box<str>,
    /// The place of delivery.
    pub to_place: Arc<RowPlace>,
    /// The carrier's id, if the answer names it.
    pub carrier_id: Option<CarrierId>,
    /// The carrier's name.
    pub carrier: Arc<str>,
    /// The id of the carrier's service, if the answer names it.
    pub service_id: Option<CarrierServiceId>,
    /// The name of the carrier's service.
    pub service: Arc<str>,
    pub pieces: i64,
    /// Kilograms of all pieces.
    pub weight: Option<Kilograms>,
    /// Cubic metres of all pieces.
    pub volume: Option<CubicMetres>,
    /// The price for the shipper, including tax.
    pub price: Option<Dollars>,
    /// In the sender's time zone.
    pub despatch: Option<LocalTime>,
    /// In the receiver's time zone.
    pub eta: Option<LocalTime>,
    /// Contains dangerous goods.
    pub dangerous: bool,
    /// The sender or the receiver is outside Australia.
    pub international: bool,
    /// Marked as important at the service.
    pub important: bool,
    /// Created in test mode: no carrier comes for it.
    pub is_test: bool,
}

impl UnmanifestedRow {
    /// Returns the value of a field; [`FieldValue::Missing`] for fields that this list doesn't have.
    pub fn field(&self, field: ListField) -> FieldValue<'_> {
        match field {
            ListField::Number => FieldValue::text(&self.number),
            ListField::Reference => FieldValue::text(&self.reference),
            ListField::Reference2 => FieldValue::text(&self.reference2),
            ListField::CarrierNumber => FieldValue::text(&self.carrier_number),
            ListField::To => FieldValue::text(&self.to),
            ListField::Suburb => FieldValue::text(&self.to_place.suburb),
            ListField::State => FieldValue::text(&self.to_place.state),
            ListField::Postcode => FieldValue::text(&self.to_place.postcode),
            ListField::Country => FieldValue::text(&self.to_place.country),
            ListField::From => FieldValue::text(&self.from),
            ListField::Carrier => FieldValue::text(&self.carrier),
            ListField::Service => FieldValue::text(&self.service),
            ListField::Pieces => FieldValue::Count(self.pieces),
            ListField::Weight => FieldValue::amount(self.weight.map(|weight| weight.0)),
            ListField::Volume => FieldValue::amount(self.volume.map(|volume| volume.0)),
            ListField::Price => FieldValue::amount(self.price.map(|price| price.0)),
            ListField::Despatch => FieldValue::time(self.despatch),
            ListField::Eta => FieldValue::time(self.eta),
            ListField::Dangerous => FieldValue::Mark(self.dangerous),
            ListField::International => FieldValue::Mark(self.international),
            ListField::Important => FieldValue::Mark(self.important),
            _ => FieldValue::Missing,
        }
    }

    /// Iterates over every number and reference of the consignment that is not empty. Its tracking token is only
    /// in the store.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        let numbers = [
            &self.number,
            &self.reference,
            &self.reference2,
            &self.carrier_number,
        ];
        numbers
            .into_iter()
            .map(|text| &**text)
            .filter(|text| !text.is_empty())
    }
}

/// Builds rows. Equal texts and places are stored once and shared.
#[derive(Debug, Default)]
pub struct UnmanifestedRowBuilder {
    texts: HashSet<Arc<str>>,
    spots: HashSet<Arc<RowPlace>>,
}

impl UnmanifestedRowBuilder {
    /// Builds the row of a stored consignment.
    pub fn row(&mut self, one: &ConsignmentRow) -> UnmanifestedRow {
        UnmanifestedRow {
            id: one.id,
            company: one.company,
            number: one.number.as_str().into(),
            carrier_number: one.carrier_number.as_str().into(),
            reference: one.reference.as_str().into(),
            reference2: one.reference2.as_str().into(),
            from: self.text(&one.from),
            from_place: self.place(&one.from_place),
            to: one.to.as_str().into(),
            to_place: self.place(&one.to_place),
            carrier_id: one.carrier_id,
            carrier: self.text(&one.carrier),
            service_id: one.service_id,
            service: self.text(&one.service),
            pieces: one.pieces,
            weight: one.weight,
            volume: one.volume,
            price: one.price,
            despatch: one.despatch,
            eta: one.eta,
            dangerous: one.dangerous.unwrap_or_default(),
            international: one.international,
            important: one.important,
            is_test: one.is_test,
        }
    }

    /// Builds the row of an answer. Flags that the answer leaves out are taken from the row `before`.
    pub fn row_after(
        &mut self,
        answer: &Consignment,
        before: Option<&UnmanifestedRow>,
    ) -> UnmanifestedRow {
        let mut row = self.row(&ConsignmentHistory::of(answer, None).row);
        if let Some(before) = before {
            row.dangerous |= answer.dangerous_goods().is_none() && before.dangerous;
            row.is_test |= answer.is_test.is_none() && before.is_test;
        }
        row
    }

    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let kept: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&kept));
        kept
    }

    fn place(&mut self, location: &Location) -> Arc<RowPlace> {
        let spot = RowPlace {
            suburb: location.suburb.as_str().into(),
            state: location.state.as_str().into(),
            postcode: location.postcode.as_str().into(),
            country: location.country.as_str().into(),
            zone: location.time_zone.as_str().into(),
        };
        if let Some(known) = self.spots.get(&spot) {
            return Arc::clone(known);
        }
        let kept = Arc::new(spot);
        self.spots.insert(Arc::clone(&kept));
        kept
    }
}

/// The unmanifested consignments, newest first. Cheap to clone. Build and drop a long list off the UI thread.
#[derive(Debug, Clone, Default)]
pub struct UnmanifestedList {
    rows: Arc<Vec<Arc<UnmanifestedRow>>>,
    numbers: Arc<NumberIndex>,
    /// Entries of rows that were inserted after `numbers` was built.
    newer: Vec<Entry>,
}

impl UnmanifestedList {
    /// Creates a sorted list. If an id occurs twice, the later row wins.
    pub fn new(rows: impl IntoIterator<Item = UnmanifestedRow>) -> Self {
        Self::from_shared(rows.into_iter().map(Arc::new).collect())
    }

    /// Creates a list from rows that other lists may share.
    pub(super) fn from_shared(mut rows: Vec<Arc<UnmanifestedRow>>) -> Self {
        // Reversed before a stable sort, so that the later of two rows with the same id comes
        // first and stays.
        rows.reverse();
        rows.sort_by_key(|one| std::cmp::Reverse(one.id));
        rows.dedup_by_key(|one| one.id);
        rows.shrink_to_fit();
        Self {
            numbers: Arc::new(NumberIndex::of(&rows)),
            rows: Arc::new(rows),
            newer: Vec::new(),
        }
    }

    /// Creates a list of the unmanifested consignments among `consignments`.
    pub fn from_consignments(consignments: &[Consignment]) -> Self {
        let mut rows = UnmanifestedRowBuilder::default();
        let waiting = consignments.iter().filter(|one| one.is_unmanifested());
        Self::new(waiting.map(|one| rows.row_after(one, None)))
    }

    /// Returns all rows, newest first.
    pub fn rows(&self) -> &[Arc<UnmanifestedRow>] {
        &self.rows
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Iterates over all consignments, newest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &UnmanifestedRow> {
        self.rows.iter().map(|one| &**one)
    }

    pub fn get(&self, id: ConsignmentId) -> Option<&UnmanifestedRow> {
        self.shared(id).map(|one| &**one)
    }

    /// Returns the row with this id, for sharing with another list.
    pub(super) fn shared(&self, id: ConsignmentId) -> Option<&Arc<UnmanifestedRow>> {
        self.place(id).ok().map(|at| &self.rows[at])
    }

    /// Returns the newest consignment with exactly this number or reference, ignoring case. Uses the index,
    /// so only few rows are compared.
    pub fn find_number(&self, number: &str) -> Option<&UnmanifestedRow> {
        let wanted = number.to_lowercase();
        let digest = digest(&wanted);
        let newer = self.newer.iter().filter(|(known, _)| *known == digest);
        let newer = newer.map(|(_, id)| *id);
        let found = self.numbers.candidates(&wanted).chain(newer);
        found
            .filter_map(|id| self.get(id))
            .filter(|one| one.numbers().any(|number| number.to_lowercase() == wanted))
            .max_by_key(|one| one.id)
    }

    /// Returns the newest consignment whose receiver contains this text, or with a number or reference that
    /// starts with it, ignoring case. Scans all rows.
    pub fn find_text(&self, words: &str) -> Option<&UnmanifestedRow> {
        let wanted = words.to_lowercase();
        self.iter().find(|one| {
            one.to.to_lowercase().contains(&wanted)
                || one
                    .numbers()
                    .any(|number| number.to_lowercase().starts_with(&wanted))
        })
    }

    /// Returns true if both are the same list in memory, not only equal.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows)
    }

    /// Inserts a row, replacing the one with the same id.
    pub fn put(&mut self, row: UnmanifestedRow) {
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

    pub fn remove(&mut self, id: ConsignmentId) {
        if let Ok(at) = self.place(id) {
            Arc::make_mut(&mut self.rows).remove(at);
        }
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&UnmanifestedRow) -> bool) {
        Arc::make_mut(&mut self.rows).retain(|one| keep(one));
    }

    fn place(&self, id: ConsignmentId) -> Result<usize, usize> {
        self.rows.binary_search_by(|one| id.cmp(&one.id))
    }
}
