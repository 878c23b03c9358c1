//! Encodes a bitmap as ZPL II, the language of Zebra's label printers and of many others.
//!
//! A label is one graphic field: `^GFA` in Zebra's `:Z64:` form, which is zlib, then base64, then a CRC-16
//! (polynomial 0x1021, starting at 0) of the base64 text. Of the printer's own settings, only the label size
//! and the home position are changed.

use std::io::{self, Write};
use std::num::NonZeroU8;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crc::{CRC_16_XMODEM, Crc};
use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::page::Bitmap;

/// XMODEM is the name of the CRC with polynomial 0x1021 that starts at 0.
const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// Level 6 takes twice as long as level 3 and saves a tenth of the bytes, too little to matter on a cable.
const LEVEL: u32 = 3;

/// Encodes one label, printed once.
pub fn encode(bitmap: &Bitmap) -> Vec<u8> {
    encode_copies(bitmap, NonZeroU8::MIN)
}

/// Encodes one label. The printer makes `copies` of it.
pub fn encode_copies(bitmap: &Bitmap, copies: NonZeroU8) -> Vec<u8> {
    let mut zpl = Vec::with_capacity(32 * 1024);
    let written = write_label(&mut zpl, bitmap, copies);
    debug_assert!(written.is_ok(), "writing to memory cannot fail");
    zpl
}

fn write_label(zpl: &mut Vec<u8>, bitmap: &Bitmap, copies: NonZeroU8) -> io::Result<()> {
    let packed = bitmap.packed();
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(16 * 1024), Compression::new(LEVEL));
    encoder.write_all(packed)?;
    let text = STANDARD.encode(encoder.finish()?);
    let crc = CRC.checksum(text.as_bytes());
    let (width, height) = (bitmap.width(), bitmap.height());
    let (bytes, stride) = (packed.len(), bitmap.stride());
    // A home position left behind by another program would shift the label, so ^LH resets it.
    write!(
        zpl,
        "^XA\n^PW{width}\n^LL{height}\n^LH0,0\n^FO0,0^GFA,{bytes},{bytes},{stride},:Z64:"
    )?;
    zpl.write_all(text.as_bytes())?;
    writeln!(zpl, ":{crc:04X}^FS")?;
    if copies.get() > 1 {
        writeln!(zpl, "^PQ{copies}")?;
    }
    zpl.write_all(b"^XZ\n")
}
