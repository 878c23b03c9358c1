//! Reconciliation after a lost answer: checks the service on a schedule until the result is known. An operation
//! counts as "not found" only after every check of the schedule succeeded; a failed check is repeated.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::{EngineContext, Payload};
use crate::{EngineError, FaultPoint, Outcome, lock};
use client::Failure;
use shipping::{Consignment, ConsignmentId, UnreadableRecord};
use storage::{JournalError, Operation, OperationId, OperationKind, OperationState};

/// The number of operations that are checked at the same time. A service that loses many answers is busy; more checks at
/// once would make it lose more.
pub const CHECKS_AT_ONCE: usize = 4;

pub(crate) struct Reconciliation {
    pub(super) verdict: ReconcileResult,
    pub(super) consignments: Vec<Consignment>,
}

/// The service's answer to a request for consignments by id.
#[derive(Default)]
pub(crate) struct LookupResult {
    pub(crate) found: Vec<Consignment>,
    /// True if a missing consignment certainly does not exist. False if the service refused the whole request
    /// and each id was requested separately, because a refusal may then have another reason.
    pub(crate) is_certain: bool,
    /// Consignments without a usable answer, each with the failure. They may exist.
    pub(crate) withheld: Vec<(ConsignmentId, Failure)>,
    pub(crate) unreadable: Vec<UnreadableRecord>,
}

impl LookupResult {
    /// Adds the consignments of unreadable records to `withheld`, because they exist. An unreadable record without a
    /// readable id may belong to any id that was not found.
    fn withhold(&mut self, ids: &[ConsignmentId], unread: &[UnreadableRecord]) {
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

    /// Returns the consignments, and whether the missing consignments certainly do not exist. Fails if any
    /// consignment was withheld.
    pub(super) fn of_all(mut self) -> Result<(Vec<Consignment>, bool), Failure> {
        match self.withheld.pop() {
            Some((_, failure)) => Err(failure),
            None => Ok((self.found, self.is_certain)),
        }
    }
}

/// The result of an operation, with the message for the clerk.
pub(crate) enum ReconcileResult {
    Done(String),
    Absent,
    /// Partly done, or not certain yet. Becomes a conflict if the last check still gives this result.
    Incomplete(String),
    Conflict(String),
}

impl Reconciliation {
    pub(super) const fn new(verdict: ReconcileResult, consignments: Vec<Consignment>) -> Self {
        Self {
            verdict,
            consignments,
        }
    }

    pub(super) const fn is_absent(&self) -> bool {
        matches!(self.verdict, ReconcileResult::Absent)
    }

    /// Returns false if a later check may give another result.
    pub(super) const fn is_settled(&self) -> bool {
        !matches!(
            self.verdict,
            ReconcileResult::Absent | ReconcileResult::Incomplete(_)
        )
    }
}

impl EngineContext {
    /// Starts the reconciliation of an operation with a lost answer, after the pause that the service asked for.
    pub(crate) fn start_reconciliation(&self, operation: Operation, pause: Duration) {
        let wake = Arc::new(Notify::new());
        lock(&self.reconciliations).insert(operation.id, Arc::clone(&wake));
        let bench = self.for_queue(false);
        tokio::spawn(async move { bench.reconcile(operation, pause, &wake).await });
    }

    pub(super) fn wake(&self, id: OperationId) {
        if let Some(wake) = lock(&self.reconciliations).get(&id) {
            wake.notify_one();
        }
    }

    async fn reconcile(&self, mut operation: Operation, pause: Duration, wake: &Notify) {
        let checks = u32::try_from(self.settle_after.len()).unwrap_or(u32::MAX);
        let given_up = tokio::time::Instant::now() + pause;
        while let Some(after) = self.settle_after.get(operation.checks as usize) {
            let due = given_up + *after;
            let wait = due.saturating_duration_since(tokio::time::Instant::now());
            self.tell_next_look(operation.id, wait).await;
            let early = tokio::select! {
                () = tokio::time::sleep_until(due) => false,
                () = wake.notified() => true,
                // The window is closed: the next start continues.
                () = self.outcomes.closed() => return,
            };
            let place = self.check_places.acquire().await;
            if !self.is_still_unknown(operation.id).await {
                return;
            }
            let checked = self.check_once(&operation).await;
            drop(place);
            let found = match checked {
                Ok(found) => found,
                Err(failure) => {
                    if !self.is_still_unknown(operation.id).await {
                        return;
                    }
                    self.tell_cannot_check(&operation, &failure).await;
                    // The service may be unavailable for a long time: repeat this check, but not before the first
                    // interval of the schedule has passed.
                    let pause = self.settle_after[0].max(failure.pause().unwrap_or_default());
                    self.tell_next_look(operation.id, pause).await;
                    tokio::time::sleep(pause).await;
                    continue;
                }
            };
            self.reach_fault_point(FaultPoint::ReconcileChecked);
            lock(&self.unchecked_leftovers).remove(&operation.id);
            let is_last = operation.checks + 1 >= checks;
            if found.is_settled() || (is_last && !early && !found.is_absent()) {
                if self.write_result(&operation, found).await {
                    return;
                }
                // The result could not be saved: check again.
                tokio::time::sleep(self.settle_after[0]).await;
                continue;
            }
            if early {
                // An early check does not count: the service may still be processing.
                continue;
            }
            match self.not_found(&operation, checks).await {
                Ok(changed) => operation = changed,
                // The operation was ended in the meantime.
                Err(EngineError::Journal(JournalError::Changed)) => return,
                Err(error) => {
                    self.tell_unsaved(error).await;
                    tokio::time::sleep(self.settle_after[0]).await;
                }
            }
        }
    }

    /// Returns false if the clerk has decided in the meantime. The operation must then no longer be shown as unknown.
    async fn is_still_unknown(&self, id: OperationId) -> bool {
        let now = self.operation(id).await;
        now.map_or(true, |now| now.state == OperationState::Unknown)
    }

    /// Counts one more check without a result. After the last check the operation is absent: it was not carried out.
    async fn not_found(
        &self,
        operation: &Operation,
        checks: u32,
    ) -> Result<Operation, EngineError> {
        let done = operation.checks + 1;
        let words = if done < checks {
            let warning = super::send_result::warning(operation.kind);
            format!(
                "Checking whether this went through: not found in {done} of {checks} checks. {warning}"
            )
        } else {
            match operation.kind {
                OperationKind::Create => {
                    "Not found, so it did not go through. Send it again, or give up"
                }
                _ => "This did not go through. Send it again, or give up",
            }
            .to_owned()
        };
        self.change(operation, |operation| {
            operation.checks = done;
            operation.message = words;
            if done >= checks {
                operation.state = OperationState::Absent;
            }
        })
        .await
    }

    /// Sends the time of the next check to the window. The journal does not store this time.
    async fn tell_next_look(&self, operation: OperationId, wait: Duration) {
        let outcome = Outcome::NextCheck {
            operation,
            at: self.now() + wait,
            of: u32::try_from(self.settle_after.len()).unwrap_or(u32::MAX),
        };
        self.tell(outcome).await;
    }

    /// Tells the window that a check failed. The journal does not store the failure.
    async fn tell_cannot_check(&self, operation: &Operation, failure: &Failure) {
        let mut shown = operation.clone();
        shown.message = format!(
            "Can't check whether this went through: {failure}. {}",
            super::send_result::warning(operation.kind)
        );
        self.tell(Outcome::Operation(Box::new(shown))).await;
    }

    pub(super) async fn check_once(
        &self,
        operation: &Operation,
    ) -> Result<Reconciliation, Failure> {
        let Some(payload) = operation.payload() else {
            return Err(Failure::Internal);
        };
        match payload {
            Payload::Create(request) => self.check_create(operation, request).await,
            Payload::Edit(edit) => self.check_edit(edit).await,
            Payload::Delete(ids) => self.check_deletion(ids).await,
            Payload::Manifest(_) => self.check_booking(operation).await,
            Payload::Status(updates) => self.check_statuses(operation, updates).await,
            Payload::PendingCreate(_) | Payload::PendingDelete(_) | Payload::ServicePrint(..) => {
                Err(Failure::Internal)
            }
        }
    }

    /// Returns the consignments that exist. Some services leave out missing consignments; other services refuse the
    /// whole request.
    pub(crate) async fn existing_consignments(
        &self,
        ids: &[ConsignmentId],
    ) -> Result<Vec<Consignment>, Failure> {
        Ok(self.looked_up(ids).await?.of_all()?.0)
    }

    /// Looks consignments up by id, and records whether missing consignments certainly do not exist.
    pub(crate) async fn looked_up(&self, ids: &[ConsignmentId]) -> Result<LookupResult, Failure> {
        let mut looked = LookupResult::default();
        match self.client.consignments_partial(ids).await {
            Err(Failure::Refused(_) | Failure::Status(400..=404)) => {}
            answer => {
                let list = answer?;
                looked.is_certain = true;
                looked.found = list.rows;
                looked.withhold(ids, &list.unreadable);
                looked.unreadable = list.unreadable;
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

    /// Fetches the consignments of an operation, so that the list shows other people's changes. For a booking, also
    /// sends the state of each consignment to the window. Ignores a failure.
    pub(super) async fn refresh_consignments(&self, operation: &Operation) {
        let ids = &operation.consignments;
        if let (false, Ok(found)) = (ids.is_empty(), self.existing_consignments(ids).await) {
            if operation.kind == OperationKind::Manifest {
                self.tell_members(operation, &found).await;
            }
            self.tell_as_found(ids, found).await;
        }
    }

    /// Tells the window the state of the consignments in `found`, and that the rest of `ids` no longer exist.
    pub(super) async fn tell_as_found(&self, ids: &[ConsignmentId], found: Vec<Consignment>) {
        let is_there = |id: &ConsignmentId| found.iter().any(|one| one.id == *id);
        let gone: Vec<_> = { ids.iter() }.filter(|id| !is_there(id)).copied().collect();
        self.tell(Outcome::ConsignmentsRead(found)).await;
        if !gone.is_empty() {
            self.tell(Outcome::Gone(gone)).await;
        }
    }

    /// Saves the result of a check, then tells the window. Returns false if the result could not be saved.
    pub(super) async fn write_result(&self, operation: &Operation, found: Reconciliation) -> bool {
        let Reconciliation {
            verdict,
            consignments,
        } = found;
        let made: Vec<_> = consignments.iter().map(|one| one.id).collect();
        let number = consignments
            .first()
            .map(|one| one.consignment_number.clone());
        let changed = self.change(operation, |operation| {
            let is_create = operation.kind == OperationKind::Create;
            match verdict {
                ReconcileResult::Done(words) => {
                    operation.state = OperationState::Done;
                    operation.message = words;
                    if let (true, Some(number)) = (is_create, number) {
                        operation.reference = number;
                        operation.consignments = made;
                    }
                }
                ReconcileResult::Conflict(words) | ReconcileResult::Incomplete(words) => {
                    operation.state = OperationState::Conflict;
                    operation.message = words;
                    if is_create {
                        operation.consignments = made;
                    }
                }
                ReconcileResult::Absent => operation.state = OperationState::Absent,
            }
        });
        match changed.await {
            Ok(_) => {
                self.reach_fault_point(FaultPoint::ResultWritten);
                self.tell(Outcome::ConsignmentsRead(consignments)).await;
                true
            }
            // The operation was ended in the meantime.
            Err(EngineError::Journal(JournalError::Changed)) => true,
            Err(error) => {
                self.tell_unsaved(error).await;
                false
            }
        }
    }
}
