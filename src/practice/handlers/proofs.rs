//! Proofs of delivery: lists the proofs of one consignment, and returns the files of several.

use std::io::{Cursor, Write};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

use super::{Call, PracticeService};
use crate::proof::{self, Proof};
use crate::wire::{Answer, AttachmentsRequest, Document, Failure, Refusal, utc_text, whole_number};

/// For how many consignments one call may request files.
const MOST_CONSIGNMENTS: usize = 40;

/// Handles `consignments/getAttachments`. The consignment id is in the body, as the API
/// specifies, or in the query.
pub(crate) fn attachments(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let field = "consignmentId";
    let said = if call.body.is_empty() {
        AttachmentsRequest::default()
    } else {
        call.record()?
    };
    let asked = call.whole_number(field)?;
    let id = said.consignment_id.or(asked);
    let id = id.ok_or_else(|| Refusal::new(field, "consignmentId is required"))?;
    let tracked = desk.visible(call, field, id)?;
    let proofs = proof::all(&desk.catalogue, &tracked);
    Ok(Answer::Object(proofs.iter().map(record).collect()))
}

fn record(proof: &Proof<'_>) -> Value {
    json!({ "id": proof.id(), "fileName": proof.file_name(), "dateAdded": utc_text(proof.added()) })
}

/// Handles `attachments/getAttachmentsByConsignmentIds`: returns a single file as it is, and several files as
/// a ZIP archive.
pub(crate) fn documents(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let field = "ids";
    let mut ids: Vec<i64> = Vec::new();
    for text in call.query_texts(field) {
        let id = whole_number(&Value::from(text)).ok_or_else(|| {
            Failure::Unreadable(format!("{field} must be whole numbers, not {text}"))
        })?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if ids.is_empty() {
        return Err(Refusal::new(field, "ids are required").into());
    }
    if ids.len() > MOST_CONSIGNMENTS {
        let message =
            format!("At most {MOST_CONSIGNMENTS} consignment ids can be asked for at once");
        return Err(Refusal::new(field, message).into());
    }
    let consignments = ids.iter().map(|id| desk.visible(call, field, *id));
    let consignments: Vec<_> = consignments.collect::<Result<_, _>>()?;
    let proofs = consignments.iter();
    let proofs = proofs.flat_map(|tracked| proof::all(&desk.catalogue, tracked));
    let proofs: Vec<Proof<'_>> = proofs.collect();
    let drawn = |proof: &Proof<'_>| proof.draw(&desk.catalogue).map_err(Failure::broken);
    match proofs.as_slice() {
        [] => Err(Refusal::new(field, "No attachments were found").into()),
        [one] => Ok(Answer::Document(Document {
            file_name: one.file_name(),
            content_type: one.content_type(),
            content: drawn(one)?,
        })),
        several => {
            let files = several.iter();
            let files = files.map(|proof| Ok((proof.file_name(), drawn(proof)?)));
            let files = files.collect::<Result<_, Failure>>()?;
            Ok(Answer::Document(Document {
                file_name: "attachments.zip".to_owned(),
                content_type: "application/zip",
                content: zipped(files).map_err(Failure::broken)?,
            }))
        }
    }
}

fn zipped(files: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>, ZipError> {
    // The files are already compressed. Without dates, the same files give the same archive.
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name, options)?;
        archive.write_all(&content)?;
    }
    Ok(archive.finish()?.into_inner())
}
