//! Shifts bitmaps, because no roll of labels sits exactly where the print head expects it.
//!
//! Invariant: no black dot is lost. A shift that would push dots off the print head or the paper is reduced,
//! and the caller is told how far the page was shifted.

use super::page::{Bitmap, black_dots};
use super::profile::Offset;

/// Shifts a page. The bitmap may grow to `head` dots across and `paper` dots down. Returns the page, and the
/// actual shift if it is less than requested.
pub fn shift(page: &Bitmap, by: Offset, (head, paper): (u32, u32)) -> (Bitmap, Option<Offset>) {
    let columns = page.ink_columns().filter(|_| by != Offset::default());
    let Some(columns) = columns else {
        return (page.clone(), None);
    };
    let rows = page.ink_rows();
    let (width, height) = (page.width(), page.height());
    let x_dots = limit_shift(by.x_dots, columns, width.max(head));
    let y_dots = limit_shift(by.y_dots, rows, height.max(paper));
    let grown = |size: u32, dots: i32, most: u32| {
        size.saturating_add(dots.max(0).unsigned_abs())
            .min(most.max(size))
    };
    let (width, height) = (grown(width, x_dots, head), grown(height, y_dots, paper));
    let went = Offset { x_dots, y_dots };
    let moved = copied(page, went, width, height).unwrap_or_else(|| page.clone());
    (moved, (went != by).then_some(went))
}

/// Extends or crops a page to the whole paper, so that the driver or printer has nothing to scale. Returns
/// the page unchanged if that would lose black dots.
pub(super) fn resize_to_paper(page: &Bitmap, (width, height): (u32, u32)) -> Bitmap {
    let columns = page.ink_columns().unwrap_or_default();
    let fits = columns.end <= width && page.ink_rows().end <= height;
    let paper = fits.then(|| copied(page, Offset::default(), width, height));
    paper.flatten().unwrap_or_else(|| page.clone())
}

/// Limits a shift so that the black dots, which lie in `ink`, stay within `size`.
fn limit_shift(wanted: i32, ink: std::ops::Range<u32>, size: u32) -> i32 {
    let signed = |dots: u32| i32::try_from(dots).unwrap_or(i32::MAX);
    wanted.clamp(-signed(ink.start), signed(size.saturating_sub(ink.end)))
}

fn copied(page: &Bitmap, by: Offset, width: u32, height: u32) -> Option<Bitmap> {
    let stride = width.div_ceil(8) as usize;
    let mut rows = vec![0_u8; stride * height as usize];
    for (y, row) in page.rows().enumerate() {
        let Some(y) = moved(u32::try_from(y).ok()?, by.y_dots, height) else {
            continue;
        };
        let goal = &mut rows[y as usize * stride..][..stride];
        for x in black_dots(row) {
            if let Some(x) = moved(u32::try_from(x).ok()?, by.x_dots, width) {
                goal[(x / 8) as usize] |= 0x80 >> (x % 8);
            }
        }
    }
    Bitmap::from_packed(width, height, rows).ok()
}

fn moved(at: u32, by: i32, size: u32) -> Option<u32> {
    at.checked_add_signed(by).filter(|at| *at < size)
}
