//! A deletion can be undone before it is sent; until then nothing leaves the machine.

use std::time::Duration;

use app::state::{
    ConsignmentLock, DispatchCommand, OperationKind, OperationState, PendingDeletion,
};

use super::support::{DELETE, again, bench_with, listed};
use crate::support::desk::{Desk, operation};

const PAST: Duration = Duration::from_secs(9);

#[test]
fn what_is_undone_in_time_was_never_sent() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    desk.ask(DispatchCommand::Delete(ids.clone()));
    desk.pass(Duration::from_secs(4));
    let shared = &desk.core.shared;
    let at = shared.now + jiff::SignedDuration::from_secs(8);
    let deleting = PendingDeletion {
        ids: ids.clone(),
        at,
    };
    assert_eq!(shared.dispatch.deleting, Some(deleting));
    assert!(
        ids.iter()
            .all(|id| shared.operations.locked[id] == ConsignmentLock::Deleting)
    );
    // Held meanwhile: not grouped, one by one or with all.
    desk.ask(DispatchCommand::Group(ids.clone()));
    desk.ask(DispatchCommand::GroupAll);
    desk.until("grouped", |core| {
        core.shared
            .dispatch
            .groups
            .value()
            .is_some_and(Vec::is_empty)
            .then_some(())
    });
    desk.ask(DispatchCommand::UndoDelete);
    desk.turn();
    desk.pass(PAST);
    let shared = &desk.core.shared;
    assert_eq!(
        (&shared.dispatch.deleting, shared.operations.locked.len()),
        (&None, 0)
    );
    assert_eq!(wire.count(DELETE), 0, "nothing was sent");
    assert_eq!(listed(&mut desk).len(), 2);
}

#[test]
fn once_it_can_be_undone_no_longer_it_is_sent_once() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    desk.ask(DispatchCommand::Delete(vec![ids[0]]));
    desk.pass(PAST);
    desk.until("deleted", |core| {
        operation(core, OperationKind::Delete, OperationState::Done)
    });
    desk.ask(DispatchCommand::UndoDelete);
    desk.pass(PAST);
    assert_eq!(wire.count(DELETE), 1);
    assert!(desk.core.shared.operations.locked.is_empty());
    assert_eq!(listed(&mut desk), [ids[1]]);
}

#[test]
fn a_second_deletion_joins_the_first_and_both_are_taken_back() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    let delete = |desk: &mut Desk, id| {
        desk.ask(DispatchCommand::Delete(vec![id]));
        desk.pass(Duration::from_secs(5));
    };
    delete(&mut desk, ids[0]);
    // The time begins anew for both: ten seconds after the first nothing is sent.
    delete(&mut desk, ids[1]);
    let deleting = desk.core.shared.dispatch.deleting.clone();
    assert_eq!(deleting.map(|one| one.ids), Some(ids.clone()));
    assert_eq!(wire.count(DELETE), 0);
    desk.ask(DispatchCommand::UndoDelete);
    desk.pass(PAST);
    assert!(desk.core.shared.operations.locked.is_empty());
    assert_eq!(wire.count(DELETE), 0);
    for id in &ids {
        delete(&mut desk, *id);
    }
    desk.pass(PAST);
    desk.until("both are deleted", |core| {
        let done = operation(core, OperationKind::Delete, OperationState::Done)?;
        (done.consignments == ids).then_some(())
    });
    assert_eq!((wire.count(DELETE), listed(&mut desk).len()), (1, 0));
}

#[test]
fn closed_before_it_is_sent_nothing_is_deleted() {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1"]);
    desk.ask(DispatchCommand::Delete(ids.clone()));
    desk.turn();
    assert!(desk.core.shared.dispatch.deleting.is_some());
    desk.core.close(home.runtime.handle());
    let mut desk = again(&home, &practice, &wire);
    assert_eq!(listed(&mut desk), ids);
    desk.pass(PAST);
    assert_eq!(desk.core.shared.dispatch.deleting, None);
    assert_eq!(wire.count(DELETE), 0);
    let kinds = desk.core.shared.operations.list.iter().map(|one| one.kind);
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        [OperationKind::Create],
        "nothing is open"
    );
}

#[test]
fn one_that_somebody_else_deletes_meanwhile_does_not_stop_the_others() {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    let client = crate::support::lanes::client(
        &wire.base_url(),
        practice.token(),
        crate::support::lanes::QUICK,
    );
    desk.ask(DispatchCommand::Delete(ids.clone()));
    desk.turn();
    home.runtime
        .block_on(client.delete(&ids[..1]))
        .expect("deleted");
    desk.ask(DispatchCommand::Refresh);
    desk.until("heard of it", |core| {
        let deleting = core.shared.dispatch.deleting.as_ref()?;
        (deleting.ids == ids[1..]).then_some(())
    });
    desk.pass(PAST);
    desk.until("the other is deleted", |core| {
        let done = operation(core, OperationKind::Delete, OperationState::Done)?;
        (done.consignments == ids[1..]).then_some(())
    });
}
