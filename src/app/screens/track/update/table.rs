//! The table on Track: the list of rows, and the contents of rows in view, which are read from the store.
//!
//! A limited number of rows is kept, however far the clerk scrolls. Rows in view are read before rows that
//! are no longer in view, and shown rows stay while they are read again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::core::Core;
use crate::state::{
    ConsignmentRow, DrillDown, Notice, Remote, RowsToCopy, Screen, TrackPane, TrackScope,
};
use shipping::ConsignmentId;

/// Rows that are kept in memory.
const MOST_KEPT: usize = 8_192;
/// Days of a scope without a limit: no consignment is tracked for so long.
const UNLIMITED_DAYS: u16 = 3_650;
/// Reads of rows that run at once. Of the requests behind them only the newest is kept.
const AT_ONCE: usize = 3;

type Rows = Vec<Arc<ConsignmentRow>>;

/// The rows that are kept in memory, and the reads that fetch more.
#[derive(Default)]
pub(crate) struct RowCache {
    /// Rows in view or near it.
    in_view: HashSet<ConsignmentId>,
    running: Vec<(Vec<ConsignmentId>, Remote<Rows>)>,
    /// Rows that were requested while [`AT_ONCE`] reads were running.
    next: Vec<ConsignmentId>,
    /// Rows that are kept in memory, oldest first.
    kept: VecDeque<ConsignmentId>,
    /// The scanned or looked-up text, while the table shows its rows.
    lookup_text: Option<String>,
    /// Rows to be copied to the clipboard.
    copied: (Vec<ConsignmentId>, Remote<Rows>),
}

impl RowCache {
    /// Polls the reads of rows. Returns whether any has ended.
    pub(crate) fn poll_rows(&mut self) -> bool {
        let ended = self
            .running
            .iter_mut()
            .filter_map(|(_, rows)| rows.poll().then_some(()));
        ended.count() > 0
    }

    pub(crate) fn poll_copied(&mut self) -> bool {
        self.copied.1.poll()
    }

    /// Adds rows that were read. If there are too many, drops the oldest that are not in view.
    fn insert_rows(
        &mut self,
        rows: &Rows,
        known: &mut HashMap<ConsignmentId, Arc<ConsignmentRow>>,
    ) {
        for row in rows {
            if known.insert(row.id, Arc::clone(row)).is_none() {
                self.kept.push_back(row.id);
            }
        }
        let mut looked_at = self.kept.len();
        while known.len() > MOST_KEPT && looked_at > 0 {
            looked_at -= 1;
            let Some(oldest) = self.kept.pop_front() else {
                break;
            };
            if self.in_view.contains(&oldest) {
                self.kept.push_back(oldest);
            } else {
                known.remove(&oldest);
            }
        }
    }
}

impl Core {
    pub(super) fn list_rows(&mut self) {
        let track = &mut self.shared.track;
        let query = &mut track.query;
        let is_found = self.track.rows.lookup_text.as_ref() == Some(&query.words);
        query.scope = if is_found && query.drill_down == DrillDown::All {
            // A scanned consignment is shown whatever its age and company.
            TrackScope {
                days: UNLIMITED_DAYS,
                ..TrackScope::default()
            }
        } else {
            track.scope.clone()
        };
        let list = self
            .work
            .reads()
            .track_list(track.query.clone(), track.thresholds);
        track.list.start(list);
    }

    pub(super) fn drill_down(&mut self, door: DrillDown) {
        self.shared.screen = Screen::Track;
        self.shared.track.pane = TrackPane::Table;
        self.shared.track.query.drill_down = door;
        // The metric that leads here counted all rows, so the filter text must not hide any.
        self.shared.track.query.words.clear();
        self.list_rows();
    }

    /// Shows the rows that a lookup found for these words, whatever the table showed before.
    pub(crate) fn show_found_rows(&mut self, words: String) {
        self.track.rows.lookup_text = Some(words.clone());
        let track = &mut self.shared.track;
        track.pane = TrackPane::Table;
        track.query.drill_down = DrillDown::All;
        track.query.words = words;
        self.show(Screen::Track);
    }

    /// Reads the rows in view or near it that are not in memory yet.
    pub(super) fn fetch_rows(&mut self, ids: Vec<ConsignmentId>) {
        let sight = &mut self.track.rows;
        sight.in_view = ids.iter().copied().collect();
        let known = &self.shared.track.rows;
        let under_way = |id: &ConsignmentId| sight.running.iter().any(|(ids, _)| ids.contains(id));
        let is_missing = |id: &ConsignmentId| !known.contains_key(id) && !under_way(id);
        let missing: Vec<_> = ids.into_iter().filter(is_missing).collect();
        self.read_rows(missing);
    }

    /// Reads the rows in view again after tracked consignments changed. Other rows are dropped, and read when
    /// they come into view.
    pub(super) fn read_rows_again(&mut self) {
        let sight = &mut self.track.rows;
        sight.running.clear();
        sight.next.clear();
        let near = &sight.in_view;
        Arc::make_mut(&mut self.shared.track.rows).retain(|id, _| near.contains(id));
        sight.kept.retain(|id| near.contains(id));
        let near = near.iter().copied().collect();
        self.read_rows(near);
    }

    fn read_rows(&mut self, ids: Vec<ConsignmentId>) {
        let sight = &mut self.track.rows;
        if ids.is_empty() {
            return;
        }
        if sight.running.len() >= AT_ONCE {
            sight.next = ids;
            return;
        }
        sight.next.clear();
        let mut rows = Remote::default();
        rows.start(self.work.reads().track_rows(ids.clone()));
        sight.running.push((ids, rows));
    }

    pub(super) fn copy_rows(&mut self, ids: Vec<ConsignmentId>) {
        let copied = &mut self.track.rows.copied;
        copied.1.start(self.work.reads().track_rows(ids.clone()));
        copied.0 = ids;
    }

    pub(crate) fn copied_rows_came(&mut self) {
        let copied = &mut self.track.rows.copied;
        if copied.1.is_loading() {
            return;
        }
        match copied.1.take() {
            Some(Ok(rows)) => {
                let of = std::mem::take(&mut copied.0);
                self.shared.track.to_copy = Some(Arc::new(RowsToCopy { of, rows }));
            }
            Some(Err(problem)) => {
                self.notify(Notice::failed("Couldn't read the rows", &problem));
            }
            None => {}
        }
    }

    pub(crate) fn rows_came(&mut self) {
        let sight = &mut self.track.rows;
        let mut came = Vec::new();
        sight.running.retain_mut(|(_, rows)| {
            if let Some(Ok(rows)) = rows.take() {
                came.push(rows);
            }
            rows.is_loading()
        });
        let known = Arc::make_mut(&mut self.shared.track.rows);
        for rows in &came {
            sight.insert_rows(rows, known);
        }
        let next = std::mem::take(&mut self.track.rows.next);
        self.read_rows(next);
    }
}
