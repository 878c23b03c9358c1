//! The pickup of a manifest group, as the clerk adjusts it before booking, and its check. A problem is something that
//! the service would refuse or a driver could not do; a value that is only unusual is a warning.
//!
//! Invariants: typed text is kept as typed, and fields of the group that the clerk did not change are sent
//! back unchanged.
//!
//! When the service forms new groups, a new group continues the most similar old group of the same company and
//! carrier, if the consignments that are in both are at least half of each group. Each old group is continued at most
//! once. Only fields that the clerk changed are carried over; all other fields follow the service's new group.

pub(super) mod time_input;

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time, Weekday};

use super::text::{counted, one_line};
use shipping::{ConsignmentId, LocalTime, ManifestGroup, TimeError};
use time_input::TimeInputError;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PickupField {
    Pickup,
    /// When operations cease at the pickup location.
    Closing,
    Spaces,
    Instructions,
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

/// Formats a time like `Fri 20 Nov 16:00`, which is parsed as the same time again.
fn in_full(time: LocalTime) -> String {
    time.0.strftime("%a %-d %b %H:%M").to_string()
}

/// Formats the closing time like `17:00`, and adds its day if that is not the day of the pickup.
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
    /// Returns whether the group contains dangerous goods according to the service or the bench.
    pub fn has_dangerous_goods(&self) -> bool {
        self.known_dangerous || self.group.dgs_declaration == Some(true)
    }

    pub fn is_adjusted(&self) -> bool {
        let untouched = Self {
            id: self.id,
            known_dangerous: self.known_dangerous,
            unread_consignments: self.unread_consignments,
            ..Self::from(self.group.clone())
        };
        *self != untouched
    }

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
    // The most similar pair comes first. Among equally similar pairs, the first in the list comes first.
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
    // Returns the old group's text if the clerk changed it, otherwise the new group's text.
    let text = |field: fn(&PickupDraft) -> &String| {
        let is_changed = field(&before) != field(&unchanged);
        let kept = if is_changed { &before } else { &fresh };
        field(kept).clone()
    };
    let day = |draft: &PickupDraft| { draft.group.pickup_date_time }.map(|time| time.0.date());
    let pickup = match day(&before).filter(|own| day(&fresh) != Some(*own)) {
        // A typed time without a day referred to the old group's day, so the day is added.
        Some(own) if before.pickup != unchanged.pickup => {
            time_input::parse_time_input(&before.pickup, own, own).map_or_else(
                |_misread| before.pickup.clone(),
                |read| in_full(LocalTime(read)),
            )
        }
        _ => text(|draft| &draft.pickup),
    };
    let mut ids = fresh.group.consignment_ids.iter();
    // A declaration covered the goods of the old group, so added consignments need a new declaration.
    let is_covered = ids.all(|id| before.group.consignment_ids.contains(id));
    let is_booking_changed = before.already_booked != unchanged.already_booked;
    PickupDraft {
        id: before.id,
        unread_consignments: before.unread_consignments,
        pickup,
        closing: text(|draft| &draft.closing),
        spaces: text(|draft| &draft.spaces),
        instructions: text(|draft| &draft.instructions),
        already_booked: if is_booking_changed {
            before.already_booked
        } else {
            fresh.already_booked
        },
        dangerous_goods_declared: before.dangerous_goods_declared && is_covered,
        known_dangerous: before.known_dangerous,
        group: fresh.group,
    }
}

/// Minutes of notice below which a warning is shown, because drivers seldom come sooner.
const SHORT_NOTICE: i64 = 15;

/// Days ahead beyond which a warning is shown.
const FAR: i32 = 7;

/// Pallet spaces above which a warning is shown: the capacity of a road train's three trailers.
const MANY_SPACES: i64 = 66;

/// More pallet spaces count as a typing error.
const TOO_MANY_SPACES: i64 = 999;

/// The longest instructions, in characters. The service's interface names no limit, but a driver's screen has one.
const MOST_INSTRUCTIONS: usize = 500;

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
    /// Returns a context with only the time and the zone.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickupReview {
    /// The group to book, or every problem with its field.
    pub group: Result<ManifestGroup, Vec<(PickupField, String)>>,
    /// Unusual values, with their fields; these do not prevent booking.
    pub warnings: Vec<(PickupField, String)>,
    pub pickup: Option<LocalTime>,
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
            let unread = counted(self.unread_consignments, "consignment");
            let words = format!(
                "Not loaded yet: {unread} of this group. Wait for the list to finish loading"
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
    // Without a known time zone, it is unknown which times have passed.
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
