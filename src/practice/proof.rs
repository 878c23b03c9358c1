//! Proofs of delivery, which a carrier brings back with a completed consignment: lists the proofs of one consignment,
//! and returns the files of several.
//!
//! There is always a page with the receiver's signature, drawn on request from the consignment and its history, and
//! always identical to the byte. From some carriers there is also a photo, which is the same for all consignments. A
//! consignment that a user completed by hand has no proof, because no carrier was involved.

use std::io::{Cursor, Write};

use fastrand::Rng;
use printing::canvas::{Canvas, CanvasError, Curve, Drawing, PageSize, Point, Style};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::catalogue::time_zone;
use super::consignment::{Consignment, ConsignmentRecord, Line, StatusEvent};
use super::handlers::Call;
use super::label::{POINTS_PER_DOT, joined};
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

/// One file that is available.
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

/// Handles `attachments/getAttachmentsByConsignmentIds`. A single file is sent as it is, and several as a ZIP archive.
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

    /// Draws an A4 sheet with the goods, the place and time of delivery, and who signed.
    fn signature_page(&self) -> Result<Vec<u8>, CanvasError> {
        let title = format!("{} proof of delivery", self.consignment.number());
        let mut drawing = Drawing::new(&title)?;
        drawing.page(PAGE, |pen| {
            let below = self.draw_facts(pen);
            let below = draw_pieces(pen, &self.consignment.job.lines, below);
            self.draw_signature(pen, below);
        })?;
        Ok(drawing.finish()?.pdf)
    }

    fn draw_facts(&self, pen: &mut Canvas<'_, '_>) -> f32 {
        let job = &self.consignment.job;
        let (to, place) = (&job.to, &job.to.place);
        let carrier = self.consignment.carrier();
        let delivered = self.completion.at.to_zoned(time_zone(&place.time_zone));
        let town = format!("{} {} {}", place.suburb, place.state, place.postcode);
        let reference = job.customer_reference.clone();
        let status = self.completion.carrier_words.clone();
        pen.text(0.0, 50.0, "Proof of delivery", Style::Bold, 64.0);
        pen.text_right(ROOM, 50.0, "PRACTICE", Style::Bold, 44.0);
        pen.fill_rect(0.0, 84.0, ROOM, 4.0);
        let carrier_number = self.consignment.carrier_consignment_id.clone();
        let facts = [
            (
                "Carrier",
                carrier.map_or_else(String::new, |carrier| carrier.name.clone()),
            ),
            ("Consignment", self.consignment.number()),
            ("Carrier consignment", carrier_number),
            ("Reference", reference.unwrap_or_default()),
            ("Sender", job.from.name.clone()),
            ("Delivered to", to.name.clone()),
            ("", joined(&[&to.address_line1, &to.address_line2], ", ")),
            ("", town),
            (
                "Delivered",
                delivered.strftime("%-d %B %Y, %H:%M").to_string(),
            ),
            ("Status", status.unwrap_or_default()),
        ];
        let mut baseline = 160.0;
        for (name, value) in facts.iter().filter(|(_, value)| !value.trim().is_empty()) {
            pen.text(0.0, baseline, name, Style::Regular, 32.0);
            let (place, room) = ((VALUES, baseline), ROOM - VALUES);
            pen.text_fitted(place, value, Style::Bold, (32.0, 24.0), room);
            baseline += PITCH;
        }
        baseline
    }

    fn draw_signature(&self, pen: &mut Canvas<'_, '_>, top: f32) {
        pen.frame(0.0, top, ROOM, 320.0, 3.0);
        let start = (120.0, top + 190.0);
        pen.stroke(start, &handwriting(self.consignment.id, start), 5.0);
        let signed = self.completion.information.as_deref().unwrap_or("Signed");
        let (place, room) = ((40.0, top + 290.0), ROOM - 80.0);
        pen.text_fitted(place, signed, Style::Regular, (32.0, 24.0), room);
        let note = "Made by the practice service: nothing was delivered and nobody signed";
        pen.text(0.0, top + 380.0, note, Style::Regular, 26.0);
    }
}

/// A4 with a margin of 15 mm.
const PAGE: PageSize = PageSize {
    points: (595.28, 841.89),
    unit: POINTS_PER_DOT,
    origin: (120.0, 120.0),
};
/// The width between the margins, in dots.
const ROOM: f32 = 1440.0;
/// The left edge of the values, beside their names.
const VALUES: f32 = 380.0;
const PITCH: f32 = 52.0;
/// The maximum number of item lines that are listed; the pieces of further lines are only counted.
const LINES: usize = 10;

fn draw_pieces(pen: &mut Canvas<'_, '_>, lines: &[Line], top: f32) -> f32 {
    let mut baseline = top + 40.0;
    pen.text(0.0, baseline, "Pieces", Style::Bold, 36.0);
    pen.fill_rect(0.0, baseline + 16.0, ROOM, 2.0);
    baseline += 68.0;
    let listed = lines.iter().take(LINES);
    let listed =
        listed.map(|line| format!("{} × {}, {}", line.quantity, line.item_type, line.name));
    let quantities = lines.iter().map(|line| line.quantity);
    let rest: i64 = quantities.clone().skip(LINES).sum();
    let rest = (rest > 0).then(|| format!("and {rest} more"));
    for text in listed.chain(rest) {
        pen.text_fitted((0.0, baseline), &text, Style::Regular, (32.0, 24.0), ROOM);
        baseline += PITCH;
    }
    let all: i64 = quantities.sum();
    pen.text(0.0, baseline, &format!("{all} in all"), Style::Bold, 32.0);
    baseline + PITCH
}

/// Draws curves that look like a signature. They differ between consignments and are always the same for one.
fn handwriting(seed: i64, (mut x, y): Point) -> Vec<Curve> {
    let mut hand = Rng::with_seed(seed.unsigned_abs());
    let mut curves = Vec::new();
    for _ in 0..hand.usize(7..12) {
        let mut near = |spread: f32| (hand.f32() - 0.5) * spread;
        let step = 55.0 + near(40.0);
        let rise = 70.0 + near(90.0);
        curves.push([
            (x + near(30.0), y - rise),
            (x + step + near(30.0), y - rise),
            (x + step * 0.7, y + near(60.0)),
        ]);
        x += step * 0.7;
    }
    curves.push([
        (x + 120.0, y + 30.0),
        (x + 240.0, y + 10.0),
        (x + 330.0, y - 20.0),
    ]);
    curves
}
