//! Why a job in the background did not do what it was asked for.

use thiserror::Error;

use crate::client::Failure;
use crate::journal::JournalError;
use crate::shipping::LabelFileError;

/// Why a job failed.
#[derive(Debug, Error)]
pub enum WorkError {
    /// The service.
    #[error(transparent)]
    Service(#[from] Failure),
    /// The bench's own store.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The label file as it came.
    #[error(transparent)]
    Label(#[from] LabelFileError),
    /// Our own job ended early.
    #[error("the job ended early")]
    Internal,
}

impl WorkError {
    /// What to do about it, for all but the service's failures.
    pub fn advice(&self) -> String {
        match self {
            Self::Service(failure) => failure.to_string(),
            Self::Journal(JournalError::Full) => {
                "The disk is full. Free some space: nothing is sent meanwhile".to_owned()
            }
            Self::Journal(error) => format!("{error}. Nothing is sent meanwhile"),
            Self::Label(error) => {
                format!("{error}. Ask the service for help, or print it from its web page")
            }
            Self::Internal => "Try again, and tell who looks after Packbench".to_owned(),
        }
    }
}
