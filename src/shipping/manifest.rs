//! Manifest groups, as the service groups them and the bench books them, and the booking results.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;

use super::lenient::{lenient_fields, lenient_records};
use super::time::{self, LocalTime};
use super::values::{CompanyId, ConsignmentId, ManifestId};

lenient_fields! {
    /// Consignments of one carrier, pickup location and despatch date, with the details of their pickup.
    #[skip_serializing_none]
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ManifestGroup {
        pub consignment_ids: Vec<ConsignmentId>,
        pub company_id: Option<CompanyId>,
        /// When the driver arrives, in the pickup location's time zone.
        #[serde(serialize_with = "time::serialize_without_zone")]
        pub pickup_date_time: Option<LocalTime>,
        /// When operations cease at the pickup location, in its time zone.
        #[serde(serialize_with = "time::serialize_without_zone")]
        pub pickup_closing_time: Option<LocalTime>,
        /// Estimated by the service; the clerk can change the number for oversized freight.
        pub pallet_spaces: Option<i64>,
        pub pickup_special_instructions: Option<String>,
        /// Whether a pickup is already booked, so that no further pickup is needed.
        pub pickup_already_booked: bool,
        pub carrier_name: Option<String>,
        /// Required if the group contains dangerous goods.
        pub dgs_declaration: Option<bool>,
        /// All other fields of the group, sent back unchanged.
        #[serde(flatten)]
        pub other: Map<String, Value>,
    }
}

lenient_records! {
    /// The booking result of one group.
    pub struct ManifestResult {
        /// 0 means that nothing was done.
        pub id: Option<ManifestId>,
        pub consignment_ids: Vec<ConsignmentId>,
        /// The carrier's reference for the booking.
        pub carrier_reference: Option<String>,
        pub booking_successful: bool,
        /// The service's reason if the booking failed.
        pub error_message: Option<String>,
    }
}
