//! Each carrier's tracking: its own code and text for each status, and the kinds of proof of delivery.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct File {
    pub(super) carriers: Vec<Tracking>,
}

/// The tracking of one carrier.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tracking {
    pub(crate) carrier_id: i64,
    /// The user of the service in whose name the carrier's status changes are recorded.
    pub(crate) user_id: i64,
    pub(crate) user_name: String,
    /// Whether the driver takes a photo at the delivery.
    pub(crate) photo: bool,
    /// Code and text by status id.
    words: BTreeMap<i64, Wording>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Wording {
    pub(crate) code: String,
    pub(crate) words: String,
}

impl Tracking {
    pub(crate) fn wording(&self, status_id: i64) -> Option<&Wording> {
        self.words.get(&status_id)
    }
}
