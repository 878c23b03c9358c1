//! Code 128 from single rows of dots, as a hand-held scanner's line crosses them.
//!
//! A bar code is tall, so a row every millimetre and a half crosses any that a scanner could read. A code counts only when
//! two rows say the same, unless it is what is looked for: a checksum of two digits alone is passed by chance too often.

use rxing::common::BitArray;
use rxing::oned::{Code128Reader, OneDReader};
use rxing::{BarcodeFormat, DecodeHints};

use super::super::page::{Bitmap, Page, Scale};
use super::super::profile::whole;
use super::{Answered, Code, Symbology};

/// Rows that are read of a page, however fine it is: one in 1.5 mm of A6.
const ROWS: u32 = 100;

/// A Code 128 of one sign has 13 bars: this many changes of colour in a row.
const LEAST_CHANGES: u32 = 26;

/// Codes side by side in one row.
const MOST_IN_A_ROW: usize = 3;

/// Reads rows until `answered` says [`Answered::Fully`].
pub(super) fn code_128s(bitmap: &Bitmap, answered: &dyn Fn(&[Code]) -> Answered) -> Vec<Code> {
    let step = (bitmap.height() / ROWS).max(1) as usize;
    let mut once: Vec<Code> = Vec::new();
    let mut found: Vec<Code> = Vec::new();
    // Not the very first row: a rule along the edge tells nothing.
    for (y, row) in bitmap.rows().enumerate().skip(step / 2).step_by(step) {
        if changes(row) < LEAST_CHANGES {
            continue;
        }
        for code in read_row(row, bitmap.width(), y) {
            if found.contains(&code) {
                continue;
            }
            let sure = once.contains(&code)
                || answered(std::slice::from_ref(&code)) == Answered::Fully && looked_for(answered);
            if !sure {
                once.push(code);
                continue;
            }
            found.push(code);
            if answered(&found) == Answered::Fully {
                return found;
            }
        }
    }
    found
}

/// Whether a certain text is looked for, so that chance cannot meet it.
fn looked_for(answered: &dyn Fn(&[Code]) -> Answered) -> bool {
    let nothing = Code {
        text: String::new(),
        symbology: Symbology::Other,
    };
    answered(&[nothing]) != Answered::Fully
}

/// How tall bars are at least, in millimetres: writing with so many strokes is not.
const BARS_MM: f64 = 8.0;

/// How wide a bar or the white between two bars is at most, in millimetres.
const WIDEST_BAR_MM: f64 = 2.5;

/// Whether a page has bars on it, whatever they say: as many strokes as in a code, all of them tall.
pub(in super::super) fn has_bars(page: &Page) -> bool {
    tall_strokes(&page.bitmap, page.scale) || tall_strokes(&turned(&page.bitmap), page.scale)
}

fn tall_strokes(bitmap: &Bitmap, scale: Scale) -> bool {
    const LOOKS: usize = 6;
    let rows: Vec<&[u8]> = bitmap.rows().collect();
    let apart = whole(BARS_MM * scale.get()) as usize / (LOOKS - 1);
    let tall = apart * (LOOKS - 1);
    let strokes = |row: &[u8]| close_changes(row, whole(WIDEST_BAR_MM * scale.get()));
    (0..rows.len().saturating_sub(tall))
        .step_by(apart.max(1))
        .any(|top| {
            let looks = (0..LOOKS).map(|look| rows[top + look * apart]);
            // What is black in all of these rows, and what is white in all.
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

/// The most changes of colour in a row that follow each other within so many dots: the lines of a table are further apart.
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

/// The page lying on its side.
fn turned(bitmap: &Bitmap) -> Bitmap {
    let (width, height) = (bitmap.height(), bitmap.width());
    let stride = width.div_ceil(8) as usize;
    let mut rows = vec![0_u8; stride * height as usize];
    for (y, row) in bitmap.rows().enumerate() {
        for (at, byte) in row.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            for bit in (0..8).filter(|bit| byte & (0x80 >> bit) != 0) {
                rows[(at * 8 + bit) * stride + y / 8] |= 0x80 >> (y % 8);
            }
        }
    }
    Bitmap::from_packed(width, height, rows).unwrap_or_else(|_same_dots| bitmap.clone())
}

/// How often the colour changes along a row.
fn changes(row: &[u8]) -> u32 {
    let mut before = 0_u64;
    let mut changes = 0;
    let mut add = |word: u64| {
        changes += (word ^ (word >> 1 | before << 63)).count_ones();
        before = word & 1;
    };
    let (words, rest) = row.as_chunks::<8>();
    for word in words {
        add(u64::from_be_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    add(u64::from_be_bytes(last));
    changes
}

/// The codes of one row, from the left.
fn read_row(row: &[u8], width: u32, y: usize) -> Vec<Code> {
    let width = width as usize;
    let mut bits = BitArray::with_size(width);
    for (at, byte) in row.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        for bit in (0..8).filter(|bit| byte & (0x80 >> bit) != 0) {
            bits.set(at * 8 + bit);
        }
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
                symbology: Symbology::Code128,
            });
        }
        let end = read
            .getPoints()
            .iter()
            .fold(0.0, |end: f32, point| end.max(point.x));
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
