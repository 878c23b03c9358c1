//! Companies, their saved places, and the carriers that they may use.

use reqwest::Method;

use super::transport::{Ask, Cap};
use super::{Client, Failure};
use crate::shipping::{Carrier, Company, CompanyId, CompanyLocation};

impl Client {
    /// `GET /apiv2/companies/getAll`
    pub async fn companies(&self) -> Result<Vec<Company>, Failure> {
        self.list("/apiv2/companies/getAll", &[]).await
    }

    /// `GET /apiv2/companyLocations`
    pub async fn company_locations(&self) -> Result<Vec<CompanyLocation>, Failure> {
        self.list("/apiv2/companyLocations", &[]).await
    }

    /// `GET /apiv2/companies/getAvailableCarriersAccountsAndServices`
    pub async fn carriers(&self, company: CompanyId) -> Result<Vec<Carrier>, Failure> {
        let query = [("companyId", company.to_string())];
        self.list(
            "/apiv2/companies/getAvailableCarriersAccountsAndServices",
            &query,
        )
        .await
    }

    async fn list<T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<Vec<T>, Failure> {
        self.transport
            .read(Ask::<()> {
                method: &Method::GET,
                path,
                query,
                body: None,
                cap: Cap::List,
            })
            .await
    }
}
