//! What a check before ink found, in words for the clerk. No more of the document is quoted than a reference that the bench
//! itself expected.

/// A side of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

impl Edge {
    /// The word on the screen.
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }
}

/// Why a page should not be burnt. `page` counts from 1. `Display` is the headline, [`CheckError::advice`] what to do. All
/// of these can be printed nevertheless, on the word of a clerk who has looked at the preview.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The file's own table of contents is not where its end says.
    #[error("This label's file is damaged: its table of contents is not where it should be")]
    Damaged,
    /// The file tells of more pages than are in it.
    #[error("Pages are missing: this document says it has {says} and {found} are there")]
    PagesMissing { found: usize, says: usize },
    /// Hardly a dot is black.
    #[error("Page {page} of this label is blank")]
    Blank { page: usize },
    /// Hardly a dot is white.
    #[error("Page {page} of this label is nearly all black")]
    Black { page: usize },
    /// Writing or bars run over the edge of the page.
    #[error("Page {page} of this label is cut off at the {} edge", edge.word())]
    Clipped { page: usize, edge: Edge },
    /// Not one barcode reads.
    #[error("No barcode can be read on page {page} of this label")]
    NoCode { page: usize },
    /// The right barcode is in the document, and the dots of this printer are too coarse for it.
    #[error("The barcode on page {page} can't be read at the size it would be printed")]
    TooSmall { page: usize },
    /// The barcodes of this page read, and none is this consignment's.
    #[error("The barcode on page {page} of this label is not this consignment's")]
    NotOurs { page: usize },
    /// The barcodes read, and are somebody else's.
    #[error("The barcode on this label is not this consignment's: {missing} is missing")]
    OtherReference { missing: String },
    /// The piece of this page has its label on page `first` already.
    #[error("Page {page} is the same piece's label as page {first}")]
    Twice { page: usize, first: usize },
}

impl CheckError {
    /// What the clerk can do about it.
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
            Self::NotOurs { .. } | Self::OtherReference { .. } => {
                "Don't stick it on. Get the label again; if it stays so, call the carrier"
            }
            Self::Twice { .. } => {
                "A piece would go without a label of its own. Get the label again; if it stays so, call the carrier"
            }
        }
    }

    /// The page it is about, counted from 1; `None` where it is about the whole document.
    pub fn page(&self) -> Option<usize> {
        match self {
            Self::Blank { page }
            | Self::Black { page }
            | Self::Clipped { page, .. }
            | Self::NoCode { page }
            | Self::TooSmall { page }
            | Self::NotOurs { page }
            | Self::Twice { page, .. } => Some(*page),
            Self::Damaged | Self::PagesMissing { .. } | Self::OtherReference { .. } => None,
        }
    }

    /// The kind in two or three words, for a row of a list.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Damaged => "File damaged",
            Self::PagesMissing { .. } => "Pages missing",
            Self::Blank { .. } => "Blank page",
            Self::Black { .. } => "Black page",
            Self::Clipped { .. } => "Cut off",
            Self::NoCode { .. } | Self::TooSmall { .. } => "Unreadable barcode",
            Self::NotOurs { .. } | Self::OtherReference { .. } => "Wrong number",
            Self::Twice { .. } => "Same label twice",
        }
    }
}
