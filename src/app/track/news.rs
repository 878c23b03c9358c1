//! Exceptions that are new, looked for on every screen.
//!
//! What always holds: what is new is said once and quietly; it counts as seen a while after a person did something on the board
//! with it in sight, never on a board that nobody stands at.

use std::collections::HashSet;
use std::time::Duration;

use super::board::kept_companies;
use crate::app::core::Core;
use crate::shipping::ConsignmentId;
use crate::state::{Remote, Screen, TrackPane, TrackScope};
use crate::work::{News, NewsOrder};

/// How long the board is in sight until what is new on it counts as seen.
const SEEN_AFTER: Duration = Duration::from_secs(10);

/// What is new, and who has seen it.
#[derive(Default)]
pub(in crate::app) struct Watch {
    /// On its way.
    asked: Remote<News>,
    /// What was seen and is not known to be in the store yet.
    seen: HashSet<ConsignmentId>,
    /// The board is in sight.
    in_sight: bool,
    /// A person has brought the board up, or done something on it, since the newest of what is new came.
    somebody: bool,
    /// When what is new counts as seen.
    seen_due: Option<Duration>,
}

impl Core {
    pub(super) fn poll_news(&mut self) {
        let watch = &mut self.tracking.news;
        if !watch.asked.poll() || watch.asked.is_loading() {
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
            watch.somebody = false;
            watch.seen_due = None;
        }
        self.shared.track.new_exceptions = unseen;
    }

    /// Looks for exceptions that are new: a filter on the board, by carrier or by one company, hides none.
    pub(super) fn look_for_news(&mut self) {
        let companies = &self.shared.companies;
        let unknown = companies.value().is_none() && companies.problem().is_none();
        if self.shared.track.mark.is_none() || unknown {
            // Before the first look has ended, all of it would be news; before it is known whose it is, nothing.
            return;
        }
        let companies = kept_companies(self.setup.settings.track);
        let track = &self.shared.track;
        let order = NewsOrder {
            follows: track.follows,
            scope: TrackScope {
                carrier: None,
                companies: self.ids_of(companies),
                ..track.scope.clone()
            },
            thresholds: track.thresholds,
            seen: self.tracking.news.seen.iter().copied().collect(),
        };
        let news = self.work.reads().news(order);
        self.tracking.news.asked.start(news);
    }

    /// What is new was seen.
    pub(super) fn see_exceptions(&mut self) {
        let seen = std::mem::take(&mut self.shared.track.new_exceptions);
        self.tracking.news.seen_due = None;
        if !seen.is_empty() {
            self.tracking.news.seen.extend(seen);
            self.look_for_news();
        }
    }

    /// Somebody does something on Track.
    pub(super) const fn somebody_is_there(&mut self) {
        self.tracking.news.somebody = true;
    }

    pub(super) fn watch_seen(&mut self, at: Duration) {
        let shared = &self.shared;
        let up = shared.screen == Screen::Track && shared.track.pane == TrackPane::Board;
        let in_sight = up && !self.is_hidden();
        let is_news = !self.shared.track.new_exceptions.is_empty();
        let news = &mut self.tracking.news;
        // Nothing but a person brings it up.
        let came_up = in_sight && !news.in_sight;
        news.in_sight = in_sight;
        news.somebody = in_sight && (news.somebody || came_up);
        if !is_news || !news.somebody {
            news.seen_due = None;
        } else if *news.seen_due.get_or_insert(at + SEEN_AFTER) <= at {
            self.see_exceptions();
        }
    }

    /// When the board is looked at by itself, besides each minute.
    pub(in crate::app) const fn news_due(&self) -> Option<Duration> {
        self.tracking.news.seen_due
    }
}
