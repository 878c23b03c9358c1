//! Rows behind a door, in an order; and rows by their ids.

use std::sync::Arc;

use jiff::Timestamp;

use super::door::{Door, Thresholds, TrackScope};
use super::look::Look;
use super::rows;
use crate::journal::{Followed, TrackReader, Tracked};
use crate::shipping::ConsignmentId;
use crate::work::Reads;
use crate::work::remote::Fetch;

/// What rows can be put in order by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TrackColumn {
    /// Its number, so the order in which they were made.
    #[default]
    Number,
    /// When its status changed last.
    Changed,
    /// Where it stands.
    Status,
    /// Carrier.
    Carrier,
    /// The carrier's reference.
    CarrierNumber,
    /// Whose.
    Company,
    /// Reference.
    Reference,
    /// Second reference.
    Reference2,
    /// Receiver.
    To,
    /// Where it goes.
    Suburb,
    /// Sender.
    From,
    /// Despatch.
    Despatch,
    /// ETA.
    Eta,
    /// Pieces.
    Pieces,
    /// Kilograms.
    Weight,
    /// Price.
    Price,
    /// Files.
    Attachments,
}

/// An order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TrackOrder {
    /// By what.
    pub column: TrackColumn,
    /// The largest first.
    pub descending: bool,
}

impl Default for TrackOrder {
    /// The newest first.
    fn default() -> Self {
        Self {
            column: TrackColumn::Number,
            descending: true,
        }
    }
}

/// Which rows, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TrackQuery {
    /// Every word has to be in a number, a reference, a name or a suburb; all rows where there is none.
    pub words: String,
    /// Of what.
    pub scope: TrackScope,
    /// Behind which door.
    pub door: Door,
    /// In which order.
    pub order: TrackOrder,
}

/// The rows that a query found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrackList {
    /// What was asked.
    pub query: TrackQuery,
    /// In their order.
    pub ids: Arc<[ConsignmentId]>,
    /// More rows than these hold the words: these are the newest of them.
    pub more: bool,
    /// When it was looked.
    pub as_of: Timestamp,
}

/// Rows that are looked for words at the most, for the table: more than anybody scrolls through.
const MOST_FOUND: usize = 1_000;

impl Reads {
    /// The rows of a query, for the table: of those that hold words, the newest 1,000. Asking for another list gives this one
    /// up, wherever it is: its reply is of no use then.
    pub fn track_list(&self, query: TrackQuery, thresholds: Thresholds) -> Fetch<TrackList> {
        let is_newest = self.bench().track.newest_list();
        self.listed(query, thresholds, MOST_FOUND, move || !is_newest())
    }

    /// All rows of a query, however many hold its words; for what leaves the bench.
    pub fn track_list_whole(&self, query: TrackQuery, thresholds: Thresholds) -> Fetch<TrackList> {
        self.listed(query, thresholds, usize::MAX, || false)
    }

    fn listed(
        &self,
        query: TrackQuery,
        thresholds: Thresholds,
        most: usize,
        stale: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Fetch<TrackList> {
        self.local(move |bench| async move {
            let figures = bench.track.figures().await?;
            let as_of = bench.now();
            let asked = query.clone();
            let read = move |reader: &TrackReader| {
                let rows = rows::Rows {
                    figures: &figures,
                    look: &Look::new(&figures, &asked.scope, thresholds, as_of),
                    query: &asked,
                    most,
                    stale: &stale,
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

    /// These rows, in the order asked for; what is not followed is left out.
    pub fn track_rows(&self, ids: Vec<ConsignmentId>) -> Fetch<Vec<Arc<Tracked>>> {
        self.local(move |bench| async move {
            let rows = bench.track.read(move |reader| reader.rows(&ids)).await?;
            Ok(rows.into_iter().map(Arc::new).collect())
        })
    }

    /// One with its history, as it was last told; nothing where it is not followed.
    pub fn followed(&self, id: ConsignmentId) -> Fetch<Option<Followed>> {
        self.local(move |bench| async move {
            bench
                .track
                .read(move |reader| {
                    let history = reader.history(id)?;
                    let row = reader.rows(&[id])?.pop();
                    Ok(row.map(|row| Followed { row, history }))
                })
                .await
        })
    }
}
