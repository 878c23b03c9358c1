//! Encodes bitmaps in the languages of label printers. A label is one graphic, so only the few commands around it
//! differ. Of the printer's own settings, only those that place the label are changed.

use std::io::{self, Write};
use std::num::NonZeroU8;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crc::{CRC_16_XMODEM, Crc};
use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::page::Bitmap;
use super::profile::PrinterProfile;

/// XMODEM is the name of the CRC with polynomial 0x1021 that starts at 0.
const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// Level 6 takes twice as long as level 3 and saves a tenth of the bytes, too little to matter on a cable.
const LEVEL: u32 = 3;

/// Encodes one label as ZPL II, the language of Zebra's label printers and of many others. The printer makes `copies`
/// of it.
///
/// The graphic field `^GFA` is in Zebra's `:Z64:` form, which is zlib, then base64, then a CRC-16 of the base64 text.
pub fn zpl(bitmap: &Bitmap, copies: NonZeroU8) -> Vec<u8> {
    let mut zpl = Vec::with_capacity(32 * 1024);
    let written = write_zpl(&mut zpl, bitmap, copies);
    debug_assert!(written.is_ok(), "writing to memory cannot fail");
    zpl
}

fn write_zpl(zpl: &mut Vec<u8>, bitmap: &Bitmap, copies: NonZeroU8) -> io::Result<()> {
    let packed = bitmap.packed();
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(16 * 1024), Compression::new(LEVEL));
    encoder.write_all(packed)?;
    let text = STANDARD.encode(encoder.finish()?);
    let crc = CRC.checksum(text.as_bytes());
    let (width, height) = (bitmap.width(), bitmap.height());
    let (bytes, stride) = (packed.len(), bitmap.stride());
    // A home position left behind by another program would shift the label, so ^LH resets it.
    writeln!(
        zpl,
        "^XA\n^PW{width}\n^LL{height}\n^LH0,0\n^FO0,0^GFA,{bytes},{bytes},{stride},:Z64:{text}:{crc:04X}^FS"
    )?;
    if copies.get() > 1 {
        writeln!(zpl, "^PQ{copies}")?;
    }
    zpl.write_all(b"^XZ\n")
}

/// Encodes one label as TSPL, the language of TSC's label printers and of many others, with the profile's number
/// of copies.
pub fn tspl(bitmap: &Bitmap, profile: &PrinterProfile) -> Vec<u8> {
    let (width, height) = profile.media.size_mm();
    let (gap, copies) = (profile.gap_mm, profile.copies);
    let (stride, rows) = (bitmap.stride(), bitmap.height());
    let start = format!(
        "SIZE {width} mm,{height} mm\r\nGAP {gap} mm,0 mm\r\nREFERENCE 0,0\r\nCLS\r\nBITMAP 0,0,{stride},{rows},0,"
    );
    around_inverted_dots(&start, bitmap, &format!("\r\nPRINT 1,{copies}\r\n"))
}

/// Encodes one label as EPL2, the language of Eltron's label printers and of older Zebra printers, with the profile's
/// number of copies.
pub fn epl(bitmap: &Bitmap, profile: &PrinterProfile) -> Vec<u8> {
    let (width, height) = (bitmap.width(), bitmap.height());
    let paper = profile.printable_dots().1.max(height);
    let gap = (profile.gap_mm * profile.dots_per_mm.get()).round();
    let (stride, copies) = (bitmap.stride(), profile.copies);
    // The empty line at the start ends a command that an earlier job left unfinished.
    let start = format!("\r\nN\r\nq{width}\r\nQ{paper},{gap}\r\nGW0,0,{stride},{height},");
    around_inverted_dots(&start, bitmap, &format!("\r\nP{copies}\r\n"))
}

/// Returns the dots between two texts. In TSPL and EPL a 0 bit is black.
fn around_inverted_dots(start: &str, bitmap: &Bitmap, end: &str) -> Vec<u8> {
    let dots = bitmap.packed().iter().map(|byte| !byte);
    let label = start.bytes().chain(dots).chain(end.bytes());
    label.collect()
}
