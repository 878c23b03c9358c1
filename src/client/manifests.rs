//! Groups consignments into manifests and books the manifests with their carriers.

use serde_json::Value;

use super::response::SizeLimit;
use super::transport::ApiRequest;
use super::{Client, Failure, calls};
use shipping::{
    CompanyId, CompanyIdFormat, ConsignmentId, ManifestGroup, ManifestResult, ObjectOnly,
};

calls! {
    /// Returns groups with default pickups. Changes nothing.
    group(ids: &[ConsignmentId]) -> Vec<ManifestGroup> = post_for_list "/apiv2/manifests/groupConsignmentsForManifest";
}

impl Client {
    /// `POST /apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest`. The body is the company id as a
    /// JSON string, or as a number if the deployment wants one. Changes nothing.
    pub async fn group_all(&self, company: CompanyId) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
        let body = match self.compatibility.company {
            CompanyIdFormat::Text => Value::from(company.to_string()),
            CompanyIdFormat::Number => Value::from(company.get()),
        };
        self.post_for_list(path, &body).await
    }

    /// `POST /apiv2/manifests/manifest`. Books the groups with their carriers. Never retried, because it
    /// changes data.
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
