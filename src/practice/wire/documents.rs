//! Requests for a consignment's attachments and for labels on the service's printers.

use serde::Deserialize;

use super::lenient;

/// The body of `consignments/getAttachments`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AttachmentsRequest {
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) consignment_id: Option<i64>,
}

/// An element of `labels/sendLabelsToPrinter`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PrintRequest {
    #[serde(deserialize_with = "lenient::ids")]
    pub(crate) consignment_ids: Vec<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) label_type: Option<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) printer_id: Option<i64>,
    #[serde(rename = "printA4")]
    pub(crate) print_a4: Option<bool>,
}
