//! Builds a request from a draft in one pass, and collects every problem on the way.
//!
//! Invariant: a request without errors is complete, contains only values that were typed, picked or looked
//! up, and contains no text that [`super::text`] rejects.

mod customs;
mod dangerous_goods;
mod items;
mod options;
mod parties;

use std::collections::HashSet;

use serde_json::Value;

use super::check::{Problem, Severity};
use super::field::{Field, GoodsField};
use super::number::NumberError;
use super::{
    CheckContext, ContentsLine, DgLine, Draft, GoodsLine, ItemSource, number, segregation, text,
};
use shipping::{
    CompanyId, ConsignmentRequest, CountryCode, ItemRequest, LocalTime, PendingConsignmentRequest,
};

/// The purpose of the built request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To create a consignment, so the request must be complete.
    Send,
    /// To save a pending consignment or ask for prices: values that are present must be readable, others may
    /// be missing.
    Save,
}

/// Reads a number from a typed text.
trait ReadNumber<T>: Fn(&str) -> Result<T, NumberError> {}

impl<T, F: Fn(&str) -> Result<T, NumberError>> ReadNumber<T> for F {}

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

/// Builds a pending consignment, or returns the problems: values may be missing, but typed values must be readable.
pub(super) fn pending(
    draft: &Draft,
    context: &CheckContext,
) -> Result<PendingConsignmentRequest, Vec<Problem>> {
    let mut build = RequestBuilder::new(draft, context, Purpose::Save);
    let mut request = build.request();
    build.route(&mut request);
    for (index, (item, line)) in request.items.iter_mut().zip(&draft.goods).enumerate() {
        // Items of a pending consignment are direct or by id, so a saved item given by its SKU needs its id.
        if line.source == ItemSource::Sku && !line.sku.trim().is_empty() {
            item.company_item_id = line.remembered_item().and_then(|saved| saved.id);
            if item.company_item_id.is_none() {
                let words =
                    "Choose this saved item by its id: a pending consignment can't use SKUs";
                build.error(Field::Goods(index, GoodsField::Sku), words);
            }
        }
        remove_untouched(item, line);
    }
    let mut problems = build.problems;
    problems.retain(|problem| problem.severity == Severity::Error);
    if !problems.is_empty() {
        return Err(problems);
    }
    for custom in &mut request.custom_values {
        // Custom values are text here, but may be any JSON value on create.
        if !custom.value.is_string() {
            custom.value = Value::String(custom.value.to_string());
        }
    }
    // The dangerous goods of a pending consignment carry their shipping names; the dangerous goods of a
    // consignment do not.
    for (item, line) in request.items.iter_mut().zip(&draft.goods) {
        let sent = item.consignment_item_dg_items.iter_mut();
        let typed = line.dangerous.iter().filter(|good| !good.is_untouched());
        for (sent, good) in sent.zip(typed).filter(|(_, good)| !good.is_stored()) {
            sent.proper_shipping_name = text::non_blank(&good.shipping_name);
        }
    }
    Ok(PendingConsignmentRequest::from_consignment(request))
}

/// Removes dangerous goods and contents that were added but never filled in.
fn remove_untouched(item: &mut ItemRequest, line: &GoodsLine) {
    let mut goods = line.dangerous.iter();
    item.consignment_item_dg_items
        .retain(|_| !goods.next().is_some_and(DgLine::is_untouched));
    let mut contents = line.contents.iter();
    item.consignment_item_contents
        .retain(|_| !contents.next().is_some_and(ContentsLine::is_untouched));
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
        if request.is_complex() || self.draft.goods.iter().any(GoodsLine::is_saved) {
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

    /// Adds an error if a new draft belongs to another company. The screen offers only the locations, items
    /// and carriers of the bench's company, so such a draft cannot be completed there.
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
            let words = "Declare the dangerous goods in this consignment";
            self.error(Field::Declaration, words);
        }
    }

    fn error(&mut self, field: Field, words: impl Into<String>) {
        self.problems.push(Problem::error(field, words));
    }

    /// Adds an error for a missing value, if the request must be complete.
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
    fn text(&mut self, field: Field) -> Option<String> {
        let typed = field.text(self.draft);
        if let Some(words) = text::text_problem(typed, field.max_chars()) {
            self.error(field, words);
            return None;
        }
        text::non_blank(typed)
    }

    /// Reads a required text.
    fn required(&mut self, field: Field, words: &str) -> Option<String> {
        if self.is_blank(field) {
            self.missing(field, words);
        }
        self.text(field)
    }

    /// Returns whether nothing is typed in the field.
    fn is_blank(&self, field: Field) -> bool {
        field.text(self.draft).trim().is_empty()
    }

    /// Reads a required number; `empty` is the message if nothing is typed.
    fn number<T>(&mut self, field: Field, read: impl ReadNumber<T>, empty: &str) -> Option<T> {
        let read = read(field.text(self.draft));
        match &read {
            Ok(_) => {}
            Err(NumberError::Empty) => self.missing(field, empty),
            Err(other) => self.error(field, other.message(empty)),
        }
        read.ok()
    }

    /// Reads an optional number.
    fn optional<T>(&mut self, field: Field, read: impl ReadNumber<T>) -> Option<T> {
        if self.is_blank(field) {
            return None;
        }
        self.number(field, read, "")
    }

    /// Reads an optional id of the service; `words` tell what an id looks like.
    fn id(&mut self, field: Field, words: &str) -> Option<i64> {
        let id = number::read_id(field.text(self.draft)).ok();
        if id.is_none() && !self.is_blank(field) {
            self.error(field, words);
        }
        id
    }
}
