//! Drafts that a bench has left for any other bench. The bench that takes one over saves it in its own journal before the
//! draft is removed here.

use jiff::Timestamp;
use tokio_postgres::{Client, Row};

use super::orders::{self, OrderKey};
use super::{Member, WorkgroupError};

const LEAVE: &str = "
INSERT INTO packbench.waiting_draft
    (service, id, draft, title, receiver, suburb, is_ready, company, reference, bench, clerk)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT DO NOTHING";

const TELL: &str = "SELECT pg_notify('packbench_shared', $1)";

/// Takes one draft: that with this id, or the oldest that can be sent as it is. Leaves out drafts that another bench is
/// taking at this moment.
const TAKE: &str = "
UPDATE packbench.waiting_draft SET taken_by = $2, taken = now()
WHERE service = $1 AND id = (
    SELECT id FROM packbench.waiting_draft
    WHERE service = $1 AND taken_by IS NULL AND CASE WHEN $3::text IS NULL THEN is_ready ELSE id = $3 END
    ORDER BY left_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, draft, company, reference";

const TAKEN: &str = "
SELECT id, draft, company, reference FROM packbench.waiting_draft
WHERE service = $1 AND taken_by = $2 AND draft IS NOT NULL ORDER BY taken";

const SAVED: &str = "
UPDATE packbench.waiting_draft SET draft = NULL WHERE service = $1 AND id = $2 AND taken_by = $3";

const RETURN: &str = "
UPDATE packbench.waiting_draft SET taken_by = NULL, taken = NULL
WHERE service = $1 AND id = $2 AND taken_by = $3 AND draft IS NOT NULL";

const ALL: &str = "
SELECT waiting_draft.*, coalesce(bench.name, waiting_draft.bench) AS bench_name
FROM packbench.waiting_draft LEFT JOIN packbench.bench
    ON bench.service = waiting_draft.service AND bench.bench = waiting_draft.bench
WHERE waiting_draft.service = $1 AND taken_by IS NULL ORDER BY left_at, id LIMIT $2";

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

/// Stores a draft, once.
pub(crate) async fn leave(
    client: &mut Client,
    member: &Member,
    left: &LeftDraft,
) -> Result<(), WorkgroupError> {
    let LeftDraft {
        id,
        draft,
        title,
        receiver,
        suburb,
        is_ready,
        order,
    } = left;
    let (company, reference) = order.as_ref().map(OrderKey::parts).unzip();
    let Member {
        service,
        bench,
        clerk,
        ..
    } = member;
    let tx = client.transaction().await?;
    tx.execute(
        LEAVE,
        &[
            service, id, draft, title, receiver, suburb, is_ready, &company, &reference, bench,
            clerk,
        ],
    )
    .await?;
    tx.execute(TELL, &[service]).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes the draft with this id, or the oldest that can be sent as it is, with its order. Returns `None` if there is none,
/// or another bench has it.
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
    if let Some(order) = order(&row) {
        orders::move_to(&tx, member, &[order]).await?;
    }
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
    client
        .execute(SAVED, &[&member.service, &id, &member.bench])
        .await?;
    Ok(())
}

/// Gives back a draft that this bench has taken and can't use.
pub(crate) async fn give_back(
    client: &Client,
    member: &Member,
    id: &str,
) -> Result<(), WorkgroupError> {
    client
        .execute(RETURN, &[&member.service, &id, &member.bench])
        .await?;
    client.execute(TELL, &[&member.service]).await?;
    Ok(())
}

/// Returns the drafts that any bench can take over, the one that has waited longest first.
pub(crate) async fn all(
    client: &Client,
    service: &str,
    most: i64,
) -> Result<Vec<WaitingDraft>, WorkgroupError> {
    let rows = client.query(ALL, &[&service, &most]).await?;
    let waiting = |row: &Row| WaitingDraft {
        id: row.get("id"),
        title: row.get("title"),
        receiver: row.get("receiver"),
        suburb: row.get("suburb"),
        is_ready: row.get("is_ready"),
        bench_name: row.get("bench_name"),
        clerk: row.get("clerk"),
        since: row.get("left_at"),
    };
    Ok(rows.iter().map(waiting).collect())
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

fn order(row: &Row) -> Option<OrderKey> {
    let reference: Option<&str> = row.get("reference");
    Some(OrderKey::new(row.get("company"), reference?))
}
