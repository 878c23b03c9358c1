//! Syncs the list of unmanifested consignments, and merges changes that become known during a sync.
//!
//! Invariant: a sync never loses or reverts a change that became known while it ran. Automatic syncs run only
//! while the list is shown. Long lists are built and dropped in the background, never here.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::core::Core;
use crate::state::{Screen, UnmanifestedList, UnmanifestedRow};
use engine::{SyncKind, UnmanifestedRowBuilder};
use shipping::{CompanyId, Consignment, ConsignmentId};

/// Time between two automatic syncs while the list is shown.
const EVERY: Duration = Duration::from_mins(1);

/// Time between two full syncs. Only a full sync finds changes by others that did not change a status.
const WHOLE_EVERY: Duration = Duration::from_mins(30);

/// Up to this many rows are removed from a long list one by one.
const FEW: usize = 16;

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
    looking: Option<SyncKind>,
    /// The kind of the sync that ended in this turn.
    ended: Option<SyncKind>,
    /// When the last sync ended, and when the last full sync ended.
    looked: Option<Duration>,
    looked_whole: Option<Duration>,
    /// When the next automatic sync is due.
    pub(crate) due: Option<Duration>,
    /// The window is not visible.
    hidden: bool,
    /// Changes that became known since the sync in progress began.
    newer: Vec<ListChange>,
    /// The list of before the sync that has just ended.
    before: Option<UnmanifestedList>,
}

impl Core {
    /// Starts a full sync.
    pub(crate) fn refresh_unmanifested(&mut self) {
        self.sync_list(SyncKind::Full);
    }

    /// Syncs the list. A sync in progress is restarted only if a full sync is wanted instead of a partial
    /// one, or if the company has changed.
    pub(crate) fn sync_list(&mut self, look: SyncKind) {
        let company = self.shared.session.company;
        if self.dispatch.list_sync.company != Some(company) {
            self.clear_list();
            self.dispatch.list_sync.company = Some(company);
        } else if self.shared.dispatch.unmanifested.is_loading()
            && (self.dispatch.list_sync.looking == Some(SyncKind::Full)
                || look == SyncKind::Changes)
        {
            return;
        }
        self.dispatch.list_sync.looking = Some(look);
        let shown = self.shared.dispatch.unmanifested.value().cloned();
        let fetch = self.work.reads().sync_unmanifested(company, look, shown);
        self.shared.dispatch.unmanifested.start(fetch);
        self.ask_for_conversions();
    }

    /// Clears the list, because another company's list is shown from now on.
    fn clear_list(&mut self) {
        self.dispatch.list_sync.newer.clear();
        let shown = self.shared.dispatch.unmanifested.value().cloned();
        self.shared.dispatch.unmanifested.clear();
        self.shared.dispatch.unmanifested_at = None;
        if let Some(list) = shown {
            self.work.reads().drop_in_background(list);
            self.rebuild_labels();
        }
    }

    /// Shows a list that the journal kept, until the service has answered.
    pub(crate) fn show_kept_list(
        &mut self,
        company: Option<CompanyId>,
        mut list: UnmanifestedList,
        as_of: jiff::Timestamp,
    ) {
        if company != self.shared.session.company {
            return;
        }
        for newer in self.dispatch.list_sync.newer.clone() {
            newer.put_into(&mut list);
        }
        if self.shared.dispatch.unmanifested.remember(list) {
            self.shared.dispatch.unmanifested_at = Some(as_of);
            self.rebuild_labels();
        }
    }

    /// Polls the sync of the list. Keeps the list from before a sync that has ended.
    pub(crate) fn poll_list(&mut self) -> bool {
        let before = self.shared.dispatch.unmanifested.value().cloned();
        let has_ended = self.shared.dispatch.unmanifested.poll();
        if has_ended {
            self.dispatch.list_sync.before = before;
        }
        has_ended
    }

    /// Takes over the list of a sync that has ended.
    pub(crate) fn list_came(&mut self) {
        let before = self.dispatch.list_sync.before.take();
        if self.shared.dispatch.unmanifested.is_loading() {
            return;
        }
        self.dispatch.list_sync.ended = self.dispatch.list_sync.looking.take();
        let newer = std::mem::take(&mut self.dispatch.list_sync.newer);
        if self.shared.dispatch.unmanifested.problem().is_some() {
            return;
        }
        self.shared.dispatch.unmanifested_at = Some(self.shared.now);
        let Some(list) = self.shared.dispatch.unmanifested.value_mut() else {
            return;
        };
        for newer in newer {
            newer.put_into(list);
        }
        let is_same = before.as_ref().is_some_and(|before| before.is_same(list));
        if let Some(before) = before
            && !is_same
        {
            self.tell_gone(&before);
            self.work.reads().drop_in_background(before);
        }
        if !is_same {
            self.rebuild_labels();
        }
    }

    /// Clears holds, groups and pending deletions of consignments that are no longer in the list.
    fn tell_gone(&mut self, before: &UnmanifestedList) {
        let Some(list) = self.shared.dispatch.unmanifested.value() else {
            return;
        };
        let deleting = self
            .shared
            .dispatch
            .deleting
            .iter()
            .flat_map(|one| &one.ids);
        let marked = self.shared.dispatch.on_hold.iter().chain(deleting);
        let moved = self
            .shared
            .dispatch
            .groups_view
            .moved_out
            .iter()
            .map(|moved| moved.id);
        let grouped = self.grouped_ids().into_iter().chain(moved);
        let went = |id: &ConsignmentId| before.get(*id).is_some() && list.get(*id).is_none();
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

    /// Starts an automatic sync when one is due, the list is shown and the service can be reached.
    pub(crate) fn watch_list(&mut self, at: Duration) {
        if let Some(ended) = self.dispatch.list_sync.ended.take() {
            self.dispatch.list_sync.looked = Some(at);
            if ended == SyncKind::Full && self.shared.dispatch.unmanifested.problem().is_none() {
                self.dispatch.list_sync.looked_whole = Some(at);
            }
        }
        let loading = self.shared.dispatch.unmanifested.is_loading();
        let reads = self.work.reads();
        self.shared.dispatch.list_progress = loading.then(|| reads.list_progress()).flatten();
        let seen = matches!(self.shared.screen, Screen::Dispatch | Screen::Labels);
        let away = self.shared.session.health.away_since.is_some();
        if !seen || self.dispatch.list_sync.hidden || away || loading {
            self.dispatch.list_sync.due = None;
            return;
        }
        let due = self
            .dispatch
            .list_sync
            .looked
            .map_or(at, |looked| looked + EVERY);
        self.dispatch.list_sync.due = Some(due);
        if due <= at {
            self.dispatch.list_sync.due = None;
            let whole = self
                .dispatch
                .list_sync
                .looked_whole
                .map_or(at, |then| then + WHOLE_EVERY);
            self.sync_list(if whole <= at {
                SyncKind::Full
            } else {
                SyncKind::Changes
            });
        }
    }

    /// Sets whether the window is hidden. Automatic syncs and printer polls stop while it is.
    pub fn hide(&mut self, hidden: bool) {
        self.dispatch.list_sync.hidden = hidden;
    }

    pub(crate) const fn is_hidden(&self) -> bool {
        self.dispatch.list_sync.hidden
    }

    /// Updates the list with consignments that were read back or created.
    pub(crate) fn update_list(&mut self, consignments: Vec<Consignment>) {
        let mut rows = UnmanifestedRowBuilder::default();
        let (waiting, others): (Vec<_>, Vec<_>) = consignments
            .into_iter()
            .partition(Consignment::is_unmanifested);
        for one in &waiting {
            let list = self.shared.dispatch.unmanifested.value();
            let known = list.and_then(|list| list.get(one.id));
            let row = rows.row_after(one, known);
            self.apply_list_change(ListChange::Seen(Box::new(row)));
        }
        if !others.is_empty() {
            let gone: Vec<_> = others.iter().map(|one| one.id).collect();
            self.clear_marks(&gone);
            self.apply_list_change(ListChange::Gone(Arc::new(gone.into_iter().collect())));
        }
        if self.shared.dispatch.unmanifested.value().is_none() {
            self.refresh_unmanifested();
        }
        self.rebuild_labels();
    }

    /// Removes consignments that no longer wait for a manifest.
    pub(crate) fn remove_from_list(&mut self, ids: &[ConsignmentId]) {
        let gone: HashSet<_> = ids.iter().copied().collect();
        self.apply_list_change(ListChange::Gone(Arc::new(gone)));
        self.clear_marks(ids);
        self.rebuild_labels();
    }

    /// Applies a change that an operation brought. The change is newer than the list, and newer than a sync
    /// in progress, whose request may have been sent before the change.
    fn apply_list_change(&mut self, newer: ListChange) {
        let list = &mut self.shared.dispatch.unmanifested;
        if list.is_loading() {
            self.dispatch.list_sync.newer.push(newer.clone());
        }
        if let Some(list) = list.value_mut() {
            newer.put_into(list);
        }
    }
}

/// A change that became known during a sync.
#[derive(Clone)]
enum ListChange {
    /// A consignment as it was read back or created.
    Seen(Box<UnmanifestedRow>),
    /// Consignments that no longer wait for a manifest.
    Gone(Arc<HashSet<ConsignmentId>>),
}

impl ListChange {
    fn put_into(self, list: &mut UnmanifestedList) {
        match self {
            Self::Seen(row) => list.put(*row),
            Self::Gone(gone) if gone.len() <= FEW => gone.iter().for_each(|id| list.remove(*id)),
            // Removing a row moves all rows behind it, so more rows are removed in one pass.
            Self::Gone(gone) => list.retain(|one| !gone.contains(&one.id)),
        }
    }
}
