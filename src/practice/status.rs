//! Statuses of a consignment, and the record of how it came to each.

use jiff::Timestamp;

use super::consignment::Consignment;

/// The statuses that the practice service brings about (interface, States and transitions).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Unmanifested,
    Manifested,
    InTransit,
    Complete,
    Cancelled,
}

impl Status {
    pub(crate) fn id(self) -> i64 {
        match self {
            Self::Unmanifested => 2,
            Self::Manifested => 3,
            Self::InTransit => 5,
            Self::Complete => 7,
            Self::Cancelled => 10,
        }
    }

    pub(crate) fn from_id(id: i64) -> Option<Self> {
        let all = [
            Self::Unmanifested,
            Self::Manifested,
            Self::InTransit,
            Self::Complete,
            Self::Cancelled,
        ];
        all.into_iter().find(|status| status.id() == id)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unmanifested => "Unmanifested",
            Self::Manifested => "Manifested",
            Self::InTransit => "In Transit",
            Self::Complete => "Complete",
            Self::Cancelled => "Cancelled",
        }
    }

    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Unmanifested => "The carrier has not been told yet",
            Self::Manifested => "The carrier has been told",
            Self::InTransit => "The goods are on their way",
            Self::Complete => "The goods have arrived",
            Self::Cancelled => "The consignment will not be carried",
        }
    }
}

/// One change of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) status: Status,
    pub(crate) at: Timestamp,
    pub(crate) by: String,
    pub(crate) by_user_id: i64,
}

/// A consignment with what has become of it.
#[derive(Debug, Clone)]
pub(crate) struct Tracked {
    pub(crate) consignment: Consignment,
    pub(crate) status: Status,
    pub(crate) manifest_id: Option<i64>,
    /// When its manifest was booked.
    pub(crate) booked: Option<Timestamp>,
    /// Oldest first.
    pub(crate) history: Vec<Event>,
}
