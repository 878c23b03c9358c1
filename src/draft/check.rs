//! Checks a draft: builds a request in one pass, and collects every problem on the way.
//!
//! Invariant: a request without errors is complete, contains only values that were typed, picked or looked
//! up, and contains no text that [`super::text`] rejects.
//!
//! Most rules come from the service's interface. The following rules are the bench's own, because the service's
//! interface names no rules for these cases:
//!
//! | Rule | Why | Blocks |
//! |---|---|---|
//! | Only packaging kinds that services are known to accept | others are refused | yes |
//! | Purposes outside the known list | only the service has the full list | no, it warns |
//! | At most 1,000 pieces in a new consignment | each has a label and a barcode | yes, except in edits |
//! | The despatch time is not past, skipped or ambiguous | the service would use now | yes, if changed |
//! | Phone numbers, e-mail addresses and harmonised codes are well-formed | others are refused | yes |
//! | No line breaks, control characters or overlong texts | labels do not show them | yes |
//! | No ambiguous numbers, and no fractions of a cent | they could mean something else | yes |
//! | The clerk declares dangerous goods, and again after a change | the service only has a flag | yes |
//! | Unlikely amounts, flash points, contents and countries | they may be right | no, it warns |
//! | A suburb that the list does not have with this postcode | the service may know more | no, it warns |

mod items;
mod options;
mod parties;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use super::field::{Field, GoodsField};
use super::number::NumberError;
use super::{
    ContentsLine, DgLine, Draft, GoodsLine, ItemSource, Suburb, number, segregation, text,
};
use shipping::{
    Carrier, CompanyId, ConsignmentItem, ConsignmentRequest, LocalTime, PendingConsignmentRequest,
    RouteRequest, UnLookupEntry, UnNumber,
};

#[derive(Debug, Clone)]
pub struct CheckContext {
    pub now: Timestamp,
    /// The bench's own zone (IANA), for senders whose zone is unknown.
    pub bench_zone: String,
    /// The service's answers about UN numbers. A number that the service does not know has an empty list; a
    /// number that was never looked up has no entry.
    pub un_numbers: Arc<HashMap<UnNumber, Vec<UnLookupEntry>>>,
    /// The company's carriers with their accounts; empty until they are known.
    pub carriers: Arc<Vec<Carrier>>,
    /// The known suburbs with their postcodes; empty until they are known.
    pub suburbs: Arc<Vec<Suburb>>,
    pub company: BenchCompany,
}

/// The company that the bench works for, as far as the service has answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BenchCompany {
    /// `None` until a company is picked.
    pub id: Option<CompanyId>,
    /// The token's own company. A draft without a company belongs to it.
    pub own: Option<CompanyId>,
    /// Whether the service has listed the token's companies. Until then, no draft counts as another company's draft.
    pub is_listed: bool,
}

impl CheckContext {
    /// A context without any answers from the service.
    pub fn at(now: Timestamp, bench_zone: impl Into<String>) -> Self {
        Self {
            now,
            bench_zone: bench_zone.into(),
            un_numbers: Arc::default(),
            carriers: Arc::default(),
            suburbs: Arc::default(),
            company: BenchCompany::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Prevents sending.
    Error,
    /// Does not prevent sending, but the clerk should check the value.
    Warning,
}

/// A problem at a field, worded for the clerk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub field: Field,
    pub severity: Severity,
    pub message: String,
}

impl Problem {
    pub fn error(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Error,
            message: words.into(),
        }
    }

    pub fn warning(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Warning,
            message: words.into(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Check {
    /// All problems, in the order of the screen.
    pub problems: Vec<Problem>,
    request: ConsignmentRequest,
}

impl Check {
    /// Returns whether there are no errors, so that the draft can be sent.
    pub fn passes(&self) -> bool {
        self.errors().next().is_none()
    }

    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
    }

    /// Returns the request, if there are no errors.
    pub fn request(&self) -> Option<&ConsignmentRequest> {
        self.passes().then_some(&self.request)
    }

    /// Returns the request as far as it could be built.
    pub(super) const fn built(&self) -> &ConsignmentRequest {
        &self.request
    }

    /// Returns the request for prices; `None` if there is an error in a field that affects the price.
    pub fn route_request(&self) -> Option<RouteRequest> {
        let blocked = self.errors().any(|problem| problem.field.affects_price());
        (!blocked).then(|| RouteRequest::for_consignment(&self.request))
    }
}

impl Draft {
    /// Checks the whole draft against every rule of the specification that a form can break.
    pub fn check(&self, context: &CheckContext) -> Check {
        let mut build = RequestBuilder::new(self, context, Purpose::Send);
        let mut request = build.request();
        build.route(&mut request);
        build.declaration();
        segregation::warn(self, context, &mut build.problems);
        let problems = build.problems;
        Check { problems, request }
    }

    /// Builds a pending consignment from the draft; every value may be missing. The error contains a problem for each
    /// typed value that cannot be read.
    pub fn pending_request(
        &self,
        context: &CheckContext,
    ) -> Result<PendingConsignmentRequest, Vec<Problem>> {
        let mut build = RequestBuilder::new(self, context, Purpose::Save);
        let mut request = build.request();
        build.route(&mut request);
        for (index, (item, line)) in request.items.iter_mut().zip(&self.goods).enumerate() {
            build.complete_pending_item(index, item, line);
        }
        let mut problems = build.problems;
        problems.retain(|problem| problem.severity == Severity::Error);
        if !problems.is_empty() {
            return Err(problems);
        }
        for custom in &mut request.custom_values {
            // Custom values of a pending consignment are text; on create, they may be any JSON value.
            if !custom.value.is_string() {
                custom.value = Value::String(custom.value.to_string());
            }
        }
        Ok(PendingConsignmentRequest::from_consignment(request))
    }

    /// Reads the typed despatch time, in the sender's time zone. `None` means now.
    pub(super) fn read_despatch(
        &self,
        context: &CheckContext,
    ) -> Result<Option<LocalTime>, Vec<Problem>> {
        let mut build = RequestBuilder::new(self, context, Purpose::Save);
        let time = build.despatch();
        if build.problems.is_empty() {
            Ok(time)
        } else {
            Err(build.problems)
        }
    }

    pub fn despatch_zone<'a>(&'a self, context: &'a CheckContext) -> &'a str {
        self.from.time_zone().unwrap_or(&context.bench_zone)
    }
}

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
    /// The number of pieces so far. A saved item with an unknown quantity counts as one.
    pieces: u32,
    problems: Vec<Problem>,
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
            pieces: 0,
            problems: Vec::new(),
        }
    }

    /// Adapts an item to a pending consignment: adds the shipping names of dangerous goods, identifies saved items by
    /// id instead of SKU, and removes dangerous goods and contents that were added but never filled in.
    fn complete_pending_item(
        &mut self,
        index: usize,
        item: &mut ConsignmentItem,
        line: &GoodsLine,
    ) {
        if line.source == ItemSource::Sku && !line.sku.trim().is_empty() {
            item.company_item_id = line.remembered_item().and_then(|saved| saved.id);
            if item.company_item_id.is_none() {
                let words =
                    "Choose this saved item by its id: a pending consignment can't use SKUs";
                self.error(Field::Goods(index, GoodsField::Sku), words);
            }
        }
        let sent = item.consignment_item_dg_items.iter_mut();
        for (sent, good) in sent
            .zip(&line.dangerous)
            .filter(|(_, good)| !good.is_stored())
        {
            sent.proper_shipping_name = text::non_blank(&good.shipping_name);
        }
        let mut goods = line.dangerous.iter();
        item.consignment_item_dg_items
            .retain(|_| !goods.next().is_some_and(DgLine::is_untouched));
        let mut contents = line.contents.iter();
        item.consignment_item_contents
            .retain(|_| !contents.next().is_some_and(ContentsLine::is_untouched));
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
            request.items = request
                .items
                .into_iter()
                .map(ConsignmentItem::nested)
                .collect();
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
    fn missing(&mut self, field: Field) {
        self.missing_because(field, field.row().missing);
    }

    fn missing_because(&mut self, field: Field, words: impl Into<String>) {
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
        if let Some(words) = text::text_problem(typed, field.row().max_chars) {
            self.error(field, words);
            return None;
        }
        text::non_blank(typed)
    }

    /// Reads a required text.
    fn required(&mut self, field: Field) -> Option<String> {
        if self.is_blank(field) {
            self.missing(field);
        }
        self.text(field)
    }

    /// Returns whether nothing is typed in the field.
    fn is_blank(&self, field: Field) -> bool {
        field.text(self.draft).trim().is_empty()
    }

    /// Reads a required number.
    fn number<T>(
        &mut self,
        field: Field,
        read: impl Fn(&str) -> Result<T, NumberError>,
    ) -> Option<T> {
        let read = read(field.text(self.draft));
        match &read {
            Ok(_) => {}
            Err(NumberError::Empty) => self.missing(field),
            Err(other) => self.error(field, other.message()),
        }
        read.ok()
    }

    /// Reads an optional number.
    fn optional<T>(
        &mut self,
        field: Field,
        read: impl Fn(&str) -> Result<T, NumberError>,
    ) -> Option<T> {
        if self.is_blank(field) {
            return None;
        }
        self.number(field, read)
    }

    /// Reads an optional id of the service; `words` is the error message for a text that is not an id.
    fn id(&mut self, field: Field, words: &str) -> Option<i64> {
        let id = number::read_id(field.text(self.draft)).ok();
        if id.is_none() && !self.is_blank(field) {
            self.error(field, words);
        }
        id
    }
}
