//! The requests that create consignments, for the simple and the complex endpoint, pending consignments (drafts at
//! the service, which a user completes there), and requests for prices.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_with::with_prefix;

use super::compatibility::DespatchSpelling;
use super::goods::{ConsignmentItem, CountryCode};
use super::lenient::{self, lenient_records, request_records};
use super::time::{LocalTime, UtcTime};
use super::values::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId, PendingConsignmentId, ReceiverAccountId,
};

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

    /// Returns the id that goes on the wire, and the label that the clerk sees.
    const fn id_and_label(self) -> (&'static str, &'static str) {
        match self {
            Self::Tailgate => ("7", "Tailgate"),
            Self::Crane => ("8", "Crane truck"),
            Self::Residential => ("13", "Residential"),
            Self::AuthorityToLeave => ("14", "Authority to leave"),
            Self::HandUnload => ("36", "Hand unload"),
        }
    }

    pub const fn id(self) -> &'static str {
        self.id_and_label().0
    }

    pub const fn label(self) -> &'static str {
        self.id_and_label().1
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
/// ignore the local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Despatch {
    Utc(UtcTime),
    /// A wall-clock time in the pickup location's time zone.
    Local(LocalTime),
}

with_prefix!(prefix_from "from");
with_prefix!(prefix_to "to");
with_prefix!(prefix_international_from "internationalFrom");
with_prefix!(prefix_international_to "internationalTo");

request_records! { "PascalCase"
    /// A sender or receiver, as sent. On the wire, the names of the fields begin with `from` or `to`.
    pub struct PartyRequest {
        pub name: Option<String>,
        pub contact: Option<String>,
        pub phone: Option<String>,
        pub email: Option<String>,
        pub address_line1: Option<String>,
        pub address_line2: Option<String>,
        pub location: Option<LocationRequest>,
        /// A saved location, which replaces all other fields of the party.
        pub company_location_id: Option<CompanyLocationId>,
        /// The abbreviation of a saved location, which also replaces all other fields.
        pub abbreviation: Option<String>,
        pub country_code: Option<CountryCode>,
    }

    /// A place outside Australia, as sent. Its names on the wire begin with `internationalFrom` or `internationalTo`.
    pub struct InternationalPlace {
        pub city: Option<String>,
        pub postcode: Option<String>,
        pub province: Option<String>,
    }
}

impl PartyRequest {
    /// Returns the place of the party, without names and street.
    fn place(&self) -> Self {
        Self {
            location: self.location.clone(),
            company_location_id: self.company_location_id,
            abbreviation: self.abbreviation.clone(),
            country_code: self.country_code,
            ..Self::default()
        }
    }
}

/// Declares the fields of a [`ConsignmentRequest`]. The brackets before each field name the other requests that also
/// have the field: `Pending` consignments and requests for `Prices`.
macro_rules! consignment_request {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$meta:meta])* [$($other:ident)*] $vis:vis $field:ident: $type:ty,)+
        }
    ) => {
        request_records! { "camelCase"
            $(#[$about])*
            pub struct $name {
                $($(#[$meta])* $vis $field: $type,)+
            }
        }

        impl $name {
            /// Empties the fields that a request of this kind lacks.
            fn keep_only(&mut self, kind: OtherRequest) {
                $({
                    const HAVING: &[OtherRequest] = &[$(OtherRequest::$other),*];
                    if !HAVING.contains(&kind) {
                        self.$field = Default::default();
                    }
                })+
            }
        }
    };
}

/// A request that has some of the fields of a [`ConsignmentRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OtherRequest {
    Pending,
    Prices,
}

consignment_request! {
    /// A request for a consignment. Each party is either a saved location or a full address, and there is at
    /// most one despatch time.
    pub struct ConsignmentRequest {
        /// Absent means the calling user's company.
        [Pending Prices] pub company_id: Option<CompanyId>,
        #[serde(flatten, with = "prefix_from")]
        [Pending Prices] pub from: PartyRequest,
        #[serde(flatten, with = "prefix_international_from")]
        [Pending Prices] pub international_from: InternationalPlace,
        #[serde(flatten, with = "prefix_to")]
        [Pending Prices] pub to: PartyRequest,
        #[serde(flatten, with = "prefix_international_to")]
        [Pending Prices] pub international_to: InternationalPlace,
        [Pending] pub special_instructions: Option<String>,
        /// Without a service, the carrier's cheapest service applies.
        [Pending] pub carrier_id: Option<CarrierId>,
        [Pending] pub carrier_service_id: Option<CarrierServiceId>,
        /// Needed only where several accounts are linked to the company.
        [Pending] pub carrier_account_id: Option<CarrierAccountId>,
        [Pending] pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
        /// Automatic routing instead of a carrier.
        [Pending] pub default_route_selection: Option<RouteSelection>,
        [Pending] pub customer_reference: Option<String>,
        /// The second reference. May contain the bench's key if the clerk left the reference empty.
        [Pending] pub customer_reference2: Option<String>,
        [Pending Prices] pub question_ids: Vec<Question>,
        [Pending] pub custom_values: Vec<CustomValue>,
        /// The person who generated the consignment.
        [Pending] pub staff_member_name: Option<String>,
        /// Whether either end is outside Australia.
        [Pending Prices] pub is_international: Option<bool>,
        [Pending Prices] dispatch_date_time_utc: Option<UtcTime>,
        [Pending Prices] dispatch_date_time_local: Option<LocalTime>,
        [Pending Prices] despatch_date_time_utc: Option<UtcTime>,
        [Pending Prices] despatch_date_time_local: Option<LocalTime>,
        [] pub printer_token: Option<String>,
        /// Whether the receiver gets a tracking e-mail.
        [] pub sending_tracking_email: Option<bool>,
        /// Whether the receiver gets a tracking e-mail, under the name that pending consignments use.
        [Pending] send_tracking_email: Option<bool>,
        /// For receiver-pays: the code of the receiver's account with the carrier. Never send it together
        /// with the id.
        [] pub receiver_account_code: Option<String>,
        /// For receiver-pays: the id of the receiver's account with the carrier.
        [] pub receiver_account_id: Option<ReceiverAccountId>,
        /// Whether any item contains dangerous goods.
        [Prices] pub dgs_declaration: Option<bool>,
        #[serde_with(skip_apply)]
        [Pending Prices] pub items: Vec<ConsignmentItem>,
        /// The carrier's consignment number, if the shipper assigns it (complex endpoint).
        [] pub carrier_consignment_id: Option<String>,
        /// Restricts a request for prices to these carriers; empty means all carriers of the company.
        [] pub carrier_ids: Vec<CarrierId>,
        /// A UUID that the answer to a request for prices returns.
        [] pub request_id: Option<String>,
        /// The pending consignments that this consignment replaces. Sent only if the deployment supports the
        /// field; see [`super::OptionalFeatures`].
        [] pub linked_pending_consignment_ids: Vec<PendingConsignmentId>,
    }
}

/// A request for a pending consignment: the fields of a consignment, each of which may be missing, with other
/// names for some of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PendingConsignmentRequest(pub ConsignmentRequest);

impl ConsignmentRequest {
    /// Returns whether only `createConsignmentwithComplexItems` accepts this request: dangerous goods,
    /// customs contents, saved items or delegated numbers.
    pub fn is_complex(&self) -> bool {
        self.carrier_consignment_id.is_some()
            || self.is_international == Some(true)
            || self.dgs_declaration == Some(true)
            || self.items.iter().any(ConsignmentItem::is_complex)
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
        let times = match despatch {
            None => (None, None),
            Some(Despatch::Utc(time)) => (Some(time), None),
            Some(Despatch::Local(time)) => (None, Some(time)),
        };
        let (with_i, with_e) = match spelling {
            DespatchSpelling::Dispatch => (times, (None, None)),
            DespatchSpelling::Despatch => ((None, None), times),
        };
        (self.dispatch_date_time_utc, self.dispatch_date_time_local) = with_i;
        (self.despatch_date_time_utc, self.despatch_date_time_local) = with_e;
    }
}

lenient_records! {
    /// A pending consignment that the service created.
    pub struct PendingConsignment {
        /// The id; separate from consignment ids.
        pub id: PendingConsignmentId,
        /// `PC` followed by the id.
        pub consignment_number: String,
    }
}

impl PendingConsignmentRequest {
    /// Converts a consignment's request. A pending consignment has no delegated numbers, receiver's account,
    /// declaration or printer token; these are given at its conversion. Its despatch time is spelt `despatch…`,
    /// where a consignment has `dispatch…`.
    pub fn from_consignment(request: ConsignmentRequest) -> Self {
        let mut pending = request.with_despatch_spelling(DespatchSpelling::Despatch);
        pending.send_tracking_email = pending.sending_tracking_email;
        pending.keep_only(OtherRequest::Pending);
        let items = pending.items.into_iter();
        pending.items = items.map(ConsignmentItem::into_pending).collect();
        Self(pending)
    }
}

/// A request for prices: a consignment without names and references. The despatch time is spelt `despatch…` here,
/// but `dispatch…` on create.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RouteRequest(pub ConsignmentRequest);

impl RouteRequest {
    /// Builds the price request for a consignment: locations, goods, time and flags.
    pub fn for_consignment(request: &ConsignmentRequest) -> Self {
        let request = request.clone();
        let mut prices = request.with_despatch_spelling(DespatchSpelling::Despatch);
        prices.keep_only(OtherRequest::Prices);
        for party in [&mut prices.from, &mut prices.to] {
            *party = party.place();
        }
        Self(prices)
    }
}
