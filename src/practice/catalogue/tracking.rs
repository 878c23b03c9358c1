//! How each carrier tells what it does: its own code and words for a status, and what it brings back as proof.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct File {
    pub(super) carriers: Vec<Tracking>,
}

/// One carrier's way of telling.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tracking {
    pub(crate) carrier_id: i64,
    /// The user of the service that its changes of status are made by.
    pub(crate) user_id: i64,
    pub(crate) user_name: String,
    /// A picture is taken when the goods are handed over.
    pub(crate) photo: bool,
    /// By status id.
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
