//! The board. It is counted again when the tracked consignments or the board's scope change, and every minute,
//! because consignments also become late without any change.
//!
//! The scope and the thresholds are saved in the settings, except for a choice of one carrier or one company.
//!
//! The search for new exceptions runs on every screen; a badge shows them, without sound. They count as seen a few
//! seconds after a person used the visible board, and never while nobody uses the board.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::config::BoardSettings;
use crate::core::Core;
use crate::state::{CompanyFilter, Remote, Screen, Shared, Thresholds, TrackPane, TrackScope};
use engine::{NewExceptions, NewExceptionsRequest};
use shipping::{Company, CompanyId, ConsignmentId};

#[derive(Default)]
pub(crate) struct BoardCountState {
    /// The minute of the last count.
    minute: i64,
    /// The result of [`companies_version`] when the scope was computed.
    companies_for: Option<(Option<CompanyId>, usize)>,
}

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
    pub(in crate::screens::track) seen_due: Option<Duration>,
}

impl Core {
    /// Restores the board's scope and thresholds from the settings.
    pub(crate) fn begin_board(&mut self) {
        let kept = self.setup.settings.track.within_limits();
        let track = &mut self.shared.track;
        track.scope.days = kept.days;
        track.scope.zone = Arc::from(self.shared.session.zone.as_str());
        track.companies = kept_companies(kept);
        track.thresholds = Thresholds {
            late_hours: kept.late_hours,
            not_collected_hours: kept.not_collected_hours,
            no_scan_hours: kept.no_scan_hours,
        };
    }

    pub(super) fn count_board(&mut self) {
        self.choose_companies();
        let track = &mut self.shared.track;
        let reads = self.work.reads();
        let count = reads.board(track.scope.clone(), track.thresholds);
        track.board.start(count);
        self.track.counting.minute = minute(self.shared.now);
    }

    pub(super) fn watch_board(&mut self) {
        let counted = &mut self.track.counting;
        let minute = minute(self.shared.now);
        let now = companies_version(&self.shared);
        let moved = counted.companies_for.is_some_and(|then| then != now);
        if std::mem::replace(&mut counted.minute, minute) != minute || moved {
            self.tracked_changed();
        }
    }

    /// Saves the changed scope and thresholds, and refreshes Track.
    pub(super) fn board_scope_changed(&mut self) {
        let track = &self.shared.track;
        let kept = BoardSettings {
            days: track.scope.days,
            children: match track.companies {
                CompanyFilter::All => true,
                CompanyFilter::Own => false,
                // A choice of one company is not saved.
                CompanyFilter::One(_) => self.setup.settings.track.children,
            },
            late_hours: track.thresholds.late_hours,
            not_collected_hours: track.thresholds.not_collected_hours,
            no_scan_hours: track.thresholds.no_scan_hours,
        };
        if self.setup.settings.track != kept {
            self.setup.settings.track = kept;
            self.setup.write();
        }
        self.tracked_changed();
    }

    pub(super) fn choose_companies(&mut self) {
        self.track.counting.companies_for = Some(companies_version(&self.shared));
        self.shared.track.scope.companies = self.company_ids(self.shared.track.companies);
    }

    /// Returns the ids of the chosen companies. Returns `None` if these are all known companies. `None` also includes
    /// consignments whose company is unknown.
    pub(super) fn company_ids(&self, companies: CompanyFilter) -> Option<Arc<[CompanyId]>> {
        let all = self.shared.catalogue.known_companies();
        let own = self.shared.session.company?;
        let chosen = match companies {
            CompanyFilter::One(one) if all.iter().any(|company| company.id == one) => vec![one],
            CompanyFilter::Own => vec![own],
            CompanyFilter::All | CompanyFilter::One(_) => family(all, own),
        };
        (chosen.len() < all.len()).then(|| chosen.into())
    }

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

    /// Searches the tracked consignments for new exceptions. The board's filters by carrier and by one company are
    /// ignored, so that they hide no exception.
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
        // The board can only come into view because a person opened it.
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

/// Returns the companies that the board shows after a start.
const fn kept_companies(kept: BoardSettings) -> CompanyFilter {
    if kept.children {
        CompanyFilter::All
    } else {
        CompanyFilter::Own
    }
}

/// Returns a company and all companies below it.
fn family(all: &[Company], own: CompanyId) -> Vec<CompanyId> {
    let mut family = vec![own];
    let mut at = 0;
    while let Some(parent) = family.get(at).copied() {
        let is_below = |one: &&Company| one.parent_company_id == Some(parent);
        for company in all.iter().filter(is_below) {
            if !family.contains(&company.id) {
                family.push(company.id);
            }
        }
        at += 1;
    }
    family
}

/// Returns the bench's company and the number of known companies, on which the scope depends.
fn companies_version(shared: &Shared) -> (Option<CompanyId>, usize) {
    let known = shared.catalogue.known_companies();
    (shared.session.company, known.len())
}

fn minute(now: jiff::Timestamp) -> i64 {
    now.as_second().div_euclid(60)
}
