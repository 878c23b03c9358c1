//! Retention periods of the journal's rows; the guide lists them in `assets/guide/src/data.md`.
//!
//! Each call removes a bounded number of rows in one transaction, so that no commit waits long. The file does not
//! shrink, because `auto_vacuum` would make every commit move pages. SQLite uses the freed pages again, so the file
//! stays as large as the data of the busiest 90 days.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Transaction, params};
use shipping::ConsignmentId;

use super::sql_types::{Millis, rows, run};
use super::{Journal, Result};

const KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);
const KNOWN_KEPT: SignedDuration = SignedDuration::from_hours(365 * 24);
const BYTES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Maximum number of rows of each kind that are removed in one call.
const A_TURN: i64 = 100;

/// Number of entries kept in the table `commits`, far more than the commit log can ever lack.
const COMMITS_KEPT: i64 = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RemovedRows {
    pub operations: usize,
    pub jobs: usize,
    pub bytes: usize,
    pub labels: usize,
    /// Number of remembered receivers, suburbs, saved items, UN numbers and carriers.
    pub known: usize,
    pub orders: usize,
    /// Number of files of the watched folder, of results and of result files.
    pub folder_rows: usize,
}

impl RemovedRows {
    pub fn may_have_more(self) -> bool {
        self != Self::default()
    }
}

impl Journal {
    /// Removes a bounded number of rows that are past their retention period. `is_unmanifested` returns whether a
    /// consignment is waiting for a manifest.
    pub fn remove_expired(
        &mut self,
        now: Timestamp,
        is_unmanifested: impl Fn(ConsignmentId) -> bool,
    ) -> Result<RemovedRows> {
        let (old, older_bytes) = (Millis(now - KEPT), Millis(now - BYTES_KEPT));
        let tx = self.db.transaction()?;
        let tidied = RemovedRows {
            operations: drop_rows(
                &tx,
                old,
                "SELECT id FROM operations WHERE changed_ms < ?1 AND state IN ('Done', 'Rejected', 'Discarded')
                 LIMIT ?2",
                &[
                    "DELETE FROM operations WHERE id = ?1",
                    "DELETE FROM history WHERE operation = ?1",
                    "DELETE FROM manifests WHERE operation = ?1",
                ],
            )?,
            jobs: drop_rows(
                &tx,
                old,
                "SELECT id FROM print_jobs WHERE changed_ms < ?1 AND state NOT IN ('Spooling', 'Ask') LIMIT ?2",
                &[
                    "DELETE FROM print_jobs WHERE id = ?1",
                    "DELETE FROM job_history WHERE job = ?1",
                ],
            )?,
            bytes: tx.execute(
                "UPDATE print_jobs SET bytes = x'' WHERE id IN (SELECT id FROM print_jobs
                 WHERE changed_ms < ?1 AND bytes <> x'' AND state NOT IN ('Spooling', 'Ask') LIMIT ?2)",
                params![older_bytes, A_TURN],
            )?,
            labels: drop_labels(&tx, old, is_unmanifested)?,
            known: tx.execute(
                "DELETE FROM known WHERE rowid IN (SELECT rowid FROM known WHERE seen_ms < ?1 LIMIT ?2)",
                params![Millis(now - KNOWN_KEPT), A_TURN],
            )?,
            orders: tx.execute(
                "DELETE FROM orders_taken WHERE rowid IN (SELECT rowid FROM orders_taken WHERE at_ms < ?1 LIMIT ?2)",
                params![old, A_TURN],
            )?,
            folder_rows: drop_folder_rows(&tx, old)?,
        };
        tx.execute(
            "DELETE FROM commits WHERE counter <= (SELECT max(counter) FROM commits) - ?1",
            [COMMITS_KEPT],
        )?;
        tx.commit()?;
        Ok(tidied)
    }
}

fn drop_folder_rows(tx: &Transaction<'_>, old: Millis) -> Result<usize> {
    const EXPIRED: [(&str, &str); 3] = [
        (
            "folder_files",
            "id FROM folder_files WHERE is_moved = 1 AND at_ms < ?1",
        ),
        (
            "order_results",
            "rowid FROM order_results WHERE at_ms < ?1 AND file IN (SELECT id FROM result_files WHERE is_written = 1)",
        ),
        (
            "result_files",
            "id FROM result_files WHERE is_written = 1 AND at_ms < ?1 AND id NOT IN
             (SELECT file FROM order_results WHERE file IS NOT NULL)",
        ),
    ];
    let mut removed = 0;
    for (table, expired) in EXPIRED {
        let sql = format!("DELETE FROM {table} WHERE rowid IN (SELECT {expired} LIMIT ?2)");
        removed += tx.execute(&sql, params![old, A_TURN])?;
    }
    Ok(removed)
}

/// Removes the rows whose ids `expired` selects, with the statements of `removals` for each id. Foreign keys are
/// checked only at the end of the transaction, because a trigger allows the deletion of history entries only after
/// the deletion of their row.
fn drop_rows(tx: &Transaction<'_>, old: Millis, expired: &str, removals: &[&str]) -> Result<usize> {
    tx.pragma_update(None, "defer_foreign_keys", true)?;
    let ids: Vec<i64> = rows(tx, expired, params![old, A_TURN], |row| row.get(0))?;
    for id in &ids {
        for removal in removals {
            run(tx, removal, [id])?;
        }
    }
    Ok(ids.len())
}

fn drop_labels(
    tx: &Transaction<'_>,
    old: Millis,
    is_unmanifested: impl Fn(ConsignmentId) -> bool,
) -> Result<usize> {
    let mut expired = tx.prepare(
        "SELECT rowid, consignment FROM labels WHERE stored_ms < ?1
         AND NOT EXISTS (SELECT 1 FROM operations WHERE state NOT IN ('Done', 'Rejected', 'Discarded')
                         AND ' ' || consignments || ' ' LIKE '% ' || labels.consignment || ' %')",
    )?;
    let expired = expired.query_map([old], |row| {
        Ok((row.get::<_, i64>(0)?, ConsignmentId::new(row.get(1)?)))
    })?;
    let expired = expired
        .filter(|label| !matches!(label, Ok((_, consignment)) if is_unmanifested(*consignment)))
        .take(usize::try_from(A_TURN).unwrap_or_default())
        .collect::<Result<Vec<_>, _>>()?;
    for (row, _) in &expired {
        run(tx, "DELETE FROM labels WHERE rowid = ?1", [row])?;
    }
    Ok(expired.len())
}
