//! What is typed into the groups, and what is known of each: worked out when groups or the list change, not in every frame.
//!
//! What always holds: what is typed goes with its group as [`carry_over`] says; dangerous goods that become known ask for
//! their declaration, also where it was given before they were.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use egui::{Id, Ui};

use crate::draft::{PickupContext, PickupDraft, PickupReview, UsualHours, carry_over};
use crate::shipping::{ConsignmentId, LocalTime, ManifestGroup};
use crate::state::{Shared, Waiting, WaitingList};

/// Groups that are gone and may come back, with what was typed into them.
const MOST_PARTED: usize = 40;

/// What is typed into the groups.
#[derive(Default)]
pub(in crate::ui::dispatch) struct State {
    pub(super) pickups: Vec<Pickup>,
    /// What was typed into groups that are there no longer, the last one last.
    parted: Vec<PickupDraft>,
    /// The groups whose consignments are listed.
    pub(super) open: HashSet<u32>,
    /// The pickup that the clerk was led to last.
    led_to: Option<usize>,
    /// Taken out of their groups in this frame: no longer ticked.
    pub(super) unticked: Vec<ConsignmentId>,
    /// The last group's number.
    last: u32,
    seen: Seen,
}

/// What the pickups were worked out of.
#[derive(Default)]
struct Seen {
    list: Option<WaitingList>,
    /// Where the saved locations are, and how many.
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

/// A group with what is typed into it.
pub(super) struct Pickup {
    pub(super) draft: PickupDraft,
    pub(super) known: Known,
    reviewed: Option<Reviewed>,
}

/// What the list and the saved locations say of a group.
pub(super) struct Known {
    /// What is in it.
    members: HashSet<ConsignmentId>,
    /// The first that is listed.
    pub(super) first: Option<Waiting>,
    /// The pickup place's zone (IANA); empty where nobody knows it.
    pub(super) zone: String,
    usual: UsualHours,
    /// When the first of them leaves.
    pub(super) despatch: Option<LocalTime>,
    /// How many hold dangerous goods.
    dangerous: usize,
    /// How many are not listed.
    unlisted: usize,
    /// Taken out since the service estimated its spaces.
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

    /// The one that an operation holds; of several the first by its number.
    pub(super) fn locked(&self, shared: &Shared) -> Option<ConsignmentId> {
        let held = shared.locked.keys().copied();
        held.filter(|id| self.members.contains(id)).min()
    }
}

/// Those that were taken out of this group, where that is all that it differs in from what the service grouped.
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

/// A review, and what it is of.
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
    /// Everything that is to be said of it as it is typed, this minute.
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

    /// The field of its pickup time.
    pub(super) fn field(&self) -> Id {
        Id::unique(("pickup", self.draft.id))
    }
}

impl State {
    /// The consignments that were taken out of their groups since this was last asked.
    pub(in crate::ui::dispatch) fn take_unticked(&mut self) -> Vec<ConsignmentId> {
        std::mem::take(&mut self.unticked)
    }

    /// What is typed goes with the groups as they are now, and what is known of them with the list.
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
        // Nothing holds an old list where nothing is grouped.
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

    /// Leads to the next pickup that something is wrong with; where nothing is, to the next one.
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

/// What is known of a group goes into its draft. More dangerous goods than when they were declared are declared anew.
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
