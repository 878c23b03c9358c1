//! Reference data: companies, their saved locations, the carriers that they may use, and UN numbers.

use super::response::SizeLimit;
use super::transport::ApiRequest;
use super::{Client, Failure};
use shipping::{
    Carrier, Company, CompanyId, CompanyLocation, PartialList, UnLookupEntry, UnNumber,
};

impl Client {
    /// `GET /apiv2/companies/getAll`. Returns the companies at or below `top`, or at or below the user's own
    /// company if `top` is none.
    pub async fn companies(&self, top: Option<CompanyId>) -> Result<Vec<Company>, Failure> {
        let query = company_query("atOrBelowCompanyId", top);
        self.get("/apiv2/companies/getAll", query, SizeLimit::List)
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
        let ask = ApiRequest::get(path, query, SizeLimit::List);
        self.transport.read_list(ask, || ()).await
    }

    /// `GET /apiv2/companies/getAvailableCarriersAccountsAndServices`
    pub async fn carriers(&self, company: CompanyId) -> Result<Vec<Carrier>, Failure> {
        let path = "/apiv2/companies/getAvailableCarriersAccountsAndServices";
        let query = company_query("companyId", Some(company));
        self.get(path, query, SizeLimit::List).await
    }

    /// `GET /api/DangerousGoods/GetUnNumberInformation`, the only operation that belongs to the older API.
    /// Returns an entry for each packing group of each number.
    pub async fn un_numbers(&self, numbers: &[UnNumber]) -> Result<Vec<UnLookupEntry>, Failure> {
        let path = &self.compatibility.paths.un_numbers;
        let query = numbers
            .iter()
            .map(|number| ("unNumbers", number.to_string()));
        self.get(path, query.collect(), SizeLimit::List).await
    }
}

pub(super) fn company_query(
    name: &'static str,
    company: Option<CompanyId>,
) -> Vec<(&'static str, String)> {
    { company.into_iter() }
        .map(|id| (name, id.to_string()))
        .collect()
}
