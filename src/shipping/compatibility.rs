//! Settings for where a deployment departs from the specification: spellings, paths and optional operations.
//!
//! The defaults follow the specification or, if it shows nothing, the known live services. These settings change only
//! the form on the wire, never the meaning of an operation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The differences between deployments: one setting of the connection.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Compatibility {
    /// The spelling of the despatch time on create.
    pub despatch: DespatchSpelling,
    /// The shape of a request for a list of ids.
    pub ids: IdListFormat,
    /// The form of the company id when all consignments of a company are grouped.
    pub company: CompanyIdFormat,
    /// Paths of operations that differ between deployments.
    pub paths: Paths,
    /// Features beyond the specification.
    pub optional: OptionalFeatures,
    /// Whether the service guarantees that nothing was done when it answers HTTP 429 with `Retry-After`.
    /// Without that guarantee, a write answered with 429 may have been carried out.
    pub pause_means_not_done: bool,
    /// The reference of a consignment that contains the bench's key.
    pub key: BenchKeyField,
}

/// The field that contains the bench's key, by which a consignment is found after a lost answer. A reference that the
/// clerk typed is never replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum BenchKeyField {
    /// `customerReference2`.
    #[default]
    SecondReference,
    /// `customerReference`.
    FirstReference,
    /// No field: reconciliation compares candidates, and a person decides.
    Nowhere,
}

/// `dispatchDateTime…` or `despatchDateTime…` on create. A service ignores the spelling that it does
/// not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DespatchSpelling {
    /// As in the specification's create request.
    #[default]
    Dispatch,
    /// As in every live deployment.
    Despatch,
}

/// The body of `returnConsignments` and of its variant for pending ids, which the specification does
/// not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum IdListFormat {
    /// `{"ids": [1, 2]}`
    #[default]
    Object,
    /// `[1, 2]`
    Bare,
}

/// The body of `groupAllUnmanifestedConsignmentsForManifest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CompanyIdFormat {
    /// `"7"`, as in the specification.
    #[default]
    Text,
    /// `7`
    Number,
}

/// Paths below the service's address that differ between deployments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Paths {
    pub routes: String,
    /// Prices for items with dangerous goods or customs contents.
    pub complex_routes: String,
    pub company_locations: String,
    /// Names, classes and packing groups of a UN number.
    pub un_numbers: String,
}

impl Default for Paths {
    fn default() -> Self {
        Self {
            routes: "/apiv2/routes/returnRoutes".to_owned(),
            complex_routes: "/apiv2/routes/returnrouteswithcomplexitems".to_owned(),
            company_locations: "/apiv2/companyLocations".to_owned(),
            un_numbers: "/api/DangerousGoods/GetUnNumberInformation".to_owned(),
        }
    }
}

/// Features that some deployments have beyond the specification. Each is used only if it is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct OptionalFeatures {
    /// A create request with `linkedPendingConsignmentIds` turns those pending consignments into consignments.
    pub linked_pending: bool,
    /// `consignments/getUnmanifested` lists the consignments that wait for a manifest.
    pub unmanifested_list: bool,
    /// `labels/groupConsignmentsForPrinting` lists the service's printers.
    pub printers: bool,
}
