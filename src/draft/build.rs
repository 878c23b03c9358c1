//! Builds a request from a draft in one pass, and collects every problem on the way.
//!
//! Invariant: a request without errors is complete, contains only values that were typed, picked or looked
//! up, and contains no text that [`super::text`] rejects.

mod customs;
mod dangerous_goods;
mod despatch;
mod items;
mod options;
mod parties;
mod pending;
mod route;

use std::collections::HashSet;

use rust_decimal::Decimal;

use super::field::Field;
use super::number::NumberError;
use super::problem::Problem;
use super::{CheckContext, Draft, segregation, text};
use shipping::{CompanyId, ConsignmentRequest, CountryCode, ItemRequest, LocalTime};

pub(super) use pending::pending;

/// The purpose of the built request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To create a consignment, so the request must be complete.
    Send,
    /// To save a pending consignment or ask for prices: values that are present must be readable, others may
    /// be missing.
    Save,
}

/// The state of one pass over a draft.
struct RequestBuilder<'a> {
    draft: &'a Draft,
    context: &'a CheckContext,
    purpose: Purpose,
    /// Whether the parties are in different countries.
    international: bool,
    /// Whether both parties are in New Zealand.
    new_zealand: bool,
    /// The delegated references so far; each reference belongs to one piece.
    references: HashSet<&'a str>,
    /// The country that was looked up last. Cached because most lines have the same country.
    made_in: Option<(&'a str, Option<CountryCode>)>,
    /// The number of pieces so far. A saved item with an unknown quantity counts as one.
    pieces: u32,
    problems: Vec<Problem>,
}

/// Builds the request as far as the draft can be read. Returns all problems, in the order of the screen.
pub(super) fn request(draft: &Draft, context: &CheckContext) -> (ConsignmentRequest, Vec<Problem>) {
    let mut build = RequestBuilder::new(draft, context, Purpose::Send);
    let mut request = build.request();
    build.route(&mut request);
    build.declaration();
    segregation::warn(draft, context, &mut build.problems);
    (request, build.problems)
}

/// Reads the typed despatch time, in the sender's time zone. `None` means now.
pub(super) fn despatch(
    draft: &Draft,
    context: &CheckContext,
) -> Result<Option<LocalTime>, Vec<Problem>> {
    let mut build = RequestBuilder::new(draft, context, Purpose::Save);
    let time = build.despatch();
    if build.problems.is_empty() {
        Ok(time)
    } else {
        Err(build.problems)
    }
}

impl<'a> RequestBuilder<'a> {
    fn new(draft: &'a Draft, context: &'a CheckContext, purpose: Purpose) -> Self {
        Self {
            draft,
            context,
            purpose,
            international: draft.is_international(),
            new_zealand: draft.is_in_new_zealand(),
            references: HashSet::new(),
            made_in: None,
            pieces: 0,
            problems: Vec::new(),
        }
    }

    /// Builds everything except the route.
    fn request(&mut self) -> ConsignmentRequest {
        let mut request = ConsignmentRequest::default();
        request.company_id = self.draft.company;
        self.company();
        request.dgs_declaration = Some(self.draft.has_dangerous_goods());
        self.parties(&mut request);
        self.options(&mut request);
        request.items = self.items();
        if request.is_complex() || self.draft.goods.iter().any(super::GoodsLine::is_saved) {
            request.items = request.items.into_iter().map(ItemRequest::nested).collect();
        }
        request
    }

    /// Returns the company that the consignment belongs to, if known. The form of an edited consignment may
    /// lack its company, so the token's own company is assumed for new consignments only.
    fn owner(&self) -> Option<CompanyId> {
        let own = self.context.company.own;
        self.draft
            .company
            .or_else(|| own.filter(|_| self.draft.edits.is_none()))
    }

    /// Returns whether `company` is known to differ from the draft's company.
    fn belongs_to_other_company(&self, company: Option<CompanyId>) -> bool {
        company.is_some() && self.owner().is_some() && company != self.owner()
    }

    /// Reports a new draft of another company. The screen offers the locations, items and carriers of the
    /// bench's company, so such a draft cannot be completed there.
    fn company(&mut self) {
        let bench = self.context.company;
        let is_new = self.draft.edits.is_none();
        if is_new && bench.is_listed && self.owner() != bench.id {
            let words = "This draft is for another company. Switch to that company";
            self.error(Field::Company, words);
        }
    }

    fn declaration(&mut self) {
        if self.draft.has_dangerous_goods() && !self.draft.is_declared() {
            self.error(
                Field::Declaration,
                "Declare the dangerous goods in this consignment",
            );
        }
    }

    fn error(&mut self, field: Field, words: impl Into<String>) {
        self.problems.push(Problem::error(field, words));
    }

    /// Reports a missing value, if the request must be complete.
    fn missing(&mut self, field: Field, words: &str) {
        if self.purpose == Purpose::Send {
            self.error(field, words);
        }
    }

    fn warn(&mut self, field: Field, words: impl Into<String>) {
        if self.purpose == Purpose::Send {
            self.problems.push(Problem::warning(field, words));
        }
    }

    /// Reads an optional text.
    fn text(&mut self, field: Field, typed: &str) -> Option<String> {
        if let Some(words) = text::text_problem(typed, field.max_chars()) {
            self.error(field, words);
            return None;
        }
        text::non_blank(typed)
    }

    /// Reads a required text.
    fn required(&mut self, field: Field, typed: &str, words: &str) -> Option<String> {
        if typed.trim().is_empty() {
            self.missing(field, words);
        }
        self.text(field, typed)
    }

    /// Reads a required number; `empty` is the message if nothing is typed.
    fn number<T>(&mut self, field: Field, read: Result<T, NumberError>, empty: &str) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(NumberError::Empty) => {
                self.missing(field, empty);
                None
            }
            Err(other) => {
                self.error(field, other.message(empty));
                None
            }
        }
    }

    /// Reads an optional number.
    fn optional<T>(&mut self, field: Field, read: Result<T, NumberError>) -> Option<T> {
        match read {
            Err(NumberError::Empty) => None,
            other => self.number(field, other, ""),
        }
    }
}

/// Formats a number without trailing zeros.
fn plain(value: Decimal) -> String {
    value.normalize().to_string()
}
