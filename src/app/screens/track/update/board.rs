//! The board. It is counted again when the tracked consignments or the board's scope changed, and each
//! minute, because consignments become late with time alone.
//!
//! The scope and the thresholds are saved in the settings, except for a choice of one carrier or one company.

use std::sync::Arc;

use crate::config::BoardSettings;
use crate::core::Core;
use crate::state::{CompanyFilter, Thresholds};
use shipping::{Company, CompanyId};

/// State of counting the board.
#[derive(Default)]
pub(crate) struct BoardCountState {
    /// The minute of the last count.
    minute: i64,
    /// The bench's company, and the number of known companies, when the scope was made.
    companies_for: Option<(Option<CompanyId>, usize)>,
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
        let count = self
            .work
            .reads()
            .board(track.scope.clone(), track.thresholds);
        track.board.start(count);
        self.track.counting.minute = minute(self.shared.now);
    }

    pub(super) fn watch_board(&mut self) {
        let now = (
            self.shared.session.company,
            self.shared.catalogue.known_companies().len(),
        );
        let moved = self
            .track
            .counting
            .companies_for
            .is_some_and(|then| then != now);
        let next_minute = self.track.counting.minute != minute(self.shared.now);
        if moved || next_minute {
            self.track.counting.minute = minute(self.shared.now);
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
        let known = (
            self.shared.session.company,
            self.shared.catalogue.known_companies().len(),
        );
        self.track.counting.companies_for = Some(known);
        self.shared.track.scope.companies = self.company_ids(self.shared.track.companies);
    }

    /// Returns the ids of the chosen companies. Returns `None` if the token knows no others: then
    /// consignments whose company no answer names are included, too.
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
}

/// Returns the companies that the board shows after a start.
pub(super) const fn kept_companies(kept: BoardSettings) -> CompanyFilter {
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
