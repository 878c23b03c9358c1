//! Finds consignments: one by id, several by id, carrier consignment id, customer reference or pending
//! consignment id, and the lists of unmanifested and of recently changed consignments. Lists leave out
//! consignments that do not exist or that the user may not see.

use std::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::Call;
use crate::consignment::ConsignmentRecord;
use crate::rules;
use crate::store::{LookupKey, RecentFilter, Store, StoreError};
use crate::wire::{
    Answer, Failure, Refusal, Refusals, Reply, consignment_fetched, consignment_listed, read_utc,
};

const MOST_IDS: usize = 100;
const MOST_VALUES: usize = 10;
/// The default number of rows in a page of a list, and the largest.
const DEFAULT_ROWS: i64 = 40;
const MOST_ROWS: i64 = 200;
/// The smallest page of the list of recent changes.
const LEAST_RECENT: i64 = 40;
/// How many days back the list of recent changes may start.
const DAYS_BACK: i64 = 10;

pub(crate) fn consignment(call: &Call<'_>) -> Reply {
    let found = call.visible("id", call.required_number("id")?)?;
    Ok(consignment_fetched(&found).into())
}

pub(crate) fn by_pending_id(call: &Call<'_>) -> Reply {
    let id = call.required_number("id")?;
    let found = call.store().converted(id)?;
    let found = found.filter(|found| call.is_visible(found.consignment.company_id));
    let message = || format!("No consignment was made from pending consignment {id}");
    let found = found.ok_or_else(|| Refusal::new("id", message()))?;
    Ok(consignment_fetched(&found).into())
}

pub(crate) fn by_ids(call: &Call<'_>) -> Reply {
    each_found(call, Store::consignment)
}

pub(crate) fn by_pending_ids(call: &Call<'_>) -> Reply {
    each_found(call, Store::converted)
}

fn each_found(
    call: &Call<'_>,
    find: fn(&Store, i64) -> Result<Option<ConsignmentRecord>, StoreError>,
) -> Reply {
    let mut found = Vec::new();
    for id in limited(call.ids()?, MOST_IDS, "ids")? {
        found.extend(find(&call.store(), id)?);
    }
    Ok(visible_of(call, &found))
}

/// Handles `POST consignments/returnConsignmentsByCarrierConsignmentId`, `…ByReference1` and `…ByReference2`.
pub(crate) fn by(call: &Call<'_>, key: LookupKey) -> Reply {
    of_values(call, key, texts(call)?)
}

/// Handles `GET consignments/returnConsignmentsByCarrierConsignmentId`. The ids are in the query, under any
/// parameter name.
pub(crate) fn by_carrier_id_fetched(call: &Call<'_>) -> Reply {
    let values = call.query.iter().map(|(_, value)| value.trim().to_owned());
    of_values(call, LookupKey::CarrierConsignmentId, values.collect())
}

fn of_values(call: &Call<'_>, key: LookupKey, values: Vec<String>) -> Reply {
    let values = limited(values, MOST_VALUES, "values")?;
    let found = call.store().find(key, &values)?;
    Ok(visible_of(call, &found))
}

fn visible_of(call: &Call<'_>, found: &[ConsignmentRecord]) -> Answer {
    let companies = rules::company_and_descendants(call.user.company_id);
    let found = found.iter();
    let visible = found.filter(|found| companies.contains(&found.consignment.company_id));
    Answer::Object(visible.map(consignment_fetched).collect())
}

/// Handles `consignments/getUnmanifested`: returns one page of the unmanifested consignments.
pub(crate) fn unmanifested(call: &Call<'_>) -> Reply {
    let company = call.company("companyId")?;
    let page = Page::read(call)?;
    let mut refusals = Refusals::default();
    page.check(1..=MOST_ROWS, &mut refusals);
    let (skip, take) = refusals.into_result(page.range())?;
    let all = call.store().unmanifested(company.id)?;
    let rows = all.iter().skip(skip).take(take);
    Ok(page.answer(rows, all.len()))
}

pub(crate) fn recent(call: &Call<'_>) -> Reply {
    let company = call.company("companyId")?;
    let company_ids = if call.query_flag("includeChildCompanies")? {
        rules::company_and_descendants(company.id)
    } else {
        vec![company.id]
    };
    let page = Page::read(call)?;
    let mut refusals = Refusals::default();
    let from = call.query_text("fromDateUtc")?;
    let from = refusals.keep(from_date(call.now(), from));
    let to = call.query_text("toDateUtc")?;
    let to = refusals.keep(to.map_or(Ok(Timestamp::MAX), |text| date("toDateUtc", text)));
    page.check(LEAST_RECENT..=MOST_ROWS, &mut refusals);
    let (Some(from), Some(to), true) = (from, to, refusals.is_empty()) else {
        return Err(refusals.into());
    };
    let filter = RecentFilter {
        from,
        to,
        company_ids,
        carrier_id: call.whole_number("carrierId")?,
    };
    let (skip, take) = page.range();
    let (rows, total) = call.store().recent_page(filter, skip, take)?;
    Ok(page.answer(rows.iter(), total))
}

fn from_date(now: Timestamp, sent: Option<&str>) -> Result<Timestamp, Refusal> {
    let field = "fromDateUtc";
    let missing = || Refusal::new(field, "fromDateUtc is required");
    let from = date(field, sent.ok_or_else(missing)?)?;
    if now.duration_since(from) > SignedDuration::from_hours(24 * DAYS_BACK) {
        let message = "You cannot go back further than 10 days for this query";
        return Err(Refusal::new(field, message));
    }
    Ok(from)
}

fn date(field: &str, text: &str) -> Result<Timestamp, Refusal> {
    read_utc(text).ok_or_else(|| Refusal::new(field, format!("{text} is not a date and time")))
}

/// The page of a list that a call requests. `start` counts from 1.
#[derive(Clone, Copy)]
struct Page {
    start: i64,
    size: i64,
}

impl Page {
    fn read(call: &Call<'_>) -> Result<Self, Failure> {
        Ok(Self {
            start: call.whole_number("startIndex")?.unwrap_or(1),
            size: call.whole_number("retrieveSize")?.unwrap_or(DEFAULT_ROWS),
        })
    }

    fn check(self, sizes: RangeInclusive<i64>, refusals: &mut Refusals) {
        if self.start < 1 {
            refusals.add("startIndex", "StartIndex counts from 1");
        }
        if !sizes.contains(&self.size) {
            let (least, most) = sizes.into_inner();
            let message = format!("RetrieveSize must be from {least} to {most}");
            refusals.add("retrieveSize", message);
        }
    }

    /// Returns how many rows to skip and how many to take. A number too large for `usize` is beyond the end
    /// of any list.
    fn range(self) -> (usize, usize) {
        let count = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        (count(self.start.saturating_sub(1)), count(self.size))
    }

    fn answer<'r>(self, rows: impl Iterator<Item = &'r ConsignmentRecord>, total: usize) -> Answer {
        Answer::Page {
            rows: rows.map(consignment_listed).collect(),
            total,
            start: self.start,
            size: self.size,
        }
    }
}

/// Refuses more than `most` values, then removes duplicates.
fn limited<T: PartialEq>(all: Vec<T>, most: usize, what: &str) -> Result<Vec<T>, Refusal> {
    if all.len() > most {
        let message = format!("At most {most} {what} can be asked for at once");
        return Err(Refusal::general(message));
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
fn texts(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let values: Vec<Value> = call.body()?;
    let text = |value: Value| match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(Failure::Unreadable(format!("{other} is not text"))),
    };
    values.into_iter().map(text).collect()
}
