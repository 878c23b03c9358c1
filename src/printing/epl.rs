//! Encodes a bitmap as EPL2, the language of Eltron's label printers and of older Zebra printers.
//!
//! A label is one `GW` command, in which a 0 bit is black. The empty line before it ends a command that an
//! earlier job left unfinished.

use super::page::Bitmap;
use super::profile::PrinterProfile;

/// Encodes one label. The printer makes the number of copies set in the profile.
pub fn encode(bitmap: &Bitmap, profile: &PrinterProfile) -> Vec<u8> {
    let (width, height) = (bitmap.width(), bitmap.height());
    let paper = profile.printable_dots().1.max(height);
    let gap = (profile.gap_mm * profile.dots_per_mm.get()).round();
    let mut epl = format!(
        "\r\nN\r\nq{width}\r\nQ{paper},{gap}\r\nGW0,0,{},{height},",
        bitmap.stride()
    )
    .into_bytes();
    epl.reserve(bitmap.packed().len() + 16);
    epl.extend(bitmap.packed().iter().map(|byte| !byte));
    epl.extend_from_slice(format!("\r\nP{}\r\n", profile.copies).as_bytes());
    epl
}
