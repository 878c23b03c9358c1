//! Prices and options ("routes/returnRoutes"; shapes from the field notes).

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::carrier::Named;
use super::consignment::ConsignmentTotal;
use super::goods::ItemRequest;
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId,
};
use super::lenient;
use super::request::{ConsignmentRequest, LocationRequest, Question};
use super::time::{LocalTime, UtcTime};

/// What prices are asked for. Spelt `despatch…` here, unlike on create.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteRequest {
    company_id: Option<CompanyId>,
    from_location: Option<LocationRequest>,
    from_company_location_id: Option<CompanyLocationId>,
    to_location: Option<LocationRequest>,
    to_company_location_id: Option<CompanyLocationId>,
    despatch_date_time_utc: Option<UtcTime>,
    despatch_date_time_local: Option<LocalTime>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    question_ids: Vec<Question>,
    dgs_declaration: Option<bool>,
    items: Vec<ItemRequest>,
}

impl RouteRequest {
    /// The question that a consignment's request raises: places, goods, time and flags, and nobody's name.
    pub fn for_consignment(request: &ConsignmentRequest) -> Self {
        Self {
            company_id: request.company_id,
            from_location: request.from_location.clone(),
            from_company_location_id: request.from_company_location_id,
            to_location: request.to_location.clone(),
            to_company_location_id: request.to_company_location_id,
            despatch_date_time_utc: request.dispatch_date_time_utc,
            despatch_date_time_local: request.dispatch_date_time_local,
            question_ids: request.question_ids.clone(),
            dgs_declaration: request.dgs_declaration,
            items: request.items.clone(),
        }
    }

    /// True where the items need the complex endpoint's shape.
    pub fn is_complex(&self) -> bool {
        self.items.iter().any(|item| item.standard_item.is_some())
    }
}

/// The answer: what can carry it, and what cannot.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Routes {
    /// Ways to send it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub routes: Vec<Route>,
    /// Carriers that cannot, with their reason.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub results: Vec<RouteRefusal>,
}

/// One way to send it, at one price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// Who carries it.
    pub carrier: Named<CarrierId>,
    /// By which service.
    pub carrier_service: Named<CarrierServiceId>,
    /// On which account.
    #[serde(default)]
    pub carrier_account: Option<Named<CarrierAccountId>>,
    /// The company's link to the account.
    pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
    /// What it costs.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_total: ConsignmentTotal,
    /// When it can leave and arrive, the earliest first.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub despatch_options: Vec<DespatchOption>,
}

impl Route {
    /// When it would arrive, on the receiver's clocks, if it left at the first option.
    pub fn eta(&self) -> Option<LocalTime> {
        self.despatch_options
            .first()
            .and_then(|option| option.eta_local)
    }
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
}

/// A carrier that cannot take it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteRefusal {
    /// Which carrier.
    #[serde(default)]
    pub carrier: Option<Named<CarrierId>>,
    /// Why not, in the service's words.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub error_message: String,
}
