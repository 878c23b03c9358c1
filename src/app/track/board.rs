//! The board: counted anew when what is followed or what is looked at has changed, and each minute, since lateness comes by
//! time alone; and exceptions that are new, looked for on every screen.
//!
//! What always holds: what is new is said once and quietly; it counts as seen a while after a person did something on the board with
//! it in sight, never on a board that nobody stands at.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::app::core::Core;
use crate::config::TrackSettings;
use crate::shipping::{Company, CompanyId, ConsignmentId};
use crate::state::{Remote, Screen, Thresholds, TrackPane, TrackScope};
use crate::work::{News, NewsOrder};

/// How long the board is in sight until what is new on it counts as seen.
const SEEN_AFTER: Duration = Duration::from_secs(10);

/// How counting goes.
#[derive(Default)]
pub(in crate::app) struct Counting {
    /// The minute that was counted last.
    minute: i64,
    /// What is new, on its way.
    news: Remote<News>,
    /// What was seen and is not known to be in the store yet.
    seen: HashSet<ConsignmentId>,
    /// The board is in sight.
    in_sight: bool,
    /// A person has brought the board up, or done something on it, since the newest of what is new came.
    somebody: bool,
    /// When what is new counts as seen.
    seen_due: Option<Duration>,
    /// The bench's company and how many companies were known, when the scope was made.
    companies_for: Option<(Option<CompanyId>, usize)>,
}

impl Core {
    /// What the board looks at is as it was left.
    pub(in crate::app) fn begin_board(&mut self) {
        let kept = self.setup.settings.track.within_limits();
        let track = &mut self.shared.track;
        track.scope.days = kept.days;
        track.scope.zone = Arc::from(self.shared.zone.as_str());
        track.children = kept.children;
        track.thresholds = Thresholds {
            late_hours: kept.late_hours,
            not_collected_hours: kept.not_collected_hours,
            no_scan_hours: kept.no_scan_hours,
        };
    }

    pub(super) fn count_board(&mut self) {
        self.choose_companies();
        let track = &mut self.shared.track;
        let count = self
            .work
            .reads()
            .board(track.scope.clone(), track.thresholds);
        track.board.start(count);
        self.tracking.counting.minute = minute(self.shared.now);
    }

    pub(super) fn poll_board(&mut self) {
        self.shared.track.board.poll();
        let counting = &mut self.tracking.counting;
        if !counting.news.poll() || counting.news.is_loading() {
            return;
        }
        let Some(news) = counting.news.value() else {
            return;
        };
        for seen in &news.seen {
            counting.seen.remove(seen);
        }
        let unseen = news.unseen.iter().copied();
        let unseen: Vec<_> = unseen.filter(|id| !counting.seen.contains(id)).collect();
        let known = &self.shared.track.new_exceptions;
        if unseen.iter().any(|id| !known.contains(id)) {
            counting.somebody = false;
            counting.seen_due = None;
        }
        self.shared.track.new_exceptions = unseen;
    }

    /// Looks for exceptions that are new, among all carriers: a filter on the board hides none.
    pub(super) fn look_for_news(&mut self) {
        let companies = &self.shared.companies;
        let unknown = companies.value().is_none() && companies.problem().is_none();
        if self.shared.track.mark.is_none() || unknown {
            // Before the first look has ended, all of it would be news; before it is known whose it is, nothing.
            return;
        }
        self.choose_companies();
        let track = &self.shared.track;
        let order = NewsOrder {
            follows: track.follows,
            scope: TrackScope {
                carrier: None,
                ..track.scope.clone()
            },
            thresholds: track.thresholds,
            seen: self.tracking.counting.seen.iter().copied().collect(),
        };
        let news = self.work.reads().news(order);
        self.tracking.counting.news.start(news);
    }

    /// What is new was seen.
    pub(super) fn see_exceptions(&mut self) {
        let seen = std::mem::take(&mut self.shared.track.new_exceptions);
        self.tracking.counting.seen_due = None;
        if !seen.is_empty() {
            self.tracking.counting.seen.extend(seen);
            self.look_for_news();
        }
    }

    /// Somebody does something on Track.
    pub(super) const fn somebody_is_there(&mut self) {
        self.tracking.counting.somebody = true;
    }

    fn watch_seen(&mut self, at: Duration) {
        let shared = &self.shared;
        let up = shared.screen == Screen::Track && shared.track.pane == TrackPane::Board;
        let in_sight = up && !self.is_hidden();
        let is_news = !self.shared.track.new_exceptions.is_empty();
        let counting = &mut self.tracking.counting;
        // Nothing but a person brings it up.
        let came_up = in_sight && !counting.in_sight;
        counting.in_sight = in_sight;
        counting.somebody = in_sight && (counting.somebody || came_up);
        if !is_news || !counting.somebody {
            counting.seen_due = None;
        } else if *counting.seen_due.get_or_insert(at + SEEN_AFTER) <= at {
            self.see_exceptions();
        }
    }

    pub(super) fn watch_board(&mut self, at: Duration) {
        self.watch_seen(at);
        let now = (self.shared.company, self.companies().len());
        let moved = self
            .tracking
            .counting
            .companies_for
            .is_some_and(|then| then != now);
        let next_minute = self.tracking.counting.minute != minute(self.shared.now);
        if moved || next_minute {
            self.tracking.counting.minute = minute(self.shared.now);
            self.followed_changed();
        }
    }

    /// When the board is looked at by itself, besides each minute.
    pub(in crate::app) const fn counting_due(&self) -> Option<Duration> {
        self.tracking.counting.seen_due
    }

    pub(super) fn look_at(&mut self, change: impl FnOnce(&mut TrackScope)) {
        change(&mut self.shared.track.scope);
        self.looked_at();
    }

    pub(super) fn with_children(&mut self, children: bool) {
        self.shared.track.children = children;
        self.looked_at();
    }

    pub(super) fn set_thresholds(&mut self, thresholds: Thresholds) {
        self.shared.track.thresholds = thresholds;
        self.looked_at();
    }

    /// Something else is looked at from now on, and after the next start.
    fn looked_at(&mut self) {
        let track = &self.shared.track;
        let kept = TrackSettings {
            days: track.scope.days,
            children: track.children,
            late_hours: track.thresholds.late_hours,
            not_collected_hours: track.thresholds.not_collected_hours,
            no_scan_hours: track.thresholds.no_scan_hours,
        };
        if self.setup.settings.track != kept {
            self.setup.settings.track = kept;
            self.setup.write();
        }
        self.followed_changed();
    }

    fn companies(&self) -> &[Company] {
        self.shared.companies.value().map_or(&[], Vec::as_slice)
    }

    /// Whose consignments are looked at: the bench's company's, and those of the companies below it where these are wanted.
    pub(super) fn choose_companies(&mut self) {
        let own = self.shared.company;
        let all = self.companies();
        self.tracking.counting.companies_for = Some((own, all.len()));
        let all = self.companies();
        let chosen = own.map(|own| family(all, own, self.shared.track.children));
        // Where these are all that the token knows, those whose company no answer names belong to it, too.
        let chosen = chosen.filter(|chosen| chosen.len() < all.len());
        self.shared.track.scope.companies = chosen.map(Arc::from);
    }
}

/// A company and, where they are wanted, all below it.
fn family(all: &[Company], own: CompanyId, children: bool) -> Vec<CompanyId> {
    let mut family = vec![own];
    let mut at = 0;
    while children && let Some(parent) = family.get(at).copied() {
        let below = all
            .iter()
            .filter(|company| company.parent_company_id == Some(parent));
        for company in below {
            if !family.contains(&company.id) {
                family.push(company.id);
            }
        }
        at += 1;
    }
    family
}

fn minute(now: jiff::Timestamp) -> i64 {
    now.as_second().div_euclid(60)
}
