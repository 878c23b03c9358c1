//! A request for live pricing, as the middleware's reference mapping has it.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::lenient;

#[derive(Debug, Deserialize)]
pub(crate) struct PricingOrder {
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) quote: QuoteOrder,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct QuoteOrder {
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) warehouse: PricedSide,
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) shipping_address: PricedSide,
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) shipping_options: PricedOptions,
    #[serde(deserialize_with = "lenient::records")]
    pub(crate) items: Option<Vec<PricedItem>>,
}

/// One end. What the streets are called is not looked at: prices are by place.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PricedSide {
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
pub(crate) struct PricedItem {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) sku: Option<String>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) quantity: Option<i64>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) weight: Option<Decimal>,
    /// Of one of them.
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) price: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) length: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) width: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) height: Option<Decimal>,
    /// Free-form; `oversize` is the one thing that this mapping looks at.
    pub(crate) product_meta: Option<Map<String, Value>>,
}
