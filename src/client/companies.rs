//! Companies, their saved locations, and the carriers that they may use.

use super::api_request::ApiRequest;
use super::response::SizeLimit;
use super::{Client, Failure};
use shipping::{Carrier, Company, CompanyId, CompanyLocation, PartialList};

impl Client {
    /// `GET /apiv2/companies/getAll`. Returns the companies at or below `top`, or at or below the user's own
    /// company if `top` is none.
    pub async fn companies(&self, top: Option<CompanyId>) -> Result<Vec<Company>, Failure> {
        let path = "/apiv2/companies/getAll";
        let query = company_query("atOrBelowCompanyId", top);
        self.transport
            .read(ApiRequest::get(path, query, SizeLimit::List))
            .await
    }

    /// `GET /apiv2/companyLocations`. Returns the saved locations of `company`, or of the user's own company
    /// if that is none. Records that can't be read are listed separately.
    pub async fn company_locations(
        &self,
        company: Option<CompanyId>,
    ) -> Result<PartialList<CompanyLocation>, Failure> {
        let path = &self.compatibility.paths.company_locations;
        let query = company_query("companyId", company);
        self.transport
            .read_list(ApiRequest::get(path, query, SizeLimit::List))
            .await
    }

    /// `GET /apiv2/companies/getAvailableCarriersAccountsAndServices`
    pub async fn carriers(&self, company: CompanyId) -> Result<Vec<Carrier>, Failure> {
        let path = "/apiv2/companies/getAvailableCarriersAccountsAndServices";
        let query = company_query("companyId", Some(company));
        self.transport
            .read(ApiRequest::get(path, query, SizeLimit::List))
            .await
    }
}

fn company_query(name: &'static str, company: Option<CompanyId>) -> Vec<(&'static str, String)> {
    company
        .map(|id| (name, id.to_string()))
        .into_iter()
        .collect()
}
