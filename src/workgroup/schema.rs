//! The tables of the workgroup, and their migrations: SQL files that are only added to.

use tokio_postgres::Client;

use super::WorkgroupError;

/// Oldest first. The count of the migrations that a database has had is its version.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_claims_events_benches.sql"),
    include_str!("migrations/0002_orders.sql"),
    include_str!("migrations/0003_take_claims.sql"),
    include_str!("migrations/0004_shared_values_waiting_drafts.sql"),
];

/// The key of the lock that one bench holds while it changes the tables.
const LOCK: i64 = 0x5061_636b_6265;

const VERSION_TABLE: &str = "
CREATE SCHEMA IF NOT EXISTS packbench;
CREATE TABLE IF NOT EXISTS packbench.schema_version (
    version integer PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
);
";

/// The tables of a database, compared with those of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaState {
    /// The tables are missing or those of an older version.
    Older {
        version: i32,
    },
    Current {
        version: i32,
    },
    /// A newer version changed the tables.
    Newer {
        version: i32,
    },
}

/// Compares the tables with those of this version, without changing anything.
pub(crate) async fn state(client: &Client) -> Result<SchemaState, WorkgroupError> {
    let known = "SELECT to_regclass('packbench.schema_version') IS NOT NULL";
    let is_known: bool = client.query_one(known, &[]).await?.get(0);
    if !is_known {
        return Ok(SchemaState::Older { version: 0 });
    }
    Ok(compare(version(client).await?))
}

/// Brings the tables up to date, under a lock that only one bench can hold.
pub(crate) async fn migrate(client: &mut Client) -> Result<(), WorkgroupError> {
    match state(client).await? {
        SchemaState::Current { .. } => return Ok(()),
        SchemaState::Newer { .. } => return Err(WorkgroupError::Newer),
        SchemaState::Older { .. } => {}
    }
    let tx = client.transaction().await?;
    tx.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])
        .await?;
    tx.batch_execute(VERSION_TABLE).await?;
    // Another bench may have changed the tables while this one waited for the lock.
    let known = "SELECT coalesce(max(version), 0) FROM packbench.schema_version";
    let done: i32 = tx.query_one(known, &[]).await?.get(0);
    let done = usize::try_from(done).unwrap_or_default();
    if done > MIGRATIONS.len() {
        return Err(WorkgroupError::Newer);
    }
    for (version, sql) in (1_i32..).zip(MIGRATIONS).skip(done) {
        tx.batch_execute(sql).await?;
        let insert = "INSERT INTO packbench.schema_version (version) VALUES ($1)";
        tx.execute(insert, &[&version]).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Fails if a newer version of Packbench has changed the tables while this bench was connected.
pub(crate) fn check_version(version: i32) -> Result<(), WorkgroupError> {
    match compare(version) {
        SchemaState::Newer { .. } => Err(WorkgroupError::Newer),
        SchemaState::Older { .. } | SchemaState::Current { .. } => Ok(()),
    }
}

async fn version(client: &Client) -> Result<i32, WorkgroupError> {
    let known = "SELECT coalesce(max(version), 0) FROM packbench.schema_version";
    Ok(client.query_one(known, &[]).await?.get(0))
}

fn compare(version: i32) -> SchemaState {
    match usize::try_from(version)
        .unwrap_or_default()
        .cmp(&MIGRATIONS.len())
    {
        std::cmp::Ordering::Less => SchemaState::Older { version },
        std::cmp::Ordering::Equal => SchemaState::Current { version },
        std::cmp::Ordering::Greater => SchemaState::Newer { version },
    }
}
