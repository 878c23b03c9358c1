//! Schedules the sync of tracked consignments with the service.
//!
//! One sync runs at a time. No sync starts automatically while the service can't be reached or the window is hidden.
//! Results are shown while the sync still runs. Only this file decides whether a sync is full or reads only changes.

use std::time::Duration;

use jiff::SignedDuration;

use crate::config::{ChosenService, CompanyScope, TrackingScope};
use crate::core::Core;
use crate::state::{Screen, SyncMark, SyncScope};
use engine::{Remote, SyncRequest};

/// Time between automatic syncs while Track is shown.
const EVERY: Duration = Duration::from_mins(1);

/// Time between automatic syncs while another screen is shown: new exceptions are announced there, too.
const EVERY_UNSEEN: Duration = Duration::from_mins(5);

/// Time between full syncs.
const WHOLE_EVERY: SignedDuration = SignedDuration::from_hours(4);

/// Shortest time between two refreshes of metrics and rows during a long sync.
const RECOUNT_EVERY: Duration = Duration::from_secs(2);

/// State of Track that the screens do not read.
#[derive(Default)]
pub(crate) struct TrackUpdate {
    pub(in crate::screens::track) due: Option<Duration>,
    /// True if the current sync is a full one.
    is_full: bool,
    /// True if a sync has ended since the last turn of the event loop.
    ended: bool,
    last_ended: Option<Duration>,
    /// True once a sync of this scope has succeeded.
    caught_up: bool,
    /// How many times the service had become reachable again, as of the last check.
    returns: u32,
    /// The sync mark from before this start.
    pub(crate) stored_mark: Remote<Option<SyncMark>>,
    /// The version of the store from which metrics and rows were computed, and the time of the computation.
    version: u64,
    recounted: Option<Duration>,
    pub(super) counting: super::board::BoardCountState,
    pub(crate) news: super::board::ExceptionWatch,
    /// The scanned or looked-up text, while the table shows its rows.
    pub(super) lookup_text: Option<String>,
    pub(crate) page: super::page::PageState,
}

impl Core {
    /// Starts tracking with the scope from the settings.
    pub(crate) fn start_tracking(&mut self) {
        self.track.version = self.work.reads().tracked_version();
        self.track_scope(self.configured_scope());
    }

    /// Returns the tracking scope that the settings and the bench's company define.
    fn configured_scope(&self) -> SyncScope {
        let scopes = &self.setup.settings.follow.at;
        let scope = scopes.get(&self.tracking_scope_key());
        let scope = scope.copied().unwrap_or_default();
        SyncScope {
            company: scope.company(self.shared.session.company),
            children: scope.children,
            carrier: scope.carrier,
        }
    }

    /// Returns the key of this service in the tracking settings: the connection's name, or an empty string
    /// for practice.
    fn tracking_scope_key(&self) -> String {
        match &self.setup.settings.chosen {
            Some(ChosenService::Connection(name)) => name.clone(),
            Some(ChosenService::Practice) | None => String::new(),
        }
    }

    fn track_scope(&mut self, scope: SyncScope) {
        let track = &mut self.shared.track;
        track.sync_scope = scope;
        track.mark = None;
        track.gap = false;
        track.sync.clear();
        self.track.last_ended = None;
        self.track.caught_up = false;
        self.track.ended = false;
        let known = self.work.reads().sync_mark(scope);
        self.track.stored_mark.clear();
        self.track.stored_mark.start(known);
    }

    /// Starts a sync. A running sync is replaced only if the new sync is full and the running sync is not; otherwise
    /// the call has no effect.
    pub(super) fn sync(&mut self, whole: bool) {
        let track = &mut self.shared.track;
        if track.sync.is_loading() && (self.track.is_full || !whole) {
            return;
        }
        self.track.is_full = whole;
        let scope = track.sync_scope;
        let look = self.work.reads().sync(SyncRequest { scope, whole });
        track.sync.start(look);
    }

    /// Changes the tracking scope, saves it and starts a full sync.
    pub(super) fn change_tracking_scope(&mut self, scope: SyncScope) {
        let whose = match scope.company {
            company if company == self.shared.session.company => CompanyScope::Bench,
            Some(company) => CompanyScope::Company(company),
            None => CompanyScope::Token,
        };
        let follows = TrackingScope {
            whose,
            children: scope.children,
            carrier: scope.carrier,
        };
        let at = self.tracking_scope_key();
        self.setup.settings.follow.at.insert(at, follows);
        self.setup.write();
        self.track_scope(scope);
        self.sync(true);
    }

    pub(crate) fn stored_mark_came(&mut self) {
        if self.shared.track.mark.is_none()
            && let Some(Some(mark)) = self.track.stored_mark.value()
        {
            self.shared.track.mark = Some(*mark);
            self.tracked_changed();
        }
    }

    pub(crate) fn sync_came(&mut self) {
        let track = &mut self.shared.track;
        if track.sync.is_loading() {
            return;
        }
        self.track.ended = true;
        if track.sync.problem().is_some() {
            return;
        }
        if let Some(synced) = track.sync.value() {
            let is_first = track.mark.replace(synced.mark).is_none();
            // The gap stays, because a later sync does not fetch the missed changes either.
            track.gap |= synced.gap;
            if is_first {
                // Only now can new exceptions be distinguished from old exceptions.
                self.tracked_changed();
            }
        }
    }

    pub(super) fn watch_sync(&mut self, at: Duration) {
        let wanted = self.configured_scope();
        if self.shared.track.sync_scope != wanted {
            self.track_scope(wanted);
        }
        let loading = self.shared.track.sync.is_loading();
        self.shared.track.progress = loading.then(|| self.work.reads().sync_progress()).flatten();
        if std::mem::take(&mut self.track.ended) {
            self.sync_ended(at);
        }
        let look_due = self.next_sync_due(at);
        if look_due.is_some_and(|due| due <= at) {
            self.sync(self.track.caught_up && self.is_full_sync_due());
        }
        let recount_due = self.recount_due(at);
        if recount_due.is_some_and(|due| due <= at) {
            self.track.version = self.work.reads().tracked_version();
            self.track.recounted = Some(at);
            self.tracked_changed();
        }
        let due = [look_due, recount_due].into_iter().flatten();
        self.track.due = due.filter(|due| *due > at).min();
    }

    /// Handles the end of a sync. If the bench has data of an earlier run, the first sync reads only changes, so that
    /// the clerk sees them quickly. A full sync follows if it is due.
    fn sync_ended(&mut self, at: Duration) {
        self.track.last_ended = Some(at);
        if self.shared.track.sync.problem().is_none() {
            let first = !std::mem::replace(&mut self.track.caught_up, true);
            if first && self.is_full_sync_due() && self.setup.settings.follow.by_itself {
                self.sync(true);
            }
        }
        // Shows the last rows of the sync at once, without waiting for [`RECOUNT_EVERY`].
        self.track.recounted = None;
    }

    fn is_full_sync_due(&self) -> bool {
        let mark = self.shared.track.mark;
        mark.is_none_or(|mark| {
            let since = self.shared.now.duration_since(mark.whole_at);
            since >= WHOLE_EVERY || since.is_negative()
        })
    }

    fn next_sync_due(&mut self, at: Duration) -> Option<Duration> {
        let shared = &self.shared;
        let rests = !self.setup.settings.follow.by_itself
            || shared.session.health.away_since.is_some()
            || self.is_hidden()
            || shared.track.sync.is_loading()
            // The unmanifested list is read before the first sync.
            || (shared.dispatch.unmanifested.is_loading() && self.track.last_ended.is_none());
        if rests {
            return None;
        }
        let returns = self.shared.session.health.returns;
        if std::mem::replace(&mut self.track.returns, returns) != returns {
            return Some(at);
        }
        let every = if shared.screen == Screen::Track {
            EVERY
        } else {
            EVERY_UNSEEN
        };
        Some(self.track.last_ended.map_or(at, |looked| looked + every))
    }

    fn recount_due(&self, at: Duration) -> Option<Duration> {
        let version = self.work.reads().tracked_version();
        let recounted = self.track.recounted;
        (version != self.track.version)
            .then(|| recounted.map_or(at, |recounted| recounted + RECOUNT_EVERY))
    }
}
