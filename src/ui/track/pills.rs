//! How a status and what is wrong look: a word, a colour, and a shape for who does not see the colour.

use super::super::kit::tokens::Tone;
use super::super::kit::{Icon, icons};
use crate::shipping::{Course, Mishap, StatusId};
use crate::state::Exception;

/// A status.
pub(super) const fn status(id: StatusId) -> (Tone, Icon) {
    match (id.mishap(), id.course()) {
        (Some(Mishap::Delayed | Mishap::TrackingExpired), _) => {
            (Tone::Warning, icons::ICON_HOURGLASS_TOP)
        }
        (Some(_), _) => (Tone::Bad, icons::ICON_WARNING),
        (None, Course::Unmanifested) => (Tone::Neutral, icons::ICON_EDIT_SQUARE),
        (None, Course::Booked) => (Tone::Neutral, icons::ICON_SCHEDULE),
        (None, Course::Moving) => (Tone::Accent, icons::ICON_LOCAL_SHIPPING),
        (None, Course::Delivered) => (Tone::Ok, icons::ICON_CHECK),
        (None, Course::Ended) => (Tone::Neutral, icons::ICON_CLOSE),
    }
}

/// What is wrong.
pub(super) const fn exception(what: Exception) -> Tone {
    match what {
        Exception::Lost
        | Exception::Damaged
        | Exception::DeliveryFailed
        | Exception::PickupFailed
        | Exception::Returned => Tone::Bad,
        Exception::Late
        | Exception::NotCollected
        | Exception::NoScan
        | Exception::Delayed
        | Exception::TrackingExpired => Tone::Warning,
    }
}
