//! Carries typed pickup details over when the service forms new groups.
//!
//! A new group continues an old one of the same company and carrier with the same consignments, or else the
//! old group that shares most consignments with it, if these are at least half of each. Each old group is
//! continued at most once. Only fields that the clerk changed are carried over; all others follow the
//! service's new group.

use std::collections::HashSet;

use super::{PickupDraft, closing_text, in_full, instructions_text, spaces_text, time_input};
use shipping::{ConsignmentId, LocalTime, ManifestGroup};

/// Returns the new groups with the typed details carried over, and the old groups that no new
/// group continues.
pub fn carry_over(
    old: Vec<PickupDraft>,
    groups: &[ManifestGroup],
) -> (Vec<PickupDraft>, Vec<PickupDraft>) {
    let mut new: Vec<Option<PickupDraft>> = groups.iter().map(|_| None).collect();
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for (at, draft) in old.iter().enumerate() {
        let before: HashSet<_> = draft.group.consignment_ids.iter().copied().collect();
        for (to, group) in groups.iter().enumerate() {
            let alike = similarity(draft, &before, group);
            if alike > 0 {
                pairs.push((alike, at, to));
            }
        }
    }
    // The most similar first; among equals, the first in the list.
    pairs.sort_by_key(|(alike, at, to)| (std::cmp::Reverse(*alike), *at, *to));
    let mut old: Vec<Option<PickupDraft>> = old.into_iter().map(Some).collect();
    for (_, at, to) in pairs {
        if new[to].is_none()
            && let Some(before) = old[at].take()
        {
            new[to] = Some(continue_group(before, groups[to].clone()));
        }
    }
    let fresh = |(draft, group): (Option<PickupDraft>, &ManifestGroup)| {
        draft.unwrap_or_else(|| PickupDraft::from(group.clone()))
    };
    let new = new.into_iter().zip(groups).map(fresh).collect();
    (new, old.into_iter().flatten().collect())
}

/// Returns the similarity of two groups in thousandths; 0 if they are unrelated.
fn similarity(
    draft: &PickupDraft,
    before: &HashSet<ConsignmentId>,
    group: &ManifestGroup,
) -> usize {
    let same_kind = draft.group.company_id == group.company_id
        && draft.group.carrier_name == group.carrier_name;
    let shared = group
        .consignment_ids
        .iter()
        .filter(|id| before.contains(id))
        .count();
    let larger = before.len().max(group.consignment_ids.len());
    if same_kind && shared * 2 >= larger && shared > 0 {
        shared * 1000 / larger
    } else {
        0
    }
}

fn continue_group(before: PickupDraft, group: ManifestGroup) -> PickupDraft {
    if before.group == group {
        return before;
    }
    let (was, fresh) = (&before.group, PickupDraft::from(group));
    let moved = was.pickup_date_time.map(|time| time.0.date())
        != fresh.group.pickup_date_time.map(|time| time.0.date());
    // A typed time without a day referred to the old group's day, so the day is added.
    let kept = |text: String| match (moved, was.pickup_date_time) {
        (true, Some(own)) => {
            let day = own.0.date();
            time_input::parse_time_input(&text, day, day)
                .map_or(text, |read| in_full(LocalTime(read)))
        }
        _ => text,
    };
    let declared = fresh
        .group
        .consignment_ids
        .iter()
        .all(|id| before.contains(*id));
    let was_pickup = was.pickup_date_time.map(in_full).unwrap_or_default();
    let typed_pickup = before.pickup != was_pickup;
    let typed_closing = before.closing != closing_text(was);
    let typed_spaces = before.spaces != spaces_text(was);
    let typed_instructions = before.instructions != instructions_text(was);
    PickupDraft {
        id: before.id,
        unread_consignments: before.unread_consignments,
        closing: if typed_closing {
            before.closing
        } else {
            fresh.closing
        },
        pickup: if typed_pickup {
            kept(before.pickup)
        } else {
            fresh.pickup
        },
        spaces: if typed_spaces {
            before.spaces
        } else {
            fresh.spaces
        },
        instructions: if typed_instructions {
            before.instructions
        } else {
            fresh.instructions
        },
        already_booked: if before.already_booked == was.pickup_already_booked {
            fresh.group.pickup_already_booked
        } else {
            before.already_booked
        },
        // A declaration covered the goods of the old group, so added consignments need a new one.
        dangerous_goods_declared: before.dangerous_goods_declared && declared,
        known_dangerous: before.known_dangerous,
        group: fresh.group,
    }
}
