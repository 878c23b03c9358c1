//! The statuses of a consignment, their meaning, and the history of their changes. No other code interprets
//! status ids.

use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

use super::lenient::{self, lenient_records};
use super::time::{self, LocalTime, UtcTime};
use super::values::ConsignmentId;

/// A status id. Ids that the bench does not know are kept, and shown with the service's name. 0 means no status.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct StatusId(#[serde(deserialize_with = "lenient::integer")] i64);

/// The meaning of a status that the bench knows.
#[derive(Clone, Copy)]
struct KnownStatus {
    name: &'static str,
    transit_state: TransitState,
    is_settable: bool,
    exception: Option<Exception>,
}

const BY_HAND: bool = true;
const BY_SERVICE: bool = false;

/// Defines the known statuses.
macro_rules! statuses {
    ($($id:literal $name:literal $stage:ident $is_settable:ident $($exception:ident)?;)+) => {
        impl StatusId {
            /// The known statuses, the lowest id first.
            pub const KNOWN: &'static [Self] = &[$(Self($id)),+];

            const fn known(self) -> Option<KnownStatus> {
                match self.0 {
                    $($id => Some(KnownStatus {
                        name: $name,
                        transit_state: TransitState::$stage,
                        is_settable: $is_settable,
                        exception: statuses!(@exception $($exception)?),
                    }),)+
                    _ => None,
                }
            }
        }
    };
    (@exception) => { None };
    (@exception $exception:ident) => { Some(Exception::$exception) };
}

// The specification's five statuses, and further statuses that live services are known to use. Each row has the id,
// the name, the stage of transit, who may set the status, and the exception that the status stands for, if any.
statuses! {
    1 "Quote" Unmanifested BY_SERVICE;
    2 "Unmanifested" Unmanifested BY_SERVICE;
    3 "Manifested" Booked BY_SERVICE;
    4 "Booked" Booked BY_HAND;
    5 "In Transit" Moving BY_HAND;
    6 "Delayed" Moving BY_HAND Delayed;
    7 "Complete" Delivered BY_HAND;
    8 "Lost" Moving BY_HAND Lost;
    9 "Damaged" Moving BY_HAND Damaged;
    10 "Cancelled" Ended BY_HAND;
    13 "On For Delivery" Moving BY_HAND;
    14 "Added" Booked BY_HAND;
    15 "Picked Up" Moving BY_HAND;
    16 "Scanned Into Depot" Moving BY_HAND;
    17 "Delivery Attempted" Moving BY_HAND DeliveryFailed;
    18 "Sorted For Delivery" Moving BY_HAND;
    19 "Partial Delivery" Moving BY_HAND;
    20 "Delivery Time Scheduled" Moving BY_HAND;
    21 "Deleted" Ended BY_SERVICE;
    22 "At Delivery" Moving BY_HAND;
    23 "Partial On For Delivery" Moving BY_HAND;
    24 "At Pickup" Booked BY_HAND;
    25 "Manifesting" Booked BY_SERVICE;
    26 "Tracking Expired" Ended BY_HAND TrackingExpired;
    27 "Failed Pickup" Booked BY_HAND PickupFailed;
    28 "Failed Delivery" Moving BY_HAND DeliveryFailed;
    29 "Awaiting Collection" Moving BY_HAND;
    30 "Complete Returned To Sender" Ended BY_HAND Returned;
}

impl StatusId {
    pub const QUOTE: Self = Self(1);
    /// Created, but the carrier has not been informed.
    pub const UNMANIFESTED: Self = Self(2);
    /// Booked with the carrier.
    pub const MANIFESTED: Self = Self(3);
    pub const IN_TRANSIT: Self = Self(5);
    pub const COMPLETE: Self = Self(7);
    pub const LOST: Self = Self(8);
    pub const DAMAGED: Self = Self(9);
    /// Will not be carried. The service does not inform the carrier.
    pub const CANCELLED: Self = Self(10);
    pub const DELETED: Self = Self(21);

    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// Returns the name of a known status.
    pub fn name(self) -> Option<&'static str> {
        self.known().map(|known| known.name)
    }

    /// Finds a known status by its name, comparing only letters and digits, and ignoring case.
    fn of_name(name: &str) -> Option<Self> {
        let letters = |text: &str| -> String {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let wanted = letters(name);
        let is_called = |id: &Self| id.name().is_some_and(|known| letters(known) == wanted);
        Self::KNOWN.iter().copied().find(is_called)
    }

    /// Returns the number that goes on the wire.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Returns the stage of transit. An unknown id counts as in transit, neither delivered nor an exception.
    pub fn transit_state(self) -> TransitState {
        self.known()
            .map_or(TransitState::Moving, |known| known.transit_state)
    }

    /// Returns the exception that the status stands for, if any.
    pub fn exception(self) -> Option<Exception> {
        self.known()?.exception
    }

    /// Returns whether a clerk may set the status.
    pub fn is_settable(self) -> bool {
        self.known().is_some_and(|known| known.is_settable)
    }

    /// Returns whether no further status is expected.
    pub fn is_final(self) -> bool {
        matches!(
            self.transit_state(),
            TransitState::Delivered | TransitState::Ended
        )
    }
}

/// Defines [`TransitState`].
macro_rules! transit_states {
    ($($(#[$doc:meta])* $state:ident $label:literal;)+) => {
        /// The stage of transit that a status stands for. Lateness is not derived from the status.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum TransitState { $($(#[$doc])* $state),+ }

        impl TransitState {
            pub const ALL: &'static [Self] = &[$(Self::$state),+];

            pub const fn label(self) -> &'static str {
                match self { $(Self::$state => $label),+ }
            }
        }
    };
}

transit_states! {
    /// Created or only quoted: the carrier has not been informed.
    Unmanifested "Unmanifested";
    /// Booked, but not collected yet.
    Booked "Manifested";
    /// With the carrier.
    Moving "In transit";
    Delivered "Delivered";
    /// Ended without delivery: cancelled, deleted, returned, or no longer tracked.
    Ended "Ended";
}

/// How grave an exception is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExceptionSeverity {
    /// Pickup or delivery has failed.
    Failure,
    /// The consignment is slower than planned.
    Delay,
    /// The outcome is unknown.
    Unknown,
}

/// Defines [`Exception`].
macro_rules! exceptions {
    ($($(#[$doc:meta])* $exception:ident $severity:ident $label:literal $sentence:literal;)+) => {
        /// Why a consignment needs attention, the most severe first. If several reasons apply, only the most severe
        /// counts. Reasons by time (late, not collected, no scan) are not derived from the status.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Exception { $($(#[$doc])* $exception),+ }

        impl Exception {
            pub const ALL: &'static [Self] = &[$(Self::$exception),+];

            pub const fn severity(self) -> ExceptionSeverity {
                match self { $(Self::$exception => ExceptionSeverity::$severity),+ }
            }

            /// Returns one or two words for the screen. The store identifies reported exceptions by this text.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$exception => $label),+ }
            }

            /// Describes the exception without its times.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$exception => $sentence),+ }
            }
        }
    };
}

// A reason before `Late` is shown even if the consignment is late.
exceptions! {
    /// The carrier can't find the consignment.
    Lost Failure "lost" "Lost by the carrier";
    Damaged Failure "damaged" "Damaged in transit";
    DeliveryFailed Failure "delivery failed" "Delivery failed";
    PickupFailed Failure "pickup failed" "Pickup failed: the driver couldn't collect it";
    /// The consignment went back to its sender.
    Returned Failure "returned" "Returned to the sender";
    /// Past the ETA, and not delivered.
    Late Delay "late" "Late, and not delivered";
    /// Booked, and not collected by the carrier in time.
    NotCollected Delay "not collected" "Booked, not collected";
    /// With the carrier, and not scanned for a long time.
    NoScan Delay "no scan" "With the carrier, no scans";
    /// The carrier says that the consignment is delayed.
    Delayed Delay "delayed" "Delayed by the carrier";
    /// The carrier sends no more tracking updates.
    TrackingExpired Unknown "tracking expired" "Tracking expired: no further scans from the carrier";
}

/// Reads a status from a record, or from a number or name alone.
pub(super) fn status_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Status>, D::Error> {
    lenient::record_or_key(deserializer, "a status, or its number", |key| {
        Some(Status {
            id: key.map_or_else(StatusId::of_name, |id| Some(StatusId(id)))?,
            ..Status::default()
        })
    })
}

impl Status {
    /// Returns the name to show: the service's name, or else the bench's name, or else the number.
    pub fn label(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let known = self.id.name().map(str::to_owned);
        known.unwrap_or_else(|| format!("Status {}", self.id.get()))
    }
}

/// A status to set with `updateConsignmentStatuses`. Status 10 cancels the consignment, but the service does not
/// inform the carrier.
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
    #[derive(Default)]
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
