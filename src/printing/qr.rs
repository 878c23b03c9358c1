//! QR codes of our own: an address that a phone reads off the screen.
//!
//! What always holds: exact squares with the quiet zone around them, so that what draws it only has to draw.

use rxing::qrcode::QRCodeWriter;
use rxing::{BarcodeFormat, EncodeHints, Writer as _};

/// A QR code: squares in rows from the top left, quiet zone included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrCode {
    /// Squares across and down.
    pub side: usize,
    /// True for a dark square; `side` × `side` of them.
    pub dark: Vec<bool>,
}

/// The code that says `text`; nothing where it is too long for one.
pub fn qr_code(text: &str) -> Option<QrCode> {
    let hints = EncodeHints {
        // Reads with a finger mark, or the reflection of a lamp, on a quarter of it.
        ErrorCorrection: Some("M".to_owned()),
        ..EncodeHints::default()
    };
    let matrix = QRCodeWriter
        .encode_with_hints(text, &BarcodeFormat::QR_CODE, 0, 0, &hints)
        .ok()?;
    let side = matrix.getWidth();
    let squares = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    Some(QrCode {
        side: usize::try_from(side).ok()?,
        dark: squares.map(|(x, y)| matrix.get(x, y)).collect(),
    })
}
