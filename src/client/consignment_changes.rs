//! Changes existing consignments: edit or delete unmanifested ones, and update statuses.

use super::api_request::ApiRequest;
use super::response::SizeLimit;
use super::{Client, Failure};
use shipping::{Consignment, ConsignmentId, EditForm, ObjectOnly, StatusUpdate};

impl Client {
    /// `GET /apiv2/consignments/getUnmanifestedConsignmentForEdit`
    pub async fn edit_form(&self, id: ConsignmentId) -> Result<EditForm, Failure> {
        let path = "/apiv2/consignments/getUnmanifestedConsignmentForEdit";
        let query = vec![("id", id.to_string())];
        self.transport
            .read(ApiRequest::get(path, query, SizeLimit::Single))
            .await
    }

    /// `POST /apiv2/consignments/editUnmanifestedConsignment`. Sends the whole changed form. A write:
    /// sent once.
    pub async fn edit(&self, form: &EditForm) -> Result<Consignment, Failure> {
        let path = "/apiv2/consignments/editUnmanifestedConsignment";
        let ask = ApiRequest::post(path, form, SizeLimit::Single);
        let ObjectOnly(changed) = self.transport.write(ask).await?;
        Ok(changed)
    }

    /// `POST /apiv2/consignments/deleteUnmanifestedConsignments`. A write: sent once.
    pub async fn delete(&self, ids: &[ConsignmentId]) -> Result<(), Failure> {
        let path = "/apiv2/consignments/deleteUnmanifestedConsignments";
        self.transport
            .write_without_payload(ApiRequest::post(path, ids, SizeLimit::Single))
            .await
    }

    /// `POST /apiv2/consignments/updateConsignmentStatuses`. Status 10 cancels a consignment; the carrier is
    /// not told. A write: sent once.
    pub async fn update_statuses(&self, updates: &[StatusUpdate]) -> Result<(), Failure> {
        let path = "/apiv2/consignments/updateConsignmentStatuses";
        self.transport
            .write_without_payload(ApiRequest::post(path, updates, SizeLimit::Single))
            .await
    }
}
