//! Printer profiles: where a printer is (a queue, a network port, an IPP address or a file), its language, its
//! resolution and its paper.
//!
//! The clerk chooses a profile, and it is stored with the settings. [`suggest()`] proposes one from the
//! information of the print service. A profile is never switched automatically, since a wrong language prints
//! garbage on a whole roll. Profiles stored by an older Packbench can still be read: missing fields get their
//! default values.

mod suggest;

use std::net::Ipv6Addr;
use std::num::{NonZeroU8, NonZeroU16};
use std::path::PathBuf;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use suggest::{Suggestion, accepted_alternative, contradicting_suggestion, suggest};

pub use super::languages::Language;
use super::page::Scale;

/// Declares a list of choices in the order in which the screen offers them, each with its name there.
macro_rules! choices {
    ($(#[$about:meta])* $list:ident { $($(#[$doc:meta])* $choice:ident: $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $list {
            $($(#[$doc])* $choice,)*
        }

        impl $list {
            /// All choices, in the order in which the screen offers them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$choice),*];

            /// Returns the name shown on the screen.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$choice => $name,)*
                }
            }
        }
    };
}

pub(super) use choices;

choices! {
    #[derive(Default)]
    Media {
        /// 105 × 148 mm, the usual label.
        #[default]
        A6: "A6",
        #[serde(rename = "100x150_mm")]
        Mm100x150: "100 × 150 mm",
        /// 4 × 6 inches, the usual label in America.
        #[serde(rename = "4x6_inch")]
        Inch4x6: "4 × 6 inch",
        /// 210 × 297 mm.
        A4: "A4",
        /// 8.5 × 11 inches.
        Letter: "Letter",
        /// The size of [`PrinterProfile::own_paper`].
        Own: "Own size",
    }
}

impl Media {
    /// Returns whether documents are laid out for this paper. On other paper they are printed smaller.
    pub const fn is_for_documents(self) -> bool {
        matches!(self, Self::A4 | Self::Letter)
    }

    /// Returns the width and height in millimetres; `None` for a size of the profile's own.
    pub const fn size_mm(self) -> Option<(f64, f64)> {
        Some(match self {
            Self::Own => return None,
            Self::A6 => (105.0, 148.0),
            Self::A4 => (210.0, 297.0),
            Self::Letter => (215.9, 279.4),
            Self::Inch4x6 => (101.6, 152.4),
            Self::Mm100x150 => (100.0, 150.0),
        })
    }

    /// Returns the name in the Internet Printing Protocol and CUPS (PWG 5101.1); `None` for a size of the profile's own,
    /// which has no such name.
    pub const fn keyword(self) -> Option<&'static str> {
        Some(match self {
            Self::Own => return None,
            Self::A6 => "iso_a6_105x148mm",
            Self::A4 => "iso_a4_210x297mm",
            Self::Letter => "na_letter_8.5x11in",
            Self::Inch4x6 => "na_index-4x6_4x6in",
            Self::Mm100x150 => "om_small-photo_100x150mm",
        })
    }
}

choices! {
    /// The treatment of a page that is larger than the printable area.
    #[derive(Default)]
    FitMode {
        /// Blank edges are cropped. If that is not enough, the page is rendered smaller.
        #[default]
        Fit: "Fit to the paper",
        /// The page keeps its size and loses its edges if every code can still be read; otherwise it
        /// is rendered smaller.
        Crop: "Full size, cut the edges",
    }
}

choices! {
    /// How far a page is turned clockwise before it is fitted to the paper, for rolls on which labels lie sideways.
    #[derive(Default)]
    Rotation {
        #[default]
        None: "Not turned",
        Quarter: "90° clockwise",
        Half: "180°",
        ThreeQuarters: "90° anticlockwise",
    }
}

impl Rotation {
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Quarter => Self::ThreeQuarters,
            Self::ThreeQuarters => Self::Quarter,
            other => other,
        }
    }

    /// Returns whether width and height change places.
    pub const fn is_sideways(self) -> bool {
        matches!(self, Self::Quarter | Self::ThreeQuarters)
    }
}

choices! {
    /// How a label printer finds the start of the next label.
    Sensing {
        Gap: "Gap between labels",
        Mark: "Black mark",
        Continuous: "Continuous paper",
    }
}

/// The shortest and the longest side of paper of the profile's own size, in millimetres.
pub const OWN_PAPER_MM: std::ops::RangeInclusive<f64> = 10.0..=1_000.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PrinterProfile {
    pub name: String,
    /// Where the bytes go.
    pub destination: Destination,
    pub language: Language,
    #[schemars(with = "f64")]
    pub dots_per_mm: Scale,
    /// The width of the print head; `None` if it is as wide as the paper.
    pub head_width_dots: Option<u32>,
    pub media: Media,
    /// The width and height in millimetres of paper of its own size ([`Media::Own`]).
    pub own_paper: (f64, f64),
    pub rotation: Rotation,
    /// How the printer finds the next label; `None` for what the language usually says: TSPL and EPL a gap, ZPL nothing,
    /// so that the printer's own setting counts.
    pub sensing: Option<Sensing>,
    /// The gap between two labels or the height of the black mark in millimetres, for printer languages that need it.
    pub gap_mm: f64,
    /// How dark the printer burns; `None` for the printer's own setting. The range is that of [`Language::darkness`].
    pub darkness: Option<u8>,
    /// How fast the printer moves the paper; `None` for the printer's own setting. The range is that of
    /// [`Language::speed`].
    pub speed: Option<u8>,
    /// How far every dot is shifted, because no roll sits exactly where the print head expects it.
    pub offset: Offset,
    /// The treatment of a page that is larger than the printable area.
    pub fitting: FitMode,
    /// The smallest size at which labels are printed without asking, in per cent of their own size.
    pub least_percent: u8,
    pub copies: NonZeroU8,
    /// How long a job may wait in the queue before we cancel it, in minutes: a label that comes out hours
    /// later ends up on the wrong parcel.
    pub expiry_minutes: NonZeroU16,
    /// The last test label, and whether it was scanned.
    #[schemars(skip)]
    pub test: Option<TestLabel>,
}

/// The default of [`PrinterProfile::least_percent`]: barcodes are designed to be readable at nine tenths
/// of their size.
pub const USUAL_LEAST_PERCENT: u8 = 90;

/// The default of [`PrinterProfile::expiry_minutes`].
pub const USUAL_EXPIRY: NonZeroU16 = match NonZeroU16::new(30) {
    Some(minutes) => minutes,
    None => NonZeroU16::MIN,
};

impl Default for PrinterProfile {
    /// Returns a profile for the most common label printer, ZPL at 8 dots per millimetre on A6, without a queue.
    fn default() -> Self {
        Self {
            name: String::new(),
            destination: Destination::Queue(String::new()),
            language: Language::Zpl,
            dots_per_mm: Scale::DOTS_8,
            head_width_dots: None,
            media: Media::A6,
            own_paper: (100.0, 50.0),
            rotation: Rotation::None,
            sensing: None,
            darkness: None,
            speed: None,
            gap_mm: 3.0,
            offset: Offset::default(),
            fitting: FitMode::Fit,
            least_percent: USUAL_LEAST_PERCENT,
            copies: NonZeroU8::MIN,
            expiry_minutes: USUAL_EXPIRY,
            test: None,
        }
    }
}

/// A shift to the right and down, in dots; negative values shift to the left and up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Offset {
    pub x_dots: i32,
    pub y_dots: i32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestLabel {
    /// The text of the label's barcode.
    pub token: String,
    pub printed: Timestamp,
    /// When the barcode was scanned, which proves that this printer prints readable codes.
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
            && self.paper_mm() == other.paper_mm()
            && self.rotation == other.rotation
            && (self.darkness, self.speed) == (other.darkness, other.speed)
            && (self.sensing, self.gap_mm) == (other.sensing, other.gap_mm)
            && self.offset == other.offset
    }

    /// Returns the width and height of the paper in millimetres.
    pub fn paper_mm(&self) -> (f64, f64) {
        let (shortest, longest) = (*OWN_PAPER_MM.start(), *OWN_PAPER_MM.end());
        let side = |mm: f64| mm.clamp(shortest, longest);
        let (width, height) = self.own_paper;
        { self.media.size_mm() }.unwrap_or((side(width), side(height)))
    }

    /// Returns the name of the paper, or its size if that is the profile's own.
    pub fn paper_name(&self) -> String {
        match self.media {
            Media::Own => format!("{} × {} mm", self.paper_mm().0, self.paper_mm().1),
            media => media.name().to_owned(),
        }
    }

    /// Returns the printable width and height in dots of a page before it is turned.
    pub fn page_dots(&self) -> (u32, u32) {
        let (width, height) = self.printable_dots();
        if self.page_rotation().is_sideways() {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// Returns how far pages are turned. A PDF is given to the printer as it is.
    pub fn page_rotation(&self) -> Rotation {
        if self.language.is_dots() {
            self.rotation
        } else {
            Rotation::None
        }
    }

    /// Returns the printable width and height in dots: the size of the paper, limited to the width of the print head.
    pub fn printable_dots(&self) -> (u32, u32) {
        let (width, height) = self.paper_mm();
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

/// The raw printing port, on which nearly every label printer listens.
pub const RAW_PORT: u16 = 9100;

/// Where the bytes go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    /// A queue of the print service, by its name there.
    Queue(String),
    /// A printer on the network that accepts raw bytes.
    Socket {
        host: String,
        #[serde(default = "raw_port")]
        port: u16,
    },
    /// A printer on the network that speaks IPP, used without a queue: `ipp://host:631/ipp/print`.
    Ipp(String),
    /// A file, or a folder in which each job makes a new file. Existing files are never replaced. The file
    /// name may contain [`NUMBER_PLACEHOLDER`] and [`PIECE_PLACEHOLDER`].
    File(PathBuf),
}

/// The placeholder for the consignment's number in a file name.
const NUMBER_PLACEHOLDER: &str = "{number}";

/// The placeholder for the label's number within its consignment, from 1, in a file name. Each label gets
/// its own file.
pub(super) const PIECE_PLACEHOLDER: &str = "{piece}";

fn raw_port() -> u16 {
    RAW_PORT
}

impl Destination {
    /// Parses `host`, `host:port`, `v6` or `[v6]:port`; `None` if the text is none of them.
    pub fn socket(text: &str) -> Option<Self> {
        let (host, port) = parse_address(text, RAW_PORT)?;
        (port != 0).then_some(Self::Socket { host, port })
    }

    /// Parses `ipp://host/path` or `ipp://host:port/path`; `None` if the text is not such an address.
    pub fn ipp(text: &str) -> Option<Self> {
        let uri = url::Url::parse(text.trim()).ok()?;
        let plain = uri.scheme() == "ipp"
            && uri.host_str().is_some_and(|host| !host.is_empty())
            && uri.username().is_empty()
            && uri.password().is_none();
        plain.then(|| Self::Ipp(uri.to_string()))
    }

    /// Makes a destination from the path of a file or folder. Returns an error if the path contains a placeholder
    /// that would not be filled in.
    pub fn file(path: &str) -> Result<Self, UnknownPlaceholder> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let folder = &path[..path.len() - name.len()];
        let placeholders = [NUMBER_PLACEHOLDER, PIECE_PLACEHOLDER];
        let rest = placeholders
            .iter()
            .fold(name.to_owned(), |name, one| name.replace(one, ""));
        if rest.contains(['{', '}']) || placeholders.iter().any(|one| folder.contains(one)) {
            return Err(UnknownPlaceholder);
        }
        Ok(Self::File(path.into()))
    }

    /// Replaces [`NUMBER_PLACEHOLDER`] by the number of the job's consignment or document.
    #[must_use]
    pub fn of_job(&self, number: &str) -> Self {
        let Self::File(path) = self else {
            return self.clone();
        };
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.filter(|name| name.contains(NUMBER_PLACEHOLDER)) else {
            return self.clone();
        };
        let name = name.replace(NUMBER_PLACEHOLDER, &to_file_name(number));
        Self::File(path.with_file_name(name))
    }

    /// Describes the destination in a few words for the screen.
    pub fn label(&self) -> String {
        match self {
            Self::Queue(name) | Self::Ipp(name) => name.clone(),
            Self::Socket { host, port } => format_address(host, *port),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Returns the queue name or `ipp://` address at which the state of jobs can be queried; `None` for ports and
    /// files, which cannot be queried.
    pub fn query_target(&self) -> Option<&str> {
        match self {
            Self::Queue(name) | Self::Ipp(name) => Some(name),
            Self::Socket { .. } | Self::File(_) => None,
        }
    }
}

/// The error for a path with a placeholder that would not be filled in. Only [`NUMBER_PLACEHOLDER`] and
/// [`PIECE_PLACEHOLDER`] are filled in, and only in the file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Only {NUMBER_PLACEHOLDER} and {PIECE_PLACEHOLDER} are filled in, in the file's name")]
pub struct UnknownPlaceholder;

/// Splits `host`, `host:port`, `v6`, `[v6]` or `[v6]:port`; `None` if the text is none of them.
pub(super) fn parse_address(text: &str, usual_port: u16) -> Option<(String, u16)> {
    let text = text.trim();
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, usual_port),
        Some((host, port)) => (host, port.strip_prefix(':')?.parse().ok()?),
        None if text.parse::<Ipv6Addr>().is_ok() => (text, usual_port),
        None => match text.split_once(':') {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (text, usual_port),
        },
    };
    let is_plain = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c == '/');
    is_plain.then(|| (host.to_owned(), port))
}

/// Formats `host:port`, with brackets around an IPv6 host.
pub(super) fn format_address(host: &str, port: u16) -> String {
    if host.contains(':') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    }
}

/// Reduces a text to at most 80 ASCII letters, digits and hyphens, which every file system accepts as a name.
pub(super) fn to_file_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let plain: String = text.chars().map(plain).take(80).collect();
    plain.trim_matches('-').to_owned()
}
