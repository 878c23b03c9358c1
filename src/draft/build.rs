//! From typed text to the request: one walk over the draft that builds what it can and notes every problem.
//!
//! What always holds: a request without a [`Problem`] of severity error is complete and holds nothing that was not typed,
//! picked or looked up; and no text is sent that [`super::text`] finds a fault with.

mod customs;
mod dangerous;
mod despatch;
mod items;
mod options;
mod pending;
mod route;
mod sides;

use std::collections::HashSet;

use rust_decimal::Decimal;

use super::field::Field;
use super::number::Misread;
use super::problem::Problem;
use super::{CheckContext, Draft, segregation, text};
use crate::shipping::{CompanyId, ConsignmentRequest, CountryCode, ItemRequest, LocalTime};

pub(super) use pending::pending;

/// What the request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To be carried: it must be complete.
    Send,
    /// To be completed by somebody else: what is there must be readable, and the rest may be missing.
    Keep,
}

/// One walk over a draft.
struct Build<'a> {
    draft: &'a Draft,
    context: &'a CheckContext,
    purpose: Purpose,
    /// The sides are in different countries.
    international: bool,
    /// Both sides are in New Zealand.
    new_zealand: bool,
    /// Delegated references met so far: each is one piece's.
    references: HashSet<&'a str>,
    /// The country that was looked up last: most lines say the same one.
    made_in: Option<(&'a str, Option<CountryCode>)>,
    /// Pieces so far; a saved item whose quantity is not known counts as one.
    pieces: u32,
    problems: Vec<Problem>,
}

/// Builds the request as far as the draft can be read, with everything that is wrong, in the order of the screen.
pub(super) fn request(draft: &Draft, context: &CheckContext) -> (ConsignmentRequest, Vec<Problem>) {
    let mut build = Build::new(draft, context, Purpose::Send);
    let mut request = build.request();
    build.route(&mut request);
    build.declaration();
    segregation::warn(draft, context, &mut build.problems);
    (request, build.problems)
}

/// The despatch time that was typed, on the sender's clocks; none means now.
pub(super) fn despatch(
    draft: &Draft,
    context: &CheckContext,
) -> Result<Option<LocalTime>, Vec<Problem>> {
    let mut build = Build::new(draft, context, Purpose::Keep);
    let time = build.despatch();
    if build.problems.is_empty() {
        Ok(time)
    } else {
        Err(build.problems)
    }
}

impl<'a> Build<'a> {
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

    /// Everything but the route.
    fn request(&mut self) -> ConsignmentRequest {
        let mut request = ConsignmentRequest::default();
        request.company_id = self.draft.company;
        self.company();
        request.dgs_declaration = Some(self.draft.holds_dangerous_goods());
        self.sides(&mut request);
        self.options(&mut request);
        request.items = self.items();
        if request.is_complex() || self.draft.goods.iter().any(super::GoodsLine::is_saved) {
            request.items = request.items.into_iter().map(ItemRequest::nested).collect();
        }
        request
    }

    /// The company that the consignment belongs to, where it is known. A form to change one may leave that out.
    fn owner(&self) -> Option<CompanyId> {
        let own = self.context.company.own;
        self.draft
            .company
            .or_else(|| own.filter(|_| self.draft.edits.is_none()))
    }

    /// True where something belongs to a company that the draft is not for. What names no company may be anybody's.
    fn is_anothers(&self, company: Option<CompanyId>) -> bool {
        company.is_some() && self.owner().is_some() && company != self.owner()
    }

    /// What the screen offers is the bench's company's, so that a draft of another company is not sent from there.
    fn company(&mut self) {
        let bench = self.context.company;
        let is_new = self.draft.edits.is_none();
        if is_new && bench.is_listed && self.owner() != bench.id {
            let words = "This draft is for another company. Pick the company that it is for";
            self.error(Field::Company, words);
        }
    }

    fn declaration(&mut self) {
        if self.draft.holds_dangerous_goods() && !self.draft.is_declared() {
            self.error(
                Field::Declaration,
                "Declare the dangerous goods in this consignment",
            );
        }
    }

    fn error(&mut self, field: Field, words: impl Into<String>) {
        self.problems.push(Problem::error(field, words));
    }

    /// What must be there to be carried, and may be missing to be kept.
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

    /// A text that may be missing.
    fn text(&mut self, field: Field, typed: &str) -> Option<String> {
        if let Some(words) = text::fault(typed, field.longest()) {
            self.error(field, words);
            return None;
        }
        text::given(typed)
    }

    /// A text that must be there.
    fn required(&mut self, field: Field, typed: &str, words: &str) -> Option<String> {
        if typed.trim().is_empty() {
            self.missing(field, words);
        }
        self.text(field, typed)
    }

    /// A number, or why there is none; `empty` says what to type.
    fn number<T>(&mut self, field: Field, read: Result<T, Misread>, empty: &str) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(Misread::Empty) => {
                self.missing(field, empty);
                None
            }
            Err(other) => {
                self.error(field, other.words(empty));
                None
            }
        }
    }

    /// A number that may be missing.
    fn optional<T>(&mut self, field: Field, read: Result<T, Misread>) -> Option<T> {
        match read {
            Err(Misread::Empty) => None,
            other => self.number(field, other, ""),
        }
    }
}

/// `2.3 kg` as people write it: no zeros at the end.
fn plain(value: Decimal) -> String {
    value.normalize().to_string()
}
