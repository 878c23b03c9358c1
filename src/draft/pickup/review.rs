//! Checks a typed pickup before anything is sent, and returns problems and warnings with their fields.
//!
//! A problem is something that the service would refuse or a driver could not do; anything merely unusual is
//! a warning.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time, Weekday};

use super::time_input::{self, TimeInputError};
use super::{PickupDraft, PickupField};
use crate::text::one_line;
use shipping::{LocalTime, ManifestGroup, TimeError};

/// Minutes of notice below which a warning is shown, because drivers seldom come sooner.
const SHORT_NOTICE: i64 = 15;

/// Days ahead beyond which a warning is shown.
const FAR: i32 = 7;

/// Pallet spaces above which a warning is shown: the capacity of a road train's three trailers.
const MANY_SPACES: i64 = 66;

/// More pallet spaces count as a typing error.
const TOO_MANY_SPACES: i64 = 999;

/// The longest instructions, in characters. The service's interface names no limit, but
/// a driver's screen has one.
pub(super) const MOST_INSTRUCTIONS: usize = 500;

/// The usual pickup and closing times of a saved location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsualHours {
    pub pickup: Option<Time>,
    pub closing: Option<Time>,
}

/// The information that a pickup is checked against.
#[derive(Debug, Clone, Copy)]
pub struct PickupContext<'a> {
    pub now: Timestamp,
    /// The pickup location's time zone (IANA); empty if unknown.
    pub zone: &'a str,
    /// The bench's time zone (IANA), used if the pickup location's is unknown.
    pub bench_zone: &'a str,
    pub usual: UsualHours,
    /// The group's despatch date, in the pickup location's time zone.
    pub despatch: Option<Date>,
}

impl<'a> PickupContext<'a> {
    /// A context with nothing but the time and zone.
    pub fn at(now: Timestamp, zone: &'a str) -> Self {
        Self {
            now,
            zone,
            bench_zone: zone,
            usual: UsualHours::default(),
            despatch: None,
        }
    }
}

/// The result of checking a pickup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickupReview {
    /// The group to book, or every problem with its field.
    pub group: Result<ManifestGroup, Vec<(PickupField, String)>>,
    /// Unusual values, with their fields; these do not prevent booking.
    pub warnings: Vec<(PickupField, String)>,
    /// The pickup time as understood.
    pub pickup: Option<LocalTime>,
    /// The closing time as understood.
    pub closing: Option<LocalTime>,
}

/// The problems and warnings of a pickup so far, each with its field.
#[derive(Default)]
struct Findings {
    problems: Vec<(PickupField, String)>,
    warnings: Vec<(PickupField, String)>,
}

impl Findings {
    fn problem(&mut self, at: PickupField, words: impl Into<String>) {
        self.problems.push((at, words.into()));
    }

    fn warn(&mut self, at: PickupField, words: impl Into<String>) {
        self.warnings.push((at, words.into()));
    }
}

impl PickupDraft {
    pub fn review(&self, context: &PickupContext<'_>) -> PickupReview {
        let mut found = Findings::default();
        let clocks = if context.zone.is_empty() {
            context.bench_zone
        } else {
            context.zone
        };
        let here = LocalTime::at(context.now, clocks).0;
        let (pickup, closing) = self.times(here, context.zone, &mut found);
        if let Some(pickup) = pickup.filter(|_| !self.already_booked) {
            past(pickup, here, context.zone, &mut found);
            if let Some(closing) = closing {
                order(pickup, closing, &mut found);
            }
            days(pickup, here, context.despatch, &mut found);
            hours(pickup, closing, context.usual, &mut found);
        }
        let spaces = self.spaces(&mut found);
        let instructions = one_line(&self.instructions);
        let long = instructions.chars().count();
        if long > MOST_INSTRUCTIONS {
            let words = format!("{long} characters: at most {MOST_INSTRUCTIONS} allowed");
            found.problem(PickupField::Instructions, words);
        }
        if self.unread_consignments > 0 {
            let words = format!(
                "{} consignments in this group haven't loaded yet. Wait for the list to finish loading",
                self.unread_consignments
            );
            found.problem(PickupField::Declaration, words);
        }
        if self.has_dangerous_goods() && !self.dangerous_goods_declared {
            let words = "Declare the dangerous goods in this group";
            found.problem(PickupField::Declaration, words);
        }
        let (pickup, closing) = (pickup.map(LocalTime), closing.map(LocalTime));
        let group = ManifestGroup {
            pickup_date_time: pickup,
            pickup_closing_time: closing,
            pallet_spaces: spaces,
            pickup_special_instructions: Some(instructions),
            pickup_already_booked: self.already_booked,
            dgs_declaration: Some(self.has_dangerous_goods()),
            ..self.group.clone()
        };
        PickupReview {
            group: if found.problems.is_empty() {
                Ok(group)
            } else {
                Err(found.problems)
            },
            warnings: found.warnings,
            pickup,
            closing,
        }
    }

    /// Reads both times. A pickup without a day is on the day of the group's own pickup; a closing time
    /// without a day is on the day of the pickup.
    fn times(
        &self,
        here: DateTime,
        zone: &str,
        found: &mut Findings,
    ) -> (Option<DateTime>, Option<DateTime>) {
        let own = self.group.pickup_date_time;
        let day = own.map_or(here.date(), |time| time.0.date());
        let read = |text: &str, day: Date| time_input::parse_time_input(text, here.date(), day);
        let pickup = match read(&self.pickup, day) {
            Err(TimeInputError::Empty) if self.already_booked => None,
            read => at_its_field(read, PickupField::Pickup, zone, found),
        };
        let day = pickup.map_or(day, DateTime::date);
        let closing = match read(&self.closing, day) {
            Err(TimeInputError::Empty) => None,
            read => at_its_field(read, PickupField::Closing, zone, found),
        };
        (pickup, closing)
    }

    fn spaces(&self, found: &mut Findings) -> Option<i64> {
        let text = self.spaces.trim();
        if text.is_empty() {
            return None;
        }
        let at = PickupField::Spaces;
        match text.parse::<i64>() {
            Ok(spaces) if spaces < 0 => found.problem(at, "Enter 0 or more"),
            Ok(spaces) if spaces > TOO_MANY_SPACES => {
                found.problem(at, format!("At most {TOO_MANY_SPACES}"));
            }
            Ok(spaces) => {
                if spaces > MANY_SPACES {
                    found.warn(at, "More pallet spaces than a road train has");
                }
                return Some(spaces);
            }
            Err(_) => found.problem(at, "Enter a whole number"),
        }
        None
    }
}

fn at_its_field(
    read: Result<DateTime, TimeInputError>,
    field: PickupField,
    zone: &str,
    found: &mut Findings,
) -> Option<DateTime> {
    match read {
        Ok(time) if LocalTime(time).in_zone(zone) == Err(TimeError::ClockChange) => {
            let words = "The clocks change at that time. Choose another time";
            found.problem(field, words);
        }
        Ok(time) => return Some(time),
        Err(misread) => found.problem(field, misread.message()),
    }
    None
}

fn past(pickup: DateTime, here: DateTime, zone: &str, found: &mut Findings) {
    // Without a known time zone, nothing can be said about times that have passed.
    if LocalTime(here).in_zone(zone) == Err(TimeError::UnknownZone) {
        return;
    }
    let at = PickupField::Pickup;
    if pickup < here {
        let text = if pickup.date() == here.date() {
            "%H:%M has passed"
        } else {
            "%a %-d %b has passed"
        };
        return found.problem(at, pickup.strftime(text).to_string());
    }
    match pickup.duration_since(here).as_mins() {
        1 => found.warn(at, "Only 1 minute from now"),
        minutes if minutes < SHORT_NOTICE => {
            found.warn(at, format!("Only {minutes} minutes from now"));
        }
        _ => {}
    }
}

fn order(pickup: DateTime, closing: DateTime, found: &mut Findings) {
    let at = PickupField::Closing;
    if closing < pickup {
        found.problem(at, "Closing time is before the pickup");
    } else if closing == pickup {
        found.problem(at, "Closing time is the same as the pickup");
    } else if closing.date() != pickup.date() {
        found.warn(at, closing.strftime("Closes on %a %-d %b").to_string());
    }
}

fn days(pickup: DateTime, here: DateTime, despatch: Option<Date>, found: &mut Findings) {
    let at = PickupField::Pickup;
    let ahead = here.date().until(pickup.date());
    let ahead = ahead.map_or(0, |span| span.get_days());
    if ahead > FAR {
        found.warn(at, format!("{ahead} days from now"));
    }
    if let Some(despatch) = despatch.filter(|day| *day != pickup.date()) {
        let words = despatch.strftime("The group's despatch date is %a %-d %b");
        found.warn(at, words.to_string());
    }
    if matches!(pickup.weekday(), Weekday::Saturday | Weekday::Sunday) {
        found.warn(at, pickup.strftime("On a %A").to_string());
    }
}

fn hours(pickup: DateTime, closing: Option<DateTime>, usual: UsualHours, found: &mut Findings) {
    let at = PickupField::Pickup;
    let time = pickup.time();
    let closes_at = "This location usually closes at %H:%M";
    if let Some(closes) = usual.closing.filter(|closes| time > *closes) {
        found.warn(at, closes.strftime(closes_at).to_string());
    } else if let Some(usual) = usual.pickup.filter(|usual| time < *usual) {
        let words = usual.strftime("Before the usual pickup at %H:%M");
        found.warn(at, words.to_string());
    }
    if let (Some(closing), Some(closes)) = (closing, usual.closing)
        && closing.time() > closes
        && time <= closes
    {
        found.warn(PickupField::Closing, closes.strftime(closes_at).to_string());
    }
}
