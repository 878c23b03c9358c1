//! Requests for prices, and the routes in the answer.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::company::NamedRecord;
use super::consignment::ConsignmentTotal;
use super::envelope::UnreadableRecord;
use super::goods::{CountryCode, ItemRequest};
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId,
};
use super::lenient::{self, lenient_record};
use super::request::{ConsignmentRequest, Despatch, LocationRequest, Question};
use super::time::{LocalTime, UtcTime};
use super::values::{CubicMetres, Dollars, Kilograms, Percent};

/// A request for prices. The despatch time is spelt `despatch…` here, but `dispatch…` on create.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteRequest {
    company_id: Option<CompanyId>,
    from_location: Option<LocationRequest>,
    from_company_location_id: Option<CompanyLocationId>,
    from_abbreviation: Option<String>,
    international_from_city: Option<String>,
    international_from_postcode: Option<String>,
    international_from_province: Option<String>,
    from_country_code: Option<CountryCode>,
    to_location: Option<LocationRequest>,
    to_company_location_id: Option<CompanyLocationId>,
    to_abbreviation: Option<String>,
    international_to_city: Option<String>,
    international_to_postcode: Option<String>,
    international_to_province: Option<String>,
    to_country_code: Option<CountryCode>,
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
            from_location: request.from_location.clone(),
            from_company_location_id: request.from_company_location_id,
            from_abbreviation: request.from_abbreviation.clone(),
            international_from_city: request.international_from_city.clone(),
            international_from_postcode: request.international_from_postcode.clone(),
            international_from_province: request.international_from_province.clone(),
            from_country_code: request.from_country_code,
            to_location: request.to_location.clone(),
            to_company_location_id: request.to_company_location_id,
            to_abbreviation: request.to_abbreviation.clone(),
            international_to_city: request.international_to_city.clone(),
            international_to_postcode: request.international_to_postcode.clone(),
            international_to_province: request.international_to_province.clone(),
            to_country_code: request.to_country_code,
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

/// A carrier service with its price and despatch times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    #[serde(deserialize_with = "lenient::named")]
    pub carrier: NamedRecord<CarrierId>,
    #[serde(deserialize_with = "lenient::named")]
    pub carrier_service: NamedRecord<CarrierServiceId>,
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    pub carrier_account: Option<NamedRecord<CarrierAccountId>>,
    /// The link between the company and the account.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
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
    /// Whether transit times are in hours instead of days.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub is_hourly: bool,
}

impl Route {
    /// Returns the arrival of the first despatch option, in the receiver's time zone.
    pub fn eta(&self) -> Option<LocalTime> {
        self.despatch_options
            .first()
            .and_then(|option| option.eta_local)
    }
}

/// A surcharge that is part of a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Surcharge {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// Before tax.
    pub sell_price: Option<Dollars>,
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

/// A carrier that cannot take the consignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteRefusal {
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    pub carrier: Option<NamedRecord<CarrierId>>,
    /// `None` means all services of the carrier.
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    pub carrier_service: Option<NamedRecord<CarrierServiceId>>,
    /// The reason, in the service's words.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub error_message: String,
}
