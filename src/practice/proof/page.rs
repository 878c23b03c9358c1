//! The signature page: an A4 sheet with the goods, the place and time of delivery, and who signed.

use fastrand::Rng;
use krilla::Document;
use krilla::metadata::Metadata;

use super::{ProofError, local_time};
use crate::canvas::{self, Canvas, Curve, Fonts, Point, Style};
use crate::catalogue::Catalogue;
use crate::consignment::Line;
use crate::status::{ConsignmentRecord, StatusEvent};

/// The size of A4 in points, and the margin of 15 mm in dots.
const A4: (f32, f32) = (595.28, 841.89);
const MARGIN: (f32, f32) = (120.0, 120.0);
/// The width between the margins, in dots.
const ROOM: f32 = 1440.0;
/// The left edge of the values, beside their names.
const VALUES: f32 = 380.0;
const PITCH: f32 = 52.0;
/// The maximum number of item lines that are listed; the pieces of the others are only counted.
const LINES: usize = 10;

pub(super) fn draw(
    catalogue: &Catalogue,
    tracked: &ConsignmentRecord,
    completion: &StatusEvent,
) -> Result<Vec<u8>, ProofError> {
    let fonts = Fonts::load()?;
    let mut document = Document::new();
    let title = format!("{} proof of delivery", tracked.consignment.number());
    document.set_metadata(
        Metadata::new()
            .title(title)
            .creator("Packbench practice service".to_owned()),
    );
    canvas::draw_page(&mut document, &fonts, A4, MARGIN, |pen| {
        let below = facts(pen, catalogue, tracked, completion);
        let below = pieces(pen, &tracked.consignment.job.lines, below);
        signature(pen, tracked, completion, below);
    })?;
    document
        .finish()
        .map_err(|error| ProofError::Pdf(format!("{error:?}")))
}

fn facts(
    pen: &mut Canvas<'_, '_>,
    catalogue: &Catalogue,
    tracked: &ConsignmentRecord,
    completion: &StatusEvent,
) -> f32 {
    let consignment = &tracked.consignment;
    let to = &consignment.job.to;
    let carrier = catalogue.carrier(consignment.carrier_id);
    let carrier = carrier.map_or("", |carrier| carrier.name.as_str());
    pen.text(0.0, 50.0, "Proof of delivery", Style::Bold, 64.0);
    pen.text_right(ROOM, 50.0, "PRACTICE", Style::Bold, 44.0);
    pen.fill_rect(0.0, 84.0, ROOM, 4.0);
    let street = [&to.address_line1, &to.address_line2]
        .into_iter()
        .filter(|line| !line.is_empty())
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    let place = [&to.place.suburb, &to.place.state, &to.place.postcode];
    let place: Vec<&str> = place.into_iter().map(String::as_str).collect();
    let reference = consignment.job.customer_reference.clone();
    let mut baseline = 160.0;
    for (name, value) in [
        ("Carrier", carrier.to_owned()),
        ("Consignment", consignment.number()),
        (
            "Carrier consignment",
            consignment.carrier_consignment_id.clone(),
        ),
        ("Reference", reference.unwrap_or_default()),
        ("Sender", consignment.job.from.name.clone()),
        ("Delivered to", to.name.clone()),
        ("", street),
        ("", place.join(" ")),
        ("Delivered", local_time(catalogue, tracked, completion)),
        (
            "Status",
            completion.carrier_words.clone().unwrap_or_default(),
        ),
    ] {
        if value.trim().is_empty() {
            continue;
        }
        pen.text(0.0, baseline, name, Style::Regular, 32.0);
        let (value, size) = pen.fitted(&value, Style::Bold, 32.0, 24.0, ROOM - VALUES);
        pen.text(VALUES, baseline, &value, Style::Bold, size);
        baseline += PITCH;
    }
    baseline
}

fn pieces(pen: &mut Canvas<'_, '_>, lines: &[Line], top: f32) -> f32 {
    let mut baseline = top + 40.0;
    pen.text(0.0, baseline, "Pieces", Style::Bold, 36.0);
    pen.fill_rect(0.0, baseline + 16.0, ROOM, 2.0);
    baseline += 68.0;
    for line in lines.iter().take(LINES) {
        let text = format!("{} × {}, {}", line.quantity, line.item_type, line.name);
        let (text, size) = pen.fitted(&text, Style::Regular, 32.0, 24.0, ROOM);
        pen.text(0.0, baseline, &text, Style::Regular, size);
        baseline += PITCH;
    }
    let rest: i64 = lines.iter().skip(LINES).map(|line| line.quantity).sum();
    if rest > 0 {
        pen.text(
            0.0,
            baseline,
            &format!("and {rest} more"),
            Style::Regular,
            32.0,
        );
        baseline += PITCH;
    }
    let all: i64 = lines.iter().map(|line| line.quantity).sum();
    pen.text(0.0, baseline, &format!("{all} in all"), Style::Bold, 32.0);
    baseline + PITCH
}

fn signature(
    pen: &mut Canvas<'_, '_>,
    tracked: &ConsignmentRecord,
    completion: &StatusEvent,
    top: f32,
) {
    pen.frame(0.0, top, ROOM, 320.0, 3.0);
    let start = (120.0, top + 190.0);
    let curves = handwriting(tracked.consignment.id, start);
    pen.stroke(start, &curves, 5.0);
    let signed = completion.information.as_deref().unwrap_or("Signed");
    let (signed, size) = pen.fitted(signed, Style::Regular, 32.0, 24.0, ROOM - 80.0);
    pen.text(40.0, top + 290.0, &signed, Style::Regular, size);
    let note = "Made by the practice service: nothing was delivered and nobody signed";
    pen.text(0.0, top + 380.0, note, Style::Regular, 26.0);
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
