//! How one deployment speaks the interface: the spellings, paths and optional operations in which live services differ.
//!
//! The defaults are the specification's; where it shows nothing, the field notes'. Nothing here says what an operation
//! means, only how it is put on the wire.

use serde::{Deserialize, Serialize};

/// What differs between deployments. A setting of the connection, chosen once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Dialect {
    /// How the despatch time is spelt on create.
    pub despatch: DespatchSpelling,
    /// How a list of ids is asked with.
    pub ids: IdLists,
    /// How the company is named when all of it is grouped.
    pub company: CompanyForm,
    /// Where the operations are that have moved.
    pub paths: Paths,
    /// What the deployment has beyond the specification.
    pub optional: Optional,
    /// The service's contract says that HTTP 429 with `Retry-After` means that nothing was done. Without that, a write that
    /// is answered so may have been carried out.
    pub pause_means_not_done: bool,
    /// The reference of a consignment that holds the bench's key.
    pub key: KeyPlace,
}

/// Where a consignment carries the bench's key, by which it is found after a lost answer. A reference that the clerk typed
/// is never replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyPlace {
    /// In `customerReference2`.
    #[default]
    SecondReference,
    /// In `customerReference`.
    FirstReference,
    /// In neither: it is found by comparing, and a person decides.
    Nowhere,
}

/// `dispatchDateTime…` or `despatchDateTime…` on create. A service ignores the spelling that it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DespatchSpelling {
    /// As the specification's create request has it.
    #[default]
    Dispatch,
    /// As every live deployment has it.
    Despatch,
}

/// The body of `returnConsignments` and its sibling by pending ids, which the specification does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IdLists {
    /// `{"ids": [1, 2]}`
    #[default]
    Object,
    /// `[1, 2]`
    Bare,
}

/// The body of `groupAllUnmanifestedConsignmentsForManifest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CompanyForm {
    /// `"7"`, as the specification has it.
    #[default]
    Text,
    /// `7`
    Number,
}

/// Paths, below the service's address, that deployments publish differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Paths {
    /// Prices for plain items.
    pub routes: String,
    /// Prices for dangerous goods and customs contents.
    pub complex_routes: String,
    /// Saved locations.
    pub company_locations: String,
    /// UN numbers.
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

/// What some deployments have and the specification lacks. Nothing of it is used unless it is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Optional {
    /// `linkedPendingConsignmentIds` on create converts the pending consignments.
    pub linked_pending: bool,
    /// `consignments/getUnmanifested` lists what waits for a manifest.
    pub unmanifested_list: bool,
    /// `labels/groupConsignmentsForPrinting` lists the service's printers.
    pub printers: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_says_nothing_is_the_specification() {
        let dialect: Dialect = serde_json::from_str("{}").expect("all of it has defaults");
        assert_eq!(dialect, Dialect::default());
        assert_eq!(dialect.despatch, DespatchSpelling::Dispatch);
        assert_eq!(dialect.paths.routes, "/apiv2/routes/returnRoutes");
    }
}
