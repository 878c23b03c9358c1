//! Label verification: a label is printed only if its file is complete, its pages are neither blank nor black
//! nor cut off, and its barcodes can be read and carry the numbers of the consignment.
//!
//! Verification reads the bitmaps after fitting, which are exactly the dots that will be printed. An error
//! names the page and the kind of problem ([`VerificationError`]), and a clerk who has looked at the preview
//! may override it. A document that cannot be rendered fails earlier, with [`super::renderer::RenderError`].
//! Reading stops as soon as the expected codes are found, because a batch pays this time for every label.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::codes::{self, Code, SearchState};
use super::page::{Bitmap, Page};
use super::raster::{self, without_padding};

/// The time limit for reading the barcodes of all pages of a document. Codes not found by then
/// count as missing.
const SEARCH: Duration = Duration::from_secs(20);

/// References shorter than this must match the whole code, because a text like "12" occurs inside
/// too many others.
const SHORTEST_PART: usize = 6;

/// The number of bytes at the end of the file in which `startxref` must be. `%%EOF` was already
/// checked before rendering.
const TAIL: usize = 2_048;

/// At least one dot in this many must be black: about 500 dots on an A6 label at 8 dots per millimetre. A
/// truncated or misread file often renders as an empty page without an error, and pale colours print nothing
/// on a thermal printer.
const DOTS_FOR_ONE_BLACK: u64 = 2_000;

/// The highest share of black dots, in per cent. The heaviest label seen so far has a third.
const MOST_BLACK_PERCENT: u64 = 75;

/// An edge with at least this many separate runs of black, where the opposite edge is white, cuts
/// through text or bars. A frame, rule or box gives one or two runs, and rules from edge to edge are
/// black at both edges.
const RUNS_OF_A_CUT: usize = 12;

/// The barcodes that a document must carry.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedCodes {
    /// No barcodes are read, as for manifests and commercial invoices. The file must be complete, and no page may be
    /// blank, black or cut off.
    #[default]
    Nothing,
    /// At least one barcode can be read, whatever its text. Single pages may have no code.
    AnyCode,
    /// As for `AnyCode`; in addition, each of these references must be read on one of the pages.
    References(Vec<String>),
    /// Every page that has a code must be a label of this consignment: the page carries either the reference of an
    /// item (from `items`) or a number of the whole consignment (from `numbers`: the service's and the carrier's). An
    /// item's reference may be missing from all pages only if some page carries just a consignment number, because
    /// some carriers number items in their own way. A page without any code counts as an accompanying document if
    /// every item still has a label.
    Consignment {
        items: Vec<String>,
        numbers: Vec<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The codes read from each page, in order, whether or not there is a problem. Reading stops at the expected
    /// codes, so the lists may be incomplete.
    pub codes: Vec<Vec<Code>>,
    /// The first problem found; `None` if the document may be printed.
    pub problem: Option<VerificationError>,
}

/// A reason not to print a page, with texts for the clerk. The texts never quote the document, except for references
/// that we expected ourselves. Pages count from 1. `Display` gives the headline, [`VerificationError::advice`] says
/// what to do. A clerk who has looked at the preview may override each of these errors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerificationError {
    /// The cross-reference table of the file is not where the file's end says.
    #[error("This label's file is damaged and may be incomplete")]
    Damaged,
    /// The page tree announces more pages than the file contains.
    #[error("Pages are missing: this document should have {says}, but only {found} were found")]
    PagesMissing { found: usize, says: usize },
    #[error("Page {page} of this label is blank")]
    Blank { page: usize },
    #[error("Page {page} of this label is nearly all black")]
    Black { page: usize },
    #[error("Page {page} of this label is cut off at the {edge} edge")]
    Clipped { page: usize, edge: &'static str },
    #[error("No barcode can be read on page {page} of this label")]
    NoCode { page: usize },
    /// The document has the right barcode, but this printer's resolution is too low for it.
    #[error("The barcode on page {page} can't be read at the size it would be printed")]
    TooSmall { page: usize },
    #[error("The barcode on page {page} of this label is not for this consignment")]
    OtherConsignment { page: usize },
    #[error("The barcode on this label is not for this consignment: {missing} is missing")]
    MissingReference { missing: String },
    /// Page `first` already is the label of the same item.
    #[error("Page {page} repeats the label on page {first}")]
    DuplicateLabel { page: usize, first: usize },
}

impl VerificationError {
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Damaged | Self::PagesMissing { .. } => {
                "Get the label again. Print it anyway only if every page of the preview is complete"
            }
            Self::Blank { .. } => {
                "Get the label again from the service. If this happens again, ask the carrier for a new one"
            }
            Self::Black { .. } => {
                "Get the label again. Don't print this one: scanners can't read it, and it wears out the print head"
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

    /// Returns the affected page, counted from 1; `None` if the problem concerns the whole document.
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

    /// Returns whether the document itself is sound, and only its barcodes are not the expected ones.
    pub const fn is_about_codes(&self) -> bool {
        match self {
            Self::NoCode { .. }
            | Self::TooSmall { .. }
            | Self::OtherConsignment { .. }
            | Self::MissingReference { .. }
            | Self::DuplicateLabel { .. } => true,
            Self::Damaged
            | Self::PagesMissing { .. }
            | Self::Blank { .. }
            | Self::Black { .. }
            | Self::Clipped { .. } => false,
        }
    }

    /// Returns a short name of the problem, which is stored with an override by the clerk.
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

/// Reads the barcodes of one page and compares them with `expected`; this page alone must carry all the
/// references. Returns the codes that were read. Takes 1 ms if the expected code is upright and up to 200 ms if there
/// is none, so don't call this on the main thread.
pub fn verify_page(page: &Page, expected: &ExpectedCodes) -> Result<Vec<Code>, VerificationError> {
    let checked = verify_pages(std::slice::from_ref(page), expected)?;
    Ok(checked.into_iter().next().unwrap_or_default())
}

/// Verifies all pages of one document, like [`verify_page`]. The references may be spread over the pages.
pub fn verify_pages(
    pages: &[Page],
    expected: &ExpectedCodes,
) -> Result<Vec<Vec<Code>>, VerificationError> {
    let Verification { codes, problem } = verify(pages, expected);
    problem.map_or(Ok(codes), Err)
}

/// Verifies all pages and returns any problem together with the results, so that both can
/// be shown with the preview.
pub fn verify(pages: &[Page], expected: &ExpectedCodes) -> Verification {
    let numbers = Numbers::of(expected);
    let mut problem = missing_pages(pages);
    let mut codes = Vec::with_capacity(pages.len());
    let latest = Instant::now() + SEARCH;
    for page in pages {
        let sound = looks_like_a_page(page);
        // Barcodes are not searched on a blank, black or cut-off page: that problem says more than
        // a missing barcode.
        codes.push(match (&sound, &numbers) {
            (Ok(()), Some(numbers)) => {
                codes::read_until(&page.bitmap, latest, &|found| numbers.search_state(found))
            }
            _ => Vec::new(),
        });
        problem = problem.or(sound.err());
    }
    if let (None, Some(numbers)) = (&problem, &numbers) {
        problem = numbers.compare(pages, &codes).err();
    }
    Verification { codes, problem }
}

/// Checks that the PDF is complete, as far as its end shows: the cross-reference table is where `startxref` points.
/// Otherwise PDF readers search the whole file for objects and silently draw the objects that they find.
pub fn check_pdf_complete(pdf: &[u8]) -> Result<(), VerificationError> {
    let at = last_startxref(pdf).ok_or(VerificationError::Damaged)?;
    // The offset counts from the first byte, or from `%PDF-` if other bytes precede it. Only a few bytes are read
    // there, so a hostile file costs no more time than a well-formed file.
    let found = [Some(at), at.checked_add(raster::opening(pdf).unwrap_or(0))]
        .into_iter()
        .flatten()
        .any(|at| pdf.get(at..).is_some_and(opens_contents));
    found.then_some(()).ok_or(VerificationError::Damaged)
}

/// Returns the number after the last `startxref`.
fn last_startxref(pdf: &[u8]) -> Option<usize> {
    const WORD: &[u8] = b"startxref";
    let pdf = without_padding(pdf);
    let tail = &pdf[pdf.len().saturating_sub(TAIL)..];
    let at = tail.windows(WORD.len()).rposition(|word| word == WORD)?;
    whole_number(tail[at + WORD.len()..].trim_ascii_start()).map(|(number, _)| number)
}

/// Returns whether a cross-reference table or an object starts here.
fn opens_contents(bytes: &[u8]) -> bool {
    let bytes = bytes[..bytes.len().min(64)].trim_ascii_start();
    let object = whole_number(bytes).and_then(|(_, rest)| whole_number(rest.trim_ascii_start()));
    bytes.starts_with(b"xref")
        || object.is_some_and(|(_, rest)| rest.trim_ascii_start().starts_with(b"obj"))
}

fn whole_number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let (number, rest) = bytes.split_at(bytes.iter().take_while(is_digit).count());
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some((number, rest))
}

/// Returns an error if the file contains fewer pages than its page tree announces. The PDF reader silently leaves out
/// pages that it cannot find.
fn missing_pages(pages: &[Page]) -> Option<VerificationError> {
    let page = pages.first()?;
    (page.announced_page_count > page.page_count).then_some(VerificationError::PagesMissing {
        found: page.page_count,
        says: page.announced_page_count,
    })
}

/// Checks that a bitmap looks like a page: some black dots, but not too many, and nothing cut off at an edge.
fn looks_like_a_page(page: &Page) -> Result<(), VerificationError> {
    let bitmap = &page.bitmap;
    let number = page.index + 1;
    let (ink, dots) = (
        bitmap.ink(),
        u64::from(bitmap.width()) * u64::from(bitmap.height()),
    );
    if ink * DOTS_FOR_ONE_BLACK < dots {
        return Err(VerificationError::Blank { page: number });
    }
    if ink * 100 > dots * MOST_BLACK_PERCENT {
        return Err(VerificationError::Black { page: number });
    }
    cut_edge(bitmap).map_or(Ok(()), |edge| {
        Err(VerificationError::Clipped { page: number, edge })
    })
}

fn cut_edge(bitmap: &Bitmap) -> Option<&'static str> {
    let (right, bottom) = (bitmap.width() - 1, bitmap.height() - 1);
    let across = |one: u32, other: u32| {
        runs((0..=bottom).map(|y| bitmap.get(one, y) && !bitmap.get(other, y)))
    };
    let along = |one: u32, other: u32| {
        runs((0..=right).map(|x| bitmap.get(x, one) && !bitmap.get(x, other)))
    };
    let edges = [
        ("right", across(right, 0)),
        ("left", across(0, right)),
        ("bottom", along(bottom, 0)),
        ("top", along(0, bottom)),
    ];
    let cut = edges.into_iter().find(|(_, runs)| *runs >= RUNS_OF_A_CUT);
    cut.map(|(edge, _)| edge)
}

fn runs(dots: impl Iterator<Item = bool>) -> usize {
    let (mut before, mut runs) = (false, 0);
    for black in dots {
        runs += usize::from(black && !before);
        before = black;
    }
    runs
}

/// The numbers to look for, and whether every page with a code must carry one of them. All texts are
/// normalised by [`plain`].
struct Numbers {
    /// One reference for each item.
    items: Vec<String>,
    /// Numbers of the whole consignment.
    numbers: Vec<String>,
    /// Whether a page that has codes but none of these numbers belongs to another consignment.
    each_page_ours: bool,
}

impl Numbers {
    /// Returns `None` if no codes are expected.
    fn of(expected: &ExpectedCodes) -> Option<Self> {
        let (items, numbers, each_page_ours): (&[String], &[String], bool) = match expected {
            ExpectedCodes::Nothing => return None,
            ExpectedCodes::AnyCode => (&[], &[], false),
            ExpectedCodes::References(items) => (items, &[], false),
            ExpectedCodes::Consignment { items, numbers } => (items, numbers, true),
        };
        let all_plain = |texts: &[String]| texts.iter().map(|text| plain(text)).collect();
        Some(Self {
            items: all_plain(items),
            numbers: all_plain(numbers),
            each_page_ours: each_page_ours && !(items.is_empty() && numbers.is_empty()),
        })
    }

    /// Returns whether the codes found on a page are enough to stop searching it.
    fn search_state(&self, found: &[Code]) -> SearchState {
        let is_read = carried_by(found);
        let any_of = |references: &[String]| references.iter().any(&is_read);
        let is_any_enough = self.items.is_empty() && self.numbers.is_empty();
        if any_of(&self.items) || is_any_enough && !found.is_empty() {
            SearchState::Complete
        } else if !any_of(&self.numbers) {
            SearchState::Insufficient
        } else if self.items.is_empty() {
            SearchState::Complete
        } else {
            SearchState::Sufficient
        }
    }

    fn compare(&self, pages: &[Page], codes: &[Vec<Code>]) -> Result<(), VerificationError> {
        let mut seen: Vec<Option<usize>> = vec![None; self.items.len()];
        // `standing` counts the pages that carry only a consignment number; `without` holds the pages
        // without a code.
        let (mut standing, mut without) = (0, Vec::new());
        let mut twice = None;
        for (page, read) in pages.iter().zip(codes) {
            let number = page.index + 1;
            if read.is_empty() {
                without.push(page);
                continue;
            }
            let carries = carried_by(read);
            let own = self.items_on_page(&carries);
            if own.is_empty() {
                let ours = self.numbers.iter().any(carries);
                standing += usize::from(ours);
                if self.each_page_ours && !ours {
                    return Err(VerificationError::OtherConsignment { page: number });
                }
                continue;
            }
            // A page whose items all have a label on an earlier page is a duplicate.
            if own.iter().all(|item| seen[*item].is_some()) {
                twice = twice.or(seen[own[0]].map(|first| VerificationError::DuplicateLabel {
                    page: number,
                    first,
                }));
            }
            for item in own {
                seen[item].get_or_insert(number);
            }
        }
        // The label of a single item may occur twice. With several items, a duplicate means that another item
        // lacks its label.
        let missing = seen.iter().position(Option::is_none);
        if let Some(twice) = twice.filter(|_| missing.is_some() || self.items.len() > 1) {
            return Err(twice);
        }
        let lacking = seen.iter().filter(|page| page.is_none()).count();
        self.check_pages_without_code(&without, pages.len(), (lacking, standing))?;
        match missing {
            Some(item) if standing == 0 => Err(VerificationError::MissingReference {
                missing: self.items[item].clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Checks that the pages without a readable code are not labels. `lacking` is the number of items
    /// without a label, `standing` the number of labels that carry only a consignment number and so may
    /// belong to any item.
    fn check_pages_without_code(
        &self,
        without: &[&Page],
        pages: usize,
        (lacking, standing): (usize, usize),
    ) -> Result<(), VerificationError> {
        let no_code = |page: &Page| VerificationError::NoCode {
            page: page.index + 1,
        };
        let Some(first) = without.first() else {
            return Ok(());
        };
        if without.len() == pages || (lacking > 0 && standing == 0) {
            return Err(no_code(first));
        }
        // Every item has its label, so the other pages are accompanying documents, whatever they show.
        if !self.items.is_empty() && lacking <= standing {
            return Ok(());
        }
        let with_bars = without.iter().find(|page| codes::has_bars(page));
        with_bars.map_or(Ok(()), |page| Err(no_code(page)))
    }

    /// Returns the items named on a page. A reference that is part of a longer reference on the same page
    /// does not count.
    fn items_on_page(&self, carries: &dyn Fn(&String) -> bool) -> Vec<usize> {
        let named: Vec<_> = { self.items.iter().enumerate() }
            .filter(|(_, reference)| carries(reference))
            .collect();
        let inside_another = |reference: &String| {
            let longer = |other: &String| other.len() > reference.len();
            { named.iter() }.any(|(_, other)| longer(other) && other.contains(reference.as_str()))
        };
        let own = named
            .iter()
            .filter(|(_, reference)| !inside_another(reference));
        own.map(|(item, _)| *item).collect()
    }
}

/// Returns a function that tests whether any of these codes carries a reference.
fn carried_by(codes: &[Code]) -> impl Fn(&String) -> bool + use<> {
    let codes: Vec<String> = codes.iter().map(|code| plain(&code.text)).collect();
    move |reference| codes.iter().any(|code| carries_reference(code, reference))
}

/// Returns whether a code carries the reference, alone or between the GS1 identifiers and routing data
/// that carriers add.
fn carries_reference(code: &str, reference: &str) -> bool {
    !reference.is_empty()
        && (code == reference || (reference.len() >= SHORTEST_PART && code.contains(reference)))
}

/// Removes whitespace and control characters.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .collect()
}
