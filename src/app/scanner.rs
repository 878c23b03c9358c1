//! The scanner on a serial port: reads it while a service is open. A scan does what a scan into the search box does.

use std::sync::mpsc::{self, Receiver, TrySendError};

use crate::core::Core;
use crate::sounds::ScanSound;
use crate::state::{Notice, Tone};
use devices::Watch;
use devices::problem::{DeviceKind, DeviceProblem};
use devices::scanner::{ScanError, ScannerEvent, watch};
use devices::serial::SerialSettings;
use engine::Repaint;

/// Maximum number of events that wait for the window. Nobody scans so many barcodes between two turns.
const MOST_EVENTS: usize = 200;

/// The scanner on a serial port as the screens show it.
#[derive(Debug, Clone, Default)]
pub struct ScannerView {
    pub state: ScannerState,
    /// The last scan since the scanner was set up, with its control characters.
    pub last_scan: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ScannerState {
    /// The port is being opened.
    #[default]
    Connecting,
    Ready,
    Unreadable(ScanError),
    Problem(DeviceProblem),
}

impl ScannerState {
    /// Returns the state in words.
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Connecting => "connecting",
            Self::Ready => "ready",
            Self::Unreadable(_) => "can't be read",
            Self::Problem(_) => "not connected",
        }
    }

    pub const fn tone(&self) -> Tone {
        match self {
            Self::Connecting => Tone::Neutral,
            Self::Ready => Tone::Ok,
            Self::Unreadable(_) | Self::Problem(_) => Tone::Warning,
        }
    }

    /// Returns what is wrong with the scanner, and what to do about it.
    pub fn problem(&self) -> Option<(String, String)> {
        const SCANNER: DeviceKind = DeviceKind::Scanner;
        match self {
            Self::Problem(problem) => Some((problem.message(SCANNER), problem.advice(SCANNER))),
            Self::Unreadable(error) => Some((error.to_string(), String::new())),
            Self::Ready | Self::Connecting => None,
        }
    }
}

/// The scanner that is read.
#[derive(Default)]
pub(crate) struct ScannerUpdate {
    watched: Option<WatchedScanner>,
    /// True while a dialog is in front of the screens.
    pub(crate) is_dialog_open: bool,
}

struct WatchedScanner {
    settings: SerialSettings,
    /// Ends the thread when it is dropped.
    _watch: Watch,
    events: Receiver<ScannerEvent>,
}

impl WatchedScanner {
    fn start(settings: SerialSettings, repaint: Repaint) -> Self {
        let (sender, events) = mpsc::sync_channel(MOST_EVENTS);
        let watch = watch(settings.clone(), move |event| {
            // The thread must not wait: a scan that comes late would open something that nobody expects any more.
            match sender.try_send(event) {
                Ok(()) | Err(TrySendError::Full(_)) => repaint(),
                Err(TrySendError::Disconnected(_)) => {}
            }
        });
        Self {
            settings,
            _watch: watch,
            events,
        }
    }
}

impl Core {
    /// Starts reading the scanner of the settings, or stops if there is none any more.
    pub(super) fn watch_scanner(&mut self) {
        let wanted = self.setup.settings.scanner.clone();
        let watched = self.scanner.watched.as_ref();
        if watched.map(|watched| &watched.settings) == wanted.as_ref() {
            return;
        }
        let repaint = self.setup.tasks.repaint();
        // The old watch is dropped first, because it may use the same port.
        self.scanner.watched = None;
        if let Some((headline, _)) = self.shared.scanner.state.problem() {
            self.clear_notice(&headline);
        }
        self.shared.scanner = ScannerView::default();
        self.scanner.watched = wanted.map(|settings| WatchedScanner::start(settings, repaint));
    }

    /// Handles the events of the scanner.
    pub(super) fn read_scanner(&mut self) {
        let Some(watched) = &self.scanner.watched else {
            return;
        };
        let events: Vec<_> = watched.events.try_iter().collect();
        for event in events {
            if let Some((headline, _)) = self.shared.scanner.state.problem() {
                self.clear_notice(&headline);
            }
            self.shared.scanner.state = match event {
                ScannerEvent::Connected => ScannerState::Ready,
                ScannerEvent::Problem(problem) => ScannerState::Problem(problem),
                ScannerEvent::Unreadable(error) => {
                    self.sound(ScanSound::NotFound);
                    ScannerState::Unreadable(error)
                }
                ScannerEvent::Scan(text) => {
                    self.take_scan(text.trim());
                    self.shared.scanner.last_scan = Some(text);
                    ScannerState::Ready
                }
            };
            // The clerk looks at the screen and not at Settings while scanning.
            if let Some((headline, advice)) = self.shared.scanner.state.problem() {
                self.notify(Notice::new(Tone::Warning, headline, advice));
            }
        }
    }

    /// Finds what was scanned. While a dialog is open, nothing behind it may change; only its test label is recognised.
    fn take_scan(&mut self, text: &str) {
        if !self.scanner.is_dialog_open {
            self.find(text);
        } else if !self.scanned_test_label(text) {
            let headline = format!("{} was not looked up", visible(text));
            let advice = "Close the dialog first, then scan again";
            self.sound(ScanSound::NotFound);
            self.notify(Notice::new(Tone::Warning, headline, advice));
        }
    }
}

/// Returns the text with names in place of control characters: `]C1400PO-7<GS>21A7`.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown.push_str("<TAB>"),
            '\u{4}' => shown.push_str("<EOT>"),
            '\u{1C}' => shown.push_str("<FS>"),
            '\u{1D}' => shown.push_str("<GS>"),
            '\u{1E}' => shown.push_str("<RS>"),
            '\u{1F}' => shown.push_str("<US>"),
            c if c.is_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}
