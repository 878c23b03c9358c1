//! The routes in the answer to a request for prices.

use super::company::NamedRecord;
use super::consignment::ConsignmentTotal;
use super::envelope::UnreadableRecord;
use super::ids::{CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId};
use super::lenient::{self, lenient_records};
use super::time::{LocalTime, UtcTime};
use super::values::{CubicMetres, Dollars, Kilograms, Percent};

lenient_records! {
    /// The answer to a price request: the routes, and the carriers that refused.
    #[derive(Default)]
    pub struct Routes {
        /// The request's id if it had one, otherwise the answer's own.
        pub id: Option<String>,
        pub routes: Vec<Route>,
        /// Carriers that cannot take the consignment, with their reason.
        pub results: Vec<RouteRefusal>,
        /// The routes and refusals that cannot be read.
        #[serde_with(skip_apply)]
        #[serde(skip)]
        pub unread: Vec<UnreadableRecord>,
    }

    /// A carrier service with its price and despatch times.
    pub struct Route {
        #[serde(deserialize_with = "lenient::named")]
        pub carrier: NamedRecord<CarrierId>,
        #[serde(deserialize_with = "lenient::named")]
        pub carrier_service: NamedRecord<CarrierServiceId>,
        pub carrier_account: Option<NamedRecord<CarrierAccountId>>,
        pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub consignment_total: ConsignmentTotal,
        /// The possible despatch times, the earliest first.
        pub despatch_options: Vec<DespatchOption>,
        /// In per cent of the freight.
        pub fuel_levy_percentage: Option<Percent>,
        pub tax_percentage: Option<Percent>,
        /// Surcharges that the questions caused.
        pub elective_surcharges: Vec<Surcharge>,
        /// Surcharges that always apply.
        pub automatic_surcharges: Vec<Surcharge>,
        pub total_weight: Option<Kilograms>,
        /// Cubic weight or cubic metres: services differ.
        pub total_cubic: Option<CubicMetres>,
        pub total_volume: Option<CubicMetres>,
        /// The price as the service would show it.
        #[serde(default, deserialize_with = "lenient::amount_or_nothing")]
        pub price_display: Option<Dollars>,
    }

    /// A surcharge that is part of a price.
    pub struct Surcharge {
        pub name: String,
        /// Before tax.
        pub sell_price: Option<Dollars>,
    }

    /// A possible despatch time of a route, with its arrival.
    pub struct DespatchOption {
        /// In the sender's time zone.
        pub despatch_date_local: Option<LocalTime>,
        pub despatch_date_utc: Option<UtcTime>,
        /// In the receiver's time zone.
        pub eta_local: Option<LocalTime>,
        pub eta_utc: Option<UtcTime>,
        /// The minutes from despatch to arrival.
        pub duration_in_minutes: Option<i64>,
        /// The business days from despatch to arrival.
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

    /// A carrier that cannot take the consignment.
    pub struct RouteRefusal {
        pub carrier: Option<NamedRecord<CarrierId>>,
        /// `None` means all services of the carrier.
        pub carrier_service: Option<NamedRecord<CarrierServiceId>>,
        /// The reason, in the service's words.
        pub error_message: String,
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
