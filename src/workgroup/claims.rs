//! Claims: which bench's open operation holds a consignment, so that no other bench changes it at the same time.
//!
//! All claims of an operation are taken in one transaction, or none. A claim is released together with the event of the
//! operation's end. A claim has no time limit: as long as the operation's result is unknown, its consignments stay
//! claimed, until a person releases them.

use jiff::Timestamp;
use thiserror::Error;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Row, Statement};

use super::WorkgroupError;

/// How many times a claim is tried again whose holder has released it meanwhile.
const TRIES: u32 = 5;

/// Prepared once for each connection; see the migration that makes the function.
pub(crate) const TAKE: &str = "SELECT packbench.take_claims($1, $2, $3, $4, $5, $6, $7, $8)";

/// The code with which the function fails if other benches hold some of the keys.
const IS_HELD: &str = "PBHLD";

const HELD: &str = "
SELECT claim.*, bench.name AS bench_name, bench.last_seen > now() - interval '30 seconds' AS is_connected
FROM packbench.claim LEFT JOIN packbench.bench USING (service, bench)
WHERE service = $1 AND key = ANY($2) AND bench <> $3
ORDER BY taken, key";

const ALL: &str = "
SELECT claim.*, bench.name AS bench_name, bench.last_seen > now() - interval '30 seconds' AS is_connected
FROM packbench.claim LEFT JOIN packbench.bench USING (service, bench)
WHERE service = $1 ORDER BY taken, key";

const RELEASE: &str = "DELETE FROM packbench.claim WHERE service = $1 AND bench = $2 AND operation = $3 AND made = $4";

/// The name of a thing that an operation may change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimKey(String);

impl ClaimKey {
    pub fn consignment(id: i64) -> Self {
        Self(format!("consignment {id}"))
    }

    /// The label of a consignment. It is printed while the consignment is booked, so it has a key of its own.
    pub fn label(consignment: i64) -> Self {
        Self(format!("label {consignment}"))
    }

    /// An order that is being sent, by its reference.
    pub fn order(reference: &str) -> Self {
        Self(format!(
            "order {}",
            reference.trim().to_lowercase().replace('\0', "")
        ))
    }

    pub fn is_order(&self) -> bool {
        self.0.starts_with("order ")
    }

    pub fn pending_consignment(id: i64) -> Self {
        Self(format!("pending {id}"))
    }

    /// Returns the id of the consignment; `None` if this is the key of another thing.
    pub fn consignment_id(&self) -> Option<i64> {
        self.0.strip_prefix("consignment ")?.parse().ok()
    }

    /// Returns the consignment whose label this is; `None` if this is the key of another thing.
    pub fn label_of(&self) -> Option<i64> {
        self.0.strip_prefix("label ")?.parse().ok()
    }
}

/// The operation for which a claim is taken, or a batch of labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimingOperation {
    /// The id in the bench's journal; 0 for a batch of labels.
    pub id: i64,
    /// When the operation was recorded. Together with the id it stays unique after a journal was restored.
    pub made: Timestamp,
    pub kind: String,
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub key: ClaimKey,
    /// The first part of the bench's keys.
    pub bench: String,
    /// The bench's name on the screen.
    pub bench_name: String,
    pub clerk: String,
    pub operation: ClaimingOperation,
    pub taken: Timestamp,
    /// True if the bench was connected to the database in the last 30 seconds.
    pub is_connected: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClaimError {
    /// Other operations hold some of the keys. Oldest claim first.
    #[error("another operation holds this")]
    Held(Vec<Claim>),
    #[error(transparent)]
    Database(#[from] WorkgroupError),
}

impl From<tokio_postgres::Error> for ClaimError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error.into())
    }
}

/// The bench, the clerk and the service of a claim.
pub(crate) struct Claimant<'a> {
    pub(crate) service: &'a str,
    pub(crate) bench: &'a str,
    pub(crate) clerk: &'a str,
}

/// Takes all keys for an operation, or none, by the prepared [`TAKE`]. A call whose answer was lost can be repeated.
pub(crate) async fn take(
    client: &Client,
    take: &Statement,
    claimant: &Claimant<'_>,
    operation: &ClaimingOperation,
    keys: &[ClaimKey],
) -> Result<(), ClaimError> {
    let mut keys: Vec<&str> = keys.iter().map(|key| key.0.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let Claimant {
        service,
        bench,
        clerk,
    } = claimant;
    let ClaimingOperation {
        id,
        made,
        kind,
        title,
    } = operation;
    for _ in 0..TRIES {
        let row: &[&(dyn tokio_postgres::types::ToSql + Sync)] =
            &[service, &keys, bench, id, made, kind, title, clerk];
        match client.execute(take, row).await {
            Ok(_) => return Ok(()),
            // Of two benches that wait for each other, the server ends one.
            Err(error) if error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED) => continue,
            Err(error) if error.code().is_some_and(|code| code.code() == IS_HELD) => {}
            Err(error) => return Err(error.into()),
        }
        let held = client.query(HELD, &[service, &keys, bench]).await?;
        if !held.is_empty() {
            return Err(ClaimError::Held(held.iter().map(claim).collect()));
        }
        // Their holder has just released them.
    }
    Err(WorkgroupError::Late.into())
}

/// Returns all claims of all benches, oldest first.
pub(crate) async fn all(client: &Client, service: &str) -> Result<Vec<Claim>, WorkgroupError> {
    let rows = client.query(ALL, &[&service]).await?;
    Ok(rows.iter().map(claim).collect())
}

/// Releases the claims of an operation whose end is known.
pub(crate) async fn release(
    client: &Client,
    service: &str,
    bench: &str,
    (id, made): (i64, Timestamp),
) -> Result<(), WorkgroupError> {
    client
        .execute(RELEASE, &[&service, &bench, &id, &made])
        .await?;
    Ok(())
}

fn claim(row: &Row) -> Claim {
    let bench: String = row.get("bench");
    let name: Option<String> = row.get("bench_name");
    Claim {
        key: ClaimKey(row.get("key")),
        bench_name: name.unwrap_or_else(|| bench.clone()),
        bench,
        clerk: row.get("clerk"),
        operation: ClaimingOperation {
            id: row.get("operation"),
            made: row.get("made"),
            kind: row.get("kind"),
            title: row.get("title"),
        },
        taken: row.get("taken"),
        is_connected: row.get::<_, Option<bool>>("is_connected").unwrap_or(false),
    }
}
