//! Groups consignments into manifests and books the manifests with their carriers.

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};
use crate::shipping::{
    CompanyForm, CompanyId, ConsignmentId, ManifestGroup, ManifestResult, Record,
};

impl Client {
    /// `POST /apiv2/manifests/groupConsignmentsForManifest`. Returns groups with default pickups.
    /// Changes nothing.
    pub async fn group(&self, ids: &[ConsignmentId]) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupConsignmentsForManifest";
        self.transport.read(Ask::post(path, ids, Cap::List)).await
    }

    /// `POST /apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest`. The body is the company id as a
    /// JSON string, or as a number if the deployment wants one. Changes nothing.
    pub async fn group_all(&self, company: CompanyId) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
        match self.dialect.company {
            CompanyForm::Text => {
                let body = company.to_string();
                self.transport.read(Ask::post(path, &body, Cap::List)).await
            }
            CompanyForm::Number => {
                let ask = Ask::post(path, &company, Cap::List);
                self.transport.read(ask).await
            }
        }
    }

    /// `POST /apiv2/manifests/manifest`. Books the groups with their carriers. A write: sent once.
    pub async fn manifest(&self, groups: &[ManifestGroup]) -> Result<Vec<ManifestResult>, Failure> {
        let path = "/apiv2/manifests/manifest";
        let ask = Ask::post(path, groups, Cap::List);
        let results: Vec<Record<_>> = self.transport.write(ask).await?;
        Ok(results.into_iter().map(|Record(result)| result).collect())
    }
}
