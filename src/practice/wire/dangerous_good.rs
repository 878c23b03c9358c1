//! One dangerous goods item of a request.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::lenient;

/// An element of `consignmentItemDgItems`, before any rule is applied.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DangerousGoodRequest {
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) company_dg_item_id: Option<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) un_number: Option<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) packing_group: Option<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) container_type: Option<i64>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) aggregate_quantity: Option<Decimal>,
    pub(crate) is_aggregate_quantity_weight: Option<bool>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) number_of_containers: Option<i64>,
    pub(crate) is_marine_pollutant: Option<bool>,
    pub(crate) is_temperature_controlled: Option<bool>,
    pub(crate) is_empty_dg_container: Option<bool>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) dg_class_type: Option<i64>,
    #[serde(deserialize_with = "lenient::ids")]
    pub(crate) sub_dg_class_types: Vec<i64>,
    /// The interface writes this name with a capital letter.
    #[serde(
        rename = "TechnicalOrChemicalGroupNames",
        deserialize_with = "lenient::texts"
    )]
    pub(crate) technical_or_chemical_group_names: Vec<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) hazchem: Option<String>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) dg_hazchem_id: Option<i64>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) flashpoint: Option<Decimal>,
}
