//! What is followed no longer: what ended long ago, what the service has not named for long, and what is too much.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use crate::journal::JournalError;
use crate::journal::text::Millis;
use crate::shipping::ConsignmentId;

/// How long a consignment stays after it has ended.
const AFTER_ITS_END: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How long a consignment stays that the service names no more.
const UNNAMED: SignedDuration = SignedDuration::from_hours(180 * 24);

/// Consignments that are followed at the most; above, those that were made first are forgotten, the ended ones before others.
const MOST: i64 = 2_000_000;

/// Up to `most` consignments that are to be forgotten, the lowest ids first.
pub(super) fn overdue(
    db: &Connection,
    now: Timestamp,
    most: u32,
) -> Result<Vec<ConsignmentId>, JournalError> {
    let sql = "SELECT id FROM tracked WHERE ended_ms < ?1 OR seen_ms < ?2 ORDER BY id LIMIT ?3";
    let limits = params![Millis(now - AFTER_ITS_END), Millis(now - UNNAMED), most];
    let old = ids(db, sql, limits)?;
    if !old.is_empty() {
        return Ok(old);
    }
    let count: i64 = db.query_row("SELECT count(*) FROM tracked", [], |row| row.get(0))?;
    if count <= MOST {
        return Ok(Vec::new());
    }
    let most = (count - MOST).min(most.into());
    let sql = "SELECT id FROM tracked ORDER BY ended_ms IS NULL, id LIMIT ?1";
    ids(db, sql, [most])
}

fn ids(
    db: &Connection,
    sql: &str,
    with: impl rusqlite::Params,
) -> Result<Vec<ConsignmentId>, JournalError> {
    let mut some = db.prepare_cached(sql)?;
    let rows = some.query_map(with, |row| row.get(0).map(ConsignmentId::new))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
