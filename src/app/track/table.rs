//! The table: which rows it shows, and those in sight fetched from the store.
//!
//! What always holds: a bounded number of rows is kept, whatever was scrolled past; what is in sight is asked for before what
//! was in sight a moment ago, and rows that are shown stay shown while they are read anew.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::app::core::Core;
use crate::shipping::ConsignmentId;
use crate::state::{
    Door, Notice, Remote, RowsToCopy, Screen, TrackOrder, TrackPane, TrackScope, Tracked,
};

/// Rows that are kept.
const MOST_KEPT: usize = 8_192;
/// More days than anything is followed for.
const EVERYTHING: u16 = 3_650;
/// Reads of rows under way at once; of what waits behind them only the newest is wanted.
const AT_ONCE: usize = 3;

type Rows = Vec<Arc<Tracked>>;

/// Rows on their way to the table.
#[derive(Default)]
pub(in crate::app) struct Sight {
    /// What is in sight or near it.
    near: HashSet<ConsignmentId>,
    running: Vec<(Vec<ConsignmentId>, Remote<Rows>)>,
    /// What was asked for while enough was under way.
    next: Vec<ConsignmentId>,
    /// The rows that are kept, in the order in which they came.
    kept: VecDeque<ConsignmentId>,
    /// The words of what was scanned or asked for, while the table shows it.
    found: Option<String>,
    /// What is to be copied.
    copied: (Vec<ConsignmentId>, Remote<Rows>),
}

impl Sight {
    /// Takes rows that came, and lets go of the oldest where there are too many.
    fn take(&mut self, rows: &Rows, known: &mut HashMap<ConsignmentId, Arc<Tracked>>) {
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
            if self.near.contains(&oldest) {
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
        let is_found = self.tracking.rows.found.as_ref() == Some(&query.words);
        query.scope = if is_found && query.door == Door::All {
            // What was scanned is shown however old it is and whosever.
            TrackScope {
                days: EVERYTHING,
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

    pub(super) fn enter(&mut self, door: Door) {
        self.shared.screen = Screen::Track;
        self.shared.track.pane = TrackPane::Table;
        self.shared.track.query.door = door;
        // The number that leads here counted them whatever words they hold.
        self.shared.track.query.words.clear();
        self.list_rows();
    }

    pub(super) fn drop_door(&mut self) {
        self.shared.track.query.door = Door::All;
        self.list_rows();
    }

    /// The table shows what holds these words and was found by them, whatever it showed before.
    pub(in crate::app) fn show_found_rows(&mut self, words: String) {
        self.tracking.rows.found = Some(words.clone());
        let track = &mut self.shared.track;
        track.pane = TrackPane::Table;
        track.query.door = Door::All;
        track.query.words = words;
        self.show(Screen::Track);
    }

    pub(super) fn look_for_words(&mut self, words: String) {
        self.shared.track.query.words = words;
        self.list_rows();
    }

    pub(super) fn order_rows(&mut self, order: TrackOrder) {
        self.shared.track.query.order = order;
        self.list_rows();
    }

    /// These are in sight or near it: those that are not known are read.
    pub(super) fn fetch_rows(&mut self, ids: Vec<ConsignmentId>) {
        let sight = &mut self.tracking.rows;
        sight.near = ids.iter().copied().collect();
        let known = &self.shared.track.rows;
        let under_way = |id: &ConsignmentId| sight.running.iter().any(|(ids, _)| ids.contains(id));
        let is_missing = |id: &ConsignmentId| !known.contains_key(id) && !under_way(id);
        let missing: Vec<_> = ids.into_iter().filter(is_missing).collect();
        self.read_rows(missing);
    }

    /// What is followed has changed: what is in sight is read anew, the rest when it comes in sight again.
    pub(super) fn read_rows_again(&mut self) {
        let sight = &mut self.tracking.rows;
        sight.running.clear();
        let near = &sight.near;
        Arc::make_mut(&mut self.shared.track.rows).retain(|id, _| near.contains(id));
        sight.kept.retain(|id| near.contains(id));
        let near = near.iter().copied().collect();
        self.read_rows(near);
    }

    fn read_rows(&mut self, ids: Vec<ConsignmentId>) {
        let sight = &mut self.tracking.rows;
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
        let copied = &mut self.tracking.rows.copied;
        copied.1.start(self.work.reads().track_rows(ids.clone()));
        copied.0 = ids;
    }

    pub(super) fn poll_table(&mut self) {
        self.shared.track.list.poll();
        self.poll_rows();
        let copied = &mut self.tracking.rows.copied;
        if !copied.1.poll() || copied.1.is_loading() {
            return;
        }
        match copied.1.take() {
            Some(Ok(rows)) => {
                let of = std::mem::take(&mut copied.0);
                self.shared.track.to_copy = Some(Arc::new(RowsToCopy { of, rows }));
            }
            Some(Err(problem)) => {
                self.notify(Notice::failed("The rows could not be read", &problem));
            }
            None => {}
        }
    }

    fn poll_rows(&mut self) {
        let sight = &mut self.tracking.rows;
        let mut came = Vec::new();
        sight.running.retain_mut(|(_, rows)| {
            let is_done = rows.poll();
            if is_done && let Some(Ok(rows)) = rows.take() {
                came.push(rows);
            }
            !is_done
        });
        if came.is_empty() && sight.running.len() >= AT_ONCE {
            return;
        }
        let known = Arc::make_mut(&mut self.shared.track.rows);
        for rows in &came {
            sight.take(rows, known);
        }
        let next = std::mem::take(&mut self.tracking.rows.next);
        self.read_rows(next);
    }
}
