//! The progress of the simulated carriers.
//!
//! Each booked consignment has a row: the number of steps done, when the next step began, how long that step
//! takes in the carriers' own time, and when it is due on the clock.

use jiff::{SignedDuration, Timestamp};
use rusqlite::params;
use serde_json::Value;

use super::consignments::add_event;
use super::{Store, StoreError, moment};
use crate::consignment::StatusEvent;
use crate::simulation::Booking;
use crate::wire::read_local;

/// The progress of one consignment.
#[derive(Debug)]
pub(crate) struct CarrierProgress {
    pub(crate) consignment_id: i64,
    /// The steps done now, in order.
    pub(crate) events: Vec<StatusEvent>,
    /// Number of steps done.
    pub(crate) steps: usize,
    /// Time of the last step done, or of the booking before the first step.
    pub(crate) since: Timestamp,
    /// None if the plan has no more steps.
    pub(crate) next: Option<NextStep>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct NextStep {
    pub(crate) at: Timestamp,
    /// Duration in the carriers' own time.
    pub(crate) takes: SignedDuration,
}

impl Store {
    /// Returns the consignments whose next step is due by `now`, longest overdue first, at most `limit`.
    pub(crate) fn due_steps(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<CarrierProgress>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT consignment_id, steps, since_us FROM carriage WHERE next_us <= ?1 ORDER BY next_us LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_and_then([now.as_microsecond(), limit], |row| {
            Ok(CarrierProgress {
                consignment_id: row.get(0)?,
                events: Vec::new(),
                next: None,
                steps: usize::try_from(row.get::<_, i64>(1)?).unwrap_or(0),
                since: moment(row.get(2)?)?,
            })
        })?;
        rows.collect()
    }

    /// Returns the booking of a manifest, or none if there is no such manifest.
    pub(crate) fn booking(&self, manifest_id: i64) -> Result<Option<Booking>, StoreError> {
        let query = "SELECT booked_us, document FROM manifest WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(query)?;
        let mut rows = statement.query_and_then([manifest_id], |row| {
            let document: String = row.get(1)?;
            let document: Value = serde_json::from_str(&document)?;
            Ok(Booking {
                at: moment(row.get(0)?)?,
                pickup: document["pickupDateTime"].as_str().and_then(read_local),
            })
        })?;
        rows.next().transpose()
    }

    /// Saves the progress of several consignments in one transaction.
    pub(crate) fn save_progress(&mut self, all: &[CarrierProgress]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for progress in all {
            let id = progress.consignment_id;
            for event in &progress.events {
                add_event(&transaction, id, event)?;
            }
            if let Some(event) = progress.events.last() {
                let query = "UPDATE consignment SET status = ?2 WHERE id = ?1";
                transaction.execute(query, [id, event.status.0])?;
            }
            let next = progress.next;
            transaction
                .prepare_cached(
                    "UPDATE carriage SET steps = ?2, since_us = ?3, takes_us = ?4, next_us = ?5, ended = ?6
                    WHERE consignment_id = ?1",
                )?
                .execute(params![
                    id,
                    i64::try_from(progress.steps).unwrap_or(i64::MAX),
                    progress.since.as_microsecond(),
                    next.map_or(0, |next| microseconds(next.takes)),
                    next.map(|next| next.at.as_microsecond()),
                    next.is_none(),
                ])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Returns the speed of the carriers.
    pub(crate) fn speed(&self) -> Result<u32, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT speed FROM pace")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// Changes the speed of the carriers. A step under way starts again from `now` at the new speed.
    pub(crate) fn set_speed(&mut self, speed: u32, now: Timestamp) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute("UPDATE pace SET speed = ?1", [speed])?;
        transaction.execute(
            "UPDATE carriage SET since_us = max(since_us, ?2),
                next_us = max(since_us, ?2) + CASE ?1 WHEN 0 THEN NULL ELSE takes_us / ?1 END
            WHERE NOT ended",
            params![speed, now.as_microsecond()],
        )?;
        transaction.commit()?;
        Ok(())
    }
}

fn microseconds(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
