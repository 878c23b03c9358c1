//! The tables for backups and restorations.
//!
//! `last_seen` held lists of the service; a later migration drops it. `restorations` has a row
//! for each restoration of the journal. `doubts` lists drafts that may have been sent after the restored
//! backup was made.

/// A schema migration.
pub(super) const TABLES: &str = "
CREATE TABLE last_seen_lists (
    list TEXT PRIMARY KEY,
    as_of_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE last_seen (
    list TEXT NOT NULL,
    id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX last_seen_by_id ON last_seen (list, id);
CREATE INDEX last_seen_by_place ON last_seen (list, place);

CREATE TABLE restorations (
    id INTEGER PRIMARY KEY,
    from_ms INTEGER,
    at_ms INTEGER NOT NULL,
    rebuilt INTEGER NOT NULL
) STRICT;

CREATE TABLE doubts (
    draft TEXT PRIMARY KEY,
    words TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS history_by_operation ON history (operation);
CREATE INDEX IF NOT EXISTS operations_by_changed ON operations (changed_ms);
CREATE INDEX IF NOT EXISTS operations_by_key ON operations (key);
CREATE INDEX IF NOT EXISTS print_jobs_by_changed ON print_jobs (changed_ms);
CREATE INDEX IF NOT EXISTS labels_by_stored ON labels (stored_ms);
";
