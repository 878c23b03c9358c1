//! The tables of the journal, and the migrations of older files. Times are in milliseconds since 1970, UTC.

use std::sync::LazyLock;

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations, SchemaVersion};

/// Oldest first. The count of the migrations that a file has had is its version.
const STEPS: &[&str] = &[
    INITIAL_TABLES,
    APPEND_ONLY_HISTORY,
    super::restoration::TABLES,
    DENIED_COLUMN,
    super::suggestions::TABLES,
    super::preferences::PRESETS_AND_ORDERS,
    super::print_jobs::OUTDATED,
    super::preferences::VIEWS,
    super::preferences::ON_HOLD,
    super::manifests::TABLES,
    super::print_jobs::QUEUE_COLUMNS,
    super::print_jobs::BATCHES,
    super::labels::NUMBERS,
    super::print_jobs::INDEXES,
    super::labels::GENERATIONS,
    NO_RECENT_LIST,
    super::commit_log::TABLES,
    super::print_jobs::TEST_LABELS,
    NO_LISTS,
    super::operations::SERVICE_ADDRESS,
    super::outbox::TABLES,
    super::shared_values::TABLES,
    super::print_jobs::DUE_DOCUMENTS,
    super::order_folder::TABLES,
    super::operations::PACKING,
];

static MIGRATIONS: LazyLock<Migrations<'static>> =
    LazyLock::new(|| Migrations::new(STEPS.iter().copied().map(M::up).collect()));

const INITIAL_TABLES: &str = "
CREATE TABLE drafts (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    changed_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    key TEXT NOT NULL,
    title TEXT NOT NULL,
    request TEXT NOT NULL,
    draft TEXT,
    consignments TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    checks INTEGER NOT NULL,
    words TEXT NOT NULL,
    reference TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX operations_by_state ON operations (state);

CREATE TABLE history (
    operation INTEGER NOT NULL REFERENCES operations (id),
    state TEXT NOT NULL,
    words TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE labels (
    consignment INTEGER NOT NULL,
    size TEXT NOT NULL,
    pdf BLOB NOT NULL,
    sha256 TEXT NOT NULL,
    expected TEXT NOT NULL,
    stored_ms INTEGER NOT NULL,
    PRIMARY KEY (consignment, size)
) STRICT;

CREATE TABLE print_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    consignment INTEGER NOT NULL,
    number TEXT NOT NULL,
    printer TEXT NOT NULL,
    title TEXT NOT NULL,
    bytes BLOB NOT NULL,
    sha256 TEXT NOT NULL,
    state TEXT NOT NULL,
    words TEXT NOT NULL,
    reason TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX print_jobs_by_consignment ON print_jobs (consignment);
";

/// Makes the histories append-only: an entry can be deleted only after its operation or print job.
const APPEND_ONLY_HISTORY: &str = "
CREATE INDEX history_by_operation ON history (operation);
CREATE TRIGGER history_is_not_rewritten BEFORE UPDATE ON history
BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;
CREATE TRIGGER history_is_kept BEFORE DELETE ON history
WHEN EXISTS (SELECT 1 FROM operations WHERE id = OLD.operation)
BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;

ALTER TABLE print_jobs ADD COLUMN queue TEXT NOT NULL DEFAULT '';
CREATE TABLE job_history (
    job INTEGER NOT NULL REFERENCES print_jobs (id),
    state TEXT NOT NULL,
    words TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX job_history_by_job ON job_history (job);
CREATE TRIGGER job_history_is_not_rewritten BEFORE UPDATE ON job_history
BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;
CREATE TRIGGER job_history_is_kept BEFORE DELETE ON job_history
WHEN EXISTS (SELECT 1 FROM print_jobs WHERE id = OLD.job)
BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;
";

/// Adds the consignments of which the clerk said that they are not the operation's.
const DENIED_COLUMN: &str = "ALTER TABLE operations ADD COLUMN denied TEXT NOT NULL DEFAULT '';";

/// Deletes a list of recently changed consignments, which the store of consignments replaced.
const NO_RECENT_LIST: &str = "
DELETE FROM last_seen WHERE list = 'recent';
DELETE FROM last_seen_lists WHERE list = 'recent';
";

/// Deletes the lists last fetched from the service, which are in the store of consignments.
const NO_LISTS: &str = "
DROP TABLE last_seen;
DROP TABLE last_seen_lists;
";

/// Returns true if a newer version of the program migrated a file of this version.
pub(super) const fn is_newer(version: u32) -> bool {
    version as usize > STEPS.len()
}

/// Returns true if the file has tables that [`migrate`] would change.
pub(super) fn is_older(db: &Connection) -> Result<bool, rusqlite_migration::Error> {
    let is_new = MIGRATIONS.current_version(db)? == SchemaVersion::NoneSet;
    Ok(!is_new && MIGRATIONS.pending_migrations(db)? > 0)
}

/// Migrates the tables to the newest version, in one transaction, and then frees the space of dropped tables.
pub(super) fn migrate(db: &mut Connection) -> Result<(), rusqlite_migration::Error> {
    let was_older = is_older(db)?;
    MIGRATIONS.to_latest(db)?;
    if was_older {
        // Backups copy free pages too, and a migration may have dropped a large table.
        if let Err(error) = db.execute_batch("VACUUM") {
            tracing::warn!(%error, "the journal's free space could not be returned");
        }
    }
    Ok(())
}
