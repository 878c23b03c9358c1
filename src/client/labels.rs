//! Labels: download the PDF, or print on the service's own printers.

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};
use crate::shipping::{ConsignmentId, LabelFile, LabelOrder, LabelSize, PrinterChoice};

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
        self.transport.read(Ask::get(path, query, Cap::File)).await
    }

    /// `POST /apiv2/labels/sendLabelsToPrinter`. Prints on the service's printers. A write: sent once.
    pub async fn send_labels(&self, orders: &[LabelOrder]) -> Result<(), Failure> {
        let path = "/apiv2/labels/sendLabelsToPrinter";
        self.transport
            .write_unanswered(Ask::post(path, orders, Cap::Single))
            .await
    }

    /// `POST /apiv2/labels/groupConsignmentsForPrinting`, which not every deployment has. Returns the
    /// printers that can print the labels of these consignments.
    pub async fn printers(&self, ids: &[ConsignmentId]) -> Result<PrinterChoice, Failure> {
        let path = "/apiv2/labels/groupConsignmentsForPrinting";
        self.transport.read(Ask::post(path, ids, Cap::List)).await
    }
}
