//! The consignment create request, for both endpoints ("Consignment create request").

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;

use super::customs::CountryCode;
use super::dialect::DespatchSpelling;
use super::goods::ItemRequest;
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId, PendingConsignmentId, ReceiverAccountId,
};
use super::lenient;
use super::time::{LocalTime, UtcTime};

/// A suburb as sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LocationRequest {
    /// Suburb.
    pub suburb: String,
    /// Postcode.
    #[serde(deserialize_with = "lenient::text")]
    pub postcode: String,
}

/// Automatic routing. Sent by name; live services give numbers back, 0 and 1.
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
    /// All of them, in the specification's order.
    pub const ALL: &'static [Self] = &[
        Self::Tailgate,
        Self::Crane,
        Self::Residential,
        Self::AuthorityToLeave,
        Self::HandUnload,
    ];

    /// The id that goes on the wire.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Tailgate => "7",
            Self::Crane => "8",
            Self::Residential => "13",
            Self::AuthorityToLeave => "14",
            Self::HandUnload => "36",
        }
    }

    /// The label that the clerk sees.
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
    /// Which option.
    pub property_name: String,
    /// Its value: text, a number, true or false, as the carrier wants it.
    pub value: Value,
}

/// When it is to leave. One of the two: were both sent, the UTC one would win and the other mislead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Despatch {
    /// A moment.
    Utc(UtcTime),
    /// On the pickup place's clocks.
    Local(LocalTime),
}

/// Makes a request with the fields that consignments and pending consignments share, and its own.
macro_rules! addressed {
    ($(#[$meta:meta])* pub struct $name:ident { $($own:tt)* }) => {
        $(#[$meta])*
        pub struct $name {
            /// Whose it is; the calling user's company where absent.
            pub company_id: Option<CompanyId>,
            /// Pickup name.
            pub from_name: Option<String>,
            /// Pickup contact.
            pub from_contact: Option<String>,
            /// Pickup phone.
            pub from_phone: Option<String>,
            /// Pickup e-mail.
            pub from_email: Option<String>,
            /// Pickup street.
            pub from_address_line1: Option<String>,
            /// Pickup second line.
            pub from_address_line2: Option<String>,
            /// Pickup suburb.
            pub from_location: Option<LocationRequest>,
            /// Saved pickup place, instead of all other fields of the side.
            pub from_company_location_id: Option<CompanyLocationId>,
            /// Saved pickup place by its abbreviation, to the same effect.
            pub from_abbreviation: Option<String>,
            /// Pickup city outside Australia.
            pub international_from_city: Option<String>,
            /// Pickup postcode outside Australia.
            pub international_from_postcode: Option<String>,
            /// Pickup province outside Australia.
            pub international_from_province: Option<String>,
            /// Pickup country, three letters.
            pub from_country_code: Option<CountryCode>,
            /// Delivery name.
            pub to_name: Option<String>,
            /// Delivery contact.
            pub to_contact: Option<String>,
            /// Delivery phone.
            pub to_phone: Option<String>,
            /// Delivery e-mail.
            pub to_email: Option<String>,
            /// Delivery street.
            pub to_address_line1: Option<String>,
            /// Delivery second line.
            pub to_address_line2: Option<String>,
            /// Delivery suburb.
            pub to_location: Option<LocationRequest>,
            /// Saved delivery place, instead of all other fields of the side.
            pub to_company_location_id: Option<CompanyLocationId>,
            /// Saved delivery place by its abbreviation, to the same effect.
            pub to_abbreviation: Option<String>,
            /// Delivery city outside Australia.
            pub international_to_city: Option<String>,
            /// Delivery postcode outside Australia.
            pub international_to_postcode: Option<String>,
            /// Delivery province outside Australia.
            pub international_to_province: Option<String>,
            /// Delivery country, three letters.
            pub to_country_code: Option<CountryCode>,
            /// Instruction to the carrier.
            pub special_instructions: Option<String>,
            /// Carrier; alone, its cheapest service.
            pub carrier_id: Option<CarrierId>,
            /// Service of the carrier.
            pub carrier_service_id: Option<CarrierServiceId>,
            /// Account, where several are linked.
            pub carrier_account_id: Option<CarrierAccountId>,
            /// The company's link to the account.
            pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
            /// Automatic routing instead of a carrier.
            pub default_route_selection: Option<RouteSelection>,
            /// The shipper's reference.
            pub customer_reference: Option<String>,
            /// The second reference; carries the bench's key where the clerk left it empty.
            pub customer_reference2: Option<String>,
            /// Surcharge groups and restriction flags.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub question_ids: Vec<Question>,
            /// Carrier-specific options.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub custom_values: Vec<CustomValue>,
            /// Who made it.
            pub staff_member_name: Option<String>,
            /// True where one end is outside Australia.
            pub is_international: Option<bool>,
            $($own)*
        }
    };
}
pub(super) use addressed;

addressed! {
    /// A consignment to create. Each side is either a saved location or a full address; one despatch time at the most.
    #[skip_serializing_none]
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ConsignmentRequest {
        dispatch_date_time_utc: Option<UtcTime>,
        dispatch_date_time_local: Option<LocalTime>,
        despatch_date_time_utc: Option<UtcTime>,
        despatch_date_time_local: Option<LocalTime>,
        /// Steers printing rules at the service.
        pub printer_token: Option<String>,
        /// Sends the receiver a tracking e-mail.
        pub sending_tracking_email: Option<bool>,
        /// Receiver pays: their account with the carrier, by code. Never beside the id.
        pub receiver_account_code: Option<String>,
        /// Receiver pays: their account with the carrier, by id.
        pub receiver_account_id: Option<ReceiverAccountId>,
        /// True where any item holds dangerous goods.
        pub dgs_declaration: Option<bool>,
        /// The goods.
        pub items: Vec<ItemRequest>,
        /// The carrier's number, given by the shipper (complex endpoint).
        pub carrier_consignment_id: Option<String>,
        /// Pending consignments that it replaces. Only where the deployment knows the field ([`super::Optional`]).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub linked_pending_consignment_ids: Vec<PendingConsignmentId>,
    }
}

impl ConsignmentRequest {
    /// True where only `createConsignmentwithComplexItems` can take it: dangerous goods, customs or delegated numbers.
    pub fn is_complex(&self) -> bool {
        self.carrier_consignment_id.is_some()
            || self.is_international == Some(true)
            || self.dgs_declaration == Some(true)
            || self.items.iter().any(ItemRequest::is_complex)
    }

    /// When it is asked to leave; nothing means now.
    pub fn despatch(&self) -> Option<Despatch> {
        let utc = self.dispatch_date_time_utc.or(self.despatch_date_time_utc);
        let local = self
            .dispatch_date_time_local
            .or(self.despatch_date_time_local);
        utc.map(Despatch::Utc).or(local.map(Despatch::Local))
    }

    /// Asks for a despatch time, in the specification's spelling.
    pub fn set_despatch(&mut self, despatch: Option<Despatch>) {
        self.spell_despatch(despatch, DespatchSpelling::Dispatch);
    }

    /// The same request with the despatch time spelt as the deployment knows it.
    #[must_use]
    pub fn spelt(mut self, spelling: DespatchSpelling) -> Self {
        self.spell_despatch(self.despatch(), spelling);
        self
    }

    fn spell_despatch(&mut self, despatch: Option<Despatch>, spelling: DespatchSpelling) {
        let (utc, local) = match despatch {
            None => (None, None),
            Some(Despatch::Utc(time)) => (Some(time), None),
            Some(Despatch::Local(time)) => (None, Some(time)),
        };
        let (with_i, with_e) = match spelling {
            DespatchSpelling::Dispatch => ((utc, local), (None, None)),
            DespatchSpelling::Despatch => ((None, None), (utc, local)),
        };
        (self.dispatch_date_time_utc, self.dispatch_date_time_local) = with_i;
        (self.despatch_date_time_utc, self.despatch_date_time_local) = with_e;
    }
}
