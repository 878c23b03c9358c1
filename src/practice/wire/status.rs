//! One element of a status update.

use serde::Deserialize;

use super::lenient;

/// A status update as sent, before any rule is applied.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StatusUpdateRequest {
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) consignment_id: Option<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) status: Option<i64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) status_date_time_local: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) item_reference: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) extra_information: Option<String>,
}
