//! A page onto a printer's head, which may be a few dots narrower: A6 is 840 dots at 8 a millimetre, a 4-inch head 812 to 832.
//!
//! What always holds: no black dot is cropped; bars are never resampled, a page that must shrink is drawn again at the
//! smaller scale; and whatever was done is said.

use super::page::{Bitmap, Page, Scale};

/// How a page comes onto the head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fit {
    /// As it is.
    AsIs,
    /// Blank columns were left off at both sides. The paper stays as blank there, so a barcode's quiet zone does too.
    Cropped { left_dots: u32, right_dots: u32 },
    /// Drawn smaller; 1 is full size.
    Shrunk { ratio: f64 },
}

impl Fit {
    /// One line for the clerk; `None` when nothing was done.
    pub fn note(&self, page: &Page, head_dots: u32) -> Option<String> {
        let width = page.bitmap.width();
        match self {
            Self::AsIs => None,
            Self::Cropped {
                left_dots,
                right_dots,
            } => Some(format!(
                "The label is {width} dots wide and the printer {head_dots}: {} blank dots at the edges were left off",
                left_dots + right_dots
            )),
            Self::Shrunk { ratio } => Some(format!(
                "The label is {width} dots wide and the printer {head_dots}: it was drawn at {:.1} % of its size",
                ratio * 100.0
            )),
        }
    }
}

/// What has to be done to a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Nothing: it fits.
    AsIs,
    /// Take this instead; only blank columns are gone.
    Crop { bitmap: Bitmap, fit: Fit },
    /// Draw it again at this scale.
    Redraw { scale: Scale, fit: Fit },
}

/// Decides for one page and a head of `head_dots`.
pub fn plan(page: &Page, head_dots: u32) -> Plan {
    let width = page.bitmap.width();
    if width <= head_dots || head_dots == 0 {
        return Plan::AsIs;
    }
    let ink = page.bitmap.ink_columns().unwrap_or(0..0);
    if ink.end - ink.start <= head_dots {
        // Even at both sides, as the paper runs centred under the head, unless that would touch ink.
        let spare = width - head_dots;
        let left = (spare / 2)
            .min(ink.start)
            .max(ink.end.saturating_sub(head_dots));
        if let Some(bitmap) = page.bitmap.columns(left, head_dots) {
            return Plan::Crop {
                bitmap,
                fit: Fit::Cropped {
                    left_dots: left,
                    right_dots: spare - left,
                },
            };
        }
    }
    // A thousandth less, so that rounding to whole dots never gives one too many.
    let ratio = f64::from(head_dots) / f64::from(width) * 0.999;
    match Scale::dots_per_mm(page.scale.get() * ratio) {
        Some(scale) => Plan::Redraw {
            scale,
            fit: Fit::Shrunk { ratio },
        },
        None => Plan::AsIs,
    }
}
