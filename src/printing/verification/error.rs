//! The problems that label verification can find, with texts for the clerk. The texts never quote the
//! document, except for references that we expected ourselves.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

impl Edge {
    /// The word shown on the screen.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }
}

/// A reason not to print a page. Pages count from 1. `Display` gives the headline,
/// [`VerificationError::advice`] says what to do. A clerk who has looked at the preview may override each of
/// these errors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerificationError {
    /// The cross-reference table of the file is not where the file's end says.
    #[error("This label's file is damaged and may be incomplete")]
    Damaged,
    /// The page tree announces more pages than the file contains.
    #[error("Pages are missing: this document should have {says}, but only {found} were found")]
    PagesMissing { found: usize, says: usize },
    /// Fewer than 1 in 2,000 dots are black.
    #[error("Page {page} of this label is blank")]
    Blank { page: usize },
    /// More than 75 % of the dots are black.
    #[error("Page {page} of this label is nearly all black")]
    Black { page: usize },
    /// Text or bars run over an edge of the page.
    #[error("Page {page} of this label is cut off at the {} edge", edge.short_name())]
    Clipped { page: usize, edge: Edge },
    /// No barcode can be read.
    #[error("No barcode can be read on page {page} of this label")]
    NoCode { page: usize },
    /// The document has the right barcode, but this printer's resolution is too low for it.
    #[error("The barcode on page {page} can't be read at the size it would be printed")]
    TooSmall { page: usize },
    /// The barcodes of this page can be read, but none belongs to this consignment.
    #[error("The barcode on page {page} of this label is not for this consignment")]
    OtherConsignment { page: usize },
    /// The barcodes can be read, but no page carries the reference `missing`.
    #[error("The barcode on this label is not for this consignment: {missing} is missing")]
    MissingReference { missing: String },
    /// Page `first` already is the label of the same item.
    #[error("Page {page} repeats the label on page {first}")]
    DuplicateLabel { page: usize, first: usize },
}

impl VerificationError {
    /// Returns what the clerk can do about the problem.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Damaged | Self::PagesMissing { .. } => {
                "Get the label again. Print it anyway only if every page of the preview is complete"
            }
            Self::Blank { .. } => {
                "Get the label again from the service. If this happens again, ask the carrier for a new one"
            }
            Self::Black { .. } => {
                "Get the label again. Printing it would wear out the print head, and it could not be read"
            }
            Self::Clipped { .. } => {
                "Check the preview, then choose the right label size or a wider printer"
            }
            Self::NoCode { .. } => {
                "Packbench reads Code 128, Code 39, ITF, EAN-13, QR, Data Matrix, PDF417 and Aztec, not MaxiCode. Get the label again, or print it if your scanner can read it"
            }
            Self::TooSmall { .. } => {
                "Use larger paper or a printer with a higher resolution. A scanner couldn't read it either"
            }
            Self::OtherConsignment { .. } | Self::MissingReference { .. } => {
                "Don't use this label. Get it again; if it is still wrong, call the carrier"
            }
            Self::DuplicateLabel { .. } => {
                "One item would have no label. Get the labels again; if this happens again, call the carrier"
            }
        }
    }

    /// The affected page, counted from 1; `None` if the problem concerns the whole document.
    pub fn page(&self) -> Option<usize> {
        match self {
            Self::Blank { page }
            | Self::Black { page }
            | Self::Clipped { page, .. }
            | Self::NoCode { page }
            | Self::TooSmall { page }
            | Self::OtherConsignment { page }
            | Self::DuplicateLabel { page, .. } => Some(*page),
            Self::Damaged | Self::PagesMissing { .. } | Self::MissingReference { .. } => None,
        }
    }

    /// A short name of the problem, for a row of a list.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Damaged => "File damaged",
            Self::PagesMissing { .. } => "Pages missing",
            Self::Blank { .. } => "Blank page",
            Self::Black { .. } => "Black page",
            Self::Clipped { .. } => "Cut off",
            Self::NoCode { .. } | Self::TooSmall { .. } => "Unreadable barcode",
            Self::OtherConsignment { .. } | Self::MissingReference { .. } => "Wrong barcode",
            Self::DuplicateLabel { .. } => "Duplicate label",
        }
    }
}
