//! Label verification: a label is printed only if its file is complete, its pages are neither blank nor black
//! nor cut off, and its barcodes can be read and carry the numbers of the consignment.
//!
//! Verification reads the bitmaps after fitting, which are exactly the dots that will be printed. An error
//! names the page and the kind of problem ([`VerificationError`]), and a clerk who has looked at the preview
//! may override it. A document that cannot be rendered fails earlier, with [`super::renderer::RenderError`].
//! Reading stops as soon as the expected codes are found, because a batch pays this time for every label.

mod error;
mod file;
mod ink;
mod numbers;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use error::{Edge, VerificationError};

use super::codes::{self, Code};
use super::page::Page;
use numbers::Numbers;

/// The time limit for reading the barcodes of all pages of a document. Codes not found by then
/// count as missing.
const SEARCH: Duration = Duration::from_secs(20);

/// The barcodes that a document must carry.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedCodes {
    /// No barcodes are read, as for manifests and commercial invoices. The file must be complete and no page
    /// blank or black.
    #[default]
    Nothing,
    /// At least one barcode can be read, whatever its text. Single pages may have no code.
    AnyCode,
    /// Like `AnyCode`, and each of these references must be read on one of the pages.
    References(Vec<String>),
    /// Every page that has a code must be a label of this consignment: the page carries either the reference
    /// of an item (from `items`) or a number of the whole consignment (from `numbers`: the service's and the
    /// carrier's). An item's reference may be missing from all pages only if some page carries just a
    /// consignment number, because some carriers number items in their own way. A page without any code
    /// counts as an accompanying document, unless an item would then have no label.
    Consignment {
        items: Vec<String>,
        numbers: Vec<String>,
    },
}

/// The verification result of one page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageVerification {
    /// The codes read from the page. Reading stops at the expected codes, so this list may be incomplete.
    pub codes_read: Vec<Code>,
}

/// The verification result of a whole document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// One entry for each page, in order, whether or not there is a problem.
    pub pages: Vec<PageVerification>,
    /// The first problem found; `None` if the document may be printed.
    pub problem: Option<VerificationError>,
}

/// Reads the barcodes of one page and compares them with `expected`; this page alone must carry all the
/// references. Takes 1 ms if the expected code is upright and up to 200 ms if there is none, so don't call
/// this on the main thread.
pub fn verify_page(
    page: &Page,
    expected: &ExpectedCodes,
) -> Result<PageVerification, VerificationError> {
    let checked = verify_pages(std::slice::from_ref(page), expected)?;
    Ok(checked.into_iter().next().unwrap_or_default())
}

/// Verifies all pages of one document, like [`verify_page`]. The references may be spread over the pages.
pub fn verify_pages(
    pages: &[Page],
    expected: &ExpectedCodes,
) -> Result<Vec<PageVerification>, VerificationError> {
    let verdict = verify(pages, expected);
    verdict.problem.map_or(Ok(verdict.pages), Err)
}

/// Verifies all pages and returns a problem beside the results, so that both can be shown with the preview.
pub fn verify(pages: &[Page], expected: &ExpectedCodes) -> Verification {
    let numbers = Numbers::of(expected);
    let mut problem = file::all_pages_there(pages).err();
    let mut checked = Vec::with_capacity(pages.len());
    let latest = Instant::now() + SEARCH;
    for page in pages {
        let sound = ink::looks_like_a_page(page);
        // Barcodes are not searched on a blank, black or cut-off page: that problem says more than
        // a missing barcode.
        let codes_read = match (&sound, &numbers) {
            (Ok(()), Some(numbers)) => {
                codes::read_until(&page.bitmap, latest, &|found| numbers.search_state(found))
            }
            _ => Vec::new(),
        };
        problem = problem.or(sound.err());
        checked.push(PageVerification { codes_read });
    }
    if let (None, Some(numbers)) = (&problem, &numbers) {
        problem = numbers.compare(pages, &checked).err();
    }
    Verification {
        pages: checked,
        problem,
    }
}

/// Checks that the PDF is complete, as far as its end shows: the cross-reference table is where
/// `startxref` points. When it is not, PDF readers search the whole file for objects and silently draw
/// whatever they find.
pub fn check_pdf_complete(pdf: &[u8]) -> Result<(), VerificationError> {
    file::contents_found(pdf)
}
