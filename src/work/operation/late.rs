//! What turns up late: a create whose answer was lost, or that was given up after it was sent, is looked for by its key for a
//! day more. One that is there after all, or twice, needs a person.

use std::time::Duration;

use jiff::SignedDuration;

use super::Bench;
use super::delete::DELETED;
use super::key::may_carry;
use super::settle::{Found, Verdict};
use crate::client::Failure;
use crate::journal::{Operation, OperationState};
use crate::shipping::Consignment;

/// How long after its last change a create is looked for.
const WATCHED: SignedDuration = SignedDuration::from_hours(24);

/// Between two looks, where nothing else asks for one.
const EVERY: Duration = Duration::from_mins(10);

impl Bench {
    /// Starts the looks; they end when the window is closed. A fetched list asks for one at once.
    pub(in crate::work) fn watch_for_late_ones(&self) {
        let bench = self.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(EVERY) => {}
                    () = bench.late.notified() => {}
                    () = bench.outcomes.closed() => return,
                }
                if let Err(failure) = bench.look_for_late_ones().await {
                    tracing::warn!(%failure, "what may have turned up late could not be looked for");
                }
            }
        });
    }

    async fn look_for_late_ones(&self) -> Result<(), Failure> {
        let since = self.now() - WATCHED;
        let doubtful = self
            .writer
            .run(move |journal| journal.doubtful_creates(since))
            .await;
        let Ok(mut doubtful) = doubtful else {
            // The journal says so itself, where it matters.
            return Ok(());
        };
        doubtful.retain(|operation| self.is_ours(operation));
        let found = self.with_keys(&doubtful).await?;
        for operation in doubtful {
            let there = those_of(&operation, &found);
            if let Some(verdict) = verdict(&operation, &there) {
                let found = Found::new(verdict, there);
                self.settle_as(&operation, operation.state, found).await;
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

/// What to do about what was found; nothing where it is as it is known.
fn verdict(operation: &Operation, there: &[Consignment]) -> Option<Verdict> {
    let numbers: Vec<_> = there
        .iter()
        .map(|one| one.consignment_number.as_str())
        .collect();
    let numbers = numbers.join(", ");
    match (operation.state, there) {
        (_, []) | (OperationState::Done, [_]) => None,
        (OperationState::Discarded, _) => Some(Verdict::Conflict(format!(
            "It was given up, and is at the service after all: {numbers}"
        ))),
        (OperationState::Absent, [_]) => Some(Verdict::Done(format!(
            "It went through after all: {numbers}"
        ))),
        _ => Some(Verdict::Conflict(format!(
            "There more than once: {numbers}"
        ))),
    }
}
