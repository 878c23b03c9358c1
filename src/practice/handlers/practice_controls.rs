//! Controls that only the practice service has: fault injection and the speed of the carriers.

use serde_json::json;

use super::{Call, PracticeService};
use crate::fault_injection::FaultRule;
use crate::http;
use crate::store::StoreError;
use crate::wire::{Answer, Failure, Refusal};

/// Highest speed that can be set: a day of the carriers takes about 90 milliseconds.
const FASTEST: u32 = 1_000_000;

/// Handles `practice/troubles`: lists the faults that are set, with how often each was injected.
#[expect(
    clippy::unnecessary_wraps,
    reason = "every operation may be refused; this one never is"
)]
pub(crate) fn faults(desk: &PracticeService, _call: &Call) -> Result<Answer, Failure> {
    Ok(Answer::Object(json!(desk.faults.reports())))
}

/// Handles `practice/setTrouble`: adds a fault after those that are set.
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
            let store = self.store().copy()?;
            Ok(Self::new(
                &self.catalogue,
                &self.clock,
                self.pace,
                store,
                &self.faults,
            ))
        })
    }
}
