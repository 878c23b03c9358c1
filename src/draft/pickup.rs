//! A manifest group as the clerk adjusts it before booking ("Manifest group"; "Operation rules", 5).
//!
//! What always holds: what is typed is kept as typed, whatever it is; what the service said of the group and the clerk did not
//! change goes back as it came. It must not know where groups come from.

mod regroup;
mod review;
pub(super) mod typed;

use jiff::Timestamp;

use crate::shipping::{ConsignmentId, LocalTime, ManifestGroup};
pub use regroup::carry_over;
pub use review::{PickupContext, PickupReview, UsualHours};

/// A field of a pickup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PickupField {
    /// When the driver arrives.
    Pickup,
    /// When operations cease.
    Closing,
    /// Pallet spaces.
    Spaces,
    /// What the driver should know.
    Instructions,
    /// The declaration of dangerous goods.
    Declaration,
}

/// A group's pickup, as typed. Times are those of the pickup place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickupDraft {
    /// Which card it is on: what takes after it has the same. 0 until a screen says.
    pub id: u32,
    /// The group as the service made it, without what the clerk moved out of it.
    pub group: ManifestGroup,
    /// When the driver arrives: `16:00`, `4pm` or `Mon 23 Nov 16:00`.
    pub pickup: String,
    /// When operations cease: the same; without a day it is on the day of the pickup.
    pub closing: String,
    /// Pallet spaces.
    pub spaces: String,
    /// What the driver should know.
    pub instructions: String,
    /// No pickup is needed.
    pub already_booked: bool,
    /// The clerk declared the dangerous goods in it.
    pub dangerous_goods_declared: bool,
    /// The bench knows of dangerous goods in it, whatever the service said of the group.
    pub known_dangerous: bool,
    /// Consignments in it that the bench has not read: nobody knows what these hold.
    pub unlisted: usize,
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
            unlisted: 0,
            group,
        }
    }
}

/// `Fri 20 Nov 16:00`, which reads back as the same time.
fn in_full(time: LocalTime) -> String {
    time.0.strftime("%a %-d %b %H:%M").to_string()
}

/// `17:00` on the day of the pickup, with its day on another.
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
    /// The group to book, or what is wrong with it. `zone` (IANA) is the pickup place's; empty where nobody knows it.
    ///
    /// # Errors
    /// Every problem with its field; never empty.
    pub fn check(
        &self,
        now: Timestamp,
        zone: &str,
    ) -> Result<ManifestGroup, Vec<(PickupField, String)>> {
        self.review(&PickupContext::at(now, zone)).group
    }

    /// True where the service says that the group holds dangerous goods, or the bench knows it.
    pub fn holds_dangerous_goods(&self) -> bool {
        self.known_dangerous || self.group.dgs_declaration == Some(true)
    }

    /// Whether anything of it was changed by the clerk.
    pub fn is_adjusted(&self) -> bool {
        let untouched = Self {
            id: self.id,
            known_dangerous: self.known_dangerous,
            unlisted: self.unlisted,
            ..Self::from(self.group.clone())
        };
        *self != untouched
    }

    /// Whether this consignment is in it.
    pub fn holds(&self, id: ConsignmentId) -> bool {
        self.group.consignment_ids.contains(&id)
    }
}
