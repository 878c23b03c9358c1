//! Item labels: a vector PDF with one page for each piece, in A6 or with the same label on A4.
//!
//! The unit of the layout is a dot of an eighth of a millimetre, the dot of a 203 dpi thermal print head.
//! Every bar, module and rule lies on that grid, so at 8 dots/mm no edge falls between two dots. Text is
//! measured before it is drawn, and is made smaller, wrapped or shortened if it does not fit.

use printing::canvas::{Canvas, CanvasError, Drawing, PageSize, Point, Rectangle, Style};
use rxing::{BarcodeFormat, MultiFormatWriter, Writer, common::BitMatrix};

use super::catalogue::{Place, catalogue, time_zone};
use super::consignment::{Consignment, DangerousGood, Line, Party};

/// PDF points in a dot: an inch has 72 points and 203.2 dots.
const POINTS_PER_DOT: f32 = 72.0 / 203.2;

/// The size of A6 in dots.
const LABEL_WIDTH: f32 = 840.0;
const LABEL_HEIGHT: f32 = 1184.0;

pub(crate) struct Paper {
    pub(crate) name: &'static str,
    /// Width and height in points: a hundredth of a point above the exact size, because some renderers round down to
    /// whole dots and would lose the last dot.
    points: (f32, f32),
    /// The distance in dots of the label's top left corner from both edges of the page.
    margin: f32,
}

impl Paper {
    pub(crate) const A6: Self = Self {
        name: "A6",
        points: (297.64, 419.53),
        margin: 0.0,
    };
    pub(crate) const A4: Self = Self {
        name: "A4",
        points: (595.28, 841.9),
        margin: 80.0,
    };
}

/// The reason why a label cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LabelError {
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    #[error("{text} cannot be written as a code: {source}")]
    Code {
        text: String,
        source: rxing::Exceptions,
    },
}

/// One piece of a consignment.
struct Piece<'a> {
    consignment: &'a Consignment,
    line: &'a Line,
    reference: &'a str,
    /// The number of the piece within the whole consignment, from 1.
    number: i64,
    of: i64,
}

/// Draws the labels of all pieces, in the order of the items.
pub(crate) fn pdf(consignment: &Consignment, paper: &Paper) -> Result<Vec<u8>, LabelError> {
    let mut drawing = Drawing::new(&format!("{} item labels", consignment.number()))?;
    let page = PageSize {
        points: paper.points,
        unit: POINTS_PER_DOT,
        origin: (paper.margin, paper.margin),
    };
    for piece in pieces(consignment) {
        drawing.page(page, |pen| {
            draw(pen, &piece)?;
            if paper.margin > 0.0 {
                crop_marks(pen);
            }
            Ok::<_, LabelError>(())
        })??;
    }
    Ok(drawing.finish()?.pdf)
}

fn pieces(consignment: &Consignment) -> impl Iterator<Item = Piece<'_>> {
    let of = consignment.job.pieces();
    let lines = consignment.job.lines.iter();
    let lines = lines.flat_map(|line| line.references.iter().map(move |text| (line, text)));
    lines
        .zip(1..)
        .map(move |((line, reference), number)| Piece {
            consignment,
            line,
            reference,
            number,
            of,
        })
}

/// Margin around everything except the barcodes' own quiet zones: 5 mm.
const MARGIN: f32 = 40.0;
const RIGHT: f32 = LABEL_WIDTH - MARGIN;
const ROOM: f32 = LABEL_WIDTH - 2.0 * MARGIN;
const RULE: f32 = 4.0;
/// Top and bottom of the receiver's block, and the distance between the baselines of its small rows.
const ABOVE_RECEIVER: f32 = 188.0;
const BELOW_RECEIVER: f32 = 520.0;
const SMALL_PITCH: f32 = 36.0;

/// Draws a label from the top down: carrier and service, sender, receiver, piece, Code 128, then the dangerous goods
/// mark beside the QR code.
fn draw(pen: &mut Canvas<'_, '_>, piece: &Piece<'_>) -> Result<(), LabelError> {
    draw_carrier_and_service(pen, piece.consignment);
    sender(pen, &piece.consignment.job.from);
    receiver(pen, piece);
    counts(pen, piece);
    for rule in [112.0, 548.0, 672.0] {
        pen.fill_rect(MARGIN, rule, ROOM, RULE);
    }
    draw_code128(pen, piece.reference, 704.0, 144.0)?;
    let spaced = spaced(piece.reference);
    let (text, size) = pen.fonts.fitted(&spaced, Style::Mono, 34.0, 22.0, ROOM);
    pen.text_centred(LABEL_WIDTH / 2.0, 886.0, &text, Style::Mono, size);
    let content = format!("{}/{}", piece.consignment.number(), piece.reference);
    // The quiet zone may extend into the margin.
    let square = draw_qr_code(pen, &content, LABEL_WIDTH - 8.0, 912.0)?;
    let room = LABEL_WIDTH - 8.0 - square - MARGIN;
    if piece.line.goods.is_empty() {
        goods(pen, piece, room);
    } else {
        hazard_mark(pen, &piece.line.goods, room);
    }
    Ok(())
}

fn draw_carrier_and_service(pen: &mut Canvas<'_, '_>, consignment: &Consignment) {
    let service = consignment.service().map(|service| service.name.as_str());
    let service = service.unwrap_or_default().to_uppercase();
    let (service, size) = pen.fonts.fitted(&service, Style::Bold, 44.0, 26.0, 280.0);
    let box_width = (pen.fonts.width(&service, Style::Bold, size) + 44.0).ceil();
    let box_left = RIGHT - box_width;
    pen.frame(box_left, 40.0, box_width, 60.0, RULE);
    let (centre, baseline) = (box_left + box_width / 2.0, 70.0 + size * HALF_DIGIT);
    pen.text_centred(centre, baseline, &service, Style::Bold, size);
    let name = consignment.carrier().map(|carrier| carrier.name.as_str());
    let (name, room) = (name.unwrap_or_default(), box_left - MARGIN - 24.0);
    let place = (MARGIN, 88.0);
    pen.text_fitted(place, &name.to_uppercase(), Style::Bold, (50.0, 28.0), room);
}

fn sender(pen: &mut Canvas<'_, '_>, from: &Party) {
    let address = [&from.name, &from.address_line1, &from.address_line2];
    let address = joined(&address, ", ");
    let text = format!("From {address}, {}", town(&from.place));
    paragraph(
        pen,
        (MARGIN, 148.0),
        &text,
        Style::Regular,
        (26.0, 32.0),
        ROOM,
        2,
    );
}

fn receiver(pen: &mut Canvas<'_, '_>, piece: &Piece<'_>) {
    let job = &piece.consignment.job;
    let to = &job.to;
    // A name that is too long for one line gets two lines before it is shortened.
    let (name, _) = pen.fonts.fitted(&to.name, Style::Bold, 52.0, 42.0, ROOM);
    let (names, sizes) = if name == to.name {
        (vec![name], (52.0, 42.0))
    } else {
        let names = pen.fonts.wrapped(&to.name, Style::Bold, 40.0, ROOM, 2);
        (names, (40.0, 40.0))
    };
    let names = names.iter().map(|name| (name.as_str(), Style::Bold, sizes));
    let address = [&to.address_line1, &to.address_line2].into_iter();
    let address = address.filter(|line| !line.trim().is_empty());
    let address = address.map(|line| (line.as_str(), Style::Regular, (44.0, 30.0)));
    let town = town(&to.place).to_uppercase();
    let town = (town.as_str(), Style::Bold, (56.0, 34.0));
    let rows: Vec<_> = names.chain(address).chain([town]).collect();
    let instructions = job.options.special_instructions.as_deref();
    let small_rows = if instructions.is_some() { 2.0 } else { 1.0 };
    // The remaining room is spread between the rows.
    let room = BELOW_RECEIVER - ABOVE_RECEIVER - small_rows * SMALL_PITCH;
    let pitch = (room / rows.len() as f32).clamp(50.0, 66.0).floor();
    let mut baseline = ABOVE_RECEIVER;
    for (row, style, sizes) in rows {
        baseline += pitch;
        pen.text_fitted((MARGIN, baseline), row, style, sizes, ROOM);
    }
    let contact = joined(&[&to.contact, &to.phone], " · ");
    let instructions = (instructions.unwrap_or_default(), Style::Bold);
    for (text, style) in [(contact.as_str(), Style::Regular), instructions] {
        baseline += SMALL_PITCH + 4.0;
        pen.text_fitted((MARGIN, baseline), text, style, (28.0, 22.0), ROOM);
    }
}

fn counts(pen: &mut Canvas<'_, '_>, piece: &Piece<'_>) {
    let count = format!("{} / {}", piece.number, piece.of);
    pen.text_fitted((MARGIN, 644.0), &count, Style::Bold, (88.0, 40.0), 380.0);
    let consignment = piece.consignment;
    let zone = time_zone(&consignment.job.from.place.time_zone);
    let date = consignment.despatch.to_zoned(zone).strftime("%-d %b %Y");
    let weight = format!("{} kg · {date}", piece.line.weight.normalize());
    let reference = consignment.job.customer_reference.clone();
    for (text, style, most, baseline) in [
        (consignment.number(), Style::Bold, 30.0, 584.0),
        (reference.unwrap_or_default(), Style::Mono, 28.0, 619.0),
        (weight, Style::Regular, 28.0, 654.0),
    ] {
        let (text, size) = pen.fonts.fitted(&text, style, most, 18.0, 360.0);
        pen.text_right(RIGHT, baseline, &text, style, size);
    }
}

/// Describes the goods of a piece without dangerous goods.
fn goods(pen: &mut Canvas<'_, '_>, piece: &Piece<'_>, room: f32) {
    let line = piece.line;
    let (place, sizes) = ((MARGIN, 968.0), (32.0, 40.0));
    let mut baseline = paragraph(pen, place, &line.name, Style::Bold, sizes, room, 2);
    let sides = [line.length, line.width, line.height];
    let size = sides.map(|side| side.normalize().to_string()).join(" × ");
    let sku = line.sku.as_ref().map(|sku| format!("SKU {sku}"));
    let reference2 = piece.consignment.job.customer_reference2.clone();
    let rows = [
        Some(format!("{} · {size} cm", line.item_type)),
        sku,
        reference2,
    ];
    for row in rows.iter().flatten().filter(|row| !row.is_empty()) {
        pen.text_fitted((MARGIN, baseline), row, Style::Regular, (28.0, 20.0), room);
        baseline += 36.0;
    }
}

/// Draws text of one size in at most `most` rows. `sizes` has the size of the font and the distance between
/// baselines. Returns the baseline of the row that would follow.
fn paragraph(
    pen: &mut Canvas<'_, '_>,
    (left, mut baseline): Point,
    text: &str,
    style: Style,
    (size, pitch): (f32, f32),
    room: f32,
    most: usize,
) -> f32 {
    for row in pen.fonts.wrapped(text, style, size, room, most) {
        pen.text(left, baseline, &row, style, size);
        baseline += pitch;
    }
    baseline
}

/// Formats a place as in `Ballarat Central VIC 3350`, with the country if the place is overseas.
fn town(place: &Place) -> String {
    let country = if place.is_abroad() {
        &place.country
    } else {
        ""
    };
    let parts = [&place.suburb, &place.state, &place.postcode];
    joined(&[joined(&parts, " ").as_str(), country], " ")
}

/// Joins the parts that are not blank.
pub(crate) fn joined(parts: &[impl AsRef<str>], separator: &str) -> String {
    let parts = parts.iter().map(|part| part.as_ref().trim());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}

/// Splits a reference into its letters and groups of four digits, because people read it out in that way.
fn spaced(reference: &str) -> String {
    let figures = reference.find(|letter: char| letter.is_ascii_digit());
    let (letters, figures) = reference.split_at(figures.unwrap_or(reference.len()));
    let groups = figures.as_bytes().chunks(4).map(String::from_utf8_lossy);
    let parts: Vec<_> = std::iter::once(letters.into()).chain(groups).collect();
    joined(&parts, " ")
}

/// Draws crop marks at the corners, for cutting the label out of a larger sheet.
fn crop_marks(pen: &mut Canvas<'_, '_>) {
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

/// Dots for each module of the Code 128: 0.5 mm if there is room, otherwise 0.375 mm. References have at most 20
/// characters, which always fit.
const WIDE_BAR_MODULE: f32 = 4.0;
const BAR_MODULE: f32 = 3.0;
/// Width of the quiet zone on either side of the bars, in modules.
const BAR_QUIET: f32 = 10.0;
/// Dots for each QR module, and the width of the quiet zone around the code in modules.
const SQUARE_MODULE: f32 = 8.0;
const SQUARE_QUIET: f32 = 4.0;

/// Draws the Code 128 centred on the label, `height` dots high.
fn draw_code128(
    pen: &mut Canvas<'_, '_>,
    text: &str,
    top: f32,
    height: f32,
) -> Result<(), LabelError> {
    let modules = encoded(text, BarcodeFormat::CODE_128)?;
    let row = modules.first().map(Vec::as_slice).unwrap_or_default();
    let count = row.len() as f32;
    let has_room = (count + 2.0 * BAR_QUIET) * WIDE_BAR_MODULE <= LABEL_WIDTH;
    let module = if has_room {
        WIDE_BAR_MODULE
    } else {
        BAR_MODULE
    };
    // The position is rounded down to a whole dot, so that every bar begins on the grid.
    let left = ((LABEL_WIDTH - count * module) / 2.0).floor();
    pen.fill_rects(runs(row, (left, top), module, height));
    Ok(())
}

/// Draws the QR code with its right edge (quiet zone included) at `right`. Returns the whole width.
fn draw_qr_code(
    pen: &mut Canvas<'_, '_>,
    text: &str,
    right: f32,
    top: f32,
) -> Result<f32, LabelError> {
    let modules = encoded(text, BarcodeFormat::QR_CODE)?;
    let size = modules.len() as f32 * SQUARE_MODULE;
    let quiet = SQUARE_QUIET * SQUARE_MODULE;
    let (left, top) = (right - quiet - size, top + quiet);
    pen.fill_rects(modules.iter().zip(0_u16..).flat_map(|(row, index)| {
        let place = (left, top + f32::from(index) * SQUARE_MODULE);
        runs(row, place, SQUARE_MODULE, SQUARE_MODULE)
    }));
    Ok(size + 2.0 * quiet)
}

/// Returns the runs of black modules in a row as rectangles. A module is `module` dots wide.
fn runs(
    row: &[bool],
    (mut left, top): Point,
    module: f32,
    height: f32,
) -> impl Iterator<Item = Rectangle> + '_ {
    let chunks = row.chunk_by(|left, right| left == right);
    chunks.filter_map(move |run| {
        let (start, width) = (left, run.len() as f32 * module);
        left += width;
        run[0].then_some((start, top, width, height))
    })
}

/// Encodes the text and returns the modules row by row, without the writer's own margin.
fn encoded(text: &str, format: BarcodeFormat) -> Result<Vec<Vec<bool>>, LabelError> {
    // A size of 1 asks for one dot a module.
    let matrix: BitMatrix = MultiFormatWriter
        .encode(text, &format, 1, 1)
        .map_err(|source| LabelError::Code {
            text: text.to_owned(),
            source,
        })?;
    let [left, top, width, height] = matrix.getEnclosingRectangle().unwrap_or_default();
    Ok((top..top + height)
        .map(|y| (left..left + width).map(|x| matrix.get(x, y)).collect())
        .collect())
}

/// The maximum numbers of diamonds and of text rows below them. A note counts the goods for which there is no room.
const MOST_DIAMONDS: usize = 4;
const MOST_ROWS: usize = 5;
/// The top of the dangerous goods mark.
const TOP: f32 = 914.0;
/// Half the height of a diamond in dots. A full-size mark of 10 cm does not fit the label.
const LARGE: f32 = 88.0;
const SMALL: f32 = 52.0;
/// Digits of the Inter font are 0.73 of the font size high; half of that centres them.
const HALF_DIGIT: f32 = 0.364;

/// Draws the dangerous goods mark: a diamond for each class, then UN number, proper shipping name, packing group and
/// quantity. Keeps within `room` dots from the margin, and at most 230 dots below [`TOP`].
fn hazard_mark(pen: &mut Canvas<'_, '_>, goods: &[DangerousGood], room: f32) {
    let mut classes: Vec<i64> = Vec::new();
    let all = goods.iter();
    for class in all.flat_map(|good| std::iter::once(&good.class).chain(&good.sub_classes)) {
        if !classes.contains(class) {
            classes.push(*class);
        }
    }
    if let ([good], [class]) = (goods, classes.as_slice()) {
        diamond(pen, (MARGIN + LARGE, TOP + LARGE + 12.0), LARGE, *class);
        let beside = 2.0 * LARGE + 24.0;
        let (left, room) = (MARGIN + beside, room - beside);
        let place = (left, TOP + 48.0);
        let below = paragraph(pen, place, &name(good), Style::Bold, (30.0, 36.0), room, 3);
        let (place, text) = ((left, below), particulars(good));
        paragraph(pen, place, &text, Style::Regular, (28.0, 34.0), room, 2);
        return;
    }
    for (class, index) in classes.iter().take(MOST_DIAMONDS).zip(0_u8..) {
        let centre = MARGIN + SMALL + f32::from(index) * (2.0 * SMALL + 6.0);
        diamond(pen, (centre, TOP + SMALL), SMALL, *class);
    }
    let (mut baseline, mut free, mut shown) = (TOP + 2.0 * SMALL + 28.0, MOST_ROWS, 0);
    for good in goods {
        let text = format!("{}, {}", name(good), particulars(good));
        let rows = pen.fonts.wrapped(&text, Style::Bold, 22.0, room, 2).len();
        if rows > free {
            break;
        }
        (free, shown) = (free - rows, shown + 1);
        let place = (MARGIN, baseline);
        baseline = paragraph(pen, place, &text, Style::Bold, (22.0, 26.0), room, 2);
    }
    if shown < goods.len() {
        let more = format!("+ {} more", goods.len() - shown);
        pen.text_right(MARGIN + room, TOP + SMALL + 8.0, &more, Style::Bold, 22.0);
    }
}

fn diamond(pen: &mut Canvas<'_, '_>, (x, y): Point, half: f32, class: i64) {
    pen.diamond((x, y), half - 4.0, 6.0);
    let label = class_label(class);
    let (label, size) = pen
        .fonts
        .fitted(label, Style::Bold, half * 0.62, 12.0, half);
    pen.text_centred(x, y + size * HALF_DIGIT, &label, Style::Bold, size);
}

/// Formats a name as in `UN 1170 ETHANOL SOLUTIONS`, with the technical names if there are any.
fn name(good: &DangerousGood) -> String {
    let technical = bracketed(&good.technical_names);
    let empty = if good.empty_container {
        "EMPTY, UNCLEANED, "
    } else {
        ""
    };
    let (number, name) = (good.un_number, &good.proper_shipping_name);
    format!("UN {number:04} {empty}{name}{technical}")
}

/// Formats names as in ` (6.1, 8)`. Returns an empty text if there are no names.
fn bracketed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" ({})", names.join(", "))
    }
}

/// Formats class, subsidiary classes, packing group and quantity: `3 (6.1), PG II · 12 L in 4 containers`.
fn particulars(good: &DangerousGood) -> String {
    let subsidiary = good.sub_classes.iter();
    let subsidiary: Vec<&str> = subsidiary.map(|class| class_label(*class)).collect();
    let subsidiary = bracketed(&subsidiary);
    let group = match good.packing_group {
        1 => ", PG I",
        2 => ", PG II",
        3 => ", PG III",
        _ => "",
    };
    let class = class_label(good.class);
    let unit = if good.by_weight { "kg" } else { "L" };
    let (count, amount) = (
        good.number_of_containers,
        good.aggregate_quantity.normalize(),
    );
    let ending = if count == 1 { "" } else { "s" };
    format!("{class}{subsidiary}{group} · {amount} {unit} in {count} container{ending}")
}

fn class_label(class: i64) -> &'static str {
    catalogue().values.class_label(class).unwrap_or_default()
}
