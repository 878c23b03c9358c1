//! Requests for prices, and the routes in the answer.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::company::NamedRecord;
use super::consignment::ConsignmentTotal;
use super::envelope::UnreadableRecord;
use super::goods::ItemRequest;
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
};
use super::lenient::{self, lenient_record};
use super::request::{
    ConsignmentRequest, Despatch, InternationalPlace, PartyRequest, Question, prefix_from,
    prefix_international_from, prefix_international_to, prefix_to,
};
use super::time::{LocalTime, UtcTime};
use super::values::{CubicMetres, Dollars, Kilograms, Percent};

/// A request for prices. The despatch time is spelt `despatch…` here, but `dispatch…` on create.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteRequest {
    company_id: Option<CompanyId>,
    #[serde(flatten, with = "prefix_from")]
    from: PartyRequest,
    #[serde(flatten, with = "prefix_international_from")]
    international_from: InternationalPlace,
    #[serde(flatten, with = "prefix_to")]
    to: PartyRequest,
    #[serde(flatten, with = "prefix_international_to")]
    international_to: InternationalPlace,
    is_international: Option<bool>,
    despatch_date_time_utc: Option<UtcTime>,
    despatch_date_time_local: Option<LocalTime>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    question_ids: Vec<Question>,
    dgs_declaration: Option<bool>,
    items: Vec<ItemRequest>,
    /// Restricts the request to these carriers; empty means all carriers of the company.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carrier_ids: Vec<CarrierId>,
    /// Restricts the request to this service.
    pub carrier_service_id: Option<CarrierServiceId>,
    /// Restricts the request to this account.
    pub carrier_account_id: Option<CarrierAccountId>,
    /// Restricts the request to this link between company and account.
    pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
    pub customer_reference: Option<String>,
    pub customer_reference2: Option<String>,
    /// A UUID that comes back in the answer.
    pub request_id: Option<String>,
}

impl RouteRequest {
    /// Builds the price request for a consignment: locations, goods, time and flags, but no names.
    pub fn for_consignment(request: &ConsignmentRequest) -> Self {
        let (utc, local) = Despatch::split(request.despatch());
        Self {
            company_id: request.company_id,
            from: request.from.place(),
            international_from: request.international_from.clone(),
            to: request.to.place(),
            international_to: request.international_to.clone(),
            is_international: request.is_international,
            despatch_date_time_utc: utc,
            despatch_date_time_local: local,
            question_ids: request.question_ids.clone(),
            dgs_declaration: request.dgs_declaration,
            items: request.items.clone(),
            ..Self::default()
        }
    }

    /// Returns whether the items need the complex endpoint.
    pub fn is_complex(&self) -> bool {
        self.is_international == Some(true)
            || self.dgs_declaration == Some(true)
            || self.items.iter().any(ItemRequest::is_complex)
    }
}

/// The answer to a price request: the routes, and the carriers that refused.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Routes {
    /// The request's id if it had one, otherwise the answer's own.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub id: Option<String>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub routes: Vec<Route>,
    /// Carriers that cannot take the consignment, with their reason.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub results: Vec<RouteRefusal>,
    /// The routes and refusals that cannot be read.
    #[serde(skip)]
    pub unread: Vec<UnreadableRecord>,
}

lenient_record! {
    /// A carrier service with its price and despatch times.
    pub struct Route {
        #[serde(deserialize_with = "lenient::named")]
        pub carrier: NamedRecord<CarrierId>,
        #[serde(deserialize_with = "lenient::named")]
        pub carrier_service: NamedRecord<CarrierServiceId>,
        #[serde(default, deserialize_with = "lenient::named_or_nothing")]
        pub carrier_account: Option<NamedRecord<CarrierAccountId>>,
        /// The link between the company and the account.
        pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub consignment_total: ConsignmentTotal,
        /// The possible despatch times, the earliest first.
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub despatch_options: Vec<DespatchOption>,
        /// In per cent of the freight.
        pub fuel_levy_percentage: Option<Percent>,
        pub tax_percentage: Option<Percent>,
        /// Surcharges that the questions caused.
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub elective_surcharges: Vec<Surcharge>,
        /// Surcharges that always apply.
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub automatic_surcharges: Vec<Surcharge>,
        pub total_weight: Option<Kilograms>,
        /// Cubic weight or cubic metres: services differ.
        pub total_cubic: Option<CubicMetres>,
        pub total_volume: Option<CubicMetres>,
        /// The price as the service would show it.
        #[serde(default, deserialize_with = "lenient::amount_or_nothing")]
        pub price_display: Option<Dollars>,
    }
}

impl Route {
    /// Returns the arrival of the first despatch option, in the receiver's time zone.
    pub fn eta(&self) -> Option<LocalTime> {
        self.despatch_options
            .first()
            .and_then(|option| option.eta_local)
    }
}

lenient_record! {
    /// A surcharge that is part of a price.
    pub struct Surcharge {
        pub name: String,
        /// Before tax.
        pub sell_price: Option<Dollars>,
    }
}

lenient_record! {
    /// A possible despatch time of a route, with its arrival.
    pub struct DespatchOption {
        /// In the sender's time zone.
        pub despatch_date_local: Option<LocalTime>,
        pub despatch_date_utc: Option<UtcTime>,
        /// In the receiver's time zone.
        pub eta_local: Option<LocalTime>,
        pub eta_utc: Option<UtcTime>,
        /// The minutes from despatch to arrival.
        #[serde(default, deserialize_with = "lenient::count_or_nothing")]
        pub duration_in_minutes: Option<i64>,
        /// The business days from despatch to arrival.
        #[serde(default, deserialize_with = "lenient::count_or_nothing")]
        pub total_business_days: Option<i64>,
        pub eta_affected_by_public_holidays: bool,
        pub despatch_date_affected_by_public_holidays: bool,
        /// Whether the despatch is a time window instead of a moment.
        pub is_time_window: bool,
        /// The arrival in the carrier's own words.
        pub custom_eta_string: Option<String>,
        /// False if the carrier accepts dates only.
        pub carrier_accepts_despatch_times: Option<bool>,
    }
}

lenient_record! {
    /// A carrier that cannot take the consignment.
    pub struct RouteRefusal {
        #[serde(default, deserialize_with = "lenient::named_or_nothing")]
        pub carrier: Option<NamedRecord<CarrierId>>,
        /// `None` means all services of the carrier.
        #[serde(default, deserialize_with = "lenient::named_or_nothing")]
        pub carrier_service: Option<NamedRecord<CarrierServiceId>>,
        /// The reason, in the service's words.
        pub error_message: String,
    }
}
