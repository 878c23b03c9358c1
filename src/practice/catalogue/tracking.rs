//! Each carrier's tracking: its own code and text for each status, and the kinds of proof of delivery.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct TrackingFile {
    pub(super) carriers: Vec<CarrierTracking>,
}

/// The tracking of one carrier.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CarrierTracking {
    pub(crate) carrier_id: i64,
    /// The user of the service in whose name the carrier's status changes are recorded.
    pub(crate) user_id: i64,
    pub(crate) user_name: String,
    /// Whether the driver takes a photo at the delivery.
    pub(crate) photo: bool,
    /// Code and text by status id.
    words: BTreeMap<i64, StatusText>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatusText {
    pub(crate) code: String,
    pub(crate) words: String,
}

impl CarrierTracking {
    pub(crate) fn status_text(&self, status_id: i64) -> Option<&StatusText> {
        self.words.get(&status_id)
    }
}
