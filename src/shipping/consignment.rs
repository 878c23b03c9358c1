//! Consignments as the service gives them: on create, fetched, and in the lighter recent-updates list.
//!
//! The three shapes differ (`items` or `consignmentItems`, `status` or `consignmentTrackingStatus`); both are read,
//! and the accessors hide which one came. What live services publish under other names is put under the specification's.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use super::carrier::Named;
use super::company::Location;
use super::consignment_item::ConsignmentItem;
use super::ids::{
    CarrierId, CarrierServiceId, CompanyId, CompanyLocationId, ConsignmentId, ManifestId,
};
use super::lenient::{self, published_too};
use super::request::Despatch;
use super::status::{Status, StatusChange, StatusId};
use super::time::{LocalTime, UtcTime};
use super::values::{CubicMetres, Dollars, Kilograms};

/// What a consignment costs ("consignmentTotal"). Prices may change until they are cleared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsignmentTotal {
    /// True once the sell prices are final.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub sell_prices_cleared: bool,
    /// What the shipper pays, tax included.
    pub total_sell_price: Option<Dollars>,
    /// What it costs the house, tax included.
    pub total_cost_price: Option<Dollars>,
    /// What the shipper pays for freight alone.
    pub total_base_sell_price: Option<Dollars>,
    /// What freight alone costs the house.
    pub total_base_cost_price: Option<Dollars>,
    /// The tax in the sell price.
    pub total_tax_sell_price: Option<Dollars>,
    /// The tax in the cost price.
    pub total_tax_cost_price: Option<Dollars>,
    /// The fuel levy in the sell price.
    pub sell_fuel_levy_price: Option<Dollars>,
    /// The sell price of the route.
    pub consignment_route_sell_price: Option<Dollars>,
    /// What the shipper pays before tax.
    pub total_sell_before_tax: Option<Dollars>,
}

/// A consignment. Every field but the id may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Consignment {
    /// Its id.
    pub id: ConsignmentId,
    /// `MS` and the id: the main reference sent to the carrier.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub consignment_number: String,
    /// The carrier's reference.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub carrier_consignment_id: Option<String>,
    /// Whose it is.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_id: Option<CompanyId>,
    status: Option<Status>,
    consignment_tracking_status: Option<Status>,
    status_history: Option<Vec<StatusChange>>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    consignment_tracking_histories: Vec<StatusChange>,
    /// Opens its public tracking page.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
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
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    carrier: Option<Named<CarrierId>>,
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    carrier_service: Option<Named<CarrierServiceId>>,
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    carrier_name: Option<String>,
    /// True where it was made by a test-mode token, and no carrier is ever called; nothing where the service does not say.
    pub is_test: Option<bool>,
    /// The manifest that it is booked on; absent or 0 while it is not.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub manifest_id: Option<ManifestId>,
    /// When its manifest was booked, on the sender's clocks.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub booked_date: Option<LocalTime>,
    /// When it arrived, on the receiver's clocks.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub completed_date: Option<LocalTime>,
    /// When it arrived, UTC.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub completed_date_utc: Option<UtcTime>,
    /// How many files it has; above 0 on a completed one, there is a proof of delivery.
    #[serde(default, deserialize_with = "lenient::count_or_nothing")]
    pub attachment_count: Option<i64>,
    /// Marked as important at the service.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub important: bool,
    /// The shipper's reference.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub customer_reference: Option<String>,
    /// The second reference, or the bench's key.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub customer_reference2: Option<String>,
    /// Pickup name.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub from_name: Option<String>,
    /// Pickup suburb.
    pub from_location: Option<Location>,
    /// Pickup contact.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub from_contact: Option<String>,
    /// Pickup phone.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub from_phone: Option<String>,
    /// Pickup e-mail.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub from_email: Option<String>,
    /// Pickup street.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub from_address_line1: Option<String>,
    /// Pickup second line.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub from_address_line2: Option<String>,
    /// Pickup country: two or three letters.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub from_country_code: Option<String>,
    /// Receiver.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub to_name: Option<String>,
    /// Receiver's suburb.
    pub to_location: Option<Location>,
    /// Receiver's contact.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub to_contact: Option<String>,
    /// Receiver's phone.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub to_phone: Option<String>,
    /// Receiver's e-mail.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub to_email: Option<String>,
    /// Receiver's street.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub to_address_line1: Option<String>,
    /// Receiver's second line.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub to_address_line2: Option<String>,
    /// The saved location that it goes to.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub to_company_location_id: Option<CompanyLocationId>,
    /// Receiver's country: two or three letters.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub to_country_code: Option<String>,
    /// Pieces.
    #[serde(default, deserialize_with = "lenient::count_or_nothing")]
    pub total_item_count: Option<i64>,
    /// Kilograms of all pieces.
    pub total_weight: Option<Kilograms>,
    /// Cubic weight, or cubic metres: services differ.
    pub total_cubic: Option<CubicMetres>,
    /// Cubic metres of all pieces.
    pub total_volume: Option<CubicMetres>,
    /// Kilograms of the heaviest piece.
    pub heaviest_weight: Option<Kilograms>,
    /// Instruction to the carrier.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub special_instructions: Option<String>,
    /// Surcharge groups and flags, as the service knows them.
    #[serde(default, deserialize_with = "lenient::texts_or_default")]
    pub question_ids: Vec<String>,
    /// True where one end is outside Australia.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub is_international: bool,
    /// Declared to hold dangerous goods. Few answers say it: see [`Self::dangerous_goods`].
    pub dgs_declaration: Option<bool>,
    #[serde(
        default,
        deserialize_with = "lenient::record_id_or_nothing",
        skip_serializing
    )]
    company: Option<CompanyId>,
    #[serde(
        default,
        deserialize_with = "lenient::country_or_nothing",
        skip_serializing
    )]
    from_country: Option<String>,
    #[serde(
        default,
        deserialize_with = "lenient::country_or_nothing",
        skip_serializing
    )]
    to_country: Option<String>,
    #[serde(default, deserialize_with = "lenient::or_nothing", skip_serializing)]
    despatch_date: Option<LocalTime>,
    #[serde(default, deserialize_with = "lenient::or_nothing", skip_serializing)]
    eta: Option<LocalTime>,
    // The names of a grid's row.
    #[serde(
        default,
        deserialize_with = "lenient::text_or_nothing",
        skip_serializing
    )]
    from_name_and_location: Option<String>,
    #[serde(
        default,
        deserialize_with = "lenient::text_or_nothing",
        skip_serializing
    )]
    to_name_and_location: Option<String>,
    #[serde(
        default,
        deserialize_with = "lenient::text_or_nothing",
        skip_serializing
    )]
    carrier_and_service_name: Option<String>,
    #[serde(
        default,
        deserialize_with = "lenient::count_or_nothing",
        skip_serializing
    )]
    item_count: Option<i64>,
    #[serde(default, skip_serializing)]
    is_dg_consignment: Option<bool>,
    #[serde(
        default,
        deserialize_with = "lenient::amount_or_nothing",
        skip_serializing
    )]
    total: Option<Dollars>,
}

published_too!(Consignment);

impl Consignment {
    /// Puts what came under a live service's own names under the specification's, where nothing else did.
    fn settle(&mut self) {
        fn fill<T>(own: &mut Option<T>, published: &mut Option<T>) {
            if let (None, Some(value)) = (&own, published.take()) {
                *own = Some(value);
            }
        }
        fill(&mut self.company_id, &mut self.company);
        fill(&mut self.from_country_code, &mut self.from_country);
        fill(&mut self.to_country_code, &mut self.to_country);
        fill(&mut self.despatch_date_local, &mut self.despatch_date);
        fill(&mut self.eta_local, &mut self.eta);
        fill(&mut self.from_name, &mut self.from_name_and_location);
        fill(&mut self.to_name, &mut self.to_name_and_location);
        fill(&mut self.carrier_name, &mut self.carrier_and_service_name);
        fill(&mut self.total_item_count, &mut self.item_count);
        fill(&mut self.dgs_declaration, &mut self.is_dg_consignment);
        let price = &mut self.consignment_total.total_sell_price;
        fill(price, &mut self.total);
    }

    /// Where it stands, whichever shape it came in.
    pub fn status(&self) -> Option<&Status> {
        self.status
            .as_ref()
            .or(self.consignment_tracking_status.as_ref())
    }

    /// How it got there, whichever shape it came in.
    pub fn history(&self) -> &[StatusChange] {
        match self.status_history.as_deref() {
            None | Some([]) => &self.consignment_tracking_histories,
            Some(history) => history,
        }
    }

    /// True where all is told that the service has: what is empty here is empty there. A list's row and the answer to a
    /// create or an edit leave things out, and have no such history at all; a fetched one's may be empty.
    pub const fn is_whole(&self) -> bool {
        self.status.is_some() && self.status_history.is_some()
    }

    /// Its items, whichever shape it came in; the recent-updates list has none.
    pub fn items(&self) -> &[ConsignmentItem] {
        if self.items.is_empty() {
            &self.consignment_items
        } else {
            &self.items
        }
    }

    /// True where the service despatches it more than a minute off what was asked: live services ignore a spelling of the
    /// despatch time that they don't know.
    pub fn leaves_at_another_time(&self, asked: Despatch) -> bool {
        let apart = match asked {
            Despatch::Utc(asked) => self
                .despatch_date_utc
                .map(|echoed| echoed.0.duration_since(asked.0)),
            Despatch::Local(asked) => self
                .despatch_date_local
                .map(|echoed| echoed.0.duration_since(asked.0)),
        };
        apart.is_some_and(|apart| apart.abs() > SignedDuration::from_secs(60))
    }

    /// The carrier's name.
    pub fn carrier_name(&self) -> &str {
        self.carrier
            .as_ref()
            .map(Named::label)
            .filter(|name| !name.is_empty())
            .or(self.carrier_name.as_deref())
            .unwrap_or_default()
    }

    /// The carrier's id, where the answer names it.
    pub fn carrier_id(&self) -> Option<CarrierId> {
        let id = self.carrier.as_ref().map(|carrier| carrier.id);
        id.filter(|id| id.get() != 0)
    }

    /// The id of the carrier's service, where the answer names it.
    pub fn carrier_service_id(&self) -> Option<CarrierServiceId> {
        let id = self.carrier_service.as_ref().map(|service| service.id);
        id.filter(|id| id.get() != 0)
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

    /// Whether it holds dangerous goods: it is declared to, or any item says which. Nothing where the answer says neither, as
    /// the lighter list.
    pub fn dangerous_goods(&self) -> Option<bool> {
        let items = self.items();
        let named = |item: &ConsignmentItem| !item.consignment_item_dg_items.is_empty();
        if items.iter().any(named) {
            return Some(true);
        }
        self.dgs_declaration
            .or_else(|| (!items.is_empty()).then_some(false))
    }

    /// True where it is known to hold dangerous goods.
    pub fn holds_dangerous_goods(&self) -> bool {
        self.dangerous_goods() == Some(true)
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
