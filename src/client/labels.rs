//! Label files.

use reqwest::Method;

use super::transport::{Ask, Cap};
use super::{Client, Failure};
use crate::shipping::{ConsignmentId, LabelFile, LabelSize};

impl Client {
    /// `GET /apiv2/labels/getItemPdfFileInfo`: one PDF with the labels of all items.
    pub async fn label_file(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<LabelFile, Failure> {
        let query = [
            ("consignmentId", id.to_string()),
            ("printA4", (size == LabelSize::A4).to_string()),
        ];
        let path = "/apiv2/labels/getItemPdfFileInfo";
        self.transport
            .read(Ask::<()> {
                method: &Method::GET,
                path,
                query: &query,
                body: None,
                cap: Cap::File,
            })
            .await
    }
}
