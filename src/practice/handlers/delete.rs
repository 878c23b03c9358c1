//! Deletes unmanifested consignments: either all that are requested or none.

use super::group::find_unmanifested;
use super::{Call, PracticeService};
use crate::rules::ALREADY_MANIFESTED;
use crate::wire::{Answer, Failure, Refusal};

/// Handles `consignments/deleteUnmanifestedConsignments`.
pub(crate) fn delete(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let ids = call.ids()?;
    if ids.is_empty() {
        return Err(Refusal::general("ConsignmentIds are required").into());
    }
    for id in &ids {
        find_unmanifested(desk, call, *id)?;
    }
    if desk.store().delete_consignments(&ids)? {
        Ok(Answer::Done)
    } else {
        Err(Refusal::general(ALREADY_MANIFESTED).into())
    }
}
