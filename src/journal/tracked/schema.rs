//! The tables of the store of what is followed.

use super::SyncScope;

pub(super) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS tracked (
    id INTEGER PRIMARY KEY,
    seen_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    history TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS marks (
    scope TEXT PRIMARY KEY,
    seen_to_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    whole_ms INTEGER NOT NULL
) STRICT;
";

/// What a scope's mark is kept under.
pub(super) fn scope_name(scope: SyncScope) -> String {
    let company = scope
        .company
        .map_or_else(|| "-".to_owned(), |id| id.to_string());
    let carrier = scope
        .carrier
        .map_or_else(|| "-".to_owned(), |id| id.to_string());
    format!("{company} {} {carrier}", u8::from(scope.children))
}
