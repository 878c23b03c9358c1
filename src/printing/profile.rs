//! Printer profiles: where a printer is, its language, its resolution and its paper.
//!
//! The clerk chooses a profile, and it is stored with the settings. [`suggest()`] proposes one from the
//! information of the print service. A profile is never switched automatically, since a wrong language prints
//! garbage on a whole roll. Profiles stored by an older Packbench can still be read: missing fields get their
//! default values.

mod choices;
mod destination;
mod suggest;

use std::num::{NonZeroU8, NonZeroU16};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use choices::{DocumentKind, FitMode, Language, Media};
pub use destination::{Destination, RAW_PORT, UnknownPlaceholder};
pub(super) use destination::{PIECE_PLACEHOLDER, to_file_name};
pub use suggest::{Suggestion, accepted_alternative, contradicting_suggestion, suggest};

use super::page::Scale;

/// The settings of one printer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PrinterProfile {
    /// The name that the clerk gave the printer.
    pub name: String,
    /// Where the bytes go.
    pub destination: Destination,
    /// The language that the printer is given.
    pub language: Language,
    /// The resolution of the print head.
    pub dots_per_mm: Scale,
    /// The width of the print head; `None` if it is as wide as the paper.
    #[serde(default)]
    pub head_width_dots: Option<u32>,
    /// The paper in the printer.
    pub media: Media,
    /// The gap between two labels in millimetres, for printer languages that need it.
    #[serde(default = "usual_gap")]
    pub gap_mm: f64,
    /// How far every dot is shifted, because no roll sits exactly where the print head expects it.
    #[serde(default)]
    pub offset: Offset,
    /// The treatment of a page that is larger than the printable area.
    #[serde(default)]
    pub fitting: FitMode,
    /// The smallest size at which labels are printed without asking, in per cent of their own size.
    #[serde(default = "usual_least_percent")]
    pub least_percent: u8,
    /// The number of copies of each label.
    #[serde(default = "once")]
    pub copies: NonZeroU8,
    /// The kinds of document printed here. No two printers share a kind.
    #[serde(default)]
    pub documents: Vec<DocumentKind>,
    /// How long a job may wait in the queue before we cancel it, in minutes: a label that comes out hours
    /// later ends up on the wrong parcel.
    #[serde(default = "half_an_hour")]
    pub expiry_minutes: NonZeroU16,
    /// The last test label, and whether it was scanned.
    #[serde(default)]
    pub test: Option<TestLabel>,
}

fn once() -> NonZeroU8 {
    NonZeroU8::MIN
}

const fn usual_gap() -> f64 {
    3.0
}

const fn usual_least_percent() -> u8 {
    USUAL_LEAST_PERCENT
}

/// Barcodes are designed to be readable at nine tenths of their size.
pub const USUAL_LEAST_PERCENT: u8 = 90;

/// The default of [`PrinterProfile::expiry_minutes`].
pub const USUAL_EXPIRY: NonZeroU16 = match NonZeroU16::new(30) {
    Some(minutes) => minutes,
    None => NonZeroU16::MIN,
};

const fn half_an_hour() -> NonZeroU16 {
    USUAL_EXPIRY
}

impl Default for PrinterProfile {
    /// The most common label printer: ZPL at 8 dots per millimetre on A6. The queue is still unknown.
    fn default() -> Self {
        Self {
            name: String::new(),
            destination: Destination::Queue(String::new()),
            language: Language::Zpl,
            dots_per_mm: Scale::DOTS_8,
            head_width_dots: None,
            media: Media::A6,
            gap_mm: usual_gap(),
            offset: Offset::default(),
            fitting: FitMode::Fit,
            least_percent: USUAL_LEAST_PERCENT,
            copies: once(),
            documents: Vec::new(),
            expiry_minutes: USUAL_EXPIRY,
            test: None,
        }
    }
}

/// A shift to the right and down, in dots; negative values shift to the left and up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offset {
    pub x_dots: i32,
    pub y_dots: i32,
}

/// A test label that was printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestLabel {
    /// The text of the label's barcode.
    pub token: String,
    /// When the test label was sent.
    pub printed: Timestamp,
    /// When the barcode was scanned, which proves that this printer prints readable codes.
    #[serde(default)]
    pub proved: Option<Timestamp>,
}

impl PrinterProfile {
    /// Returns whether a test label of `other` is valid for this profile too: everything that affects the
    /// print is equal.
    pub fn prints_like(&self, other: &Self) -> bool {
        self.destination == other.destination
            && self.language == other.language
            && self.dots_per_mm == other.dots_per_mm
            && self.head_width_dots == other.head_width_dots
            && self.media == other.media
            && self.offset == other.offset
    }

    /// The printable width and height in dots: the size of the paper, limited to the width of the print head.
    pub fn printable_dots(&self) -> (u32, u32) {
        let (width, height) = self.media.size_mm();
        let dots = |mm: f64| match self.language {
            // Drivers count whole dots per inch. A single dot beyond the edge of the paper would
            // cause another page.
            Language::PageImage => {
                let per_inch = (self.dots_per_mm.get() * 25.4).round();
                round_to_dots((mm / 25.4 * per_inch + 0.001).floor())
            }
            _ => round_to_dots(mm * self.dots_per_mm.get()),
        };
        let head = self.head_width_dots.unwrap_or(u32::MAX);
        (dots(width).min(head), dots(height))
    }
}

/// Rounds to whole dots. Negative numbers and NaN become 0, and [`super::page::LONGEST_SIDE_DOTS`]
/// is the maximum.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded and kept between its limits"
)]
pub(super) fn round_to_dots(dots: f64) -> u32 {
    dots.round()
        .clamp(0.0, f64::from(super::page::LONGEST_SIDE_DOTS)) as u32
}
