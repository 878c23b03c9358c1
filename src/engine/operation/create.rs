//! Creates a consignment, and reconciles a create with a lost answer: by the bench's key (a unique reference on the
//! consignment), or without a key by values such as receiver, pieces and weight.
//!
//! If the answer to a create was lost, its key is searched for until one day after the operation's last change,
//! because the consignment may appear after the create was given up, or may appear twice. In these cases the clerk
//! has to decide.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::reconcile::{ReconcileResult, Reconciliation};
use super::{EngineContext, Payload, numbers};
use crate::compared_values::{COMPARED_VALUES, ComparedValue, names_of_sent};
use crate::{CLOCKS_DIFFER, LISTED_BACK, Outcome};
use client::{Failure, RecentUpdates};
use shipping::{BenchKeyField, Consignment, ConsignmentRequest, StatusId};
use storage::{Operation, OperationState};

/// How long after its last change a create is still searched for.
const WATCHED: SignedDuration = SignedDuration::from_hours(24);

/// The time between two checks, unless a fetched list triggers a check earlier.
const EVERY: Duration = Duration::from_mins(10);

impl EngineContext {
    /// Puts a new key into the reference that the connection reserves for keys, if the clerk left that reference
    /// empty. Returns the reference by which the consignment can be found: the key, otherwise a typed reference,
    /// otherwise an empty text.
    pub(super) fn give_key(&self, request: &mut ConsignmentRequest) -> String {
        let first = &mut request.customer_reference;
        let second = &mut request.customer_reference2;
        let place = match self.client.compatibility().key {
            BenchKeyField::SecondReference => Some(&mut *second),
            BenchKeyField::FirstReference => Some(&mut *first),
            BenchKeyField::Nowhere => None,
        };
        if let Some(empty @ None) = place {
            let key = self.new_key();
            *empty = Some(key.clone());
            return key;
        }
        let typed = second.as_ref().or(first.as_ref());
        typed.cloned().unwrap_or_default()
    }

    /// Fetches the consignments that carry the keys of these creates.
    pub(super) async fn with_keys(
        &self,
        operations: &[Operation],
    ) -> Result<Vec<Consignment>, Failure> {
        let keyed = operations.iter().filter(|one| !one.key.is_empty());
        // Search the reference that the request used, because the setting may have changed since.
        let (first, second): (Vec<_>, Vec<_>) = keyed.partition(|one| is_first_reference(one));
        let keys =
            |of: Vec<&Operation>| -> Vec<_> { of.iter().map(|one| one.key.clone()).collect() };
        let mut found = self
            .client
            .consignments_by_reference2(&keys(second))
            .await?;
        found.extend(self.client.consignments_by_reference1(&keys(first)).await?);
        Ok(found)
    }

    /// Starts the checks for consignments that appear late. The checks end when the window is closed. Each fetched
    /// list triggers a check at once.
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
            .journal(move |journal| journal.once_unknown_creates(since))
            .await;
        let Ok(mut doubtful) = doubtful else {
            // A broken journal is reported by the operations that depend on it.
            return Ok(());
        };
        doubtful.retain(|operation| self.is_ours(operation));
        let found = self.with_keys(&doubtful).await?;
        for operation in doubtful {
            let there = found.iter().filter(|one| may_be_of(one, &operation));
            let there: Vec<_> = there.cloned().collect();
            if let Some(verdict) = late_verdict(&operation, &there) {
                let found = Reconciliation::new(verdict, there);
                self.write_result(&operation, found).await;
            }
        }
        Ok(())
    }

    pub(super) async fn created(&self, operation: Operation, consignment: Consignment) {
        let Some(Payload::Create(request)) = operation.payload() else {
            return;
        };
        let other_time = despatch_differs(request, &consignment);
        let done = self.done(&operation, |operation| {
            operation.message = format!("Created {}{other_time}", consignment.consignment_number);
            operation
                .reference
                .clone_from(&consignment.consignment_number);
            operation.consignments = vec![consignment.id];
        });
        if let Some(done) = done.await {
            self.remember_created(request, &consignment);
            if let (None, Some(own)) = (request.company_id, consignment.company_id) {
                self.tell(Outcome::OwnCompany(own)).await;
            }
            self.tell(Outcome::Created {
                draft: done.draft,
                consignment: Box::new(consignment),
            })
            .await;
        }
    }

    pub(super) async fn check_create(
        &self,
        operation: &Operation,
        request: &ConsignmentRequest,
    ) -> Result<Reconciliation, Failure> {
        let since = operation.made - CLOCKS_DIFFER;
        let ours = self.is_ours(operation);
        let fits = |one: &Consignment| {
            let reference = one.customer_reference.as_deref().unwrap_or_default();
            may_be_of(one, operation)
                && reference == request.customer_reference.as_deref().unwrap_or_default()
                && (ours || could_be(one, request, since))
        };
        // Search by key, which does not depend on clocks.
        let mut found = self.with_keys(std::slice::from_ref(operation)).await?;
        found.retain(fits);
        let is_listed = self.now().duration_since(since) <= LISTED_BACK;
        if found.is_empty() && is_listed {
            // The list of recent updates may show the consignment earlier. It may be long: a busy service must not be
            // asked for it without need.
            let updates = RecentUpdates {
                company: request.company_id,
                ..RecentUpdates::since(since)
            };
            found = self.client.recently_updated(&updates).await?;
            found.retain(fits);
        }
        let same_parts = if operation.key.is_empty() {
            names_of_sent(request)
        } else {
            "references".to_owned()
        };
        let verdict = match found.as_slice() {
            [] if operation.key.is_empty() && !is_listed => ReconcileResult::Incomplete(
                "Too old to check automatically. Look for it in the service".to_owned(),
            ),
            [] => ReconcileResult::Absent,
            [one] if ours => {
                ReconcileResult::Done(format!("It went through: {}", one.consignment_number))
            }
            [one] => ReconcileResult::Conflict(format!(
                "{} has the same {same_parts}. Is it this one?",
                one.consignment_number
            )),
            _ if ours => {
                ReconcileResult::Conflict(format!("Created more than once: {}", numbers(&found)))
            }
            _ => ReconcileResult::Conflict(format!(
                "{} have the same {same_parts}. Is one of them yours?",
                numbers(&found)
            )),
        };
        Ok(Reconciliation::new(verdict, found))
    }
}

/// Returns true if `found` may be the consignment that was sent: no compared value differs, and `found` was not
/// created before `since`. A value that is missing on either side is not compared, because a false mismatch leads to
/// a second consignment.
fn could_be(found: &Consignment, sent: &ConsignmentRequest, since: Timestamp) -> bool {
    let changes = found.history().iter();
    let times = changes.filter_map(|change| change.status_date_utc);
    let made = times.map(|time| time.0).min();
    let differs = |value: &ComparedValue| value.is_same(sent, found) == Some(false);
    !COMPARED_VALUES.iter().any(differs) && made.is_none_or(|made| made >= since)
}

/// Returns a warning if the service despatches at another time than requested; live services ignore fields that they
/// don't know. Returns an empty text otherwise.
fn despatch_differs(request: &ConsignmentRequest, consignment: &Consignment) -> String {
    let differs = request
        .despatch()
        .is_some_and(|asked| consignment.despatch_differs_from(asked));
    if !differs {
        return String::new();
    }
    let when = consignment
        .despatch_date_local
        .map(|time| time.0.strftime(" %a %-d %b %H:%M").to_string());
    format!(
        ". The service will despatch it{}, not at the time you entered",
        when.unwrap_or_else(|| " at another time".to_owned())
    )
}

/// Returns true for a deleted consignment. Some services keep deleted consignments.
pub(super) fn is_deleted(consignment: &Consignment) -> bool {
    consignment
        .status()
        .is_some_and(|status| status.id == StatusId::DELETED)
}

/// Returns true if the create may have made this consignment. Returns false for a deleted consignment, and for a
/// consignment that the clerk has rejected.
pub(super) fn may_be_of(consignment: &Consignment, create: &Operation) -> bool {
    may_carry(consignment, &create.key)
        && !create.denied.contains(&consignment.id)
        && !is_deleted(consignment)
}

fn is_first_reference(operation: &Operation) -> bool {
    let Some(Payload::Create(request)) = operation.payload() else {
        return false;
    };
    request.customer_reference.as_ref() == Some(&operation.key)
}

/// Returns true if the consignment carries the operation's key. Also true without a key: the caller then
/// compares other fields.
pub(super) fn may_carry(consignment: &Consignment, key: &str) -> bool {
    let references = [
        &consignment.customer_reference2,
        &consignment.customer_reference,
    ];
    key.is_empty() || references.iter().any(|one| one.as_deref() == Some(key))
}

/// Returns the new result of the operation; `None` if nothing has changed.
fn late_verdict(operation: &Operation, there: &[Consignment]) -> Option<ReconcileResult> {
    let numbers = numbers(there);
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
