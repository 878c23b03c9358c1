//! Companies and their saved places ("companies/getAll", "companyLocations"; shapes from the field notes).

use jiff::civil::Time;
use serde::{Deserialize, Serialize};

use super::ids::{CompanyId, CompanyLocationId};
use super::lenient;

/// A company that consignments can belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Company {
    /// Its id.
    pub id: CompanyId,
    /// Its name.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// The service's code for it.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub account_code: Option<String>,
    /// The name to show, where there is one.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub display_name: Option<String>,
    /// The company above it.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub parent_company_id: Option<CompanyId>,
}

impl Company {
    /// The name to show.
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
    /// The service's number for it.
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub id: Option<i64>,
    /// Suburb, or city outside Australia.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub suburb: String,
    /// Postcode.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub postcode: String,
    /// State or region.
    #[serde(default, deserialize_with = "lenient::code_or_default")]
    pub state: String,
    /// IANA time zone, where the service names one.
    #[serde(default, deserialize_with = "lenient::time_zone_or_default")]
    pub time_zone: String,
    /// Country, as the service spells it.
    #[serde(default, deserialize_with = "lenient::country_or_default")]
    pub country: String,
}

/// A saved pickup or delivery place: a full address behind an id and an abbreviation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyLocation {
    /// Its id, sent as `fromCompanyLocationId` or `toCompanyLocationId`.
    pub id: CompanyLocationId,
    /// 1 from, 2 to, 3 both.
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    pub location_type: Option<i64>,
    /// Name of the place.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// Short name, unique in the company.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub abbreviation: String,
    /// Person to ask for.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub contact: String,
    /// Their phone.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub phone: String,
    /// Their e-mail.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub email: String,
    /// Street.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub address_line1: String,
    /// Second line.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub address_line2: String,
    /// Whose it is.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_id: Option<CompanyId>,
    /// Suburb, postcode, state and zone.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub location: Location,
    /// What carriers should know about the place.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub special_instructions: String,
    /// When drivers usually come.
    #[serde(default, deserialize_with = "lenient::time_of_day_or_nothing")]
    pub default_pickup_time: Option<Time>,
    /// When the place usually closes.
    #[serde(default, deserialize_with = "lenient::time_of_day_or_nothing")]
    pub default_closing_time: Option<Time>,
    /// What drivers should usually know.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub default_pickup_instructions: String,
    /// True outside the service's own country.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub is_international: bool,
}

impl CompanyLocation {
    /// True where consignments may start here.
    pub fn is_pickup(&self) -> bool {
        self.location_type != Some(2)
    }

    /// True where consignments may end here.
    pub fn is_delivery(&self) -> bool {
        self.location_type != Some(1)
    }
}
