//! What is followed no longer: what ended long ago, what the service has not named for long, and what is too much.
//!
//! What always holds: nothing is old by the bench's clock alone. Where that is ahead of the service's newest word, that word
//! counts; as long as the service was never looked at, nothing is old.

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

/// All that are to be forgotten. `now` is the bench's.
pub(super) fn overdue(db: &Connection, now: Timestamp) -> Result<Vec<ConsignmentId>, JournalError> {
    let sql = "SELECT max(seen_to_ms) FROM marks";
    let word: Option<Millis> = db.query_row(sql, [], |row| row.get(0))?;
    let at = word.map(|word| word.0.min(now));
    // Nothing is before a moment that there is not.
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
