//! The tone and icon of each status and exception, shown beside the service's name for it.

use crate::state::Exception;
use shipping::{ExceptionSeverity, StatusId, TransitState};
use widgets::tokens::Tone;
use widgets::{Icon, icons};

pub(super) fn tone(status: StatusId) -> Tone {
    if let Some(exception) = status.exception() {
        return exception_tone(exception);
    }
    match status.transit_state() {
        TransitState::Moving => Tone::Accent,
        TransitState::Delivered => Tone::Ok,
        TransitState::Unmanifested | TransitState::Booked | TransitState::Ended => Tone::Neutral,
    }
}

/// Returns the icon of a status, which tells it apart without colour.
pub(super) fn icon(status: StatusId) -> Icon {
    match (
        status.exception().map(Exception::severity),
        status.transit_state(),
    ) {
        (Some(ExceptionSeverity::Failure), _) => icons::ICON_WARNING,
        (Some(ExceptionSeverity::Delay | ExceptionSeverity::Unknown), _) => {
            icons::ICON_HOURGLASS_TOP
        }
        (None, TransitState::Unmanifested) => icons::ICON_EDIT_SQUARE,
        (None, TransitState::Booked) => icons::ICON_SCHEDULE,
        (None, TransitState::Moving) => icons::ICON_LOCAL_SHIPPING,
        (None, TransitState::Delivered) => icons::ICON_CHECK,
        (None, TransitState::Ended) => icons::ICON_CLOSE,
    }
}

/// Returns the tone of an exception, by its severity.
pub(super) const fn exception_tone(exception: Exception) -> Tone {
    match exception.severity() {
        ExceptionSeverity::Failure => Tone::Bad,
        ExceptionSeverity::Delay => Tone::Warning,
        ExceptionSeverity::Unknown => Tone::Unknown,
    }
}
