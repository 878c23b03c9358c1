//! Looks up consignments by id, carrier consignment id, customer reference or pending consignment id. Lists
//! leave out what does not exist or the user may not see.

use serde_json::Value;

use super::{Call, PracticeService};
use crate::rules;
use crate::status::ConsignmentRecord;
use crate::store::LookupKey;
use crate::wire::{Answer, Failure, Refusal, Refusals, consignment_fetched, consignment_listed};

const MOST_IDS: usize = 100;
const MOST_VALUES: usize = 10;
const PAGE: i64 = 40;
const MOST_ROWS: i64 = 200;

/// Handles `consignments/returnConsignments`.
pub(crate) fn by_ids(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let ids = limited_ids(call)?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(desk.store().consignment(id)?);
    }
    Ok(shown(desk, call, &found))
}

/// Handles `consignments/returnConsignmentsByPendingConsignmentIds`.
pub(crate) fn by_pending_ids(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let ids = limited_ids(call)?;
    let mut found: Vec<ConsignmentRecord> = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(desk.store().converted(id)?);
    }
    Ok(shown(desk, call, &found))
}

/// Handles `consignments/getConsignmentByPendingConsignmentId`.
pub(crate) fn by_pending_id(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let id = call
        .whole_number("id")?
        .ok_or_else(|| Refusal::new("id", "id is required"))?;
    let found = desk.store().converted(id)?;
    let visible = rules::company_and_descendants(&desk.catalogue, call.user.company_id);
    let found = found.filter(|tracked| visible.contains(&tracked.consignment.company_id));
    let tracked = found.ok_or_else(|| {
        Refusal::new(
            "id",
            format!("No consignment was made from pending consignment {id}"),
        )
    })?;
    Ok(Answer::Object(consignment_fetched(
        &desk.catalogue,
        &tracked,
    )))
}

/// Handles `POST consignments/returnConsignmentsByCarrierConsignmentId`.
pub(crate) fn by_carrier_id(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    by(desk, call, LookupKey::CarrierConsignmentId)
}

/// Handles `GET consignments/returnConsignmentsByCarrierConsignmentId`. The ids are in the query, under any
/// parameter name.
pub(crate) fn by_carrier_id_fetched(
    desk: &PracticeService,
    call: &Call,
) -> Result<Answer, Failure> {
    let values = call.query.iter().map(|(_, value)| value.trim().to_owned());
    of_values(
        desk,
        call,
        LookupKey::CarrierConsignmentId,
        values.collect(),
    )
}

/// Handles `consignments/returnConsignmentsByReference1`.
pub(crate) fn by_reference1(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    by(desk, call, LookupKey::Reference1)
}

/// Handles `consignments/returnConsignmentsByReference2`.
pub(crate) fn by_reference2(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    by(desk, call, LookupKey::Reference2)
}

fn by(desk: &PracticeService, call: &Call, by: LookupKey) -> Result<Answer, Failure> {
    of_values(desk, call, by, texts(call)?)
}

fn of_values(
    desk: &PracticeService,
    call: &Call,
    by: LookupKey,
    values: Vec<String>,
) -> Result<Answer, Failure> {
    let values = limited(values, MOST_VALUES, "values")?;
    let found = desk.store().find(by, &values)?;
    Ok(shown(desk, call, &found))
}

/// Handles `consignments/getUnmanifested`: returns one page of the unmanifested consignments.
pub(crate) fn unmanifested(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let company = rules::company(&desk.catalogue, &call.user, call.whole_number("companyId")?)?;
    let start = call.whole_number("startIndex")?.unwrap_or(1);
    let size = call.whole_number("retrieveSize")?.unwrap_or(PAGE);
    let mut refusals = Refusals::default();
    if start < 1 {
        refusals.add("startIndex", "StartIndex counts from 1");
    }
    if !(1..=MOST_ROWS).contains(&size) {
        refusals.add("retrieveSize", "RetrieveSize must be from 1 to 200");
    }
    let (Ok(skip), Ok(take)) = (usize::try_from(start - 1), usize::try_from(size)) else {
        return Err(refusals.into_failure());
    };
    if !refusals.is_empty() {
        return Err(refusals.into_failure());
    }
    let all = desk.store().unmanifested(company.id)?;
    let page = all.iter().skip(skip).take(take);
    let rows = page.map(|tracked| consignment_listed(&desk.catalogue, tracked));
    Ok(Answer::Page {
        rows: rows.collect(),
        total: i64::try_from(all.len()).unwrap_or(i64::MAX),
        start,
        size,
    })
}

fn shown(desk: &PracticeService, call: &Call, found: &[ConsignmentRecord]) -> Answer {
    let visible = rules::company_and_descendants(&desk.catalogue, call.user.company_id);
    let own = found
        .iter()
        .filter(|tracked| visible.contains(&tracked.consignment.company_id));
    let rows = own.map(|tracked| consignment_fetched(&desk.catalogue, tracked));
    Answer::Object(rows.collect())
}

fn limited_ids(call: &Call) -> Result<Vec<i64>, Failure> {
    limited(call.ids()?, MOST_IDS, "ids")
}

/// Refuses more than `most` values, then removes duplicates.
fn limited<T: PartialEq>(all: Vec<T>, most: usize, what: &str) -> Result<Vec<T>, Failure> {
    if all.len() > most {
        let wording = format!("At most {most} {what} can be asked for at once");
        return Err(Refusal::general(wording).into());
    }
    let mut once: Vec<T> = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    Ok(once)
}

/// Reads the body as a JSON array of texts; numbers are accepted as text.
fn texts(call: &Call) -> Result<Vec<String>, Failure> {
    let values: Vec<Value> = call.body()?;
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(Failure::Unreadable(format!("{other} is not text"))),
    };
    values.iter().map(text).collect()
}
