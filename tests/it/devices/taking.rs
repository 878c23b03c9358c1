//! The rules for taking a weight: stable, fresh, confirmed by a second telegram, and once per load.

use std::time::{Duration, Instant};

use devices::taking::{CurrentReading, NotTaken, ScaleLoad};
use devices::telegram::Reading;
use devices::telegram::ReadingState::{self, BelowZero, InMotion, OverCapacity, Stable, Zero};
use devices::weight::{Weight, WeightUnit};

/// A scale that sends a reading every 200 ms.
struct Scale {
    load: ScaleLoad,
    now: Instant,
}

impl Scale {
    fn new() -> Self {
        Self {
            load: ScaleLoad::default(),
            now: Instant::now(),
        }
    }

    /// Sends one reading. `kilograms` is empty for a reading without a weight.
    fn send(&mut self, state: ReadingState, kilograms: &str) -> Option<String> {
        self.now += Duration::from_millis(200);
        let weight = { kilograms.parse().ok() }
            .map(|kilograms| Weight::new(kilograms, WeightUnit::Kilogram));
        let reading = Reading {
            state,
            weight,
            telegram: format!("{state:?} {kilograms}").into_bytes(),
        };
        { self.load.record(reading, self.now) }.map(|weight| weight.to_string())
    }

    fn send_twice(&mut self, state: ReadingState, kilograms: &str) {
        self.send(state, kilograms);
        self.send(state, kilograms);
    }

    fn take(&mut self) -> Result<String, NotTaken> {
        { self.load.take(self.now) }.map(|taken| taken.weight.to_string())
    }
}

#[test]
fn nothing_is_taken_before_the_scale_sent_anything() {
    let mut scale = Scale::new();
    assert_eq!(scale.take(), Err(NotTaken::NothingRead));
    assert_eq!(scale.load.current(scale.now), CurrentReading::Missing);
}

#[test]
fn a_stable_weight_is_taken_with_its_telegram_and_time() {
    let mut scale = Scale::new();
    scale.send_twice(Stable, "2.50");
    let taken = scale.load.take(scale.now).unwrap();
    assert_eq!(taken.weight.to_string(), "2.50 kg");
    assert_eq!(
        (&taken.telegram[..], taken.at),
        (&b"Stable 2.50"[..], scale.now)
    );
}

#[test]
fn a_weight_counts_only_if_two_telegrams_in_a_row_agree() {
    let mut scale = Scale::new();
    scale.send(Stable, "2.50");
    assert_eq!(scale.take(), Err(NotTaken::Moving));
    scale.send(Stable, "7.50");
    assert_eq!(scale.take(), Err(NotTaken::Moving));
    scale.send(Stable, "2.50");
    assert_eq!(scale.take(), Err(NotTaken::Moving));
    scale.send(Stable, "2.50");
    assert_eq!(scale.take().as_deref(), Ok("2.50 kg"));
}

#[test]
fn readings_on_both_sides_of_an_unreadable_telegram_or_a_long_silence_dont_confirm_each_other() {
    let mut scale = Scale::new();
    scale.send(Stable, "2.50");
    scale.load.record_unreadable();
    scale.send(Stable, "2.50");
    assert_eq!(scale.take(), Err(NotTaken::Moving));
    scale.now += Duration::from_secs(2);
    scale.send(Stable, "2.50");
    assert_eq!(scale.take(), Err(NotTaken::Moving));
}

#[test]
fn moving_zero_below_zero_and_overload_are_refused_by_name() {
    for (state, kilograms, wanted) in [
        (InMotion, "2.50", NotTaken::Moving),
        (InMotion, "", NotTaken::Moving),
        (Zero, "0.00", NotTaken::Zero),
        (BelowZero, "-0.50", NotTaken::BelowZero),
        (OverCapacity, "", NotTaken::OverCapacity),
    ] {
        let mut scale = Scale::new();
        scale.send_twice(Stable, "2.50");
        scale.send_twice(state, kilograms);
        assert_eq!(scale.take(), Err(wanted));
        let again = scale.load.take_again(scale.now);
        assert_eq!(again, Err(wanted), "not even when the clerk confirms");
    }
}

#[test]
fn a_reading_is_stale_after_a_second() {
    let mut scale = Scale::new();
    scale.send_twice(Stable, "2.50");
    scale.now += Duration::from_millis(999);
    assert!(matches!(
        scale.load.current(scale.now),
        CurrentReading::Fresh(_)
    ));
    scale.now += Duration::from_millis(1);
    assert!(matches!(
        scale.load.current(scale.now),
        CurrentReading::Stale(_)
    ));
    assert_eq!(scale.take(), Err(NotTaken::Stale));
    assert_eq!(scale.load.take_again(scale.now), Err(NotTaken::Stale));
}

#[test]
fn the_same_load_is_not_taken_for_the_next_piece() {
    let mut scale = Scale::new();
    scale.send_twice(Stable, "2.50");
    assert_eq!(scale.take().as_deref(), Ok("2.50 kg"));
    scale.send_twice(Stable, "2.50");
    assert_eq!(scale.take(), Err(NotTaken::SameLoad));
    scale.send_twice(InMotion, "3.10");
    scale.send_twice(Stable, "3.00");
    assert_eq!(scale.take(), Err(NotTaken::SameLoad), "only heavier");
}

#[test]
fn an_unloaded_scale_gives_the_next_weight() {
    for (state, kilograms) in [
        (Zero, "0.00"),
        (Zero, ""),
        (BelowZero, ""),
        (Stable, "0.02"),
    ] {
        let mut scale = Scale::new();
        scale.send_twice(Stable, "2.50");
        assert_eq!(scale.take().as_deref(), Ok("2.50 kg"));
        scale.send_twice(state, kilograms);
        scale.send_twice(Stable, "2.50");
        assert_eq!(scale.take().as_deref(), Ok("2.50 kg"), "{state:?}");
    }
}

#[test]
fn a_scale_that_settles_a_little_above_zero_carries_no_new_load() {
    let mut scale = Scale::new();
    scale.send_twice(Stable, "2.50");
    assert_eq!(scale.take().as_deref(), Ok("2.50 kg"));
    for rest in ["0.02", "0.02", "0.03", "0.03"] {
        assert_eq!(scale.send(Stable, rest), None);
    }
    assert_eq!(scale.take(), Err(NotTaken::Zero));
    scale.send(Stable, "1.80");
    assert_eq!(scale.send(Stable, "1.80").as_deref(), Some("1.80 kg"));
    assert_eq!(scale.take().as_deref(), Ok("1.80 kg"));
}

#[test]
fn a_single_spoilt_zero_does_not_unload_the_scale() {
    let mut scale = Scale::new();
    scale.send_twice(Stable, "2.50");
    assert_eq!(scale.take().as_deref(), Ok("2.50 kg"));
    scale.send(Zero, "0.00");
    scale.send_twice(Stable, "2.50");
    assert_eq!(scale.take(), Err(NotTaken::SameLoad));
}

#[test]
fn the_clerk_may_confirm_to_take_the_same_load_again() {
    let mut scale = Scale::new();
    scale.send_twice(Stable, "2.50");
    assert_eq!(scale.take().as_deref(), Ok("2.50 kg"));
    let again = scale.load.take_again(scale.now).unwrap();
    assert_eq!(again.weight.to_string(), "2.50 kg");
    assert_eq!(scale.take(), Err(NotTaken::SameLoad));
}

#[test]
fn a_load_is_announced_once_when_it_becomes_stable() {
    let mut scale = Scale::new();
    let announced = Some("2.50 kg".to_owned());
    assert_eq!(scale.send(InMotion, "2.10"), None);
    assert_eq!(scale.send(Stable, "2.50"), None);
    assert_eq!(scale.send(Stable, "2.50"), announced);
    assert_eq!(scale.send(Stable, "2.50"), None);
    scale.send_twice(InMotion, "2.60");
    assert_eq!(scale.send(Stable, "2.50"), None);
    assert_eq!(scale.send(Stable, "2.50"), None, "touched, not changed");
    scale.send_twice(Zero, "");
    assert_eq!(scale.send(Stable, "2.50"), None);
    assert_eq!(scale.send(Stable, "2.50"), announced, "the next piece");
}

#[test]
fn a_load_that_was_taken_is_not_announced_until_the_scale_is_unloaded() {
    let mut scale = Scale::new();
    scale.send_twice(Stable, "2.50");
    assert_eq!(scale.take().as_deref(), Ok("2.50 kg"));
    scale.send(Stable, "3.00");
    assert_eq!(scale.send(Stable, "3.00"), None);
    scale.send_twice(Zero, "");
    scale.send(Stable, "3.00");
    assert_eq!(scale.send(Stable, "3.00"), Some("3.00 kg".to_owned()));
}
