//! The groups with the clerk's edits and with details from their rows, recomputed when groups or rows
//! change, not in every frame.
//!
//! Invariants: edits stay with their group by the rules of [`carry_over`]. When more dangerous goods become
//! known, the clerk must declare them again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use egui::{Id, Ui};

use crate::state::{ConsignmentRow, RemovedMember, Shared};
use draft::{PickupContext, PickupDraft, PickupReview, UsualHours, carry_over};
use shipping::{ConsignmentId, LocalTime, ManifestGroup};

/// Maximum number of removed groups whose edits are kept, in case the groups come back.
const MAX_REMOVED_DRAFTS: usize = 40;

/// The groups with the clerk's edits.
#[derive(Default)]
pub(in crate::screens::dispatch::view) struct GroupsState {
    pub(super) pickups: Vec<Pickup>,
    /// Edits of removed groups, newest first, in case the groups come back.
    removed_drafts: Vec<PickupDraft>,
    /// Ids of the groups whose consignments are listed.
    pub(super) open: HashSet<u32>,
    /// Index of the pickup that [`Self::focus_next_problem`] focused last.
    last_focused: Option<usize>,
    /// Consignments taken out of their groups in this frame, which are unticked in the list.
    pub(super) unticked: Vec<ConsignmentId>,
    /// The group id that was assigned last.
    last: u32,
    /// The inputs that the pickups were computed from; `None` without groups, so that old rows can be freed.
    inputs: Option<PickupInputs>,
}

/// The data that the pickups were computed from, to notice changes.
struct PickupInputs {
    rows: Arc<HashMap<ConsignmentId, Arc<ConsignmentRow>>>,
    /// Memory address and length of the list of saved locations, to notice when the list is replaced.
    places: Option<(usize, usize)>,
    moved_out: usize,
}

impl PickupInputs {
    fn of(shared: &Shared) -> Self {
        let places = shared.catalogue.locations.value();
        Self {
            rows: Arc::clone(&shared.rows),
            places: places.map(|all| (all.as_ptr().addr(), all.len())),
            moved_out: shared.dispatch.groups_view.moved_out.len(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows)
            && (self.places, self.moved_out) == (other.places, other.moved_out)
    }
}

/// A group with the clerk's edits.
pub(super) struct Pickup {
    pub(super) draft: PickupDraft,
    pub(super) details: GroupDetails,
}

/// Details of a group from its rows and the saved locations.
pub(super) struct GroupDetails {
    members: HashSet<ConsignmentId>,
    /// The group's first consignment that is loaded.
    pub(super) first: Option<ConsignmentRow>,
    /// Time zone of the pickup place (IANA name); empty if unknown.
    pub(super) zone: String,
    usual: UsualHours,
    /// The earliest despatch of the group's consignments.
    pub(super) despatch: Option<LocalTime>,
    /// Number of consignments with dangerous goods.
    dangerous: usize,
    /// Number of consignments that are not loaded.
    unlisted: usize,
    /// Number of consignments taken out since the service estimated the pallet spaces.
    pub(super) taken_out: usize,
}

impl GroupDetails {
    fn of(shared: &Shared, group: &ManifestGroup) -> Self {
        let (mut first, mut despatch) = (None, None);
        let (mut dangerous, mut unlisted) = (0, 0);
        for id in &group.consignment_ids {
            let Some(one) = shared.row(*id) else {
                unlisted += 1;
                continue;
            };
            first = first.or(Some(one));
            despatch = [despatch, one.despatch].into_iter().flatten().min();
            dangerous += usize::from(one.dangerous == Some(true));
        }
        let members: HashSet<_> = group.consignment_ids.iter().copied().collect();
        let place = first.and_then(|one| shared.saved_place(one));
        Self {
            zone: shared.pickup_zone(group).to_owned(),
            usual: place.map_or_else(UsualHours::default, |place| UsualHours {
                pickup: place.default_pickup_time,
                closing: place.default_closing_time,
            }),
            taken_out: count_taken_out(shared, group, &members),
            first: first.cloned(),
            despatch,
            dangerous,
            unlisted,
            members,
        }
    }

    /// Returns the locked consignment of the group; if there are several, the one with the lowest id.
    pub(super) fn locked(&self, shared: &Shared) -> Option<ConsignmentId> {
        let held = shared.operations.locked.keys().copied();
        held.filter(|id| self.members.contains(id)).min()
    }
}

/// Counts the consignments that were taken out of this group. Returns 0 if the group has consignments that were not
/// in the service's original group.
fn count_taken_out<'a>(
    shared: &'a Shared,
    group: &ManifestGroup,
    members: &HashSet<ConsignmentId>,
) -> usize {
    // Consignments that were taken out together share one `Arc` of their group, so this group is compared only once.
    let mut last: Option<(&Arc<ManifestGroup>, bool)> = None;
    let is_of_this = |moved: &&'a RemovedMember| {
        let was = &moved.group;
        let holds_all = match last {
            Some((other, holds_all)) if Arc::ptr_eq(other, was) => holds_all,
            _ => {
                let kept = was.consignment_ids.iter().filter(|id| members.contains(id));
                was.carrier_name == group.carrier_name && kept.count() == members.len()
            }
        };
        last = Some((was, holds_all));
        holds_all && !members.contains(&moved.id)
    };
    let moved_out = shared.dispatch.groups_view.moved_out.iter();
    moved_out.filter(is_of_this).count()
}

impl Pickup {
    /// Checks the pickup as edited.
    pub(super) fn review(&self, shared: &Shared) -> PickupReview {
        self.draft.review(&PickupContext {
            now: shared.now,
            zone: &self.details.zone,
            bench_zone: &shared.session.zone,
            usual: self.details.usual,
            despatch: self.details.despatch.map(|at| at.0.date()),
        })
    }

    /// Returns the widget id of the field for the pickup time.
    pub(super) fn time_field_id(&self) -> Id {
        Id::unique(("pickup", self.draft.id))
    }
}

impl GroupsState {
    /// Returns the consignments that were taken out of their groups since the last call.
    pub(in crate::screens::dispatch::view) fn take_unticked(&mut self) -> Vec<ConsignmentId> {
        std::mem::take(&mut self.unticked)
    }

    /// Copies the clerk's edits to the present groups, and updates the groups' details from their rows.
    pub(super) fn update(&mut self, shared: &Shared) {
        let groups = shared.dispatch.groups.value();
        let groups = groups.map_or(&[][..], Vec::as_slice);
        let same = |(pickup, group): (&Pickup, &ManifestGroup)| pickup.draft.group == *group;
        let are_same =
            self.pickups.len() == groups.len() && self.pickups.iter().zip(groups).all(same);
        let inputs = (!groups.is_empty()).then(|| PickupInputs::of(shared));
        let has_same_inputs = match (&self.inputs, &inputs) {
            (Some(before), Some(now)) => before.is_same(now),
            (_, now) => now.is_none(),
        };
        if are_same && has_same_inputs {
            return;
        }
        let before = self.pickups.iter();
        let before: HashMap<_, _> = before
            .map(|pickup| (pickup.draft.id, pickup.details.dangerous))
            .collect();
        let pickups = std::mem::take(&mut self.pickups).into_iter();
        let mut drafts: Vec<_> = pickups.map(|pickup| pickup.draft).collect();
        if !are_same {
            drafts.append(&mut self.removed_drafts);
            (drafts, self.removed_drafts) = carry_over(drafts, groups);
            self.removed_drafts.retain(PickupDraft::is_adjusted);
            self.removed_drafts.truncate(MAX_REMOVED_DRAFTS);
        }
        self.inputs = inputs;
        for mut draft in drafts {
            if draft.id == 0 {
                self.last += 1;
                draft.id = self.last;
            }
            let known = GroupDetails::of(shared, &draft.group);
            let dangerous_before = before.get(&draft.id).copied();
            apply_details(&mut draft, &known, dangerous_before);
            self.pickups.push(Pickup {
                draft,
                details: known,
            });
        }
    }

    /// Focuses the next pickup that has a problem. If no pickup has a problem, focuses the next pickup.
    pub(super) fn focus_next_problem(&mut self, ui: &Ui, shared: &Shared) {
        let count = self.pickups.len();
        let from = self.last_focused.map_or(0, |at| at + 1);
        let mut next = (0..count).map(|step| (from + step) % count);
        let is_wrong = |at: &usize| self.pickups[*at].review(shared).group.is_err();
        let wrong = next.clone().find(is_wrong);
        if let Some(at) = wrong.or_else(|| next.next()) {
            self.last_focused = Some(at);
            let id = self.pickups[at].time_field_id();
            ui.memory_mut(|memory| memory.request_focus(id));
        }
    }
}

/// Copies the details of a group into its draft. If there are more dangerous goods than before, clears the
/// declaration, so that the clerk must give it again.
fn apply_details(draft: &mut PickupDraft, known: &GroupDetails, before: Option<usize>) {
    let carried = if draft.known_dangerous {
        known.dangerous
    } else {
        0
    };
    if known.dangerous > before.unwrap_or(carried) {
        draft.dangerous_goods_declared = false;
    }
    draft.known_dangerous = known.dangerous > 0;
    draft.unread_consignments = known.unlisted;
}
