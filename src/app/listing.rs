//! The list of what waits for a manifest as the screens see it: when it is looked at again, and what was done meanwhile.
//!
//! What always holds: nothing that became known while a look was on its way is lost or taken back by that look; the service is
//! looked at by itself only while somebody sees the list. No long list is made or dropped here.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::core::Core;
use crate::shipping::{CompanyId, Consignment, ConsignmentId};
use crate::state::{Screen, Waiting, WaitingList};
use crate::work::{Look, WaitingRows};

/// Between two looks by themselves, while the list is seen.
const EVERY: Duration = Duration::from_mins(1);

/// Between two looks at everything: what others changed without a change of status is found by these alone.
const WHOLE_EVERY: Duration = Duration::from_mins(30);

/// So few are taken out of a long list one by one.
const FEW: usize = 16;

/// How the list stands.
#[derive(Default)]
pub(super) struct Listing {
    /// Whose list it is; nothing before the first look.
    #[expect(
        clippy::option_option,
        reason = "a company's, the token's own, or none yet"
    )]
    company: Option<Option<CompanyId>>,
    /// What is being looked for.
    looking: Option<Look>,
    /// A look has ended in this turn: this one.
    ended: Option<Look>,
    /// When the last one ended, and the last whole one.
    looked: Option<Duration>,
    looked_whole: Option<Duration>,
    /// When it is looked at by itself.
    pub(super) due: Option<Duration>,
    /// Nobody sees the window.
    hidden: bool,
    /// What became known of consignments since the look that is on its way began.
    newer: Vec<Newer>,
}

impl Core {
    /// Reads the whole list again.
    pub(super) fn refresh_unmanifested(&mut self) {
        self.look(Look::Whole);
    }

    /// Looks at the list. One look is enough: it is not begun again while it runs, unless a closer one is asked for, or
    /// another company's list.
    pub(super) fn look(&mut self, look: Look) {
        let company = self.shared.company;
        if self.listing.company != Some(company) {
            self.put_list_away();
            self.listing.company = Some(company);
        } else if self.shared.unmanifested.is_loading()
            && (self.listing.looking == Some(Look::Whole) || look == Look::Difference)
        {
            return;
        }
        self.listing.looking = Some(look);
        let shown = self.shared.unmanifested.value().cloned();
        let fetch = self.work.reads().unmanifested(company, look, shown);
        self.shared.unmanifested.start(fetch);
        self.ask_for_conversions();
    }

    /// Another company's list is shown from now on.
    fn put_list_away(&mut self) {
        self.listing.newer.clear();
        let shown = self.shared.unmanifested.value().cloned();
        self.shared.unmanifested.clear();
        self.shared.unmanifested_at = None;
        if let Some(list) = shown {
            self.work.reads().put_away(list);
            self.list_changed();
        }
    }

    /// A list came that was kept: shown until the service has answered.
    pub(super) fn kept_list_came(
        &mut self,
        company: Option<CompanyId>,
        mut list: WaitingList,
        as_of: jiff::Timestamp,
    ) {
        if company != self.shared.company {
            return;
        }
        for newer in self.listing.newer.clone() {
            newer.put_into(&mut list);
        }
        if self.shared.unmanifested.remember(list) {
            self.shared.unmanifested_at = Some(as_of);
            self.list_changed();
        }
    }

    /// Takes the list over that has come, if one has.
    pub(super) fn poll_list(&mut self) {
        let before = self.shared.unmanifested.value().cloned();
        if !self.shared.unmanifested.poll() || self.shared.unmanifested.is_loading() {
            return;
        }
        self.listing.ended = self.listing.looking.take();
        let newer = std::mem::take(&mut self.listing.newer);
        if self.shared.unmanifested.problem().is_some() {
            return;
        }
        self.shared.unmanifested_at = Some(self.shared.now);
        let Some(list) = self.shared.unmanifested.value_mut() else {
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
            self.work.reads().put_away(before);
        }
        if !is_same {
            self.list_changed();
        }
    }

    /// What was held back, grouped or to be deleted, and is gone, is so no more.
    fn tell_gone(&mut self, before: &WaitingList) {
        let Some(list) = self.shared.unmanifested.value() else {
            return;
        };
        let deleting = self.shared.deleting.iter().flat_map(|one| &one.ids);
        let marked = self.shared.held_back.iter().chain(deleting);
        let moved = self.shared.pickups.moved_out.iter().map(|moved| moved.id);
        let grouped = self.standing().into_iter().chain(moved);
        let went = |id: &ConsignmentId| before.get(*id).is_some() && list.get(*id).is_none();
        let gone: Vec<_> = marked.copied().chain(grouped).filter(went).collect();
        self.these_went(&gone);
    }

    /// What was meant to be done with these is not.
    fn these_went(&mut self, gone: &[ConsignmentId]) {
        if !gone.is_empty() {
            self.not_to_delete(gone);
            self.let_go(gone);
            self.gone_from_groups(&gone.iter().copied().collect());
        }
    }

    /// Looks by itself, now and then, while somebody sees the list and the service is there.
    pub(super) fn watch_list(&mut self, at: Duration) {
        if let Some(ended) = self.listing.ended.take() {
            self.listing.looked = Some(at);
            if ended == Look::Whole && self.shared.unmanifested.problem().is_none() {
                self.listing.looked_whole = Some(at);
            }
        }
        let loading = self.shared.unmanifested.is_loading();
        let reads = self.work.reads();
        self.shared.list_progress = loading.then(|| reads.list_progress()).flatten();
        let seen = matches!(self.shared.screen, Screen::Dispatch | Screen::Labels);
        let away = self.shared.health.away_since.is_some();
        if !seen || self.listing.hidden || away || loading {
            self.listing.due = None;
            return;
        }
        let due = self.listing.looked.map_or(at, |looked| looked + EVERY);
        self.listing.due = Some(due);
        if due <= at {
            self.listing.due = None;
            let whole = self
                .listing
                .looked_whole
                .map_or(at, |then| then + WHOLE_EVERY);
            self.look(if whole <= at {
                Look::Whole
            } else {
                Look::Difference
            });
        }
    }

    /// Says whether nobody sees the window.
    pub fn hide(&mut self, hidden: bool) {
        self.listing.hidden = hidden;
    }

    /// Whether nobody sees the window.
    pub(super) const fn is_hidden(&self) -> bool {
        self.listing.hidden
    }

    /// The list is another one.
    pub(super) fn list_changed(&mut self) {
        self.rebuild_labels();
    }

    /// Consignments were read back or made: the list shows them as they are now.
    pub(super) fn seen(&mut self, consignments: Vec<Consignment>) {
        let mut rows = WaitingRows::default();
        let (waiting, others): (Vec<_>, Vec<_>) = consignments
            .into_iter()
            .partition(Consignment::is_unmanifested);
        for one in &waiting {
            let list = self.shared.unmanifested.value();
            let known = list.and_then(|list| list.get(one.id));
            let row = rows.row_after(one, known);
            self.correct_list(Newer::Seen(Box::new(row)));
        }
        if !others.is_empty() {
            let gone: Vec<_> = others.iter().map(|one| one.id).collect();
            self.these_went(&gone);
            self.correct_list(Newer::Gone(Arc::new(gone.into_iter().collect())));
        }
        if self.shared.unmanifested.value().is_none() {
            self.refresh_unmanifested();
        }
        self.list_changed();
    }

    /// These wait no longer.
    pub(super) fn forget(&mut self, ids: &[ConsignmentId]) {
        let gone: HashSet<_> = ids.iter().copied().collect();
        self.correct_list(Newer::Gone(Arc::new(gone)));
        self.these_went(ids);
        self.list_changed();
    }

    /// What an operation brought is newer than the list, and than a look that is on its way: the service may have been asked
    /// for that before.
    fn correct_list(&mut self, newer: Newer) {
        let list = &mut self.shared.unmanifested;
        if list.is_loading() {
            self.listing.newer.push(newer.clone());
        }
        if let Some(list) = list.value_mut() {
            newer.put_into(list);
        }
    }
}

/// What became known while a look was on its way.
#[derive(Clone)]
enum Newer {
    /// One, as it was read back or made.
    Seen(Box<Waiting>),
    /// These wait no longer.
    Gone(Arc<HashSet<ConsignmentId>>),
}

impl Newer {
    fn put_into(self, list: &mut WaitingList) {
        match self {
            Self::Seen(row) => list.put(*row),
            Self::Gone(gone) if gone.len() <= FEW => gone.iter().for_each(|id| list.remove(*id)),
            // To take one out moves all rows behind it.
            Self::Gone(gone) => list.retain(|one| !gone.contains(&one.id)),
        }
    }
}
