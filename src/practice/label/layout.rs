//! The layout of a label, from the top down: carrier and service, sender, receiver, piece, Code 128, then the
//! dangerous goods mark beside the QR code.

use printing::canvas::{Canvas, Style};

use super::{LABEL_HEIGHT, LABEL_WIDTH, LabelError, Piece, barcodes, hazard};
use crate::catalogue::{Catalogue, Place};
use crate::consignment::Party;

/// Margin around everything except the barcodes' own quiet zones: 5 mm.
const MARGIN: f32 = 40.0;
const RIGHT: f32 = LABEL_WIDTH - MARGIN;
const ROOM: f32 = LABEL_WIDTH - 2.0 * MARGIN;
const RULE: f32 = 4.0;
/// Top and bottom of the receiver's block, and the distance between the baselines of its small rows.
const ABOVE_RECEIVER: f32 = 188.0;
const BELOW_RECEIVER: f32 = 520.0;
const SMALL_PITCH: f32 = 36.0;

pub(super) fn draw(
    pen: &mut Canvas<'_, '_>,
    catalogue: &Catalogue,
    piece: &Piece<'_>,
) -> Result<(), LabelError> {
    draw_carrier_and_service(pen, catalogue, piece);
    sender(pen, &piece.consignment.job.from);
    receiver(pen, piece);
    counts(pen, catalogue, piece);
    barcodes::draw_code128(pen, piece.reference, 704.0, 144.0)?;
    let spaced = spaced(piece.reference);
    let (text, size) = pen.fonts.fitted(&spaced, Style::Mono, 34.0, 22.0, ROOM);
    pen.text_centred(LABEL_WIDTH / 2.0, 886.0, &text, Style::Mono, size);
    let content = format!("{}/{}", piece.consignment.number(), piece.reference);
    // The quiet zone may extend into the margin.
    let square = barcodes::draw_qr_code(pen, &content, LABEL_WIDTH - 8.0, 912.0)?;
    let room = LABEL_WIDTH - 8.0 - square - MARGIN;
    if piece.line.goods.is_empty() {
        goods(pen, piece, room);
    } else {
        hazard::mark(pen, &piece.line.goods, MARGIN, 914.0, room);
    }
    Ok(())
}

fn draw_carrier_and_service(pen: &mut Canvas<'_, '_>, catalogue: &Catalogue, piece: &Piece<'_>) {
    let carrier = catalogue.carrier(piece.consignment.carrier_id);
    let service = carrier.and_then(|carrier| carrier.service(piece.consignment.service_id));
    let service = service.map(|service| service.name.to_uppercase());
    let service = service.unwrap_or_default();
    let (service, size) = pen.fonts.fitted(&service, Style::Bold, 44.0, 26.0, 280.0);
    let box_width = (pen.fonts.width(&service, Style::Bold, size) + 44.0).ceil();
    let box_left = RIGHT - box_width;
    pen.frame(box_left, 40.0, box_width, 60.0, RULE);
    let (centre, baseline) = (box_left + box_width / 2.0, 70.0 + size * 0.364);
    pen.text_centred(centre, baseline, &service, Style::Bold, size);
    let name = carrier.map(|carrier| carrier.name.to_uppercase());
    let (name, room) = (name.unwrap_or_default(), box_left - MARGIN - 24.0);
    pen.text_fitted((MARGIN, 88.0), &name, Style::Bold, (50.0, 28.0), room);
    pen.fill_rect(MARGIN, 112.0, ROOM, RULE);
}

fn sender(pen: &mut Canvas<'_, '_>, from: &Party) {
    let address = [&from.name, &from.address_line1, &from.address_line2];
    let address = joined(&address, ", ");
    let text = format!("From {address}, {}", town(&from.place));
    let rows = pen.fonts.wrapped(&text, Style::Regular, 26.0, ROOM, 2);
    for (row, baseline) in rows.iter().zip([148.0, 180.0]) {
        pen.text(MARGIN, baseline, row, Style::Regular, 26.0);
    }
}

fn receiver(pen: &mut Canvas<'_, '_>, piece: &Piece<'_>) {
    let to = &piece.consignment.job.to;
    let mut rows: Vec<(String, Style, f32)> = Vec::new();
    let (name, size) = pen.fonts.fitted(&to.name, Style::Bold, 52.0, 42.0, ROOM);
    if name == to.name {
        rows.push((name, Style::Bold, size));
    } else {
        // A name that is too long for one line gets two before it is shortened.
        let names = pen.fonts.wrapped(&to.name, Style::Bold, 40.0, ROOM, 2);
        rows.extend(names.into_iter().map(|name| (name, Style::Bold, 40.0)));
    }
    let address = [&to.address_line1, &to.address_line2].into_iter();
    for line in address.filter(|line| !line.trim().is_empty()) {
        let (line, size) = pen.fonts.fitted(line, Style::Regular, 44.0, 30.0, ROOM);
        rows.push((line, Style::Regular, size));
    }
    let town = town(&to.place).to_uppercase();
    let (town, size) = pen.fonts.fitted(&town, Style::Bold, 56.0, 34.0, ROOM);
    rows.push((town, Style::Bold, size));
    let instructions = piece.consignment.job.special_instructions.as_deref();
    let small_rows = if instructions.is_some() { 2.0 } else { 1.0 };
    // The remaining room is spread between the rows.
    let room = BELOW_RECEIVER - ABOVE_RECEIVER - small_rows * SMALL_PITCH;
    let pitch = (room / rows.len() as f32).clamp(50.0, 66.0).floor();
    let mut baseline = ABOVE_RECEIVER;
    for (row, style, size) in rows {
        baseline += pitch;
        pen.text(MARGIN, baseline, &row, style, size);
    }
    let contact = joined(&[&to.contact, &to.phone], " · ");
    let instructions = instructions.unwrap_or_default();
    for (text, style) in [
        (contact.as_str(), Style::Regular),
        (instructions, Style::Bold),
    ] {
        baseline += SMALL_PITCH + 4.0;
        pen.text_fitted((MARGIN, baseline), text, style, (28.0, 22.0), ROOM);
    }
    pen.fill_rect(MARGIN, 548.0, ROOM, RULE);
}

fn counts(pen: &mut Canvas<'_, '_>, catalogue: &Catalogue, piece: &Piece<'_>) {
    let count = format!("{} / {}", piece.number, piece.of);
    pen.text_fitted((MARGIN, 644.0), &count, Style::Bold, (88.0, 40.0), 380.0);
    let consignment = piece.consignment;
    let zone = catalogue.time_zone(&consignment.job.from.place.time_zone);
    let despatch = consignment.despatch.to_zoned(zone);
    let (weight, date) = (
        piece.line.weight.normalize(),
        despatch.strftime("%-d %b %Y"),
    );
    let reference = consignment.job.customer_reference.clone();
    let rows = [
        (consignment.number(), Style::Bold, 30.0, 584.0),
        (reference.unwrap_or_default(), Style::Mono, 28.0, 619.0),
        (format!("{weight} kg · {date}"), Style::Regular, 28.0, 654.0),
    ];
    for (text, style, most, baseline) in rows {
        let (text, size) = pen.fonts.fitted(&text, style, most, 18.0, 360.0);
        pen.text_right(RIGHT, baseline, &text, style, size);
    }
    pen.fill_rect(MARGIN, 672.0, ROOM, RULE);
}

/// Describes the goods of a piece without dangerous goods.
fn goods(pen: &mut Canvas<'_, '_>, piece: &Piece<'_>, room: f32) {
    let line = piece.line;
    let mut baseline = 968.0;
    for row in pen.fonts.wrapped(&line.name, Style::Bold, 32.0, room, 2) {
        pen.text(MARGIN, baseline, &row, Style::Bold, 32.0);
        baseline += 40.0;
    }
    let size = [line.length, line.width, line.height]
        .map(|side| side.normalize().to_string())
        .join(" × ");
    let rows = [
        format!("{} · {size} cm", line.item_type),
        (line.sku.as_ref()).map_or_else(String::new, |sku| format!("SKU {sku}")),
        (piece.consignment.job.customer_reference2.clone()).unwrap_or_default(),
    ];
    for row in rows.iter().filter(|row| !row.is_empty()) {
        pen.text_fitted((MARGIN, baseline), row, Style::Regular, (28.0, 20.0), room);
        baseline += 36.0;
    }
}

/// Formats `Ballarat Central VIC 3350`, with the country if the place is overseas.
fn town(place: &Place) -> String {
    let country = if place.id == 0 { &place.country } else { "" };
    let parts = [
        place.suburb.as_str(),
        &place.state,
        &place.postcode,
        country,
    ];
    joined(&parts, " ")
}

/// Joins the parts that are not blank.
fn joined(parts: &[impl AsRef<str>], separator: &str) -> String {
    let parts = parts.iter().map(|part| part.as_ref().trim());
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(separator)
}

/// Splits a reference into its letters and groups of four digits, as people read it out.
fn spaced(reference: &str) -> String {
    let figures = reference.find(|letter: char| letter.is_ascii_digit());
    let (letters, figures) = reference.split_at(figures.unwrap_or(reference.len()));
    let groups = figures.as_bytes().chunks(4).map(String::from_utf8_lossy);
    let letters = (!letters.is_empty()).then_some(letters.into());
    letters
        .into_iter()
        .chain(groups)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Draws crop marks at the corners, for cutting the label out of a larger sheet.
pub(super) fn crop_marks(pen: &mut Canvas<'_, '_>) {
    const LENGTH: f32 = 40.0;
    const GAP: f32 = 8.0;
    for y in [0.0, LABEL_HEIGHT] {
        pen.fill_rect(-GAP - LENGTH, y, LENGTH, 1.0);
        pen.fill_rect(LABEL_WIDTH + GAP, y, LENGTH, 1.0);
    }
    for x in [0.0, LABEL_WIDTH] {
        pen.fill_rect(x, -GAP - LENGTH, 1.0, LENGTH);
        pen.fill_rect(x, LABEL_HEIGHT + GAP, 1.0, LENGTH);
    }
}
