//! Reads one scale and reconnects by itself.

use std::time::{Duration, Instant};

use super::connection;
use super::settings::ScaleSettings;
use crate::problem::DeviceProblem;
use crate::telegram::{Reading, ScaleProtocol, TelegramError, TelegramReader};
use crate::watch::{self, Watch, WatchEnd, is_timeout, lost};

/// The time between two requests.
const REQUEST_INTERVAL: Duration = Duration::from_millis(200);

/// The silence after which an incomplete telegram is cut off.
const CUT_OFF_AFTER: Duration = Duration::from_millis(300);

/// The silence after which the connection is opened anew.
const NO_ANSWER_AFTER: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScaleEvent {
    /// The scale sent its first bytes since it was opened.
    Connected,
    Reading(Reading),
    Unreadable(TelegramError),
    /// The scale can't be read now.
    Problem(DeviceProblem),
}

impl From<DeviceProblem> for ScaleEvent {
    fn from(problem: DeviceProblem) -> Self {
        Self::Problem(problem)
    }
}

/// Starts a thread that connects to the scale, reads it about five times a second and reconnects by itself. Each
/// attempt to reconnect reports its problem only if it differs from the last.
///
/// `on_event` runs on that thread and should return quickly, since no bytes are read meanwhile.
pub fn watch(settings: ScaleSettings, on_event: impl FnMut(ScaleEvent) + Send + 'static) -> Watch {
    watch::watch(
        "scale",
        move |end, on_event| read_scale(&settings, end, on_event),
        on_event,
    )
}

/// Reads the scale until the watch is dropped, which is `Ok`, or the connection fails.
fn read_scale(
    settings: &ScaleSettings,
    end: &WatchEnd,
    on_event: &mut dyn FnMut(ScaleEvent),
) -> Result<(), DeviceProblem> {
    let mut line = connection::open(settings)?;
    let mut reader = TelegramReader::with_format(settings.protocol, settings.digits);
    let mut buffer = [0; 64];
    let mut is_connected = false;
    let mut last_heard = Instant::now();
    let mut last_asked: Option<Instant> = None;
    while !end.has_come() {
        let is_due = last_asked.is_none_or(|asked| asked.elapsed() >= REQUEST_INTERVAL);
        if let Some(request) = settings.protocol.request().filter(|_| is_due) {
            match line.write_all(request) {
                Ok(()) => last_asked = Some(Instant::now()),
                Err(error) if is_timeout(&error) => (),
                Err(error) => return Err(lost(&error)),
            }
        }
        match line.read(&mut buffer) {
            Ok(0) => return Err(DeviceProblem::Lost),
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
            return Err(DeviceProblem::NoAnswer);
        }
    }
    Ok(())
}
