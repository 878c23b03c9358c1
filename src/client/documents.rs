//! Documents of consignments: labels, downloaded or printed by the service, and proofs of delivery.

use serde::Serialize;

use super::response::{RawResponse, SizeLimit, json};
use super::transport::{ApiRequest, query_of};
use super::{Client, Failure};
use shipping::{
    Attachment, ConsignmentId, DecodeError, Document, Envelope, LabelFile, LabelSize, read_envelope,
};

/// The number of consignments in one call, as the API recommends.
const CONSIGNMENTS_AT_ONCE: usize = 10;

impl Client {
    /// `GET /apiv2/labels/getItemPdfFileInfo`. Returns one PDF with the labels of all items.
    pub async fn label_file(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<LabelFile, Failure> {
        let mut query = query_of("consignmentId", [id]);
        query.extend(query_of("printA4", [size == LabelSize::A4]));
        let path = "/apiv2/labels/getItemPdfFileInfo";
        let call = ApiRequest::get(path, query, SizeLimit::File, self.limits.file);
        self.transport.read(&call).await
    }

    /// `POST /apiv2/consignments/getAttachments`. The id goes into the body, as the specification says, and
    /// into the query, as the documentation of live deployments says.
    pub async fn attachments(&self, id: ConsignmentId) -> Result<Vec<Attachment>, Failure> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct AttachmentsRequest {
            consignment_id: ConsignmentId,
        }
        let path = "/apiv2/consignments/getAttachments";
        let body = AttachmentsRequest { consignment_id: id };
        let call = ApiRequest::post(path, &body, SizeLimit::List, self.limits.read)?
            .with_query(query_of("consignmentId", [id]));
        self.transport.read(&call).await
    }

    /// `GET /apiv2/attachments/getAttachmentsByConsignmentIds`, ten consignments in each call. The service
    /// answers with one document as it is, or with a ZIP archive of several.
    pub async fn documents(&self, ids: &[ConsignmentId]) -> Result<Vec<Document>, Failure> {
        let path = "/apiv2/attachments/getAttachmentsByConsignmentIds";
        let (mut all, mut refused) = (Vec::new(), None);
        for ids in ids.chunks(CONSIGNMENTS_AT_ONCE) {
            let call = ApiRequest::get(
                path,
                query_of("ids", ids),
                SizeLimit::File,
                self.limits.file,
            );
            match self
                .transport
                .read_as(&call.for_any_type(), documents)
                .await
            {
                Ok(documents) => all.extend(documents),
                // Ten consignments without documents must not hide the documents of the other consignments.
                Err(failure @ (Failure::Refused(_) | Failure::Document(_))) => {
                    refused.get_or_insert(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        match refused {
            Some(failure) if all.is_empty() => Err(failure),
            _ => Ok(all),
        }
    }
}

/// Reads the documents of one answer. The type is detected from the first bytes, not from the media type.
/// JSON is either the service's refusal or files in base64.
fn documents(raw: RawResponse) -> Result<Vec<Document>, Failure> {
    let opening = raw.bytes.trim_ascii_start();
    // RTF files begin with a brace too.
    let is_json = opening.starts_with(b"{") && !opening.starts_with(b"{\\rtf");
    let start = opening.get(..5).unwrap_or_default();
    let is_page = raw.content_type.starts_with("text/html")
        || start.eq_ignore_ascii_case(b"<html")
        || start.eq_ignore_ascii_case(b"<!doc");
    if raw.status.as_u16() != 200 || is_page || is_json {
        return documents_from_envelope(&json(raw)?);
    }
    Document::from_response(raw.bytes).map_err(Failure::Document)
}

fn documents_from_envelope(body: &[u8]) -> Result<Vec<Document>, Failure> {
    let files = match read_envelope::<Vec<LabelFile>>(body).map_err(Failure::Unreadable)? {
        Envelope::Refused(errors) | Envelope::Mixed(errors) => {
            return Err(Failure::Refused(errors));
        }
        Envelope::Done(files) => files.unwrap_or_default(),
    };
    let bytes = files.into_iter().map(|file| {
        file.bytes().map_err(|_not_base64| {
            Failure::Unreadable(DecodeError {
                path: "object".to_owned(),
                kind: "not base64",
            })
        })
    });
    let bytes: Vec<_> = bytes.collect::<Result<_, _>>()?;
    Document::from_responses(bytes).map_err(Failure::Document)
}
