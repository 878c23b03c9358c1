//! Orders that were imported from files. An order belongs to the bench that imported it first.

use jiff::SignedDuration;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, GenericClient};

use super::{Member, WorkgroupError};

/// The orders that are asked for, beside those of other benches. A bench may not know the company of its token yet, so 0
/// may be any company.
const WANTED_OF_OTHERS: &str = "
unnest($2::bigint[], $3::text[]) AS wanted (company, reference)
WHERE order_taken.service = $1 AND order_taken.bench <> $4 AND order_taken.reference = wanted.reference
    AND (order_taken.company = wanted.company OR order_taken.company = 0 OR wanted.company = 0)";

/// Orders the keys, so that two benches with the same orders never wait for each other.
const TAKE: &str = "
INSERT INTO packbench.order_taken (service, company, reference, bench, clerk)
SELECT DISTINCT $1, company, reference, $4, $5
FROM unnest($2::bigint[], $3::text[]) AS wanted (company, reference)
ORDER BY company, reference
ON CONFLICT DO NOTHING";

/// An order is remembered for as long as each bench remembers what it imported.
const REMOVE_OLD: &str = "
DELETE FROM packbench.order_taken WHERE service = $1 AND taken < now() - interval '90 days'";

/// The identity of an order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderKey {
    company: i64,
    reference: String,
}

impl OrderKey {
    /// Returns the identity of an order of this company; `None` stands for the company of the token.
    pub fn new(company: Option<i64>, reference: &str) -> Self {
        Self {
            company: company.unwrap_or_default(),
            reference: reference.trim().to_lowercase(),
        }
    }

    /// Returns the company, 0 for any, and the reference.
    pub(crate) fn parts(&self) -> (i64, &str) {
        (self.company, &self.reference)
    }
}

/// An order that another bench has imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenOrder {
    pub key: OrderKey,
    /// The bench's name on the screen.
    pub bench_name: String,
    pub clerk: String,
    /// How long ago it was imported, by the server's clock.
    pub age: SignedDuration,
}

/// Returns those of the orders that other benches have imported.
pub(crate) async fn of_others(
    client: &impl GenericClient,
    member: &Member,
    keys: &[OrderKey],
) -> Result<Vec<TakenOrder>, WorkgroupError> {
    let (companies, references) = columns(keys);
    let sql = format!(
        "SELECT wanted.company, wanted.reference, order_taken.clerk,
            extract(epoch FROM now() - order_taken.taken)::bigint AS age, coalesce(
            (SELECT name FROM packbench.bench WHERE bench.service = $1 AND bench.bench = order_taken.bench),
            order_taken.bench) AS bench_name
         FROM packbench.order_taken, {WANTED_OF_OTHERS}"
    );
    let about: &[&(dyn ToSql + Sync)] = &[&member.service, &companies, &references, &member.bench];
    let rows = client.query(&sql, about).await?;
    let taken = |row: &tokio_postgres::Row| TakenOrder {
        key: OrderKey {
            company: row.get("company"),
            reference: row.get("reference"),
        },
        bench_name: row.get("bench_name"),
        clerk: row.get("clerk"),
        age: SignedDuration::from_secs(row.get("age")),
    };
    Ok(rows.iter().map(taken).collect())
}

/// Takes those of the orders that no other bench has. Returns the others.
pub(crate) async fn take(
    client: &mut Client,
    member: &Member,
    keys: &[OrderKey],
) -> Result<Vec<TakenOrder>, WorkgroupError> {
    let tx = client.transaction().await?;
    let others = of_others(&tx, member, keys).await?;
    let is_free = |key: &&OrderKey| others.iter().all(|other| other.key != **key);
    let free: Vec<_> = keys.iter().filter(is_free).cloned().collect();
    insert(&tx, member, &free).await?;
    // Another bench may have taken some of them since.
    let others = of_others(&tx, member, keys).await?;
    tx.commit().await?;
    Ok(others)
}

/// Takes all of the orders, also those that another bench has.
pub(crate) async fn take_over(
    client: &mut Client,
    member: &Member,
    keys: &[OrderKey],
) -> Result<(), WorkgroupError> {
    let tx = client.transaction().await?;
    let (companies, references) = columns(keys);
    let sql = format!("DELETE FROM packbench.order_taken USING {WANTED_OF_OTHERS}");
    let about: &[&(dyn ToSql + Sync)] = &[&member.service, &companies, &references, &member.bench];
    tx.execute(&sql, about).await?;
    insert(&tx, member, keys).await?;
    tx.commit().await?;
    Ok(())
}

pub(crate) async fn remove_old(client: &Client, service: &str) -> Result<(), WorkgroupError> {
    client.execute(REMOVE_OLD, &[&service]).await?;
    Ok(())
}

async fn insert(
    client: &impl GenericClient,
    member: &Member,
    keys: &[OrderKey],
) -> Result<(), WorkgroupError> {
    let (companies, references) = columns(keys);
    let Member {
        service,
        bench,
        clerk,
        ..
    } = member;
    client
        .execute(TAKE, &[service, &companies, &references, bench, clerk])
        .await?;
    Ok(())
}

fn columns(keys: &[OrderKey]) -> (Vec<i64>, Vec<&str>) {
    let columns = keys.iter().map(|key| (key.company, key.reference.as_str()));
    columns.unzip()
}
