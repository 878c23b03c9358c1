//! The Operations screen with the whole program behind it: lost answers are reconciled, decided and reported
//! in one place, by keyboard.

use std::time::Duration;

use app::state::{
    ActionItem, ConsignmentLock, DispatchCommand, NoticeTarget, OperationKind, OperationState,
    Screen, ThemeChoice,
};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shipping::ConsignmentId;

use crate::dispatch::bench::{self, wait};
use crate::support::desk::{Desk, Home, open_failing_bench, open_wired_bench, operation};
use crate::support::keyboard::{click, hold_key, type_at_once, type_keys};
use crate::support::wire::Fault;

const CREATE: &str = "/consignments/createConsignment";
const MANIFEST: &str = "/manifests/manifest ";

fn window(desk: Desk) -> bench::Screen {
    bench::window(desk, [1440.0, 900.0], ThemeChoice::Light)
}

#[test]
fn the_one_that_did_not_happen_is_sent_again_with_two_keys_from_anywhere() {
    let (_home, _practice, wire, mut desk) = open_failing_bench(Fault::LoseRequest);
    desk.until_operation(OperationKind::Create, OperationState::Absent);
    wire.heal();
    let mut harness = window(desk);
    harness.get_by_label("1 to be decided");
    type_keys(&mut harness, "<F6>");
    wait(&mut harness, "what happened", |core| {
        core.shared.operations.action_item.history.value().map(drop)
    });
    harness.get_by_label("Sending");
    type_keys(&mut harness, "<Ctrl+Enter>");
    let done = wait(&mut harness, "it went through", |core| {
        operation(core, OperationKind::Create, OperationState::Done)
    });
    assert_eq!((done.attempt, wire.count(CREATE)), (2, 2));
    // The reconciled operation stays visible until the clerk goes on.
    harness.get_by_label("Consignment SO-48213 MS200001, done");
    assert!(harness.query_by_label("1 to be decided").is_none());
}

#[test]
fn the_clerk_is_told_when_it_is_looked_for_again_and_what_it_holds() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    let id = desk.create("SO-48213");
    let group = desk.group(id);
    wire.fail(MANIFEST, Fault::LoseRequest);
    desk.ask(DispatchCommand::Book(vec![group]));
    let unknown = desk.until_operation(OperationKind::Manifest, OperationState::Unknown);
    let look = desk.until("the next look", |core| {
        core.shared.operations.next_checks.get(&unknown.id).copied()
    });
    assert_eq!(look.total, 3);
    assert_eq!(
        desk.core.shared.operations.locked.get(&id),
        Some(&ConsignmentLock::InUse(unknown.id))
    );
    // One more that is asked for with it meanwhile is not even sent.
    desk.ask(DispatchCommand::Delete(vec![id]));
    let absent = desk.until_operation(OperationKind::Manifest, OperationState::Absent);
    assert!(
        desk.core
            .shared
            .operations
            .list
            .iter()
            .all(|one| one.kind != OperationKind::Delete)
    );
    let mut harness = window(desk);
    type_keys(&mut harness, "<F3>");
    let carrier = absent.title.as_str();
    let why = format!("Locked by the booking with {carrier}: not done");
    let row = harness.get_by_label("MS200001 Ballarat Farm & Garden");
    assert_eq!(
        row.accesskit_node().description().as_deref(),
        Some(why.as_str())
    );
    // Its card leads to where it is decided.
    click(&mut harness, &format!("Decide…: booking with {carrier}"));
    let shared = &harness.state().desk.core.shared;
    assert_eq!(
        (shared.screen, shared.operations.action_item.of),
        (Screen::Operations, Some(ActionItem::Operation(absent.id)))
    );
    harness.get_by_label(
        "1 consignment locked: can't be grouped, edited or deleted until this is resolved",
    );
}

#[test]
fn a_consignment_is_deleted_by_keyboard() {
    let (_home, _practice, _wire, mut desk) = open_wired_bench();
    desk.create("SO-48213");
    let mut harness = window(desk);
    type_keys(&mut harness, "<F3>");
    wait(&mut harness, "listed", |core| {
        core.shared
            .dispatch
            .unmanifested
            .value()
            .filter(|list| !list.is_empty())
            .map(drop)
    });
    type_keys(&mut harness, "<Ctrl+F><Tab>");
    type_at_once(&mut harness, "<Home><Delete>");
    assert!(
        harness
            .query_all_by_label_contains("Deleting MS200001")
            .next()
            .is_some()
    );
    harness.state_mut().desk.pass(Duration::from_secs(9));
    wait(&mut harness, "deleted", |core| {
        operation(core, OperationKind::Delete, OperationState::Done)
    });
    harness.get_by_label("All manifested");
}

#[test]
fn a_refusal_that_has_no_other_place_is_told_once_and_leads_to_its_operation() {
    let (_home, _practice, _wire, mut desk) = open_wired_bench();
    let nowhere = ConsignmentId::new(999_999);
    desk.ask(DispatchCommand::Delete(vec![nowhere]));
    desk.pass(Duration::from_secs(9));
    let refused = desk.until_operation(OperationKind::Delete, OperationState::Rejected);
    let notices: Vec<_> = desk
        .core
        .shared
        .notices
        .shown
        .iter()
        .map(|(_, notice)| (notice.headline.as_str(), notice.target.clone()))
        .collect();
    let matter = ActionItem::Operation(refused.id);
    assert_eq!(
        notices,
        [(
            "MS999999: not deleted",
            Some(NoticeTarget::ActionItem(matter))
        )]
    );
    assert!(desk.core.shared.operations.locked.is_empty());
    let mut harness = window(desk);
    click(&mut harness, "Show");
    let shared = &harness.state().desk.core.shared;
    assert_eq!(
        (
            shared.screen,
            shared.operations.action_item.of,
            shared.notices.shown.len()
        ),
        (Screen::Operations, Some(matter), 0)
    );
}

#[test]
fn what_the_last_run_left_open_has_one_banner_until_all_of_it_is_known() {
    let (home, practice, wire, mut desk) =
        open_failing_bench(Fault::Silence(Duration::from_secs(1)));
    let token = practice.token().to_owned();
    desk.until("sending", |_| (wire.count(CREATE) == 1).then_some(()));
    drop(desk);
    wire.heal();
    let mut desk = home.open(&Home::service(wire.base_url(), &token));
    desk.until("its banner", |core| {
        let mut notices = core.shared.notices.shown.iter();
        notices.find(|(_, notice)| {
            notice.headline == "1 unfinished, being checked"
                && notice.target == Some(NoticeTarget::Operations)
        })?;
        Some(())
    });
    let absent = desk.until_operation(OperationKind::Create, OperationState::Absent);
    let mut harness = window(desk);
    click(&mut harness, "Show");
    assert_eq!(
        harness.state().desk.core.shared.operations.action_item.of,
        Some(ActionItem::Operation(absent.id))
    );
    // Given up only by a key that is held.
    type_keys(&mut harness, "<Alt+G>");
    assert!(
        operation(
            &harness.state().desk.core,
            OperationKind::Create,
            OperationState::Absent
        )
        .is_some()
    );
    hold_key(&mut harness, "<Alt+G>", 80);
    wait(&mut harness, "given up", |core| {
        operation(core, OperationKind::Create, OperationState::Discarded)
    });
    assert_eq!(wire.count(CREATE), 1);
}
