//! Fits a page to the printable size: the width of the print head or of the paper, whichever is narrower, and the
//! length of the paper. Also shifts pages, because no roll of labels sits exactly where the print head expects it.
//!
//! Invariant: no black dot is cut off, and bars are never resampled. A page that has to shrink is rendered again at
//! one smaller scale. A shift that would push dots off the print head or the paper is reduced, and the caller is told
//! how far the page was shifted.

use std::ops::Range;

use super::page::{Bitmap, Page, Scale};
use super::profile::{Offset, round_to_dots};

/// The white margin in millimetres that a shrunk page keeps for the quiet zone of its codes, if the page has
/// as much white.
const MARGIN_MM: f64 = 2.5;

/// The width in millimetres up to which blank edges are cropped without a note to the clerk.
const NOT_WORTH_A_NOTE_MM: f64 = 0.5;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fit {
    AsIs,
    Cropped {
        left_dots: u32,
        right_dots: u32,
        top_dots: u32,
        bottom_dots: u32,
    },
    /// The page is rendered smaller. A ratio of 1 would be full size.
    Shrunk {
        ratio: f64,
    },
}

impl Fit {
    /// Returns the fit for cropping `page` to the part of the given size at `left`, `top`.
    pub fn cropped(page: &Bitmap, (left, top): (u32, u32), (width, height): (u32, u32)) -> Self {
        Self::Cropped {
            left_dots: left,
            right_dots: page.width() - left - width,
            top_dots: top,
            bottom_dots: page.height() - top - height,
        }
    }

    /// Returns the printed size divided by the full size.
    pub const fn ratio(&self) -> f64 {
        match self {
            Self::AsIs | Self::Cropped { .. } => 1.0,
            Self::Shrunk { ratio } => *ratio,
        }
    }

    /// Returns one line for the clerk about a page of this size on a printer that can print `area` dots; `None` if
    /// nothing important changed.
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
                // White space cropped below the label does not matter.
                let most = (left_dots + right_dots).max(top_dots);
                let note = "blank edges are cut off, and the label is printed at full size";
                (mm(most) > NOT_WORTH_A_NOTE_MM).then(|| format!("{sizes}: {note}"))
            }
            Self::Shrunk { ratio } => {
                let percent = ratio * 100.0;
                Some(format!(
                    "{sizes}: it is printed at {percent:.0} % of its size"
                ))
            }
        }
    }
}

/// Formats a size, for example `105 × 148 mm`.
pub fn millimetres((width, height): (f64, f64)) -> String {
    format!("{width:.0} × {height:.0} mm")
}

#[derive(Debug, Clone, PartialEq)]
pub enum FitPlan {
    AsIs,
    /// Print this part of the page; only blank edges are cropped.
    Crop {
        bitmap: Bitmap,
        fit: Fit,
    },
    /// Render the page again at this scale, at which its black dots fit.
    Redraw {
        scale: Scale,
    },
}

/// Decides how to fit a page to a printer that can print `area` dots.
pub fn plan(page: &Page, area: (u32, u32)) -> FitPlan {
    let bitmap = &page.bitmap;
    if bitmap.width() <= area.0 && bitmap.height() <= area.1 {
        return FitPlan::AsIs;
    }
    let (columns, rows) = (bitmap.ink_columns().unwrap_or_default(), bitmap.ink_rows());
    // The page is centred across the print head, so both sides may be cropped. Along the paper, page and paper start
    // together, so only the end is cropped.
    let left = window(bitmap.width(), &columns, area.0, true);
    let top = window(bitmap.height(), &rows, area.1, false);
    let size = (bitmap.width().min(area.0), bitmap.height().min(area.1));
    if let (Some(left), Some(top)) = (left, top)
        && let Some(part) = bitmap.part((left, top), size)
    {
        let fit = Fit::cropped(bitmap, (left, top), size);
        return FitPlan::Crop { bitmap: part, fit };
    }
    let margin = round_to_dots(MARGIN_MM * page.scale.get());
    let ratio = |ink: &Range<u32>, side: u32, room: u32| {
        let needed = with_margin(ink, side, margin);
        f64::from(room) / f64::from((needed.end - needed.start).max(1))
    };
    let ratio = ratio(&columns, bitmap.width(), area.0).min(ratio(&rows, bitmap.height(), area.1));
    // The scale is a thousandth smaller than necessary, so that rounding never gives one dot too many.
    Scale::dots_per_mm(page.scale.get() * ratio.min(1.0) * 0.999)
        .map_or(FitPlan::AsIs, |scale| FitPlan::Redraw { scale })
}

/// Returns where a part of `room` dots must start so that it contains all the ink; `None` if the ink is
/// longer than `room`.
fn window(side: u32, ink: &Range<u32>, room: u32, is_centred: bool) -> Option<u32> {
    if side <= room {
        return Some(0);
    }
    // Keep one blank dot beside the ink if possible: ink at the very edge looks cut off.
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

/// Extends the range of ink by up to `margin` dots of white on each side.
fn with_margin(ink: &Range<u32>, side: u32, margin: u32) -> Range<u32> {
    ink.start.saturating_sub(margin)..ink.end.saturating_add(margin).min(side)
}

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
fn limit_shift(wanted: i32, ink: Range<u32>, size: u32) -> i32 {
    let signed = |dots: u32| i32::try_from(dots).unwrap_or(i32::MAX);
    wanted.clamp(-signed(ink.start), signed(size.saturating_sub(ink.end)))
}

fn copied(page: &Bitmap, by: Offset, width: u32, height: u32) -> Option<Bitmap> {
    let moved = page.black_dots().filter_map(|(x, y)| {
        let x = x.checked_add_signed(by.x_dots)?;
        Some((x, y.checked_add_signed(by.y_dots)?))
    });
    Bitmap::from_black_dots(width, height, moved)
}
