//! Prices and options ("routes/returnRoutes"; shapes from the field notes).

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::carrier::Named;
use super::consignment::ConsignmentTotal;
use super::customs::CountryCode;
use super::goods::ItemRequest;
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId,
};
use super::lenient;
use super::partial::Unread;
use super::request::{ConsignmentRequest, Despatch, LocationRequest, Question};
use super::time::{LocalTime, UtcTime};
use super::values::{CubicMetres, Dollars, Kilograms, Percent};

/// What prices are asked for. Spelt `despatch…` here, unlike on create.
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
    /// Only these carriers; all of the company's where empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carrier_ids: Vec<CarrierId>,
    /// Only this service.
    pub carrier_service_id: Option<CarrierServiceId>,
    /// Only this account.
    pub carrier_account_id: Option<CarrierAccountId>,
    /// Only this link to an account.
    pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
    /// The shipper's reference.
    pub customer_reference: Option<String>,
    /// The second reference.
    pub customer_reference2: Option<String>,
    /// Comes back in the answer: a UUID.
    pub request_id: Option<String>,
}

impl RouteRequest {
    /// The question that a consignment's request raises: places, goods, time and flags, and nobody's name.
    pub fn for_consignment(request: &ConsignmentRequest) -> Self {
        let (utc, local) = match request.despatch() {
            None => (None, None),
            Some(Despatch::Utc(time)) => (Some(time), None),
            Some(Despatch::Local(time)) => (None, Some(time)),
        };
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

    /// True where the items need the complex endpoint's shape.
    pub fn is_complex(&self) -> bool {
        self.is_international == Some(true)
            || self.dgs_declaration == Some(true)
            || self.items.iter().any(ItemRequest::is_complex)
    }
}

/// The answer: what can carry it, and what cannot.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Routes {
    /// The answer's own id; the request's, where it had one.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub id: Option<String>,
    /// Ways to send it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub routes: Vec<Route>,
    /// Carriers that cannot, with their reason.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub results: Vec<RouteRefusal>,
    /// Those of both that can't be read.
    #[serde(skip)]
    pub unread: Vec<Unread>,
}

/// One way to send it, at one price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// Who carries it.
    #[serde(deserialize_with = "lenient::named")]
    pub carrier: Named<CarrierId>,
    /// By which service.
    #[serde(deserialize_with = "lenient::named")]
    pub carrier_service: Named<CarrierServiceId>,
    /// On which account.
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    pub carrier_account: Option<Named<CarrierAccountId>>,
    /// The company's link to the account.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
    /// What it costs.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_total: ConsignmentTotal,
    /// When it can leave and arrive, the earliest first.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub despatch_options: Vec<DespatchOption>,
    /// Fuel levy, in per cent of the freight.
    #[serde(default)]
    pub fuel_levy_percentage: Option<Percent>,
    /// Tax, in per cent.
    #[serde(default)]
    pub tax_percentage: Option<Percent>,
    /// Surcharges that the questions asked for.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub elective_surcharges: Vec<Surcharge>,
    /// Surcharges that come by themselves.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub automatic_surcharges: Vec<Surcharge>,
    /// Kilograms in all.
    #[serde(default)]
    pub total_weight: Option<Kilograms>,
    /// Cubic weight, or cubic metres: services differ.
    #[serde(default)]
    pub total_cubic: Option<CubicMetres>,
    /// Cubic metres in all.
    #[serde(default)]
    pub total_volume: Option<CubicMetres>,
    /// The price as the service would show it.
    #[serde(default, deserialize_with = "lenient::amount_or_nothing")]
    pub price_display: Option<Dollars>,
    /// True where it is counted in hours rather than days.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub is_hourly: bool,
}

impl Route {
    /// When it would arrive, on the receiver's clocks, if it left at the first option.
    pub fn eta(&self) -> Option<LocalTime> {
        self.despatch_options
            .first()
            .and_then(|option| option.eta_local)
    }
}

/// A part of a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Surcharge {
    /// What for.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// How much, before tax.
    #[serde(default)]
    pub sell_price: Option<Dollars>,
}

/// When a route can leave and arrive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DespatchOption {
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
    /// Minutes from one to the other.
    #[serde(default, deserialize_with = "lenient::count_or_nothing")]
    pub duration_in_minutes: Option<i64>,
    /// Business days from one to the other.
    #[serde(default, deserialize_with = "lenient::count_or_nothing")]
    pub total_business_days: Option<i64>,
    /// True where a public holiday delays the arrival.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub eta_affected_by_public_holidays: bool,
    /// True where a public holiday delays the departure.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub despatch_date_affected_by_public_holidays: bool,
    /// True where it is a window of time rather than a moment.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub is_time_window: bool,
    /// The arrival in the carrier's own words.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub custom_eta_string: Option<String>,
    /// False where the carrier takes dates only.
    #[serde(default)]
    pub carrier_accepts_despatch_times: Option<bool>,
}

/// A carrier that cannot take it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteRefusal {
    /// Which carrier.
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    pub carrier: Option<Named<CarrierId>>,
    /// Which service of it; all of them where none.
    #[serde(default, deserialize_with = "lenient::named_or_nothing")]
    pub carrier_service: Option<Named<CarrierServiceId>>,
    /// Why not, in the service's words.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub error_message: String,
}
