//! Companies, their saved locations, and the carriers that they may use.

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};
use crate::shipping::{Carrier, Company, CompanyId, CompanyLocation, PartialList};

impl Client {
    /// `GET /apiv2/companies/getAll`. Returns the companies at or below `top`, or at or below the user's own
    /// company if `top` is none.
    pub async fn companies(&self, top: Option<CompanyId>) -> Result<Vec<Company>, Failure> {
        let path = "/apiv2/companies/getAll";
        let query = of("atOrBelowCompanyId", top);
        self.transport.read(Ask::get(path, query, Cap::List)).await
    }

    /// `GET /apiv2/companyLocations`. Returns the saved locations of `company`, or of the user's own company
    /// if that is none. Records that can't be read are listed separately.
    pub async fn company_locations(
        &self,
        company: Option<CompanyId>,
    ) -> Result<PartialList<CompanyLocation>, Failure> {
        let path = &self.dialect.paths.company_locations;
        let query = of("companyId", company);
        self.transport
            .read_list(Ask::get(path, query, Cap::List))
            .await
    }

    /// `GET /apiv2/companies/getAvailableCarriersAccountsAndServices`
    pub async fn carriers(&self, company: CompanyId) -> Result<Vec<Carrier>, Failure> {
        let path = "/apiv2/companies/getAvailableCarriersAccountsAndServices";
        let query = of("companyId", Some(company));
        self.transport.read(Ask::get(path, query, Cap::List)).await
    }
}

fn of(name: &'static str, company: Option<CompanyId>) -> Vec<(&'static str, String)> {
    company
        .map(|id| (name, id.to_string()))
        .into_iter()
        .collect()
}
