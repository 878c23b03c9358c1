//! Creates a consignment, and reconciles a create with a lost answer: by the bench's key, otherwise by
//! receiver, pieces and weight.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;

use super::delete::DELETED;
use super::key::may_carry;
use super::reconcile::{ReconcileResult, Reconciliation};
use super::{EngineContext, Payload, WrittenIntent};
use crate::Outcome;
use client::{Failure, RecentUpdates};
use draft::Draft;
use shipping::{Consignment, ConsignmentRequest};
use storage::Operation;

/// How far back the service's list of recent updates goes, less one hour for differing clocks.
const LISTED_BACK: SignedDuration = SignedDuration::from_hours(239);

/// The tolerance for a service clock that runs behind.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(10);

impl EngineContext {
    /// Writes down the intent to create a consignment from a validated request.
    pub(super) async fn write_create(
        &self,
        draft: Draft,
        mut request: ConsignmentRequest,
    ) -> Option<WrittenIntent> {
        let key = self.give_key(
            &mut request.customer_reference,
            &mut request.customer_reference2,
        );
        // The pending ids are part of the intent: once the create is done they are deleted, whatever happens
        // in between.
        request.linked_pending_consignment_ids =
            draft.pending.iter().map(|pending| pending.id).collect();
        self.write_draft(draft, Payload::Create(Box::new(request)), key)
            .await
    }

    pub(super) async fn created(
        &self,
        operation: Operation,
        intent: &Payload,
        consignment: Consignment,
    ) {
        let other_time = match intent {
            Payload::Create(request) => despatch_differs(request, &consignment),
            _ => String::new(),
        };
        let done = self.done(&operation, |operation| {
            operation.message = format!("Created {}{other_time}", consignment.consignment_number);
            operation
                .reference
                .clone_from(&consignment.consignment_number);
            operation.consignments = vec![consignment.id];
        });
        if let Some(done) = done.await {
            if let Payload::Create(request) = intent {
                self.remember_created(request, &consignment);
                if let (None, Some(own)) = (request.company_id, consignment.company_id) {
                    self.tell(Outcome::OwnCompany(own)).await;
                }
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
        // Search by key, which does not depend on clocks, and in the list of recent updates, which may be
        // faster.
        let mut found = self.with_keys(std::slice::from_ref(operation)).await?;
        let is_listed = self.now().duration_since(since) <= LISTED_BACK;
        if is_listed {
            let updates = RecentUpdates {
                company: request.company_id,
                ..RecentUpdates::since(since)
            };
            let known: HashSet<_> = found.iter().map(|one| one.id).collect();
            let listed = match self.client.recently_updated(&updates).await {
                // A consignment found by its key exists, even if the rest of the list can't be read.
                Err(Failure::Unreadable(_)) if !found.is_empty() => Vec::new(),
                listed => listed?,
            };
            found.extend(listed.into_iter().filter(|one| !known.contains(&one.id)));
        }
        let ours = self.is_ours(operation);
        found.retain(|one| {
            may_carry(one, &operation.key)
                && !operation.denied.contains(&one.id)
                && one.status().is_none_or(|status| status.id != DELETED)
                && same(
                    one.customer_reference.as_deref(),
                    request.customer_reference.as_deref(),
                )
                && (ours || could_be(one, request, since))
        });
        let numbers = || {
            let numbers: Vec<_> = found
                .iter()
                .map(|one| one.consignment_number.as_str())
                .collect();
            numbers.join(", ")
        };
        let same_parts = if operation.key.is_empty() {
            "receiver, pieces and weight"
        } else {
            "references"
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
                ReconcileResult::Conflict(format!("Created more than once: {}", numbers()))
            }
            _ => ReconcileResult::Conflict(format!(
                "{} have the same {same_parts}. Is one of them this one?",
                numbers()
            )),
        };
        Ok(Reconciliation::new(verdict, found))
    }
}

fn same(found: Option<&str>, sent: Option<&str>) -> bool {
    found.unwrap_or_default() == sent.unwrap_or_default()
}

/// Returns true if nothing in the service's data contradicts that this is the consignment which was
/// sent: receiver, suburb, pieces, weight, time of creation. A value that is missing on either side is
/// not compared.
fn could_be(found: &Consignment, sent: &ConsignmentRequest, since: Timestamp) -> bool {
    let made = found
        .history()
        .iter()
        .filter_map(|change| change.status_date_utc)
        .map(|time| time.0)
        .min();
    let text = |found: Option<&str>, sent: Option<&str>| match (found, sent) {
        (Some(found), Some(sent)) => found.trim().eq_ignore_ascii_case(sent.trim()),
        _ => true,
    };
    let found_suburb = found
        .to_location
        .as_ref()
        .map(|place| place.suburb.as_str());
    let sent_suburb = sent.to_location.as_ref().map(|place| place.suburb.as_str());
    let pieces: i64 = sent
        .items
        .iter()
        .map(|item| i64::from(item.quantity.unwrap_or(1)))
        .sum();
    text(found.to_name.as_deref(), sent.to_name.as_deref())
        && text(found_suburb, sent_suburb)
        && found.total_item_count.is_none_or(|found| found == pieces)
        && match (found.total_weight, weight(sent)) {
            (Some(found), Some(sent)) => found.0 == sent,
            _ => true,
        }
        && made.is_none_or(|made| made >= since)
}

/// Returns the kilograms of all pieces; `None` if a saved item has a weight that only the service knows.
fn weight(request: &ConsignmentRequest) -> Option<Decimal> {
    let mut all = Decimal::ZERO;
    for item in &request.items {
        let nested = item.standard_item.and_then(|item| item.weight);
        let one = item.weight.or(nested)?;
        all += one.0 * Decimal::from(item.quantity.unwrap_or(1));
    }
    Some(all)
}

/// Returns a warning if the service despatches at another time than requested: live services ignore fields
/// they don't know. Empty otherwise.
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
        ". The service will despatch it{}, not as requested",
        when.unwrap_or_else(|| " at another time".to_owned())
    )
}
