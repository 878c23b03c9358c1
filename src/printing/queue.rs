//! The queues and jobs of the print service, as the screens show them.

use serde::{Deserialize, Serialize};

/// A print queue. Print services also call a queue a printer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct QueueInfo {
    /// The name under which jobs are sent to the queue.
    pub name: String,
    pub state: QueueState,
    /// The print service's own message about the state; often empty.
    pub message: String,
    /// The printer's address, for example `usb://…` or `socket://…`.
    pub device_uri: String,
    /// The driver's name for the printer.
    pub make_and_model: String,
    /// The IEEE 1284 device id from the printer itself; often empty.
    pub device_id: String,
    /// Whether bytes reach the printer unchanged, without a driver.
    pub raw: bool,
    /// The printer's resolution in dots per millimetre, if known.
    pub dots_per_mm: Option<f64>,
    /// The accepted formats as MIME types. A raw queue of CUPS claims to accept all formats.
    pub formats: Vec<String>,
    /// The accepted kinds of dots in PWG raster, such as `black_1`; empty if unknown.
    pub raster_types: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueState {
    /// Jobs are printed at once, as far as the print service knows.
    Ready,
    Printing,
    /// A person or an error stopped the queue. It accepts jobs, but keeps them waiting.
    Stopped,
    Rejecting,
    /// The print service cannot reach the printer.
    OutOfReach,
    /// Somebody has to go to the printer, because of its labels, ribbon or cover.
    NeedsAttention,
    /// The print service gives no state that we recognise.
    #[default]
    Unknown,
}

impl QueueState {
    /// Returns whether a new job would be printed now, as far as the print service knows.
    pub fn takes_jobs(self) -> bool {
        matches!(self, Self::Ready | Self::Printing)
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Ready => "Ready",
            Self::Printing => "Printing",
            Self::Stopped => "Stopped",
            Self::Rejecting => "Rejecting jobs",
            Self::OutOfReach => "Not reachable",
            Self::NeedsAttention => "Needs attention",
            Self::Unknown => "State unknown",
        }
    }

    /// Returns what the clerk can do about the state; empty if nothing needs to be done.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Ready | Self::Printing => "",
            Self::Stopped => {
                "Resume it in the printer settings (cupsenable), or choose another printer"
            }
            Self::Rejecting => {
                "Let it accept jobs in the printer settings (cupsaccept), or choose another printer"
            }
            Self::OutOfReach => {
                "Check that the printer is on and its cable or network is connected"
            }
            Self::NeedsAttention => "Go to the printer",
            Self::Unknown => "Check the printer",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobInfo {
    pub id: u32,
    /// The title given to [`super::job::send`], which contains our key for the job. Empty if the print
    /// service shows titles only to the owner of a job.
    pub title: String,
    pub state: JobState,
    /// The latest message of the printer or the print service; often empty.
    pub message: String,
    /// Whether printing ever started, so that part of the job may already be printed.
    pub has_started: bool,
    /// When the queue received the job, in seconds since 1970; `None` if the printer has no calendar clock.
    pub created_at: Option<i64>,
    /// The user that the job belongs to; often empty.
    pub owner: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    Waiting,
    Held,
    Printing,
    Stopped,
    Cancelled,
    /// The print service gave up on the job.
    Aborted,
    /// The printer has the bytes. Print services call this state "completed", which does not prove that
    /// anything was printed: only the clerk can know.
    HandedOver,
    Unknown,
}

impl JobState {
    /// Returns whether the state will not change any more.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Cancelled | Self::Aborted | Self::HandedOver)
    }
}
