//! Request for live pricing, in the format of the middleware's reference mapping.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::lenient;

#[derive(Debug, Deserialize)]
pub(crate) struct LivePricingRequest {
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) quote: QuoteRequest,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct QuoteRequest {
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) warehouse: PricingPlace,
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) shipping_address: PricingPlace,
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) shipping_options: PricedOptions,
    #[serde(deserialize_with = "lenient::records")]
    pub(crate) items: Option<Vec<PricingItem>>,
}

/// The place of the sender or receiver. Street lines are not read, because they do not affect the price.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PricingPlace {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) country: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) postal_code: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) province: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) city: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PricedOptions {
    pub(crate) authority_to_leave: Option<bool>,
    pub(crate) residential: Option<bool>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) despatch_datetime_utc: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PricingItem {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) sku: Option<String>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) quantity: Option<i64>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) weight: Option<Decimal>,
    /// The price of one unit.
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) price: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) length: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) width: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) height: Option<Decimal>,
    /// Free-form data of the platform. Only `oversize` is read.
    pub(crate) product_meta: Option<Map<String, Value>>,
}
