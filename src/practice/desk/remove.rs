//! Deletes unmanifested consignments: either all that are requested or none.

use super::group::unmanifested;
use super::{Call, Desk};
use crate::practice::rules::ALREADY_MANIFESTED;
use crate::practice::wire::{Answer, Failure, Refusal};

/// Handles `consignments/deleteUnmanifestedConsignments`.
pub(crate) fn delete(desk: &Desk, call: &Call) -> Result<Answer, Failure> {
    let ids = call.ids()?;
    if ids.is_empty() {
        return Err(Refusal::whole("ConsignmentIds are required").into());
    }
    for id in &ids {
        unmanifested(desk, call, *id)?;
    }
    if desk.store().delete_consignments(&ids)? {
        Ok(Answer::Done)
    } else {
        Err(Refusal::whole(ALREADY_MANIFESTED).into())
    }
}
