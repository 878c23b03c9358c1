//! Setting statuses by hand, Cancelled among them: the carrier is not told. Believed when the consignments show it.

use jiff::SignedDuration;

use super::settle::{Found, Verdict};
use super::{Bench, Intent};
use crate::client::Failure;
use crate::journal::Operation;
use crate::shipping::{Consignment, StatusUpdate};

/// How far before the intent the service's clock may be.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(10);

impl Bench {
    /// Sets statuses, all of them or none.
    pub(in crate::work) async fn set_statuses(&self, updates: Vec<StatusUpdate>) {
        if !updates.is_empty() {
            self.perform(vec![Intent::Status(updates)], self.now())
                .await;
        }
    }

    pub(super) async fn look_for_statuses(
        &self,
        operation: &Operation,
        updates: &[StatusUpdate],
    ) -> Result<Found, Failure> {
        let found = self.those_there(&operation.consignments).await?;
        let since = operation.made - CLOCKS_DIFFER;
        let reached = |update: &&StatusUpdate| {
            let consignment = found.iter().find(|one| one.id == update.consignment_id);
            consignment.is_some_and(|one| has_reached(one, update, since))
        };
        let done = updates.iter().filter(reached).count();
        let verdict = if done == updates.len() {
            Verdict::Done("Set. The carrier was not told".to_owned())
        } else if done == 0 {
            Verdict::Absent
        } else {
            Verdict::Unsettled(format!("Set in part: {done} of {}", updates.len()))
        };
        Ok(Found::new(verdict, found))
    }
}

/// It stands there, or has been there since: carriers move on meanwhile. A single piece shows in the history only.
fn has_reached(consignment: &Consignment, update: &StatusUpdate, since: jiff::Timestamp) -> bool {
    let stands = update.item_reference.is_none()
        && consignment
            .status()
            .is_some_and(|status| status.id == update.status);
    let was_there = consignment.history().iter().any(|change| {
        let status = change.consignment_tracking_status.as_ref();
        status.is_some_and(|status| status.id == update.status)
            && change.status_date_utc.is_some_and(|at| at.0 >= since)
    });
    stands || was_there
}
