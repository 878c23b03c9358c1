//! One task for each kind of operation: its setup, its request, and how often it was applied at the service.

use client::Client;
use draft::{Draft, PendingCopy};
use engine::{ConsignmentEdit, Payload, Request};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use shipping::{
    Consignment, ConsignmentId, ConsignmentRequest, EditForm, LabelSize, LabelType, ManifestGroup,
    PendingConsignmentId, PendingConsignmentRequest, PrintLabelsRequest, PrinterId, RouteSelection,
    StatusId, StatusUpdate,
};
use storage::OperationKind;

use crate::support::lanes::{Site, Truth};
use crate::support::requests::{some, to_ballarat};

/// A task: its subject, created directly at the service, and the clerk's request.
#[derive(Debug, Clone)]
pub(crate) struct Errand {
    pub(crate) subject: Subject,
    pub(crate) request: Request,
}

/// The subject of a task. It can be stored, and requested again after a restart.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// Its place in [`Kind::ALL`].
    kind: usize,
    /// Tells it from all others.
    pub(crate) reference: String,
    consignment: Option<i64>,
    pending: Option<i64>,
}

impl Errand {
    /// Makes ready what an operation of this kind needs; `reference` tells it from all others.
    pub(crate) fn prepare(site: &Site, kind: OperationKind, reference: &str) -> Self {
        let client = site.client();
        site.runtime.block_on(async {
            let subject = Subject::make(&client, kind, reference).await;
            let request = subject.request(&client, site.clock.now()).await;
            Self { subject, request }
        })
    }

    /// Returns a task about an existing consignment; `None` if its state no longer allows the operation.
    pub(crate) fn about(site: &Site, kind: OperationKind, id: ConsignmentId) -> Option<Self> {
        let client = site.client();
        let request = match kind {
            OperationKind::Delete => Request::Perform(Payload::Delete(vec![id])),
            OperationKind::Edit => site.runtime.block_on(async {
                let form = client.edit_form(id).await.ok()?;
                Some(edited(form))
            })?,
            OperationKind::Manifest => site.runtime.block_on(async {
                let mut groups = client.group(&[id]).await.ok()?;
                Some(Request::Book {
                    groups: vec![groups.pop()?],
                    grouped: site.clock.now(),
                })
            })?,
            _ => return None,
        };
        let subject = Subject::of(kind, "", Some(id.get()), None);
        Some(Self { subject, request })
    }

    /// The consignment that it is about.
    pub(crate) fn id(&self) -> ConsignmentId {
        self.subject.id()
    }

    /// The path of the write.
    pub(crate) const fn path(kind: OperationKind) -> &'static str {
        match kind {
            OperationKind::Create => "/apiv2/consignments/createConsignment",
            OperationKind::Edit => "/apiv2/consignments/editUnmanifestedConsignment",
            OperationKind::Delete => "/apiv2/consignments/deleteUnmanifestedConsignments",
            OperationKind::Manifest => "/apiv2/manifests/manifest",
            OperationKind::Status => "/apiv2/consignments/updateConsignmentStatuses",
            OperationKind::PendingCreate => "/apiv2/pendingConsignments/createPendingConsignment",
            OperationKind::PendingDelete => "/apiv2/pendingConsignments/deletePendingConsignments",
            OperationKind::ServicePrint => "/apiv2/labels/sendLabelsToPrinter",
        }
    }

    /// How often it happened at the service.
    pub(crate) fn happened(&self, truth: &Truth) -> u32 {
        self.subject.happened(truth)
    }
}

impl Subject {
    /// Makes ready at the service what an operation of this kind needs.
    pub(crate) async fn make(client: &Client, kind: OperationKind, reference: &str) -> Self {
        let (mut consignment, mut pending) = (None, None);
        match kind {
            OperationKind::Create | OperationKind::PendingCreate => {}
            OperationKind::PendingDelete => {
                let request = PendingConsignmentRequest::from_consignment(order(reference));
                let made = client.create_pending(&request).await.expect("saved");
                pending = Some(made.id.get());
            }
            OperationKind::Edit
            | OperationKind::Delete
            | OperationKind::Manifest
            | OperationKind::Status
            | OperationKind::ServicePrint => {
                let made = client.create(&order(reference)).await.expect("created");
                if kind == OperationKind::Status {
                    let group = group(client, made.id).await;
                    client.manifest(&[group]).await.expect("booked");
                }
                consignment = Some(made.id.get());
            }
        }
        Self::of(kind, reference, consignment, pending)
    }

    /// A pending consignment that is there, to be made into a consignment.
    pub(crate) async fn conversion(client: &Client, reference: &str) -> Self {
        let pending = Self::make(client, OperationKind::PendingDelete, reference).await;
        Self::of(OperationKind::Create, reference, None, pending.pending)
    }

    /// True where a pending consignment is made into a consignment.
    pub(crate) fn is_conversion(&self) -> bool {
        self.kind() == OperationKind::Create && self.pending.is_some()
    }

    /// How many of the pending consignments that it replaces are left at the service.
    pub(crate) fn left_pending(&self, truth: &Truth) -> u32 {
        truth.count("SELECT count(*) FROM pending WHERE id = ?1", self.pending)
    }

    fn of(
        kind: OperationKind,
        reference: &str,
        consignment: Option<i64>,
        pending: Option<i64>,
    ) -> Self {
        let place = OperationKind::ALL.iter().position(|one| *one == kind);
        Self {
            kind: place.expect("one of all"),
            reference: reference.to_owned(),
            consignment,
            pending,
        }
    }

    /// What the clerk asks for, as things stand now.
    pub(crate) async fn request(&self, client: &Client, now: Timestamp) -> Request {
        match self.kind() {
            OperationKind::Create => {
                let draft = Draft {
                    pending: self.pending.map(|id| PendingCopy {
                        id: PendingConsignmentId::new(id),
                        number: format!("PC{id}"),
                    }),
                    ..draft(&self.reference)
                };
                let intent = Payload::Create(Box::new(order(&self.reference)));
                Request::Send(Box::new(draft), intent)
            }
            OperationKind::PendingCreate => {
                let order = PendingConsignmentRequest::from_consignment(order(&self.reference));
                let intent = Payload::PendingCreate(Box::new(order));
                Request::Send(Box::new(draft(&self.reference)), intent)
            }
            OperationKind::PendingDelete => {
                let id = self.pending.expect("an errand about a pending one");
                Request::Perform(Payload::PendingDelete(vec![PendingConsignmentId::new(id)]))
            }
            OperationKind::Edit => edit(client, self.id()).await,
            OperationKind::Delete => Request::Perform(Payload::Delete(vec![self.id()])),
            OperationKind::Manifest => Request::Book {
                groups: vec![group(client, self.id()).await],
                grouped: now,
            },
            OperationKind::Status => Request::Perform(Payload::Status(vec![StatusUpdate {
                consignment_id: self.id(),
                status: StatusId::CANCELLED,
                status_date_time_local: None,
                item_reference: None,
                extra_information: None,
            }])),
            OperationKind::ServicePrint => {
                let choice = client.printers(&[self.id()]).await.expect("printers");
                let first = choice.printers.first();
                let printer = first.map_or(PrinterId::new(1), |one| one.id);
                let (ids, size) = (vec![self.id()], LabelSize::A6);
                Request::PrintAtService(
                    PrintLabelsRequest::new(ids, LabelType::Item, printer, size),
                    String::new(),
                )
            }
        }
    }

    pub(crate) fn kind(&self) -> OperationKind {
        OperationKind::ALL[self.kind]
    }

    /// The consignment that it is about.
    pub(crate) fn id(&self) -> ConsignmentId {
        ConsignmentId::new(self.consignment.expect("an errand about a consignment"))
    }

    /// How often it happened at the service.
    pub(crate) fn happened(&self, truth: &Truth) -> u32 {
        let id = self.consignment;
        match self.kind() {
            OperationKind::Create => truth.count(
                "SELECT count(*) FROM consignment WHERE json_extract(document, '$.job.customer_reference') = ?1",
                &self.reference,
            ),
            OperationKind::Edit => truth.count(
                &format!("SELECT count(*) FROM consignment WHERE id = ?1 AND document LIKE '%{EDITED}%'"),
                id,
            ),
            OperationKind::Delete => {
                1 - truth.count("SELECT count(*) FROM consignment WHERE id = ?1", id)
            }
            OperationKind::Manifest => truth.count(
                "SELECT count(*) FROM history WHERE consignment_id = ?1 AND status = 3",
                id,
            ),
            OperationKind::Status => truth.count(
                "SELECT count(*) FROM history WHERE consignment_id = ?1 AND status = 10",
                id,
            ),
            OperationKind::PendingCreate => truth.count(
                "SELECT count(*) FROM pending WHERE instr(document, ?1) > 0",
                &self.reference,
            ),
            OperationKind::PendingDelete => {
                1 - truth.count("SELECT count(*) FROM pending WHERE id = ?1", self.pending)
            }
            OperationKind::ServicePrint => truth.count(
                "SELECT count(*) FROM print_job WHERE instr(consignment_ids, ?1) > 0",
                id.map(|id| id.to_string()),
            ),
        }
    }
}

/// What an edit writes.
const EDITED: &str = "Ring the bell twice";

async fn edit(client: &Client, id: ConsignmentId) -> Request {
    edited(client.edit_form(id).await.expect("the form"))
}

fn edited(seen: EditForm) -> Request {
    let mut form = seen.clone();
    form.set("specialInstructions", &EDITED);
    Request::Perform(Payload::Edit(Box::new(ConsignmentEdit { seen, form })))
}

/// The group of one consignment, an hour later than proposed: it is not in the past then.
pub(crate) async fn group(client: &Client, id: ConsignmentId) -> ManifestGroup {
    let mut groups = client.group(&[id]).await.expect("grouped");
    let mut group = groups.pop().expect("a group");
    group.dgs_declaration = Some(false);
    group
}

/// Asks for a consignment.
pub(crate) fn create(reference: &str) -> Request {
    let intent = Payload::Create(Box::new(order(reference)));
    Request::Send(Box::new(draft(reference)), intent)
}

fn draft(reference: &str) -> Draft {
    Draft {
        reference1: reference.to_owned(),
        ..Draft::default()
    }
}

/// Two cartons from a saved place to Ballarat.
pub(crate) fn order(reference: &str) -> ConsignmentRequest {
    let mut order = to_ballarat();
    order.from.abbreviation = some("HSYD");
    order.customer_reference = some(reference);
    order.default_route_selection = Some(RouteSelection::Cheapest);
    order
}

/// The consignment as the service has it now.
pub(crate) fn fetched(site: &Site, id: ConsignmentId) -> Consignment {
    let client = site.client();
    site.runtime
        .block_on(client.consignment(id))
        .expect("fetched")
}
