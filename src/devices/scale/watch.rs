//! The thread that reads one scale and reconnects by itself.

use std::convert::Infallible;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::connection::{self, Line};
use super::problem::ScaleProblem;
use super::settings::ScaleSettings;
use crate::telegram::{Reading, ScaleProtocol, TelegramError, TelegramReader};

/// The time between two requests.
const REQUEST_INTERVAL: Duration = Duration::from_millis(200);

/// The silence after which an incomplete telegram is cut off.
const CUT_OFF_AFTER: Duration = Duration::from_millis(300);

/// The silence after which the connection is opened anew.
const NO_ANSWER_AFTER: Duration = Duration::from_secs(2);

/// The first and the longest pause before a new attempt to connect. Each failure doubles the pause.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScaleEvent {
    /// The scale sent its first bytes since it was opened.
    Connected,
    Reading(Reading),
    Unreadable(TelegramError),
    /// The scale can't be read now. Each attempt to reconnect reports its problem only if it differs from the last.
    Problem(ScaleProblem),
}

/// Reads a scale until it is dropped. The thread then ends within half a second, or when a running look-up of a host
/// name ends, and may still report one event.
#[derive(Debug)]
pub struct Watch {
    /// Dropping the sender ends the thread.
    _running: SyncSender<Infallible>,
}

/// Starts a thread that connects to the scale, reads it about five times a second and reconnects by itself.
///
/// `on_event` runs on that thread and should return quickly, since no bytes are read meanwhile.
pub fn watch(
    settings: ScaleSettings,
    mut on_event: impl FnMut(ScaleEvent) + Send + 'static,
) -> Watch {
    let (running, stop) = mpsc::sync_channel(0);
    let thread = thread::Builder::new()
        .name("scale".to_owned())
        .spawn(move || keep_reading(&settings, &stop, &mut on_event));
    if let Err(error) = thread {
        tracing::error!(%error, "the thread for the scale can't be started");
    }
    Watch { _running: running }
}

fn keep_reading(
    settings: &ScaleSettings,
    stop: &Receiver<Infallible>,
    on_event: &mut dyn FnMut(ScaleEvent),
) {
    let mut pause = FIRST_PAUSE;
    let mut reported = None;
    loop {
        let mut has_answered = false;
        let outcome = connection::open(settings).and_then(|line| {
            read_scale(line, settings, stop, &mut |event| {
                has_answered = true;
                on_event(event);
            })
        });
        let Err(problem) = outcome else { return };
        if has_answered {
            (pause, reported) = (FIRST_PAUSE, None);
        }
        if reported.as_ref() != Some(&problem) {
            tracing::info!(scale = settings.name, %problem, "scale not read");
            on_event(ScaleEvent::Problem(problem.clone()));
            reported = Some(problem);
        }
        if is_stopped(stop, pause) {
            return;
        }
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

/// Waits, and returns early if the watch is dropped.
fn is_stopped(stop: &Receiver<Infallible>, wait: Duration) -> bool {
    stop.recv_timeout(wait) != Err(RecvTimeoutError::Timeout)
}

/// Reads the scale until the watch is dropped, which is `Ok`, or the connection fails.
fn read_scale(
    mut line: Box<dyn Line>,
    settings: &ScaleSettings,
    stop: &Receiver<Infallible>,
    on_event: &mut dyn FnMut(ScaleEvent),
) -> Result<(), ScaleProblem> {
    let mut reader = TelegramReader::with_format(settings.protocol, settings.digits);
    let mut buffer = [0; 64];
    let mut is_connected = false;
    let mut last_heard = Instant::now();
    let mut last_asked: Option<Instant> = None;
    while !is_stopped(stop, Duration::ZERO) {
        let is_due = last_asked.is_none_or(|asked| asked.elapsed() >= REQUEST_INTERVAL);
        if let Some(request) = settings.protocol.request().filter(|_| is_due) {
            match line.write_all(request) {
                Ok(()) => last_asked = Some(Instant::now()),
                Err(error) if is_timeout(&error) => (),
                Err(error) => return Err(lost(&error)),
            }
        }
        match line.read(&mut buffer) {
            Ok(0) => return Err(ScaleProblem::Lost),
            Ok(length) => {
                last_heard = Instant::now();
                if !is_connected {
                    is_connected = true;
                    on_event(ScaleEvent::Connected);
                }
                for result in reader.push(&buffer[..length]) {
                    on_event(result.map_or_else(ScaleEvent::Unreadable, ScaleEvent::Reading));
                }
            }
            Err(error) if is_timeout(&error) => (),
            Err(error) => return Err(lost(&error)),
        }
        let is_report_over = settings.protocol == ScaleProtocol::UsbHid;
        if (is_report_over || last_heard.elapsed() >= CUT_OFF_AFTER)
            && let Some(error) = reader.finish()
        {
            on_event(ScaleEvent::Unreadable(error));
        }
        if last_heard.elapsed() >= NO_ANSWER_AFTER {
            return Err(ScaleProblem::NoAnswer);
        }
    }
    Ok(())
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

fn lost(error: &io::Error) -> ScaleProblem {
    tracing::debug!(%error, "the connection to the scale was lost");
    ScaleProblem::Lost
}
