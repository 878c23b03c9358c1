//! Shares work with the other benches of a workgroup: takes claims before an operation is sent, and delivers the events
//! of operations, which also release the claims.
//!
//! Invariant: an operation is in the journal before its claim is taken, and its end is in the journal before the claim
//! is released. So after a crash at any moment, the journal knows which claims are still needed.

mod handover;
mod values;

pub use values::SharedValues;

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;

use super::{EngineContext, EngineError, Fetch, Outcome, PrintBatch, Reads, lock};
use draft::orders::{Duplicate, Order};
use draft::{Draft, DraftId};
use shipping::{CompanyId, ConsignmentId, PendingConsignmentId};
use storage::{Operation, OperationId, OperationKind, OutboxEvent, Payload};
use workgroup::{
    BenchRow, Claim, ClaimError, ClaimKey, ClaimingOperation, OperationEvent, OrderKey, TakenOrder,
    WaitingDraft, Workgroup, WorkgroupError, WorkgroupState,
};

/// How many events are delivered in one transaction.
const EVENTS_AT_ONCE: u32 = 200;

/// How long events are collected before they are delivered together: each delivery costs a commit of the journal.
const COLLECT: Duration = Duration::from_millis(100);

/// The pause after a delivery that failed.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// The shortest time between two looks at the claims of the other benches.
const LOOK_AGAIN: Duration = Duration::from_millis(300);

/// How often the outbox and the claims are looked at without a reason, because messages of the database can be lost.
const LOOK: Duration = Duration::from_secs(30);

/// The state of an operation whose claims a person has released.
pub const RELEASED: &str = "Released";

/// How many events are read for the supervisor. An operation has three of them or more.
const NEWEST_EVENTS: i64 = 2_000;

/// The kind of the claim on a batch of labels.
const PRINTING: &str = "Print";

/// The workgroup as the window shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkgroupView {
    pub state: WorkgroupState,
    /// The claims of the other benches, oldest first.
    pub claims: Vec<Claim>,
}

/// The benches of a workgroup with their work, for a supervisor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkgroupOverview {
    pub benches: Vec<BenchRow>,
    /// The claims of all benches, oldest first.
    pub claims: Vec<Claim>,
    /// The last event of each of the newest operations, newest first.
    pub operations: Vec<OperationEvent>,
    /// The drafts that benches took over and have not saved, with the first part of each bench's keys.
    pub unsaved_drafts: Vec<(String, WaitingDraft)>,
}

/// The claims of an operation, which a person releases because its bench doesn't.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRelease {
    /// The first part of the bench's keys.
    pub bench: String,
    pub operation: ClaimingOperation,
    /// The claimed consignments.
    pub consignments: Vec<ConsignmentId>,
}

impl Reads {
    /// Reads what all benches of the workgroup are doing.
    pub fn workgroup_overview(&self) -> Fetch<WorkgroupOverview> {
        self.job(move |bench| async move {
            let Some(workgroup) = &bench.workgroup else {
                return Ok(WorkgroupOverview::default());
            };
            let events = workgroup.newest_events(NEWEST_EVENTS).await?;
            let mut known = HashSet::new();
            let is_newest = |event: &OperationEvent| {
                known.insert((event.bench.clone(), event.operation, event.made))
            };
            Ok(WorkgroupOverview {
                benches: workgroup.benches().await?,
                claims: workgroup.claims().await?,
                operations: events.into_iter().filter(is_newest).collect(),
                unsaved_drafts: workgroup.unsaved_drafts().await?,
            })
        })
    }
}

impl WorkgroupView {
    /// Returns the claim of another bench on this consignment.
    pub fn claim_of(&self, id: ConsignmentId) -> Option<&Claim> {
        let is_of = |claim: &&Claim| claim.key.consignment_id() == Some(id.get());
        self.claims.iter().find(is_of)
    }
}

/// Returns what no other bench may change while this operation is open.
fn claim_keys(operation: &Operation) -> Vec<ClaimKey> {
    let consignment = |id: &ConsignmentId| ClaimKey::consignment(id.get());
    let pending = |id: &PendingConsignmentId| ClaimKey::pending_consignment(id.get());
    match operation.payload() {
        Some(Payload::Create(request)) => {
            let replaced = request.linked_pending_consignment_ids.iter();
            replaced.map(pending).collect()
        }
        Some(Payload::PendingDelete(ids)) => ids.iter().map(pending).collect(),
        // A consignment may be printed while it is booked.
        Some(Payload::ServicePrint(order)) => {
            let label = |id: &ConsignmentId| ClaimKey::label(id.get());
            order.consignment_ids().iter().map(label).collect()
        }
        _ => operation.consignments.iter().map(consignment).collect(),
    }
}

fn claiming(operation: &Operation) -> ClaimingOperation {
    ClaimingOperation {
        id: operation.id.0,
        made: operation.made,
        kind: operation.kind.as_str().to_owned(),
        title: without_nul(&operation.title),
    }
}

/// PostgreSQL stores every character but this one.
fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}

/// Says who has a claim: "MS123 is being booked on Bench 3 by Mia".
pub fn describe_claim(claim: &Claim) -> String {
    let what = match (claim.key.consignment_id(), claim.key.label_of()) {
        (Some(id), _) => format!("MS{id}"),
        (None, Some(id)) => format!("The label of MS{id}"),
        (None, None) if claim.key.is_order() => format!("The order {}", claim.operation.title),
        (None, None) => "The draft at the service".to_owned(),
    };
    let action = match claim.operation.kind.as_str() {
        "Manifest" => "being booked",
        "Edit" => "being changed",
        "Delete" | "PendingDelete" => "being deleted",
        "Status" => "getting another status",
        "Create" => "being created",
        PRINTING | "ServicePrint" => "being printed",
        _ => "in use",
    };
    let clerk = match claim.clerk.as_str() {
        "" => String::new(),
        clerk => format!(" by {clerk}"),
    };
    format!("{what} is {action} on {}{clerk}", claim.bench_name)
}

impl EngineContext {
    /// Starts to share in the background, until the window is closed. Does nothing for a bench that works alone.
    pub(super) fn start_sharing(&self) {
        let Some(workgroup) = self.workgroup.clone() else {
            return;
        };
        let bench = self.clone();
        tokio::spawn(async move { bench.until_closed(workgroup.stay_connected()).await });
        let bench = self.clone();
        tokio::spawn(async move { bench.until_closed(bench.deliver_events()).await });
        let bench = self.clone();
        tokio::spawn(async move { bench.until_closed(bench.show_workgroup()).await });
        let bench = self.clone();
        tokio::spawn(async move { bench.until_closed(bench.share_changes()).await });
    }

    /// Claims everything that an operation changes. `draft` is its draft, if that is at hand.
    pub(super) async fn claim(
        &self,
        operation: &Operation,
        draft: Option<&Draft>,
    ) -> Result<(), ClaimFailure> {
        let Some(workgroup) = &self.workgroup else {
            return Ok(());
        };
        let mut keys = claim_keys(operation);
        if operation.kind == OperationKind::Create {
            keys.extend(self.claim_order(workgroup, operation, draft).await?);
        }
        if keys.is_empty() {
            return Ok(());
        }
        workgroup.has_tried().await;
        match workgroup.claim(&claiming(operation), &keys).await {
            Ok(()) => Ok(()),
            Err(ClaimError::Held(claims)) => Err(ClaimFailure::Held(refusal(&claims))),
            Err(ClaimError::Database(error)) => Err(ClaimFailure::Away(error)),
        }
    }

    /// Releases the claims of an operation of another bench, and records who did it.
    pub(super) async fn release_claims(&self, release: ClaimRelease) {
        let Some(workgroup) = &self.workgroup else {
            return;
        };
        let member = workgroup.member();
        let by = match member.clerk.as_str() {
            "" => member.name.clone(),
            clerk => format!("{clerk} on {}", member.name),
        };
        let ClaimRelease {
            bench,
            operation,
            consignments,
        } = release;
        let event = OperationEvent {
            id: format!("released-{}", DraftId::random()),
            bench,
            operation: operation.id,
            made: operation.made,
            kind: operation.kind,
            state: RELEASED.to_owned(),
            is_end: true,
            title: operation.title,
            reference: String::new(),
            consignments: consignments.iter().map(|id| id.get()).collect(),
            message: format!("Released by {by}"),
            clerk: member.clerk,
            happened: self.now(),
        };
        if let Err(error) = workgroup.deliver(&[event]).await {
            self.tell_failed("Couldn't release the consignments", error.into())
                .await;
        }
    }

    /// Claims the labels of a batch, so that no other bench prints them at the same time. While the database is away,
    /// they are printed all the same. The error is a message for the clerk.
    pub(super) async fn claim_labels(&self, batch: &PrintBatch) -> Result<(), String> {
        let Some(workgroup) = &self.workgroup else {
            return Ok(());
        };
        let ids = batch.orders.iter().map(|order| order.consignment.get());
        let keys: Vec<_> = ids.map(ClaimKey::label).collect();
        // The database has no nanoseconds.
        let made = Timestamp::from_millisecond(self.now().as_millisecond());
        let operation = ClaimingOperation {
            id: 0,
            made: made.unwrap_or_default(),
            kind: PRINTING.to_owned(),
            title: String::new(),
        };
        *lock(&self.claimed_batch) = Some(operation.clone());
        match workgroup.claim(&operation, &keys).await {
            Err(ClaimError::Held(claims)) => {
                *lock(&self.claimed_batch) = None;
                Err(refusal(&claims))
            }
            Ok(()) | Err(ClaimError::Database(_)) => Ok(()),
        }
    }

    /// Releases the labels of the batch that was printed. If that fails, the next connection releases them.
    pub(super) async fn release_labels(&self) {
        let batch = lock(&self.claimed_batch).take();
        if let (Some(workgroup), Some(batch)) = (&self.workgroup, batch) {
            let bench = workgroup.member().bench;
            let released = workgroup.release(&bench, (batch.id, batch.made)).await;
            if let Err(error) = released {
                tracing::warn!(%error, "the claims of a batch of labels could not be released");
            }
        }
    }

    /// Takes the order that a draft was imported from, and returns the key that its create holds while it is open, so that
    /// a bench that takes the order over can't send it at the same time. A consignment that was typed needs no key.
    async fn claim_order(
        &self,
        workgroup: &Workgroup,
        operation: &Operation,
        draft: Option<&Draft>,
    ) -> Result<Option<ClaimKey>, ClaimFailure> {
        let draft = match (draft, operation.draft.clone()) {
            (Some(draft), _) => Some(draft.clone()),
            // A draft that can't be read was not changed since it was imported, and its order was taken then.
            (None, Some(id)) => { self.journal(move |journal| journal.draft(&id)).await }
                .ok()
                .flatten(),
            (None, None) => None,
        };
        let Some(draft) = draft.filter(is_shared_order) else {
            return Ok(None);
        };
        workgroup.has_tried().await;
        match workgroup.take_orders(&[order_key(&draft)]).await {
            Ok(others) => match others.first() {
                None => Ok(Some(ClaimKey::order(&draft.reference1))),
                Some(other) => Err(ClaimFailure::Held(format!(
                    "{} was imported {}. Send it there, or import it again here",
                    draft.reference1.trim(),
                    since_when(other)
                ))),
            },
            Err(error) => Err(ClaimFailure::Away(error)),
        }
    }

    /// Marks the orders that other benches have imported as duplicates. If the database is away, marks all orders,
    /// because another bench may have any of them.
    pub(super) async fn mark_orders_of_others(&self, orders: &mut [Order]) {
        let Some(workgroup) = &self.workgroup else {
            return;
        };
        let drafts = orders.iter().map(|order| &order.draft);
        let keys: Vec<_> = drafts
            .filter(|draft| is_shared_order(draft))
            .map(order_key)
            .collect();
        let others = workgroup.orders_of_others(&keys).await;
        for order in orders.iter_mut().filter(|one| one.duplicate.is_none()) {
            if !is_shared_order(&order.draft) {
                continue;
            }
            let key = order_key(&order.draft);
            order.duplicate = match &others {
                Ok(others) => { others.iter().find(|other| other.key == key) }
                    .map(|other| Duplicate::OnOtherBench(since_when(other))),
                Err(_away) => Some(Duplicate::PerhapsOnOtherBench),
            };
        }
    }

    /// Takes orders for this bench before they become drafts. Returns the orders that this bench has now, and those that
    /// another bench has taken meanwhile, each with a text like "on Bench 3". Orders that the clerk wants although another
    /// bench has them are taken over.
    pub(super) async fn take_orders(
        &self,
        orders: Vec<Order>,
    ) -> Result<(Vec<Order>, Vec<(Order, String)>), EngineError> {
        let Some(workgroup) = &self.workgroup else {
            return Ok((orders, Vec::new()));
        };
        let keys = |is_wanted: fn(&Order) -> bool| -> Vec<_> {
            let wanted = orders.iter().filter(|one| is_wanted(one));
            let drafts = wanted.map(|order| &order.draft);
            drafts
                .filter(|draft| is_shared_order(draft))
                .map(order_key)
                .collect()
        };
        let known = keys(|order| matches!(order.duplicate, Some(Duplicate::OnOtherBench(_))));
        if !known.is_empty() {
            workgroup.take_orders_over(&known).await?;
        }
        let new = keys(|order| {
            !matches!(
                order.duplicate,
                Some(Duplicate::OnOtherBench(_) | Duplicate::PerhapsOnOtherBench)
            )
        });
        // The others were confirmed by the clerk while the database was away, and are taken when they are sent.
        let others = if new.is_empty() {
            Vec::new()
        } else {
            workgroup.take_orders(&new).await?
        };
        let of_other = |order: &Order| {
            let key = is_shared_order(&order.draft).then(|| order_key(&order.draft))?;
            others.iter().find(|other| other.key == key)
        };
        let (mut own, mut lost) = (Vec::new(), Vec::new());
        for order in orders {
            match of_other(&order) {
                Some(other) => {
                    let place = on_bench(other);
                    lost.push((order, place));
                }
                None => own.push(order),
            }
        }
        Ok((own, lost))
    }

    /// Delivers the events of the journal's outbox, whenever there are any and the database is connected.
    async fn deliver_events(&self) {
        let Some(workgroup) = &self.workgroup else {
            return;
        };
        let mut states = workgroup.state();
        loop {
            let is_connected = *states.borrow_and_update() == WorkgroupState::Connected;
            if is_connected {
                if let Err(error) = self.take_imported_orders(workgroup).await {
                    tracing::warn!(%error, "imported orders could not be taken");
                }
                let mut is_due = true;
                while self.deliver_some().await {
                    if is_due && let Err(error) = self.match_claims().await {
                        tracing::warn!(%error, "claims could not be compared with the journal");
                    }
                    is_due = false;
                    tokio::select! {
                        () = self.has_events.notified() => tokio::time::sleep(COLLECT).await,
                        () = tokio::time::sleep(LOOK) => is_due = true,
                        // Connected anew, or no longer.
                        _changed = states.changed() => break,
                    }
                }
                tokio::time::sleep(AFTER_FAILURE).await;
            }
            if *states.borrow() != WorkgroupState::Connected && states.changed().await.is_err() {
                return;
            }
        }
    }

    /// Delivers all events. Returns false if the database or the journal failed.
    async fn deliver_some(&self) -> bool {
        let Some(workgroup) = &self.workgroup else {
            return false;
        };
        let member = workgroup.member();
        loop {
            let events = self.journal(|journal| journal.outbox(EVENTS_AT_ONCE));
            let events = match events.await {
                Ok(events) => events,
                Err(error) => {
                    tracing::warn!(%error, "the outbox could not be read");
                    return false;
                }
            };
            let Some(last) = events.last().map(|event| event.seq) else {
                return true;
            };
            let told: Vec<_> = { events.iter() }
                .map(|event| to_told(event, &member.bench, &member.clerk))
                .collect();
            if let Err(error) = workgroup.deliver(&told).await {
                tracing::warn!(%error, "events could not be delivered to the workgroup");
                return false;
            }
            // If this fails, the events are delivered again, which changes nothing.
            let removed = self.journal(move |journal| journal.remove_delivered(last));
            if let Err(error) = removed.await {
                tracing::warn!(%error, "delivered events could not be removed from the outbox");
                return false;
            }
        }
    }

    /// Compares this bench's claims with its journal, after a connection was made: claims what was sent without a claim
    /// and is still open, and releases what has ended, because a restored journal may have lost the event.
    async fn match_claims(&self) -> Result<(), EngineError> {
        let Some(workgroup) = &self.workgroup else {
            return Ok(());
        };
        let member = workgroup.member();
        let claims = workgroup.claims().await?;
        let own: Vec<_> = claims
            .iter()
            .filter(|claim| claim.bench == member.bench)
            .map(|claim| claim.operation.clone())
            .collect();
        let open = self.journal(|journal| journal.operations(0)).await?;
        for operation in &own {
            let is_printing = lock(&self.claimed_batch).as_ref() == Some(operation);
            if operation.kind == PRINTING && !is_printing {
                let id = (operation.id, operation.made);
                workgroup.release(&member.bench, id).await?;
                continue;
            }
            if open.iter().any(|one| claiming(one) == *operation) {
                continue;
            }
            let id = OperationId(operation.id);
            let known = self.journal(move |journal| journal.operation(id)).await?;
            // A person decides about an operation that the journal does not know.
            if known.is_some_and(|known| known.made == operation.made && !known.state.is_open()) {
                let id = (operation.id, operation.made);
                workgroup.release(&member.bench, id).await?;
            }
        }
        for operation in open.iter().filter(|one| one.attempt > 0) {
            if let Err(ClaimFailure::Held(message)) = self.claim(operation, None).await {
                tracing::warn!(message, "sent without a claim, and another bench has one");
            }
        }
        Ok(())
    }

    /// Takes the orders of this bench's drafts that nobody has: those that were imported while the database was away, or
    /// before this bench joined the workgroup.
    async fn take_imported_orders(&self, workgroup: &Workgroup) -> Result<(), EngineError> {
        let drafts = self.journal(|journal| journal.drafts()).await?;
        let orders = drafts.iter().filter(|draft| is_shared_order(draft));
        let keys: Vec<_> = orders.map(order_key).collect();
        if !keys.is_empty() {
            workgroup.take_orders(&keys).await?;
        }
        Ok(())
    }

    /// Tells the window whether the database is connected, and what the other benches have claimed.
    async fn show_workgroup(&self) {
        let Some(workgroup) = &self.workgroup else {
            return;
        };
        let own = workgroup.member().bench;
        let (mut states, mut changes) = (workgroup.state(), workgroup.changes());
        let mut shown = None;
        loop {
            let state = states.borrow_and_update().clone();
            let before = changes.borrow_and_update().claims;
            let claims = match &state {
                WorkgroupState::Connected => workgroup.claims().await.ok(),
                _ => Some(Vec::new()),
            };
            if let Some(mut claims) = claims {
                claims.retain(|claim| claim.bench != own);
                let view = WorkgroupView { state, claims };
                if shown.as_ref() != Some(&view) {
                    shown = Some(view.clone());
                    self.tell(Outcome::Workgroup(Box::new(view))).await;
                }
            }
            tokio::time::sleep(LOOK_AGAIN).await;
            tokio::select! {
                _changed = states.changed() => {}
                _changed = changes.wait_for(|now| now.claims != before) => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }
}

/// Why an operation has no claim.
#[derive(Debug)]
pub(super) enum ClaimFailure {
    /// Another bench has a part of it; holds a message for the clerk.
    Held(String),
    /// The database can't say whether another bench has it.
    Away(WorkgroupError),
}

impl ClaimFailure {
    /// Returns the message of an operation that was not sent because the database is away.
    pub(super) fn away_message(error: &WorkgroupError) -> String {
        format!(
            "Not sent: {error}, so another bench may be working on the same. Send it again later, or now without the workgroup"
        )
    }
}

/// Returns the message of an operation that another bench's claim prevents.
fn refusal(claims: &[Claim]) -> String {
    let Some(first) = claims.first() else {
        return String::new();
    };
    let more = match claims.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let advice = if first.is_connected {
        "Try again when that is done".to_owned()
    } else {
        format!("{} is not connected. Look there first", first.bench_name)
    };
    format!("{}{more}. {advice}", describe_claim(first))
}

/// Returns true for an order that can be recognised on other benches.
fn is_shared_order(draft: &Draft) -> bool {
    draft.is_order && !draft.reference1.trim().is_empty()
}

fn order_key(draft: &Draft) -> OrderKey {
    OrderKey::new(
        draft.company.map(CompanyId::get),
        &without_nul(&draft.reference1),
    )
}

/// Returns "on Bench 3 by Mia".
fn on_bench(order: &TakenOrder) -> String {
    match order.clerk.as_str() {
        "" => format!("on {}", order.bench_name),
        clerk => format!("on {} by {clerk}", order.bench_name),
    }
}

/// Returns "on Bench 3 by Mia, 12 min ago".
fn since_when(order: &TakenOrder) -> String {
    let (hours, minutes) = (order.age.as_hours(), order.age.as_mins());
    let ago = match (hours, minutes) {
        (48.., _) => format!("{} days ago", hours / 24),
        (1..48, _) => format!("{hours} h ago"),
        (_, 1..) => format!("{minutes} min ago"),
        _ => "just now".to_owned(),
    };
    format!("{}, {ago}", on_bench(order))
}

fn to_told(event: &OutboxEvent, bench: &str, clerk: &str) -> OperationEvent {
    let operation = &event.operation;
    OperationEvent {
        id: event.id.clone(),
        bench: bench.to_owned(),
        operation: operation.id.0,
        made: operation.made,
        kind: operation.kind.as_str().to_owned(),
        state: event.state.as_str().to_owned(),
        // An operation may have been opened again since.
        is_end: !event.state.is_open() && !operation.state.is_open(),
        title: without_nul(&operation.title),
        reference: without_nul(&operation.reference),
        consignments: operation.consignments.iter().map(|id| id.get()).collect(),
        message: without_nul(&event.message),
        clerk: clerk.to_owned(),
        happened: event.at,
    }
}
