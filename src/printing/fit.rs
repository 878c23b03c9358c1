//! Fits a page onto what a printer can print: as wide as the narrower of its head and its paper, as long as its paper.
//!
//! Invariant: no black dot is left off, and bars are never resampled. A page that has to shrink is drawn again at one
//! smaller scale.

use std::ops::Range;

use super::page::{Bitmap, Page, Scale};
use super::profile::whole;

/// The white margin that a page keeps when it shrinks, in millimetres, as far as it has one: the quiet zone of a code.
const MARGIN_MM: f64 = 2.5;

/// Blank edges of less than this are left off without a note, in millimetres.
const NOT_WORTH_A_NOTE_MM: f64 = 0.5;

/// How a page comes onto the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fit {
    /// As it is.
    AsIs,
    /// Edges were left off.
    Cropped {
        left_dots: u32,
        right_dots: u32,
        top_dots: u32,
        bottom_dots: u32,
    },
    /// Drawn smaller; 1 is full size.
    Shrunk { ratio: f64 },
}

impl Fit {
    /// The edges that are left off when the part of `size` at `left`, `top` is taken of a page.
    pub fn cropped(page: &Bitmap, (left, top): (u32, u32), (width, height): (u32, u32)) -> Self {
        Self::Cropped {
            left_dots: left,
            right_dots: page.width() - left - width,
            top_dots: top,
            bottom_dots: page.height() - top - height,
        }
    }

    /// The share of its size at which the page is printed.
    pub const fn ratio(&self) -> f64 {
        match self {
            Self::AsIs | Self::Cropped { .. } => 1.0,
            Self::Shrunk { ratio } => *ratio,
        }
    }

    /// One line for the clerk about a page of this size on a printer that can print `area` dots; `None` when there is
    /// nothing to say.
    pub fn note(&self, size_mm: (f64, f64), area: (u32, u32), scale: Scale) -> Option<String> {
        let mm = |dots: u32| f64::from(dots) / scale.get();
        let sizes = format!(
            "The label is {} and the printer can print {}",
            millimetres(size_mm),
            millimetres((mm(area.0), mm(area.1)))
        );
        match *self {
            Self::AsIs => None,
            Self::Cropped {
                left_dots,
                right_dots,
                top_dots,
                bottom_dots: _,
            } => {
                // White paper that would have come after the label is nobody's loss.
                let most = (left_dots + right_dots).max(top_dots);
                (mm(most) > NOT_WORTH_A_NOTE_MM).then(|| {
                    format!("{sizes}: blank edges are left off, and it keeps its full size")
                })
            }
            Self::Shrunk { ratio } => Some(format!(
                "{sizes}: it is printed at {:.0} % of its size",
                ratio * 100.0
            )),
        }
    }
}

/// `105 × 148 mm`.
pub fn millimetres((width, height): (f64, f64)) -> String {
    format!("{width:.0} × {height:.0} mm")
}

/// What has to be done to a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Nothing: it fits.
    AsIs,
    /// Print this part of it: only blank edges are gone.
    Crop { bitmap: Bitmap, fit: Fit },
    /// Draw it again at this scale, at which its ink fits.
    Redraw { scale: Scale },
}

/// Decides for one page and a printer that can print `area` dots.
pub fn plan(page: &Page, area: (u32, u32)) -> Plan {
    let bitmap = &page.bitmap;
    if bitmap.width() <= area.0 && bitmap.height() <= area.1 {
        return Plan::AsIs;
    }
    let (columns, rows) = (bitmap.ink_columns().unwrap_or_default(), bitmap.ink_rows());
    // Paper runs centred below a head, and begins where the page begins.
    let left = window(bitmap.width(), &columns, area.0, true);
    let top = window(bitmap.height(), &rows, area.1, false);
    let size = (bitmap.width().min(area.0), bitmap.height().min(area.1));
    if let (Some(left), Some(top)) = (left, top)
        && let Some(part) = bitmap.part((left, top), size)
    {
        let fit = Fit::cropped(bitmap, (left, top), size);
        return Plan::Crop { bitmap: part, fit };
    }
    let margin = whole(MARGIN_MM * page.scale.get());
    let ratio = |ink: &Range<u32>, side: u32, room: u32| {
        let needed = with_margin(ink, side, margin);
        f64::from(room) / f64::from((needed.end - needed.start).max(1))
    };
    let ratio = ratio(&columns, bitmap.width(), area.0).min(ratio(&rows, bitmap.height(), area.1));
    // A thousandth less, so that rounding to whole dots never gives one too many.
    Scale::dots_per_mm(page.scale.get() * ratio.min(1.0) * 0.999)
        .map_or(Plan::AsIs, |scale| Plan::Redraw { scale })
}

/// Where a part of `room` dots begins on a side so that all ink is in it; nothing where the ink is longer.
fn window(side: u32, ink: &Range<u32>, room: u32, is_centred: bool) -> Option<u32> {
    if side <= room {
        return Some(0);
    }
    // A blank dot stays beside the ink where there is one: ink at the very edge looks cut off.
    let ink = with_margin(ink, side, 1);
    if ink.end - ink.start > room {
        return None;
    }
    let usual = if is_centred { (side - room) / 2 } else { 0 };
    if usual <= ink.start && ink.end <= usual + room {
        return Some(usual);
    }
    let middle = u32::midpoint(ink.start, ink.end);
    Some(middle.saturating_sub(room / 2).min(side - room))
}

/// The ink and so much white beside it as the side has, up to `margin`.
fn with_margin(ink: &Range<u32>, side: u32, margin: u32) -> Range<u32> {
    ink.start.saturating_sub(margin)..ink.end.saturating_add(margin).min(side)
}
