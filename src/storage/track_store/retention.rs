//! Finds consignments to stop tracking: consignments that ended long ago, consignments that the service has
//! not listed for long, and consignments above the limit.
//!
//! The bench's clock alone never makes a consignment old. If that clock is ahead of the newest sync mark, the
//! mark counts as the current time; without a mark, nothing is old.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use crate::JournalError;
use crate::sql_types::Millis;
use shipping::ConsignmentId;

/// How long a consignment is tracked after it has ended.
const AFTER_ITS_END: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How long a consignment is tracked that the service no longer lists.
const UNNAMED: SignedDuration = SignedDuration::from_hours(180 * 24);

/// Most consignments that are tracked. Above this, ended consignments are removed first, and the oldest of
/// each kind before newer ones.
const MOST: i64 = 2_000_000;

/// Returns the consignments to remove. `now` is the time of the bench's clock.
pub(super) fn overdue(db: &Connection, now: Timestamp) -> Result<Vec<ConsignmentId>, JournalError> {
    let sql = "SELECT max(seen_to_ms) FROM marks";
    let word: Option<Millis> = db.query_row(sql, [], |row| row.get(0))?;
    let at = word.map(|word| word.0.min(now));
    // Without a sync mark, comparisons with NULL are never true.
    let ended = at.map(|at| Millis(at - AFTER_ITS_END));
    let seen = at.map(|at| Millis(at - UNNAMED));
    let sql = "SELECT id FROM tracked WHERE ended_ms < ?1 OR seen_ms < ?2 ORDER BY id";
    let mut old = ids(db, sql, params![ended, seen])?;
    let count: i64 = db.query_row("SELECT count(*) FROM tracked", [], |row| row.get(0))?;
    let stays = count - i64::try_from(old.len()).unwrap_or(i64::MAX);
    if stays > MOST {
        let sql = "SELECT id FROM tracked WHERE (ended_ms < ?1 OR seen_ms < ?2) IS NOT TRUE \
                   ORDER BY ended_ms IS NULL, id LIMIT ?3";
        old.extend(ids(db, sql, params![ended, seen, stays - MOST])?);
    }
    Ok(old)
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
