//! Label files: PDFs with one page for each piece.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::{Call, PracticeService};
use crate::label::{self, Paper};
use crate::wire::{Answer, Failure, Refusal};

/// Handles `labels/getItemPdfFileInfo`.
pub(crate) fn item_labels(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let field = "consignmentId";
    let id = call
        .whole_number(field)?
        .ok_or_else(|| Refusal::new(field, "consignmentId is required"))?;
    let tracked = desk.visible(call, field, id)?;
    let paper = if call.query_flag("printA4")? {
        Paper::A4
    } else {
        Paper::A6
    };
    let pdf = label::pdf(&desk.catalogue, &tracked.consignment, paper)
        .map_err(|error| Failure::Broken(error.to_string()))?;
    Ok(Answer::Object(json!({
        "fileName": format!("{}-{}.pdf", tracked.consignment.number(), paper.name()),
        "contentType": "application/pdf",
        "content": STANDARD.encode(pdf),
    })))
}
