//! Companies and their saved locations.

use jiff::civil::Time;
use serde::{Deserialize, Serialize};

use super::ids::{CompanyId, CompanyLocationId};
use super::lenient;

/// A company that consignments can belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Company {
    pub id: CompanyId,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// The service's code for the company.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub account_code: Option<String>,
    /// The name to show, if there is one.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub display_name: Option<String>,
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub parent_company_id: Option<CompanyId>,
}

impl Company {
    /// Returns the display name, or the company's name where there is none.
    pub fn label(&self) -> &str {
        self.display_name
            .as_deref()
            .filter(|name| !name.is_empty())
            .unwrap_or(&self.name)
    }
}

/// A suburb as the service knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// The service's id of the suburb.
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub id: Option<i64>,
    /// Suburb, or city outside Australia.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub suburb: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub postcode: String,
    /// State or region.
    #[serde(default, deserialize_with = "lenient::code_or_default")]
    pub state: String,
    /// IANA name, if the service gives one.
    #[serde(default, deserialize_with = "lenient::time_zone_or_default")]
    pub time_zone: String,
    /// The country, as the service spells it.
    #[serde(default, deserialize_with = "lenient::country_or_default")]
    pub country: String,
}

/// A saved pickup or delivery location: a full address behind an id and an abbreviation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyLocation {
    /// The id, sent as `fromCompanyLocationId` or `toCompanyLocationId`.
    pub id: CompanyLocationId,
    /// 1 = pickup, 2 = delivery, 3 = both.
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub location_type: Option<i64>,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// A short name, unique in the company.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub abbreviation: String,
    /// The person to ask for.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub contact: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub phone: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub email: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub address_line1: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub address_line2: String,
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_id: Option<CompanyId>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub location: Location,
    /// Instructions for carriers about this location.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub special_instructions: String,
    /// The usual pickup time.
    #[serde(default, deserialize_with = "lenient::time_of_day_or_nothing")]
    pub default_pickup_time: Option<Time>,
    /// The usual closing time.
    #[serde(default, deserialize_with = "lenient::time_of_day_or_nothing")]
    pub default_closing_time: Option<Time>,
    /// The usual instructions for drivers.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub default_pickup_instructions: String,
    /// Whether the location is outside the service's own country.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub is_international: bool,
}

impl CompanyLocation {
    /// Returns whether consignments may start here.
    pub fn is_pickup(&self) -> bool {
        self.location_type != Some(2)
    }

    /// Returns whether consignments may end here.
    pub fn is_delivery(&self) -> bool {
        self.location_type != Some(1)
    }
}
