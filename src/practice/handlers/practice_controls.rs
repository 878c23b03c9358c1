//! Controls that only the practice service has (fault injection and the speed of the carriers), and the simulation of
//! the carriers, which records their pickups, scans and deliveries when these come due.
//!
//! Nothing runs in the background. Before each operation, every step that came due since the last operation
//! is written with the time at which it happened. A restart or a jump of the clock therefore loses no step
//! and keeps their order.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::{Call, PracticeService};
use crate::consignment::StatusEvent;
use crate::http;
use crate::simulation::plan;
use crate::store::{CarrierProgress, NextStep, Store, StoreError};
use crate::wire::{Answer, Failure, Refusal, Reply};

/// The highest speed that can be set. At this speed a day of the carriers takes about 90 milliseconds.
const FASTEST: u32 = 1_000_000;

/// How many consignments are advanced in one transaction.
const AT_ONCE: usize = 200;

/// Speed at which all remaining steps come due almost at once.
const AT_ONCE_SPEED: u32 = i32::MAX as u32;

/// Handles `practice/troubles`: lists the faults that are set, with how often each was injected.
#[expect(clippy::unnecessary_wraps, reason = "an operation like any other")]
pub(crate) fn faults(call: &Call<'_>) -> Reply {
    Ok(json!(call.service.faults.reports()).into())
}

/// Handles `practice/setTrouble`: adds a fault after the faults that are set.
pub(crate) fn set_fault(call: &Call<'_>) -> Reply {
    let faults = &call.service.faults;
    let report = faults.set(call.record()?, http::fault_targets())?;
    Ok(json!(report).into())
}

/// Handles `practice/clearTroubles`: removes the fault with this id, or all faults if there is no id. Once no
/// fault delays lookups, they show the current state again.
pub(crate) fn clear_faults(call: &Call<'_>) -> Reply {
    let (service, id) = (call.service, call.whole_number("id")?);
    if !service.faults.clear(id.map(i64::cast_unsigned)) {
        return Err(Refusal::new("id", "No fault has this id").into());
    }
    if service.faults.is_without_lag() {
        service.past.forget();
    }
    Ok(Answer::Done)
}

/// Handles `practice/setCarrierSpeed`: changes the speed of the carriers.
pub(crate) fn set_carrier_speed(call: &Call<'_>) -> Reply {
    let speed = call.whole_number("speed")?;
    let speed = speed.and_then(|speed| u32::try_from(speed).ok());
    let refused = || {
        let message = format!("The speed is a whole number from 0 to {FASTEST}");
        Failure::from(Refusal::new("speed", message))
    };
    let speed = speed.filter(|speed| *speed <= FASTEST);
    call.service
        .change_carrier_speed(speed.ok_or_else(refused)?)?;
    Ok(Answer::Done)
}

/// Handles `practice/deliverAll`: completes all booked consignments at once, then restores the speed.
pub(crate) fn deliver_all(call: &Call<'_>) -> Reply {
    let service = call.service;
    let speed = call.store().speed()?;
    service.change_carrier_speed(AT_ONCE_SPEED)?;
    // At this speed, steps that take days are done within milliseconds.
    let soon = service.clock.now() + SignedDuration::from_secs(1);
    service.move_until(soon, AT_ONCE_SPEED)?;
    service.change_carrier_speed(speed)?;
    Ok(Answer::Done)
}

impl PracticeService {
    /// Keeps a copy of the current state for lookups, if a fault delays what they show. Called before the
    /// operation at `path` changes something.
    pub(crate) fn keep_snapshot(&self, path: &str) -> Result<(), StoreError> {
        let Some(lag) = self.faults.lag(path) else {
            return Ok(());
        };
        self.past.keep(lag, || {
            let store = self.store().copy()?;
            Ok(Self::new(
                self.clock.clone(),
                self.seed,
                store,
                self.faults.clone(),
            ))
        })
    }

    /// Writes the steps of the carriers that are due by now.
    pub(crate) fn advance_carriers(&self) -> Result<(), StoreError> {
        let speed = self.store().speed()?;
        self.move_until(self.clock.now(), speed)
    }

    /// Writes the steps that are due by now, then changes the speed.
    pub(crate) fn change_carrier_speed(&self, speed: u32) -> Result<(), StoreError> {
        self.advance_carriers()?;
        let mut store = self.store();
        // Setting a speed restarts the current step, so an unchanged speed is not set again.
        if store.speed()? == speed {
            return Ok(());
        }
        store.set_speed(speed, self.clock.now())
    }

    fn move_until(&self, now: Timestamp, speed: u32) -> Result<(), StoreError> {
        if speed == 0 {
            return Ok(());
        }
        let mut store = self.store();
        loop {
            let mut due = store.due_steps(now, AT_ONCE)?;
            if due.is_empty() {
                return Ok(());
            }
            for progress in &mut due {
                self.progress(&store, progress, speed, now)?;
            }
            store.save_progress(&due)?;
        }
    }

    /// Adds the events that have happened by `now`, and the time of the next step.
    fn progress(
        &self,
        store: &Store,
        progress: &mut CarrierProgress,
        speed: u32,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let found = store.consignment(progress.consignment_id)?;
        // Once a user has set a final status, the carrier does nothing more.
        let found = found.filter(|found| !found.status.info().is_final);
        let Some((record, manifest)) = found.and_then(|found| {
            let manifest = found.manifest_id?;
            Some((found, manifest))
        }) else {
            return Ok(());
        };
        let (Some(booking), Some(carrier)) =
            (store.booking(manifest)?, record.consignment.carrier())
        else {
            return Ok(());
        };
        let steps = plan(carrier, &record.consignment, &booking, self.seed);
        let mut done = steps.iter().take(progress.steps);
        let mut before = done.next_back().map_or(booking.at, |step| step.at);
        for step in steps.into_iter().skip(progress.steps) {
            let takes = step.at.duration_since(before);
            let at = after(progress.since, takes, speed);
            if at > now {
                progress.next = Some(NextStep { at, takes });
                break;
            }
            before = step.at;
            progress.since = at;
            progress.steps += 1;
            progress.events.push(StatusEvent { at, ..step });
        }
        Ok(())
    }
}

fn after(since: Timestamp, takes: SignedDuration, speed: u32) -> Timestamp {
    let divisor = i32::try_from(speed).unwrap_or(i32::MAX).max(1);
    since.saturating_add(takes / divisor).unwrap_or(since)
}
