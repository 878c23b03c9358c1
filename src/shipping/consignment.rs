//! Consignments as the service returns them: on create, when fetched, and in the shorter list of recent updates.
//!
//! The shapes differ (`items` or `consignmentItems`, `status` or `consignmentTrackingStatus`). All are read, and the
//! accessors hide the difference. Values in fields with a live service's own names are moved to the specification's
//! fields.

use jiff::SignedDuration;

use super::company::{Location, NamedRecord};
use super::goods::ConsignmentItem;
use super::lenient::{self, lenient_records, published_too};
use super::request::Despatch;
use super::status::{Status, StatusChange, StatusId};
use super::time::{LocalTime, UtcTime};
use super::values::{
    CarrierId, CarrierServiceId, CompanyId, CompanyLocationId, ConsignmentId, CubicMetres, Dollars,
    Kilograms, ManifestId,
};

lenient_records! {
    /// The price of a consignment. Prices may change until `sell_prices_cleared` is true.
    #[derive(Default)]
    pub struct ConsignmentTotal {
        pub sell_prices_cleared: bool,
        /// The shipper's price, tax included.
        pub total_sell_price: Option<Dollars>,
        /// The shipper's price for freight alone.
        pub total_base_sell_price: Option<Dollars>,
        /// The tax in the sell price.
        pub total_tax_sell_price: Option<Dollars>,
        /// The fuel levy in the sell price.
        pub sell_fuel_levy_price: Option<Dollars>,
        /// The shipper's price before tax.
        pub total_sell_before_tax: Option<Dollars>,
    }

    /// A consignment. Every field except the id may be missing.
    #[serde(remote = "Self")]
    pub struct Consignment {
        pub id: ConsignmentId,
        /// `MS` followed by the id: the main reference that is sent to the carrier.
        pub consignment_number: String,
        /// The carrier's own reference.
        pub carrier_consignment_id: Option<String>,
        pub company_id: Option<CompanyId>,
        status: Option<Status>,
        consignment_tracking_status: Option<Status>,
        status_history: Option<Vec<StatusChange>>,
        consignment_tracking_histories: Vec<StatusChange>,
        /// The key to the consignment's public tracking page.
        pub tracking_page_access_token: Option<String>,
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub consignment_total: ConsignmentTotal,
        items: Vec<ConsignmentItem>,
        consignment_items: Vec<ConsignmentItem>,
        /// The despatch time in the sender's time zone.
        pub despatch_date_local: Option<LocalTime>,
        pub despatch_date_utc: Option<UtcTime>,
        /// The estimated arrival in the receiver's time zone.
        pub eta_local: Option<LocalTime>,
        pub eta_utc: Option<UtcTime>,
        carrier: Option<NamedRecord<CarrierId>>,
        carrier_service: Option<NamedRecord<CarrierServiceId>>,
        carrier_name: Option<String>,
        /// Whether a test-mode token created the consignment, so that no carrier is ever called. `None` if the
        /// service does not say.
        pub is_test: Option<bool>,
        /// The manifest that the consignment is booked on; absent or 0 until it is booked.
        pub manifest_id: Option<ManifestId>,
        /// The delivery time in the receiver's time zone.
        pub completed_date: Option<LocalTime>,
        pub completed_date_utc: Option<UtcTime>,
        /// The number of files. More than 0 on a completed consignment means that there is a proof of delivery.
        pub attachment_count: Option<i64>,
        pub important: bool,
        pub customer_reference: Option<String>,
        /// The second reference. If it is empty on create, Packbench can write its own key here, to find the
        /// consignment after a lost answer.
        pub customer_reference2: Option<String>,
        pub from_name: Option<String>,
        pub from_location: Option<Location>,
        pub from_contact: Option<String>,
        pub from_phone: Option<String>,
        pub from_email: Option<String>,
        pub from_address_line1: Option<String>,
        pub from_address_line2: Option<String>,
        /// The pickup country, two or three letters.
        pub from_country_code: Option<String>,
        pub to_name: Option<String>,
        pub to_location: Option<Location>,
        pub to_contact: Option<String>,
        pub to_phone: Option<String>,
        pub to_email: Option<String>,
        pub to_address_line1: Option<String>,
        pub to_address_line2: Option<String>,
        pub to_company_location_id: Option<CompanyLocationId>,
        /// The receiver's country, two or three letters.
        pub to_country_code: Option<String>,
        pub total_item_count: Option<i64>,
        pub total_weight: Option<Kilograms>,
        /// Cubic weight or cubic metres: services differ.
        pub total_cubic: Option<CubicMetres>,
        pub total_volume: Option<CubicMetres>,
        pub heaviest_weight: Option<Kilograms>,
        pub special_instructions: Option<String>,
        /// Surcharge groups and flags, by the service's ids.
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::texts_or_default")]
        pub question_ids: Vec<String>,
        /// Whether either end is outside Australia.
        pub is_international: bool,
        /// Whether dangerous goods are declared. Few answers include this field: see [`Self::dangerous_goods`].
        pub dgs_declaration: Option<bool>,
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::record_id_or_nothing", skip_serializing)]
        company: Option<CompanyId>,
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::country_or_nothing", skip_serializing)]
        from_country: Option<String>,
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::country_or_nothing", skip_serializing)]
        to_country: Option<String>,
        #[serde(skip_serializing)]
        despatch_date: Option<LocalTime>,
        #[serde(skip_serializing)]
        eta: Option<LocalTime>,
        // The fields from here on have the names that rows of the unmanifested list use.
        #[serde(skip_serializing)]
        from_name_and_location: Option<String>,
        #[serde(skip_serializing)]
        to_name_and_location: Option<String>,
        #[serde(skip_serializing)]
        carrier_and_service_name: Option<String>,
        #[serde(skip_serializing)]
        item_count: Option<i64>,
        #[serde(default, skip_serializing)]
        is_dg_consignment: Option<bool>,
        #[serde(default, deserialize_with = "lenient::amount_or_nothing", skip_serializing)]
        total: Option<Dollars>,
    }
}

published_too!(Consignment);

impl Consignment {
    /// Moves values under a live service's own names into the specification's fields, where those are empty.
    fn merge_alternate_fields(&mut self) {
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

    /// Returns the status, from either field.
    pub fn status(&self) -> Option<&Status> {
        self.status
            .as_ref()
            .or(self.consignment_tracking_status.as_ref())
    }

    /// Returns the status history, from either field.
    pub fn history(&self) -> &[StatusChange] {
        match self.status_history.as_deref() {
            None | Some([]) => &self.consignment_tracking_histories,
            Some(history) => history,
        }
    }

    /// Returns whether this answer contains everything that the service knows, so that a field that is empty here is
    /// also empty at the service. Only a fetched consignment has `statusHistory` (possibly empty); rows of a list and
    /// answers to create or edit leave fields out.
    pub const fn has_full_details(&self) -> bool {
        self.status.is_some() && self.status_history.is_some()
    }

    /// Returns the items, from either field. Rows of the list of recent updates have no items.
    pub fn items(&self) -> &[ConsignmentItem] {
        if self.items.is_empty() {
            &self.consignment_items
        } else {
            &self.items
        }
    }

    /// Returns the items, as [`Self::items`] does, to change them.
    pub fn items_mut(&mut self) -> &mut [ConsignmentItem] {
        if self.items.is_empty() {
            &mut self.consignment_items
        } else {
            &mut self.items
        }
    }

    /// Returns whether the service's despatch time differs from the requested time by more than a minute. Live
    /// services ignore a spelling of the despatch time that they don't know.
    pub fn despatch_differs_from(&self, asked: Despatch) -> bool {
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

    pub fn carrier_name(&self) -> &str {
        self.carrier
            .as_ref()
            .map(NamedRecord::label)
            .filter(|name| !name.is_empty())
            .or(self.carrier_name.as_deref())
            .unwrap_or_default()
    }

    pub fn carrier_id(&self) -> Option<CarrierId> {
        let carrier = self.carrier.as_ref().map(|carrier| carrier.id);
        carrier.filter(|id| id.get() != 0)
    }

    pub fn carrier_service_id(&self) -> Option<CarrierServiceId> {
        let service = self.carrier_service.as_ref().map(|service| service.id);
        service.filter(|id| id.get() != 0)
    }

    pub fn service_name(&self) -> &str {
        { self.carrier_service.as_ref() }.map_or("", NamedRecord::label)
    }

    /// Returns whether the consignment is created but not on a manifest yet.
    pub fn is_unmanifested(&self) -> bool {
        self.status()
            .is_some_and(|status| status.id == StatusId::UNMANIFESTED)
    }

    /// Returns whether the consignment is booked: no longer Unmanifested, and with the id of a manifest.
    pub fn is_manifested(&self) -> bool {
        !self.is_unmanifested() && self.manifest_id.is_some_and(|id| id.get() != 0)
    }

    /// Returns whether the consignment contains dangerous goods, from its items or its declaration. `None` if the
    /// answer has neither, as in the list of recent updates.
    pub fn dangerous_goods(&self) -> Option<bool> {
        let items = self.items();
        let named = |item: &ConsignmentItem| !item.consignment_item_dg_items.is_empty();
        if items.iter().any(named) {
            return Some(true);
        }
        self.dgs_declaration
            .or_else(|| (!items.is_empty()).then_some(false))
    }

    /// Returns whether the consignment is known to contain dangerous goods.
    pub fn has_dangerous_goods(&self) -> bool {
        self.dangerous_goods() == Some(true)
    }

    /// Returns the references on the consignment's labels, one for each piece, in the order of the items.
    pub fn item_references(&self) -> Vec<String> {
        self.items()
            .iter()
            .flat_map(|item| item.references.iter().cloned())
            .collect()
    }

    /// Returns the number of pieces: the service's total, or else the sum over the items.
    pub fn pieces(&self) -> i64 {
        self.total_item_count.unwrap_or_else(|| {
            self.items()
                .iter()
                .map(|item| i64::from(item.quantity.unwrap_or(1)))
                .sum()
        })
    }
}
