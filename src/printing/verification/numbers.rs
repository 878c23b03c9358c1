//! Compares the codes that were read with the numbers of the consignment.

use super::super::codes::{self, Code, SearchState};
use super::super::page::Page;
use super::{ExpectedCodes, PageVerification, VerificationError};

/// References shorter than this must match the whole code, because a text like "12" occurs inside
/// too many others.
const SHORTEST_PART: usize = 6;

/// The numbers to look for, and how strictly. All texts are normalised by [`plain`].
pub(super) struct Numbers {
    /// One reference for each item.
    items: Vec<String>,
    /// Numbers of the whole consignment.
    numbers: Vec<String>,
    /// Whether a page that has codes but none of these numbers belongs to another consignment.
    each_page_ours: bool,
}

impl Numbers {
    /// Returns `None` if no codes are expected.
    pub(super) fn of(expected: &ExpectedCodes) -> Option<Self> {
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
    pub(super) fn search_state(&self, found: &[Code]) -> SearchState {
        let any_of = |references: &[String]| {
            found.iter().any(|code| {
                let code = plain(&code.text);
                references
                    .iter()
                    .any(|reference| carries_reference(&code, reference))
            })
        };
        if any_of(&self.items) {
            SearchState::Complete
        } else if any_of(&self.numbers) {
            if self.items.is_empty() {
                SearchState::Complete
            } else {
                SearchState::Sufficient
            }
        } else if self.items.is_empty() && self.numbers.is_empty() && !found.is_empty() {
            SearchState::Complete
        } else {
            SearchState::Insufficient
        }
    }

    pub(super) fn compare(
        &self,
        pages: &[Page],
        checked: &[PageVerification],
    ) -> Result<(), VerificationError> {
        let mut seen: Vec<Option<usize>> = vec![None; self.items.len()];
        // `standing` counts the pages that carry only a consignment number; `without` holds the pages
        // without a code.
        let (mut standing, mut without) = (0, Vec::new());
        let mut twice = None;
        for (page, checked) in pages.iter().zip(checked) {
            let number = page.index + 1;
            let read = &checked.codes_read;
            if read.is_empty() {
                without.push(page);
                continue;
            }
            let codes: Vec<String> = read.iter().map(|code| plain(&code.text)).collect();
            let carries =
                |reference: &String| codes.iter().any(|code| carries_reference(code, reference));
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
            if let Some(first) = own
                .iter()
                .map(|item| seen[*item])
                .collect::<Option<Vec<_>>>()
            {
                twice = twice.or(first
                    .first()
                    .map(|first| VerificationError::DuplicateLabel {
                        page: number,
                        first: *first,
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

    /// Returns the items named on a page. A reference that is part of a longer one on the same page
    /// does not count.
    fn items_on_page(&self, carries: &dyn Fn(&String) -> bool) -> Vec<usize> {
        let named: Vec<usize> = (0..self.items.len())
            .filter(|item| carries(&self.items[*item]))
            .collect();
        let inside_another = |item: &usize| {
            let reference = &self.items[*item];
            named.iter().any(|other| {
                self.items[*other].len() > reference.len()
                    && self.items[*other].contains(reference.as_str())
            })
        };
        let own = named.iter().filter(|item| !inside_another(item));
        own.copied().collect()
    }
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
