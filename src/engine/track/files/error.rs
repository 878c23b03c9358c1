//! Errors of showing and saving files, with messages for the clerk. A message never quotes text from a file.

use thiserror::Error;

use printing::renderer::RenderError;
use shipping::DocumentKind;

/// Why a file of a consignment can't be shown or saved.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FileError {
    /// Files of this type are never opened here.
    #[error("This is {}, which Packbench doesn't open", .0.with_article())]
    UnsupportedKind(DocumentKind),
    /// The service lists the file but did not send it.
    #[error("The service listed this file but didn't send it")]
    NotSent,
    /// Some documents could not be assigned to listed files.
    #[error(
        "Packbench can't tell which file is which: the service listed {listed} and sent {came}"
    )]
    Ambiguous {
        /// The number of listed files.
        listed: usize,
        /// The number of documents that came.
        came: usize,
    },
    /// The renderer could not draw the file.
    #[error("{}", drawn(.0))]
    Render(#[from] RenderError),
}

impl FileError {
    /// Returns the error and what to do about it.
    pub fn advice(&self) -> String {
        let advice = match self {
            Self::UnsupportedKind(kind) if kind.ending().is_none() => {
                "It can't be saved either. Ask the carrier for the proof as a PDF or picture"
            }
            Self::UnsupportedKind(kind) if kind.ending() == Some("bin") => {
                "You can save it as .bin, so it won't open automatically"
            }
            Self::UnsupportedKind(_) => "You can save it and open it in another program",
            Self::NotSent => "Try again later, or ask the carrier for it",
            Self::Ambiguous { .. } => "Save all files and check each one",
            Self::Render(RenderError::NoRenderer { .. }) => {
                "Restart Packbench. If this happens again, reinstall it"
            }
            Self::Render(RenderError::NoSuchPage { .. }) => "Choose a page that exists",
            Self::Render(RenderError::Password) => {
                "Ask the carrier for a copy without a password. You can still save this one"
            }
            Self::Render(_) => "You can still save it. Ask the carrier for another copy",
        };
        format!("{self}. {advice}")
    }
}

fn drawn(error: &RenderError) -> String {
    match error {
        RenderError::NotAPdf | RenderError::Unreadable => {
            "This file is damaged and can't be opened".to_owned()
        }
        RenderError::Truncated => "This file is incomplete: its end is missing".to_owned(),
        RenderError::PageTooLarge {
            width_mm,
            height_mm,
        } => format!("This page is too large to show: {width_mm} × {height_mm} mm"),
        RenderError::ImageTooLarge { width, height } => {
            format!("This picture is too large to show: {width} × {height} pixels")
        }
        RenderError::FileTooLarge { mebibytes } => {
            format!("This file is too large to show: {mebibytes} MiB")
        }
        RenderError::TimedOut { seconds } => {
            format!("This file took longer than {seconds} s to open and was stopped")
        }
        RenderError::OutOfMemory { mebibytes } => {
            format!("This file needs more than {mebibytes} MiB of memory and can't be shown")
        }
        RenderError::Died => "This file crashed the viewer, which is restarting".to_owned(),
        RenderError::Password => "This file is locked with a password".to_owned(),
        other => other.to_string(),
    }
}
