//! The requests that create consignments, for the simple and the complex endpoint, and pending consignments:
//! drafts at the service, which a user completes there.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;

use super::compatibility::DespatchSpelling;
use super::dangerous_goods::DgItem;
use super::goods::{CountryCode, ItemContents, ItemRequest};
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyItemId, CompanyLocationId, PendingConsignmentId, ReceiverAccountId,
};
use super::lenient;
use super::time::{LocalTime, UtcTime};
use super::values::{Centimetres, Kilograms, Quantity};

/// A suburb and postcode, as sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LocationRequest {
    pub suburb: String,
    #[serde(deserialize_with = "lenient::text")]
    pub postcode: String,
}

/// Automatic choice of a route. Sent by name; live services also answer with the numbers 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RouteSelection {
    /// The lowest price.
    Cheapest,
    /// The earliest arrival.
    Fastest,
}

impl<'de> Deserialize<'de> for RouteSelection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = lenient::text(deserializer)?;
        match text.to_ascii_lowercase().as_str() {
            "cheapest" | "0" => Ok(Self::Cheapest),
            "fastest" | "1" => Ok(Self::Fastest),
            _ => Err(serde::de::Error::custom("neither cheapest nor fastest")),
        }
    }
}

/// Surcharge groups and carrier restriction flags (`questionIds`). Sent as text, read as text or numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// 7: hydraulic tailgate required.
    Tailgate,
    /// 8: crane truck required.
    Crane,
    /// 13: residential delivery.
    Residential,
    /// 14: authorised to leave.
    AuthorityToLeave,
    /// 36: hand unload required.
    HandUnload,
}

impl Question {
    /// All questions, in the specification's order.
    pub const ALL: &'static [Self] = &[
        Self::Tailgate,
        Self::Crane,
        Self::Residential,
        Self::AuthorityToLeave,
        Self::HandUnload,
    ];

    /// Returns the id that goes on the wire.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Tailgate => "7",
            Self::Crane => "8",
            Self::Residential => "13",
            Self::AuthorityToLeave => "14",
            Self::HandUnload => "36",
        }
    }

    /// Returns the label that the clerk sees.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Tailgate => "Tailgate",
            Self::Crane => "Crane truck",
            Self::Residential => "Residential",
            Self::AuthorityToLeave => "Authority to leave",
            Self::HandUnload => "Hand unload",
        }
    }
}

impl Serialize for Question {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = lenient::text(deserializer)?;
        let known = Self::ALL.iter().find(|question| question.id() == text);
        known
            .copied()
            .ok_or_else(|| serde::de::Error::custom("a question that is not known"))
    }
}

/// A carrier-specific option, like `AreDutiesPaidByRecipient`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomValue {
    pub property_name: String,
    /// Text, a number or a boolean, as the carrier requires.
    pub value: Value,
}

/// The requested despatch time. Only one form is sent: with both, the service would use the UTC time and
/// ignore the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Despatch {
    Utc(UtcTime),
    /// A wall-clock time in the pickup location's time zone.
    Local(LocalTime),
}

impl Despatch {
    /// Returns the values of the two fields for the time, at most one of which is set.
    pub(super) fn split(despatch: Option<Self>) -> (Option<UtcTime>, Option<LocalTime>) {
        match despatch {
            None => (None, None),
            Some(Self::Utc(time)) => (Some(time), None),
            Some(Self::Local(time)) => (None, Some(time)),
        }
    }
}

/// Defines two requests, each with its own fields and with the fields that both share, which can be moved from
/// the first to the second.
macro_rules! addressed {
    (
        { $($(#[$doc:meta])* $field:ident: $type:ty,)* }
        $(#[$first_meta:meta])* pub struct $first:ident { $($first_own:tt)* }
        $(#[$second_meta:meta])* pub struct $second:ident { $($second_own:tt)* }
    ) => {
        $(#[$first_meta])*
        pub struct $first { $($(#[$doc])* pub $field: $type,)* $($first_own)* }

        $(#[$second_meta])*
        pub struct $second { $($(#[$doc])* pub $field: $type,)* $($second_own)* }

        impl $second {
            fn take_shared_fields(request: &mut $first) -> Self {
                Self { $($field: std::mem::take(&mut request.$field),)* ..Self::default() }
            }
        }
    };
}

addressed! {
    {
        /// Absent means the calling user's company.
        company_id: Option<CompanyId>,
        from_name: Option<String>,
        from_contact: Option<String>,
        from_phone: Option<String>,
        from_email: Option<String>,
        from_address_line1: Option<String>,
        from_address_line2: Option<String>,
        from_location: Option<LocationRequest>,
        /// A saved pickup location, which replaces all other pickup fields.
        from_company_location_id: Option<CompanyLocationId>,
        /// A saved pickup location by its abbreviation, with the same effect.
        from_abbreviation: Option<String>,
        /// The pickup city outside Australia.
        international_from_city: Option<String>,
        /// The pickup postcode outside Australia.
        international_from_postcode: Option<String>,
        /// The pickup province outside Australia.
        international_from_province: Option<String>,
        from_country_code: Option<CountryCode>,
        to_name: Option<String>,
        to_contact: Option<String>,
        to_phone: Option<String>,
        to_email: Option<String>,
        to_address_line1: Option<String>,
        to_address_line2: Option<String>,
        to_location: Option<LocationRequest>,
        /// A saved delivery location, which replaces all other delivery fields.
        to_company_location_id: Option<CompanyLocationId>,
        /// A saved delivery location by its abbreviation, with the same effect.
        to_abbreviation: Option<String>,
        /// The delivery city outside Australia.
        international_to_city: Option<String>,
        /// The delivery postcode outside Australia.
        international_to_postcode: Option<String>,
        /// The delivery province outside Australia.
        international_to_province: Option<String>,
        to_country_code: Option<CountryCode>,
        /// An instruction to the carrier.
        special_instructions: Option<String>,
        /// A carrier alone selects its cheapest service.
        carrier_id: Option<CarrierId>,
        carrier_service_id: Option<CarrierServiceId>,
        /// Needed only where several accounts are linked to the company.
        carrier_account_id: Option<CarrierAccountId>,
        /// The link between the company and the account.
        company_carrier_account_id: Option<CompanyCarrierAccountId>,
        /// Automatic routing instead of a carrier.
        default_route_selection: Option<RouteSelection>,
        /// The shipper's first reference.
        customer_reference: Option<String>,
        /// The second reference. Carries the bench's key if the clerk left the reference empty.
        customer_reference2: Option<String>,
        /// Surcharge groups and restriction flags.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        question_ids: Vec<Question>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        custom_values: Vec<CustomValue>,
        /// The person who generated the consignment.
        staff_member_name: Option<String>,
        /// Whether either end is outside Australia.
        is_international: Option<bool>,
    }

    /// A request for a consignment. Each party is either a saved location or a full address, and there is at
    /// most one despatch time.
    #[skip_serializing_none]
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ConsignmentRequest {
        dispatch_date_time_utc: Option<UtcTime>,
        dispatch_date_time_local: Option<LocalTime>,
        despatch_date_time_utc: Option<UtcTime>,
        despatch_date_time_local: Option<LocalTime>,
        /// Selects printing rules at the service.
        pub printer_token: Option<String>,
        /// Whether the receiver gets a tracking e-mail.
        pub sending_tracking_email: Option<bool>,
        /// For receiver-pays: the code of the receiver's account with the carrier. Never send it together
        /// with the id.
        pub receiver_account_code: Option<String>,
        /// For receiver-pays: the id of the receiver's account with the carrier.
        pub receiver_account_id: Option<ReceiverAccountId>,
        /// Whether any item contains dangerous goods.
        pub dgs_declaration: Option<bool>,
        pub items: Vec<ItemRequest>,
        /// The carrier's consignment number, if the shipper assigns it (complex endpoint).
        pub carrier_consignment_id: Option<String>,
        /// The pending consignments that this consignment replaces. Sent only if the deployment supports the
        /// field; see [`super::OptionalFeatures`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub linked_pending_consignment_ids: Vec<PendingConsignmentId>,
    }

    /// A request for a pending consignment. Every field may be missing. The despatch time is spelt
    /// `despatch…` here, but `dispatch…` on create.
    #[skip_serializing_none]
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct PendingConsignmentRequest {
        despatch_date_time_utc: Option<UtcTime>,
        despatch_date_time_local: Option<LocalTime>,
        /// Whether the receiver gets a tracking e-mail after the conversion to a consignment.
        pub send_tracking_email: Option<bool>,
        pub items: Vec<PendingItemRequest>,
    }
}

impl ConsignmentRequest {
    /// Returns whether only `createConsignmentwithComplexItems` accepts this request: dangerous goods,
    /// customs contents, saved items or delegated numbers.
    pub fn is_complex(&self) -> bool {
        self.carrier_consignment_id.is_some()
            || self.is_international == Some(true)
            || self.dgs_declaration == Some(true)
            || self.items.iter().any(ItemRequest::is_complex)
    }

    /// Returns the requested despatch time; `None` means now.
    pub fn despatch(&self) -> Option<Despatch> {
        let utc = self.dispatch_date_time_utc.or(self.despatch_date_time_utc);
        let local = self
            .dispatch_date_time_local
            .or(self.despatch_date_time_local);
        utc.map(Despatch::Utc).or(local.map(Despatch::Local))
    }

    /// Sets the despatch time, in the specification's spelling.
    pub fn set_despatch(&mut self, despatch: Option<Despatch>) {
        self.spell_despatch(despatch, DespatchSpelling::Dispatch);
    }

    /// Changes the field names of the despatch time to the deployment's spelling.
    #[must_use]
    pub fn with_despatch_spelling(mut self, spelling: DespatchSpelling) -> Self {
        self.spell_despatch(self.despatch(), spelling);
        self
    }

    fn spell_despatch(&mut self, despatch: Option<Despatch>, spelling: DespatchSpelling) {
        let (utc, local) = Despatch::split(despatch);
        let (with_i, with_e) = match spelling {
            DespatchSpelling::Dispatch => ((utc, local), (None, None)),
            DespatchSpelling::Despatch => ((None, None), (utc, local)),
        };
        (self.dispatch_date_time_utc, self.dispatch_date_time_local) = with_i;
        (self.despatch_date_time_utc, self.despatch_date_time_local) = with_e;
    }
}

/// A line of goods in a pending consignment.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingItemRequest {
    /// The id of a saved item; any other field overrides the saved value.
    pub company_item_id: Option<CompanyItemId>,
    /// The name of a packaging kind.
    pub item_type: Option<String>,
    pub name: Option<String>,
    pub sku: Option<String>,
    /// The number of identical items.
    pub quantity: Option<u32>,
    /// Weight of one item.
    pub weight: Option<Kilograms>,
    /// Length of one item.
    pub length: Option<Centimetres>,
    /// Width of one item.
    pub width: Option<Centimetres>,
    /// Height of one item.
    pub height: Option<Centimetres>,
    pub pallet_spaces: Option<Quantity>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending_consignment_item_dg_items: Vec<DgItem>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending_consignment_item_contents: Vec<ItemContents>,
}

/// A pending consignment that the service created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingConsignment {
    /// The id; separate from consignment ids.
    pub id: PendingConsignmentId,
    /// `PC` followed by the id.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_number: String,
}

impl PendingConsignmentRequest {
    /// Converts a consignment's request. A pending consignment has no delegated numbers, receiver's account,
    /// declaration or printer token; these are given at its conversion.
    pub fn from_consignment(mut request: ConsignmentRequest) -> Self {
        let (utc, local) = Despatch::split(request.despatch());
        let shared = Self::take_shared_fields(&mut request);
        Self {
            despatch_date_time_utc: utc,
            despatch_date_time_local: local,
            send_tracking_email: request.sending_tracking_email,
            items: request.items.into_iter().map(Into::into).collect(),
            ..shared
        }
    }
}

impl From<ItemRequest> for PendingItemRequest {
    /// Puts weight and dimensions on the item itself, whether they were nested or not.
    fn from(item: ItemRequest) -> Self {
        let nested = item.standard_item.unwrap_or_default();
        Self {
            company_item_id: item.company_item_id,
            item_type: item.item_type,
            name: item.name,
            sku: item.sku,
            quantity: item.quantity,
            weight: item.weight.or(nested.weight),
            length: item.length.or(nested.length),
            width: item.width.or(nested.width),
            height: item.height.or(nested.height),
            pallet_spaces: item.pallet_spaces,
            pending_consignment_item_dg_items: item.consignment_item_dg_items,
            pending_consignment_item_contents: item.consignment_item_contents,
        }
    }
}
