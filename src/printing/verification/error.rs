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

/// A reason not to print a page. Pages count from 1. `Display` gives the headline, [`CheckError::advice`]
/// says what to do. A clerk who has looked at the preview may override each of these errors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerificationError {
    /// The cross-reference table of the file is not where the file's end says.
    #[error("This label's file is damaged: its table of contents is not where it should be")]
    Damaged,
    /// The page tree announces more pages than the file contains.
    #[error("Pages are missing: this document says it has {says} and {found} are there")]
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
    #[error("The barcode on page {page} of this label is not this consignment's")]
    OtherConsignment { page: usize },
    /// The barcodes can be read, but no page carries the reference `missing`.
    #[error("The barcode on this label is not this consignment's: {missing} is missing")]
    MissingReference { missing: String },
    /// Page `first` already is the label of the same item.
    #[error("Page {page} is the same piece's label as page {first}")]
    DuplicateLabel { page: usize, first: usize },
}

impl VerificationError {
    /// Returns what the clerk can do about the problem.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Damaged | Self::PagesMissing { .. } => {
                "Get the label again; print it nevertheless only if every page of the preview is whole"
            }
            Self::Blank { .. } => {
                "Get the label again from the service; if it stays so, ask the carrier for a new one"
            }
            Self::Black { .. } => {
                "Get the label again; printed nevertheless it wears the print head and cannot be read"
            }
            Self::Clipped { .. } => {
                "Look at the preview. Choose the right size of label, or a wider printer"
            }
            Self::NoCode { .. } => {
                "Packbench reads Code 128, Code 39, ITF, EAN-13, QR, Data Matrix, PDF417 and Aztec, not MaxiCode. Get the label again, or print it if a scanner reads it"
            }
            Self::TooSmall { .. } => {
                "Use larger paper or a printer with finer dots: a scanner would not read it either"
            }
            Self::OtherConsignment { .. } | Self::MissingReference { .. } => {
                "Don't stick it on. Get the label again; if it stays so, call the carrier"
            }
            Self::DuplicateLabel { .. } => {
                "A piece would go without a label of its own. Get the label again; if it stays so, call the carrier"
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
            Self::OtherConsignment { .. } | Self::MissingReference { .. } => "Wrong number",
            Self::DuplicateLabel { .. } => "Same label twice",
        }
    }
}
