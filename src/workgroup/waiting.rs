//! Drafts that a bench has left for any other bench. The bench that takes one over saves it in its own journal before the
//! draft is removed here.

use jiff::Timestamp;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::orders::OrderKey;
use super::{Member, WorkgroupError};

/// All drafts in one call.
const LEAVE: &str = "
INSERT INTO packbench.waiting_draft
    (service, id, draft, title, receiver, suburb, is_ready, company, reference, bench, clerk)
SELECT $1, id, draft, title, receiver, suburb, is_ready, company, reference, $2, $3
FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::bigint[], $11::text[])
    WITH ORDINALITY AS wanted (id, draft, title, receiver, suburb, is_ready, company, reference, at)
ORDER BY at
ON CONFLICT DO NOTHING";

const TELL: &str = "SELECT pg_notify('packbench_shared', $1)";

/// Takes one draft: that with this id, or the oldest that can be sent as it is. Leaves out drafts that another bench is
/// taking at this moment.
const TAKE: &str = "
UPDATE packbench.waiting_draft SET taken_by = $2, taken = now()
WHERE service = $1 AND id = (
    SELECT id FROM packbench.waiting_draft
    WHERE service = $1 AND taken_by IS NULL AND CASE WHEN $3::text IS NULL THEN is_ready ELSE id = $3 END
    ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, draft";

const TAKEN: &str = "
SELECT id, draft FROM packbench.waiting_draft
WHERE service = $1 AND taken_by = $2 AND draft IS NOT NULL ORDER BY taken";

/// Also gives the order of the draft to this bench, if the bench that left the draft has it.
const SAVED: &str = "
WITH saved AS (
    UPDATE packbench.waiting_draft SET draft = NULL
    WHERE service = $1 AND id = $2 AND taken_by = $3 AND draft IS NOT NULL
    RETURNING company, reference, bench)
UPDATE packbench.order_taken SET bench = $3, clerk = $4 FROM saved
WHERE order_taken.service = $1 AND order_taken.bench = saved.bench AND order_taken.reference = saved.reference
    AND (order_taken.company = saved.company OR order_taken.company = 0 OR saved.company = 0)";

const RETURN: &str = "
UPDATE packbench.waiting_draft SET taken_by = NULL, taken = NULL
WHERE service = $1 AND id = $2 AND taken_by = $3 AND draft IS NOT NULL";

const COLUMNS: &str = "
SELECT id, title, receiver, suburb, is_ready, waiting_draft.clerk, left_at, taken_by,
    coalesce(bench.name, waiting_draft.bench) AS bench_name
FROM packbench.waiting_draft LEFT JOIN packbench.bench
    ON bench.service = waiting_draft.service AND bench.bench = waiting_draft.bench
WHERE waiting_draft.service = $1";

/// A draft that was taken is remembered for a bench that delivers it a second time.
const REMOVE_OLD: &str = "
DELETE FROM packbench.waiting_draft WHERE service = $1 AND draft IS NULL AND taken < now() - interval '90 days'";

/// A draft that this bench leaves for any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftDraft {
    /// Random, and the same when it is delivered again.
    pub id: String,
    /// The draft as JSON.
    pub draft: String,
    pub title: String,
    pub receiver: String,
    pub suburb: String,
    /// True if the draft can be sent as it is.
    pub is_ready: bool,
    /// The order that the draft was imported from.
    pub order: Option<OrderKey>,
}

/// A draft that any bench can take over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingDraft {
    pub id: String,
    pub title: String,
    pub receiver: String,
    pub suburb: String,
    pub is_ready: bool,
    /// The name on the screen of the bench that left it.
    pub bench_name: String,
    pub clerk: String,
    pub since: Timestamp,
}

/// A draft that this bench has taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenDraft {
    pub id: String,
    /// The draft as JSON.
    pub draft: String,
}

/// Stores drafts, each once.
pub(crate) async fn leave(
    client: &mut Client,
    member: &Member,
    left: &[LeftDraft],
) -> Result<(), WorkgroupError> {
    macro_rules! column {
        ($field:ident) => {
            left.iter().map(|one| &one.$field).collect::<Vec<_>>()
        };
    }
    let orders = left.iter().map(|one| {
        let order = one.order.as_ref().map(OrderKey::parts);
        order.unzip()
    });
    let (companies, references): (Vec<Option<i64>>, Vec<Option<&str>>) = orders.unzip();
    let Member {
        service,
        bench,
        clerk,
        ..
    } = member;
    let rows: &[&(dyn ToSql + Sync)] = &[
        service,
        bench,
        clerk,
        &column!(id),
        &column!(draft),
        &column!(title),
        &column!(receiver),
        &column!(suburb),
        &column!(is_ready),
        &companies,
        &references,
    ];
    let tx = client.transaction().await?;
    tx.execute(LEAVE, rows).await?;
    tx.execute(TELL, &[service]).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes the draft with this id, or the oldest that can be sent as it is. Returns `None` if there is none, or another bench
/// has it.
pub(crate) async fn take(
    client: &mut Client,
    member: &Member,
    id: Option<&str>,
) -> Result<Option<TakenDraft>, WorkgroupError> {
    let tx = client.transaction().await?;
    let (service, bench) = (&member.service, &member.bench);
    let Some(row) = tx.query_opt(TAKE, &[service, bench, &id]).await? else {
        return Ok(None);
    };
    tx.execute(TELL, &[service]).await?;
    tx.commit().await?;
    Ok(Some(taken(&row)))
}

/// Returns the drafts that this bench took and may not have saved.
pub(crate) async fn taken_by(
    client: &Client,
    member: &Member,
) -> Result<Vec<TakenDraft>, WorkgroupError> {
    let rows = client
        .query(TAKEN, &[&member.service, &member.bench])
        .await?;
    Ok(rows.iter().map(taken).collect())
}

/// Removes a draft that this bench has taken and saved.
pub(crate) async fn saved(
    client: &Client,
    member: &Member,
    id: &str,
) -> Result<(), WorkgroupError> {
    let Member {
        service,
        bench,
        clerk,
        ..
    } = member;
    client.execute(SAVED, &[service, &id, bench, clerk]).await?;
    Ok(())
}

/// Gives back a draft that a bench has taken and can't save.
pub(crate) async fn give_back(
    client: &Client,
    service: &str,
    bench: &str,
    id: &str,
) -> Result<(), WorkgroupError> {
    client.execute(RETURN, &[&service, &id, &bench]).await?;
    client.execute(TELL, &[&service]).await?;
    Ok(())
}

/// Returns the drafts that any bench can take over, the one that has waited longest first.
pub(crate) async fn all(
    client: &Client,
    service: &str,
    most: i64,
) -> Result<Vec<WaitingDraft>, WorkgroupError> {
    let sql = format!("{COLUMNS} AND taken_by IS NULL ORDER BY place LIMIT $2");
    let rows = client.query(&sql, &[&service, &most]).await?;
    Ok(rows.iter().map(waiting).collect())
}

/// Returns the drafts that benches took and have not saved, with the first part of each bench's keys.
pub(crate) async fn unsaved(
    client: &Client,
    service: &str,
) -> Result<Vec<(String, WaitingDraft)>, WorkgroupError> {
    let sql = format!("{COLUMNS} AND taken_by IS NOT NULL AND draft IS NOT NULL ORDER BY taken");
    let rows = client.query(&sql, &[&service]).await?;
    let taken = |row: &Row| (row.get("taken_by"), waiting(row));
    Ok(rows.iter().map(taken).collect())
}

pub(crate) async fn remove_old(client: &Client, service: &str) -> Result<(), WorkgroupError> {
    client.execute(REMOVE_OLD, &[&service]).await?;
    Ok(())
}

fn taken(row: &Row) -> TakenDraft {
    TakenDraft {
        id: row.get("id"),
        draft: row.get("draft"),
    }
}

fn waiting(row: &Row) -> WaitingDraft {
    WaitingDraft {
        id: row.get("id"),
        title: row.get("title"),
        receiver: row.get("receiver"),
        suburb: row.get("suburb"),
        is_ready: row.get("is_ready"),
        bench_name: row.get("bench_name"),
        clerk: row.get("clerk"),
        since: row.get("left_at"),
    }
}
