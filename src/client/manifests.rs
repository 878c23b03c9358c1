//! Groups consignments into manifests and books the manifests with their carriers.

use super::api_request::ApiRequest;
use super::response::SizeLimit;
use super::{Client, Failure};
use shipping::{
    CompanyId, CompanyIdFormat, ConsignmentId, ManifestGroup, ManifestResult, ObjectOnly,
};

impl Client {
    /// `POST /apiv2/manifests/groupConsignmentsForManifest`. Returns groups with default pickups.
    /// Changes nothing.
    pub async fn group(&self, ids: &[ConsignmentId]) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupConsignmentsForManifest";
        self.transport
            .read(ApiRequest::post(path, ids, SizeLimit::List))
            .await
    }

    /// `POST /apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest`. The body is the company id as a
    /// JSON string, or as a number if the deployment wants one. Changes nothing.
    pub async fn group_all(&self, company: CompanyId) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
        match self.compatibility.company {
            CompanyIdFormat::Text => {
                let body = company.to_string();
                self.transport
                    .read(ApiRequest::post(path, &body, SizeLimit::List))
                    .await
            }
            CompanyIdFormat::Number => {
                let ask = ApiRequest::post(path, &company, SizeLimit::List);
                self.transport.read(ask).await
            }
        }
    }

    /// `POST /apiv2/manifests/manifest`. Books the groups with their carriers. A write: sent once.
    pub async fn manifest(&self, groups: &[ManifestGroup]) -> Result<Vec<ManifestResult>, Failure> {
        let path = "/apiv2/manifests/manifest";
        let ask = ApiRequest::post(path, groups, SizeLimit::List);
        let results: Vec<ObjectOnly<_>> = self.transport.write(ask).await?;
        Ok(results
            .into_iter()
            .map(|ObjectOnly(result)| result)
            .collect())
    }
}
