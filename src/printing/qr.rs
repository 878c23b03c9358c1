//! Makes QR codes for the screen, such as an address for a phone to read.

use rxing::qrcode::QRCodeWriter;
use rxing::{BarcodeFormat, EncodeHints, Writer as _};

/// A QR code: modules in rows from the top left, including the quiet zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrCode {
    /// The number of modules across and down.
    pub side: usize,
    /// True for a dark module; `side` × `side` entries.
    pub dark: Vec<bool>,
}

/// Encodes `text`; `None` if it is too long.
pub fn qr_code(text: &str) -> Option<QrCode> {
    let hints = EncodeHints {
        // Level M can restore about 15 % of the code, such as the part under a finger mark or the reflection
        // of a lamp.
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
