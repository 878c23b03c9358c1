//! Where a consignment stands, and how it got there ("States and transitions", `statusHistory`).

use serde::{Deserialize, Serialize};

use super::lenient;
use super::time::{LocalTime, UtcTime};

/// A status id. Ids that this bench does not know are kept and shown by the service's own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct StatusId(i64);

impl StatusId {
    /// Created, and not yet told to the carrier.
    pub const UNMANIFESTED: Self = Self(2);
    /// Booked with the carrier.
    pub const MANIFESTED: Self = Self(3);

    /// The number that goes on the wire.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for StatusId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        lenient::integer(deserializer).map(Self)
    }
}

/// A status with the service's words for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Which status it is.
    pub id: StatusId,
    /// The service's name for it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// The service's explanation.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub description: String,
}

/// One step of a consignment's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusChange {
    /// The status reached.
    pub consignment_tracking_status: Option<Status>,
    /// Who or what set it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub created_by_name: String,
    /// True where only some of the items reached it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub status_is_partial: bool,
    /// When, on the clocks of the place where it happened.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub status_date_local: Option<LocalTime>,
    /// When, UTC.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub status_date_utc: Option<UtcTime>,
    /// The carrier's own code.
    pub carrier_status: Option<String>,
    /// The carrier's own words.
    pub carrier_status_description: Option<String>,
    /// Anything added to it.
    pub status_information: Option<String>,
}
