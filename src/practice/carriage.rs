//! What carriers do with what they were booked for: a plan of steps, worked out from the consignment and its booking alone.
//!
//! The same consignment, booking and seed always give the same plan, so nothing of it is stored but how far it has come.
//! Plans are in the carriers' own time; how fast that goes is the desk's business. A plan never runs backwards, and ends
//! with the goods delivered.

mod fate;
mod plan;

use jiff::Timestamp;
use jiff::civil::DateTime;

use super::catalogue::Tracking;
use super::status::{Event, Status};

pub use fate::Fate;
pub(crate) use plan::plan;

/// How carriers move: see [`super::Settings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) speed: u32,
    pub(crate) seed: u64,
}

/// What the carrier was told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Booking {
    pub(crate) at: Timestamp,
    /// When the driver should come, local to the sender; none when nothing was said.
    pub(crate) pickup: Option<DateTime>,
}

/// One thing that the carrier does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) status: Status,
    /// In the carrier's own time.
    pub(crate) at: Timestamp,
    /// Of the place where it happens.
    pub(crate) zone: String,
    pub(crate) partial: bool,
    pub(crate) information: Option<String>,
    pub(crate) item_reference: Option<String>,
}

impl Step {
    /// The step as the history has it, done at `at` and told in the carrier's words.
    pub(crate) fn done(self, at: Timestamp, tracking: &Tracking) -> Event {
        let wording = tracking.wording(self.status.id());
        Event {
            zone: Some(self.zone),
            partial: self.partial,
            carrier_status: wording.map(|wording| wording.code.clone()),
            carrier_words: wording.map(|wording| wording.words.clone()),
            information: self.information,
            item_reference: self.item_reference,
            ..Event::plain(
                self.status,
                at,
                tracking.user_name.as_str(),
                tracking.user_id,
            )
        }
    }
}
