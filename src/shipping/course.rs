//! What a status means for whoever watches over consignments: how far along they are, and whether something went wrong.
//!
//! What always holds: this is the one place that reads a meaning out of status ids. An id that nobody knows is on its way:
//! it is neither delivered nor wrong. It must not know of times: whether something is late is not in its status.

use super::status::StatusId;

/// How far along its way a status puts a consignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Course {
    /// Created, or not even that: no carrier knows of it.
    Unmanifested,
    /// Booked; the carrier has not collected it yet.
    Booked,
    /// With the carrier.
    Moving,
    /// With its receiver.
    Delivered,
    /// Ended in another way: cancelled, deleted, returned, or nobody follows it any more.
    Ended,
}

/// What may be wrong with a consignment by its status alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mishap {
    /// The carrier cannot find it.
    Lost,
    /// It arrived, or was found, damaged.
    Damaged,
    /// It could not be delivered.
    DeliveryFailed,
    /// It could not be picked up.
    PickupFailed,
    /// It went back to its sender.
    Returned,
    /// The carrier says that it is delayed.
    Delayed,
    /// The carrier tells no more of it.
    TrackingExpired,
}

impl StatusId {
    /// Lost at the carrier.
    pub const LOST: Self = Self::new(8);
    /// Damaged.
    pub const DAMAGED: Self = Self::new(9);

    /// How far along it puts a consignment.
    pub const fn course(self) -> Course {
        match self.get() {
            1 | 2 => Course::Unmanifested,
            3 | 4 | 14 | 24 | 25 | 27 => Course::Booked,
            7 => Course::Delivered,
            10 | 21 | 26 | 30 => Course::Ended,
            _ => Course::Moving,
        }
    }

    /// What it says went wrong.
    pub const fn mishap(self) -> Option<Mishap> {
        Some(match self.get() {
            6 => Mishap::Delayed,
            8 => Mishap::Lost,
            9 => Mishap::Damaged,
            17 | 28 => Mishap::DeliveryFailed,
            26 => Mishap::TrackingExpired,
            27 => Mishap::PickupFailed,
            30 => Mishap::Returned,
            _ => return None,
        })
    }

    /// Nothing more is to come after it.
    pub const fn is_final(self) -> bool {
        matches!(self.course(), Course::Delivered | Course::Ended)
    }
}
