//! Typed local times in every time zone, hour by hour over three years: each gives a moment that is formatted
//! as it was typed, or is refused with a message. None is shifted silently.

use std::collections::HashSet;
use std::time::Instant;

use draft::{CheckContext, Draft, PickupContext, PickupDraft};
use jiff::civil::{DateTime, date};
use jiff::tz::{TimeZone, db};
use jiff::{Timestamp, ToSpan as _};
use shipping::{CompanyLocation, Despatch, LocalTime, ManifestGroup, TimeError};

use crate::support::desk::fill;

/// From the first hour of 2026 to the last of 2028.
const FROM: DateTime = date(2026, 1, 1).at(0, 0, 0, 0);
const TO: DateTime = date(2029, 1, 1).at(0, 0, 0, 0);

/// Before all of it: nothing has passed.
fn before() -> Timestamp {
    "2025-12-30T00:00:00Z".parse().expect("a moment")
}

/// Time zones with changes of offset between 2026 and 2028, each with the local times around them.
fn changing() -> Vec<(String, TimeZone, Vec<DateTime>)> {
    let zones = db().available().filter_map(|name| {
        let name = name.as_str().to_owned();
        let zone = TimeZone::get(&name).expect("a zone that is there");
        let start = zone.to_timestamp(FROM).expect("in range");
        let end = zone.to_timestamp(TO).expect("in range");
        let changes: Vec<_> = zone
            .following(start)
            .map(|change| change.timestamp())
            .take_while(|at| *at < end)
            .map(|at| zone.to_datetime(at))
            .collect();
        (!changes.is_empty()).then_some((name, zone, changes))
    });
    zones.collect()
}

/// What became of the times that were tried.
#[derive(Debug, Default)]
struct Tally {
    kept: usize,
    refused: usize,
}

/// Checks the parser of typed times: the result is exact, or refused only if the time zone skips or repeats
/// the time.
fn hold(zone: (&str, &TimeZone), typed: DateTime, tally: &mut Tally) {
    let (name, clocks) = zone;
    let ambiguous = clocks.to_ambiguous_timestamp(typed).is_ambiguous();
    match LocalTime(typed).in_zone(name) {
        Ok(moment) => {
            let back = LocalTime::at(moment.0, name).0;
            assert_eq!(back, typed, "{name}: moved in silence");
            assert!(!ambiguous, "{name}: {typed} is none or two");
            tally.kept += 1;
        }
        Err(error) => {
            assert_eq!(error, TimeError::ClockChange, "{name}: {typed}");
            assert!(ambiguous, "{name}: {typed} was refused for nothing");
            tally.refused += 1;
        }
    }
}

/// The same through the two forms that take a time: despatch of a consignment, and pickup of a group.
fn hold_in_forms(forms: &mut Forms, zone: (&str, &TimeZone), typed: DateTime, tally: &mut Tally) {
    let (name, clocks) = zone;
    let ambiguous = clocks.to_ambiguous_timestamp(typed).is_ambiguous();
    let text = typed.strftime("%Y-%m-%d %H:%M").to_string();
    let pickup = forms.pickup(name, &text);
    let despatch = forms.despatch(name, &text);
    let of_pickup: &[&str] = &["The clocks change at that time"];
    let of_despatch: &[&str] = &["the clocks go forward", "the clocks go back"];
    for (taken, says) in [(pickup, of_pickup), (despatch, of_despatch)] {
        match taken {
            Ok(taken) => {
                assert_eq!(taken, typed, "{name}: moved in silence");
                assert!(!ambiguous, "{name}: {typed} is none or two");
                tally.kept += 1;
            }
            Err(words) => {
                let said = says.iter().any(|part| words.contains(part));
                assert!(said, "{name}: {words}");
                assert!(ambiguous, "{name}: {typed} was refused for nothing");
                tally.refused += 1;
            }
        }
    }
}

struct Forms {
    pickup: PickupDraft,
    draft: Draft,
    /// The zone of the sender who is picked.
    sender: String,
}

impl Forms {
    fn new() -> Self {
        let group: ManifestGroup =
            serde_json::from_str(r#"{"consignmentIds":[7],"pickupAlreadyBooked":false}"#)
                .expect("a group");
        let mut draft = Draft::default();
        fill(&mut draft, "SO-1");
        Self {
            pickup: PickupDraft::from(group),
            draft,
            sender: String::new(),
        }
    }

    fn pickup(&mut self, zone: &str, text: &str) -> Result<DateTime, String> {
        text.clone_into(&mut self.pickup.pickup);
        match self.pickup.review(&PickupContext::at(before(), zone)).group {
            Ok(group) => Ok(group.pickup_date_time.expect("it was typed").0),
            Err(problems) => Err(problems[0].1.clone()),
        }
    }

    fn pick_sender(&mut self, zone: &str) {
        let sender = serde_json::json!({
            "id": 1, "name": "Harbour Supplies", "abbreviation": "H",
            "location": {"suburb": "Alexandria", "postcode": "2015", "timeZone": zone},
        });
        let sender: CompanyLocation =
            serde_json::from_str(&sender.to_string()).expect("a saved location");
        self.draft.from.set_location(&sender);
        zone.clone_into(&mut self.sender);
    }

    /// The sender's place determines the time zone.
    fn despatch(&mut self, zone: &str, text: &str) -> Result<DateTime, String> {
        if self.sender != zone {
            self.pick_sender(zone);
        }
        text.clone_into(&mut self.draft.despatch);
        // Not the sender's zone.
        let context = CheckContext::at(before(), "UTC");
        let check = self.draft.check(&context);
        let Some(request) = check.request() else {
            let blocked: Vec<_> = check.errors().collect();
            assert_eq!(blocked.len(), 1, "the time alone: {blocked:?}");
            return Err(blocked[0].message.clone());
        };
        match request.despatch() {
            Some(Despatch::Local(taken)) => Ok(taken.0),
            other => panic!("typed on the sender's clocks: {other:?}"),
        }
    }
}

/// Every hour and half hour of all three years.
fn every_half_hour() -> impl Iterator<Item = DateTime> {
    FROM.series(30.minutes()).take_while(|at| *at < TO)
}

#[test]
fn no_typed_time_is_moved_in_any_zone_whose_clocks_change() {
    let begun = Instant::now();
    let zones = changing();
    assert!(zones.len() > 100, "{} zones change", zones.len());
    let (mut read, mut typed) = (Tally::default(), Tally::default());
    let mut forms = Forms::new();
    let hours: Vec<_> = FROM.series(1.hour()).take_while(|at| *at < TO).collect();
    let mut walked = HashSet::new();
    for (name, zone, changes) in &zones {
        // Zones with the same rules are walked through once, but each around its changes.
        let start = zone.to_timestamp(FROM).expect("in range");
        let offset = zone.to_offset(start);
        if walked.insert((offset, changes.clone())) {
            for at in &hours {
                hold((name, zone), *at, &mut read);
            }
        }
        for change in changes {
            let around = change.saturating_sub(4.hours());
            for at in around.series(30.minutes()).take(16) {
                hold((name, zone), at, &mut read);
                hold_in_forms(&mut forms, (name, zone), at, &mut typed);
            }
        }
    }
    assert!(
        read.refused > 1000 && typed.refused > 1000,
        "{read:?} {typed:?}"
    );
    eprintln!(
        "{} zones, {read:?}, in forms {typed:?}, {:?}",
        zones.len(),
        begun.elapsed()
    );
}

#[test]
#[ignore = "long run"]
fn long_run_no_typed_time_is_moved_in_any_zone_at_all() {
    let begun = Instant::now();
    let (mut read, mut typed) = (Tally::default(), Tally::default());
    let mut forms = Forms::new();
    let all: Vec<_> = every_half_hour().collect();
    for name in db().available() {
        let name = name.as_str();
        let zone = TimeZone::get(name).expect("a zone that is there");
        for at in &all {
            hold((name, &zone), *at, &mut read);
        }
    }
    eprintln!("{read:?}, {:?}", begun.elapsed());
    for (name, zone, _) in &changing() {
        for at in all.iter().step_by(2) {
            hold_in_forms(&mut forms, (name, zone), *at, &mut typed);
        }
    }
    eprintln!("{read:?}, in forms {typed:?}, {:?}", begun.elapsed());
}
