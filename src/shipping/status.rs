//! The statuses of a consignment and the history of their changes.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_with::skip_serializing_none;

use super::ids::ConsignmentId;
use super::lenient;
use super::time::{self, LocalTime, UtcTime};

/// A status id. Ids that the bench does not know are kept, and shown with the service's own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct StatusId(i64);

impl StatusId {
    /// Created, but the carrier has not been told.
    pub const UNMANIFESTED: Self = Self(2);
    /// Booked with the carrier.
    pub const MANIFESTED: Self = Self(3);
    pub const IN_TRANSIT: Self = Self(5);
    pub const COMPLETE: Self = Self(7);
    /// Will not be carried. The carrier is not told by the service.
    pub const CANCELLED: Self = Self(10);

    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// Returns the name of a known status: the specification's five, and those that live services are known
    /// to use.
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
}

impl<'de> Deserialize<'de> for StatusId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        lenient::integer(deserializer).map(Self)
    }
}

/// A status with the service's name and description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Status {
    pub id: StatusId,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub description: String,
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Reads a record, or a number or name alone.
impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StatusVisitor;
        impl<'de> Visitor<'de> for StatusVisitor {
            type Value = Status;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a status, or its number")
            }
            fn visit_i64<E: de::Error>(self, id: i64) -> Result<Status, E> {
                Ok(Status {
                    id: StatusId(id),
                    name: String::new(),
                    description: String::new(),
                })
            }
            fn visit_u64<E: de::Error>(self, id: u64) -> Result<Status, E> {
                let id = i64::try_from(id);
                self.visit_i64(id.map_err(|_too_large| E::custom("a number above 2^63"))?)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Status, E> {
                let id = text.trim().parse().ok().map(StatusId);
                let id = id.or_else(|| StatusId::of_name(text));
                let id = id.ok_or_else(|| E::custom("no status that is known"))?;
                self.visit_i64(id.0)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Status, A::Error> {
                Status::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(StatusVisitor)
    }
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

/// A step in a consignment's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusChange {
    pub consignment_tracking_status: Option<Status>,
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub consignment_id: Option<ConsignmentId>,
    /// The person or system that set the status.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub created_by_name: String,
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub created_by_user_id: Option<i64>,
    /// Whether only some of the items reached the status.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub status_is_partial: bool,
    /// In the time zone of the place where it happened.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub status_date_local: Option<LocalTime>,
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub status_date_utc: Option<UtcTime>,
    /// The carrier's own status code.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub carrier_status: Option<String>,
    /// The carrier's own description.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub carrier_status_description: Option<String>,
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub status_information: Option<String>,
    /// The reference of the piece that changed. The interface does not list this field, but some services
    /// send it.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub item_reference: Option<String>,
}
