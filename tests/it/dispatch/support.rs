//! A bench with a few unmanifested consignments, and a proxy that reports what was sent.

use app::Core;
use app::state::{DispatchCommand, GroupsCommand, Operation, OperationId, OperationState};
use draft::{PickupContext, PickupDraft};
use practice::RunningService;
use shipping::{ConsignmentId, ManifestGroup};

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

/// A new bench behind a wire, with these consignments created, the first one first.
pub(crate) fn bench_with(
    references: &[&str],
) -> (Home, RunningService, Wire, Desk, Vec<ConsignmentId>) {
    let home = Home::new();
    let (practice, wire, mut desk) = bench(&home);
    let ids = send(&mut desk, references);
    (home, practice, wire, desk, ids)
}

/// The same bench at its next start.
pub(crate) fn again(home: &Home, practice: &RunningService, wire: &Wire) -> Desk {
    home.open(&Home::service(wire.base_url(), practice.token()))
}

/// Sends these consignments, the first one first.
pub(crate) fn send(desk: &mut Desk, references: &[&str]) -> Vec<ConsignmentId> {
    let sent = references.iter().map(|reference| desk.create(reference));
    sent.collect()
}

/// Turns until the list is there and not on its way.
#[track_caller]
pub(crate) fn listed(desk: &mut Desk) -> Vec<ConsignmentId> {
    desk.until("the list", |core| {
        let list = &core.shared.dispatch.unmanifested;
        (core.shared.session.company.is_some() && !list.is_loading())
            .then(|| Some(list.value()?.to_vec()))
            .flatten()
    })
}

/// Books these as one group.
pub(crate) fn book(desk: &mut Desk, ids: &[ConsignmentId]) -> OperationId {
    listed(desk);
    desk.ask(DispatchCommand::Group(ids.to_vec()));
    let group = groups(desk).remove(0);
    let mut draft = PickupDraft::from(group);
    "Dock 3, ring the bell twice".clone_into(&mut draft.instructions);
    let group = draft
        .review(&PickupContext::at(desk.core.shared.now, "Australia/Sydney"))
        .group
        .expect("it is right");
    desk.ask(DispatchCommand::Book(vec![group]));
    let done = desk.until("booked", |core| {
        booking_of(core, ids).filter(|one| one.state == OperationState::Done)
    });
    done.id
}

/// Takes the last of these out of their one group, and books the rest.
pub(super) fn book_without_last(desk: &mut Desk, ids: &[ConsignmentId]) {
    group_all(desk);
    let (last, rest) = ids.split_last().expect("several consignments");
    desk.ask(GroupsCommand::MoveOut(*last, false));
    desk.turn();
    let group = desk.core.shared.dispatch.groups.value().expect("groups")[0].clone();
    book_group(desk, &group);
    booking_ends(desk, rest, OperationState::Done);
}

/// Groups everything that is listed.
pub(super) fn group_all(desk: &mut Desk) -> Vec<ManifestGroup> {
    listed(desk);
    desk.ask(DispatchCommand::GroupAll);
    groups(desk)
}

/// The consignments of each group.
pub(super) fn ids_of(core: &Core) -> Vec<Vec<ConsignmentId>> {
    let groups = core.shared.dispatch.groups.value().into_iter().flatten();
    groups.map(|group| group.consignment_ids.clone()).collect()
}

/// A group as the service made it, checked as the clerk's screen does.
pub(super) fn as_it_is(desk: &Desk, group: &ManifestGroup) -> ManifestGroup {
    let mut draft = PickupDraft::from(group.clone());
    draft.dangerous_goods_declared = draft.has_dangerous_goods();
    draft
        .review(&PickupContext::at(desk.core.shared.now, "Australia/Sydney"))
        .group
        .expect("the default is right")
}

/// Asks for a pickup of this group as it is.
pub(super) fn book_group(desk: &mut Desk, group: &ManifestGroup) {
    let group = as_it_is(desk, group);
    desk.ask(DispatchCommand::Book(vec![group]));
}

/// Waits until the booking of these is in this state.
#[track_caller]
pub(super) fn booking_ends(
    desk: &mut Desk,
    ids: &[ConsignmentId],
    state: OperationState,
) -> Operation {
    desk.until(&format!("{state:?}"), |core| {
        booking_of(core, ids).filter(|one| one.state == state)
    })
}
