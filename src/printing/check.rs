//! The check before ink: a label leaves the bench only when its file is whole, its dots are a label's, and its own barcode
//! reads from the very dots to be burnt and says what the consignment expects.
//!
//! What always holds: the dots that are checked are those that will burn, after fitting. A failed check says on which page
//! and of which kind ([`CheckError`]), and each may be overridden by a clerk who has looked; a document that cannot be
//! drawn at all never comes here ([`super::renderer::RenderError`]). Reading stops at the first code that satisfies, since
//! a batch pays for it label by label.

mod error;
mod file;
mod ink;
mod numbers;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use error::{CheckError, Edge};

use super::codes::{self, Code};
use super::page::Page;
use numbers::Numbers;

/// How long codes are searched for on all pages of a document together. What is not found by then counts as not there.
const SEARCH: Duration = Duration::from_secs(20);

/// What the barcodes of a document have to say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// No barcode is looked for: manifests, commercial invoices. The file is whole and no page blank or black.
    #[default]
    Nothing,
    /// At least one barcode reads, whatever it says. A page may be without codes.
    AnyCode,
    /// The same, and each of these references is read on one of the pages.
    References(Vec<String>),
    /// Each page with a code is a label of this consignment: it carries the reference of a piece of its own, out of
    /// `items`, or one of the numbers of the whole consignment (the service's, the carrier's). A reference may be on no
    /// page only where some page carries no more than such a number, as labels of carriers do that count pieces their own
    /// way. A page without any code is no label, unless a piece would be without one.
    Consignment {
        items: Vec<String>,
        numbers: Vec<String>,
    },
}

/// A page that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// What a scanner reads, as far as was looked: no further than to the codes that were expected.
    pub codes_read: Vec<Code>,
}

/// What was found on the pages of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// One for each page, in order, whether or not there is a problem.
    pub pages: Vec<Checked>,
    /// The first thing that is wrong; `None` when all may be burnt.
    pub problem: Option<CheckError>,
}

/// Reads the page's barcodes and compares them with `expected`, of which this page alone has to carry all references.
/// Takes a millisecond where the expected code stands upright, up to 200 ms where there is none: not for the main thread.
pub fn before_ink(page: &Page, expected: &Expected) -> Result<Checked, CheckError> {
    let checked = all_before_ink(std::slice::from_ref(page), expected)?;
    Ok(checked.into_iter().next().unwrap_or_default())
}

/// [`before_ink`] for the pages of one document: a label a page, the references spread over them.
pub fn all_before_ink(pages: &[Page], expected: &Expected) -> Result<Vec<Checked>, CheckError> {
    let verdict = verdict(pages, expected);
    verdict.problem.map_or(Ok(verdict.pages), Err)
}

/// The same without stopping at a problem, so that it can be shown beside the page.
pub fn verdict(pages: &[Page], expected: &Expected) -> Verdict {
    let numbers = Numbers::of(expected);
    let mut problem = file::all_pages_there(pages).err();
    let mut checked = Vec::with_capacity(pages.len());
    let latest = Instant::now() + SEARCH;
    for page in pages {
        let sound = ink::looks_like_a_page(page);
        // A blank page has no code either: its own words say more.
        let codes_read = match (&sound, &numbers) {
            (Ok(()), Some(numbers)) => {
                codes::read_until(&page.bitmap, latest, &|found| numbers.answered_by(found))
            }
            _ => Vec::new(),
        };
        problem = problem.or(sound.err());
        checked.push(Checked { codes_read });
    }
    if let (None, Some(numbers)) = (&problem, &numbers) {
        problem = numbers.compare(pages, &checked).err();
    }
    Verdict {
        pages: checked,
        problem,
    }
}

/// Whether the bytes are a whole PDF as far as its end can tell: the table of contents stands where the end says. Readers
/// search the file for objects where it does not, and then draw whatever is left of it without a word.
pub fn whole_file(pdf: &[u8]) -> Result<(), CheckError> {
    file::contents_found(pdf)
}
