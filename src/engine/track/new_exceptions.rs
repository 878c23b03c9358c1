//! Finds new exceptions by comparing the current exceptions with the exceptions stored before, also across
//! restarts. An exception is new only once. Exceptions that appear because the scope or the thresholds
//! changed are not new.

use super::board::ExceptionRow;
use super::drill_down::{Thresholds, TrackScope};
use super::evaluator::Evaluator;
use crate::context::EngineContext;
use crate::remote::Fetch;
use crate::{EngineError, Reads};
use shipping::ConsignmentId;
use storage::{CountedExceptions, SyncScope, TrackReader, TrackStore};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExceptionsRequest {
    /// The consignments that are tracked. Exceptions that appear because the tracking scope changed
    /// are not new.
    pub tracking_scope: SyncScope,
    pub scope: TrackScope,
    pub thresholds: Thresholds,
    /// Exceptions that the clerk has seen since the last request.
    pub seen: Vec<ConsignmentId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewExceptions {
    /// Exceptions that nobody has seen yet, the newest last.
    pub unseen: Vec<ConsignmentId>,
    /// The exceptions that the request named as seen. They are stored as seen now.
    pub seen: Vec<ConsignmentId>,
}

impl Reads {
    /// Compares the current exceptions with the stored exceptions, and stores the difference.
    pub fn new_exceptions(&self, order: NewExceptionsRequest) -> Fetch<NewExceptions> {
        self.local(move |bench| async move {
            let NewExceptionsRequest {
                tracking_scope: follows,
                scope,
                thresholds,
                seen,
            } = order;
            let basis = format!("{follows:?} {scope:?} {thresholds:?}");
            let now = exceptions(&bench, scope, thresholds).await?;
            let counted = CountedExceptions {
                basis,
                now: now
                    .iter()
                    .map(|row| (row.id, row.exception.label()))
                    .collect(),
                seen: seen.clone(),
            };
            let at = bench.now();
            let compare = move |reader: &TrackReader| reader.compare_exceptions(&counted, at);
            let news = bench.track.read(compare).await?;
            let unseen = news.unseen.clone();
            if !news.is_empty() {
                let note = move |store: &mut TrackStore| store.save_exceptions(&news);
                bench.track.write(note).await?;
            }
            Ok(NewExceptions { unseen, seen })
        })
    }
}

async fn exceptions(
    bench: &EngineContext,
    scope: TrackScope,
    thresholds: Thresholds,
) -> Result<Vec<ExceptionRow>, EngineError> {
    let figures = bench.track.summaries().await?;
    let look = Evaluator::new(&figures, &scope, thresholds, bench.now());
    let rows = figures.iter().filter(|one| look.is_in_scope(one));
    Ok(rows.filter_map(|one| look.exception_row(one)).collect())
}
