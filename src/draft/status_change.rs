//! A status that is set by hand, as typed: what is wrong with it, at its field, and for which consignments it can't be set.
//!
//! What always holds: nothing leads back to Unmanifested, nothing happens in the future, a time that the clocks of a place
//! show twice or never is refused. Which status may follow which is said in one place here; the service has the last word.

use jiff::civil::DateTime;
use jiff::{Timestamp, ToSpan as _};

use super::pickup::typed::{self, Misread};
use crate::shipping::{ConsignmentId, LocalTime, StatusId, StatusUpdate, TimeError};

/// Characters of extra information. The interface names no limit; a carrier's screen has one.
const MOST_WORDS: usize = 500;

/// What nobody sets by hand: Quote, Unmanifested, Manifested, Deleted, Manifesting.
const NEVER: [i64; 5] = [1, 2, 3, 21, 25];

/// The highest status that has a name.
const LAST: i64 = 30;

/// The statuses that can be set by hand, Cancelled not among them: it has a question of its own.
pub fn settable() -> impl Iterator<Item = StatusId> {
    (1..=LAST)
        .map(StatusId::new)
        .filter(|status| status.name().is_some() && is_settable(*status))
        .filter(|status| *status != StatusId::CANCELLED)
}

fn is_settable(status: StatusId) -> bool {
    !NEVER.contains(&status.get())
}

/// Why a consignment that stands at `from` can't be set to `to` ("States and transitions"); nothing where it can.
pub fn why_not(from: StatusId, to: StatusId) -> Option<&'static str> {
    const DELETED: StatusId = StatusId::new(21);
    if !is_settable(to) {
        return Some("can't be set by hand");
    }
    match (from, to) {
        (StatusId::CANCELLED, _) => Some("cancelled already"),
        (DELETED, _) => Some("deleted"),
        (StatusId::UNMANIFESTED, StatusId::CANCELLED) => Some("not manifested: delete it instead"),
        (StatusId::UNMANIFESTED, _) => Some("not manifested yet"),
        (from, _) if from.get() == 1 => Some("only a quote"),
        (StatusId::MANIFESTED, StatusId::CANCELLED) => None,
        (_, StatusId::CANCELLED) => {
            Some("the carrier has it: only what is manifested is cancelled")
        }
        _ => None,
    }
}

/// A field of a status change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatusField {
    /// Which status.
    Status,
    /// When it was reached.
    Time,
    /// Which piece.
    Item,
    /// What to add to it; the reason of a cancellation.
    Information,
}

/// A status change as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatusChangeDraft {
    /// Which status.
    pub status: Option<StatusId>,
    /// When: `14:05`, `yesterday 4pm`, `Thu 9:30`; now where nothing is typed.
    pub time: String,
    /// Of one piece only, by its reference.
    pub item: Option<String>,
    /// What to add to it.
    pub information: String,
}

/// A consignment whose status is to be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusTarget {
    /// Which.
    pub id: ConsignmentId,
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub status: StatusId,
    /// The zone (IANA) of its pickup place, whose clocks typed times are on; empty where nobody knows it.
    pub zone: String,
    /// An open operation holds it.
    pub held: bool,
}

/// A consignment that is left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Which.
    pub id: ConsignmentId,
    /// Its number.
    pub number: String,
    /// Why, in a few words.
    pub why: String,
}

/// What will be sent, and what will not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatusPlan {
    /// One a consignment.
    pub updates: Vec<StatusUpdate>,
    /// The others, in their order.
    pub left_out: Vec<LeftOut>,
    /// The typed time as it was read, on the clocks of the first place; nothing for now.
    pub at: Option<LocalTime>,
}

type Said = Vec<(StatusField, String)>;

impl StatusChangeDraft {
    /// A cancellation.
    pub fn cancel() -> Self {
        Self {
            status: Some(StatusId::CANCELLED),
            ..Self::default()
        }
    }

    /// True where it is a cancellation.
    pub fn cancels(&self) -> bool {
        self.status == Some(StatusId::CANCELLED)
    }

    /// What can't be done whatever is typed is left out and said; the rest is what will be sent. `bench` is the zone that
    /// stands in for one that nobody knows.
    ///
    /// # Errors
    /// Every problem with its field; never empty.
    pub fn check(
        &self,
        targets: &[StatusTarget],
        now: Timestamp,
        bench: &str,
    ) -> Result<StatusPlan, Said> {
        let mut problems = Said::new();
        let information = self.one_line();
        let long = information.chars().count();
        if long > MOST_WORDS {
            let words = format!("{long} characters: {MOST_WORDS} at the most");
            problems.push((StatusField::Information, words));
        }
        if self.cancels() && information.is_empty() {
            let words = "Say why: it is kept with the consignment".to_owned();
            problems.push((StatusField::Information, words));
        }
        if self.item.is_some() && (targets.len() != 1 || self.cancels()) {
            let words = "A piece is of one consignment, and is not cancelled alone".to_owned();
            problems.push((StatusField::Item, words));
        }
        let Some(status) = self.status else {
            problems.push((StatusField::Status, "Pick a status".to_owned()));
            // What is wrong with the time is said whatever the status will be.
            let first = targets.first();
            let _ = first.map(|target| self.at_its_place(target, now, bench, &mut problems));
            return Err(problems);
        };
        let mut plan = StatusPlan::default();
        for target in targets {
            if let Some(why) = left_out(target, status) {
                plan.left_out.push(why);
                continue;
            }
            let Ok(at) = self.at_its_place(target, now, bench, &mut problems) else {
                break;
            };
            plan.at = plan.at.or(at);
            plan.updates.push(StatusUpdate {
                consignment_id: target.id,
                status,
                status_date_time_local: at,
                item_reference: self.item.clone(),
                extra_information: (!information.is_empty()).then(|| information.clone()),
            });
        }
        if problems.is_empty() && plan.updates.is_empty() {
            let words = match plan.left_out.as_slice() {
                [one] => format!("{}: {}", one.number, one.why),
                _ => "None of these can be set to it".to_owned(),
            };
            problems.push((StatusField::Status, words));
        }
        if problems.is_empty() {
            Ok(plan)
        } else {
            Err(problems)
        }
    }

    /// What is typed as information, as it is sent: one line.
    fn one_line(&self) -> String {
        let words = self.information.split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }

    /// The typed time on the clocks of a target's place; nothing for now.
    fn at_its_place(
        &self,
        target: &StatusTarget,
        now: Timestamp,
        bench: &str,
        problems: &mut Said,
    ) -> Result<Option<LocalTime>, ()> {
        let zone = match target.zone.as_str() {
            "" => bench,
            zone => zone,
        };
        let here = LocalTime::at(now, zone).0;
        let read = match read_past(&self.time, here) {
            Err(Misread::Empty) => return Ok(None),
            read => read.map_err(Misread::words),
        };
        let refused = read.and_then(|at| match LocalTime(at).in_zone(zone) {
            Err(TimeError::ClockChange) => Err(format!(
                "The clocks change at {} there: it is no moment, or two",
                at.strftime("%H:%M")
            )),
            Err(_) if at > here => Err(future(here)),
            Ok(moment) if moment.0 > now => Err(future(here)),
            _ => Ok(at),
        });
        match refused {
            Ok(at) => Ok(Some(LocalTime(at))),
            Err(words) => {
                problems.push((StatusField::Time, words));
                Err(())
            }
        }
    }
}

fn future(here: DateTime) -> String {
    let clock = here.strftime("%a %-d %b %H:%M");
    format!("That is still to come: it is {clock} there")
}

fn left_out(target: &StatusTarget, status: StatusId) -> Option<LeftOut> {
    let why = if target.held {
        Some("held by something that is under way")
    } else {
        why_not(target.status, status)
    };
    why.map(|why| LeftOut {
        id: target.id,
        number: target.number.clone(),
        why: why.to_owned(),
    })
}

/// Reads a time that is past: a day of the week is the last one, not the next.
fn read_past(text: &str, here: DateTime) -> Result<DateTime, Misread> {
    let (mut day, mut rest) = (here.date(), Vec::new());
    for word in text.split_whitespace() {
        match word.trim_matches(',').to_ascii_lowercase().as_str() {
            "now" => {}
            "today" => day = here.date(),
            "yesterday" | "yday" | "yest" => day = here.date().saturating_sub(1.day()),
            "tomorrow" | "tom" | "tmr" => day = here.date().saturating_add(1.day()),
            _ => rest.push(word),
        }
    }
    // Days of the week count from a week ago: the last such day, today included.
    let week = here.date().saturating_sub(6.days());
    typed::read(&rest.join(" "), week, day)
}

#[cfg(test)]
mod tests;
