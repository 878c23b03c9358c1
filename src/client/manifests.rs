//! Grouping and booking ("Operation rules", 5).

use reqwest::Method;

use super::transport::{Ask, Cap};
use super::{Client, Failure};
use crate::shipping::{CompanyId, ConsignmentId, ManifestGroup, ManifestResult};

impl Client {
    /// `POST /apiv2/manifests/groupConsignmentsForManifest`: groups with default pickups. Changes nothing.
    pub async fn group(&self, ids: &[ConsignmentId]) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupConsignmentsForManifest";
        self.transport
            .read(Ask {
                method: &Method::POST,
                path,
                query: &[],
                body: Some(ids),
                cap: Cap::List,
            })
            .await
    }

    /// `POST /apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest`: a JSON string holds the company id. Changes
    /// nothing.
    pub async fn group_all(&self, company: CompanyId) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
        let body = company.to_string();
        self.transport
            .read(Ask {
                method: &Method::POST,
                path,
                query: &[],
                body: Some(&body),
                cap: Cap::List,
            })
            .await
    }

    /// `POST /apiv2/manifests/manifest`: books the groups with their carriers. A write: sent once.
    pub async fn manifest(&self, groups: &[ManifestGroup]) -> Result<Vec<ManifestResult>, Failure> {
        let path = "/apiv2/manifests/manifest";
        self.transport
            .write(Ask {
                method: &Method::POST,
                path,
                query: &[],
                body: Some(groups),
                cap: Cap::List,
            })
            .await
    }
}
