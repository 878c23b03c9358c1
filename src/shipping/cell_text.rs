//! Prepares text for a spreadsheet cell, so that a spreadsheet never reads typed text as a formula.

use std::borrow::Cow;

/// The characters that start a formula in a cell. Japanese spreadsheets also accept the full-width forms.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Puts an apostrophe before a text that would be read as a formula.
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULA) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}
