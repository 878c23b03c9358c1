//! A page of a label, as it will be printed.

use std::sync::Arc;

use engine::{JobSubject, VerificationFault};
use shipping::LabelSize;

/// A page of a label, with exactly the dots that will be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub subject: JobSubject,
    /// The consignment number, such as `MS200431`.
    pub number: String,
    /// The page, from 0.
    pub page: usize,
    /// Number of pages.
    pub pages: usize,
    pub size: LabelSize,
    /// Width in dots.
    pub width: u32,
    /// Height in dots.
    pub height: u32,
    /// Rows of dots from the top, eight dots in a byte, the leftmost in the highest bit; 1 is black. Each row
    /// starts a new byte.
    pub dots: Arc<[u8]>,
    /// Number of barcodes that could be read from these dots.
    pub codes_read: usize,
    /// Remarks, such as "fitted to the print head" or a barcode that cannot be read.
    pub notes: Vec<String>,
    /// True if the printer gets these dots; false if its driver draws the page itself.
    pub exact: bool,
    /// True if label verification passed: the barcodes contain the consignment's references. If this is false
    /// without a problem, nothing was compared, because no number of the consignment is known.
    pub checked: bool,
    /// The problem, if label verification failed.
    pub problem: Option<PreviewProblem>,
    /// A smaller picture of the page, if it has more dots than a screen.
    pub overview: Option<ReducedPage>,
}

/// The reason why label verification failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewProblem {
    pub headline: String,
    pub advice: String,
    /// The page with the problem, from 0, if it is on one page.
    pub page: Option<usize>,
    /// The kind of fault, which an override must name.
    pub fault: VerificationFault,
}

/// A page in shades of grey, reduced by a whole factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducedPage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Width and height of a pixel in dots.
    pub factor: u32,
    /// Rows from the top, one byte for each pixel: 0 is black, 255 is white.
    pub greys: Arc<[u8]>,
}
