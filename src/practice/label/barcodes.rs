//! The barcodes of a label: a Code 128 of the item reference, and a QR code of the consignment number and
//! the reference.

use printing::canvas::Canvas;
use rxing::{BarcodeFormat, MultiFormatWriter, Writer, common::BitMatrix};

use super::{LABEL_WIDTH, LabelError};

/// Dots for each module of the Code 128: 0.5 mm if there is room, and never under 0.375 mm.
const BAR_MODULES: [f32; 2] = [4.0, 3.0];
/// Width of the quiet zone on either side of the bars, in modules.
const BAR_QUIET: f32 = 10.0;
/// Dots for each QR module, and the width of the quiet zone around the code in modules.
const SQUARE_MODULE: f32 = 8.0;
const SQUARE_QUIET: f32 = 4.0;

/// Draws the Code 128 centred on the label, `height` dots high.
pub(super) fn draw_code128(
    pen: &mut Canvas<'_, '_>,
    text: &str,
    top: f32,
    height: f32,
) -> Result<(), LabelError> {
    let modules = encoded(text, BarcodeFormat::CODE_128)?;
    let row = modules.first().map(Vec::as_slice).unwrap_or_default();
    let count = row.len() as f32;
    let fits = |module: &f32| (count + 2.0 * BAR_QUIET) * module <= LABEL_WIDTH;
    let module = BAR_MODULES
        .into_iter()
        .find(fits)
        .ok_or_else(|| LabelError::TooLong(text.to_owned()))?;
    // Rounded to a whole dot, so that every bar begins on the grid.
    let left = ((LABEL_WIDTH - count * module) / 2.0).floor();
    pen.fill_rects(
        runs(row).map(|(start, length)| (left + start * module, top, length * module, height)),
    );
    Ok(())
}

/// Draws the QR code with its right edge (quiet zone included) at `right`. Returns the whole width.
pub(super) fn draw_qr_code(
    pen: &mut Canvas<'_, '_>,
    text: &str,
    right: f32,
    top: f32,
) -> Result<f32, LabelError> {
    let modules = encoded(text, BarcodeFormat::QR_CODE)?;
    let size = modules.len() as f32 * SQUARE_MODULE;
    let quiet = SQUARE_QUIET * SQUARE_MODULE;
    let (left, top) = (right - quiet - size, top + quiet);
    let rows = modules.iter().zip(0_u16..);
    pen.fill_rects(rows.flat_map(|(row, index)| {
        let y = top + f32::from(index) * SQUARE_MODULE;
        runs(row).map(move |(start, length)| {
            (
                left + start * SQUARE_MODULE,
                y,
                length * SQUARE_MODULE,
                SQUARE_MODULE,
            )
        })
    }));
    Ok(size + 2.0 * quiet)
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

/// Returns the start and length of each black run, in modules.
fn runs(row: &[bool]) -> impl Iterator<Item = (f32, f32)> + '_ {
    let mut at = 0;
    row.chunk_by(|left, right| left == right)
        .filter_map(move |chunk| {
            let start = at;
            at += chunk.len();
            chunk[0].then_some((start as f32, chunk.len() as f32))
        })
}
