//! Syncs the list of unmanifested consignments, and merges changes that become known during a sync.
//!
//! Invariant: a sync never loses or reverts a change that became known while it ran. Automatic syncs run only
//! while the list is shown.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::core::Core;
use crate::state::{Screen, TrackList, TrackQuery, WindowMarks};
use engine::{Fetch, SyncKind};
use shipping::{CompanyId, Consignment, ConsignmentId};

/// Time between two automatic syncs while the list is shown.
const EVERY: Duration = Duration::from_mins(1);

/// Time between two full syncs. Only a full sync finds changes by other users that left the status unchanged.
const WHOLE_EVERY: Duration = Duration::from_mins(30);

/// Changed consignments; true if the consignment is unmanifested, so that it belongs to the list.
type ListChanges = Vec<(ConsignmentId, bool)>;

/// Sync state of the list.
#[derive(Default)]
pub(crate) struct ListSyncState {
    /// The company of the list; `None` before the first sync.
    #[expect(
        clippy::option_option,
        reason = "a company's, the token's own, or none yet"
    )]
    company: Option<Option<CompanyId>>,
    /// The kind of the sync in progress.
    running: Option<SyncKind>,
    /// The kind of the sync that ended in this turn.
    ended: Option<SyncKind>,
    /// When the last sync ended, and when the last full sync ended.
    last: Option<Duration>,
    last_full: Option<Duration>,
    /// When the next automatic sync is due.
    pub(crate) due: Option<Duration>,
    /// True while the window is not visible.
    hidden: bool,
    /// Changes that became known since the sync in progress began.
    newer: ListChanges,
    /// The result of [`Core::marks`], and the version of the label queue from which it was computed.
    marks: Option<(u64, Arc<WindowMarks>)>,
}

impl Core {
    /// Starts a full sync.
    pub(crate) fn refresh_unmanifested(&mut self) {
        self.sync_list(SyncKind::Full);
    }

    /// Syncs the list. A sync in progress is restarted only if a full sync is wanted instead of a partial
    /// one, or if the company has changed.
    pub(crate) fn sync_list(&mut self, kind: SyncKind) {
        let company = self.shared.session.company;
        let running = self.dispatch.list_sync.running;
        if self.dispatch.list_sync.company != Some(company) {
            self.clear_list();
            self.dispatch.list_sync.company = Some(company);
        } else if self.shared.dispatch.unmanifested.is_loading()
            && (running == Some(SyncKind::Full) || kind == SyncKind::Changes)
        {
            return;
        }
        self.dispatch.list_sync.running = Some(kind);
        let unmanifested = &mut self.shared.dispatch.unmanifested;
        let shown = unmanifested.value().cloned();
        unmanifested.start(self.work.reads().sync_unmanifested(company, kind, shown));
        self.ask_for_conversions();
    }

    /// Clears the list, because another company's list is shown from now on.
    fn clear_list(&mut self) {
        self.dispatch.list_sync.newer.clear();
        self.shared.dispatch.unmanifested.clear();
        self.shared.dispatch.unmanifested_at = None;
        self.list_changed();
    }

    /// Updates everything that depends on the list.
    fn list_changed(&mut self) {
        self.rebuild_labels();
        self.query_list();
        self.filter_labels();
    }

    /// Filters and sorts the list again.
    pub(crate) fn query_list(&mut self) {
        match self.query_of_list(self.shared.dispatch.query.clone()) {
            Some(found) => self.shared.dispatch.found.start(found),
            None => self.shared.dispatch.found.clear(),
        }
    }

    /// Returns the fetch that runs a query; `None` if the query is for all consignments of the list, newest first.
    pub(crate) fn query_of_list(&mut self, query: TrackQuery) -> Option<Fetch<TrackList>> {
        let list = self.shared.dispatch.unmanifested.value();
        let list = Arc::clone(list.filter(|_| !query.is_plain())?);
        let marks = self.marks();
        Some(self.work.reads().unmanifested_list(list, query, marks))
    }

    /// Returns the values of rows that the store does not have: label states and holds. Queries and exports use them.
    pub(crate) fn marks(&mut self) -> Arc<WindowMarks> {
        let labels = self.shared.labels.queue.version();
        let on_hold = &self.shared.dispatch.on_hold;
        let is_current = |(version, marks): &&(u64, Arc<WindowMarks>)| {
            *version == labels && Arc::ptr_eq(&marks.on_hold, on_hold)
        };
        let known = self.dispatch.list_sync.marks.as_ref().filter(is_current);
        let known = known.map(|(_, marks)| Arc::clone(marks));
        let marks = known.unwrap_or_else(|| Arc::new(self.shared.marks()));
        self.dispatch.list_sync.marks = Some((labels, Arc::clone(&marks)));
        marks
    }

    /// Runs the queries again if a label or a hold changed. Without a query, the labels and holds are not checked.
    fn watch_marks(&mut self) {
        let asks = [&self.shared.dispatch.query, &self.shared.labels.query];
        if asks.iter().all(|query| query.is_plain()) {
            return;
        }
        let before = self.dispatch.list_sync.marks.clone();
        let marks = self.marks();
        if before.is_some_and(|(_, before)| !Arc::ptr_eq(&before, &marks)) {
            self.query_list();
            self.filter_labels();
        }
    }

    /// Shows the stored list until the service has answered.
    pub(crate) fn show_kept_list(
        &mut self,
        company: Option<CompanyId>,
        ids: &[ConsignmentId],
        as_of: jiff::Timestamp,
    ) {
        if company != self.shared.session.company {
            return;
        }
        let ids = with_changes(ids, &self.dispatch.list_sync.newer);
        if self.shared.dispatch.unmanifested.remember(ids) {
            self.shared.dispatch.unmanifested_at = Some(as_of);
            self.list_changed();
        }
    }

    /// Polls the sync of the list, and shows the list of a sync that has ended.
    pub(crate) fn poll_list(&mut self) {
        let (dispatch, sync) = (&mut self.shared.dispatch, &mut self.dispatch.list_sync);
        let before = dispatch.unmanifested.value().cloned();
        if !dispatch.unmanifested.poll() || dispatch.unmanifested.is_loading() {
            return;
        }
        sync.ended = sync.running.take();
        let newer = std::mem::take(&mut sync.newer);
        if dispatch.unmanifested.problem().is_some() {
            return;
        }
        dispatch.unmanifested_at = Some(self.shared.now);
        let Some(list) = dispatch.unmanifested.value_mut() else {
            return;
        };
        if !newer.is_empty() {
            *list = with_changes(list, &newer);
        }
        match before {
            Some(before) if before == *list => *list = before,
            before => {
                self.tell_gone(&before.unwrap_or_default());
                self.list_changed();
            }
        }
    }

    /// Clears holds, groups and pending deletions of consignments that are no longer in the list.
    fn tell_gone(&mut self, before: &[ConsignmentId]) {
        let dispatch = &self.shared.dispatch;
        let deleting = dispatch.deleting.iter().flat_map(|one| &one.ids);
        let marked = dispatch.on_hold.iter().chain(deleting);
        let moved = dispatch.groups_view.moved_out.iter().map(|moved| moved.id);
        let grouped = self.grouped_ids().into_iter().chain(moved);
        let was_listed = |id: &ConsignmentId| before.binary_search_by(|one| id.cmp(one)).is_ok();
        let went = |id: &ConsignmentId| was_listed(id) && !dispatch.lists(*id);
        let gone: Vec<_> = marked.copied().chain(grouped).filter(went).collect();
        self.clear_marks(&gone);
    }

    /// Clears holds, groups and pending deletions of these consignments.
    fn clear_marks(&mut self, gone: &[ConsignmentId]) {
        if !gone.is_empty() {
            self.remove_from_deletion(gone);
            self.release_gone(gone);
            self.gone_from_groups(&gone.iter().copied().collect());
        }
    }

    /// Starts an automatic sync if a sync is due, the list is shown and the service can be reached.
    pub(crate) fn watch_list(&mut self, at: Duration) {
        self.watch_marks();
        let (dispatch, sync) = (&mut self.shared.dispatch, &mut self.dispatch.list_sync);
        if let Some(ended) = sync.ended.take() {
            sync.last = Some(at);
            if ended == SyncKind::Full && dispatch.unmanifested.problem().is_none() {
                sync.last_full = Some(at);
            }
        }
        let loading = dispatch.unmanifested.is_loading();
        let reads = self.work.reads();
        dispatch.list_progress = loading.then(|| reads.list_progress()).flatten();
        let seen = matches!(self.shared.screen, Screen::Dispatch | Screen::Labels);
        let away = self.shared.session.health.away_since.is_some();
        if !seen || sync.hidden || away || loading {
            sync.due = None;
            return;
        }
        let due = sync.last.map_or(at, |last| last + EVERY);
        sync.due = Some(due).filter(|due| *due > at);
        if sync.due.is_none() {
            let full = sync.last_full.map_or(at, |last| last + WHOLE_EVERY);
            let is_full = full <= at;
            self.sync_list(if is_full {
                SyncKind::Full
            } else {
                SyncKind::Changes
            });
        }
    }

    /// Sets whether the window is hidden. Automatic syncs and printer polls stop while the window is hidden.
    pub fn hide(&mut self, hidden: bool) {
        self.dispatch.list_sync.hidden = hidden;
    }

    pub(crate) const fn is_hidden(&self) -> bool {
        self.dispatch.list_sync.hidden
    }

    /// Updates the list with consignments that were read back or created.
    pub(crate) fn update_list(&mut self, consignments: &[Consignment]) {
        self.show_answers(consignments);
        let change = |one: &Consignment| (one.id, one.is_unmanifested());
        let changes: ListChanges = consignments.iter().map(change).collect();
        let gone = changes.iter().filter(|(_, is_listed)| !is_listed);
        let gone: Vec<_> = gone.map(|(id, _)| *id).collect();
        self.clear_marks(&gone);
        self.apply_changes(changes);
        if self.shared.dispatch.unmanifested.value().is_none() {
            self.refresh_unmanifested();
        }
    }

    /// Removes consignments that no longer wait for a manifest.
    pub(crate) fn remove_from_list(&mut self, ids: &[ConsignmentId]) {
        self.apply_changes(ids.iter().map(|id| (*id, false)).collect());
        self.clear_marks(ids);
    }

    /// Applies changes that became known from an operation. They are newer than the list, and newer than a sync in
    /// progress, whose request may have been sent earlier. Rows and queries are read again once the engine has stored
    /// the changes.
    fn apply_changes(&mut self, changes: ListChanges) {
        if let Some(list) = self.shared.dispatch.unmanifested.value_mut() {
            *list = with_changes(list, &changes);
        }
        if self.shared.dispatch.unmanifested.is_loading() {
            self.dispatch.list_sync.newer.extend(changes);
        }
        self.list_changed();
    }
}

/// Returns the list with changes applied. If a consignment has several changes, the last change counts.
fn with_changes(ids: &[ConsignmentId], changes: &ListChanges) -> Arc<[ConsignmentId]> {
    let changes: BTreeMap<_, _> = changes.iter().copied().collect();
    let unchanged = ids.iter().filter(|id| !changes.contains_key(id));
    let added = changes.iter().filter(|(_, is_listed)| **is_listed);
    let mut ids: Vec<_> = unchanged.chain(added.map(|(id, _)| id)).copied().collect();
    ids.sort_unstable_by(|one, other| other.cmp(one));
    ids.into()
}
