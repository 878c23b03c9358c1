//! Live prices from the integration middleware, which has its own address, its own record shapes and
//! `snake_case` names.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::consignment::ConsignmentItemContents;
use super::lenient::{lenient_fields, lenient_records, request_records};
use super::time::UtcTime;
use super::values::{Centimetres, Dollars, Kilograms};

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
    /// The middleware's answer. A failure comes as `error`, or as `is_error` with `error_message` and no rates.
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
        /// The estimated arrival. Without a zone in the text, UTC, like the despatch time of the request.
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
        pub consignment_item_contents: Vec<ConsignmentItemContents>,
    }
}
