//! The statuses of a consignment, and the history of its status changes.
//!
//! A status with an unknown id keeps the id and is named by its number.

use std::borrow::Cow;

use jiff::Timestamp;

use super::consignment::Consignment;

/// Generates the enum and its methods from one table of ids, names and descriptions.
macro_rules! statuses {
    ($($id:literal $name:ident, $words:literal, $description:literal;)+) => {
        /// The statuses that the API defines, and additional statuses that live services use.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Status {
            $($name,)+
            /// An unknown id. Only [`Status::from_id`] creates this, so the id is never that of
            /// another variant.
            Other(i64),
        }

        impl Status {
            pub(crate) fn id(self) -> i64 {
                match self {
                    $(Self::$name => $id,)+
                    Self::Other(id) => id,
                }
            }

            pub(crate) fn from_id(id: i64) -> Self {
                match id {
                    $($id => Self::$name,)+
                    other => Self::Other(other),
                }
            }

            pub(crate) fn name(self) -> Cow<'static, str> {
                match self {
                    $(Self::$name => Cow::Borrowed($words),)+
                    Self::Other(id) => Cow::Owned(format!("Status {id}")),
                }
            }

            /// Returns an explanation for people.
            pub(crate) fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $description,)+
                    Self::Other(_) => "Unknown status",
                }
            }
        }
    };
}

statuses! {
    1 Quote, "Quote", "A price was requested";
    2 Unmanifested, "Unmanifested", "The carrier has not been booked yet";
    3 Manifested, "Manifested", "The booking was sent to the carrier";
    4 Booked, "Booked", "The carrier has confirmed the booking";
    5 InTransit, "In Transit", "The goods are on their way";
    6 Delayed, "Delayed", "The goods will arrive later than expected";
    7 Complete, "Complete", "The goods have arrived";
    8 Lost, "Lost", "The carrier cannot find the goods";
    9 Damaged, "Damaged", "The goods were damaged in transit";
    10 Cancelled, "Cancelled", "The consignment will not be delivered";
    13 OnForDelivery, "On For Delivery", "The goods are on the delivery vehicle";
    14 Added, "Added", "The carrier has registered the consignment";
    15 PickedUp, "Picked Up", "The driver has taken the goods";
    16 ScannedIntoDepot, "Scanned Into Depot", "The goods have reached a depot";
    17 DeliveryAttempted, "Delivery Attempted", "The driver came and could not deliver";
    18 SortedForDelivery, "Sorted For Delivery", "The goods are sorted for a delivery round";
    19 PartialDelivery, "Partial Delivery", "Some of the pieces have arrived";
    20 DeliveryTimeScheduled, "Delivery Time Scheduled", "A time was agreed with the receiver";
    21 Deleted, "Deleted", "The consignment was removed";
    22 AtDelivery, "At Delivery", "The driver is with the receiver";
    23 PartialOnForDelivery, "Partial On For Delivery", "Some of the pieces are on the delivery vehicle";
    24 AtPickup, "At Pickup", "The driver is with the sender";
    25 Manifesting, "Manifesting", "The booking is being sent to the carrier";
    26 TrackingExpired, "Tracking Expired", "The carrier no longer says where the goods are";
    27 FailedPickup, "Failed Pickup", "The driver came and could not collect";
    28 FailedDelivery, "Failed Delivery", "The goods could not be delivered";
    29 AwaitingCollection, "Awaiting Collection", "The goods wait for the receiver at a depot";
    30 CompleteReturnedToSender, "Complete Returned To Sender", "The goods are back with the sender";
}

impl Status {
    /// Returns true if nothing more happens to the goods after this status.
    pub(crate) fn is_final(self) -> bool {
        matches!(
            self,
            Self::Complete
                | Self::Lost
                | Self::Cancelled
                | Self::Deleted
                | Self::CompleteReturnedToSender
        )
    }

    /// Returns true if an office user should look at the consignment.
    pub(crate) fn is_important(self) -> bool {
        matches!(
            self,
            Self::Delayed
                | Self::Lost
                | Self::Damaged
                | Self::DeliveryAttempted
                | Self::PartialDelivery
                | Self::FailedPickup
                | Self::FailedDelivery
        )
    }
}

/// One change of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatusEvent {
    pub(crate) status: Status,
    pub(crate) at: Timestamp,
    pub(crate) by: String,
    pub(crate) by_user_id: i64,
    /// The IANA time zone of the place of the event; none means the sender's.
    pub(crate) zone: Option<String>,
    /// Whether the event concerns only some of the pieces.
    pub(crate) partial: bool,
    /// The carrier's own code for the event, and its own text.
    pub(crate) carrier_status: Option<String>,
    pub(crate) carrier_words: Option<String>,
    /// Additional information, such as who signed.
    pub(crate) information: Option<String>,
    /// The reference of the piece concerned; none means all pieces.
    pub(crate) item_reference: Option<String>,
}

impl StatusEvent {
    /// Creates an event without details, in the sender's time zone.
    pub(crate) fn new(
        status: Status,
        at: Timestamp,
        by: impl Into<String>,
        by_user_id: i64,
    ) -> Self {
        Self {
            status,
            at,
            by: by.into(),
            by_user_id,
            zone: None,
            partial: false,
            carrier_status: None,
            carrier_words: None,
            information: None,
            item_reference: None,
        }
    }
}

/// A consignment with its current status, manifest and history.
#[derive(Debug, Clone)]
pub(crate) struct ConsignmentRecord {
    pub(crate) consignment: Consignment,
    pub(crate) status: Status,
    pub(crate) manifest_id: Option<i64>,
    /// Time when the manifest was booked.
    pub(crate) booked: Option<Timestamp>,
    /// Oldest first.
    pub(crate) history: Vec<StatusEvent>,
}

impl ConsignmentRecord {
    /// Returns the event that completed the consignment, if its status is complete.
    pub(crate) fn completion(&self) -> Option<&StatusEvent> {
        let done = |event: &&StatusEvent| event.status == Status::Complete && !event.partial;
        let last = self.history.iter().rev().find(done);
        last.filter(|_| self.status == Status::Complete)
    }
}
