//! Setting statuses by hand, Cancelled among them: the carrier is not told. Believed when the consignments show it.

use jiff::SignedDuration;

use super::settle::{Found, Verdict};
use super::{Bench, Intent};
use crate::client::Failure;
use crate::journal::Operation;
use crate::shipping::{Consignment, StatusChange, StatusId, StatusUpdate};

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

/// Its history tells of it: at the time that was given, or since it was asked for. Where it stands is proof only where the
/// history says nothing of when it came to that, or nothing else could have led there: it may have stood there before.
fn has_reached(consignment: &Consignment, update: &StatusUpdate, since: jiff::Timestamp) -> bool {
    let given = update.status_date_time_local;
    let of_piece = |change: &&StatusChange| match (&update.item_reference, &change.item_reference) {
        (Some(asked), Some(told)) => asked == told,
        _ => true,
    };
    let is_it = |change: &&StatusChange| {
        let status = change.consignment_tracking_status.as_ref();
        status.is_some_and(|status| status.id == update.status)
    };
    let told: Vec<_> = { consignment.history().iter() }
        .filter(is_it)
        .filter(of_piece)
        .collect();
    let in_time = |change: &&StatusChange| {
        let recent = change.status_date_utc.is_some_and(|at| at.0 >= since);
        recent || (given.is_some() && change.status_date_local == given)
    };
    let dated = |change: &&StatusChange| {
        change.status_date_utc.is_some() || change.status_date_local.is_some()
    };
    let stands = update.item_reference.is_none() && { consignment.status() }
        .is_some_and(|status| status.id == update.status);
    let only_by_hand = update.status == StatusId::CANCELLED;
    told.iter().any(|change| in_time(&change))
        || (stands && (only_by_hand || !told.iter().any(|change| dated(&change))))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::shipping::LocalTime;

    const SINCE: &str = "2026-11-20T02:55:00Z";

    fn reached(status: i64, given: Option<&str>, now: i64, history: Value) -> bool {
        let one = json!({ "id": 1, "status": { "id": now }, "statusHistory": history });
        let one: Consignment = serde_json::from_value(one).expect("a consignment");
        let update = StatusUpdate {
            consignment_id: one.id,
            status: StatusId::new(status),
            status_date_time_local: given.map(|at| LocalTime::read(at).expect("a time")),
            item_reference: None,
            extra_information: None,
        };
        has_reached(&one, &update, SINCE.parse().expect("a moment"))
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
}
