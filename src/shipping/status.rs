//! The statuses of a consignment, their meaning, and the history of their changes. No other code interprets
//! status ids.

use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

use super::lenient::{self, lenient_records};
use super::time::{self, LocalTime, UtcTime};
use super::values::ConsignmentId;

/// A status id. Ids that the bench does not know are kept, and shown with the service's own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StatusId(#[serde(deserialize_with = "lenient::integer")] i64);

impl StatusId {
    /// Created, but the carrier has not been told.
    pub const UNMANIFESTED: Self = Self(2);
    /// Booked with the carrier.
    pub const MANIFESTED: Self = Self(3);
    pub const IN_TRANSIT: Self = Self(5);
    pub const COMPLETE: Self = Self(7);
    pub const LOST: Self = Self(8);
    pub const DAMAGED: Self = Self(9);
    /// Will not be carried. The carrier is not told by the service.
    pub const CANCELLED: Self = Self(10);

    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// Returns the name of a known status: the specification's five, and further statuses that live services
    /// are known to use.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "Quote",
            2 => "Unmanifested",
            3 => "Manifested",
            4 => "Booked",
            5 => "In Transit",
            6 => "Delayed",
            7 => "Complete",
            8 => "Lost",
            9 => "Damaged",
            10 => "Cancelled",
            13 => "On For Delivery",
            14 => "Added",
            15 => "Picked Up",
            16 => "Scanned Into Depot",
            17 => "Delivery Attempted",
            18 => "Sorted For Delivery",
            19 => "Partial Delivery",
            20 => "Delivery Time Scheduled",
            21 => "Deleted",
            22 => "At Delivery",
            23 => "Partial On For Delivery",
            24 => "At Pickup",
            25 => "Manifesting",
            26 => "Tracking Expired",
            27 => "Failed Pickup",
            28 => "Failed Delivery",
            29 => "Awaiting Collection",
            30 => "Complete Returned To Sender",
            _ => return None,
        })
    }

    /// Finds a known status by its name, ignoring case and everything but letters and digits.
    fn of_name(name: &str) -> Option<Self> {
        let letters = |text: &str| -> String {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let wanted = letters(name);
        let known = |id: &Self| id.name().is_some_and(|known| letters(known) == wanted);
        (1..=30).map(Self).find(known)
    }

    /// Returns the number that goes on the wire.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Returns the stage of transit. An unknown id counts as in transit, neither delivered nor an exception.
    pub const fn transit_state(self) -> TransitState {
        match self.get() {
            1 | 2 => TransitState::Unmanifested,
            3 | 4 | 14 | 24 | 25 | 27 => TransitState::Booked,
            7 => TransitState::Delivered,
            10 | 21 | 26 | 30 => TransitState::Ended,
            _ => TransitState::Moving,
        }
    }

    /// Returns the exception that the status stands for, if any.
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

/// The stage of transit that a status stands for. Lateness is not derived from the status.
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
    /// The carrier says that the consignment is delayed.
    Delayed,
    /// The carrier sends no more tracking updates.
    TrackingExpired,
}

impl ExceptionKind {
    /// Returns whether pickup or delivery has failed, and not only slowed down.
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Lost
            | Self::Damaged
            | Self::DeliveryFailed
            | Self::PickupFailed
            | Self::Returned => true,
            Self::Delayed | Self::TrackingExpired => false,
        }
    }
}

/// Reads a status from a record, or from a number or name alone.
pub(super) fn status_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Status>, D::Error> {
    lenient::record_or_key(deserializer, "a status, or its number", |key| {
        Some(Status {
            id: key.map_or_else(StatusId::of_name, |id| Some(StatusId(id)))?,
            name: String::new(),
            description: String::new(),
        })
    })
}

impl Status {
    /// Returns the name to show: the service's, or else the bench's, or else the number.
    pub fn label(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let known = self.id.name().map(str::to_owned);
        known.unwrap_or_else(|| format!("Status {}", self.id.get()))
    }
}

/// A status to set with `updateConsignmentStatuses`. Status 10 cancels the consignment, but the carrier is
/// not told.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusUpdate {
    pub consignment_id: ConsignmentId,
    pub status: StatusId,
    /// When the status was reached, in the time zone of the place.
    #[serde(default, serialize_with = "time::serialize_without_zone")]
    pub status_date_time_local: Option<LocalTime>,
    /// The reference of a piece, if the status is for that piece only.
    pub item_reference: Option<String>,
    pub extra_information: Option<String>,
}

lenient_records! {
    /// A status with the service's name and description.
    pub struct Status {
        pub id: StatusId,
        pub name: String,
        pub description: String,
    }

    /// A step in a consignment's history.
    pub struct StatusChange {
        pub consignment_tracking_status: Option<Status>,
        pub consignment_id: Option<ConsignmentId>,
        /// The person or system that set the status.
        pub created_by_name: String,
        pub created_by_user_id: Option<i64>,
        /// Whether only some of the items reached the status.
        pub status_is_partial: bool,
        /// In the time zone of the place where it happened.
        pub status_date_local: Option<LocalTime>,
        pub status_date_utc: Option<UtcTime>,
        /// The carrier's own status code.
        pub carrier_status: Option<String>,
        /// The carrier's own description.
        pub carrier_status_description: Option<String>,
        pub status_information: Option<String>,
        /// The reference of the piece that changed. The service's documentation does not list this field, but
        /// some services send it.
        pub item_reference: Option<String>,
    }
}
