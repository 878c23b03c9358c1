//! The stored form of a consignment's history: JSON with short names, without repeated values.

use std::borrow::Cow;
use std::ops::Not;

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use super::TrackReader;
use super::names::{NameKeys, Names};
use crate::Result;
use crate::sql_types::first_row;
use shipping::{ConsignmentId, LocalTime, StatusChange, UtcTime};

/// An entry of the history. Values that the service did not give are missing.
#[derive(Serialize, Deserialize)]
struct Step<'a> {
    /// The key of the status in the table `names`.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    status: Option<i64>,
    /// The consignment of the entry, if it differs from the consignment that the history belongs to.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    other: Option<i64>,
    /// True if the entry names no consignment.
    #[serde(rename = "n", default, skip_serializing_if = "Not::not")]
    unnamed: bool,
    #[serde(rename = "b", default, skip_serializing_if = "str::is_empty", borrow)]
    by: Cow<'a, str>,
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    user: Option<i64>,
    #[serde(rename = "p", default, skip_serializing_if = "Not::not")]
    partial: bool,
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    local: Option<DateTime>,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    utc: Option<Timestamp>,
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    code: Option<Cow<'a, str>>,
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    words: Option<Cow<'a, str>>,
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    more: Option<Cow<'a, str>>,
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    piece: Option<Cow<'a, str>>,
}

/// Converts a history to its stored form.
pub(super) fn written(
    of: ConsignmentId,
    history: &[StatusChange],
    keys: &mut NameKeys<'_>,
) -> Result<String> {
    let mut steps = Vec::with_capacity(history.len());
    for one in history {
        let status = match &one.consignment_tracking_status {
            Some(status) => Some(keys.status(status)?),
            None => None,
        };
        steps.push(Step {
            status,
            other: { one.consignment_id.filter(|id| *id != of) }.map(ConsignmentId::get),
            unnamed: one.consignment_id.is_none(),
            by: Cow::Borrowed(&one.created_by_name),
            user: one.created_by_user_id,
            partial: one.status_is_partial,
            local: one.status_date_local.map(|at| at.0),
            utc: one.status_date_utc.map(|at| at.0),
            code: one.carrier_status.as_deref().map(Cow::Borrowed),
            words: one.carrier_status_description.as_deref().map(Cow::Borrowed),
            more: one.status_information.as_deref().map(Cow::Borrowed),
            piece: one.item_reference.as_deref().map(Cow::Borrowed),
        });
    }
    Ok(serde_json::to_string(&steps)?)
}

/// Restores a history from its stored form.
fn read(of: ConsignmentId, kept: &str, names: &Names) -> Result<Vec<StatusChange>> {
    let steps: Vec<Step<'_>> = serde_json::from_str(kept)?;
    let told = steps.into_iter().map(|step| StatusChange {
        consignment_tracking_status: step.status.and_then(|key| names.status(key).cloned()),
        consignment_id: match step.other {
            Some(other) => Some(ConsignmentId::new(other)),
            None => (!step.unnamed).then_some(of),
        },
        created_by_name: step.by.into_owned(),
        created_by_user_id: step.user,
        status_is_partial: step.partial,
        status_date_local: step.local.map(LocalTime),
        status_date_utc: step.utc.map(UtcTime),
        carrier_status: step.code.map(Cow::into_owned),
        carrier_status_description: step.words.map(Cow::into_owned),
        status_information: step.more.map(Cow::into_owned),
        item_reference: step.piece.map(Cow::into_owned),
    });
    Ok(told.collect())
}

impl TrackReader {
    /// Returns the status history of a consignment; empty if it is not tracked.
    pub fn history(&self, id: ConsignmentId) -> Result<Vec<StatusChange>> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let sql = "SELECT steps FROM histories WHERE id = ?1";
        let steps: Option<String> = first_row(&self.db, sql, [id.get()], |row| row.get(0))?;
        steps.map_or(Ok(Vec::new()), |kept| read(id, &kept, &names))
    }
}
