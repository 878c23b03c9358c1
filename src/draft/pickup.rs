//! The pickup of a manifest group, as the clerk adjusts it before booking.
//!
//! Invariants: typed text is kept as typed, and fields of the group that the clerk did not change are sent
//! back unchanged.
//!
//! When the service forms new groups, a new group continues an old group of the same company and carrier with
//! the same consignments, or else the old group that shares most consignments with it, if these are at least
//! half of each. Each old group is continued at most once. Only fields that the clerk changed are carried
//! over; all other fields follow the service's new group.

mod review;
pub(super) mod time_input;

use std::collections::HashSet;

use jiff::Timestamp;

pub use review::{PickupContext, PickupReview, UsualHours};
use shipping::{ConsignmentId, LocalTime, ManifestGroup};

/// A field of a pickup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PickupField {
    Pickup,
    /// When operations cease at the pickup location.
    Closing,
    Spaces,
    Instructions,
    /// The declaration of dangerous goods.
    Declaration,
}

/// A group's pickup, as typed. Times are in the pickup location's time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickupDraft {
    /// The id of the group's card, kept when groups are formed again. 0 until a screen sets it.
    pub id: u32,
    /// The group as the service made it, except for consignments that the clerk moved elsewhere.
    pub group: ManifestGroup,
    /// When the driver arrives: `16:00`, `4pm` or `Mon 23 Nov 16:00`.
    pub pickup: String,
    /// When operations cease, in the same formats. Without a day, the closing time is on the day of
    /// the pickup.
    pub closing: String,
    pub spaces: String,
    pub instructions: String,
    pub already_booked: bool,
    pub dangerous_goods_declared: bool,
    /// Whether the bench knows of dangerous goods in the group, whatever the service says.
    pub known_dangerous: bool,
    /// The number of consignments that the bench has not read, so it does not know whether they contain
    /// dangerous goods.
    pub unread_consignments: usize,
}

impl From<ManifestGroup> for PickupDraft {
    fn from(group: ManifestGroup) -> Self {
        Self {
            id: 0,
            pickup: group.pickup_date_time.map(in_full).unwrap_or_default(),
            closing: closing_text(&group),
            spaces: { group.pallet_spaces }.map_or_else(String::new, |spaces| spaces.to_string()),
            instructions: { group.pickup_special_instructions.clone() }.unwrap_or_default(),
            already_booked: group.pickup_already_booked,
            dangerous_goods_declared: false,
            known_dangerous: false,
            unread_consignments: 0,
            group,
        }
    }
}

/// Formats like `Fri 20 Nov 16:00`, which reads back as the same time.
fn in_full(time: LocalTime) -> String {
    time.0.strftime("%a %-d %b %H:%M").to_string()
}

/// Formats the closing time like `17:00`, with its day unless it is on the day of the pickup.
fn closing_text(group: &ManifestGroup) -> String {
    let Some(closing) = group.pickup_closing_time else {
        return String::new();
    };
    let pickup = group.pickup_date_time;
    if pickup.is_some_and(|pickup| pickup.0.date() == closing.0.date()) {
        closing.0.strftime("%H:%M").to_string()
    } else {
        in_full(closing)
    }
}

impl PickupDraft {
    /// Returns the group to book. `zone` (IANA) is the pickup location's time zone; empty if unknown.
    ///
    /// # Errors
    /// Returns every problem with its field; never empty.
    pub fn check(
        &self,
        now: Timestamp,
        zone: &str,
    ) -> Result<ManifestGroup, Vec<(PickupField, String)>> {
        self.review(&PickupContext::at(now, zone)).group
    }

    /// Returns whether the group contains dangerous goods according to the service or the bench.
    pub fn has_dangerous_goods(&self) -> bool {
        self.known_dangerous || self.group.dgs_declaration == Some(true)
    }

    /// Returns whether the clerk changed anything.
    pub fn is_adjusted(&self) -> bool {
        let untouched = Self {
            id: self.id,
            known_dangerous: self.known_dangerous,
            unread_consignments: self.unread_consignments,
            ..Self::from(self.group.clone())
        };
        *self != untouched
    }

    /// Returns whether this consignment is in the group.
    pub fn contains(&self, id: ConsignmentId) -> bool {
        self.group.consignment_ids.contains(&id)
    }
}

/// Returns the new groups with the typed details carried over, and the old groups that match no new group.
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
        .filter(|id| before.contains(id));
    let shared = shared.count();
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
    let unchanged = PickupDraft::from(before.group.clone());
    let fresh = PickupDraft::from(group);
    let day = |draft: &PickupDraft| { draft.group.pickup_date_time }.map(|time| time.0.date());
    let pickup = match day(&before).filter(|own| day(&fresh) != Some(*own)) {
        // A typed time without a day referred to the old group's day, so the day is added.
        Some(own) if before.pickup != unchanged.pickup => {
            time_input::parse_time_input(&before.pickup, own, own)
                .map_or(before.pickup, |read| in_full(LocalTime(read)))
        }
        _ => typed_or(before.pickup, &unchanged.pickup, fresh.pickup),
    };
    let mut ids = fresh.group.consignment_ids.iter();
    // A declaration covered the goods of the old group, so added consignments need a new declaration.
    let is_covered = ids.all(|id| before.group.consignment_ids.contains(id));
    PickupDraft {
        id: before.id,
        unread_consignments: before.unread_consignments,
        pickup,
        closing: typed_or(before.closing, &unchanged.closing, fresh.closing),
        spaces: typed_or(before.spaces, &unchanged.spaces, fresh.spaces),
        instructions: typed_or(
            before.instructions,
            &unchanged.instructions,
            fresh.instructions,
        ),
        already_booked: typed_or(
            before.already_booked,
            &unchanged.already_booked,
            fresh.already_booked,
        ),
        dangerous_goods_declared: before.dangerous_goods_declared && is_covered,
        known_dangerous: before.known_dangerous,
        group: fresh.group,
    }
}

/// Returns the value before if the clerk changed it, otherwise the new group's.
fn typed_or<T: PartialEq>(before: T, unchanged: &T, fresh: T) -> T {
    if before == *unchanged { fresh } else { before }
}
