//! Finds consignments: one by id, several by id, carrier consignment id, customer reference or pending
//! consignment id, and the lists of unmanifested and of recently changed consignments. Lists leave out
//! consignments that do not exist or that the user may not see.

use std::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::{Call, PracticeService};
use crate::rules;
use crate::status::ConsignmentRecord;
use crate::store::{LookupKey, RecentFilter, Store, StoreError};
use crate::wire::{
    Answer, Failure, Refusal, Refusals, consignment_fetched, consignment_listed, read_utc,
};

const MOST_IDS: usize = 100;
const MOST_VALUES: usize = 10;
/// How many rows a page of a list has if the call does not say, and at most.
const DEFAULT_ROWS: i64 = 40;
const MOST_ROWS: i64 = 200;
/// The fewest rows of a page of recent changes.
const LEAST_RECENT: i64 = 40;
/// How many days back the list of recent changes may start.
const DAYS_BACK: i64 = 10;

/// Handles `consignments/getConsignment`.
pub(crate) fn consignment(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let tracked = desk.visible(call, "id", call.required_number("id")?)?;
    Ok(fetched(desk, &tracked))
}

/// Handles `consignments/returnConsignments`.
pub(crate) fn by_ids(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    each_found(desk, call, Store::consignment)
}

/// Handles `consignments/returnConsignmentsByPendingConsignmentIds`.
pub(crate) fn by_pending_ids(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    each_found(desk, call, Store::converted)
}

fn each_found(
    desk: &PracticeService,
    call: &Call,
    find: fn(&Store, i64) -> Result<Option<ConsignmentRecord>, StoreError>,
) -> Result<Answer, Failure> {
    let ids = limited(call.ids()?, MOST_IDS, "ids")?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(find(&desk.store(), id)?);
    }
    Ok(shown(desk, call, &found))
}

/// Handles `consignments/getConsignmentByPendingConsignmentId`.
pub(crate) fn by_pending_id(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let id = call.required_number("id")?;
    let found = desk.store().converted(id)?;
    let found = found.filter(|found| desk.is_visible(&call.user, found.consignment.company_id));
    let message = || format!("No consignment was made from pending consignment {id}");
    let tracked = found.ok_or_else(|| Refusal::new("id", message()))?;
    Ok(fetched(desk, &tracked))
}

fn fetched(desk: &PracticeService, tracked: &ConsignmentRecord) -> Answer {
    Answer::Object(consignment_fetched(&desk.catalogue, tracked))
}

/// Handles `POST consignments/returnConsignmentsByCarrierConsignmentId`, `…ByReference1` and `…ByReference2`.
pub(crate) fn by(desk: &PracticeService, call: &Call, by: LookupKey) -> Result<Answer, Failure> {
    of_values(desk, call, by, texts(call)?)
}

/// Handles `GET consignments/returnConsignmentsByCarrierConsignmentId`. The ids are in the query, under any
/// parameter name.
pub(crate) fn by_carrier_id_fetched(
    desk: &PracticeService,
    call: &Call,
) -> Result<Answer, Failure> {
    let values = call.query.iter().map(|(_, value)| value.trim().to_owned());
    let values = values.collect();
    of_values(desk, call, LookupKey::CarrierConsignmentId, values)
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
    let company = desk.company(call, "companyId")?;
    let page = Page::read(call)?;
    let mut refusals = Refusals::default();
    page.check(1..=MOST_ROWS, &mut refusals);
    let (skip, take) = refusals.into_result(page.range())?;
    let all = desk.store().unmanifested(company.id)?;
    let rows = all.iter().skip(skip).take(take);
    Ok(page.answer(desk, rows, all.len()))
}

/// Handles `consignments/getRecentlyCreatedOrUpdatedConsignments`.
pub(crate) fn recent(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let company = desk.company(call, "companyId")?;
    let children = call.query_flag("includeChildCompanies")?;
    let company_ids = if children {
        rules::company_and_descendants(&desk.catalogue, company.id)
    } else {
        vec![company.id]
    };
    let page = Page::read(call)?;
    let mut refusals = Refusals::default();
    let from = call.query_text("fromDateUtc")?;
    let to = call.query_text("toDateUtc")?;
    let from = refusals.keep(from_date(desk, from));
    let to = refusals.keep(to.map_or(Ok(Timestamp::MAX), |text| date("toDateUtc", text)));
    page.check(LEAST_RECENT..=MOST_ROWS, &mut refusals);
    let (Some(from), Some(to), true) = (from, to, refusals.is_empty()) else {
        return Err(refusals.into());
    };
    let listing = RecentFilter {
        from,
        to,
        company_ids,
        carrier_id: call.whole_number("carrierId")?,
    };
    let (skip, take) = page.range();
    let (rows, total) = desk.store().recent_page(listing, skip, take)?;
    Ok(page.answer(desk, rows.iter(), total))
}

fn from_date(desk: &PracticeService, sent: Option<&str>) -> Result<Timestamp, Refusal> {
    let field = "fromDateUtc";
    let from = date(
        field,
        sent.ok_or_else(|| Refusal::new(field, "fromDateUtc is required"))?,
    )?;
    if desk.clock.now().duration_since(from) > SignedDuration::from_hours(24 * DAYS_BACK) {
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
    fn read(call: &Call) -> Result<Self, Failure> {
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

    fn answer<'a>(
        self,
        desk: &PracticeService,
        rows: impl Iterator<Item = &'a ConsignmentRecord>,
        total: usize,
    ) -> Answer {
        Answer::Page {
            rows: rows
                .map(|row| consignment_listed(&desk.catalogue, row))
                .collect(),
            total: i64::try_from(total).unwrap_or(i64::MAX),
            start: self.start,
            size: self.size,
        }
    }
}

fn shown(desk: &PracticeService, call: &Call, found: &[ConsignmentRecord]) -> Answer {
    let visible = rules::company_and_descendants(&desk.catalogue, call.user.company_id);
    let own = found
        .iter()
        .filter(|found| visible.contains(&found.consignment.company_id));
    let rows = own.map(|tracked| consignment_fetched(&desk.catalogue, tracked));
    Answer::Object(rows.collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_start_index_is_refused_like_any_other_below_one() {
        for start in [0, -1, i64::MIN] {
            let mut refusals = Refusals::default();
            let page = Page { start, size: 40 };
            page.check(1..=MOST_ROWS, &mut refusals);
            let expected = Refusal::new("startIndex", "StartIndex counts from 1");
            let refused = refusals.into_result(page.range());
            assert!(matches!(refused, Err(Failure::Refused(refusals)) if refusals == [expected]));
        }
    }
}
