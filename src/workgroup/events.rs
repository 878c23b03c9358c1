//! The events of operations, which each bench delivers from its journal, and the release of their claims.

use jiff::Timestamp;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::WorkgroupError;

/// All events in one call. Consignments are texts like "71 72", because an array of arrays can't be ragged.
const INSERT: &str = "
INSERT INTO packbench.operation_event
    (id, service, bench, operation, made, kind, state, is_end, title, reference, consignments, message, clerk, happened)
SELECT id, $1, bench, operation, made, kind, state, is_end, title, reference,
    string_to_array(consignments, ' ')::bigint[], message, clerk, happened
FROM unnest($2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[], $7::text[], $8::boolean[],
    $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[]) WITH ORDINALITY
    AS event (id, bench, operation, made, kind, state, is_end, title, reference, consignments, message, clerk,
        happened, place)
ORDER BY place
ON CONFLICT (id) DO NOTHING";

const RELEASE: &str = "
DELETE FROM packbench.claim USING unnest($2::text[], $3::bigint[], $4::timestamptz[])
    AS ended (bench, operation, made)
WHERE claim.service = $1 AND claim.bench = ended.bench AND claim.operation = ended.operation
    AND claim.made = ended.made";

const NEWEST: &str = "
SELECT * FROM packbench.operation_event WHERE service = $1 ORDER BY seq DESC LIMIT $2";

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
    macro_rules! column {
        ($field:ident) => {
            events.iter().map(|event| &event.$field).collect::<Vec<_>>()
        };
    }
    let numbers = |ids: &[i64]| {
        let ids: Vec<_> = ids.iter().map(i64::to_string).collect();
        ids.join(" ")
    };
    let consignments: Vec<_> = { events.iter() }
        .map(|event| numbers(&event.consignments))
        .collect();
    let row: &[&(dyn ToSql + Sync)] = &[
        &service,
        &column!(id),
        &column!(bench),
        &column!(operation),
        &column!(made),
        &column!(kind),
        &column!(state),
        &column!(is_end),
        &column!(title),
        &column!(reference),
        &consignments,
        &column!(message),
        &column!(clerk),
        &column!(happened),
    ];
    tx.execute(INSERT, row).await?;
    let ended: Vec<_> = events.iter().filter(|event| event.is_end).collect();
    let benches: Vec<_> = ended.iter().map(|event| &event.bench).collect();
    let operations: Vec<_> = ended.iter().map(|event| event.operation).collect();
    let made: Vec<_> = ended.iter().map(|event| event.made).collect();
    tx.execute(RELEASE, &[&service, &benches, &operations, &made])
        .await?;
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
