//! The invented carriers: the goods that they take, when they collect, and their rates (explained in
//! `carriers.json`).

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Time;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};
use serde_json::Number;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CarriersFile {
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(super) margin_percent: Decimal,
    pub(super) carriers: Vec<Carrier>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Carrier {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) abbreviation: String,
    pub(crate) display_name: String,
    /// Countries with domestic service, as three-letter codes.
    pub(crate) countries: Vec<String>,
    /// Countries with international service between them, as three-letter codes.
    pub(crate) overseas: Vec<String>,
    /// Pickups happen from `opens` to `closes` on business days, local to the pickup place.
    #[serde(deserialize_with = "time_of_day")]
    pub(crate) opens: Time,
    #[serde(deserialize_with = "time_of_day")]
    pub(crate) closes: Time,
    /// Pallet spaces that one pickup can take.
    pub(crate) max_pickup_spaces: i64,
    /// Dangerous goods classes that the carrier takes, as dgClassType numbers. An empty list means none.
    pub(crate) dangerous_goods_classes: Vec<i64>,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) dangerous_goods_fee: Decimal,
    /// Whether the carrier supports the custom value `AreDutiesPaidByRecipient`.
    #[serde(default)]
    pub(crate) duties_by_recipient: bool,
    pub(crate) accepts_consignment_id: bool,
    pub(crate) accepts_item_references: bool,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) max_piece_kg: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) max_piece_cm: Decimal,
    /// Packaging types that the carrier takes. An empty list means all.
    pub(crate) item_types: Vec<String>,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) fuel_levy_percent: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) cubic_kg_per_m3: Decimal,
    pub(crate) oversize: Oversize,
    /// Price by question id.
    #[serde(deserialize_with = "amounts")]
    pub(crate) electives: BTreeMap<i64, Decimal>,
    pub(crate) reference_prefix: String,
    pub(crate) pickup_prefix: String,
    pub(crate) services: Vec<Service>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Oversize {
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) over_cm: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) fee: Decimal,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Service {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) abbreviation: String,
    pub(crate) display_name: String,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) base: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) per_kg: Decimal,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) minimum: Decimal,
    /// Multiplier of the freight by distance band. A band that is missing is not served.
    #[serde(deserialize_with = "amounts")]
    pub(crate) bands: BTreeMap<String, Decimal>,
    /// Business days in transit by distance band.
    #[serde(default)]
    pub(crate) days: HashMap<String, u32>,
    /// Hours in transit by distance band, for services that fly or drive directly.
    #[serde(default)]
    pub(crate) hours: HashMap<String, u32>,
    #[serde(deserialize_with = "time_of_day")]
    pub(crate) deliver_by: Time,
}

fn time_of_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

fn amounts<'de, K, D>(deserializer: D) -> Result<BTreeMap<K, Decimal>, D::Error>
where
    K: Deserialize<'de> + Ord,
    D: Deserializer<'de>,
{
    let numbers = BTreeMap::<K, Number>::deserialize(deserializer)?;
    let read = |(key, number): (K, Number)| {
        number
            .to_string()
            .parse()
            .map(|amount: Decimal| (key, amount))
    };
    numbers
        .into_iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(serde::de::Error::custom)
}
