//! Finds new exceptions by comparing the current ones with those stored before, also across restarts. An
//! exception is new only once. Exceptions that appear because the scope or the thresholds changed
//! are not new.

use super::board::ExceptionRow;
use super::door::{Thresholds, TrackScope};
use super::look::Look;
use crate::journal::{KnownExceptions, SyncScope, TrackReader, TrackStore};
use crate::shipping::ConsignmentId;
use crate::work::bench::Bench;
use crate::work::remote::Fetch;
use crate::work::{Reads, WorkError};

/// A request for new exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewsOrder {
    /// The consignments that are tracked. Exceptions that appear because the tracking scope changed
    /// are not new.
    pub follows: SyncScope,
    pub scope: TrackScope,
    pub thresholds: Thresholds,
    /// Exceptions that the clerk has seen since the last request.
    pub seen: Vec<ConsignmentId>,
}

/// The new exceptions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct News {
    /// Exceptions that nobody has seen yet, the newest last.
    pub unseen: Vec<ConsignmentId>,
    /// The exceptions that the request named as seen. They are stored as seen now.
    pub seen: Vec<ConsignmentId>,
}

impl Reads {
    /// Compares the current exceptions with the stored ones, and stores the difference.
    pub fn news(&self, order: NewsOrder) -> Fetch<News> {
        self.local(move |bench| async move {
            let NewsOrder {
                follows,
                scope,
                thresholds,
                seen,
            } = order;
            let basis = format!("{follows:?} {scope:?} {thresholds:?}");
            let now = exceptions(&bench, scope, thresholds).await?;
            let counted = KnownExceptions {
                basis,
                now: now
                    .iter()
                    .map(|row| (row.id, row.exception.words()))
                    .collect(),
                seen: seen.clone(),
            };
            let at = bench.now();
            let compare = move |reader: &TrackReader| reader.compare_exceptions(&counted, at);
            let news = bench.track.read(compare).await?;
            let unseen = news.unseen.clone();
            if !news.is_kept() {
                let note = move |store: &mut TrackStore| store.note_exceptions(&news);
                bench.track.write(note).await?;
            }
            Ok(News { unseen, seen })
        })
    }
}

/// Returns all current exceptions in ascending order of id.
async fn exceptions(
    bench: &Bench,
    scope: TrackScope,
    thresholds: Thresholds,
) -> Result<Vec<ExceptionRow>, WorkError> {
    let figures = bench.track.figures().await?;
    let look = Look::new(&figures, &scope, thresholds, bench.now());
    let rows = figures.iter().filter(|one| look.takes_in(one));
    Ok(rows.filter_map(|one| look.exception_row(one)).collect())
}
