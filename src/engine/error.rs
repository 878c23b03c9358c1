//! The errors of background jobs, with advice for the clerk.

use std::io::ErrorKind;

use thiserror::Error;

use super::{FileError, VerificationFault};
use client::Failure;
use draft::orders::SheetError;
use printing::job::{PrepareError, ShrinkWarning};
use printing::renderer::RenderError;
use printing::service::ServiceError;
use printing::verification::VerificationError;
use shipping::LabelFileError;
use storage::JournalError;
use workgroup::WorkgroupError;

#[derive(Debug, Error)]
pub enum EngineError {
    #[error(transparent)]
    Service(#[from] Failure),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Label(#[from] LabelFileError),
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The label failed its verification, and no clerk gave an override.
    #[error("{problem}")]
    VerificationFailed {
        problem: VerificationError,
        /// The fault that an override must name, so that the label is printed despite the problem.
        fault: VerificationFault,
    },
    /// The label would be printed much smaller than its size, and no clerk has agreed to that.
    #[error("{0}")]
    WouldShrink(ShrinkWarning),
    /// A file attached to a consignment could not be used.
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    PrintService(#[from] ServiceError),
    #[error("couldn't save the file ({0})")]
    Save(ErrorKind),
    /// Nothing was sent, because the facts on which the clerk decided have changed. The text is a message for
    /// the clerk.
    #[error("{0}")]
    NotPossible(String),
    #[error("a workbook holds 1,048,575 rows, and this list has {rows}")]
    TooManyRows { rows: usize },
    #[error("couldn't read the file ({0})")]
    Open(ErrorKind),
    #[error(transparent)]
    Orders(#[from] SheetError),
    #[error(transparent)]
    Workgroup(#[from] WorkgroupError),
    /// The job panicked or was dropped: a bug.
    #[error("an internal error occurred")]
    Internal,
}

/// Converts an error of saving a file. Errors of reading a file become [`EngineError::Open`].
impl From<std::io::Error> for EngineError {
    fn from(error: std::io::Error) -> Self {
        Self::Save(error.kind())
    }
}

impl From<RenderError> for EngineError {
    fn from(error: RenderError) -> Self {
        Self::Prepare(error.into())
    }
}

/// Returns true if every further call would fail as well.
pub(super) fn is_unavailable(failure: &Failure) -> bool {
    failure.is_out_of_reach() || *failure == Failure::Unauthorised
}

impl EngineError {
    /// Returns the fault, if the label can be drawn but fails its verification.
    pub const fn fault(&self) -> Option<&VerificationFault> {
        match self {
            Self::VerificationFailed { fault, .. } => Some(fault),
            _ => None,
        }
    }

    /// Returns true if other labels would fail too at the moment: the service, the journal or our renderer
    /// is unavailable.
    pub fn affects_all_labels(&self) -> bool {
        match self {
            Self::Service(failure) => is_unavailable(failure),
            Self::Journal(JournalError::Changed) => false,
            Self::Journal(_)
            | Self::Internal
            | Self::Prepare(PrepareError::Render(RenderError::NoRenderer { .. })) => true,
            _ => false,
        }
    }

    /// Returns advice for the clerk. For a failure of the service, returns the text of the failure.
    pub fn advice(&self) -> String {
        match self {
            Self::Service(failure) => failure.to_string(),
            Self::Journal(error) => journal_advice(error).map_or_else(
                || format!("{error}. Nothing is sent until this is fixed"),
                str::to_owned,
            ),
            Self::Label(error) => {
                format!("{error}. Get the label again; if this happens again, call the carrier")
            }
            Self::Prepare(error) => format!("{error}. {}", error.advice()),
            Self::VerificationFailed { problem, .. } => format!("{problem}. {}", problem.advice()),
            Self::WouldShrink(shrunk) => format!("{shrunk}. {}", ShrinkWarning::ADVICE),
            Self::File(error) => error.advice(),
            Self::PrintService(error) => format!("{error}. {}", error.advice()),
            Self::Save(kind) => save_advice(*kind).to_owned(),
            Self::NotPossible(message) => message.clone(),
            Self::TooManyRows { .. } => {
                "A workbook holds 1,048,575 rows, and this list has more. Save it as CSV".to_owned()
            }
            Self::Open(_) => {
                "Check that the file exists and that you have permission to read it".to_owned()
            }
            Self::Orders(error) => error.advice().to_owned(),
            Self::Workgroup(error) => format!("{error}. Ask your administrator if this goes on"),
            Self::Internal => {
                "Try again. If this happens again, tell your administrator".to_owned()
            }
        }
    }
}

const fn journal_advice(error: &JournalError) -> Option<&'static str> {
    Some(match error {
        JournalError::Full => "The disk is full. Free some space; nothing is sent until then",
        JournalError::ReadOnly => {
            "Packbench can't write to this bench's records. Make their folder and files writable; nothing is sent until then"
        }
        JournalError::Locked => {
            "Another program is using this bench's records. Close that program; nothing is sent until then"
        }
        JournalError::Damaged => {
            "This bench's records are damaged. Restart Packbench to restore them; nothing is sent until then"
        }
        JournalError::Disk(_) => {
            "The disk can't be written to. Check its cable, quota and health; nothing is sent until then"
        }
        _ => return None,
    })
}

const fn save_advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::AlreadyExists => "A file with this name already exists. Choose another name",
        ErrorKind::NotFound => "This folder doesn't exist. Create it first, or choose another",
        ErrorKind::NotADirectory => "This is not a folder. Choose another",
        ErrorKind::IsADirectory => "This is a folder. Add the file's name",
        ErrorKind::PermissionDenied => {
            "You don't have permission to save there. Choose another folder"
        }
        ErrorKind::InvalidFilename => "Enter the full path, starting with the drive or /",
        _ => "Check that the folder exists, is writable and is not full",
    }
}
