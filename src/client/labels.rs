//! Labels: download the PDF, or print on the service's own printers.

use super::api_request::ApiRequest;
use super::response::SizeLimit;
use super::{Client, Failure};
use shipping::{AvailablePrinters, ConsignmentId, LabelFile, LabelSize, PrintLabelsRequest};

impl Client {
    /// `GET /apiv2/labels/getItemPdfFileInfo`. Returns one PDF with the labels of all items.
    pub async fn label_file(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<LabelFile, Failure> {
        let path = "/apiv2/labels/getItemPdfFileInfo";
        let query = vec![
            ("consignmentId", id.to_string()),
            ("printA4", (size == LabelSize::A4).to_string()),
        ];
        self.transport
            .read(ApiRequest::get(path, query, SizeLimit::File))
            .await
    }

    /// `POST /apiv2/labels/sendLabelsToPrinter`. Prints on the service's printers. A write: sent once.
    pub async fn send_labels(&self, orders: &[PrintLabelsRequest]) -> Result<(), Failure> {
        let path = "/apiv2/labels/sendLabelsToPrinter";
        self.transport
            .write_without_payload(ApiRequest::post(path, orders, SizeLimit::Single))
            .await
    }

    /// `POST /apiv2/labels/groupConsignmentsForPrinting`, which not every deployment has. Returns the
    /// printers that can print the labels of these consignments.
    pub async fn printers(&self, ids: &[ConsignmentId]) -> Result<AvailablePrinters, Failure> {
        let path = "/apiv2/labels/groupConsignmentsForPrinting";
        self.transport
            .read(ApiRequest::post(path, ids, SizeLimit::List))
            .await
    }
}
