//! A manifest group as the clerk adjusts it before booking ("Operation rules", 5).

use jiff::Timestamp;
use jiff::civil::{DateTime, Time};

use crate::shipping::{LocalTime, ManifestGroup, TimeError};

/// A field of a pickup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PickupField {
    /// When the driver arrives.
    Pickup,
    /// When operations cease.
    Closing,
    /// Pallet spaces.
    Spaces,
    /// The declaration of dangerous goods.
    Declaration,
}

/// A group's pickup, as typed. Times are those of the pickup place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickupDraft {
    /// The group as the service made it.
    pub group: ManifestGroup,
    /// When the driver arrives: `16:00` or `2026-11-20 16:00`.
    pub pickup: String,
    /// When operations cease: the same.
    pub closing: String,
    /// Pallet spaces.
    pub spaces: String,
    /// What the driver should know.
    pub instructions: String,
    /// No pickup is needed.
    pub already_booked: bool,
    /// The clerk declared the dangerous goods in it.
    pub dangerous_goods_declared: bool,
}

impl From<ManifestGroup> for PickupDraft {
    fn from(group: ManifestGroup) -> Self {
        let typed = |time: Option<LocalTime>| {
            time.map(|time| time.0.strftime("%Y-%m-%d %H:%M").to_string())
                .unwrap_or_default()
        };
        Self {
            pickup: typed(group.pickup_date_time),
            closing: typed(group.pickup_closing_time),
            spaces: group
                .pallet_spaces
                .map(|spaces| spaces.to_string())
                .unwrap_or_default(),
            instructions: group
                .pickup_special_instructions
                .clone()
                .unwrap_or_default(),
            already_booked: group.pickup_already_booked,
            dangerous_goods_declared: false,
            group,
        }
    }
}

impl PickupDraft {
    /// The group to book, or what is wrong with it. `zone` (IANA) is the pickup place's.
    ///
    /// # Errors
    /// Every problem with its field; never empty.
    pub fn check(
        &self,
        now: Timestamp,
        zone: &str,
    ) -> Result<ManifestGroup, Vec<(PickupField, String)>> {
        let mut problems = Vec::new();
        let here = LocalTime::at(now, zone).0;
        let pickup = self.time(
            &self.pickup,
            PickupField::Pickup,
            (here, zone),
            &mut problems,
        );
        let closing = self.time(
            &self.closing,
            PickupField::Closing,
            (here, zone),
            &mut problems,
        );
        if !self.already_booked {
            let zone_known = LocalTime(here).in_zone(zone) != Err(TimeError::UnknownZone);
            if let Some(pickup) = pickup.filter(|pickup| zone_known && *pickup < here) {
                problems.push((
                    PickupField::Pickup,
                    format!("{} has passed", pickup.strftime("%H:%M")),
                ));
            }
            if let (Some(pickup), Some(closing)) = (pickup, closing)
                && closing <= pickup
            {
                problems.push((PickupField::Closing, "Closes before the pickup".to_owned()));
            }
        }
        let spaces = if self.spaces.trim().is_empty() {
            None
        } else {
            self.spaces.trim().parse().ok()
        };
        if !self.spaces.trim().is_empty() && spaces.is_none_or(|spaces: i64| spaces < 0) {
            problems.push((PickupField::Spaces, "Type whole spaces".to_owned()));
        }
        if self.holds_dangerous_goods() && !self.dangerous_goods_declared {
            problems.push((
                PickupField::Declaration,
                "Declare the dangerous goods in this group".to_owned(),
            ));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(ManifestGroup {
            pickup_date_time: pickup.map(LocalTime),
            pickup_closing_time: closing.map(LocalTime),
            pallet_spaces: spaces,
            pickup_special_instructions: Some(self.instructions.trim().to_owned()),
            pickup_already_booked: self.already_booked,
            dgs_declaration: Some(self.holds_dangerous_goods()),
            ..self.group.clone()
        })
    }

    /// True where the service says that the group holds dangerous goods.
    pub fn holds_dangerous_goods(&self) -> bool {
        self.group.dgs_declaration == Some(true)
    }

    /// Reads a typed time; a bare `16:00` is on the day of the group's own pickup, else today.
    fn time(
        &self,
        text: &str,
        field: PickupField,
        (here, zone): (DateTime, &str),
        problems: &mut Vec<(PickupField, String)>,
    ) -> Option<DateTime> {
        let text = text.trim();
        let day = self
            .group
            .pickup_date_time
            .map_or(here.date(), |time| time.0.date());
        // A date first: a bare time would be read out of a date and time as well.
        let read = text
            .parse::<DateTime>()
            .or_else(|_bare| text.parse::<Time>().map(|time| day.to_datetime(time)));
        match read {
            Ok(time) if LocalTime(time).in_zone(zone) == Err(TimeError::ClockChange) => {
                problems.push((
                    field,
                    "The clocks change then: pick another time".to_owned(),
                ));
                None
            }
            Ok(time) => Some(time),
            Err(_) if text.is_empty() && (self.already_booked || field == PickupField::Closing) => {
                None
            }
            Err(_) => {
                problems.push((field, "Type a time, like 16:00".to_owned()));
                None
            }
        }
    }
}
