//! The rules for taking a weight from a scale for a piece.
//!
//! - Only a stable reading above zero that is younger than a second may be taken.
//! - A state or weight counts only if two telegrams in a row agree on it, with no unreadable one between them. Serial
//!   protocols have no checksums, and noise hardly ever spoils two telegrams in the same way.
//! - The same load is never taken for two pieces: the scale must have been unloaded in between, or the clerk confirms.

use std::time::{Duration, Instant};

use rust_decimal::Decimal;

use crate::telegram::{Reading, ReadingState};
use crate::weight::Weight;

/// The age from which a reading is stale.
pub const STALE_AFTER: Duration = Duration::from_secs(1);

/// A stable reading below this fraction of the weight taken last also shows that the scale was unloaded, since scales
/// often settle a little above zero. Such a rest is not a load.
const UNLOADED_FRACTION: Decimal = Decimal::from_parts(2, 0, 0, false, 2);

/// The load on a scale, as its readings describe it.
#[derive(Debug, Default)]
pub struct ScaleLoad {
    last: Option<RecordedReading>,
    /// Whether an unreadable telegram followed the last reading.
    is_interrupted: bool,
    /// The weight taken last, until the scale reads zero.
    taken: Option<Weight>,
    /// Whether the scale was unloaded after the last weight was taken.
    is_unloaded: bool,
    /// The weight returned last by [`Self::record`], until the scale is unloaded.
    announced: Option<Weight>,
}

#[derive(Debug)]
struct RecordedReading {
    reading: Reading,
    at: Instant,
    /// Whether the telegram before agrees.
    is_confirmed: bool,
}

/// The reading for the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurrentReading<'a> {
    /// The scale has not sent a reading yet.
    Missing,
    Fresh(&'a Reading),
    /// A second old or older.
    Stale(&'a Reading),
}

/// A weight taken for a piece, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub weight: Weight,
    /// The bytes that the scale sent.
    pub telegram: Vec<u8>,
    /// When the telegram was read.
    pub at: Instant,
}

/// Why no weight may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    #[error("The scale hasn't sent a weight yet")]
    NothingRead,
    #[error("The scale's last reading is too old. Check its connection")]
    Stale,
    #[error("The weight isn't stable yet. Wait a moment, then try again")]
    Moving,
    #[error("The scale reads zero. Put the piece on the scale")]
    Zero,
    #[error("The scale reads below zero. Empty the scale and press its zero key")]
    BelowZero,
    #[error("The piece is too heavy for this scale")]
    OverCapacity,
    #[error(
        "This weight was already used. Take the last piece off first, or confirm to use it again"
    )]
    SameLoad,
}

impl ScaleLoad {
    /// Records a reading. Returns the weight if it just became stable after the load changed and may be taken: the
    /// screen then fills a focused, empty weight field by calling [`Self::take`].
    pub fn record(&mut self, reading: Reading, at: Instant) -> Option<Weight> {
        let is_confirmed = !self.is_interrupted && { self.last.as_ref() }
            .is_some_and(|last| !last.is_stale(at) && do_agree(&last.reading, &reading));
        self.is_interrupted = false;
        if is_confirmed && self.is_unloaded_by(&reading) {
            (self.is_unloaded, self.announced) = (true, None);
            if is_empty(&reading) {
                self.taken = None;
            }
        }
        self.last = Some(RecordedReading {
            reading,
            at,
            is_confirmed,
        });
        let weight = self.next_load(at).ok()?.weight;
        let announced = self.announced.replace(weight);
        (announced != Some(weight)).then_some(weight)
    }

    /// Records that a telegram could not be read. The readings before and after it don't confirm each other.
    pub fn record_unreadable(&mut self) {
        self.is_interrupted = true;
    }

    pub fn current(&self, now: Instant) -> CurrentReading<'_> {
        match &self.last {
            None => CurrentReading::Missing,
            Some(last) if last.is_stale(now) => CurrentReading::Stale(&last.reading),
            Some(last) => CurrentReading::Fresh(&last.reading),
        }
    }

    /// Takes the weight of the load for a piece.
    pub fn take(&mut self, now: Instant) -> Result<Taken, NotTaken> {
        let taken = self.next_load(now)?;
        (self.taken, self.is_unloaded) = (Some(taken.weight), false);
        Ok(taken)
    }

    /// Takes the weight although the load may be that of the piece before, because the clerk confirmed it.
    pub fn take_again(&mut self, now: Instant) -> Result<Taken, NotTaken> {
        let taken = self.stable_load(now)?;
        (self.taken, self.is_unloaded) = (Some(taken.weight), false);
        Ok(taken)
    }

    fn next_load(&self, now: Instant) -> Result<Taken, NotTaken> {
        let load = self.stable_load(now)?;
        match self.taken {
            Some(_) if !self.is_unloaded => Err(NotTaken::SameLoad),
            Some(taken) if is_rest_of(taken, load.weight) => Err(NotTaken::Zero),
            _ => Ok(load),
        }
    }

    fn stable_load(&self, now: Instant) -> Result<Taken, NotTaken> {
        let last = self.last.as_ref().ok_or(NotTaken::NothingRead)?;
        if last.is_stale(now) {
            return Err(NotTaken::Stale);
        }
        let refusal = match last.reading.state {
            ReadingState::Stable | ReadingState::InMotion => NotTaken::Moving,
            ReadingState::Zero => NotTaken::Zero,
            ReadingState::BelowZero => NotTaken::BelowZero,
            ReadingState::OverCapacity => NotTaken::OverCapacity,
        };
        match last.reading.weight {
            Some(weight) if last.is_confirmed && last.reading.state == ReadingState::Stable => {
                Ok(Taken {
                    weight,
                    telegram: last.reading.telegram.clone(),
                    at: last.at,
                })
            }
            _ => Err(refusal),
        }
    }

    fn is_unloaded_by(&self, reading: &Reading) -> bool {
        let is_rest = reading.state == ReadingState::Stable && { self.taken.zip(reading.weight) }
            .is_some_and(|(taken, weight)| is_rest_of(taken, weight));
        is_empty(reading) || is_rest
    }
}

impl RecordedReading {
    fn is_stale(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.at) >= STALE_AFTER
    }
}

fn is_empty(reading: &Reading) -> bool {
    matches!(reading.state, ReadingState::Zero | ReadingState::BelowZero)
}

fn is_rest_of(taken: Weight, weight: Weight) -> bool {
    weight.to_kilograms() < taken.to_kilograms() * UNLOADED_FRACTION
}

fn do_agree(a: &Reading, b: &Reading) -> bool {
    (a.state == b.state && a.weight == b.weight) || (is_empty(a) && is_empty(b))
}
