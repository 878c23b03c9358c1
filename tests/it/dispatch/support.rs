//! A bench with a few unmanifested consignments, and a proxy that reports what was sent.

use app::Core;
use app::state::{DispatchCommand, Operation, OperationId, OperationKind, OperationState};
use draft::PickupDraft;
use practice::RunningService;
use shipping::ConsignmentId;

use super::bench::{booking_of, groups};
use crate::support::desk::{Desk, Home};
use crate::support::wire::Wire;

pub(crate) const DELETE: &str = "/consignments/deleteUnmanifested";

/// The practice service, the wire before it, and a bench that works with both.
pub(crate) fn bench(home: &Home) -> (RunningService, Wire, Desk) {
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    let desk = again(home, &practice, &wire);
    (practice, wire, desk)
}

/// The same bench at its next start.
pub(crate) fn again(home: &Home, practice: &RunningService, wire: &Wire) -> Desk {
    home.open(&Home::service(wire.base_url(), practice.token()))
}

/// Sends so many consignments, the first one first.
pub(crate) fn send(desk: &mut Desk, references: &[&str]) -> Vec<ConsignmentId> {
    let mut ids = Vec::new();
    for reference in references {
        desk.type_consignment(reference);
        desk.send();
        let id = desk.until("created", |core| {
            let made = core.shared.consign.last_created.as_ref()?;
            (made.customer_reference.as_deref() == Some(*reference)).then_some(made.id)
        });
        ids.push(id);
    }
    ids
}

/// Turns until the list is there and not on its way.
#[track_caller]
pub(crate) fn listed(desk: &mut Desk) -> Vec<ConsignmentId> {
    desk.until("the list", |core| {
        let list = &core.shared.dispatch.unmanifested;
        (core.shared.session.company.is_some() && !list.is_loading())
            .then(|| Some(list.value()?.iter().map(|one| one.id).collect()))
            .flatten()
    })
}

/// The operation of this kind in this state, where there is one.
pub(crate) fn operation(
    core: &Core,
    kind: OperationKind,
    state: OperationState,
) -> Option<Operation> {
    let mut all = core.shared.operations.list.iter();
    all.find(|one| one.kind == kind && one.state == state)
        .cloned()
}

/// Books these as one group.
pub(crate) fn book(desk: &mut Desk, ids: &[ConsignmentId]) -> OperationId {
    listed(desk);
    desk.core.push(DispatchCommand::Group(ids.to_vec()).into());
    let group = groups(desk).remove(0);
    let mut draft = PickupDraft::from(group);
    "Dock 3, ring the bell twice".clone_into(&mut draft.instructions);
    let group = draft
        .check(desk.core.shared.now, "Australia/Sydney")
        .expect("it is right");
    desk.core.push(DispatchCommand::Book(vec![group]).into());
    let done = desk.until("booked", |core| {
        booking_of(core, ids).filter(|one| one.state == OperationState::Done)
    });
    done.id
}
