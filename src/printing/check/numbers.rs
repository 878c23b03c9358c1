//! Whose label it is: the codes that were read against the numbers of the consignment.

use super::super::codes::{self, Answered, Code};
use super::super::page::Page;
use super::{CheckError, Checked, Expected};

/// References shorter than this must be the whole code: "12" is inside too many others.
const SHORTEST_PART: usize = 6;

/// What is looked for, and how strictly. All texts are [`plain`].
pub(super) struct Numbers {
    /// A piece each.
    items: Vec<String>,
    /// Of the whole consignment.
    numbers: Vec<String>,
    /// Whether a page with none of them is somebody else's.
    each_page_ours: bool,
}

impl Numbers {
    /// `None` where no codes are looked for.
    pub(super) fn of(expected: &Expected) -> Option<Self> {
        let (items, numbers, each_page_ours): (&[String], &[String], bool) = match expected {
            Expected::Nothing => return None,
            Expected::AnyCode => (&[], &[], false),
            Expected::References(items) => (items, &[], false),
            Expected::Consignment { items, numbers } => (items, numbers, true),
        };
        let all_plain = |texts: &[String]| texts.iter().map(|text| plain(text)).collect();
        Some(Self {
            items: all_plain(items),
            numbers: all_plain(numbers),
            each_page_ours: each_page_ours && !(items.is_empty() && numbers.is_empty()),
        })
    }

    /// How far the codes found on a page answer what is asked of it.
    pub(super) fn answered_by(&self, found: &[Code]) -> Answered {
        let any_of = |references: &[String]| {
            found.iter().any(|code| {
                let code = plain(&code.text);
                references.iter().any(|reference| says(&code, reference))
            })
        };
        if any_of(&self.items) {
            Answered::Fully
        } else if any_of(&self.numbers) {
            if self.items.is_empty() {
                Answered::Fully
            } else {
                Answered::Enough
            }
        } else if self.items.is_empty() && self.numbers.is_empty() && !found.is_empty() {
            Answered::Fully
        } else {
            Answered::NotYet
        }
    }

    /// Compares all pages of one document.
    pub(super) fn compare(&self, pages: &[Page], checked: &[Checked]) -> Result<(), CheckError> {
        let mut seen: Vec<Option<usize>> = vec![None; self.items.len()];
        // Pages that carry no more than a number of the whole consignment, and pages without a code.
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
            let carries = |reference: &String| codes.iter().any(|code| says(code, reference));
            let own = self.own(&carries);
            if own.is_empty() {
                let ours = self.numbers.iter().any(carries);
                standing += usize::from(ours);
                if self.each_page_ours && !ours {
                    return Err(CheckError::NotOurs { page: number });
                }
                continue;
            }
            // A page with nothing that an earlier one has not is that one again.
            if let Some(first) = own
                .iter()
                .map(|item| seen[*item])
                .collect::<Option<Vec<_>>>()
            {
                twice = twice.or(first.first().map(|first| CheckError::Twice {
                    page: number,
                    first: *first,
                }));
            }
            for item in own {
                seen[item].get_or_insert(number);
            }
        }
        // A lone piece may have a second label; where there are more, one of them goes without.
        let missing = seen.iter().position(Option::is_none);
        if let Some(twice) = twice.filter(|_| missing.is_some() || self.items.len() > 1) {
            return Err(twice);
        }
        let lacking = seen.iter().filter(|page| page.is_none()).count();
        self.all_read(&without, pages.len(), (lacking, standing))?;
        match missing {
            Some(item) if standing == 0 => Err(CheckError::OtherReference {
                missing: self.items[item].clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Whether the pages without a code have none to read. `lacking` is how many pieces no label was found for, `standing`
    /// how many labels may be of any piece.
    fn all_read(
        &self,
        without: &[&Page],
        pages: usize,
        (lacking, standing): (usize, usize),
    ) -> Result<(), CheckError> {
        let no_code = |page: &Page| CheckError::NoCode {
            page: page.index + 1,
        };
        let Some(first) = without.first() else {
            return Ok(());
        };
        if without.len() == pages || (lacking > 0 && standing == 0) {
            return Err(no_code(first));
        }
        // Each piece has its label: the other pages are papers that go along, whatever is on them.
        if !self.items.is_empty() && lacking <= standing {
            return Ok(());
        }
        let with_bars = without.iter().find(|page| codes::has_bars(page));
        with_bars.map_or(Ok(()), |page| Err(no_code(page)))
    }

    /// The pieces that a page names. A reference inside a longer one that is there too is not named by itself.
    fn own(&self, carries: &dyn Fn(&String) -> bool) -> Vec<usize> {
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

/// Whether a code carries the reference: alone, or among GS1 identifiers and routing as carriers wrap it.
fn says(code: &str, reference: &str) -> bool {
    !reference.is_empty()
        && (code == reference || (reference.len() >= SHORTEST_PART && code.contains(reference)))
}

/// Without blanks and separators.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .collect()
}
