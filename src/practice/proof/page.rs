//! The signature page: an A4 sheet with the goods, the place and time of delivery, and who signed.

use fastrand::Rng;
use printing::canvas::{Canvas, Curve, Drawing, PageSize, Point, Style};

use super::{Proof, ProofError};
use crate::catalogue::Catalogue;
use crate::consignment::Line;
use crate::label::POINTS_PER_DOT;

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

pub(super) fn draw(catalogue: &Catalogue, proof: &Proof<'_>) -> Result<Vec<u8>, ProofError> {
    let consignment = &proof.tracked.consignment;
    let title = format!("{} proof of delivery", consignment.number());
    let mut drawing = Drawing::new(&title)?;
    drawing.page(PAGE, |pen| {
        let below = facts(pen, catalogue, proof);
        let below = pieces(pen, &consignment.job.lines, below);
        signature(pen, proof, below);
    })?;
    Ok(drawing.finish()?.pdf)
}

fn facts(pen: &mut Canvas<'_, '_>, catalogue: &Catalogue, proof: &Proof<'_>) -> f32 {
    let consignment = &proof.tracked.consignment;
    let to = &consignment.job.to;
    let carrier = catalogue.carrier(consignment.carrier_id);
    let carrier = carrier.map_or("", |carrier| carrier.name.as_str());
    pen.text(0.0, 50.0, "Proof of delivery", Style::Bold, 64.0);
    pen.text_right(ROOM, 50.0, "PRACTICE", Style::Bold, 44.0);
    pen.fill_rect(0.0, 84.0, ROOM, 4.0);
    let street = [to.address_line1.as_str(), &to.address_line2];
    let street: Vec<&str> = street.into_iter().filter(|line| !line.is_empty()).collect();
    let place = [
        to.place.suburb.as_str(),
        &to.place.state,
        &to.place.postcode,
    ];
    let reference = consignment.job.customer_reference.clone();
    let status = proof.completion.carrier_words.clone();
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
        ("", street.join(", ")),
        ("", place.join(" ")),
        ("Delivered", proof.local_time(catalogue)),
        ("Status", status.unwrap_or_default()),
    ] {
        if value.trim().is_empty() {
            continue;
        }
        pen.text(0.0, baseline, name, Style::Regular, 32.0);
        let (place, room) = ((VALUES, baseline), ROOM - VALUES);
        pen.text_fitted(place, &value, Style::Bold, (32.0, 24.0), room);
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
        pen.text_fitted((0.0, baseline), &text, Style::Regular, (32.0, 24.0), ROOM);
        baseline += PITCH;
    }
    let rest: i64 = lines.iter().skip(LINES).map(|line| line.quantity).sum();
    if rest > 0 {
        let more = format!("and {rest} more");
        pen.text(0.0, baseline, &more, Style::Regular, 32.0);
        baseline += PITCH;
    }
    let all: i64 = lines.iter().map(|line| line.quantity).sum();
    pen.text(0.0, baseline, &format!("{all} in all"), Style::Bold, 32.0);
    baseline + PITCH
}

fn signature(pen: &mut Canvas<'_, '_>, proof: &Proof<'_>, top: f32) {
    pen.frame(0.0, top, ROOM, 320.0, 3.0);
    let start = (120.0, top + 190.0);
    let curves = handwriting(proof.tracked.consignment.id, start);
    pen.stroke(start, &curves, 5.0);
    let signed = proof.completion.information.as_deref().unwrap_or("Signed");
    let (place, room) = ((40.0, top + 290.0), ROOM - 80.0);
    pen.text_fitted(place, signed, Style::Regular, (32.0, 24.0), room);
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
