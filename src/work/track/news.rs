//! Exceptions that are new: what there is compared with what was known, also when the bench was last closed.
//!
//! What always holds: an exception is news once; what shows up only because something else is looked at is none.

use super::board::ExceptionRow;
use super::door::{Thresholds, TrackScope};
use super::look::Look;
use crate::journal::{KnownExceptions, SyncScope, TrackReader, TrackStore};
use crate::shipping::ConsignmentId;
use crate::work::bench::Bench;
use crate::work::remote::Fetch;
use crate::work::{Reads, WorkError};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewsOrder {
    /// Whose is followed: what others have is no news when they come to be followed.
    pub follows: SyncScope,
    /// Of what.
    pub scope: TrackScope,
    /// By what.
    pub thresholds: Thresholds,
    /// What somebody has seen since it was asked last.
    pub seen: Vec<ConsignmentId>,
}

/// What is new.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct News {
    /// What nobody has seen yet, the newest last.
    pub unseen: Vec<ConsignmentId>,
    /// What was said to be seen: it is known now.
    pub seen: Vec<ConsignmentId>,
}

impl Reads {
    /// Looks for exceptions that are new.
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

/// All exceptions there are, the lowest id first.
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
