//! Manifest groups, as grouped, adjusted and booked, and what the carrier answered ("Manifest group", "Manifest result").

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;

use super::ids::{CompanyId, ConsignmentId, ManifestId};
use super::lenient;
use super::time::{self, LocalTime};

/// Consignments of one carrier, place and day, with the pickup that they wait for.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestGroup {
    /// What is in it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_ids: Vec<ConsignmentId>,
    /// Whose they are.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_id: Option<CompanyId>,
    /// When the driver arrives, on the pickup place's clocks.
    #[serde(
        default,
        deserialize_with = "lenient::or_nothing",
        serialize_with = "time::bare"
    )]
    pub pickup_date_time: Option<LocalTime>,
    /// When operations cease there.
    #[serde(
        default,
        deserialize_with = "lenient::or_nothing",
        serialize_with = "time::bare"
    )]
    pub pickup_closing_time: Option<LocalTime>,
    /// Pallet spaces, estimated by the service and adjustable.
    #[serde(default, deserialize_with = "lenient::count_or_nothing")]
    pub pallet_spaces: Option<i64>,
    /// What the driver should know.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub pickup_special_instructions: Option<String>,
    /// True where no pickup is needed.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pickup_already_booked: bool,
    /// The carrier.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub carrier_name: Option<String>,
    /// Needed where the group holds dangerous goods.
    pub dgs_declaration: Option<bool>,
    /// What else the service said of it: it goes back as it came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What became of one group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestResult {
    /// The manifest; 0 means that nothing was done.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub id: Option<ManifestId>,
    /// What was in it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_ids: Vec<ConsignmentId>,
    /// The carrier's reference for the booking.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub carrier_reference: Option<String>,
    /// Whether the carrier took it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub booking_successful: bool,
    /// Why not, in the service's words.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub error_message: Option<String>,
}
