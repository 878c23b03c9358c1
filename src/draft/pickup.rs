//! The pickup of a manifest group, as the clerk adjusts it before booking.
//!
//! Invariants: typed text is kept as typed, and fields of the group that the clerk did not change are sent
//! back as they came.

mod regroup;
mod review;
pub(super) mod time_input;

use jiff::Timestamp;

pub use regroup::carry_over;
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
            spaces: spaces_text(&group),
            instructions: instructions_text(&group).to_owned(),
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

fn spaces_text(group: &ManifestGroup) -> String {
    let spaces = group.pallet_spaces;
    spaces.map(|spaces| spaces.to_string()).unwrap_or_default()
}

fn instructions_text(group: &ManifestGroup) -> &str {
    let instructions = group.pickup_special_instructions.as_deref();
    instructions.unwrap_or_default()
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
