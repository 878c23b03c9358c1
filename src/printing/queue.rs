//! Queues and jobs of the print service, as the bench shows them.

use serde::{Deserialize, Serialize};

/// A queue, which is what a print service calls a printer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct QueueInfo {
    /// By which it is printed to.
    pub name: String,
    pub state: QueueState,
    /// What the service says about the state, in its own words; often empty.
    pub message: String,
    /// Jobs that are not done. Those of a dead printer run when it returns.
    pub waiting_jobs: u32,
    /// Where the printer is, for example `usb://…` or `socket://…`.
    pub device_uri: String,
    /// The driver's name for it.
    pub make_and_model: String,
    /// The printer's own word on itself (IEEE 1284), often empty.
    pub device_id: String,
    /// Whether bytes pass as they are, with no driver between.
    pub raw: bool,
    /// Whether it is the system's default.
    pub default: bool,
    /// Reasons for its state, as IPP names them: `media-empty-error`.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// How fine it prints where it says so, in dots a millimetre.
    #[serde(default)]
    pub dots_per_mm: Option<f64>,
    /// Formats that it takes, as MIME types. A raw queue of CUPS claims every one.
    #[serde(default)]
    pub formats: Vec<String>,
    /// Kinds of dots that it takes in PWG raster, as `black_1`; empty where it does not say.
    #[serde(default)]
    pub raster_types: Vec<String>,
    /// The papers in it, as it names them; empty where it does not say.
    #[serde(default)]
    pub media_ready: Vec<String>,
}

/// How a queue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueState {
    /// Nothing stands between a job and the paper, as far as the service knows.
    Ready,
    /// At work on a job.
    Printing,
    /// Stopped by a person or after an error: jobs are taken and wait.
    Stopped,
    /// Jobs are refused.
    Rejecting,
    /// The service tries to reach the printer and cannot.
    OutOfReach,
    /// Somebody has to go there: labels, ribbon, cover.
    NeedsAttention,
    /// The service says nothing that we know.
    #[default]
    Unknown,
}

impl QueueState {
    /// Whether a job that is given now will be printed, as far as the service knows.
    pub fn takes_jobs(self) -> bool {
        matches!(self, Self::Ready | Self::Printing)
    }

    /// The word on the screen.
    pub fn word(self) -> &'static str {
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

    /// What the clerk can do about it; empty when there is nothing to do.
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
            Self::Unknown => "Look at the printer",
        }
    }
}

/// A job in a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobInfo {
    pub id: u32,
    /// As it was given by [`super::job::send`]; holds the bench's key for the job. Empty where the service keeps titles
    /// to their owners.
    pub title: String,
    pub state: JobState,
    /// What the printer or the service said last; often empty.
    pub message: String,
    /// Whether it was ever begun: then some of it may be on paper.
    pub began: bool,
    /// When the queue got it, in seconds since 1970; nothing where its clock counts otherwise.
    pub made: Option<i64>,
    /// Whose it is; often empty.
    pub owner: String,
}

/// How a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    Waiting,
    Held,
    Printing,
    Stopped,
    Cancelled,
    /// The service gave up.
    Aborted,
    /// The service calls it "completed": the printer has the bytes. Nobody knows about paper.
    HandedOver,
    Unknown,
}

impl JobState {
    /// Whether it will not change any more.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Cancelled | Self::Aborted | Self::HandedOver)
    }

    /// The words on the screen. Never "printed": that only the clerk can say.
    pub fn words(self) -> &'static str {
        match self {
            Self::Waiting => "Waiting for the printer",
            Self::Held => "Held in the queue",
            Self::Printing => "Being sent to the printer",
            Self::Stopped => "Stopped at the printer",
            Self::Cancelled => "Cancelled in the queue",
            Self::Aborted => "Given up by the print service",
            Self::HandedOver => "Sent to printer",
            Self::Unknown => "State unknown",
        }
    }
}
