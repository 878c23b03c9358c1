//! A printer as the bench knows it: where it is, which language it speaks, how fine its head is, what paper is in it.
//!
//! Profiles are the clerk's choice and are stored with the bench's settings. [`suggest`] proposes one from what the print
//! service tells; nothing ever switches a profile by itself, since a wrong language prints garbage on a whole roll.
//! A profile that an older Packbench stored is still read: what it lacks has its usual value.

mod kinds;
mod place;
mod suggest;

use std::num::{NonZeroU8, NonZeroU16};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use kinds::{DocumentKind, Fitting, Language, Media};
pub use place::{Destination, RAW_PORT, UnknownPlaceholder};
pub(super) use place::{PIECE, plain};
pub use suggest::{Suggestion, disagreement, suggest, taken_instead};

use super::page::Scale;

/// One printer of the bench.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PrinterProfile {
    /// What the clerk calls it.
    pub name: String,
    /// Where the bytes go.
    pub destination: Destination,
    /// What the bytes are.
    pub language: Language,
    /// How fine the head is.
    pub dots_per_mm: Scale,
    /// The widest row that the head prints; `None` when it is as wide as the paper.
    #[serde(default)]
    pub head_width_dots: Option<u32>,
    /// The paper in it.
    pub media: Media,
    /// Between two labels, in millimetres. Told to printers whose language asks for it.
    #[serde(default = "usual_gap")]
    pub gap_mm: f64,
    /// How far every dot is moved, since no roll sits quite where the head thinks.
    #[serde(default)]
    pub offset: Offset,
    /// What becomes of a page that is larger than what the printer can print.
    #[serde(default)]
    pub fitting: Fitting,
    /// The least size at which labels are printed without asking, in per cent of their own.
    #[serde(default = "usual_least_percent")]
    pub least_percent: u8,
    /// How many of each label.
    #[serde(default = "once")]
    pub copies: NonZeroU8,
    /// What is printed here. No two printers of a bench hold the same.
    #[serde(default)]
    pub documents: Vec<DocumentKind>,
    /// How long a job may wait in the queue before the bench takes it back, in minutes: one that comes out hours later
    /// is stuck on the wrong parcel.
    #[serde(default = "half_an_hour")]
    pub expiry_minutes: NonZeroU16,
    /// The last test label, and whether it was scanned back.
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

/// Codes are made to be read at nine tenths of their size.
pub const USUAL_LEAST_PERCENT: u8 = 90;

/// What nothing else was said about.
pub const USUAL_EXPIRY: NonZeroU16 = match NonZeroU16::new(30) {
    Some(minutes) => minutes,
    None => NonZeroU16::MIN,
};

const fn half_an_hour() -> NonZeroU16 {
    USUAL_EXPIRY
}

impl Default for PrinterProfile {
    /// ZPL at 8 dots a millimetre on A6, to no queue: the commonest label printer, before anybody said where it is.
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
            fitting: Fitting::Fit,
            least_percent: USUAL_LEAST_PERCENT,
            copies: once(),
            documents: Vec::new(),
            expiry_minutes: USUAL_EXPIRY,
            test: None,
        }
    }
}

/// To the right and down, in dots; less than 0 is to the left and up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offset {
    pub x_dots: i32,
    pub y_dots: i32,
}

/// A test label that was printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestLabel {
    /// What its code says.
    pub token: String,
    /// When it was handed over.
    pub printed: Timestamp,
    /// When it was scanned back: this printer burns codes that read.
    #[serde(default)]
    pub proved: Option<Timestamp>,
}

impl PrinterProfile {
    /// Whether a test label of `other` says anything of this one: everything that decides what is on the paper is alike.
    pub fn prints_like(&self, other: &Self) -> bool {
        self.destination == other.destination
            && self.language == other.language
            && self.dots_per_mm == other.dots_per_mm
            && self.head_width_dots == other.head_width_dots
            && self.media == other.media
            && self.offset == other.offset
    }

    /// The width and height that the printer can print, in dots: those of the paper, or of a narrower head.
    pub fn paper_dots(&self) -> (u32, u32) {
        let (width, height) = self.media.size_mm();
        let dots = |mm: f64| match self.language {
            // Drivers count whole dots an inch. A dot beyond the edge of the paper would be a page more.
            Language::PageImage => {
                let per_inch = (self.dots_per_mm.get() * 25.4).round();
                whole((mm / 25.4 * per_inch + 0.001).floor())
            }
            _ => whole(mm * self.dots_per_mm.get()),
        };
        let head = self.head_width_dots.unwrap_or(u32::MAX);
        (dots(width).min(head), dots(height))
    }
}

/// To whole dots; what is no size is 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded and kept between its limits"
)]
pub(super) fn whole(dots: f64) -> u32 {
    dots.round()
        .clamp(0.0, f64::from(super::page::LONGEST_SIDE_DOTS)) as u32
}
