//! Drawing of our own documents, and the texts that all of them use.

use rust_decimal::RoundingStrategy;

use super::EngineError;
use printing::document::{self, DocumentContent, DrawnPdf};
use shipping::Kilograms;

pub(super) fn draw(content: &DocumentContent) -> Result<DrawnPdf, EngineError> {
    document::pdf(content).map_err(|error| {
        tracing::error!(%error, document = content.title, "a document could not be drawn");
        EngineError::Internal
    })
}

pub(super) fn kilograms(weight: Kilograms) -> String {
    // Formatting alone would cut the digits.
    let rounded = weight
        .0
        .round_dp_with_strategy(1, RoundingStrategy::MidpointAwayFromZero);
    format!("{rounded:.1}")
}

/// Returns `1 consignment` or `12 consignments`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Names the first three numbers, and counts the others: `MS1, MS2, MS3 and 4 more`.
pub fn named(numbers: &[impl AsRef<str>]) -> String {
    const NAMED: usize = 3;
    let names: Vec<_> = numbers.iter().take(NAMED).map(AsRef::as_ref).collect();
    let names = names.join(", ");
    match numbers.len().saturating_sub(NAMED) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// Joins the parts of a text that are not empty.
pub(super) fn joined(parts: &[&str], separator: &str) -> String {
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.copied().collect::<Vec<_>>().join(separator)
}
