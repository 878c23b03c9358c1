//! The meaning of status ids: how far along a consignment is, and whether something went wrong.
//!
//! No other code interprets status ids. An unknown id counts as in transit, neither delivered nor an
//! exception. Lateness is not derived from the status.

use super::status::StatusId;

/// The stage of transit that a status stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TransitState {
    /// Created or only quoted: the carrier has not been told.
    Unmanifested,
    /// Booked, but not collected yet.
    Booked,
    /// With the carrier.
    Moving,
    Delivered,
    /// Ended without delivery: cancelled, deleted, returned, or no longer tracked.
    Ended,
}

/// An exception that follows from the status alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExceptionKind {
    /// The carrier cannot find the consignment.
    Lost,
    Damaged,
    DeliveryFailed,
    PickupFailed,
    /// The consignment went back to its sender.
    Returned,
    /// The carrier reports a delay.
    Delayed,
    /// The carrier reports nothing more.
    TrackingExpired,
}

impl StatusId {
    pub const LOST: Self = Self::new(8);
    pub const DAMAGED: Self = Self::new(9);

    /// Returns the stage of transit.
    pub const fn transit_state(self) -> TransitState {
        match self.get() {
            1 | 2 => TransitState::Unmanifested,
            3 | 4 | 14 | 24 | 25 | 27 => TransitState::Booked,
            7 => TransitState::Delivered,
            10 | 21 | 26 | 30 => TransitState::Ended,
            _ => TransitState::Moving,
        }
    }

    /// Returns the exception that the status reports, if any.
    pub const fn exception(self) -> Option<ExceptionKind> {
        Some(match self.get() {
            6 => ExceptionKind::Delayed,
            8 => ExceptionKind::Lost,
            9 => ExceptionKind::Damaged,
            17 | 28 => ExceptionKind::DeliveryFailed,
            26 => ExceptionKind::TrackingExpired,
            27 => ExceptionKind::PickupFailed,
            30 => ExceptionKind::Returned,
            _ => return None,
        })
    }

    /// Returns whether no further status is expected.
    pub const fn is_final(self) -> bool {
        matches!(
            self.transit_state(),
            TransitState::Delivered | TransitState::Ended
        )
    }
}
