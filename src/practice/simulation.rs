//! Simulates what carriers do after a booking: a plan of steps, computed from the consignment and its
//! booking alone.
//!
//! The plan depends only on the consignment, the booking and the seed, so the database stores only how many
//! steps are done. Plans use the carriers' own time; the caller scales that by the speed of the simulation.
//! The times of the steps always increase, and a plan ends with the delivery of the goods.

mod delivery_scenario;
mod plan;

use jiff::Timestamp;
use jiff::civil::DateTime;

use super::catalogue::CarrierTracking;
use super::status::{Status, StatusEvent};

pub use delivery_scenario::DeliveryScenario;
pub(crate) use plan::plan;

/// Speed and seed of the simulation, as described in [`super::Settings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SimulationSettings {
    pub(crate) speed: u32,
    pub(crate) seed: u64,
}

/// The booking that the carrier received.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Booking {
    pub(crate) at: Timestamp,
    /// Requested pickup time, local to the sender.
    pub(crate) pickup: Option<DateTime>,
}

/// One planned action of the carrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) status: Status,
    /// In the carrier's own time, before it is scaled by the speed.
    pub(crate) at: Timestamp,
    /// The time zone of the place where the step happens.
    pub(crate) zone: String,
    pub(crate) partial: bool,
    pub(crate) information: Option<String>,
    pub(crate) item_reference: Option<String>,
}

impl Step {
    /// Converts the step into an event of the history, dated `at`, with the carrier's own code and text.
    pub(crate) fn into_event(self, at: Timestamp, tracking: &CarrierTracking) -> StatusEvent {
        let wording = tracking.status_text(self.status.id());
        StatusEvent {
            zone: Some(self.zone),
            partial: self.partial,
            carrier_status: wording.map(|wording| wording.code.clone()),
            carrier_words: wording.map(|wording| wording.words.clone()),
            information: self.information,
            item_reference: self.item_reference,
            ..StatusEvent::new(
                self.status,
                at,
                tracking.user_name.as_str(),
                tracking.user_id,
            )
        }
    }
}
