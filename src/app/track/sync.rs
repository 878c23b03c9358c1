//! When the service is looked at for what became of consignments.

use std::time::Duration;

use crate::app::core::Core;
use crate::state::SyncScope;
use crate::work::SyncOrder;

/// How following goes.
#[derive(Default)]
pub(in crate::app) struct Tracking {
    due: Option<Duration>,
    /// When the board was counted, and what was new.
    pub(super) counting: super::board::Counting,
    /// What is under way with consignments' files.
    pub(super) files: super::files::Files,
    /// What is on its way out of the bench.
    pub(super) out: super::out::Outgoing,
    /// Rows on their way to the table.
    pub(super) rows: super::table::Sight,
}

impl Tracking {
    /// When the service is looked at by itself.
    pub(in crate::app) const fn due(&self) -> Option<Duration> {
        self.due
    }
}

impl Core {
    pub(in crate::app) fn begin_following(&mut self) {
        self.shared.track.follows = SyncScope {
            company: None,
            children: true,
            carrier: None,
        };
    }

    pub(super) fn sync(&mut self, whole: bool) {
        let scope = self.shared.track.follows;
        let look = self.work.reads().sync(SyncOrder { scope, whole });
        self.shared.track.sync.start(look);
    }

    pub(super) fn follow_scope(&mut self, scope: SyncScope) {
        self.shared.track.follows = scope;
        self.sync(true);
    }

    pub(super) fn poll_sync(&mut self) {
        if !self.shared.track.sync.poll() || self.shared.track.sync.is_loading() {
            return;
        }
        if let Some(synced) = self.shared.track.sync.value() {
            self.shared.track.mark = Some(synced.mark);
            self.shared.track.gap = synced.gap;
            self.followed_changed();
        }
    }

    pub(super) fn watch_sync(&mut self, _at: Duration) {
        let loading = self.shared.track.sync.is_loading();
        self.shared.track.progress = loading.then(|| self.work.reads().sync_progress()).flatten();
    }
}
