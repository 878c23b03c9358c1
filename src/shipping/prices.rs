//! The answers to requests for prices: the service's routes, and live prices from the integration middleware, which
//! has its own address, its own record shapes and `snake_case` names.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::company::NamedRecord;
use super::consignment::ConsignmentTotal;
use super::envelope::UnreadableRecord;
use super::goods::ItemContents;
use super::lenient::{self, lenient_fields, lenient_records, request_records};
use super::time::{LocalTime, UtcTime};
use super::values::{
    CarrierAccountId, CarrierId, CarrierServiceId, Centimetres, CompanyCarrierAccountId,
    CubicMetres, Dollars, Kilograms, Percent,
};

lenient_records! {
    /// The answer to a price request: the routes, and the carriers that refused.
    #[derive(Default)]
    pub struct Routes {
        /// The request's id; if the request had no id, an id made by the service.
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

request_records! { "snake_case"
    /// A request for live prices in the reference shape. An integration may map fields differently.
    pub struct LivePricingRequest {
        pub quote: Quote,
    }

    /// Goods to be sent from a warehouse to an address.
    pub struct Quote {
        pub warehouse: QuoteAddress,
        pub shipping_address: QuoteAddress,
        pub shipping_options: ShippingOptions,
        #[serde_with(skip_apply)]
        pub items: Vec<QuoteItem>,
    }

    /// An address in a quote.
    pub struct QuoteAddress {
        pub country: Option<String>,
        pub postal_code: Option<String>,
        pub province: Option<String>,
        pub city: Option<String>,
        /// The street of the warehouse.
        pub address1: Option<String>,
        /// The street of the receiver.
        pub address: Option<String>,
        pub address2: Option<String>,
        pub name: Option<String>,
    }

    /// Delivery options of a quote.
    pub struct ShippingOptions {
        /// Whether the goods may be left at the door without a signature.
        pub authority_to_leave: Option<bool>,
        /// Whether the receiver's address is a home.
        pub residential: Option<bool>,
        pub despatch_datetime_utc: Option<UtcTime>,
    }

    /// A line of goods in a quote.
    pub struct QuoteItem {
        pub name: Option<String>,
        pub sku: Option<String>,
        pub quantity: u32,
        /// Weight of one item.
        pub weight: Option<Kilograms>,
        /// The selling price of one item.
        pub price: Option<Dollars>,
        pub length: Option<Centimetres>,
        pub width: Option<Centimetres>,
        pub height: Option<Centimetres>,
        pub categories: Vec<String>,
        /// Any extra data that the integration maps, like an oversize flag.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        pub product_meta: Map<String, Value>,
    }
}

lenient_fields! {
    /// The middleware's answer. A failure is sent as `error`, or as `is_error` with `error_message` and no rates.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub struct LivePricingResponse {
        pub rates: Vec<Rate>,
        /// The lines of goods as the middleware understood them.
        pub quoted_items: Vec<QuotedItem>,
        error: Option<String>,
        is_error: bool,
        error_message: Option<String>,
    }
}

impl LivePricingResponse {
    /// Returns the middleware's error text; `None` if the request succeeded.
    pub fn error_text(&self) -> Option<&str> {
        let words = self.error.as_deref().or(self.error_message.as_deref());
        if self.error.is_some() || self.is_error {
            Some(words.unwrap_or_default())
        } else {
            None
        }
    }
}

lenient_fields! {
    /// A carrier service with its price.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Rate {
        pub service_name: String,
        pub description: String,
        pub carrier_id: String,
        pub service_id: String,
        /// The question ids to send with the consignment.
        #[serde_with(skip_apply)]
        #[serde(
            default,
            rename = "questionIds",
            deserialize_with = "crate::lenient::texts_or_default"
        )]
        pub question_ids: Vec<String>,
        pub total_price_exc_tax: Option<Dollars>,
        pub total_price: Option<Dollars>,
        /// An ISO 4217 code, like `AUD`.
        pub currency: String,
        /// The estimated arrival. A time without a zone is in UTC, like the despatch time of the request.
        pub eta: Option<UtcTime>,
    }
}

lenient_records! {
    /// A line of goods as the middleware understood it.
    pub struct QuotedItem {
        pub name: String,
        pub sku: Option<String>,
        pub quantity: Option<i64>,
        /// The packaging kind.
        pub item_type: String,
        /// Weight of one item.
        pub weight: Option<Kilograms>,
        pub length: Option<Centimetres>,
        pub width: Option<Centimetres>,
        pub height: Option<Centimetres>,
        pub consignment_item_contents: Vec<ItemContents>,
    }
}
