//! The columns of Track's table: ids, names, widths, and the order in which the store can sort by them.
//! Invariant: a column's id never changes, because saved views and exports refer to it.

use crate::state::{TrackColumn, TrackOrder, ViewedList};
use crate::ui::lists::columns;
use crate::ui::lists::{ColumnEntry, ListColumn, Order};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Col {
    Number,
    Status,
    To,
    Suburb,
    State,
    Postcode,
    Carrier,
    Service,
    CarrierNumber,
    Reference,
    Reference2,
    From,
    Company,
    Despatch,
    Eta,
    Changed,
    Scanned,
    Pieces,
    Weight,
    Volume,
    Price,
    Dangerous,
    Files,
    Manifest,
}

columns! {
    pub(super)
    Number "number" "no" "Number" "Number" 88.0 0.0 false;
    Status "status" "" "Status" "Status" 150.0 1.0 false;
    To "to" "receiver" "To" "Receiver" 150.0 3.0 false;
    Suburb "suburb" "town" "Suburb" "Suburb" 120.0 2.0 false;
    State "state" "" "State" "State or region" 56.0 0.0 false;
    Postcode "postcode" "zip" "Postcode" "Postcode" 76.0 0.0 false;
    Carrier "carrier" "" "Carrier" "Carrier" 130.0 2.0 false;
    Service "service" "" "Service" "Service" 90.0 1.0 false;
    CarrierNumber "carrier-number" "con" "Carrier's no." "Carrier's number" 110.0 0.0 false;
    Reference "reference" "ref" "Reference" "Reference" 96.0 0.0 false;
    Reference2 "reference-2" "ref2" "Reference 2" "Second reference" 100.0 0.0 false;
    From "from" "sender" "From" "Sender" 140.0 2.0 false;
    Company "company" "" "Company" "Company" 120.0 1.0 false;
    Despatch "despatch" "leaves" "Despatch" "Despatch" 76.0 0.0 false;
    Eta "eta" "arrives" "ETA" "ETA and lateness" 122.0 0.0 false;
    Changed "changed" "" "Changed" "Last change" 76.0 0.0 false;
    Scanned "scanned" "" "Last scan" "Last carrier scan" 82.0 0.0 false;
    Pieces "pieces" "pcs" "Pcs" "Pieces" 42.0 0.0 true;
    Weight "kg" "weight" "kg" "Kilograms" 60.0 0.0 true;
    Volume "m3" "volume" "m³" "Cubic metres" 62.0 0.0 true;
    Price "price" "" "Price" "Price (inc GST)" 72.0 0.0 true;
    Dangerous "dg" "dangerous" "DG" "Dangerous goods" 36.0 0.0 false;
    Files "files" "" "Files" "Files" 48.0 0.0 true;
    Manifest "manifest" "" "Manifest" "Manifest" 80.0 0.0 false;
}

impl ListColumn for Col {
    const LIST: ViewedList = ViewedList::Track;
    // A filter from yesterday should not hide rows this morning.
    const KEEPS_FILTER: bool = false;

    fn all() -> &'static [ColumnEntry<Self>] {
        ALL
    }

    fn index(self) -> usize {
        // `ALL` has the same order as the variants.
        self as usize
    }

    fn is_sortable(self) -> bool {
        self.sorted_by().is_some()
    }
}

impl Col {
    /// Returns the store's order for this column; `None` if the store can't sort by it.
    const fn sorted_by(self) -> Option<TrackColumn> {
        Some(match self {
            Self::Number => TrackColumn::Number,
            Self::Status => TrackColumn::Status,
            Self::To => TrackColumn::To,
            Self::Suburb => TrackColumn::Suburb,
            Self::Carrier => TrackColumn::Carrier,
            Self::CarrierNumber => TrackColumn::CarrierNumber,
            Self::Reference => TrackColumn::Reference,
            Self::Reference2 => TrackColumn::Reference2,
            Self::From => TrackColumn::From,
            Self::Company => TrackColumn::Company,
            Self::Despatch => TrackColumn::Despatch,
            Self::Eta => TrackColumn::Eta,
            Self::Changed => TrackColumn::Changed,
            Self::Pieces => TrackColumn::Pieces,
            Self::Weight => TrackColumn::Weight,
            Self::Price => TrackColumn::Price,
            Self::Files => TrackColumn::Attachments,
            Self::State
            | Self::Postcode
            | Self::Service
            | Self::Scanned
            | Self::Volume
            | Self::Dangerous
            | Self::Manifest => return None,
        })
    }
}

/// Returns the order to request from the store; by default, newest first.
pub(super) fn store_order(order: Option<Order<Col>>) -> TrackOrder {
    let by = order.and_then(|order| Some((order.col.sorted_by()?, order.descending)));
    by.map_or_else(TrackOrder::default, |(column, descending)| TrackOrder {
        column,
        descending,
    })
}

const NARROW: &[Col] = &[Col::Number, Col::Status, Col::To, Col::Carrier, Col::Eta];
const WIDE: &[Col] = &[
    Col::Number,
    Col::Status,
    Col::To,
    Col::Suburb,
    Col::Carrier,
    Col::Reference,
    Col::Eta,
];
const WIDEST: &[Col] = &[
    Col::Number,
    Col::Status,
    Col::To,
    Col::Suburb,
    Col::Carrier,
    Col::Reference,
    Col::CarrierNumber,
    Col::Eta,
    Col::Changed,
    Col::Weight,
    Col::Files,
];
/// Columns for a token that may use several companies.
const WIDE_WITH_COMPANY: &[Col] = &[
    Col::Number,
    Col::Status,
    Col::To,
    Col::Carrier,
    Col::Reference,
    Col::Company,
    Col::Eta,
];
const WIDEST_WITH_COMPANY: &[Col] = &[
    Col::Number,
    Col::Status,
    Col::To,
    Col::Suburb,
    Col::Carrier,
    Col::Reference,
    Col::CarrierNumber,
    Col::Company,
    Col::Eta,
    Col::Changed,
    Col::Files,
];
const NARROW_POINTS: f32 = 760.0;
const WIDEST_POINTS: f32 = 1_240.0;

/// Returns the default columns for a width in points. `companies` is the number of companies that the token
/// may use.
pub(super) fn default_columns(points: f32, companies: usize) -> &'static [Col] {
    match companies > 1 {
        _ if points < NARROW_POINTS => NARROW,
        true if points < WIDEST_POINTS => WIDE_WITH_COMPANY,
        false if points < WIDEST_POINTS => WIDE,
        true => WIDEST_WITH_COMPANY,
        false => WIDEST,
    }
}

#[cfg(test)]
mod tests {
    use super::{Col, ListColumn as _};

    #[test]
    fn every_column_can_be_exported() {
        let lost: Vec<_> = { Col::all().iter() }
            .map(|entry| entry.key)
            .filter(|key| !engine::is_export_column(key))
            .collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
}
