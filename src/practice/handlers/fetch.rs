//! Fetches one consignment, or lists the consignments that changed recently.

use jiff::{SignedDuration, Timestamp};

use super::{Call, PracticeService};
use crate::rules;
use crate::store::RecentFilter;
use crate::wire::{
    Answer, Failure, Refusal, Refusals, consignment_fetched, consignment_listed, read_utc,
};

/// How many days back the list may start.
const DAYS_BACK: i64 = 10;
const SIZES: std::ops::RangeInclusive<i64> = 40..=200;
const DEFAULT_SIZE: i64 = 40;

/// Handles `consignments/getConsignment`.
pub(crate) fn consignment(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let id = call
        .whole_number("id")?
        .ok_or_else(|| Refusal::new("id", "id is required"))?;
    let tracked = desk.store().consignment(id)?;
    let visible = rules::company_and_descendants(&desk.catalogue, call.user.company_id);
    let tracked = tracked.filter(|tracked| visible.contains(&tracked.consignment.company_id));
    let tracked =
        tracked.ok_or_else(|| Refusal::new("id", format!("Consignment {id} was not found")))?;
    Ok(Answer::Object(consignment_fetched(
        &desk.catalogue,
        &tracked,
    )))
}

/// Handles `consignments/getRecentlyCreatedOrUpdatedConsignments`.
pub(crate) fn recent(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let company = rules::company(&desk.catalogue, &call.user, call.whole_number("companyId")?)?;
    let children = call.query_flag("includeChildCompanies")?;
    let company_ids = if children {
        rules::company_and_descendants(&desk.catalogue, company.id)
    } else {
        vec![company.id]
    };
    let start = call.whole_number("startIndex")?.unwrap_or(1);
    let size = call.whole_number("retrieveSize")?.unwrap_or(DEFAULT_SIZE);
    let mut refusals = Refusals::default();
    let (from, to) = (
        call.query_text("fromDateUtc")?,
        call.query_text("toDateUtc")?,
    );
    let (from, to) = (
        refusals.keep(from_date(desk, from)),
        refusals.keep(to_date(to)),
    );
    if start < 1 {
        refusals.add("startIndex", "StartIndex counts from 1");
    }
    if !SIZES.contains(&size) {
        refusals.add("retrieveSize", "RetrieveSize must be from 40 to 200");
    }
    let (Some(from), Some(to), true) = (from, to, refusals.is_empty()) else {
        return Err(refusals.into_failure());
    };
    let listing = RecentFilter {
        from,
        to,
        company_ids,
        carrier_id: call.whole_number("carrierId")?,
    };
    // A number too large for `usize` is beyond the end of any list.
    let [offset, limit] =
        [start - 1, size].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let (page, total) = desk.store().recent_page(listing, offset, limit)?;
    let rows = page
        .iter()
        .map(|tracked| consignment_listed(&desk.catalogue, tracked))
        .collect();
    Ok(Answer::Page {
        rows,
        total: i64::try_from(total).unwrap_or(i64::MAX),
        start,
        size,
    })
}

fn from_date(desk: &PracticeService, sent: Option<&str>) -> Result<Timestamp, Refusal> {
    let field = "fromDateUtc";
    let text = sent.ok_or_else(|| Refusal::new(field, "fromDateUtc is required"))?;
    let from = read_utc(text)
        .ok_or_else(|| Refusal::new(field, format!("{text} is not a date and time")))?;
    if desk.clock.now().duration_since(from) > SignedDuration::from_hours(24 * DAYS_BACK) {
        return Err(Refusal::new(
            field,
            "You cannot go back further than 10 days for this query",
        ));
    }
    Ok(from)
}

fn to_date(sent: Option<&str>) -> Result<Timestamp, Refusal> {
    let field = "toDateUtc";
    let Some(text) = sent else {
        return Ok(Timestamp::MAX);
    };
    read_utc(text).ok_or_else(|| Refusal::new(field, format!("{text} is not a date and time")))
}
