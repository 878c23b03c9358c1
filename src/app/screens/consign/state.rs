//! The state of Consign: the open draft, drafts that were sent, problems, prices and imports.

use std::collections::{HashMap, VecDeque};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use jiff::Timestamp;
use rust_decimal::Decimal;

use crate::state::{ConsignmentRow, Notice, Operation, OperationState, Remote, SendRule, Shared};
use draft::orders::{CheckedOrders, Mapping};
use draft::{
    Check, CheckContext, ChosenRoute, Draft, DraftId, Field, PackingLine, Preset, Problem, Routing,
    Severity,
};
use engine::OpenedOrders;
use shipping::{
    Carrier, CarrierId, CarrierServiceId, CompanyId, Consignment, ConsignmentId, DespatchOption,
    Dollars, LocalTime, Rate,
};
use workgroup::WaitingDraft;

/// A command on Consign. Typing needs no command: changes are noticed in [`crate::state::Editing`] and
/// saved automatically.
#[derive(Debug, Clone, PartialEq)]
pub enum ConsignCommand {
    /// Fetch prices at once. Without this command, prices are fetched after a pause in typing.
    FindRoutes,
    /// Repeat the failed lookups of UN numbers and carriers.
    LookUpAgain,
    /// Validate, record and send the draft. If it has problems, show all of them instead.
    Send,
    /// Keep this draft and start a new draft.
    NewDraft,
    OpenDraft(DraftId),
    /// Delete a draft, also at the service if it is saved there. If the draft is open, start a new draft.
    DiscardDraft(DraftId),
    /// Restore the draft that was deleted last.
    RestoreDraft,
    /// Save the open draft at the service as a pending consignment, to be completed later.
    SavePending,
    /// Fetch a consignment's form to change it.
    Edit(ConsignmentId),
    /// Fetch a consignment and start a new draft like it.
    Clone(ConsignmentId),
    /// Fetch a consignment and fill its goods, options and carrier into the open draft.
    Repeat(ConsignmentId),
    /// Fetch a consignment and start a new draft that sends its goods back.
    Return(ConsignmentId),
    RefreshLocations,
    /// A SKU was scanned into the goods and is counted.
    CountedScan,
    /// Show, until it is dismissed, that the scanned text is not a known SKU.
    UnknownScan(String),
    /// Show, until it is dismissed, that the scanned item is in this line (from 0), whose quantity
    /// cannot be increased.
    UncountedScan(String, usize),
    /// Take the weight from the scale for this line. By itself, only an empty field is filled.
    TakeWeight {
        line: usize,
        by_itself: bool,
    },
    Orders(OrdersCommand),
    Handover(HandoverCommand),
    Packing(PackingCommand),
}

/// A command about packing the open order by scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackingCommand {
    Begin,
    /// Stop packing by scan and forget the counts.
    Stop,
    /// Count one piece of this line (from 0), as a scan does.
    Count(usize),
    /// Take one piece of this line (from 0) back.
    TakeBack(usize),
    /// Go on after a wrong piece.
    Acknowledge,
    /// Send the packed pieces, and say why others are missing.
    SendShort(String),
    /// Don't send yet.
    CancelSend,
}

/// Packing by scan as the screen shows it, besides the counts, which the draft has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackingView {
    /// The scan that stopped packing, until the clerk acknowledges it.
    pub stop: Option<PackingStop>,
    /// True while the clerk is asked why pieces are missing.
    pub asks_reason: bool,
    /// The number of counts so far, and the line (from 0) that was counted last.
    pub counted: Option<(u64, usize)>,
}

/// The scan that stopped packing. Nothing was counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackingStop {
    /// The order has no such SKU.
    NotOrdered(String),
    /// The line would have more pieces than ordered.
    Surplus {
        /// The line as it is packed.
        line: PackingLine,
        /// The pieces of the scan.
        pieces: u32,
    },
}

/// A command about drafts that any bench of the workgroup can take over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandoverCommand {
    /// Leave these drafts for any bench, except those that only this bench can finish.
    Leave(Vec<DraftId>),
    /// Leave the open draft for any bench.
    LeaveOpen,
    /// Take over the waiting draft with this id.
    Take(String),
    /// Take over the oldest draft that can be sent as it is.
    TakeNext,
}

/// A command about presets, imported orders, or sending all drafts that are ready.
#[derive(Debug, Clone, PartialEq)]
pub enum OrdersCommand {
    /// Save a preset, replacing the preset of the same name.
    SavePreset {
        preset: Box<Preset>,
        /// The former name, if the preset is being renamed.
        was: Option<String>,
    },
    /// Delete the preset of this name.
    RemovePreset(String),
    /// Import the orders of the file at a typed path; with `None`, the clerk picks a file.
    Import(Option<String>),
    /// Check the orders with these columns.
    Check {
        /// The meaning of each column.
        mapping: Mapping,
        /// Routing of the orders whose row does not name a carrier.
        routing: Routing,
    },
    /// Go back from the checked orders to the columns.
    BackToColumns,
    /// Create drafts of the new orders, and of the already known orders with these indices.
    CreateDrafts(Vec<usize>),
    /// Save the rejected rows at a typed path; with `None`, the clerk picks the path.
    SaveRejected(Option<String>),
    /// Close the import.
    PutAway,
    /// Save the template at a typed path; with `None`, the clerk picks the path.
    SaveTemplate(Option<String>),
    /// Send these drafts one after the other.
    SendAll(Vec<DraftId>),
    /// Stop sending after the current draft.
    StopSending,
}

/// Everything that Consign shows, except the open draft ([`crate::state::Editing`]).
#[derive(Default)]
pub struct ConsignView {
    /// The import of orders, if one is open.
    pub import: ImportView,
    /// The first error of each draft that was checked since it was listed; `None` if the check found none.
    pub checked: HashMap<DraftId, Option<String>>,
    /// The run that sends several drafts, if there is one.
    pub run: Option<SendRun>,
    /// Problems of drafts that the service refused or a run did not send, until each draft is opened.
    pub refusals: HashMap<DraftId, Vec<Problem>>,
    /// Prices for the draft on the Consign screen; idle until the draft has all values that a price depends on.
    pub routes: Remote<Vec<RouteView>>,
    /// True if the draft was changed since the prices were requested.
    pub routes_stale: bool,
    /// The middleware's prices, fetched together with the routes; idle if the middleware cannot represent
    /// the whole draft.
    pub live_prices: Remote<Vec<Rate>>,
    /// Saved drafts except the open one, newest first.
    pub drafts: Vec<Draft>,
    /// When each draft was last saved.
    pub draft_times: HashMap<DraftId, Timestamp>,
    /// Drafts that any bench of the workgroup can take over, the one that has waited longest first.
    pub waiting: Vec<WaitingDraft>,
    /// Deleted drafts, the most recently deleted last. Each can be restored.
    pub discarded: Vec<Draft>,
    /// The consignment whose form is being fetched, to be changed or cloned.
    pub opening: Option<ConsignmentId>,
    /// Drafts that may have been sent already, with the message for each. The clerk has to check
    /// them before sending.
    pub possibly_sent: HashMap<DraftId, String>,
    /// Drafts that were sent and have no result yet, oldest first. The form already shows the next draft.
    pub sent: Vec<Draft>,
    /// The consignment created last, until the next draft is sent.
    pub last_created: Option<Consignment>,
    /// The last orders to the receiver of the form, newest first.
    pub last_orders: Remote<Vec<Arc<ConsignmentRow>>>,
    /// The last scanned text that could not be counted, with its line (from 0); shown until dismissed.
    pub not_counted: Option<(String, usize)>,
    pub packing: PackingView,
}

/// The listed drafts, grouped by whether a run can send them.
pub struct DraftBatch<'a> {
    /// Drafts without a problem, in the order of the list.
    pub ready: Vec<&'a Draft>,
    /// Number of drafts with a problem.
    pub unready: usize,
    /// Number of drafts that a run never sends.
    pub excluded: usize,
}

impl ConsignView {
    pub fn listed(&self, id: &DraftId) -> Option<&Draft> {
        self.drafts.iter().find(|draft| draft.id == *id)
    }

    pub fn unlist(&mut self, id: &DraftId) -> Option<Draft> {
        let at = self.drafts.iter().position(|draft| draft.id == *id)?;
        Some(self.drafts.remove(at))
    }

    /// Returns true if this draft was sent and its result is not known yet.
    pub fn is_sent(&self, id: &DraftId) -> bool {
        self.sent.iter().any(|draft| draft.id == *id)
    }

    /// Returns the listed drafts that are not checked yet.
    pub fn unchecked(&self) -> impl Iterator<Item = &Draft> {
        let drafts = self.drafts.iter();
        drafts.filter(|draft| !self.checked.contains_key(&draft.id))
    }

    /// Returns true if a run never sends this draft, because the draft changes a consignment, completes a pending
    /// consignment, may have been sent already, or is being packed by scan.
    pub fn is_excluded_from_runs(&self, draft: &Draft) -> bool {
        draft.edits.is_some()
            || draft.pending.is_some()
            || { draft.packing.as_ref() }.is_some_and(|packing| !packing.is_complete())
            || self.possibly_sent.contains_key(&draft.id)
    }

    /// Groups the listed drafts by whether a run can send them. Drafts that are not checked yet are left out.
    pub fn batch(&self) -> DraftBatch<'_> {
        let mut batch = DraftBatch {
            ready: Vec::new(),
            unready: 0,
            excluded: 0,
        };
        for draft in &self.drafts {
            match self.checked.get(&draft.id) {
                _ if self.is_excluded_from_runs(draft) => batch.excluded += 1,
                Some(None) => batch.ready.push(draft),
                Some(Some(_)) => batch.unready += 1,
                None => {}
            }
        }
        batch
    }
}

/// The state of a draft. If several states apply, the first of this list is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftState<'a> {
    /// The draft may have been sent already. Contains the message for the clerk.
    InDoubt(&'a str),
    /// The service refused the draft, which has not been changed since. Contains the service's message.
    Refused(&'a str),
    /// The draft is a change of a consignment. Contains the consignment number.
    Changing(&'a str),
    /// The draft is also saved at the service. Contains the number of the pending consignment.
    Pending(&'a str),
    /// The draft is saved on this bench only.
    Draft,
}

/// The progress of sending a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentProgress {
    /// The operation is recorded, and waits until earlier operations in the queue are done.
    Waiting,
    Sending,
    /// The answer was lost; the operation is being reconciled.
    Checking,
}

impl Shared {
    pub fn draft_state<'a>(&'a self, draft: &'a Draft) -> DraftState<'a> {
        if let Some(words) = self.consign.possibly_sent.get(&draft.id) {
            return DraftState::InDoubt(words);
        }
        let saved = self.consign.draft_times.get(&draft.id);
        if let Some(last) = self.last_operation(&draft.id)
            && last.state == OperationState::Rejected
            && saved.is_none_or(|saved| *saved <= last.changed)
        {
            return DraftState::Refused(&last.message);
        }
        match (&draft.edits, &draft.pending) {
            (Some(edited), _) => DraftState::Changing(&edited.number),
            (None, Some(pending)) => DraftState::Pending(&pending.number),
            (None, None) => DraftState::Draft,
        }
    }

    pub fn sent_progress(&self, draft: &DraftId) -> SentProgress {
        match self.last_operation(draft).map(|operation| operation.state) {
            Some(OperationState::Sending) => SentProgress::Sending,
            Some(OperationState::Unknown) => SentProgress::Checking,
            _ => SentProgress::Waiting,
        }
    }

    fn last_operation(&self, draft: &DraftId) -> Option<&Operation> {
        let mut newest_first = self.operations.list.iter();
        newest_first.find(|operation| operation.draft.as_ref() == Some(draft))
    }
}

/// The stage of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImportStage {
    /// No import is open.
    #[default]
    Closed,
    /// The clerk types a path, because there is no file dialog.
    Path,
    /// The clerk picks a file, or the file is being read.
    Opening,
    /// The clerk chooses the meaning of each column.
    Columns,
    Checking,
    /// The checked orders are shown.
    Review,
    /// Drafts are being created.
    Taking,
    Done,
}

/// An import of orders.
#[derive(Default)]
pub struct ImportView {
    pub stage: ImportStage,
    /// The file, with the meaning of each column.
    pub opened: Option<OpenedOrders>,
    /// Sender of the orders that do not name one.
    pub sender: String,
    /// Number of rows checked so far.
    pub progress: Arc<AtomicUsize>,
    /// The checked orders.
    pub checked: Option<CheckedOrders>,
    /// Number of drafts created.
    pub made: usize,
    /// The orders that another bench has imported since the check, each as "SO-1 on Bench 3".
    pub lost: Vec<String>,
    /// Path of the saved file of rejected rows, if there is one.
    pub rejected_at: Option<String>,
    pub problem: Option<Notice>,
}

/// A run that sends several drafts, one after another.
#[derive(Default)]
pub struct SendRun {
    /// Number of drafts in the run.
    pub total: usize,
    /// Number of consignments created.
    pub sent: usize,
    /// Number of drafts that the service refused. They are in the list of drafts again.
    pub refused: usize,
    /// Number of drafts not sent, because they had a problem, were open in the form, or were deleted.
    pub skipped: usize,
    /// Number of drafts that were sent, but may or may not have become consignments.
    pub unknown: usize,
    /// True if the run ends after the current draft.
    pub stopping: bool,
    /// The rule by which Packbench began the run by itself; `None` if the clerk began it.
    pub(crate) rule: Option<SendRule>,
    pub(super) queue: VecDeque<DraftId>,
    /// The draft that was submitted and has no result yet.
    pub(super) current: Option<DraftId>,
    /// The next draft, while its price is compared with the cheapest price.
    pub(super) pricing: Option<(DraftId, Remote<Vec<RouteView>>)>,
    pub(super) unknown_in_a_row: usize,
    /// The reason for ending the run early.
    pub(super) stopped: Option<String>,
    /// The first drafts that were not sent, each with its reason.
    pub(super) reasons: Vec<String>,
}

impl SendRun {
    pub const fn done(&self) -> usize {
        self.sent + self.refused + self.skipped + self.unknown
    }

    /// Returns whether the draft is still to be sent in this run.
    pub fn contains(&self, id: &DraftId) -> bool {
        self.current.as_ref() == Some(id) || self.queue.contains(id)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteView {
    Offer {
        /// The route to put into the draft if the offer is picked.
        route: ChosenRoute,
        before_tax: Option<Dollars>,
        /// Despatch time in the sender's time zone.
        despatch: Option<LocalTime>,
        /// True for the lowest price.
        cheapest: bool,
        /// True for the earliest arrival.
        fastest: bool,
        /// Details shown while the offer is picked.
        details: Box<RouteDetails>,
    },
    /// A carrier without an offer.
    Refusal {
        carrier: String,
        /// The carrier's reason, such as "takes no dangerous goods".
        reason: String,
    },
}

impl RouteView {
    /// Returns the offer that Send will use: the chosen, the cheapest or the fastest offer.
    pub fn taken<'r>(routing: &Routing, routes: &'r [Self]) -> Option<&'r Self> {
        let is_taken = |view: &&Self| match (view, routing) {
            (Self::Offer { cheapest, .. }, Routing::Cheapest) => *cheapest,
            (Self::Offer { fastest, .. }, Routing::Fastest) => *fastest,
            _ => false,
        };
        let Routing::Chosen(chosen) = routing else {
            return routes.iter().find(is_taken);
        };
        let chosen = chosen.among(routes.iter().filter_map(Self::route))?;
        let is_chosen = |view: &&Self| view.route().is_some_and(|one| std::ptr::eq(one, chosen));
        routes.iter().find(is_chosen)
    }

    /// Returns the route of an offer; `None` for a refusal.
    pub const fn route(&self) -> Option<&ChosenRoute> {
        match self {
            Self::Offer { route, .. } => Some(route),
            Self::Refusal { .. } => None,
        }
    }

    /// Returns why the rule does not allow to send at the price of the route: it is above the limit, or not known.
    pub(crate) fn limit_problem(
        routing: &Routing,
        routes: &[Self],
        rule: SendRule,
    ) -> Option<String> {
        let limit = rule.price_limit?.0;
        let is_of = |route: &&ChosenRoute, carrier: &ChosenRoute| {
            route.carrier_id == carrier.carrier_id && route.price.is_some()
        };
        let route = match routing {
            Routing::Carrier(carrier) => {
                let offers = routes.iter().filter_map(Self::route);
                offers
                    .filter(|route| is_of(route, carrier))
                    .min_by_key(|route| route.price)
            }
            other => Self::taken(other, routes).and_then(Self::route),
        };
        match route.and_then(|route| route.price) {
            None => {
                Some("The price is not known, so it can't be compared with the limit".to_owned())
            }
            Some(price) if price.0 > limit => Some(format!(
                "Costs ${:.2}, more than the limit of ${limit:.2}",
                price.0
            )),
            Some(_) => None,
        }
    }

    /// Returns the question to ask before Send if the offer costs more than `dear_percent` above the cheapest offer.
    /// Otherwise, or if prices are not known, returns `None`.
    pub fn price_question(
        routing: &Routing,
        routes: &[Self],
        dear_percent: Option<u32>,
    ) -> Option<String> {
        let most = Decimal::from(dear_percent?) + Decimal::ONE_HUNDRED;
        let taken = Self::taken(routing, routes)?.route()?;
        let cheapest = Self::taken(&Routing::Cheapest, routes)?.route()?;
        let (price, lowest) = (taken.price?.0, cheapest.price?.0);
        let is_dear = price.checked_mul(Decimal::ONE_HUNDRED)? > lowest.checked_mul(most)?;
        is_dear.then(|| {
            format!(
                "{} {} costs ${price:.2}; the cheapest is ${lowest:.2}",
                taken.carrier, taken.service
            )
        })
    }
}

/// Details of an offer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteDetails {
    /// The parts of the price, including tax.
    pub parts: Vec<PricePart>,
    /// Possible despatch times, the earliest first.
    pub despatches: Vec<DespatchOption>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricePart {
    /// Name of the part, such as "Fuel levy, 16.4 %".
    pub name: String,
    pub amount: Dollars,
    /// True for GST, which is listed after the subtotal.
    pub is_tax: bool,
}

/// A difference between the chosen route and its current offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteChange {
    /// The route as it was chosen or last acknowledged.
    pub was: ChosenRoute,
    /// True if the route is no longer offered.
    pub gone: bool,
    /// The message, such as "Southern Cross Road: $18.40 → $19.10, arrives a day later".
    pub message: String,
}

/// Finds the carrier and the service of a middleware's price, which names them by ids in text form. Returns `None` if
/// the company cannot use them. The account is set only if exactly one account of the company has this service.
pub fn carrier_of_rate(
    rate: &Rate,
    carriers: &[Carrier],
    company: Option<CompanyId>,
) -> Option<ChosenRoute> {
    let carrier_id = CarrierId::new(rate.carrier_id.trim().parse().ok()?);
    let service_id = CarrierServiceId::new(rate.service_id.trim().parse().ok()?);
    let carrier = carriers.iter().find(|carrier| carrier.id == carrier_id)?;
    let mut with_it = carrier.accounts_of(company).filter_map(|account| {
        let mut services = account.carrier_services.iter();
        Some((account, services.find(|service| service.id == service_id)?))
    });
    let (account, service) = with_it.next()?;
    let only = with_it.next().is_none();
    Some(ChosenRoute {
        account_id: only.then_some(account.id),
        company_account_id: account.company_carrier_account_id.filter(|_| only),
        service_id: Some(service_id),
        service: service.label().to_owned(),
        ..ChosenRoute::of_carrier(carrier_id, carrier.label().to_owned())
    })
}

/// Whether the draft is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SaveState {
    /// The draft has nothing worth saving.
    #[default]
    Blank,
    /// Not saved yet. A draft is saved within a second.
    Pending,
    /// Saved at this time.
    At(Timestamp),
}

#[derive(Debug)]
pub struct Editing {
    /// The open draft, which the screen edits.
    pub draft: Draft,
    /// The service's problems from the last Send; removed as soon as the draft is changed.
    pub refusals: Vec<Problem>,
    /// The service's problems from the last request for prices; removed as soon as the draft is changed
    /// or priced again.
    pub price_refusals: Vec<Problem>,
    /// True once Send was pressed: every field then shows its problems, not only the fields that the clerk
    /// has visited.
    pub show_all: bool,
    /// The question about a high price, asked before sending. The clerk answers yes by pressing Send again
    /// without a change.
    pub price_question: Option<String>,
    /// Changes of the chosen route, until they are acknowledged or another route is chosen.
    pub route_change: Option<RouteChange>,
    pub saved: SaveState,
    /// The draft as it was opened or last saved.
    last_saved: Draft,
    /// The draft at the last call of [`Editing::notice_change`].
    seen: Option<Draft>,
    check: Option<Check>,
    listed: Option<Arc<ProblemList>>,
}

impl Default for Editing {
    fn default() -> Self {
        Self::of(Draft::default())
    }
}

impl Editing {
    pub fn of(draft: Draft) -> Self {
        Self {
            last_saved: draft.clone(),
            draft,
            refusals: Vec::new(),
            price_refusals: Vec::new(),
            show_all: false,
            price_question: None,
            route_change: None,
            saved: SaveState::Blank,
            seen: None,
            check: None,
            listed: None,
        }
    }

    /// Returns true if the draft was changed since it was opened or last saved.
    pub fn is_dirty(&self) -> bool {
        self.draft != self.last_saved
    }

    /// Marks the draft as saved, or as having nothing to save.
    pub fn mark_kept(&mut self) {
        self.last_saved = self.draft.clone();
    }

    /// Returns true if the draft was changed since the last call. A change other than of the route removes the
    /// service's problems.
    pub fn notice_change(&mut self) -> bool {
        let changed = self.is_changed();
        if changed {
            self.price_question = None;
            // Routing is left out, because a new price for the chosen route does not resolve a refusal.
            let typed = self.seen.take().is_some_and(|seen| {
                Draft {
                    routing: self.draft.routing.clone(),
                    ..seen
                } != self.draft
            });
            if typed {
                self.refusals.clear();
                self.price_refusals.clear();
            }
            self.seen = Some(self.draft.clone());
            self.check = None;
            self.listed = None;
        }
        changed
    }

    /// Returns true if the draft was changed since the last call of [`Editing::notice_change`].
    pub fn is_changed(&self) -> bool {
        self.seen.as_ref() != Some(&self.draft)
    }

    /// Checks a changed draft. `fresh` checks an unchanged draft too, because some rules depend on the time.
    pub fn refresh_check(&mut self, context: &CheckContext, fresh: bool) -> &Check {
        if fresh {
            self.check = None;
        }
        self.check.get_or_insert_with(|| {
            self.listed = None;
            self.draft.check_change(context)
        })
    }

    pub const fn check(&self) -> Option<&Check> {
        self.check.as_ref()
    }

    /// Returns the problems of the bench and the service. The list is built again only if the problems have changed.
    pub fn problem_list(&mut self) -> Arc<ProblemList> {
        let told: Vec<Problem> = self.service_problems().cloned().collect();
        match &self.listed {
            Some(listed) if listed.refusals() == told => Arc::clone(listed),
            _ => {
                let own = self.check.as_ref().map(|check| check.problems.as_slice());
                let listed = Arc::new(ProblemList::new(own.unwrap_or_default(), &told));
                Arc::clone(self.listed.insert(listed))
            }
        }
    }

    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let own = self.check.iter().flat_map(|check| &check.problems);
        own.chain(self.service_problems())
    }

    /// Returns the service's problems without duplicates.
    fn service_problems(&self) -> impl Iterator<Item = &Problem> {
        let priced = &self.price_refusals;
        let of_prices = priced.iter().filter(|one| !self.refusals.contains(one));
        self.refusals.iter().chain(of_prices)
    }
}

/// The problems of the open draft, in the order of the form. The bench's own problems come before the service's.
///
/// The list is built once for each check, so that a form with two thousand fields is drawn quickly.
#[derive(Debug, Default)]
pub struct ProblemList {
    all: Vec<Problem>,
    /// Number of problems found by the bench, which come before the service's.
    own: usize,
    /// Index of the first error of each field.
    errors_at: HashMap<Field, usize>,
}

impl Deref for ProblemList {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.all
    }
}

impl ProblemList {
    /// Builds the list from the bench's own problems and the service's refusals.
    pub fn new(own: &[Problem], refusals: &[Problem]) -> Self {
        let all = [own, refusals].concat();
        let mut errors_at = HashMap::new();
        for (at, problem) in all.iter().enumerate() {
            if problem.severity == Severity::Error {
                errors_at.entry(problem.field).or_insert(at);
            }
        }
        Self {
            own: own.len(),
            all,
            errors_at,
        }
    }

    pub fn refusals(&self) -> &[Problem] {
        &self.all[self.own..]
    }

    /// Returns true if the service refused the value of a field.
    pub fn is_refused(&self, field: Field) -> bool {
        let mut told = self.refusals().iter();
        told.any(|one| one.field == field && one.severity == Severity::Error)
    }

    /// Returns the problems that block sending.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        let is_error = |problem: &&Problem| problem.severity == Severity::Error;
        self.iter().filter(is_error)
    }

    /// Returns the errors, then the warnings, each in the order of the screen.
    pub fn by_severity(&self) -> impl Iterator<Item = &Problem> {
        let of = |severity| {
            self.iter()
                .filter(move |problem| problem.severity == severity)
        };
        of(Severity::Error).chain(of(Severity::Warning))
    }

    /// Returns the message of the first error at a field.
    pub fn error_at(&self, field: Field) -> Option<&str> {
        let at = *self.errors_at.get(&field)?;
        Some(self.all[at].message.as_str())
    }
}
