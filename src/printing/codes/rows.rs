//! Reads Code 128 from single rows of dots, like the line of a hand-held scanner.
//!
//! Bars are tall, so reading a row every 1.5 mm crosses every code that a scanner could read. A code counts if two
//! rows agree or if its text is the expected text. One row alone is not enough for other texts, because the checksum
//! of two digits too often accepts a random pattern.

use rxing::common::BitArray;
use rxing::oned::{Code128Reader, OneDReader};
use rxing::{BarcodeFormat, DecodeHints};

use super::super::page::{Bitmap, Page, Scale, black_dots};
use super::super::profile::round_to_dots;
use super::{Code, SearchState};

/// The number of rows read on a page of any resolution: one every 1.5 mm on A6.
const ROWS: u32 = 100;

/// A Code 128 with one character has 13 bars, which is this many colour changes in a row.
const LEAST_CHANGES: u32 = 26;

/// The maximum number of codes read side by side in one row.
const MOST_IN_A_ROW: usize = 3;

/// Reads rows until `answered` returns [`SearchState::Complete`].
pub(super) fn code_128s(bitmap: &Bitmap, answered: &dyn Fn(&[Code]) -> SearchState) -> Vec<Code> {
    let step = (bitmap.height() / ROWS).max(1) as usize;
    let mut once: Vec<Code> = Vec::new();
    let mut found: Vec<Code> = Vec::new();
    // Start half a step below the top, because a row at the edge may contain only a rule.
    for (y, row) in bitmap.rows().enumerate().skip(step / 2).step_by(step) {
        if changes(row) < LEAST_CHANGES {
            continue;
        }
        for code in read_row(row, bitmap.width(), y) {
            if found.contains(&code) {
                continue;
            }
            let sure = once.contains(&code)
                || answered(std::slice::from_ref(&code)) == SearchState::Complete
                    && looked_for(answered);
            if !sure {
                once.push(code);
                continue;
            }
            found.push(code);
            if answered(&found) == SearchState::Complete {
                return found;
            }
        }
    }
    found
}

/// Returns whether a specific text is expected, which a random pattern is very unlikely to match.
fn looked_for(answered: &dyn Fn(&[Code]) -> SearchState) -> bool {
    let nothing = Code {
        text: String::new(),
        format: BarcodeFormat::UNSUPORTED_FORMAT,
    };
    answered(&[nothing]) != SearchState::Complete
}

/// The minimum height of bars in millimetres. Text with as many strokes as a code is never so tall.
const BARS_MM: f64 = 8.0;

/// The greatest width of a bar or of a gap between bars, in millimetres.
const WIDEST_BAR_MM: f64 = 2.5;

/// Returns whether the page has something that looks like a barcode: as many strokes as a code has, all
/// of them tall.
pub(in super::super) fn has_bars(page: &Page) -> bool {
    tall_strokes(&page.bitmap, page.scale) || tall_strokes(&turned(&page.bitmap), page.scale)
}

fn tall_strokes(bitmap: &Bitmap, scale: Scale) -> bool {
    const LOOKS: usize = 6;
    let rows: Vec<&[u8]> = bitmap.rows().collect();
    let apart = round_to_dots(BARS_MM * scale.get()) as usize / (LOOKS - 1);
    let tall = apart * (LOOKS - 1);
    let strokes = |row: &[u8]| close_changes(row, round_to_dots(WIDEST_BAR_MM * scale.get()));
    (0..rows.len().saturating_sub(tall))
        .step_by(apart.max(1))
        .any(|top| {
            let looks = (0..LOOKS).map(|look| rows[top + look * apart]);
            // `black` holds the dots that are black in all of these rows, `any` the dots that are black in at
            // least one.
            let (mut black, mut any) = (rows[top].to_vec(), rows[top].to_vec());
            for row in looks {
                for (at, byte) in row.iter().enumerate() {
                    black[at] &= byte;
                    any[at] |= byte;
                }
            }
            strokes(&black).min(strokes(&any)) >= LEAST_CHANGES
        })
}

/// Returns the length of the longest series of colour changes at most `widest` dots apart. Table rules are
/// further apart.
fn close_changes(row: &[u8], widest: u32) -> u32 {
    let (mut most, mut count, mut length, mut before) = (0_u32, 0_u32, 0_u32, false);
    for bit in row
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte & (0x80 >> bit) != 0))
    {
        length += 1;
        if bit != before {
            count = if length <= widest { count + 1 } else { 1 };
            (most, length, before) = (most.max(count), 0, bit);
        }
    }
    most
}

/// Returns the page with rows and columns swapped.
fn turned(bitmap: &Bitmap) -> Bitmap {
    let dots = bitmap.black_dots().map(|(x, y)| (y, x));
    let turned = Bitmap::from_black_dots(bitmap.height(), bitmap.width(), dots);
    turned.unwrap_or_else(|| bitmap.clone())
}

/// Counts the colour changes along a row, which begins and ends in white.
fn changes(row: &[u8]) -> u32 {
    let (mut before, mut changes) = (0, 0);
    for byte in row {
        changes += (byte ^ (byte >> 1 | before << 7)).count_ones();
        before = byte & 1;
    }
    changes + u32::from(before)
}

/// Returns the codes in one row, from left to right.
fn read_row(row: &[u8], width: u32, y: usize) -> Vec<Code> {
    let width = width as usize;
    let mut bits = BitArray::with_size(width);
    for x in black_dots(row) {
        bits.set(x as usize);
    }
    let (hints, line) = (DecodeHints::default(), u32::try_from(y).unwrap_or(u32::MAX));
    let mut reader = Code128Reader;
    let mut found = Vec::new();
    for _ in 0..MOST_IN_A_ROW {
        let Ok(read) = reader.decode_row(line, &bits, &hints) else {
            break;
        };
        if *read.getBarcodeFormat() == BarcodeFormat::CODE_128 {
            found.push(Code {
                text: read.getText().to_owned(),
                format: BarcodeFormat::CODE_128,
            });
        }
        let points = read.getPoints().iter();
        let end = points.fold(0.0, |end: f32, point| end.max(point.x));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a column of the page"
        )]
        let end = (end as usize + 1).min(width);
        for x in 0..end {
            if bits.get(x) {
                bits.unset(x);
            }
        }
    }
    found
}
