//! Consignments: create, fetch, and what changed lately.

use jiff::Timestamp;
use reqwest::Method;

use super::transport::{Ask, Cap};
use super::{Client, Failure};
use crate::shipping::{CompanyId, Consignment, ConsignmentId, ConsignmentRequest, UtcTime};

/// Rows in a page of recent updates: the interface's most.
const PAGE: usize = 200;

/// Pages read of one list: 100,000 rows.
const MOST_PAGES: usize = 500;

impl Client {
    /// `POST /apiv2/consignments/createConsignment`, or `createConsignmentwithComplexItems` where the request needs it.
    /// A write: sent once.
    pub async fn create(&self, request: &ConsignmentRequest) -> Result<Consignment, Failure> {
        let path = if request.is_complex() {
            "/apiv2/consignments/createConsignmentwithComplexItems"
        } else {
            "/apiv2/consignments/createConsignment"
        };
        self.transport
            .write(Ask {
                method: &Method::POST,
                path,
                query: &[],
                body: Some(request),
                cap: Cap::Single,
            })
            .await
    }

    /// `GET /apiv2/consignments/getConsignment`
    pub async fn consignment(&self, id: ConsignmentId) -> Result<Consignment, Failure> {
        let query = [("id", id.to_string())];
        let path = "/apiv2/consignments/getConsignment";
        self.transport
            .read(Ask::<()> {
                method: &Method::GET,
                path,
                query: &query,
                body: None,
                cap: Cap::Single,
            })
            .await
    }

    /// `GET /apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments`, every page from `since` on (10 days at most).
    pub async fn recently_updated(
        &self,
        since: Timestamp,
        company: Option<CompanyId>,
    ) -> Result<Vec<Consignment>, Failure> {
        let path = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments";
        let mut all: Vec<Consignment> = Vec::new();
        for page in 0..MOST_PAGES {
            let mut query = vec![
                ("fromDateUtc", UtcTime(since).to_string()),
                ("startIndex", (page * PAGE + 1).to_string()),
                ("retrieveSize", PAGE.to_string()),
            ];
            query.extend(company.map(|id| ("companyId", id.to_string())));
            let ask = Ask::<()> {
                method: &Method::GET,
                path,
                query: &query,
                body: None,
                cap: Cap::List,
            };
            let rows: Vec<Consignment> = self.transport.read(ask).await?;
            let last = rows.len() < PAGE;
            all.extend(rows);
            if last {
                break;
            }
        }
        // A row that changed while the pages were read may stand on two of them.
        let mut seen = std::collections::HashSet::new();
        all.retain(|consignment| seen.insert(consignment.id));
        Ok(all)
    }
}
