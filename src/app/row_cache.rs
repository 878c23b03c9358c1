//! The rows of consignments near the view of a list, which are read from the store.
//!
//! The cache holds a limited number of rows, however far the clerk scrolls, but always the rows of the manifest
//! groups. Rows in view are read first. Shown rows stay visible while they are read again.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::core::Core;
use crate::state::{ConsignmentRow, ListCommand, Notice, Remote, RowsToCopy};
use shipping::{Consignment, ConsignmentId};
use storage::ConsignmentHistory;

/// Maximum number of rows that are kept in memory.
const MOST_KEPT: usize = 8_192;
/// Maximum number of reads that run at the same time. Of the requests that wait, only the newest is kept.
const AT_ONCE: usize = 3;

type Rows = Vec<Arc<ConsignmentRow>>;

/// The reads of rows, and which rows are kept in memory.
#[derive(Default)]
pub(super) struct RowCache {
    /// Rows in or near the view, and rows of the groups.
    needed: HashSet<ConsignmentId>,
    running: Vec<(Vec<ConsignmentId>, Remote<Rows>)>,
    /// Rows that were requested while [`AT_ONCE`] reads were running.
    next: Vec<ConsignmentId>,
    /// Rows that are kept in memory, oldest first.
    kept: VecDeque<ConsignmentId>,
    /// Rows to be copied to the clipboard.
    copied: (Vec<ConsignmentId>, Remote<Rows>),
}

impl RowCache {
    /// Polls the reads of rows. Returns whether any read has ended.
    pub(super) fn poll_rows(&mut self) -> bool {
        let polled = self.running.iter_mut().map(|(_, rows)| rows.poll());
        polled.fold(false, |any, ended| any | ended)
    }

    pub(super) fn poll_copied(&mut self) -> bool {
        self.copied.1.poll()
    }
}

impl Core {
    pub(super) fn run_list(&mut self, command: ListCommand) {
        match command {
            ListCommand::NeedRows(ids) => self.need_rows(ids),
            ListCommand::CopyRows(ids) => {
                let copied = &mut self.rows.copied;
                copied.1.start(self.work.reads().track_rows(ids.clone()));
                copied.0 = ids;
            }
        }
    }

    /// Reads the rows in or near the view and the rows of the groups, unless they are already in memory.
    pub(crate) fn need_rows(&mut self, ids: Vec<ConsignmentId>) {
        let grouped = self.grouped_ids();
        let cache = &mut self.rows;
        cache.needed = ids.iter().chain(&grouped).copied().collect();
        let under_way = |id: &ConsignmentId| cache.running.iter().any(|(ids, _)| ids.contains(id));
        let is_missing = |id: &ConsignmentId| !self.shared.rows.contains_key(id) && !under_way(id);
        let missing = ids.into_iter().chain(grouped).filter(is_missing).collect();
        self.read_rows(missing);
    }

    /// Reads the rows of the groups, in addition to the rows in view.
    pub(crate) fn need_group_rows(&mut self) {
        let in_view = self.rows.needed.iter().copied().collect();
        self.need_rows(in_view);
    }

    /// Reads the needed rows again after tracked consignments changed. Other rows are dropped, and are read again
    /// when they are near the view.
    pub(crate) fn read_rows_again(&mut self) {
        let cache = &mut self.rows;
        cache.running.clear();
        cache.next.clear();
        let needed = &cache.needed;
        Arc::make_mut(&mut self.shared.rows).retain(|id, _| needed.contains(id));
        cache.kept.retain(|id| needed.contains(id));
        let needed = needed.iter().copied().collect();
        self.read_rows(needed);
    }

    pub(crate) fn read_rows(&mut self, ids: Vec<ConsignmentId>) {
        if ids.is_empty() {
            return;
        }
        let cache = &mut self.rows;
        if cache.running.len() >= AT_ONCE {
            cache.next = ids;
            return;
        }
        cache.next.clear();
        let mut rows = Remote::default();
        rows.start(self.work.reads().track_rows(ids.clone()));
        cache.running.push((ids, rows));
    }

    pub(super) fn rows_came(&mut self) {
        let mut came = Vec::new();
        self.rows.running.retain_mut(|(_, rows)| {
            if let Some(Ok(rows)) = rows.take() {
                came.extend(rows);
            }
            rows.is_loading()
        });
        let selected = self.shared.labels.selected;
        let is_selected_new = selected
            .is_some_and(|id| self.shared.row(id).is_none() && came.iter().any(|row| row.id == id));
        self.keep_rows(came);
        // Only the row says which rule names the printer, for which the preview is drawn.
        let mut rules = self.setup.settings.documents.iter();
        if is_selected_new && rules.any(|rule| !rule.is_for_all()) {
            self.refresh_preview();
        }
        let next = std::mem::take(&mut self.rows.next);
        self.read_rows(next);
    }

    /// Shows consignments as an operation has just returned them, before they can be read from the store.
    pub(crate) fn show_answers(&mut self, answers: &[Consignment]) {
        let row = |one: &Consignment| {
            let before = self.shared.row(one.id);
            Arc::new(ConsignmentHistory::of(one, before).row)
        };
        self.keep_rows(answers.iter().map(row).collect());
    }

    /// Adds rows. If there are too many, drops the oldest rows that are not needed.
    fn keep_rows(&mut self, rows: Rows) {
        let (cache, known) = (&mut self.rows, Arc::make_mut(&mut self.shared.rows));
        for row in rows {
            let id = row.id;
            if known.insert(id, row).is_none() {
                cache.kept.push_back(id);
            }
        }
        for _ in 0..cache.kept.len() {
            if known.len() <= MOST_KEPT {
                break;
            }
            match cache.kept.pop_front() {
                Some(oldest) if cache.needed.contains(&oldest) => cache.kept.push_back(oldest),
                Some(oldest) => {
                    known.remove(&oldest);
                }
                None => break,
            }
        }
    }

    pub(super) fn copied_rows_came(&mut self) {
        let copied = &mut self.rows.copied;
        if copied.1.is_loading() {
            return;
        }
        match copied.1.take() {
            Some(Ok(rows)) => {
                let of = std::mem::take(&mut copied.0);
                self.shared.to_copy = Some(Arc::new(RowsToCopy { of, rows }));
            }
            Some(Err(problem)) => {
                self.notify(Notice::failed("Couldn't read the rows", &problem));
            }
            None => {}
        }
    }
}
