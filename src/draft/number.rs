//! Numbers as clerks type them: `1.5` and `1,5`, with spaces around.

use rust_decimal::Decimal;

/// The decimal that was typed, or nothing where it is not one.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    let text = text.trim();
    if text.contains(',') && text.contains('.') {
        return None;
    }
    text.replace(',', ".").parse().ok()
}

/// A decimal above zero.
pub(super) fn positive(text: &str) -> Option<Decimal> {
    decimal(text).filter(|value| *value > Decimal::ZERO)
}

/// A whole number from 1 on.
pub(super) fn count(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|count| *count > 0)
}
