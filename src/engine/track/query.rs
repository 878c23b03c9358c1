//! Runs a list query: selects rows by drill-down, scope and words, and sorts them. Without words, the number
//! of rows equals the board's count. A query that nobody needs any more stops within some thousand rows.

use super::evaluator::Evaluator;
use super::list::TrackQuery;
use super::summaries::{IndexedSummary, Summaries};
use shipping::ConsignmentId;
use storage::{
    JournalError, ListField, SearchRequest, SearchResult, TrackReader, ViewedList, parse_filter,
    sorted_by_key,
};

/// A query with everything that is needed to run it.
pub(super) struct QueryRun<'a> {
    pub(super) figures: &'a Summaries,
    pub(super) evaluator: &'a Evaluator,
    pub(super) query: &'a TrackQuery,
    /// The most rows to return if the query has words.
    pub(super) most: usize,
    pub(super) stale: &'a dyn Fn() -> bool,
}

/// The sort key of a summary: a number. Unknown values come last in both directions.
type Rank<'a> = Box<dyn Fn(&IndexedSummary) -> Option<u32> + 'a>;

impl QueryRun<'_> {
    /// Runs the query.
    pub(super) fn list(&self, reader: &TrackReader) -> Result<SearchResult, JournalError> {
        let words = parse_filter(&self.query.words, ViewedList::Track);
        let mut found = if words.is_empty() {
            self.behind_door()
        } else {
            let keep = |id| self.figures.get(id).is_some_and(|one| self.matches(one));
            let mut found = reader.find(&SearchRequest {
                words: &words,
                most: self.most,
                is_wanted: &keep,
                is_cancelled: self.stale,
            })?;
            found.ids.reverse();
            found
        };
        self.put_in_order(reader, &mut found.ids)?;
        Ok(found)
    }

    fn matches(&self, one: &IndexedSummary) -> bool {
        self.query.drill_down.includes(one, self.evaluator)
    }

    /// Selects rows without words, in ascending order of id.
    fn behind_door(&self) -> SearchResult {
        let mut ids = Vec::new();
        for part in self.figures.parts() {
            if (self.stale)() {
                break;
            }
            let held = part.iter().filter(|one| self.matches(one));
            ids.extend(held.map(|one| one.id));
        }
        SearchResult { ids, more: false }
    }

    /// Sorts `ids` in the order of the query. The ids must be passed in ascending order.
    fn put_in_order(
        &self,
        reader: &TrackReader,
        ids: &mut Vec<ConsignmentId>,
    ) -> Result<(), JournalError> {
        if (self.stale)() {
            return Ok(());
        }
        if self.query.order.column == ListField::Number {
            if self.query.order.descending {
                ids.reverse();
            }
            return Ok(());
        }
        match self.rank(reader)? {
            Some(rank) => self.by_rank(&rank, ids),
            None => self.by_stored_key(reader, ids)?,
        }
        Ok(())
    }

    /// Sorts by a field that the summaries don't have.
    fn by_stored_key(
        &self,
        reader: &TrackReader,
        ids: &mut Vec<ConsignmentId>,
    ) -> Result<(), JournalError> {
        let keys = reader.sort_keys(self.query.order.column, ids, self.stale)?;
        if (self.stale)() {
            return Ok(());
        }
        let rows = keys.into_iter().zip(ids.iter().copied()).collect();
        let descending = self.query.order.descending;
        *ids = sorted_by_key(rows, descending, descending);
        Ok(())
    }

    fn by_rank(&self, rank: &Rank<'_>, ids: &mut Vec<ConsignmentId>) {
        let descending = self.query.order.descending;
        // Unknown values get a key above every number, so that they come last. Descending keys count down
        // from the largest number.
        let key = |id: &ConsignmentId| {
            let number = self.figures.get(*id).and_then(rank);
            number.map_or(u64::MAX, |number| {
                u64::from(if descending {
                    u32::MAX - number
                } else {
                    number
                })
            })
        };
        let mut rows: Vec<(u64, ConsignmentId)> = ids.iter().map(|id| (key(id), *id)).collect();
        if descending {
            rows.sort_unstable_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)));
        } else {
            rows.sort_unstable();
        }
        ids.clear();
        ids.extend(rows.into_iter().map(|(_, id)| id));
    }

    /// Returns the rank of summaries by the column; `None` if the summaries don't have it.
    fn rank(&self, reader: &TrackReader) -> Result<Option<Rank<'_>>, JournalError> {
        let places = self.figures.ids();
        Ok(Some(match self.query.order.column {
            ListField::Changed => Box::new(|one| one.changed.some()),
            ListField::Despatch => Box::new(|one| one.despatch.some()),
            ListField::Eta => Box::new(|one| one.eta.some()),
            ListField::Scanned => Box::new(|one| one.scanned.some()),
            ListField::Status => {
                let names = reader.names()?;
                let known = names.statuses();
                let labels = places.statuses.values().iter().map(|id| {
                    let named = known.get(id).map(|status| status.label());
                    Some(named.unwrap_or_else(|| id.name().unwrap_or_default().to_owned()))
                });
                let ranks = ranks(labels);
                Box::new(move |one| ranks[one.status as usize])
            }
            ListField::Carrier => {
                let names = reader.names()?;
                let known = names.carriers();
                let carriers = places.carriers.values().iter();
                let labels = carriers.map(|id| known.get(id).map(|name| name.to_lowercase()));
                let ranks = ranks(labels.map(|name| name.filter(|name| !name.is_empty())));
                Box::new(move |one| ranks[one.carrier as usize])
            }
            ListField::Company => {
                let companies = places.companies.values().iter();
                let ranks = ranks(companies.copied());
                Box::new(move |one| ranks[one.company as usize])
            }
            _ => return Ok(None),
        }))
    }
}

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
    values
        .iter()
        .map(|value| value.as_ref().and_then(rank))
        .collect()
}
