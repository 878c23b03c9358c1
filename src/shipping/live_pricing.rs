//! Live prices of the integration middleware ("Integration middleware"): its own address, its own shapes, and `snake_case` names.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;

use super::consignment_item::ConsignmentItemContents;
use super::lenient;
use super::time::UtcTime;
use super::values::{Centimetres, Dollars, Kilograms};

/// What is asked: the reference shape, which an integration may map differently.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PriceRequest {
    /// All of it.
    pub quote: Quote,
}

/// A basket, from one place to another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Quote {
    /// Where it leaves.
    pub warehouse: Warehouse,
    /// Where it goes.
    pub shipping_address: ShippingAddress,
    /// How.
    pub shipping_options: ShippingOptions,
    /// What.
    pub items: Vec<QuoteItem>,
}

/// Where a basket leaves.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Warehouse {
    /// Country.
    pub country: Option<String>,
    /// Postcode.
    pub postal_code: Option<String>,
    /// State.
    pub province: Option<String>,
    /// Suburb.
    pub city: Option<String>,
    /// Street.
    pub address1: Option<String>,
    /// Second line.
    pub address2: Option<String>,
    /// Name.
    pub name: Option<String>,
}

/// Where a basket goes. The street is `address` here, unlike at the warehouse.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ShippingAddress {
    /// Country.
    pub country: Option<String>,
    /// Postcode.
    pub postal_code: Option<String>,
    /// State.
    pub province: Option<String>,
    /// Suburb.
    pub city: Option<String>,
    /// Street.
    pub address: Option<String>,
    /// Second line.
    pub address2: Option<String>,
    /// Name.
    pub name: Option<String>,
}

/// How a basket is to go.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ShippingOptions {
    /// May be left at the door.
    pub authority_to_leave: Option<bool>,
    /// To a home.
    pub residential: Option<bool>,
    /// Leaves then.
    pub despatch_datetime_utc: Option<UtcTime>,
}

/// One line of a basket.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QuoteItem {
    /// Description.
    pub name: Option<String>,
    /// Stock keeping unit.
    pub sku: Option<String>,
    /// How many.
    pub quantity: u32,
    /// Kilograms of one.
    pub weight: Option<Kilograms>,
    /// What one is sold for.
    pub price: Option<Dollars>,
    /// Centimetres.
    pub length: Option<Centimetres>,
    /// Centimetres.
    pub width: Option<Centimetres>,
    /// Centimetres.
    pub height: Option<Centimetres>,
    /// Shop categories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Anything that the integration maps, like an oversize flag.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub product_meta: Map<String, Value>,
}

/// What the middleware answers. A failure comes as `error`, or as `is_error` with `error_message` and no rates.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LivePrices {
    /// Ways to send it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub rates: Vec<Rate>,
    /// The lines as they were understood.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub quoted_items: Vec<QuotedItem>,
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    error: Option<String>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    is_error: bool,
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    error_message: Option<String>,
}

impl LivePrices {
    /// What went wrong, in the middleware's words; nothing where it answered.
    pub fn refusal(&self) -> Option<&str> {
        let words = self.error.as_deref().or(self.error_message.as_deref());
        if self.error.is_some() || self.is_error {
            Some(words.unwrap_or_default())
        } else {
            None
        }
    }
}

/// One way to send a basket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// Service.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub service_name: String,
    /// Explanation.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub description: String,
    /// The carrier's id, as text.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub carrier_id: String,
    /// The service's id, as text.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub service_id: String,
    /// Questions to send with it.
    #[serde(
        default,
        rename = "questionIds",
        deserialize_with = "lenient::texts_or_default"
    )]
    pub question_ids: Vec<String>,
    /// Without tax.
    #[serde(default)]
    pub total_price_exc_tax: Option<Dollars>,
    /// With tax.
    #[serde(default)]
    pub total_price: Option<Dollars>,
    /// `AUD` …
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub currency: String,
    /// Arrives; UTC where the text names no zone, as the despatch time of the request is.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub eta: Option<UtcTime>,
}

/// A line as the middleware understood it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuotedItem {
    /// Description.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// Stock keeping unit.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub sku: Option<String>,
    /// How many.
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub quantity: Option<i64>,
    /// Packaging kind.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub item_type: String,
    /// Kilograms of one.
    #[serde(default)]
    pub weight: Option<Kilograms>,
    /// Centimetres.
    #[serde(default)]
    pub length: Option<Centimetres>,
    /// Centimetres.
    #[serde(default)]
    pub width: Option<Centimetres>,
    /// Centimetres.
    #[serde(default)]
    pub height: Option<Centimetres>,
    /// What customs would be told.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_item_contents: Vec<ConsignmentItemContents>,
}
