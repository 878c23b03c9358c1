//! A test label that shows how a printer prints: rulers on all edges, the width of the print head, the
//! centre, the profile's settings, and a barcode that proves that the print is readable when it is scanned.
//!
//! The label is a PDF that is processed like every other label: rendered, fitted, verified and encoded. It is
//! as wide as the print head and as long as the paper, so the ends of the rulers show where printing ends.

mod canvas;

use rxing::oned::Code128Writer;
use rxing::{BarcodeFormat, Writer};

use super::fonts::{DrawnPdf, Style};
use super::profile::PrinterProfile;
use canvas::Canvas;

/// The start of every token. No consignment number or article number starts with it.
pub const TOKEN_PREFIX: &str = "PBT";

/// The number of random characters after the prefix: enough that another test label is not mistaken
/// for this one.
const LETTERS: usize = 7;

/// Characters that scanners and people don't confuse.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Returns a new random token.
pub fn token() -> String {
    let letter = |_| char::from(ALPHABET[fastrand::usize(..ALPHABET.len())]);
    TOKEN_PREFIX
        .chars()
        .chain((0..LETTERS).map(letter))
        .collect()
}

/// The reason why there is no test label.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TestLabelError {
    /// The print head is too narrow for even the narrowest barcode.
    #[error("The print head is too narrow for a test label")]
    TooNarrow,
    /// The PDF could not be made.
    #[error("The test label could not be drawn")]
    NotDrawn,
}

/// Returns the PDF: one page for this printer. `date` is printed as text, for whoever finds the label
/// in a drawer.
pub fn document(
    profile: &PrinterProfile,
    token: &str,
    date: &str,
) -> Result<DrawnPdf, TestLabelError> {
    let (width, height) = profile.printable_dots();
    let scale = profile.dots_per_mm.get();
    let bars = bars(token)?;
    let module = module(width, &bars, scale).ok_or(TestLabelError::TooNarrow)?;
    canvas::page((width, height), scale, |pen| {
        rulers(pen);
        head(pen, profile);
        cross(pen, profile);
        settings_text(pen, profile, date);
        code(pen, &bars, module, token);
    })
    .ok_or(TestLabelError::NotDrawn)
}

/// Encodes the token as Code 128: one entry for each module, true for black.
fn bars(token: &str) -> Result<Vec<bool>, TestLabelError> {
    let code = Code128Writer
        .encode(token, &BarcodeFormat::CODE_128, 0, 1)
        .map_err(|_detail| TestLabelError::NotDrawn)?;
    Ok((0..code.width()).map(|x| code.get(x, 0)).collect())
}

/// Returns the width of a module in dots: about 0.375 mm, less on a narrow print head; `None` if it would be
/// under two dots.
fn module(width: u32, bars: &[bool], scale: f64) -> Option<f32> {
    // The code needs a quiet zone of ten modules on each side, and the rulers need 8 mm.
    let modules = bars.len() as f64 + 20.0;
    let room = f64::from(width) - 16.0 * scale;
    let most = (room / modules).floor();
    let module = (0.375 * scale).round().min(most);
    #[expect(clippy::cast_possible_truncation, reason = "a few dots")]
    (module >= 2.0).then_some(module as f32)
}

/// Draws rulers from each corner: a tick every millimetre, longer at 5, longest and numbered at 10.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a label has some hundred millimetres"
)]
fn rulers(pen: &mut Canvas<'_, '_>) {
    let (width, height) = (pen.width(), pen.height());
    let line = pen.line();
    let mut ticks = Vec::new();
    let mut numbers = Vec::new();
    for (along, across) in [(width, false), (height, true)] {
        let last = (along / pen.mm(1.0)).floor() as u32;
        for at in 0..=last {
            let place = (pen.mm(at as f32)).round().min(along - line);
            let long = pen.mm(match at {
                at if at % 10 == 0 => 4.0,
                at if at % 5 == 0 => 3.0,
                _ => 1.5,
            });
            let long = long.round();
            if across {
                ticks.push((0.0, place, long, line));
                ticks.push((width - long, place, long, line));
            } else {
                ticks.push((place, 0.0, line, long));
                ticks.push((place, height - long, line, long));
            }
            if at % 10 == 0 && at > 0 && at + 5 < last {
                numbers.push((across, place, at));
            }
        }
    }
    pen.blocks(&ticks);
    let size = pen.mm(2.2);
    for (across, place, at) in numbers {
        let text = at.to_string();
        if across {
            pen.text(
                pen.mm(4.6),
                place + size * 0.35,
                &text,
                Style::Regular,
                size,
            );
        } else {
            pen.text(place - size * 0.5, pen.mm(6.6), &text, Style::Regular, size);
        }
    }
}

/// Draws a line over the whole width of the print head, with its length in dots.
fn head(pen: &mut Canvas<'_, '_>, profile: &PrinterProfile) {
    let (width, line) = (pen.width(), pen.line());
    let (top, tip) = (pen.mm(12.0).round(), pen.mm(1.5).round());
    pen.blocks(&[
        (0.0, top, width, line),
        (0.0, top - tip, line, 2.0 * tip),
        (width - line, top - tip, line, 2.0 * tip),
    ]);
    let dots = profile.printable_dots().0;
    let mm = f64::from(dots) / profile.dots_per_mm.get();
    let words = match profile.head_width_dots {
        Some(_) => format!("Print head {dots} dots, {mm:.1} mm"),
        None => format!("Paper {dots} dots, {mm:.1} mm; print head width not set"),
    };
    pen.text(
        pen.mm(10.0),
        top - pen.mm(1.0),
        &words,
        Style::Regular,
        pen.mm(3.0),
    );
}

/// Draws a cross at the centre of the paper, as the profile describes it.
fn cross(pen: &mut Canvas<'_, '_>, profile: &PrinterProfile) {
    let line = pen.line();
    let (x, y) = ((pen.width() / 2.0).round(), (pen.height() / 2.0).round());
    let arm = pen.mm(6.0).round();
    pen.blocks(&[(x - arm, y, 2.0 * arm, line), (x, y - arm, line, 2.0 * arm)]);
    let (right, down) = (profile.offset.x_dots, profile.offset.y_dots);
    let words = format!("Centre. Moved by {right}, {down} dots");
    pen.text(
        x + pen.mm(2.0),
        y - pen.mm(2.0),
        &words,
        Style::Regular,
        pen.mm(2.6),
    );
}

fn settings_text(pen: &mut Canvas<'_, '_>, profile: &PrinterProfile, date: &str) {
    let left = pen.mm(10.0);
    let room = pen.width() - 2.0 * left;
    let fitted = |text: &str, mm: f32| {
        // A character is about 0.55 times as wide as the font size.
        let wide = text.chars().count() as f32 * 0.55;
        (room / wide.max(1.0)).min(mm)
    };
    let scale = profile.dots_per_mm.get();
    let lines = [
        format!(
            "{}, {scale} dots per mm ({:.0} dpi)",
            profile.language.name(),
            scale * 25.4
        ),
        format!("Paper {}", profile.media.name().replace('×', "x")),
        profile.destination.label(),
        date.to_owned(),
    ];
    let big = fitted(&profile.name, pen.mm(6.0));
    pen.text(left, pen.mm(24.0), &profile.name, Style::Bold, big);
    for (at, line) in lines.iter().enumerate() {
        let size = fitted(line, pen.mm(3.6));
        pen.text(
            left,
            pen.mm(31.0 + 5.5 * at as f32),
            line,
            Style::Regular,
            size,
        );
    }
}

/// Draws the barcode in the lower half, with its text and an instruction below.
fn code(pen: &mut Canvas<'_, '_>, bars: &[bool], module: f32, token: &str) {
    let wide = module * bars.len() as f32;
    let left = ((pen.width() - wide) / 2.0).round();
    let (top, tall) = ((pen.height() * 0.62).round(), (pen.height() * 0.14).round());
    let blocks: Vec<_> = bars
        .iter()
        .enumerate()
        .filter(|(_, black)| **black)
        .map(|(at, _)| (left + module * at as f32, top, module, tall))
        .collect();
    pen.blocks(&blocks);
    let size = pen.mm(4.0);
    pen.text(left, top + tall + pen.mm(5.0), token, Style::Mono, size);
    pen.text(
        left,
        top + tall + pen.mm(10.0),
        "Scan this code in Packbench",
        Style::Regular,
        pen.mm(3.2),
    );
}
