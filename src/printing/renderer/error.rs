//! The reasons why a document cannot be rendered, with texts for the clerk. The texts never
//! quote the document.

use serde::{Deserialize, Serialize};

/// The reason why a page could not be rendered. `Display` gives the headline, [`RenderError::advice`] says
/// what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RenderError {
    /// `%PDF-` is missing at the beginning.
    #[error("This label is not a PDF")]
    NotAPdf,
    /// `%%EOF` is missing at the end.
    #[error("This label is incomplete: its end is missing")]
    Truncated,
    /// The page has more than [`super::super::page::MOST_DOTS`]; refused before rendering.
    #[error("This page is too large to print: {width_mm} × {height_mm} mm")]
    PageTooLarge { width_mm: u64, height_mm: u64 },
    /// A photograph or picture has more than [`super::super::page::MOST_DOTS`]; refused before decoding.
    #[error("This picture is too large: {width} × {height} dots")]
    ImageTooLarge { width: u32, height: u32 },
    /// The document has more pages than are rendered in one request.
    #[error("This document has {page_count} pages; Packbench prints at most {most}")]
    TooManyPages { page_count: usize, most: usize },
    /// The file is larger than the largest message to a child.
    #[error("This label is too large to read: {mebibytes} MiB")]
    FileTooLarge { mebibytes: usize },
    /// One page took longer than [`super::RenderLimits::page_time`], or all pages together
    /// longer than [`super::RenderLimits::document_time`].
    #[error("This label could not be prepared within {seconds} s")]
    TimedOut { seconds: u64 },
    /// All pages together have more dots than [`super::RenderLimits::document_dots`].
    #[error(
        "This document is too large to print: its first {pages} pages alone need more than {mebibytes} MiB"
    )]
    DocumentTooLarge { pages: usize, mebibytes: u64 },
    /// The page needs more than [`super::RenderLimits::memory_bytes`].
    #[error("This label needs more than {mebibytes} MiB of memory to prepare")]
    OutOfMemory { mebibytes: u64 },
    /// The renderer ended without an answer.
    #[error("This label could not be prepared: reading it crashed")]
    Died,
    /// The renderer could not be started; `kind` is the system's reason.
    #[error("Packbench could not start preparing labels ({kind})")]
    NoRenderer { kind: String },
    /// The document has no such page; `page` counts from 1.
    #[error("There is no page {page}: this document has {page_count}")]
    NoSuchPage { page: usize, page_count: usize },
    /// The document needs a password to open.
    #[error("This label is locked with a password")]
    Password,
    /// The file cannot be parsed, or rendering it panicked.
    #[error("This label cannot be read")]
    Unreadable,
}

impl RenderError {
    /// Returns what the clerk can do about the error.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NotAPdf | Self::Truncated | Self::Unreadable => {
                "Get the label again from the service; if it stays so, ask the carrier for a new one"
            }
            Self::PageTooLarge { .. }
            | Self::ImageTooLarge { .. }
            | Self::TooManyPages { .. }
            | Self::FileTooLarge { .. }
            | Self::DocumentTooLarge { .. } => {
                "Check that this is a label; if it is, ask the carrier for one of a usual size"
            }
            Self::TimedOut { .. } | Self::OutOfMemory { .. } | Self::Died => {
                "Nothing was printed. Save the PDF and print it elsewhere, or ask the carrier for a new label"
            }
            Self::NoRenderer { .. } => "Restart Packbench. If this happens again, reinstall it",
            Self::NoSuchPage { .. } => "Choose a page that exists",
            Self::Password => "Ask the carrier for a label without a password",
        }
    }

    /// A short name of the error, for a row of a list.
    pub fn short_name(&self) -> &'static str {
        match self {
            Self::NotAPdf => "Not a PDF",
            Self::Truncated => "Incomplete file",
            Self::PageTooLarge { .. } => "Page too large",
            Self::ImageTooLarge { .. } => "Picture too large",
            Self::TooManyPages { .. } => "Too many pages",
            Self::DocumentTooLarge { .. } => "Document too large",
            Self::FileTooLarge { .. } => "File too large",
            Self::TimedOut { .. } => "Took too long",
            Self::OutOfMemory { .. } => "Needs too much memory",
            Self::Died => "Reading crashed",
            Self::NoRenderer { .. } => "Can't prepare labels",
            Self::NoSuchPage { .. } => "No such page",
            Self::Password => "Locked",
            Self::Unreadable => "Unreadable file",
        }
    }
}
