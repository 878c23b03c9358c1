//! The SQLite database of the practice service: users and their tokens, consignments with their
//! history, manifests, pending consignments (stored as they were sent) and print jobs.
//!
//! Every change is one transaction. Invariant: a consignment's document changes only while it is unmanifested. The
//! caller checks this condition and the rules of the API.

mod consignments;

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rusqlite::backup::Backup;
use rusqlite::{Connection, OptionalExtension, Row, params};
use rusqlite_migration::Error::MigrationDefinition;
use rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead;
use rusqlite_migration::{M, Migrations};
use serde_json::Value;

use super::consignment::StatusEvent;
use super::handlers::User;
use super::simulation::Booking;
use super::wire::read_local;

pub(crate) use consignments::{LookupKey, NewManifest, RecentFilter, StatusChange};

/// Database pages in one step of a copy. In practice one step copies the whole database.
const PAGES_AT_ONCE: i32 = 100_000;

/// The reason why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the practice data folder {path} cannot be made: {source}")]
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("the practice database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The tables were written by a newer version of the program.
    #[error(
        "the practice data was written by a newer version of Packbench; install the newer version again"
    )]
    Newer,
    #[error("the practice database cannot be brought up to date: {0}")]
    Migration(#[source] rusqlite_migration::Error),
    /// A stored document cannot be parsed.
    #[error("a stored practice record cannot be read: {0}")]
    Document(#[from] serde_json::Error),
    /// A stored time is invalid.
    #[error("a stored practice record cannot be read: {0}")]
    Time(#[from] jiff::Error),
    #[error("the practice database does not have all practice users")]
    Users,
}

impl From<rusqlite_migration::Error> for StoreError {
    fn from(error: rusqlite_migration::Error) -> Self {
        match error {
            MigrationDefinition(DatabaseTooFarAhead) => Self::Newer,
            other => Self::Migration(other),
        }
    }
}

/// The open database.
pub(crate) struct Store {
    connection: Connection,
    /// The last list of recent changes, kept because its pages are requested one after the other.
    recent: Option<consignments::CachedList>,
}

impl Store {
    /// Opens `practice.sqlite` in `folder`, and creates both if necessary.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("practice.sqlite");
        std::fs::create_dir_all(folder)
            .and_then(|()| keep_private(&path))
            .map_err(|source| StoreError::Folder {
                path: folder.to_owned(),
                source,
            })?;
        let mut connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Migrations::from_slice(MIGRATIONS).to_latest(&mut connection)?;
        Ok(Self {
            connection,
            recent: None,
        })
    }

    /// Copies the whole database into memory.
    pub(crate) fn copy(&self) -> Result<Self, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        let backup = Backup::new(&self.connection, &mut connection)?;
        backup.run_to_completion(PAGES_AT_ONCE, Duration::ZERO, None)?;
        drop(backup);
        Ok(Self {
            connection,
            recent: None,
        })
    }

    /// Returns all users in this order: the practice clerk, the viewer, the supervisor, the tester in
    /// test mode. Each user's token is created at the first start and never changes.
    pub(crate) fn users(&self) -> Result<[User; 4], StoreError> {
        let query = "SELECT id, name, company_id, token, role, is_test FROM user ORDER BY id";
        let mut statement = self.connection.prepare(query)?;
        let users = statement.query_map([], |row| {
            Ok(User {
                id: row.get(0)?,
                name: row.get(1)?,
                company_id: row.get(2)?,
                token: row.get(3)?,
                role: row.get(4)?,
                is_test: row.get(5)?,
            })
        })?;
        let users: Vec<User> = users.collect::<Result<_, _>>()?;
        users.try_into().map_err(|_others| StoreError::Users)
    }

    /// Returns the id of the practice integration, which is created at the first start and never changes.
    pub(crate) fn integration_id(&self) -> Result<String, StoreError> {
        let query = "SELECT id FROM integration";
        Ok(self.connection.query_row(query, [], |row| row.get(0))?)
    }

    pub(crate) fn insert_pending(
        &mut self,
        company_id: i64,
        user_id: i64,
        created: Timestamp,
        document: &Value,
    ) -> Result<i64, StoreError> {
        self.connection.execute(
            "INSERT INTO pending (company_id, created_us, by_user_id, document) VALUES (?1, ?2, ?3, ?4)",
            params![company_id, created.as_microsecond(), user_id, document.to_string()],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Returns the company of a pending consignment, and its document.
    pub(crate) fn pending(&self, id: i64) -> Result<Option<(i64, String)>, StoreError> {
        let query = "SELECT company_id, document FROM pending WHERE id = ?1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.connection.query_row(query, [id], read).optional()?)
    }

    pub(crate) fn delete_pending(&mut self, ids: &[i64]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for id in ids {
            transaction.execute("DELETE FROM pending WHERE id = ?1", [id])?;
        }
        Ok(transaction.commit()?)
    }

    /// Saves all of the jobs, or none if one fails.
    pub(crate) fn insert_print_jobs(&mut self, jobs: &[PrintJob]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for job in jobs {
            transaction.execute(
                "INSERT INTO print_job (at_us, company_id, consignment_ids, label_type, printer_id, print_a4, by_name, rule)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    job.at.as_microsecond(),
                    job.company_id,
                    serde_json::to_string(&job.consignment_ids)?,
                    job.label_type,
                    job.printer_id,
                    job.print_a4,
                    job.by,
                    job.rule
                ],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Returns the newest `limit` jobs of these companies with their ids, newest first.
    pub(crate) fn print_jobs(
        &self,
        company_ids: &[i64],
        limit: i64,
    ) -> Result<Vec<(i64, PrintJob)>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT id, at_us, company_id, consignment_ids, label_type, printer_id, print_a4, by_name, rule FROM print_job
            WHERE company_id IN (SELECT value FROM json_each(?1)) ORDER BY id DESC LIMIT ?2",
        )?;
        let companies = serde_json::to_string(company_ids)?;
        let rows = statement.query_and_then(params![companies, limit], |row| {
            let ids: String = row.get(3)?;
            let job = PrintJob {
                at: moment(row.get(1)?)?,
                company_id: row.get(2)?,
                consignment_ids: serde_json::from_str(&ids)?,
                label_type: row.get(4)?,
                printer_id: row.get(5)?,
                print_a4: row.get(6)?,
                by: row.get(7)?,
                rule: row.get(8)?,
            };
            Ok((row.get(0)?, job))
        })?;
        rows.collect()
    }
}

/// One job that a printer of the service would have printed.
#[derive(Debug)]
pub(crate) struct PrintJob {
    pub(crate) at: Timestamp,
    pub(crate) company_id: i64,
    pub(crate) consignment_ids: Vec<i64>,
    pub(crate) label_type: i64,
    pub(crate) printer_id: i64,
    pub(crate) print_a4: bool,
    pub(crate) by: String,
    /// The printing rule that created the job; none if a user did.
    pub(crate) rule: Option<String>,
}

/// Makes the database files readable for the current user only. SQLite gives the files beside the database
/// the permissions of the database.
#[cfg_attr(
    not(unix),
    expect(clippy::unnecessary_wraps, reason = "it may fail elsewhere")
)]
fn keep_private(database: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        let mut options = std::fs::OpenOptions::new();
        options.append(true).create(true).mode(0o600);
        options.open(database)?;
        std::fs::set_permissions(database, std::fs::Permissions::from_mode(0o600))?;
    }
    #[cfg(not(unix))]
    let _ = database;
    Ok(())
}

fn moment(microseconds: i64) -> Result<Timestamp, StoreError> {
    Ok(Timestamp::from_microsecond(microseconds)?)
}

/// The progress of a booked consignment with its simulated carrier: the number of steps done, when the next step
/// began, how long that step takes in the carriers' own time, and when it is due on the clock.
#[derive(Debug)]
pub(crate) struct CarrierProgress {
    pub(crate) consignment_id: i64,
    /// The events of the steps that are done now, in order.
    pub(crate) events: Vec<StatusEvent>,
    /// Number of steps done.
    pub(crate) steps: usize,
    /// Time of the last step done, or of the booking before the first step.
    pub(crate) since: Timestamp,
    /// None if the plan has no more steps.
    pub(crate) next: Option<NextStep>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct NextStep {
    pub(crate) at: Timestamp,
    /// Duration in the carriers' own time.
    pub(crate) takes: SignedDuration,
}

impl Store {
    /// Returns the consignments whose next step is due by `now`, longest overdue first, at most `limit`.
    pub(crate) fn due_steps(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<CarrierProgress>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT consignment_id, steps, since_us FROM carriage WHERE next_us <= ?1 ORDER BY next_us LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_and_then([now.as_microsecond(), limit], |row| {
            Ok(CarrierProgress {
                consignment_id: row.get(0)?,
                events: Vec::new(),
                next: None,
                steps: usize::try_from(row.get::<_, i64>(1)?).unwrap_or(0),
                since: moment(row.get(2)?)?,
            })
        })?;
        rows.collect()
    }

    /// Returns the booking of a manifest, or none if there is no such manifest.
    pub(crate) fn booking(&self, manifest_id: i64) -> Result<Option<Booking>, StoreError> {
        let query = "SELECT booked_us, document FROM manifest WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(query)?;
        let mut rows = statement.query_and_then([manifest_id], |row| {
            let document: String = row.get(1)?;
            let document: Value = serde_json::from_str(&document)?;
            Ok(Booking {
                at: moment(row.get(0)?)?,
                pickup: document["pickupDateTime"].as_str().and_then(read_local),
            })
        })?;
        rows.next().transpose()
    }

    /// Saves the progress of several consignments in one transaction.
    pub(crate) fn save_progress(&mut self, all: &[CarrierProgress]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for progress in all {
            let id = progress.consignment_id;
            for event in &progress.events {
                consignments::add_event(&transaction, id, event)?;
            }
            if let Some(event) = progress.events.last() {
                let query = "UPDATE consignment SET status = ?2 WHERE id = ?1";
                transaction.execute(query, [id, event.status.0])?;
            }
            let next = progress.next;
            transaction
                .prepare_cached(
                    "UPDATE carriage SET steps = ?2, since_us = ?3, takes_us = ?4, next_us = ?5, ended = ?6
                    WHERE consignment_id = ?1",
                )?
                .execute(params![
                    id,
                    i64::try_from(progress.steps).unwrap_or(i64::MAX),
                    progress.since.as_microsecond(),
                    next.map_or(0, |next| microseconds(next.takes)),
                    next.map(|next| next.at.as_microsecond()),
                    next.is_none(),
                ])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Returns the speed of the carriers.
    pub(crate) fn speed(&self) -> Result<u32, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT speed FROM pace")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// Changes the speed of the carriers. The current step starts again from `now` at the new speed.
    pub(crate) fn set_speed(&mut self, speed: u32, now: Timestamp) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute("UPDATE pace SET speed = ?1", [speed])?;
        transaction.execute(
            "UPDATE carriage SET since_us = max(since_us, ?2),
                next_us = max(since_us, ?2) + CASE ?1 WHEN 0 THEN NULL ELSE takes_us / ?1 END
            WHERE NOT ended",
            params![speed, now.as_microsecond()],
        )?;
        transaction.commit()?;
        Ok(())
    }
}

fn microseconds(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Includes the migration files in the given order.
macro_rules! migrations {
    ($($file:literal)+) => {
        &[$(M::up(include_str!(concat!("../../assets/practice/migrations/", $file)))),+]
    };
}

/// The schema, as migrations from any older version, oldest first. A published migration must never change.
const MIGRATIONS: &[M<'_>] = migrations! {
    "1-tables.sql"
    "2-carrier-details.sql"
    "3-roles.sql"
    "4-carrier-progress.sql"
    "5-print-jobs.sql"
    "6-tracking-and-live-pricing.sql"
    "7-pending.sql"
    "8-recent-changes.sql"
    "9-options.sql"
};
