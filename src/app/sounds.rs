//! The sounds for scans: one for found, and another for not found.
//!
//! A thread of its own plays them, so that a slow or missing device disturbs nothing.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rodio::source::{SineWave, Source};
use rodio::{DeviceSinkBuilder, DeviceSinkError, MixerDeviceSink, Player};

use crate::core::Core;

/// How long the device stays open after a sound. Opening takes a tenth of a second, which is late for quick scans.
const STAYS_OPEN: Duration = Duration::from_secs(10);

/// How long no sound is tried after the device could not be opened.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_mins(1);

/// Maximum number of sounds that wait. A new sound ends the one before.
const MOST_WAITING: usize = 8;

/// Rising from silence without this delay clicks.
const FADE_IN: Duration = Duration::from_millis(5);

const VOLUME: f32 = 0.5;

/// A sound for a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanSound {
    /// The scanned item is open or counted.
    Found,
    /// Nothing was found, or the scanned item is wrong: the clerk has to look.
    NotFound,
}

/// A tone: its frequency in hertz, and the lengths of the silence before it and of the tone in milliseconds.
type Tone = (f32, u64, u64);

impl ScanSound {
    /// One short high tone, or two long low ones.
    const fn tones(self) -> &'static [Tone] {
        match self {
            Self::Found => &[(1_760.0, 0, 160)],
            Self::NotFound => &[(440.0, 0, 260), (440.0, 80, 260)],
        }
    }
}

/// Plays a sound. Returns at once.
pub type SoundPlayer = Arc<dyn Fn(ScanSound) + Send + Sync>;

/// Returns a player that plays nothing.
pub fn silent_player() -> SoundPlayer {
    Arc::new(|_| ())
}

/// Returns a player for the computer's default sound device.
pub fn device_player() -> SoundPlayer {
    let (sender, sounds) = mpsc::sync_channel(MOST_WAITING);
    let thread = thread::Builder::new().name("sounds".to_owned());
    if let Err(error) = thread.spawn(move || play_sounds(&sounds)) {
        tracing::error!(%error, "the thread for sounds can't be started");
    }
    Arc::new(move |sound| {
        // A full queue means that the device hangs.
        if sender.try_send(sound).is_err() {
            tracing::debug!(?sound, "sound left out");
        }
    })
}

/// Plays sounds until the player is dropped.
fn play_sounds(sounds: &Receiver<ScanSound>) {
    let mut device: Option<(MixerDeviceSink, Player)> = None;
    let mut failed_at: Option<Instant> = None;
    loop {
        match sounds.recv_timeout(STAYS_OPEN) {
            Ok(sound) => {
                if failed_at.is_some_and(|at| at.elapsed() < PAUSE_AFTER_FAILURE) {
                    continue;
                }
                match play(device.take(), sound) {
                    Ok(playing) => (device, failed_at) = (Some(playing), None),
                    Err(error) if failed_at.is_none() => {
                        tracing::warn!(%error, "sounds can't be played");
                        failed_at = Some(Instant::now());
                    }
                    Err(_) => failed_at = Some(Instant::now()),
                }
            }
            Err(RecvTimeoutError::Timeout) => device = None,
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Plays a sound on the device, which is opened if it is not open yet. The sound before ends at once.
fn play(
    device: Option<(MixerDeviceSink, Player)>,
    sound: ScanSound,
) -> Result<(MixerDeviceSink, Player), DeviceSinkError> {
    let sink = if let Some((sink, before)) = device {
        drop(before);
        sink
    } else {
        let mut sink = DeviceSinkBuilder::open_default_sink()?;
        sink.log_on_drop(false);
        sink
    };
    let player = Player::connect_new(sink.mixer());
    for (frequency, silence, length) in sound.tones() {
        let mut tone = SineWave::new(*frequency).take_duration(Duration::from_millis(*length));
        tone.set_filter_fadeout();
        let tone = tone.fade_in(FADE_IN).amplify(VOLUME);
        player.append(tone.delay(Duration::from_millis(*silence)));
    }
    Ok((sink, player))
}

impl Core {
    /// Plays a sound, unless sounds are switched off.
    pub(super) fn sound(&self, sound: ScanSound) {
        if self.shared.bench.scan_sounds {
            (self.setup.sounds)(sound);
        }
    }
}
