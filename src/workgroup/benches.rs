//! The benches of a workgroup.

use jiff::Timestamp;
use tokio_postgres::Client;

use super::WorkgroupError;

/// Doesn't wait for the disk, because nothing is lost with it.
const SEEN: &str = "
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO packbench.bench
    (service, bench, name, clerk, version, started, last_seen, open_operations, drafts, labels, printers)
SELECT $1, $2, $3, $4, $5, now(), now(), $6, $7, $8, $9 FROM quick
ON CONFLICT (service, bench) DO UPDATE SET
    name = excluded.name, clerk = excluded.clerk, version = excluded.version, last_seen = now(),
    open_operations = excluded.open_operations, drafts = excluded.drafts, labels = excluded.labels,
    printers = excluded.printers
RETURNING (SELECT max(version) FROM packbench.schema_version)";

const ALL: &str = "
SELECT *, now() AS now FROM packbench.bench WHERE service = $1 ORDER BY name, bench";

/// A bench as the others see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The address of the shipping service. Only benches of the same service share anything.
    pub service: String,
    /// The first part of the bench's keys, which is different on every installation.
    pub bench: String,
    /// The bench's name on the screen.
    pub name: String,
    pub clerk: String,
    /// The version of Packbench.
    pub version: String,
}

/// How much a bench has to do, and its printers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BenchActivity {
    pub open_operations: i32,
    pub drafts: i32,
    /// Labels that are not printed yet.
    pub labels: i32,
    /// Each as "Zebra: ready".
    pub printers: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchRow {
    pub bench: String,
    pub name: String,
    pub clerk: String,
    pub version: String,
    pub last_seen: Timestamp,
    pub activity: BenchActivity,
    /// The server's clock when the row was read, to compare `last_seen` with.
    pub now: Timestamp,
}

/// Records that a bench is connected. Returns the version of the tables.
pub(crate) async fn seen(
    client: &Client,
    member: &Member,
    activity: &BenchActivity,
) -> Result<i32, WorkgroupError> {
    let Member {
        service,
        bench,
        name,
        clerk,
        version,
    } = member;
    let BenchActivity {
        open_operations,
        drafts,
        labels,
        printers,
    } = activity;
    let row = client
        .query_one(
            SEEN,
            &[
                service,
                bench,
                name,
                clerk,
                version,
                open_operations,
                drafts,
                labels,
                printers,
            ],
        )
        .await?;
    Ok(row.get(0))
}

pub(crate) async fn all(client: &Client, service: &str) -> Result<Vec<BenchRow>, WorkgroupError> {
    let rows = client.query(ALL, &[&service]).await?;
    let bench = |row: &tokio_postgres::Row| BenchRow {
        bench: row.get("bench"),
        name: row.get("name"),
        clerk: row.get("clerk"),
        version: row.get("version"),
        last_seen: row.get("last_seen"),
        activity: BenchActivity {
            open_operations: row.get("open_operations"),
            drafts: row.get("drafts"),
            labels: row.get("labels"),
            printers: row.get("printers"),
        },
        now: row.get("now"),
    };
    Ok(rows.iter().map(bench).collect())
}
