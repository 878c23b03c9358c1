//! The scale at the bench: reads it while a service is open, and takes its weights for goods lines.

use std::sync::mpsc::{self, Receiver, TrySendError};
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;

use crate::core::Core;
use crate::state::{Notice, Screen, Tone};
use devices::Watch;
use devices::problem::{DeviceKind, DeviceProblem};
use devices::scale::{ScaleEvent, ScaleSettings, watch};
use devices::taking::{CurrentReading, NotTaken, STALE_AFTER, ScaleLoad, Taken};
use devices::telegram::{Reading, ReadingState, TelegramError};
use devices::weight::{Weight, WeightUnit};
use draft::{DraftId, GoodsLine, Weighing, number};
use engine::Repaint;
use shipping::Clock;

/// Maximum number of events that wait for the window. Scales send 5 to 20 readings a second.
const MOST_EVENTS: usize = 2_000;

/// The scale as the screens show it.
#[derive(Debug, Clone, Default)]
pub struct ScaleView {
    /// The scale's name; `None` while no scale is set up.
    pub name: Option<String>,
    pub state: ScaleState,
    /// Counts how often a weight became stable after the load changed.
    pub stable_loads: u64,
    /// The last refusal to take a weight, until the load or the line's weight changes.
    pub refusal: Option<TakeRefusal>,
    pub test: ScaleTest,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ScaleState {
    /// The scale hasn't sent a reading for a second.
    #[default]
    NoReading,
    Reading(Reading),
    Unreadable(TelegramError),
    Problem(DeviceProblem),
}

/// Why a weight was not taken for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakeRefusal {
    pub draft: DraftId,
    pub line: usize,
    pub reason: NotTaken,
    /// The weight in the line's field at that time.
    typed: String,
}

/// The test of the scale in Settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScaleTest {
    #[default]
    NotStarted,
    /// Waits until something is on the scale and its weight is stable.
    Waiting,
    /// This weight would be taken.
    Weighed(Weight),
}

impl ScaleState {
    /// Returns the weight with its unit; a dash if there is none.
    pub fn weight(&self) -> String {
        let weight = match self {
            Self::Reading(reading) => reading.weight,
            _ => None,
        };
        weight.map_or_else(|| "–".to_owned(), |weight| weight.to_string())
    }

    /// Returns the state in words.
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Reading(reading) => match reading.state {
                ReadingState::Stable => "stable",
                ReadingState::InMotion => "moving",
                ReadingState::Zero => "zero",
                ReadingState::BelowZero => "below zero",
                ReadingState::OverCapacity => "too heavy",
            },
            Self::NoReading | Self::Unreadable(_) | Self::Problem(_) => "no reading",
        }
    }

    pub const fn tone(&self) -> Tone {
        match self {
            Self::Reading(reading) => match reading.state {
                ReadingState::Stable => Tone::Ok,
                ReadingState::InMotion => Tone::Accent,
                ReadingState::Zero => Tone::Neutral,
                ReadingState::BelowZero | ReadingState::OverCapacity => Tone::Warning,
            },
            Self::NoReading => Tone::Neutral,
            Self::Unreadable(_) | Self::Problem(_) => Tone::Warning,
        }
    }

    /// Returns what is wrong with the scale, and what to do about it.
    pub fn problem(&self) -> Option<(String, String)> {
        const SCALE: DeviceKind = DeviceKind::Scale;
        match self {
            Self::Problem(problem) => Some((problem.message(SCALE), problem.advice(SCALE))),
            Self::Unreadable(error) => Some((error.to_string(), String::new())),
            Self::Reading(_) | Self::NoReading => None,
        }
    }
}

/// Returns a weight as the field for kilograms accepts it.
pub(crate) fn kilograms_text(weight: Weight) -> String {
    number::to_text(weight.to_kilograms())
}

/// Returns a weight with its value in kilograms if the scale uses another unit: `5.50 lb (2.494758 kg)`.
pub(crate) fn with_kilograms(weight: Weight) -> String {
    match weight.unit {
        WeightUnit::Kilogram => weight.to_string(),
        _ => format!("{weight} ({} kg)", kilograms_text(weight)),
    }
}

/// The scale that is read.
#[derive(Default)]
pub(crate) struct ScaleUpdate {
    watched: Option<WatchedScale>,
}

struct WatchedScale {
    settings: ScaleSettings,
    /// Ends the thread when it is dropped.
    _watch: Watch,
    events: Receiver<(ScaleEvent, Instant)>,
    load: ScaleLoad,
    /// The load on the scale since the test in Settings began.
    tested: Option<ScaleLoad>,
    /// Why there are no readings, until the next one.
    failure: Option<ScaleState>,
    /// When the last reading came.
    last_reading: Option<Instant>,
    /// The weight that was taken last, as its goods line has it.
    last_taken: Option<Weighing>,
}

impl WatchedScale {
    fn start(settings: ScaleSettings, clock: Clock, repaint: Repaint) -> Self {
        let (sender, events) = mpsc::sync_channel(MOST_EVENTS);
        let mut news = NewsFilter::default();
        let watch = watch(settings.clone(), move |event| {
            let is_news = news.is_news(&event);
            match sender.try_send((event, clock.instant())) {
                Ok(()) if is_news => repaint(),
                // A full queue has more than a minute of readings. The thread must not wait: it would read the
                // scale's older bytes late, as if they were new.
                Err(TrySendError::Full(_)) => repaint(),
                Ok(()) | Err(TrySendError::Disconnected(_)) => {}
            }
        });
        Self {
            settings,
            _watch: watch,
            events,
            load: ScaleLoad::default(),
            tested: None,
            failure: None,
            last_reading: None,
            last_taken: None,
        }
    }

    fn state(&self, now: Instant) -> ScaleState {
        match (self.load.current(now), &self.failure) {
            (_, Some(failure @ ScaleState::Problem(_))) => failure.clone(),
            (CurrentReading::Fresh(reading), _) => ScaleState::Reading(reading.clone()),
            (_, Some(failure)) => failure.clone(),
            _ => ScaleState::NoReading,
        }
    }

    /// Returns whether the weight on the scale is the last one that was taken, and was taken for these goods.
    fn was_taken_for(&self, goods: &GoodsLine, now: Instant) -> bool {
        goods.weighing().is_some_and(|weighing| {
            self.last_taken.as_ref() == Some(weighing)
                && weighing.reading == self.state(now).weight()
        })
    }
}

/// Finds the events for which the window has to be woken. A scale at rest sends the same reading several times a
/// second. The second reading still counts, because it confirms the first.
#[derive(Default)]
struct NewsFilter {
    last: Option<(ReadingState, Option<Weight>)>,
    is_confirmed: bool,
}

impl NewsFilter {
    fn is_news(&mut self, event: &ScaleEvent) -> bool {
        let ScaleEvent::Reading(reading) = event else {
            *self = Self::default();
            return true;
        };
        let shown = Some((reading.state, reading.weight));
        if self.last == shown {
            return !std::mem::replace(&mut self.is_confirmed, true);
        }
        (self.last, self.is_confirmed) = (shown, false);
        true
    }
}

impl Core {
    /// Starts reading the scale of the settings, or stops if there is none any more.
    pub(super) fn watch_scale(&mut self) {
        let wanted = &self.setup.settings.scale;
        let watched = self.scale.watched.as_ref();
        if watched.map(|watched| &watched.settings) == wanted.as_ref() {
            return;
        }
        let clock = self.setup.clock.clone();
        let repaint = self.setup.tasks.repaint();
        // The old watch is dropped first, because it may use the same port.
        self.scale.watched = None;
        self.scale.watched =
            { wanted.clone() }.map(|scale| WatchedScale::start(scale, clock, repaint));
        let view = &mut self.shared.scale;
        *view = ScaleView {
            name: wanted.as_ref().map(|scale| scale.name.clone()),
            stable_loads: view.stable_loads,
            ..ScaleView::default()
        };
    }

    /// Handles the events of the scale.
    pub(super) fn read_scale(&mut self) {
        let Some(watched) = &mut self.scale.watched else {
            return;
        };
        while let Ok((event, at)) = watched.events.try_recv() {
            match event {
                ScaleEvent::Connected => watched.failure = None,
                ScaleEvent::Problem(problem) => {
                    watched.failure = Some(ScaleState::Problem(problem));
                    let test = &mut self.shared.scale.test;
                    if let ScaleTest::Weighed(_) = *test {
                        *test = ScaleTest::NotStarted;
                    }
                }
                ScaleEvent::Unreadable(error) => {
                    for load in [Some(&mut watched.load), watched.tested.as_mut()] {
                        load.into_iter().for_each(ScaleLoad::record_unreadable);
                    }
                    watched.failure = Some(ScaleState::Unreadable(error));
                }
                ScaleEvent::Reading(reading) => {
                    record(watched, reading, at, &mut self.shared.scale);
                }
            }
        }
        let state = watched.state(self.setup.clock.instant());
        let view = &mut self.shared.scale;
        let goods = &self.editing.draft.goods;
        let is_unloaded = matches!(&state, ScaleState::Reading(reading)
            if matches!(reading.state, ReadingState::Zero | ReadingState::BelowZero));
        view.refusal = view.refusal.take().filter(|refusal| {
            let line = goods.get(refusal.line);
            let is_typed = line.is_none_or(|line| line.weight != refusal.typed);
            let is_over = match refusal.reason {
                NotTaken::SameLoad => is_unloaded,
                _ => state.label() != view.state.label(),
            };
            refusal.draft == self.editing.draft.id && !is_typed && !is_over
        });
        view.state = state;
    }

    /// Returns the time until the last reading is too old to be shown, on the screens that show it.
    pub(super) fn next_stale_reading(&self) -> Option<Duration> {
        let is_shown = matches!(self.shared.screen, Screen::Consign | Screen::Settings);
        let is_fresh = matches!(self.shared.scale.state, ScaleState::Reading(_));
        let last = self.scale.watched.as_ref()?.last_reading?;
        let age = self.setup.clock.instant().saturating_duration_since(last);
        (is_shown && is_fresh).then(|| STALE_AFTER.saturating_sub(age))
    }

    /// Takes the weight from the scale for a goods line. Asked a second time for the same load, uses it again, since
    /// the clerk has read the warning.
    pub(super) fn take_weight(&mut self, line: usize, by_itself: bool) {
        let Some(watched) = &mut self.scale.watched else {
            let advice = "Connect it in Settings, on the page Scale and scanner";
            return self.notify(Notice::new(Tone::Warning, "No scale is set up", advice));
        };
        let draft = &mut self.editing.draft;
        let Some(goods) = draft.goods.get_mut(line) else {
            return;
        };
        if by_itself && !goods.weight.trim().is_empty() {
            return;
        }
        let view = &mut self.shared.scale;
        let refused = view.refusal.take();
        let is_confirmed = refused
            .is_some_and(|refusal| refusal.line == line && refusal.reason == NotTaken::SameLoad);
        let now = self.setup.clock.instant();
        let taken = if is_confirmed && !by_itself {
            watched.load.take_again(now)
        } else {
            watched.load.take(now)
        };
        match taken {
            Ok(taken) => {
                // The reading is less than a second old.
                let at = self.setup.clock.now();
                let zone = TimeZone::get(&self.shared.session.zone).unwrap_or(TimeZone::UTC);
                let at = at.to_zoned(TimeZone::fixed(zone.to_offset(at)));
                let weighing = weighing(&watched.settings.name, &taken, at);
                watched.last_taken = Some(weighing.clone());
                goods.set_weighing(weighing);
            }
            Err(_) if by_itself => {}
            // The line has this weight already. The key may have been pressed just when the weight was taken by itself.
            Err(NotTaken::SameLoad) if watched.was_taken_for(goods, now) => {}
            Err(reason) => {
                view.refusal = Some(TakeRefusal {
                    line,
                    reason,
                    typed: goods.weight.clone(),
                    draft: draft.id.clone(),
                });
            }
        }
    }

    /// Starts the test: the next stable weight is shown, and not taken.
    pub(super) fn test_scale(&mut self) {
        if let Some(watched) = &mut self.scale.watched {
            watched.tested = Some(ScaleLoad::default());
            self.shared.scale.test = ScaleTest::Waiting;
        }
    }
}

fn record(watched: &mut WatchedScale, reading: Reading, at: Instant, view: &mut ScaleView) {
    watched.failure = None;
    watched.last_reading = Some(at);
    if let Some(tested) = &mut watched.tested
        && let Some(weight) = tested.record(reading.clone(), at)
    {
        watched.tested = None;
        view.test = ScaleTest::Weighed(weight);
    }
    if watched.load.record(reading, at).is_some() {
        view.stable_loads += 1;
    }
}

fn weighing(scale: &str, taken: &Taken, at: jiff::Zoned) -> Weighing {
    Weighing {
        at,
        scale: scale.to_owned(),
        reading: taken.weight.to_string(),
        kilograms: kilograms_text(taken.weight),
        telegram: taken.telegram.escape_ascii().to_string(),
    }
}
