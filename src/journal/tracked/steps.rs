//! The history of a consignment as it is kept: short, and without what is said again and again.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::DateTime;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::names::{Keys, Names};
use crate::journal::JournalError;
use crate::shipping::{ConsignmentId, LocalTime, StatusChange, UtcTime};

/// A step; what is not there was not said.
#[derive(Serialize, Deserialize)]
struct Step<'a> {
    /// The key of the status.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    status: Option<i64>,
    /// The consignment, where the step names another one than that whose history it is in.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    other: Option<i64>,
    /// It names no consignment.
    #[serde(rename = "n", default, skip_serializing_if = "is_false")]
    unnamed: bool,
    #[serde(rename = "b", default, skip_serializing_if = "str::is_empty", borrow)]
    by: Cow<'a, str>,
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    user: Option<i64>,
    #[serde(rename = "p", default, skip_serializing_if = "is_false")]
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

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out a reference"
)]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// As it is kept.
pub(super) fn written(
    of: ConsignmentId,
    history: &[StatusChange],
    keys: &mut Keys,
    db: &Connection,
) -> Result<String, JournalError> {
    let mut steps = Vec::with_capacity(history.len());
    for one in history {
        let status = match &one.consignment_tracking_status {
            Some(status) => Some(keys.status(db, status)?),
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

/// As it was told.
pub(super) fn read(
    of: ConsignmentId,
    kept: &str,
    names: &Names,
) -> Result<Vec<StatusChange>, JournalError> {
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
