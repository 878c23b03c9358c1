//! The check before ink: a label leaves the bench only when its own barcode reads from the very dots to be burnt, and says
//! what the consignment expects.

use serde::{Deserialize, Serialize};

use super::codes::{self, Code};
use super::page::Page;

/// References shorter than this must be the whole code: "12" is inside too many others.
const SHORTEST_PART: usize = 6;

/// What the barcodes of a document have to say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// No barcode is looked for: manifests, commercial invoices.
    #[default]
    Nothing,
    /// Each page is a label: at least one barcode reads, whatever it says.
    AnyCode,
    /// The same, and each of these references is read on one of the pages.
    References(Vec<String>),
}

/// A page that may be burnt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// What a scanner reads, as far as was looked: no further than to the codes that were expected.
    pub codes_read: Vec<Code>,
}

/// Why a page must not be burnt. `page` counts from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// Not one barcode reads.
    #[error("No barcode can be read on page {page} of this label")]
    NoCode { page: usize },
    /// The barcodes read, and are somebody else's.
    #[error("The barcode on this label is not this consignment's: {missing} is missing")]
    OtherReference { missing: String },
}

impl CheckError {
    /// What the clerk can do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NoCode { .. } => {
                "A scanner would not read it either. Get the label again, or use a finer printer"
            }
            Self::OtherReference { .. } => {
                "Don't stick it on. Get the label again; if it stays so, call the carrier"
            }
        }
    }
}

/// Reads the page's barcodes and compares them with `expected`, of which this page alone has to carry all references.
/// Takes 15 to 50 ms: not for the main thread.
pub fn before_ink(page: &Page, expected: &Expected) -> Result<Checked, CheckError> {
    let checked = all_before_ink(std::slice::from_ref(page), expected)?;
    Ok(checked.into_iter().next().unwrap_or_default())
}

/// [`before_ink`] for the pages of one document: a label a page, the references spread over them.
pub fn all_before_ink(pages: &[Page], expected: &Expected) -> Result<Vec<Checked>, CheckError> {
    let checked = pages
        .iter()
        .map(|page| read(page, expected))
        .collect::<Result<Vec<_>, _>>()?;
    if let Expected::References(references) = expected {
        let read = checked.iter().flat_map(|page| &page.codes_read);
        let missing = references
            .iter()
            .find(|reference| !read.clone().any(|code| says(&code.text, reference)));
        if let Some(missing) = missing {
            return Err(CheckError::OtherReference {
                missing: missing.clone(),
            });
        }
    }
    Ok(checked)
}

/// Looks for as long as what is expected has not been seen.
fn read(page: &Page, expected: &Expected) -> Result<Checked, CheckError> {
    let seen = |found: &[Code]| match expected {
        Expected::Nothing => true,
        Expected::AnyCode => !found.is_empty(),
        Expected::References(all) => all
            .iter()
            .any(|one| found.iter().any(|code| says(&code.text, one))),
    };
    if *expected == Expected::Nothing {
        return Ok(Checked::default());
    }
    let codes_read = codes::read_until(&page.bitmap, &seen);
    if codes_read.is_empty() {
        return Err(CheckError::NoCode {
            page: page.index + 1,
        });
    }
    Ok(Checked { codes_read })
}

/// Whether a code carries the reference: alone, or among GS1 identifiers and routing as carriers wrap it.
fn says(code: &str, reference: &str) -> bool {
    let plain: String = code
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .collect();
    let reference: String = reference.chars().filter(|c| !c.is_whitespace()).collect();
    plain == reference || (reference.len() >= SHORTEST_PART && plain.contains(&reference))
}
