//! Proofs of delivery, which a carrier brings back with a completed consignment: lists the proofs of one consignment,
//! and returns the files of several.
//!
//! Every carrier brings a page that says who signed. The page is made on request from the consignment and its
//! history, and its bytes are always the same. Some carriers also bring a photo, which is the same for all
//! consignments. A consignment that a user completed by hand has no proof, because no carrier was involved.

use std::io::{Cursor, Write};

use printing::canvas::CanvasError;
use printing::document::{self, ColumnKind, DocumentContent, Table};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::catalogue::time_zone;
use super::consignment::{Consignment, ConsignmentRecord, Line, StatusEvent};
use super::handlers::Call;
use super::label::joined;
use super::wire::{Answer, AttachmentsRequest, Failure, Refusal, Reply, utc_text, whole_number};

/// For how many consignments one call may request files.
const MOST_CONSIGNMENTS: usize = 40;
/// The id of an attachment is its consignment's id times this, plus the number of the kind.
const IDS_EACH: i64 = 10;
/// The driver's photo: pieces in front of a door, with a plate that says that this is practice.
const PHOTO: &[u8] = include_bytes!("../../assets/practice/delivery-photo.jpg");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Signature = 1,
    Photo = 2,
}

/// One file that proves the delivery of a consignment.
#[derive(Debug)]
pub(crate) struct Proof<'a> {
    consignment: &'a Consignment,
    /// The event that completed the consignment.
    completion: &'a StatusEvent,
    kind: Kind,
}

/// Returns all proofs of a consignment, signature first.
pub(crate) fn all(record: &ConsignmentRecord) -> Vec<Proof<'_>> {
    let by_carrier = |event: &&StatusEvent| event.carrier_status.is_some();
    let Some(completion) = record.completion().filter(by_carrier) else {
        return Vec::new();
    };
    let consignment = &record.consignment;
    let takes_photos = consignment
        .carrier()
        .is_some_and(|carrier| carrier.tracking.photo);
    let kinds = [Some(Kind::Signature), takes_photos.then_some(Kind::Photo)];
    let proof = |kind| Proof {
        consignment,
        completion,
        kind,
    };
    kinds.into_iter().flatten().map(proof).collect()
}

/// Handles `consignments/getAttachments`. The consignment id is in the body, as the API
/// specifies, or in the query.
pub(crate) fn attachments(call: &Call<'_>) -> Reply {
    let field = "consignmentId";
    let said = if call.body.is_empty() {
        AttachmentsRequest::default()
    } else {
        call.record()?
    };
    let asked = call.whole_number(field)?;
    let id = said.consignment_id.or(asked);
    let id = id.ok_or_else(|| Refusal::new(field, "consignmentId is required"))?;
    let record = call.visible(field, id)?;
    let proofs = all(&record);
    let proofs = proofs.iter().map(|proof| {
        json!({
            "id": proof.consignment.id * IDS_EACH + proof.kind as i64, "fileName": proof.file_name(),
            "dateAdded": utc_text(proof.completion.at),
        })
    });
    Ok(proofs.collect::<Value>().into())
}

/// Handles `attachments/getAttachmentsByConsignmentIds`. A single file is sent as it is, and several as
/// a ZIP archive.
pub(crate) fn documents(call: &Call<'_>) -> Reply {
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
    let records = call.all_visible(field, &ids)?;
    let proofs: Vec<Proof<'_>> = records.iter().flat_map(all).collect();
    let (file_name, content_type, content) = match proofs.as_slice() {
        [] => return Err(Refusal::new(field, "No attachments were found").into()),
        [one] => {
            let content_type = match one.kind {
                Kind::Signature => "application/pdf",
                Kind::Photo => "image/jpeg",
            };
            (one.file_name(), content_type, one.content()?)
        }
        several => (
            "attachments.zip".to_owned(),
            "application/zip",
            zipped(several)?,
        ),
    };
    Ok(Answer::Document {
        file_name,
        content_type,
        content,
    })
}

fn zipped(proofs: &[Proof<'_>]) -> Result<Vec<u8>, Failure> {
    // The files are already compressed. Without dates, the same files give the same archive.
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for proof in proofs {
        let started = archive.start_file(proof.file_name(), options);
        started.map_err(Failure::broken)?;
        archive
            .write_all(&proof.content()?)
            .map_err(Failure::broken)?;
    }
    let finished = archive.finish().map_err(Failure::broken)?;
    Ok(finished.into_inner())
}

impl Proof<'_> {
    fn file_name(&self) -> String {
        let number = self.consignment.number();
        match self.kind {
            Kind::Signature => format!("{number}-POD.pdf"),
            Kind::Photo => format!("{number}-photo.jpg"),
        }
    }

    fn content(&self) -> Result<Vec<u8>, Failure> {
        match self.kind {
            Kind::Signature => self.signature_page().map_err(Failure::broken),
            Kind::Photo => Ok(PHOTO.to_vec()),
        }
    }

    /// Lays out an A4 sheet with the goods, the place and time of delivery, and who signed.
    fn signature_page(&self) -> Result<Vec<u8>, CanvasError> {
        let job = &self.consignment.job;
        let (to, place) = (&job.to, &job.to.place);
        let carrier = self.consignment.carrier();
        let delivered = self.completion.at.to_zoned(time_zone(&place.time_zone));
        let town = format!("{} {} {}", place.suburb, place.state, place.postcode);
        let address = [&to.address_line1, &to.address_line2, &town];
        let facts = [
            ("Carrier", carrier.map(|carrier| carrier.name.clone())),
            ("Consignment", Some(self.consignment.number())),
            (
                "Carrier consignment",
                Some(self.consignment.carrier_consignment_id.clone()),
            ),
            ("Reference", job.customer_reference.clone()),
            ("Sender", Some(job.from.name.clone())),
            ("Delivered to", Some(to.name.clone())),
            ("Address", Some(joined(&address, ", "))),
            (
                "Delivered",
                Some(delivered.strftime("%-d %B %Y, %H:%M").to_string()),
            ),
            ("Status", self.completion.carrier_words.clone()),
        ];
        let facts = facts.into_iter();
        let goods = Table::of(
            &job.lines,
            &[
                ("Pieces", 1.0, ColumnKind::Figures, &|line: &Line| {
                    line.quantity.to_string()
                }),
                ("Type", 2.0, ColumnKind::Words, &|line| {
                    line.item_type.clone()
                }),
                ("Goods", 6.0, ColumnKind::Words, &|line| line.name.clone()),
            ],
        );
        let page = document::pdf(&DocumentContent {
            title: "Proof of delivery".to_owned(),
            reference: self.consignment.number(),
            stamp: "PRACTICE".to_owned(),
            facts: facts
                .filter_map(|(name, value)| Some((name, value?)))
                .collect(),
            tables: vec![goods],
            signatures: vec![
                { self.completion.information.clone() }.unwrap_or_else(|| "Signed".to_owned()),
            ],
            foot: "Made by the practice service: nothing was delivered and nobody signed"
                .to_owned(),
            ..DocumentContent::default()
        })?;
        Ok(page.pdf)
    }
}
