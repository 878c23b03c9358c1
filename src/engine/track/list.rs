//! Lists of tracked consignments: the rows of a query in an order, and rows by id. A query selects rows by
//! drill-down, scope and words, and sorts them. Without words, the number of rows equals the board's count. A query
//! stops within some thousand rows once a newer query replaces it.

use std::sync::Arc;

use jiff::Timestamp;

use super::drill_down::{DrillDown, Thresholds, TrackScope};
use super::evaluator::Evaluator;
use super::summaries::{IndexedSummary, Summaries};
use crate::Reads;
use crate::remote::Fetch;
use shipping::ConsignmentId;
use storage::{
    ConsignmentHistory, ConsignmentRow, JournalError, ListField, ListOrder, SearchRequest,
    SearchResult, SortKey, TrackReader, ViewedList, parse_filter, sorted_by_key,
};

/// A query for tracked consignments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TrackQuery {
    /// The filter as typed; see [`storage::parse_filter`].
    pub words: String,
    pub scope: TrackScope,
    /// The drill-down by which rows are filtered.
    pub drill_down: DrillDown,
    pub order: ListOrder,
}

impl TrackQuery {
    /// Returns whether the query is for all rows, newest first.
    pub fn is_plain(&self) -> bool {
        self.words.trim().is_empty() && self.order == ListOrder::default()
    }
}

/// The result of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrackList {
    pub query: TrackQuery,
    /// The rows in the order of the query.
    pub ids: Arc<[ConsignmentId]>,
    /// True if more rows contain the words, so that `ids` has only the newest rows.
    pub more: bool,
    /// When the query was run.
    pub as_of: Timestamp,
}

/// The most rows with matching words that the table shows: more than anybody scrolls through.
const MOST_FOUND: usize = 1_000;

impl Reads {
    /// Runs a query for the table. If the query has words, returns only the newest 1,000 matches. A new query cancels
    /// the previous query, whose result is no longer needed.
    pub fn track_list(&self, query: TrackQuery, thresholds: Thresholds) -> Fetch<TrackList> {
        let is_newest = self.bench().track.newest_list();
        self.local(move |bench| async move {
            let summaries = bench.track.summaries().await?;
            let as_of = bench.now();
            let asked = query.clone();
            let read = move |reader: &TrackReader| {
                let run = QueryRun {
                    summaries: &summaries,
                    evaluator: &Evaluator::new(&summaries, &asked.scope, thresholds, as_of),
                    query: &asked,
                    stale: &|| !is_newest(),
                };
                run.list(reader)
            };
            let found = bench.track.read(read).await?;
            Ok(TrackList {
                query,
                ids: found.ids.into(),
                more: found.more,
                as_of,
            })
        })
    }

    /// Returns rows in the order of `ids`. Consignments that are not tracked are left out.
    pub fn track_rows(&self, ids: Vec<ConsignmentId>) -> Fetch<Vec<Arc<ConsignmentRow>>> {
        self.local(move |bench| async move {
            let rows = bench.track.read(move |reader| reader.rows(&ids)).await?;
            Ok(rows.into_iter().map(Arc::new).collect())
        })
    }

    /// Returns a consignment with its history, as the service reported it last; `None` if it is not tracked.
    pub fn tracked(&self, id: ConsignmentId) -> Fetch<Option<ConsignmentHistory>> {
        self.local(move |bench| async move {
            bench
                .track
                .read(move |reader| {
                    let history = reader.history(id)?;
                    let row = reader.rows(&[id])?.pop();
                    Ok(row.map(|row| ConsignmentHistory { row, history }))
                })
                .await
        })
    }
}

/// A query with everything that is needed to run it.
struct QueryRun<'a> {
    summaries: &'a Summaries,
    evaluator: &'a Evaluator,
    query: &'a TrackQuery,
    stale: &'a dyn Fn() -> bool,
}

impl QueryRun<'_> {
    fn list(&self, reader: &TrackReader) -> Result<SearchResult, JournalError> {
        let matches = |one: &IndexedSummary| self.query.drill_down.includes(one, self.evaluator);
        let words = parse_filter(&self.query.words, ViewedList::Track);
        let mut found = SearchResult::default();
        if words.is_empty() {
            for some in self.summaries.parts() {
                if (self.stale)() {
                    return Ok(found);
                }
                let held = some.iter().filter(|one| matches(one));
                found.ids.extend(held.map(|one| one.id));
            }
        } else {
            found = reader.find(&SearchRequest {
                words: &words,
                most: MOST_FOUND,
                is_wanted: &|id| self.summaries.get(id).is_some_and(matches),
                is_cancelled: self.stale,
            })?;
            found.ids.reverse();
        }
        found.ids = self.put_in_order(reader, found.ids)?;
        Ok(found)
    }

    /// Sorts ids, which must be ascending, in the order of the query.
    fn put_in_order(
        &self,
        reader: &TrackReader,
        mut ids: Vec<ConsignmentId>,
    ) -> Result<Vec<ConsignmentId>, JournalError> {
        let ListOrder { column, descending } = self.query.order;
        if column == ListField::Number {
            if descending {
                ids.reverse();
            }
            return Ok(ids);
        }
        let keys = match self.rank(reader, column)? {
            Some(rank) => {
                let rank = |id: &ConsignmentId| rank(self.summaries.get(*id)?);
                let key =
                    |id| rank(id).map_or(SortKey::Unknown, |rank| SortKey::Number(rank.into()));
                ids.iter().map(key).collect()
            }
            None => reader.sort_keys(column, &ids, self.stale)?,
        };
        if (self.stale)() {
            return Ok(ids);
        }
        let rows = keys.into_iter().zip(ids).collect();
        Ok(sorted_by_key(rows, descending, descending))
    }

    /// Returns the rank of summaries by the column; `None` if the summaries don't have this column.
    fn rank(
        &self,
        reader: &TrackReader,
        column: ListField,
    ) -> Result<Option<Rank<'_>>, JournalError> {
        let interned = self.summaries.ids();
        let names = reader.names()?;
        Ok(Some(match column {
            ListField::Changed => Box::new(|one| one.changed.some()),
            ListField::Despatch => Box::new(|one| one.despatch.some()),
            ListField::Eta => Box::new(|one| one.eta.some()),
            ListField::Scanned => Box::new(|one| one.scanned.some()),
            ListField::Status => {
                let known = names.statuses();
                let ranks = ranks(interned.statuses.iter().map(|id| {
                    let named = known.get(id).map(|status| status.label());
                    Some(named.unwrap_or_else(|| id.name().unwrap_or_default().to_owned()))
                }));
                Box::new(move |one| ranks[one.status as usize])
            }
            ListField::Carrier => {
                let known = names.carriers();
                let names = { interned.carriers.iter() }
                    .map(|id| known.get(id).map(|name| name.to_lowercase()));
                let ranks = ranks(names.map(|name| name.filter(|name| !name.is_empty())));
                Box::new(move |one| ranks[one.carrier as usize])
            }
            ListField::Company => {
                let ranks = ranks(interned.companies.iter().copied());
                Box::new(move |one| ranks[one.company as usize])
            }
            _ => return Ok(None),
        }))
    }
}

/// A function that returns the rank of a summary by some value; `None` if the value is unknown.
type Rank<'a> = Box<dyn Fn(&IndexedSummary) -> Option<u32> + 'a>;

/// Returns the rank of each value among all values; `None` for unknown values.
fn ranks<T: Ord>(values: impl Iterator<Item = Option<T>>) -> Vec<Option<u32>> {
    let values: Vec<Option<T>> = values.collect();
    let mut sorted: Vec<&T> = values.iter().flatten().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let rank = |value: &T| {
        let place = sorted.binary_search(&value).ok();
        place.and_then(|place| u32::try_from(place).ok())
    };
    let ranks = values.iter().map(|value| value.as_ref().and_then(rank));
    ranks.collect()
}
