//! Companies, their saved locations, and the carriers that they may use, with accounts and services.

use jiff::civil::Time;

use super::lenient::{self, lenient_records};
use super::values::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId,
};

lenient_records! {
    pub struct Company {
        pub id: CompanyId,
        pub name: String,
        /// The service's code for the company.
        pub account_code: Option<String>,
        pub display_name: Option<String>,
        pub parent_company_id: Option<CompanyId>,
    }

    /// A suburb as the service knows it.
    #[derive(Default)]
    pub struct Location {
        /// The service's id of the suburb.
        pub id: Option<i64>,
        /// Suburb, or city outside Australia.
        pub suburb: String,
        pub postcode: String,
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::code_or_default")]
        pub state: String,
        /// IANA name, if the service gives one.
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::time_zone_or_default")]
        pub time_zone: String,
        /// The country, as the service spells it.
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::country_or_default")]
        pub country: String,
    }

    /// A saved pickup or delivery location: a full address behind an id and an abbreviation.
    pub struct CompanyLocation {
        /// The id, sent as `fromCompanyLocationId` or `toCompanyLocationId`.
        pub id: CompanyLocationId,
        /// 1 = pickup, 2 = delivery, 3 = both.
        pub location_type: Option<i64>,
        pub name: String,
        /// A short name, unique in the company.
        pub abbreviation: String,
        pub contact: String,
        pub phone: String,
        pub email: String,
        pub address_line1: String,
        pub address_line2: String,
        pub company_id: Option<CompanyId>,
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub location: Location,
        pub special_instructions: String,
        pub default_pickup_time: Option<Time>,
        pub default_closing_time: Option<Time>,
        pub default_pickup_instructions: String,
        /// Whether the location is outside the service's own country.
        pub is_international: bool,
    }

    /// A record with an id and names, used for carriers and for services.
    #[derive(Default)]
    pub struct NamedRecord<Id> {
        pub id: Id,
        pub name: String,
        pub abbreviation: String,
        pub display_name: String,
    }

    pub struct Carrier {
        pub id: CarrierId,
        pub name: String,
        pub abbreviation: String,
        pub display_name: String,
        /// The accounts (rate cards) that are linked to the company.
        pub carrier_accounts: Vec<CarrierAccount>,
    }

    pub struct CarrierAccount {
        pub id: CarrierAccountId,
        pub name: String,
        /// The carrier's code for the account.
        pub account_code: String,
        pub carrier_id: Option<CarrierId>,
        pub display_name: String,
        /// The id of the link between the company and this account.
        pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
        /// The company to which the account is linked.
        pub company_carrier_account_company_id: Option<CompanyId>,
        /// Whether the link is switched off.
        pub company_carrier_account_disabled: bool,
        /// The services that the account can be used for.
        pub carrier_services: Vec<CarrierService>,
    }
}

impl Company {
    /// Returns the display name, or the company's name if there is no display name.
    pub fn label(&self) -> &str {
        label(self.display_name.as_deref().unwrap_or_default(), &self.name)
    }
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

impl<Id> NamedRecord<Id> {
    /// Builds a record of which only the id or the name is known.
    pub(super) const fn from_id_and_name(id: Id, name: String) -> Self {
        Self {
            id,
            name,
            abbreviation: String::new(),
            display_name: String::new(),
        }
    }

    /// Returns the display name, or the full name if there is no display name.
    pub fn label(&self) -> &str {
        label(&self.display_name, &self.name)
    }
}

pub type CarrierService = NamedRecord<CarrierServiceId>;

impl Carrier {
    /// Returns the display name, or the full name if there is no display name.
    pub fn label(&self) -> &str {
        label(&self.display_name, &self.name)
    }

    /// Returns the enabled accounts that this company may use. Without a company, returns every
    /// enabled account.
    pub fn accounts_of(&self, company: Option<CompanyId>) -> impl Iterator<Item = &CarrierAccount> {
        self.carrier_accounts.iter().filter(move |account| {
            let of = account.company_carrier_account_company_id;
            let ours = company.is_none() || of.is_none() || of == company;
            ours && !account.company_carrier_account_disabled
        })
    }
}

impl CarrierAccount {
    /// Returns the display name, or the account's name if there is no display name.
    pub fn label(&self) -> &str {
        label(&self.display_name, &self.name)
    }
}

fn label<'a>(display_name: &'a str, name: &'a str) -> &'a str {
    if display_name.is_empty() {
        name
    } else {
        display_name
    }
}
