//! Controls that only the practice service has (fault injection and the speed of the carriers), and the simulation
//! of the carriers, which writes what they do (pickups, scans, deliveries) as it comes due.
//!
//! Nothing runs in the background. Before each operation, every step that came due since the last operation
//! is written with the time at which it happened. A restart or a jump of the clock therefore loses no step
//! and keeps their order.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::{Call, PracticeService};
use crate::fault_injection::FaultRule;
use crate::http;
use crate::simulation::plan;
use crate::status::StatusEvent;
use crate::store::{CarrierProgress, DueStep, NextStep, Store, StoreError};
use crate::wire::{Answer, Failure, Refusal};

/// Highest speed that can be set: a day of the carriers takes about 90 milliseconds.
const FASTEST: u32 = 1_000_000;

/// How many consignments are advanced in one transaction.
const AT_ONCE: usize = 200;

/// Speed at which all remaining steps come due almost at once.
const AT_ONCE_SPEED: u32 = i32::MAX as u32;

/// Handles `practice/troubles`: lists the faults that are set, with how often each was injected.
#[expect(clippy::unnecessary_wraps, reason = "an operation like any other")]
pub(crate) fn faults(desk: &PracticeService, _call: &Call) -> Result<Answer, Failure> {
    Ok(Answer::Object(json!(desk.faults.reports())))
}

/// Handles `practice/setTrouble`: adds a fault after the faults that are set.
pub(crate) fn set_fault(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let trouble: FaultRule = call.record()?;
    let report = desk.faults.set(trouble, http::fault_targets())?;
    Ok(Answer::Object(json!(report)))
}

/// Handles `practice/clearTroubles`: removes the fault with this id, or all faults if there is no id. Once no
/// fault delays lookups, they show the current state again.
pub(crate) fn clear_faults(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let id = call.whole_number("id")?;
    if !desk.faults.clear(id.map(i64::cast_unsigned)) {
        return Err(Refusal::new("id", "No fault has this id").into());
    }
    if desk.faults.is_without_lag() {
        desk.past.forget();
    }
    Ok(Answer::Done)
}

/// Handles `practice/setCarrierSpeed`: changes the speed of the carriers.
pub(crate) fn set_carrier_speed(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let speed = call.whole_number("speed")?;
    let speed = speed.and_then(|speed| u32::try_from(speed).ok());
    let Some(speed) = speed.filter(|speed| *speed <= FASTEST) else {
        let words = format!("The speed is a whole number from 0 to {FASTEST}");
        return Err(Refusal::new("speed", &words).into());
    };
    desk.change_carrier_speed(speed)?;
    Ok(Answer::Done)
}

/// Handles `practice/deliverAll`: completes at once everything that carriers are booked for.
pub(crate) fn deliver_all(desk: &PracticeService, _call: &Call) -> Result<Answer, Failure> {
    desk.finish_deliveries()?;
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
            let (store, pace) = (self.store().copy()?, self.pace);
            let (catalogue, clock, faults) = (&self.catalogue, &self.clock, &self.faults);
            Ok(Self::new(catalogue, clock, pace, store, faults))
        })
    }

    /// Writes the steps of the carriers that are due by now.
    pub(crate) fn advance_carriers(&self) -> Result<(), StoreError> {
        let speed = self.store().speed()?;
        self.move_until(self.clock.now(), speed)
    }

    /// Writes the steps that came due while the service was stopped, then changes to the configured speed.
    pub(crate) fn resume_carriers(&self) -> Result<(), StoreError> {
        self.change_carrier_speed(self.pace.speed)
    }

    /// Writes the steps that are due by now, then changes the speed.
    pub(crate) fn change_carrier_speed(&self, speed: u32) -> Result<(), StoreError> {
        self.advance_carriers()?;
        let mut store = self.store();
        // Setting a speed restarts the step under way, so an unchanged speed is left alone.
        if store.speed()? == speed {
            return Ok(());
        }
        store.set_speed(speed, self.clock.now())
    }

    /// Completes at once everything that carriers are booked for, then restores the speed.
    pub(crate) fn finish_deliveries(&self) -> Result<(), StoreError> {
        let speed = self.store().speed()?;
        self.change_carrier_speed(AT_ONCE_SPEED)?;
        // At this speed, steps that take days are done within milliseconds.
        let soon = self.clock.now() + SignedDuration::from_secs(1);
        self.move_until(soon, AT_ONCE_SPEED)?;
        self.change_carrier_speed(speed)
    }

    fn move_until(&self, now: Timestamp, speed: u32) -> Result<(), StoreError> {
        if speed == 0 {
            return Ok(());
        }
        let mut store = self.store();
        loop {
            let due = store.due_steps(now, AT_ONCE)?;
            if due.is_empty() {
                return Ok(());
            }
            let done = due
                .iter()
                .map(|due| self.progress(&store, *due, speed, now));
            let done: Vec<CarrierProgress> = done.collect::<Result<_, _>>()?;
            store.save_progress(&done)?;
        }
    }

    fn progress(
        &self,
        store: &Store,
        due: DueStep,
        speed: u32,
        now: Timestamp,
    ) -> Result<CarrierProgress, StoreError> {
        let mut progress = CarrierProgress {
            consignment_id: due.consignment_id,
            events: Vec::new(),
            steps: due.steps,
            since: due.since,
            next: None,
        };
        let found = store.consignment(due.consignment_id)?;
        // Once a user has set a final status, the carrier does nothing more.
        let Some(tracked) = found.filter(|tracked| !tracked.status.is_final()) else {
            return Ok(progress);
        };
        let carrier = tracked.consignment.carrier_id;
        let booking = tracked
            .manifest_id
            .map(|id| store.booking(id))
            .transpose()?;
        let (Some(booking), Some(tracking)) = (booking.flatten(), self.catalogue.tracking(carrier))
        else {
            return Ok(progress);
        };
        let (consignment, seed) = (&tracked.consignment, self.pace.seed);
        let steps = plan(&self.catalogue, tracking, consignment, &booking, seed);
        let last = due.steps.checked_sub(1).and_then(|last| steps.get(last));
        let mut before = last.map_or(booking.at, |step| step.at);
        for step in steps.into_iter().skip(due.steps) {
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
        Ok(progress)
    }
}

fn after(since: Timestamp, takes: SignedDuration, speed: u32) -> Timestamp {
    let divisor = i32::try_from(speed).unwrap_or(i32::MAX).max(1);
    since.saturating_add(takes / divisor).unwrap_or(since)
}
