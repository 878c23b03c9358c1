//! The thread that reads one device and reconnects by itself.

use std::convert::Infallible;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use crate::problem::DeviceProblem;

/// The first and the longest pause before a new attempt to connect. Each failure doubles the pause.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Reads a device until it is dropped. The thread then ends within half a second, or when a running look-up of a host
/// name ends, and may still report one event.
#[derive(Debug)]
pub struct Watch {
    /// Dropping the sender ends the thread.
    _running: SyncSender<Infallible>,
}

/// Tells the thread of a device when its watch was dropped.
pub(crate) struct WatchEnd(Receiver<Infallible>);

impl WatchEnd {
    pub(crate) fn has_come(&self) -> bool {
        self.has_come_within(Duration::ZERO)
    }

    /// Waits, and returns early if the watch is dropped.
    fn has_come_within(&self, wait: Duration) -> bool {
        self.0.recv_timeout(wait) != Err(RecvTimeoutError::Timeout)
    }
}

/// Starts a thread that connects to a device, reads it and reconnects by itself.
///
/// `read` opens the device and reports its events until the watch is dropped, which is `Ok`, or the connection fails.
/// `on_event` also gets the problems. It runs on the thread and should return quickly, since no bytes are read meanwhile.
/// Each attempt to reconnect reports its problem only if it differs from the last.
pub(crate) fn watch<Event: From<DeviceProblem>>(
    name: &str,
    read: impl Fn(&WatchEnd, &mut dyn FnMut(Event)) -> Result<(), DeviceProblem> + Send + 'static,
    mut on_event: impl FnMut(Event) + Send + 'static,
) -> Watch {
    let (running, stop) = mpsc::sync_channel(0);
    let end = WatchEnd(stop);
    let thread = thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || keep_reading(&end, read, &mut on_event));
    if let Err(error) = thread {
        tracing::error!(%error, name, "the thread for the device can't be started");
    }
    Watch { _running: running }
}

fn keep_reading<Event: From<DeviceProblem>>(
    end: &WatchEnd,
    read: impl Fn(&WatchEnd, &mut dyn FnMut(Event)) -> Result<(), DeviceProblem>,
    on_event: &mut dyn FnMut(Event),
) {
    let mut pause = FIRST_PAUSE;
    let mut reported = None;
    loop {
        let mut has_answered = false;
        let outcome = read(end, &mut |event| {
            has_answered = true;
            on_event(event);
        });
        let Err(problem) = outcome else { return };
        if has_answered {
            (pause, reported) = (FIRST_PAUSE, None);
        }
        if reported.as_ref() != Some(&problem) {
            tracing::info!(?problem, "device not read");
            on_event(problem.clone().into());
            reported = Some(problem);
        }
        if end.has_come_within(pause) {
            return;
        }
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

/// Returns whether a read or a write only found nothing to do in its time.
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

pub(crate) fn lost(error: &io::Error) -> DeviceProblem {
    tracing::debug!(%error, "the connection to the device was lost");
    DeviceProblem::Lost
}
