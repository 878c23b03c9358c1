//! The events of operations, which each bench delivers from its journal, and the release of their claims.

use jiff::Timestamp;
use tokio_postgres::{Client, Row};

use super::{WorkgroupError, claims};

const INSERT: &str = "
INSERT INTO packbench.operation_event
    (id, service, bench, operation, made, kind, state, is_end, title, reference, consignments, message, clerk, happened)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
ON CONFLICT (id) DO NOTHING";

const NEWEST: &str = "
SELECT * FROM packbench.operation_event WHERE service = $1 ORDER BY seq DESC LIMIT $2";

const COUNT: &str = "
SELECT bench, count(*) FROM packbench.operation_event WHERE service = $1 GROUP BY bench";

/// Events are deleted after 90 days, as operations are in the journal.
const REMOVE_OLD: &str = "
DELETE FROM packbench.operation_event WHERE service = $1 AND happened < now() - interval '90 days'";

/// A change of an operation's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationEvent {
    /// Different for each event, and the same when it is delivered again.
    pub id: String,
    /// The first part of the bench's keys.
    pub bench: String,
    /// The operation's id in the bench's journal.
    pub operation: i64,
    pub made: Timestamp,
    pub kind: String,
    /// The state that began at `happened`.
    pub state: String,
    /// True if the operation ended with this event, so that its claims are released.
    pub is_end: bool,
    pub title: String,
    pub reference: String,
    pub consignments: Vec<i64>,
    pub message: String,
    pub clerk: String,
    pub happened: Timestamp,
}

/// Stores events in their order and releases the claims of operations that have ended, in one transaction.
pub(crate) async fn deliver(
    client: &mut Client,
    service: &str,
    events: &[OperationEvent],
) -> Result<(), WorkgroupError> {
    let tx = client.transaction().await?;
    let insert = tx.prepare(INSERT).await?;
    for event in events {
        let OperationEvent {
            id,
            bench,
            operation,
            made,
            kind,
            state,
            is_end,
            title,
            reference,
            consignments,
            message,
            clerk,
            happened,
        } = event;
        let row: &[&(dyn tokio_postgres::types::ToSql + Sync)] = &[
            id,
            &service,
            bench,
            operation,
            made,
            kind,
            state,
            is_end,
            title,
            reference,
            consignments,
            message,
            clerk,
            happened,
        ];
        tx.execute(&insert, row).await?;
        if *is_end {
            claims::release(&tx, service, bench, (*operation, *made)).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Returns the newest events of all benches, newest first.
pub(crate) async fn newest(
    client: &Client,
    service: &str,
    count: i64,
) -> Result<Vec<OperationEvent>, WorkgroupError> {
    let rows = client.query(NEWEST, &[&service, &count]).await?;
    Ok(rows.iter().map(event).collect())
}

/// Counts the events of each bench that has any.
pub(crate) async fn count(
    client: &Client,
    service: &str,
) -> Result<Vec<(String, u32)>, WorkgroupError> {
    let rows = client.query(COUNT, &[&service]).await?;
    let counted = |row: &Row| {
        let count: i64 = row.get(1);
        (row.get(0), u32::try_from(count).unwrap_or(u32::MAX))
    };
    Ok(rows.iter().map(counted).collect())
}

pub(crate) async fn remove_old(client: &Client, service: &str) -> Result<(), WorkgroupError> {
    client.execute(REMOVE_OLD, &[&service]).await?;
    Ok(())
}

fn event(row: &Row) -> OperationEvent {
    OperationEvent {
        id: row.get("id"),
        bench: row.get("bench"),
        operation: row.get("operation"),
        made: row.get("made"),
        kind: row.get("kind"),
        state: row.get("state"),
        is_end: row.get("is_end"),
        title: row.get("title"),
        reference: row.get("reference"),
        consignments: row.get("consignments"),
        message: row.get("message"),
        clerk: row.get("clerk"),
        happened: row.get("happened"),
    }
}
