//! Encodes a bitmap as TSPL, the language of TSC's label printers and of many others.
//!
//! A label is one `BITMAP` command, in which a 0 bit is black. Of the printer's own settings, only the label
//! size, the gap and the position of the corner are changed.

use super::page::Bitmap;
use super::profile::PrinterProfile;

/// Encodes one label. The printer makes the number of copies set in the profile.
pub fn encode(bitmap: &Bitmap, profile: &PrinterProfile) -> Vec<u8> {
    let (width, height) = profile.media.size_mm();
    let (gap, copies) = (profile.gap_mm, profile.copies);
    let mut tspl = format!(
        "SIZE {width} mm,{height} mm\r\nGAP {gap} mm,0 mm\r\nREFERENCE 0,0\r\nCLS\r\nBITMAP 0,0,{},{},0,",
        bitmap.stride(),
        bitmap.height()
    )
    .into_bytes();
    tspl.reserve(bitmap.packed().len() + 32);
    tspl.extend(bitmap.packed().iter().map(|byte| !byte));
    tspl.extend_from_slice(format!("\r\nPRINT 1,{copies}\r\n").as_bytes());
    tspl
}
