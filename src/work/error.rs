//! Why a job in the background did not do what it was asked for.

use thiserror::Error;

use super::{Fault, FileError};
use crate::client::Failure;
use crate::draft::orders::SheetError;
use crate::journal::JournalError;
use crate::printing::check::CheckError;
use crate::printing::job::{PrepareError, Shrunk};
use crate::printing::renderer::RenderError;
use crate::printing::service::ServiceError;
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
    /// The label as it is drawn and checked.
    #[error(transparent)]
    Paper(#[from] PrepareError),
    /// The label fails the check before ink, and no clerk gave their word for that.
    #[error("{problem}")]
    Unfit {
        /// What is wrong with it.
        problem: CheckError,
        /// What a word would have to be for.
        fault: Fault,
    },
    /// The label would be printed much smaller than it is, and no clerk agreed to that.
    #[error("{0}")]
    Shrinks(Shrunk),
    /// A file of a consignment.
    #[error(transparent)]
    File(#[from] FileError),
    /// The computer's print service.
    #[error(transparent)]
    PrintService(#[from] ServiceError),
    /// A file could not be saved.
    #[error("the file could not be saved ({0})")]
    Save(std::io::ErrorKind),
    /// What the clerk decided on holds no more, in words for them: nothing was sent.
    #[error("{0}")]
    Stopped(String),
    /// A list has more rows than a workbook.
    #[error("a workbook holds 1,048,575 rows, and this list has {rows}")]
    TooManyRows {
        /// So many.
        rows: usize,
    },
    /// A file could not be read.
    #[error("the file could not be read ({0})")]
    Open(std::io::ErrorKind),
    /// A file of orders that is none.
    #[error(transparent)]
    Orders(#[from] SheetError),
    /// Our own job ended early.
    #[error("the job ended early")]
    Internal,
}

impl From<RenderError> for WorkError {
    fn from(error: RenderError) -> Self {
        Self::Paper(error.into())
    }
}

impl WorkError {
    /// Where the label can be drawn, and the check before ink is what it fails: by what.
    pub const fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Unfit { fault, .. } => Some(fault),
            _ => None,
        }
    }

    /// True where other labels will fare no better for now: the service, the journal or our own renderer is away.
    pub fn holds_for_all(&self) -> bool {
        match self {
            Self::Service(failure) => {
                failure.is_out_of_reach() || *failure == Failure::Unauthorised
            }
            Self::Journal(JournalError::Changed) => false,
            Self::Journal(_)
            | Self::Internal
            | Self::Paper(PrepareError::Render(RenderError::NoRenderer { .. })) => true,
            _ => false,
        }
    }

    /// What to do about it, for all but the service's failures.
    pub fn advice(&self) -> String {
        match self {
            Self::Service(failure) => failure.to_string(),
            Self::Journal(JournalError::Full) => {
                "The disk is full. Free some space: nothing is sent meanwhile".to_owned()
            }
            Self::Journal(JournalError::ReadOnly) => {
                "The journal may not be written to. Make its folder and files writable: nothing is sent meanwhile"
                    .to_owned()
            }
            Self::Journal(JournalError::Locked) => {
                "Another program holds the journal. Close it: nothing is sent meanwhile".to_owned()
            }
            Self::Journal(JournalError::Damaged) => {
                "The journal is damaged. Start Packbench again: it is set aside and restored then, and nothing is sent meanwhile"
                    .to_owned()
            }
            Self::Journal(JournalError::Disk(_)) => {
                "The disk refuses to write. Look at its cable, its quota and its health: nothing is sent meanwhile"
                    .to_owned()
            }
            Self::Journal(error) => format!("{error}. Nothing is sent meanwhile"),
            Self::Label(error) => {
                format!("{error}. Ask for it again; if it stays so, call the carrier")
            }
            Self::Paper(error) => format!("{error}. {}", error.advice()),
            Self::Unfit { problem, .. } => format!("{problem}. {}", problem.advice()),
            Self::Shrinks(shrunk) => format!("{shrunk}. {}", Shrunk::ADVICE),
            Self::File(error) => error.advice(),
            Self::PrintService(error) => format!("{error}. {}", error.advice()),
            Self::Save(std::io::ErrorKind::AlreadyExists) => {
                "There is a file of this name already. Choose another name".to_owned()
            }
            Self::Save(std::io::ErrorKind::NotFound) => {
                "There is no such folder. Make it first, or choose another".to_owned()
            }
            Self::Save(std::io::ErrorKind::NotADirectory) => {
                "This is no folder. Choose another".to_owned()
            }
            Self::Save(std::io::ErrorKind::IsADirectory) => {
                "This is a folder. Add the file's name".to_owned()
            }
            Self::Save(std::io::ErrorKind::PermissionDenied) => {
                "You may not write there. Choose another folder".to_owned()
            }
            Self::Save(std::io::ErrorKind::InvalidFilename) => {
                "Type the whole path, from its beginning".to_owned()
            }
            Self::Save(_) => "Check that the folder is there, writable and not full".to_owned(),
            Self::Stopped(words) => words.clone(),
            Self::TooManyRows { .. } => {
                "A workbook holds 1,048,575 rows, and this list has more. Save it as CSV".to_owned()
            }
            Self::Open(_) => "Check that it is there and that you may read it".to_owned(),
            Self::Orders(error) => error.advice().to_owned(),
            Self::Internal => "Try again, and tell who looks after Packbench".to_owned(),
        }
    }
}
