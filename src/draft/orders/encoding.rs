//! Decodes a file: UTF-8 or UTF-16 if marked or valid, otherwise Windows-1252.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::SheetError;

/// Returns the text without its byte order mark, and the name of its encoding.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, &'static str), SheetError> {
    if bytes.len() as u64 > super::MOST_BYTES {
        return Err(SheetError::TooLarge);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(SheetError::Workbook);
    }
    let encoding = match Encoding::for_bom(bytes) {
        Some((marked, _)) => marked,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    let control = |letter: char| letter.is_control() && !matches!(letter, '\t' | '\r' | '\n');
    if text.contains(control) {
        return Err(SheetError::NotText);
    }
    let name = if encoding == UTF_8 {
        "UTF-8"
    } else if encoding == WINDOWS_1252 {
        "Windows-1252"
    } else {
        "UTF-16"
    };
    Ok((text.into_owned(), name))
}
