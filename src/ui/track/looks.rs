//! The tone and icon of each status and exception, shown beside the service's name for it.

use crate::shipping::{Course, Mishap, StatusId};
use crate::state::Exception;
use crate::ui::kit::tokens::Tone;
use crate::ui::kit::{Icon, icons};

pub(super) fn tone(status: StatusId) -> Tone {
    if let Some(exception) = status.mishap().map(Exception::from) {
        return of_exception(exception);
    }
    match status.course() {
        Course::Moving => Tone::Accent,
        Course::Delivered => Tone::Ok,
        Course::Unmanifested | Course::Booked | Course::Ended => Tone::Neutral,
    }
}

/// Returns the icon of a status, which tells it apart without colour.
pub(super) const fn icon(status: StatusId) -> Icon {
    match (status.mishap(), status.course()) {
        (Some(Mishap::Delayed | Mishap::TrackingExpired), _) => icons::ICON_HOURGLASS_TOP,
        (Some(_), _) => icons::ICON_WARNING,
        (None, Course::Unmanifested) => icons::ICON_EDIT_SQUARE,
        (None, Course::Booked) => icons::ICON_SCHEDULE,
        (None, Course::Moving) => icons::ICON_LOCAL_SHIPPING,
        (None, Course::Delivered) => icons::ICON_CHECK,
        (None, Course::Ended) => icons::ICON_CLOSE,
    }
}

/// Returns the tone of an exception, by its severity.
pub(super) const fn of_exception(exception: Exception) -> Tone {
    match exception {
        Exception::Lost
        | Exception::Damaged
        | Exception::DeliveryFailed
        | Exception::PickupFailed
        | Exception::Returned => Tone::Bad,
        Exception::Late | Exception::NotCollected | Exception::NoScan | Exception::Delayed => {
            Tone::Warning
        }
        // The outcome is unknown, and no further scans will come.
        Exception::TrackingExpired => Tone::Unknown,
    }
}
