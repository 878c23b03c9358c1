//! Consignments as the service gives them: on create, fetched, and in the lighter recent-updates list.
//!
//! The three shapes differ (`items` or `consignmentItems`, `status` or `consignmentTrackingStatus`); both are read,
//! and the accessors hide which one came.

use serde::{Deserialize, Serialize};

use super::carrier::Named;
use super::company::Location;
use super::ids::{CarrierId, CarrierServiceId, CompanyId, ConsignmentId, ManifestId};
use super::lenient;
use super::status::{Status, StatusChange, StatusId};
use super::time::{LocalTime, UtcTime};
use super::values::{CubicMetres, Dollars, Kilograms};

/// What a consignment costs ("consignmentTotal").
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsignmentTotal {
    /// What the shipper pays, tax included.
    pub total_sell_price: Option<Dollars>,
    /// The tax in it.
    pub total_tax_sell_price: Option<Dollars>,
    /// What the shipper pays before tax.
    pub total_sell_before_tax: Option<Dollars>,
    /// The fuel levy in it.
    pub sell_fuel_levy_price: Option<Dollars>,
}

/// A consignment. Every field but the id may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consignment {
    /// Its id.
    pub id: ConsignmentId,
    /// `MS` and the id: the main reference sent to the carrier.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_number: String,
    /// The carrier's reference.
    pub carrier_consignment_id: Option<String>,
    /// Whose it is.
    pub company_id: Option<CompanyId>,
    status: Option<Status>,
    consignment_tracking_status: Option<Status>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    status_history: Vec<StatusChange>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    consignment_tracking_histories: Vec<StatusChange>,
    /// Opens its public tracking page.
    pub tracking_page_access_token: Option<String>,
    /// What it costs.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_total: ConsignmentTotal,
    #[serde(default, deserialize_with = "lenient::or_default")]
    items: Vec<ConsignmentItem>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    consignment_items: Vec<ConsignmentItem>,
    /// Leaves, on the sender's clocks.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub despatch_date_local: Option<LocalTime>,
    /// Leaves, UTC.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub despatch_date_utc: Option<UtcTime>,
    /// Arrives, on the receiver's clocks.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub eta_local: Option<LocalTime>,
    /// Arrives, UTC.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub eta_utc: Option<UtcTime>,
    carrier: Option<Named<CarrierId>>,
    carrier_service: Option<Named<CarrierServiceId>>,
    carrier_name: Option<String>,
    /// Made by a test-mode token: no carrier is ever called.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub is_test: bool,
    /// The manifest that it is booked on; absent or 0 while it is not.
    pub manifest_id: Option<ManifestId>,
    /// The shipper's reference.
    pub customer_reference: Option<String>,
    /// The second reference, or the bench's key.
    pub customer_reference2: Option<String>,
    /// Pickup name.
    pub from_name: Option<String>,
    /// Pickup suburb.
    pub from_location: Option<Location>,
    /// Receiver.
    pub to_name: Option<String>,
    /// Receiver's suburb.
    pub to_location: Option<Location>,
    /// Pieces.
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub total_item_count: Option<i64>,
    /// Kilograms of all pieces.
    pub total_weight: Option<Kilograms>,
    /// Cubic metres of all pieces.
    pub total_volume: Option<CubicMetres>,
    /// True where it holds dangerous goods.
    pub dgs_declaration: Option<bool>,
}

impl Consignment {
    /// Where it stands, whichever shape it came in.
    pub fn status(&self) -> Option<&Status> {
        self.status
            .as_ref()
            .or(self.consignment_tracking_status.as_ref())
    }

    /// How it got there, whichever shape it came in.
    pub fn history(&self) -> &[StatusChange] {
        if self.status_history.is_empty() {
            &self.consignment_tracking_histories
        } else {
            &self.status_history
        }
    }

    /// Its items, whichever shape it came in; the recent-updates list has none.
    pub fn items(&self) -> &[ConsignmentItem] {
        if self.items.is_empty() {
            &self.consignment_items
        } else {
            &self.items
        }
    }

    /// The carrier's name.
    pub fn carrier_name(&self) -> &str {
        self.carrier
            .as_ref()
            .map(Named::label)
            .or(self.carrier_name.as_deref())
            .unwrap_or_default()
    }

    /// The service's name.
    pub fn service_name(&self) -> &str {
        self.carrier_service
            .as_ref()
            .map(Named::label)
            .unwrap_or_default()
    }

    /// Created, and not on a manifest yet.
    pub fn is_unmanifested(&self) -> bool {
        self.status()
            .is_some_and(|status| status.id == StatusId::UNMANIFESTED)
    }

    /// Booked: has left Unmanifested and says on which manifest.
    pub fn is_manifested(&self) -> bool {
        !self.is_unmanifested() && self.manifest_id.is_some_and(|id| id.get() != 0)
    }

    /// The references on its labels, one a piece, in the order of the items.
    pub fn item_references(&self) -> Vec<String> {
        self.items()
            .iter()
            .flat_map(|item| item.references.iter().cloned())
            .collect()
    }

    /// Pieces: the service's total, else counted.
    pub fn pieces(&self) -> i64 {
        self.total_item_count.unwrap_or_else(|| {
            self.items()
                .iter()
                .map(|item| item.quantity.unwrap_or(1))
                .sum()
        })
    }
}

/// An item of a consignment, as the service gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsignmentItem {
    /// Short description.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// How many.
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub quantity: Option<i64>,
    /// Barcodes, one for each unit.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub references: Vec<String>,
}
