//! Carriers with their accounts and services ("Carrier listing").

use serde::{Deserialize, Serialize};

use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
};
use super::lenient;

/// The names that carriers and services share.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Named<Id> {
    /// The id.
    pub id: Id,
    /// Full name.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// Short name.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub abbreviation: String,
    /// The name to show.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub display_name: String,
}

impl<Id> Named<Id> {
    /// One of which only this is told.
    pub(super) const fn of(id: Id, name: String) -> Self {
        Self {
            id,
            name,
            abbreviation: String::new(),
            display_name: String::new(),
        }
    }

    /// The name to show.
    pub fn label(&self) -> &str {
        if self.display_name.is_empty() {
            &self.name
        } else {
            &self.display_name
        }
    }
}

/// A service of a carrier.
pub type CarrierService = Named<CarrierServiceId>;

/// A carrier that the company may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Carrier {
    /// Id of the carrier.
    pub id: CarrierId,
    /// Full name.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// Short name.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub abbreviation: String,
    /// The name to show.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub display_name: String,
    /// The accounts (rate cards) linked to the company.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub carrier_accounts: Vec<CarrierAccount>,
}

impl Carrier {
    /// The name to show.
    pub fn label(&self) -> &str {
        if self.display_name.is_empty() {
            &self.name
        } else {
            &self.display_name
        }
    }

    /// The accounts that this company may use; all that are linked and not switched off where no company is named.
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
    /// Id of the account.
    pub id: CarrierAccountId,
    /// Its name.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub name: String,
    /// The carrier's code for it.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub account_code: String,
    /// Whose account it is.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub carrier_id: Option<CarrierId>,
    /// The name to show.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub display_name: String,
    /// The company's link to it.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
    /// The company that the link is of.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_carrier_account_company_id: Option<CompanyId>,
    /// True where the link is switched off.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub company_carrier_account_disabled: bool,
    /// The services it can be used for.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub carrier_services: Vec<CarrierService>,
}

impl CarrierAccount {
    /// The name to show.
    pub fn label(&self) -> &str {
        if self.display_name.is_empty() {
            &self.name
        } else {
            &self.display_name
        }
    }
}
