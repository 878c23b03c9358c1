//! The board: counted anew when what is followed or what is looked at has changed, and each minute, since lateness comes by
//! time alone.
//!
//! What always holds: what is looked at is so after the next start, too, less what was chosen for now only.

use std::sync::Arc;

use crate::app::core::Core;
use crate::config::TrackSettings;
use crate::shipping::{Company, CompanyId};
use crate::state::{Companies, Thresholds, TrackScope};

/// How counting goes.
#[derive(Default)]
pub(in crate::app) struct Counting {
    /// The minute that was counted last.
    minute: i64,
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
        let count = self
            .work
            .reads()
            .board(track.scope.clone(), track.thresholds);
        track.board.start(count);
        self.tracking.counting.minute = minute(self.shared.now);
    }

    pub(super) fn watch_board(&mut self) {
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

    pub(super) fn look_at(&mut self, change: impl FnOnce(&mut TrackScope)) {
        change(&mut self.shared.track.scope);
        self.looked_at();
    }

    pub(super) fn look_at_companies(&mut self, companies: Companies) {
        self.shared.track.companies = companies;
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
            children: match track.companies {
                Companies::All => true,
                Companies::Own => false,
                // For now only.
                Companies::One(_) => self.setup.settings.track.children,
            },
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

    pub(super) fn choose_companies(&mut self) {
        let known = (self.shared.company, self.companies().len());
        self.tracking.counting.companies_for = Some(known);
        self.shared.track.scope.companies = self.ids_of(self.shared.track.companies);
    }

    /// Which companies these are; nothing where they are all that the token knows: those whose company no answer names belong
    /// to them, too.
    pub(super) fn ids_of(&self, companies: Companies) -> Option<Arc<[CompanyId]>> {
        let all = self.companies();
        let own = self.shared.company?;
        let chosen = match companies {
            Companies::One(one) if all.iter().any(|company| company.id == one) => vec![one],
            Companies::Own => vec![own],
            Companies::All | Companies::One(_) => family(all, own),
        };
        (chosen.len() < all.len()).then(|| chosen.into())
    }
}

/// Whose is looked at after a start.
pub(super) const fn kept_companies(kept: TrackSettings) -> Companies {
    if kept.children {
        Companies::All
    } else {
        Companies::Own
    }
}

/// A company and all below it.
fn family(all: &[Company], own: CompanyId) -> Vec<CompanyId> {
    let mut family = vec![own];
    let mut at = 0;
    while let Some(parent) = family.get(at).copied() {
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
