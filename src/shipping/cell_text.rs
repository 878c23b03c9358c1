//! Text on its way into a spreadsheet: what people typed is never taken for a formula. The one place that knows what would be.

use std::borrow::Cow;

/// What a spreadsheet would take for a formula, where a cell begins with it; the wide forms where it is a Japanese one.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The text with an apostrophe before it, where it would be a formula.
pub fn no_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULA) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}
