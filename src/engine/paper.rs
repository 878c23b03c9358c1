//! Drawing of our own documents, and the texts that all of them use.

use super::EngineError;
use printing::document::{self, Column, ColumnKind, DocumentContent, DrawnPdf};
use shipping::Kilograms;

pub(super) fn draw(content: &DocumentContent) -> Result<DrawnPdf, EngineError> {
    document::pdf(content).map_err(|error| {
        tracing::error!(%error, document = content.title, "a document could not be drawn");
        EngineError::Internal
    })
}

pub(super) fn columns(columns: &[(&str, f32, ColumnKind)]) -> Vec<Column> {
    let column = |(title, weight, kind): &(&str, f32, ColumnKind)| Column {
        title: (*title).to_owned(),
        weight: *weight,
        kind: *kind,
    };
    columns.iter().map(column).collect()
}

pub(super) fn facts<const N: usize>(facts: [(&str, String); N]) -> Vec<(String, String)> {
    let facts = facts.into_iter();
    facts
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

pub(super) fn kilograms(weight: Kilograms) -> String {
    format!("{:.1}", weight.0)
}

/// Returns `1 consignment` or `12 consignments`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Joins the parts of a text that are not empty.
pub(super) fn joined(parts: &[&str], separator: &str) -> String {
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.copied().collect::<Vec<_>>().join(separator)
}
