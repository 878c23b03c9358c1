//! Reads a running program's journal without changing it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use crate::support::program::Home;
use crate::support::wait::until;

/// The journal of one bench, read only; it may not be there yet.
pub(crate) struct Journal {
    path: PathBuf,
}

/// The parts of an operation that tests read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) kind: String,
    pub(crate) state: String,
    /// The service's number for it.
    pub(crate) reference: String,
}

impl Journal {
    /// The journal of the bench that lives in `home`.
    pub(crate) fn of(home: &Home) -> Self {
        Self::in_folder(&home.data())
    }

    /// The journal in this data folder.
    pub(crate) fn in_folder(data: &Path) -> Self {
        Self::at(data.join("journal-practice.sqlite"))
    }

    /// The journal at this path.
    pub(crate) const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// What is typed: all drafts on disk, the newest first.
    pub(crate) fn drafts(&self) -> Vec<Value> {
        let bodies = self.rows("SELECT body FROM drafts ORDER BY changed_ms DESC", |row| {
            row.get::<_, String>(0)
        });
        bodies
            .iter()
            .map(|body| serde_json::from_str(body).expect("a draft is JSON"))
            .collect()
    }

    pub(crate) fn operations(&self) -> Vec<Seen> {
        self.rows(
            "SELECT kind, state, reference FROM operations ORDER BY id",
            |row| {
                Ok(Seen {
                    kind: row.get(0)?,
                    state: row.get(1)?,
                    reference: row.get(2)?,
                })
            },
        )
    }

    /// Printer and state of every job.
    pub(crate) fn print_jobs(&self) -> Vec<(String, String)> {
        self.rows("SELECT printer, state FROM print_jobs ORDER BY id", |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }

    /// Waits until the newest draft on disk has `expected` at `pointer`, such as `/to/name`.
    #[track_caller]
    pub(crate) fn wait_for_draft(&self, pointer: &str, expected: &str, limit: Duration) {
        until(
            &format!("a draft on disk with {expected:?} at {pointer}"),
            limit,
            || {
                let draft = self.drafts().into_iter().next()?;
                (draft.pointer(pointer)?.as_str()? == expected).then_some(())
            },
        );
    }

    /// Waits until an operation of this kind is in this state.
    #[track_caller]
    pub(crate) fn wait_for_operation(&self, kind: &str, state: &str, limit: Duration) -> Seen {
        until(
            &format!("an operation {kind} in state {state}"),
            limit,
            || {
                self.operations()
                    .into_iter()
                    .find(|seen| seen.kind == kind && seen.state == state)
            },
        )
    }

    /// Nothing while the journal is not there, or is being made.
    fn rows<T>(
        &self,
        sql: &str,
        read: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Vec<T> {
        let found = Connection::open_with_flags(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .and_then(|journal| {
                let mut rows = journal.prepare(sql)?;
                rows.query_map([], |row| read(row))?.collect()
            });
        found.unwrap_or_default()
    }
}
