//! Orders of files, imported on two benches through their windows.

use std::path::{Path, PathBuf};

use app::state::{ImportStage, Screen, Shared};
use egui_kittest::kittest::Queryable as _;
use tempfile::TempDir;
use workgroup::WorkgroupState;

use super::window::{Warehouse, until_state};
use crate::editor::orders::{file, row};
use crate::journeys::kit::picture_showing;
use crate::support::desk::notice;
use crate::support::front::Front;
use crate::support::keyboard::click_containing;
use crate::support::postgres::Stop;

pub(super) fn orders(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("orders.csv");
    let orders = [
        row("SO-1", "Ballarat Farm", "2", "9"),
        row("SO-2", "Ballarat Farm", "1", "4.5"),
    ];
    std::fs::write(&path, file(&orders)).expect("a file");
    path
}

fn until(front: &mut Front, stage: ImportStage) {
    front.until(&format!("{stage:?}"), |shared| {
        (shared.consign.import.stage == stage).then_some(())
    });
    front.rest();
}

/// Picks the sender, and checks the orders of a file.
pub(super) fn check(front: &mut Front, path: &Path) {
    front.keys("<F2>");
    let sender = front.until("the saved locations", |shared| {
        shared.session.company?;
        shared.catalogue.locations.value()?.first().cloned()
    });
    let editing = front.widgets().state_mut().editing_mut().expect("a form");
    editing.draft.from.set_location(&sender);
    front.rest();
    front.keys("<Ctrl+U>");
    until(front, ImportStage::Path);
    front.text(path.to_str().expect("a path"));
    front.keys("<Enter>");
    until(front, ImportStage::Columns);
    front
        .widgets()
        .get_by_label("Carrier for orders without one")
        .focus();
    front.rest();
    front.keys("<Down><Ctrl+Enter>");
    until(front, ImportStage::Review);
}

pub(super) fn import(front: &mut Front) {
    front.keys("<Ctrl+Enter>");
    until(front, ImportStage::Done);
}

pub(super) fn titles(shared: &Shared) -> Vec<String> {
    let drafts = shared.consign.drafts.iter();
    drafts.map(|draft| draft.title().to_owned()).collect()
}

#[test]
fn the_second_bench_is_told_which_orders_the_first_has_and_may_take_one_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = orders(&folder);
    let (_warehouse, mut first, mut second) = Warehouse::with_two();
    check(&mut first, &path);
    import(&mut first);
    assert_eq!(titles(first.shared()), ["SO-1", "SO-2"]);
    first.keys("<Esc>");

    check(&mut second, &path);
    picture_showing(
        second.widgets(),
        "workgroup-orders",
        &["2 orders already exist", "imported on Bench 1"],
    );
    // One of them is to be sent here after all.
    click_containing(second.widgets(), "SO-2 → ");
    import(&mut second);
    assert_eq!(titles(second.shared()), ["SO-2"]);

    // The first bench no longer sends it.
    first.keys("<F2>");
    let draft = first.shared().consign.drafts[1].clone();
    assert_eq!(draft.title(), "SO-2");
    let editing = first.widgets().state_mut().editing_mut().expect("a form");
    editing.draft = draft;
    first.rest();
    first.keys("<Ctrl+Enter>");
    let told = first.until("it is refused", |shared| notice(shared, "not sent"));
    assert!(
        told.advice.contains("SO-2 was imported on Bench 2"),
        "{told:?}"
    );
}

#[test]
fn an_order_that_two_benches_import_at_the_same_time_becomes_a_draft_on_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = orders(&folder);
    let (_warehouse, mut first, mut second) = Warehouse::with_two();
    check(&mut first, &path);
    check(&mut second, &path);
    import(&mut first);
    import(&mut second);
    assert_eq!(titles(first.shared()).len(), 2);
    assert!(titles(second.shared()).is_empty());
    picture_showing(
        second.widgets(),
        "workgroup-orders-lost",
        &["2 orders were imported meanwhile: SO-1 on Bench 1, SO-2 on Bench 1"],
    );
}

#[test]
fn orders_imported_without_the_database_are_confirmed_one_by_one_and_sent_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = orders(&folder);
    let (warehouse, mut first, mut second) = Warehouse::with_two();
    check(&mut first, &path);
    import(&mut first);
    warehouse.server.stop(Stop::Immediately);
    second.until("the database is away", |shared| {
        let view = shared.workgroup.as_ref()?;
        matches!(view.state, WorkgroupState::Away(_)).then_some(())
    });
    check(&mut second, &path);
    assert!(second.shows("2 orders may already exist and will be skipped"));
    assert!(second.shows("SO-1 → Ballarat Farm: perhaps imported on another bench"));
    click_containing(second.widgets(), "SO-1 → ");
    import(&mut second);
    assert_eq!(titles(second.shared()), ["SO-1"]);
    second.keys("<Esc>");

    warehouse.server.start_again();
    until_state(&mut second, &WorkgroupState::Connected);
    assert_eq!(second.shared().screen, Screen::Consign);
    let draft = second.shared().consign.drafts[0].clone();
    let editing = second.widgets().state_mut().editing_mut().expect("a form");
    editing.draft = draft;
    second.rest();
    second.keys("<Ctrl+Enter>");
    let told = second.until("it is refused", |shared| notice(shared, "not sent"));
    assert!(
        told.advice.contains("SO-1 was imported on Bench 1"),
        "{told:?}"
    );
}
