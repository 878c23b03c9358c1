//! The printer languages, one row each, and their encoders.
//!
//! A label is one graphic, so only the few commands around it differ between languages. Of the printer's own
//! settings, the commands change only those that place the label, and those that the profile sets.

use std::io::Read as _;
use std::ops::RangeInclusive;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crc::{CRC_16_XMODEM, Crc};
use flate2::Compression;
use flate2::read::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::page::Bitmap;
use super::profile::{PrinterProfile, Sensing, choices};

#[derive(Debug, Clone, Copy)]
pub enum Encoder {
    /// Encodes one label in the printer's own language, with its number of copies. The bytes must reach the printer
    /// unchanged: a driver would print them as text.
    Label(fn(&Bitmap, &PrinterProfile) -> Vec<u8>),
    /// Our bitmaps as an image of one or more pages ([`super::image_pages`]), which a driver or the printer prints.
    Image,
    /// The document itself, which the print service or the printer renders.
    Document,
}

/// Declares the languages in the order in which the screen offers them. If a printer names several languages, the
/// first in this order is suggested. For a label printer's language, `name` is also the name in the printer's device
/// id (`CMD:`).
macro_rules! languages {
    ($($(#[$doc:meta])* $language:ident {
        name: $name:literal, extension: $extension:literal, uses_gap: $uses_gap:literal, encoder: $encoder:expr,
        darkness: $darkness:expr, speed: $speed:expr,
    })*) => {
        choices! {
            /// The language or format of the bytes that a printer is given.
            #[derive(Default)]
            Language {
                $($(#[$doc])* $language: $name,)*
            }
        }

        impl Language {
            pub const fn extension(self) -> &'static str {
                match self { $(Self::$language => $extension,)* }
            }

            /// Returns whether each label states the gap between labels. Otherwise the printer measures the gap, or
            /// the driver knows the paper.
            pub const fn uses_gap(self) -> bool {
                match self { $(Self::$language => $uses_gap,)* }
            }

            /// Returns the range of the darkness; `None` if the language has no command for it.
            pub const fn darkness(self) -> Option<RangeInclusive<u8>> {
                match self { $(Self::$language => $darkness,)* }
            }

            /// Returns the range of the speed, in the language's own steps; `None` if the language has no command for it.
            pub const fn speed(self) -> Option<RangeInclusive<u8>> {
                match self { $(Self::$language => $speed,)* }
            }

            pub const fn encoder(self) -> Encoder {
                match self { $(Self::$language => $encoder,)* }
            }
        }
    };
}

languages! {
    /// Zebra's language, ZPL II, which many other label printers speak too.
    #[default]
    Zpl { name: "ZPL", extension: "zpl", uses_gap: false, encoder: Encoder::Label(zpl),
        darkness: Some(0..=30), speed: Some(2..=14), }
    /// TSC's language, which many other label printers speak too.
    Tspl { name: "TSPL", extension: "tspl", uses_gap: true, encoder: Encoder::Label(tspl),
        darkness: Some(0..=15), speed: Some(1..=18), }
    /// Eltron's language, EPL2, for older Zebra printers.
    Epl { name: "EPL", extension: "epl", uses_gap: true, encoder: Encoder::Label(epl),
        darkness: Some(0..=15), speed: Some(1..=6), }
    PageImage { name: "Page image", extension: "png", uses_gap: false, encoder: Encoder::Image,
        darkness: None, speed: None, }
    Pdf { name: "PDF", extension: "pdf", uses_gap: false, encoder: Encoder::Document,
        darkness: None, speed: None, }
}

impl Language {
    /// Returns whether the printer itself interprets the bytes, which then also contain the number of copies.
    pub const fn is_raw(self) -> bool {
        matches!(self.encoder(), Encoder::Label(_))
    }

    /// Returns whether the printer gets our own bitmaps, which we fit, shift and preview.
    pub const fn is_dots(self) -> bool {
        !matches!(self.encoder(), Encoder::Document)
    }

    /// Returns whether a queue with a driver can print this language. Windows passes a PDF to the printer unchanged,
    /// and the printer then prints the source of the PDF.
    pub const fn is_printable_by_driver(self) -> bool {
        self.is_dots() || !cfg!(windows)
    }

    /// Returns the MIME type that a printer at its own address must accept. A printer's own language has no MIME
    /// type; its type is a stream of bytes.
    pub const fn accepted_format(self) -> &'static str {
        match self.encoder() {
            Encoder::Label(_) => "application/octet-stream",
            Encoder::Image => super::image_pages::PWG_RASTER,
            Encoder::Document => "application/pdf",
        }
    }
}

/// XMODEM is the name of the CRC with polynomial 0x1021 that starts at 0.
const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// The zlib level. Level 6 takes twice as long as level 2 and saves only a tenth of the bytes.
const LEVEL: Compression = Compression::new(2);

/// Encodes one label as ZPL II.
///
/// The graphic field `^GFA` is in Zebra's `:Z64:` form, which is zlib, then base64, then a CRC-16 of the base64 text.
pub fn zpl(bitmap: &Bitmap, profile: &PrinterProfile) -> Vec<u8> {
    let packed = bitmap.packed();
    let mut compressed = Vec::new();
    // Reading from memory can't fail.
    let _length = ZlibEncoder::new(packed, LEVEL).read_to_end(&mut compressed);
    let text = STANDARD.encode(compressed);
    let crc = CRC.checksum(text.as_bytes());
    let (width, height) = (bitmap.width(), bitmap.height());
    let (bytes, stride) = (packed.len(), bitmap.stride());
    let copies = match profile.copies.get() {
        1 => String::new(),
        copies => format!("^PQ{copies}\n"),
    };
    let sensing = match profile.sensing {
        None => "",
        Some(Sensing::Gap) => "^MNY\n",
        Some(Sensing::Mark) => "^MNM\n",
        Some(Sensing::Continuous) => "^MNN\n",
    };
    // The darkness is set outside of a format.
    let (darkness, speed) = burning(profile);
    let darkness = darkness.map_or_else(String::new, |darkness| format!("~SD{darkness:02}\n"));
    let speed = speed.map_or_else(String::new, |speed| format!("^PR{speed}\n"));
    // A home position left behind by another program would shift the label, so ^LH resets it.
    let zpl = format!(
        "{darkness}^XA\n{sensing}{speed}^PW{width}\n^LL{height}\n^LH0,0\n\
         ^FO0,0^GFA,{bytes},{bytes},{stride},:Z64:{text}:{crc:04X}^FS\n{copies}^XZ\n"
    );
    zpl.into_bytes()
}

fn tspl(bitmap: &Bitmap, profile: &PrinterProfile) -> Vec<u8> {
    let (width, height) = profile.paper_mm();
    let (gap, copies) = (profile.gap_mm, profile.copies);
    let (stride, rows) = (bitmap.stride(), bitmap.height());
    let sensing = match profile.sensing {
        None | Some(Sensing::Gap) => format!("GAP {gap} mm,0 mm"),
        Some(Sensing::Mark) => format!("BLINE {gap} mm,0 mm"),
        Some(Sensing::Continuous) => "GAP 0 mm,0 mm".to_owned(),
    };
    let (darkness, speed) = burning(profile);
    let darkness = darkness.map_or_else(String::new, |darkness| format!("DENSITY {darkness}\r\n"));
    let speed = speed.map_or_else(String::new, |speed| format!("SPEED {speed}\r\n"));
    let start = format!(
        "SIZE {width} mm,{height} mm\r\n{sensing}\r\n{darkness}{speed}REFERENCE 0,0\r\nCLS\r\nBITMAP 0,0,{stride},{rows},0,"
    );
    around_inverted_dots(&start, bitmap, &format!("\r\nPRINT 1,{copies}\r\n"))
}

fn epl(bitmap: &Bitmap, profile: &PrinterProfile) -> Vec<u8> {
    let (width, height) = (bitmap.width(), bitmap.height());
    let paper = profile.printable_dots().1.max(height);
    let gap = (profile.gap_mm * profile.dots_per_mm.get()).round();
    let (stride, copies) = (bitmap.stride(), profile.copies);
    // The empty line at the start ends a command that an earlier job left unfinished.
    let sensing = match profile.sensing {
        None | Some(Sensing::Gap) => format!("{gap}"),
        Some(Sensing::Mark) => format!("B{gap}"),
        Some(Sensing::Continuous) => "0".to_owned(),
    };
    let (darkness, speed) = burning(profile);
    let darkness = darkness.map_or_else(String::new, |darkness| format!("D{darkness}\r\n"));
    let speed = speed.map_or_else(String::new, |speed| format!("S{speed}\r\n"));
    let start = format!(
        "\r\nN\r\n{darkness}{speed}q{width}\r\nQ{paper},{sensing}\r\nGW0,0,{stride},{height},"
    );
    around_inverted_dots(&start, bitmap, &format!("\r\nP{copies}\r\n"))
}

/// Returns the darkness and the speed that the profile sets. Values that the language does not have are left out, as after a
/// change of the language.
fn burning(profile: &PrinterProfile) -> (Option<u8>, Option<u8>) {
    let known = |value: Option<u8>, range: Option<RangeInclusive<u8>>| {
        value.filter(|value| range.is_some_and(|range| range.contains(value)))
    };
    let language = profile.language;
    (
        known(profile.darkness, language.darkness()),
        known(profile.speed, language.speed()),
    )
}

/// Returns the dots between two texts. In TSPL and EPL a 0 bit is black.
fn around_inverted_dots(start: &str, bitmap: &Bitmap, end: &str) -> Vec<u8> {
    let dots = bitmap.packed().iter().map(|byte| !byte);
    let label = start.bytes().chain(dots).chain(end.bytes());
    label.collect()
}
