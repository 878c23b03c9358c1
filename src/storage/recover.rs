//! Recovery after a crash: gives the operations and print jobs that the last run left unfinished
//! their true state.

use jiff::Timestamp;
use rusqlite::{Transaction, params};

use super::sql_types::Millis;
use super::{JobId, JobState, Journal, JournalError, OperationKind, OperationState};

/// The print jobs that a start found unfinished.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovered {
    pub jobs: Vec<JobId>,
}

const UNSENT: &str = "Not sent: Packbench was closed first. Send it again or discard it";
const CUT: &str = "Packbench was closed before the answer came";
const CUT_FOR_GOOD: &str = "Packbench was closed before the answer came, and the service can't confirm it. Please check it yourself";
const SPOOLING: &str = "Packbench was closed while printing. Check the printer";

impl Journal {
    /// Corrects what the last run left open, in one transaction. Operations that were not sent become
    /// `Absent`. Operations that were being sent become `Unknown`, or `Ask` if the service cannot be asked
    /// about them. Print jobs that were being handed over become `Ask`.
    pub fn recover(&mut self, now: Timestamp) -> Result<Recovered, JournalError> {
        let tx = self.db.transaction()?;
        super::replaced_pending::reset_interrupted(&tx, now)?;
        for kind in OperationKind::ALL {
            let (cut, words) = if kind.can_be_reconciled() {
                (OperationState::Unknown, CUT)
            } else {
                (OperationState::Ask, CUT_FOR_GOOD)
            };
            let moves = [
                (OperationState::Ready, OperationState::Absent, UNSENT),
                (OperationState::Sending, cut, words),
            ];
            for (from, to, words) in moves {
                move_all(&tx, *kind, from, to, words, now)?;
            }
        }
        let jobs = ask_about_jobs(&tx, now)?;
        tx.commit()?;
        Ok(Recovered { jobs })
    }
}

/// Moves all operations of a kind from one state to another and sets their message.
pub(super) fn move_all(
    tx: &Transaction<'_>,
    kind: OperationKind,
    from: OperationState,
    to: OperationState,
    words: &str,
    now: Timestamp,
) -> rusqlite::Result<()> {
    tx.execute(
        "INSERT INTO history (operation, state, words, at_ms)
         SELECT id, ?1, ?2, ?3 FROM operations WHERE state = ?4 AND kind = ?5",
        params![to, words, Millis(now), from, kind],
    )?;
    tx.execute(
        "UPDATE operations SET state = ?1, checks = 0, words = ?2, changed_ms = ?3 WHERE state = ?4 AND kind = ?5",
        params![to, words, Millis(now), from, kind],
    )?;
    Ok(())
}

fn ask_about_jobs(tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<Vec<JobId>> {
    let jobs = tx
        .prepare("SELECT id FROM print_jobs WHERE state = ?1 ORDER BY id")?
        .query_map([JobState::Spooling], |row| row.get(0).map(JobId))?
        .collect::<Result<Vec<_>, _>>()?;
    for job in &jobs {
        tx.execute(
            "INSERT INTO job_history (job, state, words, at_ms) VALUES (?1, ?2, ?3, ?4)",
            params![job.0, JobState::Ask, SPOOLING, Millis(now)],
        )?;
        tx.execute(
            "UPDATE print_jobs SET state = ?1, words = ?2, changed_ms = ?3 WHERE id = ?4",
            params![JobState::Ask, SPOOLING, Millis(now), job.0],
        )?;
    }
    Ok(jobs)
}
