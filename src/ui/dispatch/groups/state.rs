//! The groups with the clerk's edits and with details from the list, recomputed when groups or the list
//! change, not in every frame.
//!
//! Invariants: edits stay with their group by the rules of [`carry_over`]. When more dangerous goods become
//! known, the clerk must declare them again.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use egui::{Id, Ui};

use crate::draft::{PickupContext, PickupDraft, PickupReview, UsualHours, carry_over};
use crate::shipping::{ConsignmentId, LocalTime, ManifestGroup};
use crate::state::{Shared, Waiting, WaitingList};

/// Maximum number of groups that are gone and whose edits are remembered.
const MOST_PARTED: usize = 40;

/// The groups with the clerk's edits.
#[derive(Default)]
pub(in crate::ui::dispatch) struct State {
    pub(super) pickups: Vec<Pickup>,
    /// Edits of groups that are gone and may come back, newest first.
    parted: Vec<PickupDraft>,
    /// Ids of the groups whose consignments are listed.
    pub(super) open: HashSet<u32>,
    /// Index of the pickup that [`State::lead`] focused last.
    led_to: Option<usize>,
    /// Consignments taken out of their groups in this frame, which are unticked in the list.
    pub(super) unticked: Vec<ConsignmentId>,
    /// The group id that was assigned last.
    last: u32,
    seen: Seen,
}

/// The inputs that the pickups were last computed from.
#[derive(Default)]
struct Seen {
    list: Option<WaitingList>,
    /// Address and number of the saved locations, to notice when they are replaced.
    places: (usize, usize),
    moved_out: usize,
}

impl Seen {
    fn of(shared: &Shared) -> Self {
        Self {
            list: shared.unmanifested.value().cloned(),
            places: places(shared),
            moved_out: shared.pickups.moved_out.len(),
        }
    }

    fn is_of(&self, shared: &Shared) -> bool {
        let same_list = match (&self.list, shared.unmanifested.value()) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_list
            && self.places == places(shared)
            && self.moved_out == shared.pickups.moved_out.len()
    }
}

fn places(shared: &Shared) -> (usize, usize) {
    let all = shared.locations.value();
    all.map_or((0, 0), |all| (all.as_ptr().addr(), all.len()))
}

/// A group with the clerk's edits.
pub(super) struct Pickup {
    pub(super) draft: PickupDraft,
    pub(super) known: Known,
    reviewed: Option<Reviewed>,
}

/// Details of a group from the list and the saved locations.
pub(super) struct Known {
    members: HashSet<ConsignmentId>,
    /// The group's first consignment that is in the list.
    pub(super) first: Option<Waiting>,
    /// Time zone of the pickup place (IANA name); empty if unknown.
    pub(super) zone: String,
    usual: UsualHours,
    /// The earliest despatch of the group's consignments.
    pub(super) despatch: Option<LocalTime>,
    /// Number of consignments with dangerous goods.
    dangerous: usize,
    /// Number of consignments that are not in the list.
    unlisted: usize,
    /// Number of consignments taken out since the service estimated the pallet spaces.
    pub(super) fewer: usize,
}

impl Known {
    fn of(shared: &Shared, group: &ManifestGroup) -> Self {
        let list = shared.unmanifested.value();
        let (mut first, mut despatch) = (None, None);
        let (mut dangerous, mut unlisted) = (0, 0);
        for id in &group.consignment_ids {
            let Some(one) = list.and_then(|list| list.get(*id)) else {
                unlisted += 1;
                continue;
            };
            first = first.or(Some(one));
            despatch = [despatch, one.despatch].into_iter().flatten().min();
            dangerous += usize::from(one.dangerous);
        }
        let members: HashSet<_> = group.consignment_ids.iter().copied().collect();
        let place = first.and_then(|one| shared.saved_place(one));
        Self {
            zone: shared.pickup_zone(group).to_owned(),
            usual: place.map_or_else(UsualHours::default, |place| UsualHours {
                pickup: place.default_pickup_time,
                closing: place.default_closing_time,
            }),
            fewer: taken_out(shared, group, &members),
            first: first.cloned(),
            despatch,
            dangerous,
            unlisted,
            members,
        }
    }

    /// Returns a consignment of the group that an operation locks; of several, the one with the lowest id.
    pub(super) fn locked(&self, shared: &Shared) -> Option<ConsignmentId> {
        let held = shared.locked.keys().copied();
        held.filter(|id| self.members.contains(id)).min()
    }
}

/// Counts the consignments that were taken out of this group. Counts none if the group holds consignments
/// that the service's original group did not.
fn taken_out(shared: &Shared, group: &ManifestGroup, members: &HashSet<ConsignmentId>) -> usize {
    let mut last: Option<(&Arc<ManifestGroup>, bool)> = None;
    let of_this = shared.pickups.moved_out.iter().filter(|moved| {
        let was = &moved.group;
        let known = last.filter(|(other, _)| Arc::ptr_eq(other, was));
        let holds_all = known.map_or_else(
            || {
                let shared = was.consignment_ids.iter();
                was.carrier_name == group.carrier_name
                    && shared.filter(|id| members.contains(id)).count() == members.len()
            },
            |(_, holds_all)| holds_all,
        );
        last = Some((was, holds_all));
        holds_all && !members.contains(&moved.id)
    });
    of_this.count()
}

/// A cached review with the inputs it was made from.
struct Reviewed {
    minute: i64,
    pickup: String,
    closing: String,
    spaces: String,
    instructions: String,
    ticks: [bool; 2],
    review: Rc<PickupReview>,
}

const fn ticks(draft: &PickupDraft) -> [bool; 2] {
    [draft.already_booked, draft.dangerous_goods_declared]
}

impl Reviewed {
    fn is_of(&self, draft: &PickupDraft, minute: i64) -> bool {
        self.minute == minute
            && self.ticks == ticks(draft)
            && self.pickup == draft.pickup
            && self.closing == draft.closing
            && self.spaces == draft.spaces
            && self.instructions == draft.instructions
    }
}

impl Pickup {
    /// Returns the review of the pickup as edited. It is made again when an input changes or a minute has
    /// passed, because it depends on the time.
    pub(super) fn review(&mut self, shared: &Shared) -> Rc<PickupReview> {
        let minute = shared.now.as_second().div_euclid(60);
        let (draft, known) = (&self.draft, &self.known);
        let kept = self.reviewed.as_ref();
        if let Some(kept) = kept.filter(|kept| kept.is_of(draft, minute)) {
            return Rc::clone(&kept.review);
        }
        let review = Rc::new(draft.review(&PickupContext {
            now: shared.now,
            zone: &known.zone,
            bench: &shared.zone,
            usual: known.usual,
            despatch: known.despatch.map(|at| at.0.date()),
        }));
        self.reviewed = Some(Reviewed {
            minute,
            pickup: draft.pickup.clone(),
            closing: draft.closing.clone(),
            spaces: draft.spaces.clone(),
            instructions: draft.instructions.clone(),
            ticks: ticks(draft),
            review: Rc::clone(&review),
        });
        review
    }

    /// Returns the widget id of the field for the pickup time.
    pub(super) fn field(&self) -> Id {
        Id::unique(("pickup", self.draft.id))
    }
}

impl State {
    /// Returns the consignments that were taken out of their groups since the last call.
    pub(in crate::ui::dispatch) fn take_unticked(&mut self) -> Vec<ConsignmentId> {
        std::mem::take(&mut self.unticked)
    }

    /// Carries the edits over to the present groups, and updates the groups' details from the list.
    pub(super) fn follow(&mut self, shared: &Shared) {
        let groups = shared.groups.value().map_or(&[][..], Vec::as_slice);
        let same = |(pickup, group): (&Pickup, &ManifestGroup)| pickup.draft.group == *group;
        let are_same =
            self.pickups.len() == groups.len() && self.pickups.iter().zip(groups).all(same);
        if are_same && (groups.is_empty() || self.seen.is_of(shared)) {
            return;
        }
        let before = self.pickups.iter();
        let before: HashMap<_, _> = before
            .map(|pickup| (pickup.draft.id, pickup.known.dangerous))
            .collect();
        let pickups = std::mem::take(&mut self.pickups).into_iter();
        let mut drafts: Vec<_> = pickups.map(|pickup| pickup.draft).collect();
        if !are_same {
            drafts.append(&mut self.parted);
            (drafts, self.parted) = carry_over(drafts, groups);
            self.parted.retain(PickupDraft::is_adjusted);
            self.parted.truncate(MOST_PARTED);
        }
        // Without groups no reference to the list is kept, so that an old list can be freed.
        self.seen = if groups.is_empty() {
            Seen::default()
        } else {
            Seen::of(shared)
        };
        for mut draft in drafts {
            if draft.id == 0 {
                self.last += 1;
                draft.id = self.last;
            }
            let known = Known::of(shared, &draft.group);
            let dangerous_before = before.get(&draft.id).copied();
            learn(&mut draft, &known, dangerous_before);
            self.pickups.push(Pickup {
                draft,
                known,
                reviewed: None,
            });
        }
    }

    /// Focuses the next pickup that has a problem, or the next pickup of all if none has.
    pub(super) fn lead(&mut self, ui: &Ui, shared: &Shared) {
        let count = self.pickups.len();
        let from = self.led_to.map_or(0, |at| at + 1);
        let mut next = (0..count).map(|step| (from + step) % count);
        let wrong = next
            .clone()
            .find(|at| self.pickups[*at].review(shared).group.is_err());
        if let Some(at) = wrong.or_else(|| next.next()) {
            self.led_to = Some(at);
            let id = self.pickups[at].field();
            ui.memory_mut(|memory| memory.request_focus(id));
        }
    }
}

/// Copies the details of a group into its draft. If there are more dangerous goods than before, clears the
/// declaration, so that the clerk must give it again.
fn learn(draft: &mut PickupDraft, known: &Known, before: Option<usize>) {
    let carried = if draft.known_dangerous {
        known.dangerous
    } else {
        0
    };
    if known.dangerous > before.unwrap_or(carried) {
        draft.dangerous_goods_declared = false;
    }
    draft.known_dangerous = known.dangerous > 0;
    draft.unlisted = known.unlisted;
}
