//! Carriers at work: what they do by the clock is written before anybody looks.
//!
//! Nothing ticks. Before each operation, everything that came due since the last one is written with the time at which
//! it happened, so that a restart or a jump of the clock loses nothing and changes no order.

use jiff::{SignedDuration, Timestamp};

use super::Desk;
use crate::practice::carriage::plan;
use crate::practice::store::{Due, Next, Progress, Store, StoreError};

/// Consignments that are carried on in one transaction.
const AT_ONCE: usize = 200;

/// The speed at which everything that is left is done at once.
const AT_ONCE_SPEED: u32 = i32::MAX as u32;

impl Desk {
    /// Lets carriers do what is due by now.
    pub(crate) fn carriers_move(&self) -> Result<(), StoreError> {
        let speed = self.store().speed()?;
        self.move_until(self.clock.now(), speed)
    }

    /// Takes up what was left when the service last ran, and then goes at its own speed.
    pub(crate) fn carriers_start(&self) -> Result<(), StoreError> {
        self.carriers_go(self.pace.speed)
    }

    /// Lets carriers do what is due by now, and then go at this speed.
    pub(crate) fn carriers_go(&self, speed: u32) -> Result<(), StoreError> {
        self.carriers_move()?;
        let mut store = self.store();
        // Where the speed stays, no step begins anew.
        if store.speed()? == speed {
            return Ok(());
        }
        store.set_speed(speed, self.clock.now())
    }

    /// Lets carriers do at once what they would still do with what they were booked for.
    pub(crate) fn carriers_finish(&self) -> Result<(), StoreError> {
        let speed = self.store().speed()?;
        self.carriers_go(AT_ONCE_SPEED)?;
        // At this speed what takes days is done within milliseconds.
        let soon = self.clock.now() + SignedDuration::from_secs(1);
        self.move_until(soon, AT_ONCE_SPEED)?;
        self.carriers_go(speed)
    }

    fn move_until(&self, now: Timestamp, speed: u32) -> Result<(), StoreError> {
        if speed == 0 {
            return Ok(());
        }
        let mut store = self.store();
        loop {
            let due = store.due(now, AT_ONCE)?;
            if due.is_empty() {
                return Ok(());
            }
            let done = due
                .iter()
                .map(|due| self.progress(&store, *due, speed, now));
            let done: Vec<Progress> = done.collect::<Result<_, _>>()?;
            store.carry_on(&done)?;
        }
    }

    fn progress(
        &self,
        store: &Store,
        due: Due,
        speed: u32,
        now: Timestamp,
    ) -> Result<Progress, StoreError> {
        let mut progress = Progress {
            consignment_id: due.consignment_id,
            events: Vec::new(),
            steps: due.steps,
            since: due.since,
            next: None,
        };
        let found = store.consignment(due.consignment_id)?;
        // What a user has ended, the carrier does not go on with.
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
        let steps = plan(
            &self.catalogue,
            &tracked.consignment,
            &booking,
            self.pace.seed,
        );
        let mut before = match due.steps.checked_sub(1) {
            Some(last) => steps.get(last).map_or(booking.at, |step| step.at),
            None => booking.at,
        };
        for step in steps.into_iter().skip(due.steps) {
            let takes = step.at.duration_since(before);
            let at = after(progress.since, takes, speed);
            if at > now {
                progress.next = Some(Next { at, takes });
                break;
            }
            before = step.at;
            progress.since = at;
            progress.steps += 1;
            progress.events.push(step.done(at, tracking));
        }
        Ok(progress)
    }
}

fn after(since: Timestamp, takes: SignedDuration, speed: u32) -> Timestamp {
    let divisor = i32::try_from(speed).unwrap_or(i32::MAX).max(1);
    since.saturating_add(takes / divisor).unwrap_or(since)
}
