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
mod tests {
    use super::*;

    const SYDNEY: &str = "Australia/Sydney";

    /// Friday 20 November 2026, 14:05 in Sydney.
    fn now() -> Timestamp {
        "2026-11-20T03:05:00Z".parse().expect("a moment")
    }

    fn target(id: i64, status: i64, zone: &str) -> StatusTarget {
        StatusTarget {
            id: ConsignmentId::new(id),
            number: format!("MS{id}"),
            status: StatusId::new(status),
            zone: zone.to_owned(),
            held: false,
        }
    }

    fn typed(status: i64, time: &str) -> StatusChangeDraft {
        StatusChangeDraft {
            status: Some(StatusId::new(status)),
            time: time.to_owned(),
            information: "Signed by J. Okafor".to_owned(),
            ..StatusChangeDraft::default()
        }
    }

    fn read(time: &str, zone: &str) -> Result<Option<String>, String> {
        let checked = typed(7, time).check(&[target(1, 5, zone)], now(), SYDNEY);
        checked
            .map(|plan| plan.at.map(|at| at.0.to_string()))
            .map_err(|said| said.into_iter().map(|(_, words)| words).collect())
    }

    #[test]
    fn times_are_past_ones_on_the_clocks_of_the_place() {
        for (text, at) in [
            ("13:30", "2026-11-20T13:30:00"),
            ("yesterday 4pm", "2026-11-19T16:00:00"),
            ("Thu 9:30", "2026-11-19T09:30:00"),
            ("fri 9", "2026-11-20T09:00:00"),
            ("sat 10:00", "2026-11-14T10:00:00"),
            ("18/11 16:20", "2026-11-18T16:20:00"),
            ("Wed 18 Nov 16:20", "2026-11-18T16:20:00"),
        ] {
            assert_eq!(read(text, SYDNEY), Ok(Some(at.to_owned())), "{text}");
        }
        assert_eq!(read("", SYDNEY), Ok(None));
        assert_eq!(read(" now ", SYDNEY), Ok(None));
    }

    #[test]
    fn the_future_is_refused_by_the_clocks_of_the_place() {
        let words = "That is still to come: it is Fri 20 Nov 11:05 there";
        // 13:30 is past in Sydney, and not in Perth.
        assert_eq!(read("13:30", "Australia/Perth"), Err(words.to_owned()));
        for text in ["14:06", "tomorrow 9am", "20/11/2027 9:00"] {
            let words = "That is still to come: it is Fri 20 Nov 14:05 there";
            assert_eq!(read(text, SYDNEY), Err(words.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_hour_that_comes_twice_is_refused() {
        let (april, target) = ("2026-04-06T03:05:00Z", target(1, 5, SYDNEY));
        let april = april.parse().expect("a moment");
        let said = typed(7, "5/4 2:30").check(&[target], april, SYDNEY);
        let said = said.expect_err("the clocks went back");
        assert_eq!(said[0].0, StatusField::Time);
        assert!(
            said[0].1.starts_with("The clocks change at 02:30"),
            "{said:?}"
        );
    }

    #[test]
    fn nothing_leads_back_and_only_what_is_manifested_is_cancelled() {
        for status in [1, 2, 3, 21, 25] {
            let said = typed(status, "").check(&[target(1, 5, SYDNEY)], now(), SYDNEY);
            assert!(said.is_err(), "{status}");
        }
        assert!(settable().all(|status| why_not(StatusId::IN_TRANSIT, status).is_none()));
        assert_eq!(settable().count(), 22);
        assert_eq!(why_not(StatusId::MANIFESTED, StatusId::CANCELLED), None);
        for from in [2, 5, 7, 10] {
            let from = StatusId::new(from);
            assert!(why_not(from, StatusId::CANCELLED).is_some(), "{from:?}");
        }
    }

    #[test]
    fn what_can_not_be_set_is_left_out_and_said() {
        let mut held = target(4, 3, SYDNEY);
        held.held = true;
        let targets = [
            target(1, 3, SYDNEY),
            target(2, 10, SYDNEY),
            target(3, 2, SYDNEY),
            held,
        ];
        let cancel = StatusChangeDraft {
            information: "Not needed\n any more".to_owned(),
            ..StatusChangeDraft::cancel()
        };
        let plan = cancel.check(&targets, now(), SYDNEY).expect("one can");
        assert_eq!(plan.updates.len(), 1);
        let said = plan.updates[0].extra_information.as_deref();
        assert_eq!(said, Some("Not needed any more"));
        let left: Vec<_> = plan.left_out.iter().map(|one| one.why.as_str()).collect();
        assert_eq!(
            left,
            [
                "cancelled already",
                "not manifested: delete it instead",
                "held by something that is under way"
            ]
        );
    }

    #[test]
    fn every_problem_is_said_at_its_field() {
        let draft = StatusChangeDraft {
            time: "tomorrow 9:00".to_owned(),
            item: Some("SCX1".to_owned()),
            information: "x".repeat(501),
            status: None,
        };
        let two = [target(1, 5, SYDNEY), target(2, 5, SYDNEY)];
        let said = draft.check(&two, now(), SYDNEY).expect_err("all wrong");
        let fields: Vec<_> = said.iter().map(|(field, _)| *field).collect();
        use StatusField::{Information, Item, Status, Time};
        assert_eq!(fields, [Information, Item, Status, Time]);
        let silent = StatusChangeDraft::cancel().check(&two[..1], now(), SYDNEY);
        assert!(silent.expect_err("no reason")[0].1.starts_with("Say why"));
    }
}
