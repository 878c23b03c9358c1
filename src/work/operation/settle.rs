//! After a lost answer: looking for what the operation did, on a schedule, until it is found or the worst case has passed.
//!
//! "Not found" counts only after every check of the schedule succeeded; a check that fails is made again.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::{Bench, Intent};
use crate::client::Failure;
use crate::journal::{JournalError, Kind, Operation, OperationId, OperationState};
use crate::shipping::{Consignment, ConsignmentId, Unread};
use crate::work::bench::Milestone;
use crate::work::{Outcome, WorkError};

/// What a look at the service found.
pub(in crate::work) struct Found {
    verdict: Verdict,
    consignments: Vec<Consignment>,
}

/// What the service says of consignments that were asked for by their ids.
pub(in crate::work) struct LookedUp {
    pub(in crate::work) found: Vec<Consignment>,
    /// What is missing is missing for sure. Where the question as a whole was refused, each was asked for by itself, and what
    /// is refused then may be so for other reasons.
    pub(in crate::work) sure: bool,
    /// What the service says nothing of, and why: they may be there.
    pub(in crate::work) withheld: Vec<(ConsignmentId, Failure)>,
}

impl LookedUp {
    /// Those that were answered and can't be read are there, whatever they are. Where one of them has no id that can be read,
    /// it may be any of those that were not found.
    fn withhold(&mut self, ids: &[ConsignmentId], unread: &[Unread]) {
        let Some(first) = unread.first() else { return };
        let has_nameless = unread.iter().any(|one| one.id.is_none());
        for id in ids {
            let own = unread.iter().find(|one| one.id == Some(id.get()));
            let is_found = self.found.iter().any(|one| one.id == *id);
            if own.is_some() || (has_nameless && !is_found) {
                let misfit = own.unwrap_or(first).into();
                self.withheld.push((*id, Failure::Unreadable(misfit)));
            }
        }
    }

    /// What was found, and whether the rest is missing for sure; an error where the service says nothing of some.
    pub(super) fn of_all(mut self) -> Result<(Vec<Consignment>, bool), Failure> {
        match self.withheld.pop() {
            Some((_, failure)) => Err(failure),
            None => Ok((self.found, self.sure)),
        }
    }
}

/// What became of an operation, in words for the clerk.
pub(in crate::work) enum Verdict {
    Done(String),
    Absent,
    /// Neither as before nor as wanted yet: a conflict, where it stays so through all checks.
    Unsettled(String),
    Conflict(String),
}

impl Found {
    pub(super) const fn new(verdict: Verdict, consignments: Vec<Consignment>) -> Self {
        Self {
            verdict,
            consignments,
        }
    }

    pub(super) const fn is_absent(&self) -> bool {
        matches!(self.verdict, Verdict::Absent)
    }

    /// False where another look may find something else.
    pub(super) const fn is_settled(&self) -> bool {
        !matches!(self.verdict, Verdict::Absent | Verdict::Unsettled(_))
    }

    /// The consignments that were found.
    pub(super) fn ids(&self) -> impl Iterator<Item = ConsignmentId> {
        self.consignments.iter().map(|one| one.id)
    }

    pub(super) const fn is_conflict(&self) -> bool {
        matches!(self.verdict, Verdict::Conflict(_))
    }
}

impl Bench {
    /// Looks for an operation with a lost answer until its end is known.
    pub(in crate::work) fn watch(&self, operation: Operation) {
        self.watch_after(operation, Duration::ZERO);
    }

    /// The same, where the service asked to be left alone for so long first.
    pub(super) fn watch_after(&self, operation: Operation, pause: Duration) {
        let wake = Arc::new(Notify::new());
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        watches.retain(|(id, _)| *id != operation.id);
        watches.push((operation.id, Arc::clone(&wake)));
        drop(watches);
        let bench = self.of_lane(false);
        tokio::spawn(async move { bench.settle(operation, pause, &wake).await });
    }

    /// Has the watch over an operation look at once.
    pub(super) fn wake(&self, id: OperationId) {
        let watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, wake)) = watches.iter().find(|(watched, _)| *watched == id) {
            wake.notify_one();
        }
    }

    async fn settle(&self, mut operation: Operation, pause: Duration, wake: &Notify) {
        let checks = u32::try_from(self.settle_after.len()).unwrap_or(u32::MAX);
        let given_up = tokio::time::Instant::now() + pause;
        while let Some(after) = self.settle_after.get(operation.checks as usize) {
            let due = given_up + *after;
            let wait = due.saturating_duration_since(tokio::time::Instant::now());
            self.tell_next_look(operation.id, wait).await;
            let early = tokio::select! {
                () = tokio::time::sleep_until(due) => false,
                () = wake.notified() => true,
                // The window is closed: the next start goes on.
                () = self.outcomes.closed() => return,
            };
            if !self.is_still_unknown(operation.id).await {
                return;
            }
            let found = match self.look(&operation).await {
                Ok(found) => found,
                Err(failure) => {
                    if !self.is_still_unknown(operation.id).await {
                        return;
                    }
                    self.tell_cannot_check(&operation, &failure).await;
                    // The service may be away for long: the same check again, no faster than the schedule's first step.
                    let pause = self.settle_after[0].max(failure.pause().unwrap_or_default());
                    self.tell_next_look(operation.id, pause).await;
                    tokio::time::sleep(pause).await;
                    continue;
                }
            };
            self.reached(Milestone::Looked);
            self.left_over
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&operation.id);
            let is_last = operation.checks + 1 >= checks;
            if found.is_settled() || (is_last && !early && !found.is_absent()) {
                let settled = self.settle_as(&operation, OperationState::Unknown, found);
                if settled.await {
                    return;
                }
                // What was found could not be written down: it is looked for again.
                tokio::time::sleep(self.settle_after[0]).await;
                continue;
            }
            if early {
                // Too soon to count: the service may still be at it.
                continue;
            }
            match self.not_found(&operation, checks).await {
                Ok(changed) => operation = changed,
                // Settled or given up meanwhile.
                Err(WorkError::Journal(JournalError::Changed)) => return,
                Err(error) => {
                    self.tell_failed("The operation could not be written down", error)
                        .await;
                    tokio::time::sleep(self.settle_after[0]).await;
                }
            }
        }
    }

    /// False where the clerk has decided meanwhile: then nobody hears of it as unknown any more.
    async fn is_still_unknown(&self, id: OperationId) -> bool {
        let now = self.operation(id).await;
        now.map_or(true, |now| now.state == OperationState::Unknown)
    }

    /// One more check counts; after the last one it did not happen.
    async fn not_found(&self, operation: &Operation, checks: u32) -> Result<Operation, WorkError> {
        let done = operation.checks + 1;
        let words = if done < checks {
            let warning = super::ends::warning(operation.kind);
            format!("We don't know yet. Checked {done} of {checks}: not found so far. {warning}")
        } else {
            match operation.kind {
                Kind::Create => "Not found: it did not happen. Send it again, or give it up",
                _ => "It did not happen. Send it again, or give it up",
            }
            .to_owned()
        };
        self.change(operation, OperationState::Unknown, |operation| {
            operation.checks = done;
            operation.words = words;
            if done >= checks {
                operation.state = OperationState::Absent;
            }
        })
        .await
    }

    /// Says when it is looked for the next time; the journal need not remember that either.
    async fn tell_next_look(&self, operation: OperationId, wait: Duration) {
        let outcome = Outcome::NextLook {
            operation,
            at: self.now() + wait,
            of: u32::try_from(self.settle_after.len()).unwrap_or(u32::MAX),
        };
        self.tell(outcome).await;
    }

    /// Says that a check failed; the journal need not remember that.
    async fn tell_cannot_check(&self, operation: &Operation, failure: &Failure) {
        let mut shown = operation.clone();
        shown.words = format!(
            "We don't know yet, and can't check: {failure}. {}",
            super::ends::warning(operation.kind)
        );
        self.tell(Outcome::Operation(Box::new(shown))).await;
    }

    /// Looks once, whatever the schedule says.
    pub(super) async fn look(&self, operation: &Operation) -> Result<Found, Failure> {
        let Ok(intent) = Intent::of(operation) else {
            return Err(Failure::Internal);
        };
        match intent {
            Intent::Create(request) => self.look_for_consignment(operation, &request).await,
            Intent::Edit(edit) => self.look_for_edit(&edit).await,
            Intent::Delete(ids) => self.look_for_deleted(&ids).await,
            Intent::Manifest(_) => self.look_for_booking(operation).await,
            Intent::Status(updates) => self.look_for_statuses(operation, &updates).await,
            Intent::PendingCreate(_) | Intent::PendingDelete(_) | Intent::ServicePrint(..) => {
                Err(Failure::Internal)
            }
        }
    }

    /// These consignments, as far as the service has them: some services leave out what is not there, others refuse the whole
    /// question.
    pub(in crate::work) async fn those_there(
        &self,
        ids: &[ConsignmentId],
    ) -> Result<Vec<Consignment>, Failure> {
        Ok(self.looked_up(ids).await?.of_all()?.0)
    }

    /// The same, with how sure it is.
    pub(in crate::work) async fn looked_up(
        &self,
        ids: &[ConsignmentId],
    ) -> Result<LookedUp, Failure> {
        let mut looked = LookedUp {
            found: Vec::new(),
            sure: true,
            withheld: Vec::new(),
        };
        match self.client.consignments_as_read(ids).await {
            Err(Failure::Refused(_) | Failure::Status(400..=404)) => looked.sure = false,
            answer => {
                let list = answer?;
                looked.found = list.rows;
                looked.withhold(ids, &list.unread);
                return Ok(looked);
            }
        }
        for id in ids {
            match self.client.consignment(*id).await {
                Ok(one) => looked.found.push(one),
                Err(Failure::Refused(_) | Failure::Status(404) | Failure::Empty) => {}
                Err(failure @ (Failure::Status(400 | 403) | Failure::Unreadable(_))) => {
                    looked.withheld.push((*id, failure));
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(looked)
    }

    /// Reads them back, so that the list shows them as somebody else left them. Nothing depends on it.
    pub(super) async fn look_again_at(&self, ids: &[ConsignmentId]) {
        if let (false, Ok(found)) = (ids.is_empty(), self.those_there(ids).await) {
            self.tell_as_found(ids, found).await;
        }
    }

    /// The same after a refusal; of a booking also which of them are where.
    pub(super) async fn look_again_after(&self, refused: &Operation) {
        let ids = &refused.consignments;
        if let (false, Ok(found)) = (ids.is_empty(), self.those_there(ids).await) {
            if refused.kind == Kind::Manifest {
                self.tell_members(refused, &found).await;
            }
            self.tell_as_found(ids, found).await;
        }
    }

    /// What became of them: `found` as they are, the rest gone.
    pub(super) async fn tell_as_found(&self, ids: &[ConsignmentId], found: Vec<Consignment>) {
        let is_there = |id: &ConsignmentId| found.iter().any(|one| one.id == *id);
        let gone: Vec<_> = { ids.iter() }.filter(|id| !is_there(id)).copied().collect();
        self.tell(Outcome::Seen(found)).await;
        if !gone.is_empty() {
            self.tell(Outcome::Gone(gone)).await;
        }
    }

    /// Writes down what was found, then tells it. False where it could not be written down.
    pub(super) async fn settle_as(
        &self,
        operation: &Operation,
        from: OperationState,
        found: Found,
    ) -> bool {
        let Found {
            verdict,
            consignments,
        } = found;
        let made: Vec<_> = consignments.iter().map(|one| one.id).collect();
        let number = consignments
            .first()
            .map(|one| one.consignment_number.clone());
        let changed = self.change(operation, from, |operation| {
            let is_create = operation.kind == Kind::Create;
            match verdict {
                Verdict::Done(words) => {
                    operation.state = OperationState::Done;
                    operation.words = words;
                    if let (true, Some(number)) = (is_create, number) {
                        operation.reference = number;
                        operation.consignments = made;
                    }
                }
                Verdict::Conflict(words) | Verdict::Unsettled(words) => {
                    operation.state = OperationState::Conflict;
                    operation.words = words;
                    if is_create {
                        operation.consignments = made;
                    }
                }
                Verdict::Absent => operation.state = OperationState::Absent,
            }
        });
        match changed.await {
            Ok(_) => {
                self.reached(Milestone::Settled);
                self.tell(Outcome::Seen(consignments)).await;
                true
            }
            // Settled or given up meanwhile.
            Err(WorkError::Journal(JournalError::Changed)) => true,
            Err(error) => {
                self.tell_failed("The operation could not be written down", error)
                    .await;
                false
            }
        }
    }
}
