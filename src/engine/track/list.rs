//! Lists of tracked consignments: the rows of a query in an order, and rows by id.

use std::sync::Arc;

use jiff::Timestamp;

use super::drill_down::{DrillDown, Thresholds, TrackScope};
use super::evaluator::Evaluator;
use super::query;
use crate::Reads;
use crate::remote::Fetch;
use shipping::ConsignmentId;
use storage::{ConsignmentHistory, ConsignmentRow, ListOrder, TrackReader};

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
    /// More rows contain the words: `ids` has only the newest of them.
    pub more: bool,
    /// When the query was run.
    pub as_of: Timestamp,
}

/// The most rows with matching words that the table shows: more than anybody scrolls through.
const MOST_FOUND: usize = 1_000;

impl Reads {
    /// Runs a query for the table. If the query has words, returns only the newest 1,000 matches. A new query
    /// cancels the one before, because nobody needs its result any more.
    pub fn track_list(&self, query: TrackQuery, thresholds: Thresholds) -> Fetch<TrackList> {
        let is_newest = self.bench().track.newest_list();
        self.local(move |bench| async move {
            let figures = bench.track.summaries().await?;
            let as_of = bench.now();
            let asked = query.clone();
            let read = move |reader: &TrackReader| {
                let rows = query::QueryRun {
                    figures: &figures,
                    evaluator: &Evaluator::new(&figures, &asked.scope, thresholds, as_of),
                    query: &asked,
                    most: MOST_FOUND,
                    stale: &|| !is_newest(),
                };
                rows.list(reader)
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
