//! Decides which rows to load: those in view and as many before and after, in whole pages. Looks at no more
//! than a few pages of ids, however long the list is.

use std::ops::Range;

use super::TrackRows;
use shipping::ConsignmentId;

/// Rows in a page: several screens, and few enough to be read within a frame.
const PAGE: usize = 128;
/// Seconds after which missing rows are requested again.
const AGAIN_SECONDS: f64 = 2.0;

/// The last request.
#[derive(Default)]
pub(super) struct RowPrefetch {
    pages: Range<usize>,
    /// The version of the list to which the pages belong.
    of: u64,
    at: f64,
}

impl RowPrefetch {
    /// Returns the rows to load now, if rows in view are missing or another page came near.
    pub(super) fn needs(
        &mut self,
        rows: &TrackRows,
        (ids, of): (&[ConsignmentId], u64),
        in_sight: Range<usize>,
        now: f64,
    ) -> Option<Vec<ConsignmentId>> {
        if ids.is_empty() {
            return None;
        }
        let last = in_sight.end.clamp(1, ids.len());
        let first = in_sight.start.min(last - 1);
        let pages = (first / PAGE).saturating_sub(1)..(last - 1) / PAGE + 2;
        let is_new = self.pages != pages || self.of != of;
        let near = pages.start * PAGE..(pages.end * PAGE).min(ids.len());
        let is_missing = |id: &ConsignmentId| !rows.contains_key(id);
        if !is_new {
            let waits = ids[first..last].iter().any(is_missing);
            if !waits || now - self.at < AGAIN_SECONDS {
                return None;
            }
        }
        (self.pages, self.of, self.at) = (pages, of, now);
        let near = &ids[near];
        near.iter().any(is_missing).then(|| near.to_vec())
    }
}
