//! Carriers with their accounts and services.

use serde::{Deserialize, Serialize};

use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
};
use super::lenient;

/// A record with an id and names, as carriers and services share it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedRecord<Id> {
    pub id: Id,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub abbreviation: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub display_name: String,
}

impl<Id> NamedRecord<Id> {
    /// Builds a record from the only values that are known.
    pub(super) const fn from_id_and_name(id: Id, name: String) -> Self {
        Self {
            id,
            name,
            abbreviation: String::new(),
            display_name: String::new(),
        }
    }

    /// Returns the display name, or the full name where there is none.
    pub fn label(&self) -> &str {
        if self.display_name.is_empty() {
            &self.name
        } else {
            &self.display_name
        }
    }
}

/// A service of a carrier.
pub type CarrierService = NamedRecord<CarrierServiceId>;

/// A carrier that the company may use, with its accounts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Carrier {
    pub id: CarrierId,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub abbreviation: String,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub display_name: String,
    /// The accounts (rate cards) that are linked to the company.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub carrier_accounts: Vec<CarrierAccount>,
}

impl Carrier {
    /// Returns the display name, or the full name where there is none.
    pub fn label(&self) -> &str {
        if self.display_name.is_empty() {
            &self.name
        } else {
            &self.display_name
        }
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

/// An account with a carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CarrierAccount {
    pub id: CarrierAccountId,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// The carrier's code for the account.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub account_code: String,
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub carrier_id: Option<CarrierId>,
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub display_name: String,
    /// The id of the link between the company and this account.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
    /// The company at the other end of the link.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_carrier_account_company_id: Option<CompanyId>,
    /// Whether the link is switched off.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub company_carrier_account_disabled: bool,
    /// The services that the account can be used for.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub carrier_services: Vec<CarrierService>,
}

impl CarrierAccount {
    /// Returns the display name, or the account's name where there is none.
    pub fn label(&self) -> &str {
        if self.display_name.is_empty() {
            &self.name
        } else {
            &self.display_name
        }
    }
}
