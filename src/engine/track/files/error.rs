//! Errors of showing and saving files, with messages for the clerk. A message never quotes text from a file.

use thiserror::Error;

use crate::printing::renderer::RenderError;
use crate::shipping::DocumentKind;

/// Why a file of a consignment can't be shown or saved.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FileError {
    /// Files of this type are never opened here.
    #[error("This is {}: it is not opened here", .0.with_article())]
    UnsupportedKind(DocumentKind),
    /// The service lists the file but did not send it.
    #[error("The service lists this file and did not send it")]
    NotSent,
    /// Some documents could not be assigned to listed files.
    #[error("The service lists {listed} files and sent {came}: which is which cannot be told")]
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
                "It is not saved either: ask the carrier for the proof as a PDF or a picture"
            }
            Self::UnsupportedKind(kind) if kind.ending() == Some("bin") => {
                "It can be saved, with an ending that nothing opens by itself"
            }
            Self::UnsupportedKind(_) => "It can be saved and looked at elsewhere",
            Self::NotSent => "Ask again later, or ask the carrier for it",
            Self::Ambiguous { .. } => "Save them all and look at each",
            Self::Render(RenderError::NoRenderer { .. }) => {
                "Restart Packbench; if it stays so, install it again"
            }
            Self::Render(RenderError::NoSuchPage { .. }) => "Choose a page that is there",
            Self::Render(RenderError::Password) => {
                "Ask the carrier for one without a password. It can be saved as it is"
            }
            Self::Render(_) => "It can be saved as it is. Ask the carrier for another",
        };
        format!("{self}. {advice}")
    }
}

fn drawn(error: &RenderError) -> String {
    match error {
        RenderError::NotAPdf | RenderError::Unreadable => {
            "This file is broken: it cannot be read".to_owned()
        }
        RenderError::Truncated => "This file is incomplete: its end is missing".to_owned(),
        RenderError::PageTooLarge {
            width_mm,
            height_mm,
        } => format!("This page is too large to show: {width_mm} × {height_mm} mm"),
        RenderError::ImageTooLarge { width, height } => {
            format!("This picture is too large to show: {width} × {height} dots")
        }
        RenderError::FileTooLarge { mebibytes } => {
            format!("This file is too large to show: {mebibytes} MiB")
        }
        RenderError::TimedOut { seconds } => {
            format!("This file could not be drawn within {seconds} s, and was stopped")
        }
        RenderError::OutOfMemory { mebibytes } => {
            format!("This file needs more than {mebibytes} MiB of memory to draw, and was stopped")
        }
        RenderError::Died => "This file stopped the renderer, which begins anew".to_owned(),
        RenderError::Password => "This file is locked with a password".to_owned(),
        other => other.to_string(),
    }
}
