//! New exceptions, looked for on every screen.
//!
//! A new exception is announced once, and quietly. It counts as seen a while after a person did something on
//! the visible board, and never on a board that nobody is using.

use std::collections::HashSet;
use std::time::Duration;

use super::board::kept_companies;
use crate::core::Core;
use crate::state::{Remote, Screen, TrackPane, TrackScope};
use engine::{NewExceptions, NewExceptionsRequest};
use shipping::ConsignmentId;

/// How long the board must be visible before its new exceptions count as seen.
const SEEN_AFTER: Duration = Duration::from_secs(10);

/// New exceptions, and whether somebody has seen them.
#[derive(Default)]
pub(crate) struct ExceptionWatch {
    pub(crate) asked: Remote<NewExceptions>,
    /// Seen exceptions that may not be recorded in the store yet.
    seen: HashSet<ConsignmentId>,
    in_sight: bool,
    /// True if a person opened the board or did something on it after the newest exception arrived.
    pub(super) is_person_active: bool,
    /// When the new exceptions count as seen.
    pub(super) seen_due: Option<Duration>,
}

impl Core {
    pub(crate) fn news_came(&mut self) {
        let watch = &mut self.track.news;
        if watch.asked.is_loading() {
            return;
        }
        let Some(news) = watch.asked.value() else {
            return;
        };
        for seen in &news.seen {
            watch.seen.remove(seen);
        }
        let unseen = news.unseen.iter().copied();
        let unseen: Vec<_> = unseen.filter(|id| !watch.seen.contains(id)).collect();
        let known = &self.shared.track.new_exceptions;
        if unseen.iter().any(|id| !known.contains(id)) {
            watch.is_person_active = false;
            watch.seen_due = None;
        }
        self.shared.track.new_exceptions = unseen;
    }

    /// Looks for new exceptions. The board's filters by carrier and by one company are ignored, so that they
    /// hide no exception.
    pub(super) fn look_for_news(&mut self) {
        let companies = &self.shared.catalogue.companies;
        let unknown = companies.value().is_none() && companies.problem().is_none();
        if self.shared.track.mark.is_none() || unknown {
            // Before the first sync has ended, every exception would look new. Before the companies are
            // known, the scope is not known either.
            return;
        }
        let companies = kept_companies(self.setup.settings.track);
        let track = &self.shared.track;
        let order = NewExceptionsRequest {
            tracking_scope: track.sync_scope,
            scope: TrackScope {
                carrier: None,
                companies: self.company_ids(companies),
                ..track.scope.clone()
            },
            thresholds: track.thresholds,
            seen: self.track.news.seen.iter().copied().collect(),
        };
        let news = self.work.reads().new_exceptions(order);
        self.track.news.asked.start(news);
    }

    /// Marks the new exceptions as seen.
    pub(super) fn see_exceptions(&mut self) {
        let seen = std::mem::take(&mut self.shared.track.new_exceptions);
        self.track.news.seen_due = None;
        if !seen.is_empty() {
            self.track.news.seen.extend(seen);
            self.look_for_news();
        }
    }

    pub(super) fn watch_seen(&mut self, at: Duration) {
        let shared = &self.shared;
        let up = shared.screen == Screen::Track && shared.track.pane == TrackPane::Board;
        let in_sight = up && !self.is_hidden();
        let is_news = !self.shared.track.new_exceptions.is_empty();
        let news = &mut self.track.news;
        // Only a person brings the board up.
        let came_up = in_sight && !news.in_sight;
        news.in_sight = in_sight;
        news.is_person_active = in_sight && (news.is_person_active || came_up);
        if !is_news || !news.is_person_active {
            news.seen_due = None;
        } else if *news.seen_due.get_or_insert(at + SEEN_AFTER) <= at {
            self.see_exceptions();
        }
    }
}
