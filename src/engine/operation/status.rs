//! Sets statuses by hand, including Cancelled. The carrier is not notified. The operation is done when the
//! consignments show the status.

use jiff::Timestamp;

use super::EngineContext;
use super::reconcile::{ReconcileResult, Reconciliation};
use crate::context::CLOCKS_DIFFER;
use client::Failure;
use shipping::{Consignment, LocalTime, StatusChange, StatusId, StatusUpdate};
use storage::Operation;

impl EngineContext {
    pub(super) async fn check_statuses(
        &self,
        operation: &Operation,
        updates: &[StatusUpdate],
    ) -> Result<Reconciliation, Failure> {
        let found = self.existing_consignments(&operation.consignments).await?;
        let since = operation.made - CLOCKS_DIFFER;
        let told = |update: &StatusUpdate| {
            let consignment = found.iter().find(|one| one.id == update.consignment_id);
            consignment.map_or(StatusEvidence::Missing, |one| {
                StatusEvidence::of(one, update, since)
            })
        };
        let told: Vec<StatusEvidence> = updates.iter().map(told).collect();
        let done = { told.iter() }
            .filter(|told| **told == StatusEvidence::Ours)
            .count();
        let verdict = if done == updates.len() {
            ReconcileResult::Done("Status set. The carrier was not notified".to_owned())
        } else if done > 0 {
            ReconcileResult::Incomplete(format!("Partly set: {done} of {}", updates.len()))
        } else if told.contains(&StatusEvidence::Possible) {
            ReconcileResult::Incomplete(
                "The consignment has this status, but someone else may have set it".to_owned(),
            )
        } else {
            ReconcileResult::Absent
        };
        Ok(Reconciliation::new(verdict, found))
    }
}

/// The evidence in a consignment's history for a status that was to be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatusEvidence {
    /// The status was set by this operation.
    Ours,
    /// The status was reached, but the carrier may have set it.
    Possible,
    /// There is no trace of the status.
    Missing,
}

impl StatusEvidence {
    /// Judges the history of a consignment. Its current status alone is proof only if the history has no time
    /// for it, or if the status can only be set by hand: the consignment may have had that status before.
    fn of(consignment: &Consignment, update: &StatusUpdate, since: Timestamp) -> Self {
        let steps = consignment.history().iter().filter(|step| {
            let status = step.consignment_tracking_status.as_ref();
            status.is_some_and(|status| status.id == update.status)
        });
        let steps: Vec<_> = steps.filter(|step| may_be_of(step, update)).collect();
        let stands = update.item_reference.is_none() && { consignment.status() }
            .is_some_and(|status| status.id == update.status);
        let is_undated = !steps.iter().any(|step| is_dated(step));
        let has_time = update.status_date_time_local.is_some();
        let only_by_hand = update.status == StatusId::CANCELLED;
        if steps.iter().any(|step| is_ours(step, update, since))
            || (stands && (only_by_hand || (is_undated && !has_time)))
        {
            Self::Ours
        } else if (stands && is_undated) || steps.iter().any(|step| is_recent(step, since)) {
            Self::Possible
        } else {
            Self::Missing
        }
    }
}

/// Returns false if the step belongs to another piece.
fn may_be_of(step: &StatusChange, update: &StatusUpdate) -> bool {
    match (&update.item_reference, &step.item_reference) {
        (Some(asked), Some(told)) => asked == told,
        _ => true,
    }
}

/// Returns true if this step was set by this operation. If the clerk gave a time, the step must have that
/// time or our text, because a newer step may come from the carrier. For a single piece, the step must name
/// the piece.
fn is_ours(step: &StatusChange, update: &StatusUpdate, since: Timestamp) -> bool {
    if update.item_reference.is_some() && step.item_reference.is_none() {
        return false;
    }
    let recent = is_recent(step, since);
    let Some(given) = update.status_date_time_local else {
        return recent;
    };
    let minute = |at: LocalTime| at.0.with().second(0).subsec_nanosecond(0).build().ok();
    let same_time = { step.status_date_local }.is_some_and(|told| minute(told) == minute(given));
    let words = |text: &Option<String>| text.as_deref().map(str::trim).map(str::to_owned);
    let ours = words(&update.extra_information).filter(|words| !words.is_empty());
    same_time || (recent && ours.is_some() && ours == words(&step.status_information))
}

fn is_recent(step: &StatusChange, since: Timestamp) -> bool {
    step.status_date_utc.is_some_and(|at| at.0 >= since)
}

const fn is_dated(step: &StatusChange) -> bool {
    step.status_date_utc.is_some() || step.status_date_local.is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use shipping::ConsignmentId;

    const SINCE: &str = "2026-11-20T02:55:00Z";

    fn update(status: i64, given: Option<&str>) -> StatusUpdate {
        StatusUpdate {
            consignment_id: ConsignmentId::new(1),
            status: StatusId::new(status),
            status_date_time_local: given.map(|at| LocalTime::read(at).expect("a time")),
            item_reference: None,
            extra_information: None,
        }
    }

    fn told(update: &StatusUpdate, now: i64, history: Value) -> StatusEvidence {
        let mut one = json!({ "id": 1, "status": { "id": now } });
        one["statusHistory"] = history;
        let one: Consignment = serde_json::from_value(one).expect("a consignment");
        StatusEvidence::of(&one, update, SINCE.parse().expect("a moment"))
    }

    fn reached(status: i64, given: Option<&str>, now: i64, history: Value) -> bool {
        told(&update(status, given), now, history) == StatusEvidence::Ours
    }

    fn step(status: i64, local: &str, utc: &str) -> Value {
        json!({
            "consignmentTrackingStatus": { "id": status },
            "statusDateLocal": local, "statusDateUtc": utc
        })
    }

    #[test]
    fn a_step_of_long_ago_is_found_by_the_time_that_was_given() {
        let history = json!([step(9, "2026-11-18T16:20:00", "2026-11-18T05:20:00")]);
        assert!(reached(9, Some("2026-11-18T16:20:00"), 5, history.clone()));
        assert!(!reached(9, Some("2026-11-18T16:25:00"), 5, history));
    }

    #[test]
    fn standing_there_since_before_proves_nothing() {
        let history = json!([step(5, "2026-11-18T16:20:00", "2026-11-18T05:20:00")]);
        assert!(!reached(5, None, 5, history));
        let history = json!([step(5, "2026-11-20T14:00:00", "2026-11-20T03:00:00")]);
        assert!(reached(5, None, 7, history));
        assert!(reached(5, None, 5, json!([])));
        assert!(reached(
            10,
            Some("2026-11-18T16:20:00"),
            10,
            json!([step(10, "2026-11-18T05:20:00", "2026-11-17T18:20:00")])
        ));
    }

    #[test]
    fn what_the_carrier_says_now_is_not_what_was_set_for_another_time() {
        let mut asked = update(9, Some("2026-11-19T16:20:00"));
        let mut carriers = step(9, "2026-11-20T14:00:00", "2026-11-20T03:00:00");
        assert_eq!(told(&asked, 9, json!([carriers])), StatusEvidence::Possible);
        let to_the_minute = step(9, "2026-11-19T16:20:31", "2026-11-19T05:20:31");
        assert_eq!(
            told(&asked, 9, json!([carriers, to_the_minute])),
            StatusEvidence::Ours
        );
        asked.extra_information = Some("Nobody home ".to_owned());
        assert_eq!(told(&asked, 9, json!([carriers])), StatusEvidence::Possible);
        carriers["statusInformation"] = "Nobody home".into();
        assert_eq!(told(&asked, 9, json!([carriers])), StatusEvidence::Ours);
    }

    #[test]
    fn a_step_that_names_no_piece_does_not_prove_a_pieces() {
        let mut asked = update(9, None);
        asked.item_reference = Some("P-2".to_owned());
        let mut one = step(9, "2026-11-20T14:00:00", "2026-11-20T03:00:00");
        assert_eq!(told(&asked, 9, json!([one])), StatusEvidence::Possible);
        one["itemReference"] = "P-1".into();
        assert_eq!(told(&asked, 9, json!([one])), StatusEvidence::Missing);
        one["itemReference"] = "P-2".into();
        assert_eq!(told(&asked, 9, json!([one])), StatusEvidence::Ours);
        let old = step(9, "2026-11-18T16:20:00", "2026-11-18T05:20:00");
        assert_eq!(told(&asked, 9, json!([old])), StatusEvidence::Missing);
    }
}
