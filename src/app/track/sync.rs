//! When the service is looked at for what became of consignments.
//!
//! What always holds: one look at a time, and none by itself while the service is away or nobody sees the window; what a look
//! stores shows while it still runs. Which looks are at everything, and which at what changed, is decided here alone.

use std::time::Duration;

use jiff::SignedDuration;

use crate::app::core::Core;
use crate::config::{Chosen, Follows, Whose};
use crate::state::{Screen, SyncMark, SyncScope};
use crate::work::{Remote, SyncOrder};

/// Between two looks by themselves, while Track is seen.
const EVERY: Duration = Duration::from_mins(1);

/// The same while another screen is: an exception is to be heard of there, too.
const EVERY_UNSEEN: Duration = Duration::from_mins(5);

/// Between two looks at everything.
const WHOLE_EVERY: SignedDuration = SignedDuration::from_hours(4);

/// While a long look runs, figures and rows are made anew no more often than this.
const RECOUNT_EVERY: Duration = Duration::from_secs(2);

/// How following goes.
#[derive(Default)]
pub(in crate::app) struct Tracking {
    due: Option<Duration>,
    /// The look that is under way is one at everything.
    whole: bool,
    /// A look has ended in this turn.
    ended: bool,
    /// When the last one ended.
    looked: Option<Duration>,
    /// A look has succeeded since this scope is followed.
    caught_up: bool,
    /// How often the service had come back by the last look.
    returns: u32,
    /// Up to when it is known from before this start.
    known: Remote<Option<SyncMark>>,
    /// What figures and rows were made from, and when.
    version: u64,
    recounted: Option<Duration>,
    /// When the board was counted.
    pub(super) counting: super::board::Counting,
    /// What is new on it.
    pub(super) news: super::news::Watch,
    /// What is under way with consignments' files.
    pub(super) files: super::files::Files,
    /// What is on its way out of the bench.
    pub(super) out: super::out::Outgoing,
    /// Rows on their way to the table.
    pub(super) rows: super::table::Sight,
}

impl Tracking {
    /// When the service is looked at by itself, or figures are made anew.
    pub(in crate::app) const fn due(&self) -> Option<Duration> {
        self.due
    }
}

impl Core {
    /// What is followed from the start on.
    pub(in crate::app) fn begin_following(&mut self) {
        self.tracking.version = self.work.reads().followed_version();
        self.follow(self.wanted_scope());
    }

    /// As the settings and the bench's company have it.
    fn wanted_scope(&self) -> SyncScope {
        let follows = self.follows();
        SyncScope {
            company: follows.company(self.shared.company),
            children: follows.children,
            carrier: follows.carrier,
        }
    }

    fn follows(&self) -> Follows {
        let follow = &self.setup.settings.follow;
        let follows = follow.at.get(&self.follows_at());
        follows.copied().unwrap_or_default()
    }

    /// What the settings call the service.
    fn follows_at(&self) -> String {
        match &self.setup.settings.chosen {
            Some(Chosen::Connection(name)) => name.clone(),
            Some(Chosen::Practice) | None => String::new(),
        }
    }

    fn follow(&mut self, scope: SyncScope) {
        let track = &mut self.shared.track;
        track.follows = scope;
        track.mark = None;
        track.gap = false;
        track.sync.clear();
        self.tracking.looked = None;
        self.tracking.caught_up = false;
        self.tracking.ended = false;
        let known = self.work.reads().sync_mark(scope);
        self.tracking.known.clear();
        self.tracking.known.start(known);
    }

    /// Looks. One look is enough: it is not begun again while it runs, unless a closer one is asked for.
    pub(super) fn sync(&mut self, whole: bool) {
        let track = &mut self.shared.track;
        if track.sync.is_loading() && (self.tracking.whole || !whole) {
            return;
        }
        self.tracking.whole = whole;
        let scope = track.follows;
        let look = self.work.reads().sync(SyncOrder { scope, whole });
        track.sync.start(look);
    }

    /// Others are followed from now on.
    pub(super) fn follow_scope(&mut self, scope: SyncScope) {
        let whose = match scope.company {
            company if company == self.shared.company => Whose::Bench,
            Some(company) => Whose::Company(company),
            None => Whose::Token,
        };
        let follows = Follows {
            whose,
            children: scope.children,
            carrier: scope.carrier,
        };
        let at = self.follows_at();
        self.setup.settings.follow.at.insert(at, follows);
        self.setup.write();
        self.follow(scope);
        self.sync(true);
    }

    pub(super) fn poll_sync(&mut self) {
        if self.tracking.known.poll()
            && self.shared.track.mark.is_none()
            && let Some(Some(mark)) = self.tracking.known.value()
        {
            self.shared.track.mark = Some(*mark);
            self.followed_changed();
        }
        let track = &mut self.shared.track;
        if !track.sync.poll() || track.sync.is_loading() {
            return;
        }
        self.tracking.ended = true;
        if track.sync.problem().is_some() {
            return;
        }
        if let Some(synced) = track.sync.value() {
            let is_first = track.mark.replace(synced.mark).is_none();
            // What was missed once is not known later either.
            track.gap |= synced.gap;
            if is_first {
                // Only now is it known what of all that came is news.
                self.followed_changed();
            }
        }
    }

    pub(super) fn watch_sync(&mut self, at: Duration) {
        let wanted = self.wanted_scope();
        if self.shared.track.follows != wanted {
            self.follow(wanted);
        }
        let loading = self.shared.track.sync.is_loading();
        self.shared.track.progress = loading.then(|| self.work.reads().sync_progress()).flatten();
        if std::mem::take(&mut self.tracking.ended) {
            self.look_ended(at);
        }
        let look_due = self.look_again_due(at);
        if look_due.is_some_and(|due| due <= at) {
            self.sync(self.tracking.caught_up && self.is_whole_due());
        }
        let recount_due = self.recount_due(at);
        if recount_due.is_some_and(|due| due <= at) {
            self.recount(at);
        }
        let due = [look_due, recount_due].into_iter().flatten();
        self.tracking.due = due.filter(|due| *due > at).min();
    }

    /// What is new is quickly there: where the bench knew something before this start, the first look is at what differs, and
    /// the one at everything follows it.
    fn look_ended(&mut self, at: Duration) {
        self.tracking.looked = Some(at);
        if self.shared.track.sync.problem().is_none() {
            let first = !std::mem::replace(&mut self.tracking.caught_up, true);
            if first && self.is_whole_due() && self.setup.settings.follow.by_itself {
                self.sync(true);
            }
        }
        // The last rows of it are not waited for.
        self.tracking.recounted = None;
    }

    fn is_whole_due(&self) -> bool {
        let mark = self.shared.track.mark;
        mark.is_none_or(|mark| {
            let since = self.shared.now.duration_since(mark.whole_at);
            since >= WHOLE_EVERY || since.is_negative()
        })
    }

    fn look_again_due(&mut self, at: Duration) -> Option<Duration> {
        let shared = &self.shared;
        let rests = !self.setup.settings.follow.by_itself
            || shared.health.away_since.is_some()
            || self.is_hidden()
            || shared.track.sync.is_loading()
            // The list of what waits comes first.
            || (shared.unmanifested.is_loading() && self.tracking.looked.is_none());
        if rests {
            return None;
        }
        if std::mem::replace(&mut self.tracking.returns, self.returns) != self.returns {
            return Some(at);
        }
        let every = if shared.screen == Screen::Track {
            EVERY
        } else {
            EVERY_UNSEEN
        };
        Some(self.tracking.looked.map_or(at, |looked| looked + every))
    }

    fn recount_due(&self, at: Duration) -> Option<Duration> {
        let version = self.work.reads().followed_version();
        let recounted = self.tracking.recounted;
        (version != self.tracking.version)
            .then(|| recounted.map_or(at, |recounted| recounted + RECOUNT_EVERY))
    }

    fn recount(&mut self, at: Duration) {
        self.tracking.version = self.work.reads().followed_version();
        self.tracking.recounted = Some(at);
        self.followed_changed();
    }
}
