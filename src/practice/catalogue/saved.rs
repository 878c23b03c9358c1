//! Saved locations and saved items of the companies.

use jiff::civil::Time;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};

#[derive(Debug, Deserialize)]
pub(super) struct Locations {
    pub(super) locations: Vec<SavedLocation>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Items {
    pub(super) items: Vec<SavedItem>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedLocation {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    /// 1 sender, 2 receiver, 3 both.
    pub(crate) location_type: i64,
    pub(crate) name: String,
    pub(crate) abbreviation: String,
    pub(crate) contact: String,
    pub(crate) phone: String,
    pub(crate) email: String,
    pub(crate) address_line1: String,
    pub(crate) address_line2: String,
    pub(crate) suburb: String,
    pub(crate) postcode: String,
    pub(crate) special_instructions: String,
    /// Default pickup time and closing time of the place, in local time.
    #[serde(deserialize_with = "time_of_day")]
    pub(crate) default_pickup_time: Time,
    #[serde(deserialize_with = "time_of_day")]
    pub(crate) default_closing_time: Time,
    pub(crate) default_pickup_instructions: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedItem {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    pub(crate) item_type: String,
    pub(crate) name: String,
    pub(crate) sku: String,
    pub(crate) quantity: i64,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) weight: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) length: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) width: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) height: Decimal,
    /// Ids of the saved dangerous goods in this item.
    pub(crate) goods: Vec<i64>,
}

fn time_of_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}
