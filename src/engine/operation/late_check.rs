//! Checks for consignments that turn up late. A create that once had a lost answer is searched by its key for
//! one more day after its last change, because it may appear after it was given up, or twice. Such a case
//! needs a person.

use std::time::Duration;

use jiff::SignedDuration;

use super::EngineContext;
use super::delete::DELETED;
use super::key::may_carry;
use super::reconcile::{ReconcileResult, Reconciliation};
use client::Failure;
use shipping::Consignment;
use storage::{Operation, OperationState};

/// How long after its last change a create is still searched for.
const WATCHED: SignedDuration = SignedDuration::from_hours(24);

/// The time between two checks, unless a fetched list triggers one earlier.
const EVERY: Duration = Duration::from_mins(10);

impl EngineContext {
    /// Starts the checks, which end when the window is closed. A fetched list triggers one at once.
    pub(crate) fn start_late_checks(&self) {
        let bench = self.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(EVERY) => {}
                    () = bench.late.notified() => {}
                    () = bench.outcomes.closed() => return,
                }
                if let Err(failure) = bench.check_late_creates().await {
                    tracing::warn!(%failure, "what may have turned up late could not be looked for");
                }
            }
        });
    }

    async fn check_late_creates(&self) -> Result<(), Failure> {
        let since = self.now() - WATCHED;
        let doubtful = self
            .writer
            .run(move |journal| journal.once_unknown_creates(since))
            .await;
        let Ok(mut doubtful) = doubtful else {
            // A broken journal is reported by the operations that depend on it.
            return Ok(());
        };
        doubtful.retain(|operation| self.is_ours(operation));
        let found = self.with_keys(&doubtful).await?;
        for operation in doubtful {
            let there = those_of(&operation, &found);
            if let Some(verdict) = verdict(&operation, &there) {
                let found = Reconciliation::new(verdict, there);
                self.write_result(&operation, operation.state, found).await;
            }
        }
        Ok(())
    }
}

fn those_of(operation: &Operation, found: &[Consignment]) -> Vec<Consignment> {
    let is_of = |one: &&Consignment| {
        may_carry(one, &operation.key)
            && !operation.denied.contains(&one.id)
            && one.status().is_none_or(|status| status.id != DELETED)
    };
    found.iter().filter(is_of).cloned().collect()
}

/// Returns the new result of the operation; `None` if nothing has changed.
fn verdict(operation: &Operation, there: &[Consignment]) -> Option<ReconcileResult> {
    let numbers: Vec<_> = there
        .iter()
        .map(|one| one.consignment_number.as_str())
        .collect();
    let numbers = numbers.join(", ");
    match (operation.state, there) {
        (_, []) | (OperationState::Done, [_]) => None,
        (OperationState::Discarded, _) => Some(ReconcileResult::Conflict(format!(
            "You gave this up, but the service created it after all: {numbers}"
        ))),
        (OperationState::Absent, [_]) => Some(ReconcileResult::Done(format!(
            "It went through after all: {numbers}"
        ))),
        _ => Some(ReconcileResult::Conflict(format!(
            "Created more than once: {numbers}"
        ))),
    }
}
