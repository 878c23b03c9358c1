//! Makes text harmless: file names for files that the bench saves, which are never taken from the service, and
//! cells of spreadsheets.

use std::borrow::Cow;

/// The names that Windows reserves for devices, with any extension.
const RESERVED: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];

/// The longest part of a file name, in characters.
const LONGEST_PART: usize = 40;

/// Joins the parts into a file name of ASCII letters, digits and hyphens: `["POD", "MS123", "2"]` becomes
/// `POD-MS123-2.pdf`. The name is never a path, never empty, and never too long for a file system.
pub fn file_name(parts: &[&str], extension: &str) -> String {
    let plain = parts.iter().map(|part| {
        let plain = part.chars().filter(char::is_ascii_alphanumeric);
        plain.take(LONGEST_PART).collect::<String>()
    });
    let stem: Vec<_> = plain.filter(|part| !part.is_empty()).take(4).collect();
    let stem = stem.join("-");
    let upper = stem.to_ascii_uppercase();
    let device = RESERVED.contains(&upper.as_str())
        || (upper.len() == 4 && (upper.starts_with("COM") || upper.starts_with("LPT")));
    if stem.is_empty() || device {
        format!("file{stem}.{extension}")
    } else {
        format!("{stem}.{extension}")
    }
}

/// The characters that start a formula in a cell. Japanese spreadsheets also accept the full-width forms.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Puts an apostrophe before a text that a spreadsheet would read as a formula.
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULA) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}
