//! The values that all benches use alike: presets, views, printers, and consignments on hold. The newest change counts.

use tokio_postgres::{Client, Row};

use super::{Member, WorkgroupError};

const SHARE: &str = "SELECT packbench.share_values($1, $2, $3, $4, $5, $6, $7)";

const AFTER: &str = "
SELECT kind, shared_value.name, body, shared_value.version, shared_value.bench, coalesce(bench.name, shared_value.bench) AS bench_name
FROM packbench.shared_value LEFT JOIN packbench.bench
    ON bench.service = shared_value.service AND bench.bench = shared_value.bench
WHERE shared_value.service = $1 AND shared_value.version > $2 ORDER BY shared_value.version";

const NEWEST: &str = "
SELECT identity.id, coalesce((SELECT max(version) FROM packbench.shared_value WHERE service = $1), 0) AS version,
    coalesce((SELECT shared_change FROM packbench.bench WHERE service = $1 AND bench = $2), 0) AS own_change
FROM packbench.identity";

/// A restored copy is another database: all benches share their values with it again. Somebody must look at the drafts
/// that waited when it was saved.
const RESTORED: &str = "
UPDATE packbench.identity SET id = gen_random_uuid()::text;
UPDATE packbench.waiting_draft SET is_ready = false WHERE draft IS NOT NULL;";

/// A deleted value is remembered for a bench that was away meanwhile.
const REMOVE_OLD: &str = "
DELETE FROM packbench.shared_value WHERE service = $1 AND body IS NULL AND changed < now() - interval '90 days'
    AND version < (SELECT max(version) FROM packbench.shared_value WHERE service = $1)";

/// The newest change of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedValue {
    /// The kind, such as `preset`; every kind has its own names.
    pub kind: String,
    pub name: String,
    /// JSON; `None` after the value was deleted.
    pub body: Option<String>,
    /// Greater than the versions of all earlier changes; 0 before the database has the change.
    pub version: i64,
    /// The bench that changed it, by the first part of its keys.
    pub bench: String,
    /// The name of that bench on the screen.
    pub bench_name: String,
}

/// A database and the newest version in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedVersion {
    /// Random, and different for each database that was set up.
    pub database: String,
    pub version: i64,
    /// The number of the last change of this bench that the database has.
    pub own_change: i64,
}

/// Stores changes of this bench, of which the last has this number. No two of them may have the same kind and name.
pub(crate) async fn share(
    client: &Client,
    member: &Member,
    values: &[SharedValue],
    last: i64,
) -> Result<(), WorkgroupError> {
    let kinds: Vec<_> = values.iter().map(|value| &value.kind).collect();
    let names: Vec<_> = values.iter().map(|value| &value.name).collect();
    let bodies: Vec<_> = values.iter().map(|value| &value.body).collect();
    let Member {
        service,
        bench,
        clerk,
        ..
    } = member;
    client
        .execute(
            SHARE,
            &[service, &kinds, &names, &bodies, bench, clerk, &last],
        )
        .await?;
    Ok(())
}

pub(crate) async fn newest(
    client: &Client,
    member: &Member,
) -> Result<SharedVersion, WorkgroupError> {
    let row = client
        .query_one(NEWEST, &[&member.service, &member.bench])
        .await?;
    Ok(SharedVersion {
        database: row.get("id"),
        version: row.get("version"),
        own_change: row.get("own_change"),
    })
}

/// Records that the database was restored from a backup.
pub(crate) async fn restored(client: &Client) -> Result<(), WorkgroupError> {
    Ok(client.batch_execute(RESTORED).await?)
}

/// Returns the values that were changed after a version, in the order of the changes.
pub(crate) async fn after(
    client: &Client,
    service: &str,
    version: i64,
) -> Result<Vec<SharedValue>, WorkgroupError> {
    let rows = client.query(AFTER, &[&service, &version]).await?;
    let value = |row: &Row| SharedValue {
        kind: row.get("kind"),
        name: row.get("name"),
        body: row.get("body"),
        version: row.get("version"),
        bench: row.get("bench"),
        bench_name: row.get("bench_name"),
    };
    Ok(rows.iter().map(value).collect())
}

pub(crate) async fn remove_old(client: &Client, service: &str) -> Result<(), WorkgroupError> {
    client.execute(REMOVE_OLD, &[&service]).await?;
    Ok(())
}
