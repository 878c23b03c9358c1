//! Defects 18 and 21: undoing a deletion, and lists with the keyboard focus.

use std::time::Duration;

use app::state::{Command, DispatchCommand, PendingDeletion, Screen, ThemeChoice};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use practice::RunningService;
use shipping::ConsignmentId;

use crate::dispatch::bench::{self, Window, held, wait};
use crate::dispatch::screen::{asked, open, shared, to_the_list};
use crate::dispatch::support::{self, DELETE, send};
use crate::editor::keys::written;
use crate::journeys::kit::Role;
use crate::support::desk::Home;
use crate::support::keyboard::{type_at_once, type_keys};
use crate::support::wire::Wire;

type Bench = egui_kittest::Harness<'static, Window>;

/// Longer than a deletion can be undone.
const PAST: Duration = Duration::from_secs(9);

/// The program with consignments of these references, on Dispatch, which has their list.
fn on_dispatch(
    home: &Home,
    references: &[&str],
) -> (RunningService, Wire, Bench, Vec<ConsignmentId>) {
    let (practice, wire, mut desk) = support::bench(home);
    let ids = send(&mut desk, references);
    let mut window = bench::window(desk, [1440.0, 900.0], ThemeChoice::Light);
    to_dispatch(&mut window, ids.len());
    (practice, wire, window, ids)
}

fn to_dispatch(window: &mut Bench, rows: usize) {
    type_keys(window, "<F3>");
    wait(window, "the list", |core| {
        let list = &core.shared.dispatch.unmanifested;
        let listed = !list.is_loading() && list.value()?.len() == rows;
        (core.shared.screen == Screen::Dispatch && listed).then_some(())
    });
}

fn delete_under_cursor(window: &mut Bench) {
    type_keys(window, "<Delete>");
    wait(window, "a deletion that can be undone", |core| {
        core.shared.dispatch.deleting.as_ref().map(|_| ())
    });
}

/// Has this list the focus, or the row under its cursor?
fn has_keys(window: &Bench, list: &str) -> bool {
    let table = window.get_by_role_and_label(Role::Table, list);
    let table = table.accesskit_node();
    table.is_focused() || table.active_descendant().is_some()
}

fn says(window: &Bench, words: &str) -> bool {
    window.query_all_by_label_contains(words).next().is_some()
}

#[test]
fn n18_a_deletion_is_undone_by_ctrl_z_on_every_screen() {
    let home = Home::new();
    let (practice, wire, mut window, ids) = on_dispatch(&home, &["SO-1"]);
    let number = format!("Deleting MS{}", ids[0]);
    for screen in Screen::ALL {
        let keys = format!("<{}>", written(screen.action().entry()));
        to_dispatch(&mut window, 1);
        delete_under_cursor(&mut window);
        type_keys(&mut window, &keys);
        wait(&mut window, "the screen", |core| {
            (core.shared.screen == screen).then_some(())
        });
        assert!(says(&window, &number), "{screen:?} says what is deleted");
        type_keys(&mut window, "<Ctrl+Z>");
        wait(&mut window, &format!("undone on {screen:?}"), |core| {
            core.shared.dispatch.deleting.is_none().then_some(())
        });
        window.state_mut().desk.pass(PAST);
        window.run();
        assert!(!says(&window, &number), "{screen:?}");
    }
    assert_eq!(wire.count(DELETE), 0, "nothing was sent");
    let held = held(&home, &practice, &ids);
    assert_eq!(held.len(), 1);
}

#[test]
fn n18_where_the_goods_were_changed_after_it_they_are_undone_first() {
    let home = Home::new();
    let (_practice, _wire, mut window, _) = on_dispatch(&home, &["SO-1"]);
    delete_under_cursor(&mut window);
    type_keys(&mut window, "<F2>");
    let lines = |window: &Bench| window.state().desk.core.editing.draft.goods.len();
    let before = lines(&window);
    type_keys(&mut window, "<Alt+3>Pumps<Ctrl+L>");
    assert_eq!(lines(&window), before + 1);
    let is_deleting = |window: &Bench| window.state().desk.core.shared.dispatch.deleting.is_some();
    // The line and the name are newer than the deletion.
    type_keys(&mut window, "<Ctrl+Z>");
    assert_eq!((lines(&window), is_deleting(&window)), (before, true));
    type_keys(&mut window, "<Ctrl+Z>");
    let name = window.state().desk.core.editing.draft.goods[0].name.clone();
    assert_eq!((name.as_str(), is_deleting(&window)), ("", true));
    type_keys(&mut window, "<Ctrl+Z>");
    window.run();
    assert!(!is_deleting(&window), "then the deletion");
}

#[test]
fn n18_text_that_is_typed_after_it_is_undone_by_its_field() {
    let mut window = open(shared(20));
    to_the_list(&mut window);
    type_keys(&mut window, "<Ctrl+F>");
    let at = window.state().shared.now + jiff::SignedDuration::from_secs(8);
    let ids = vec![ConsignmentId::new(200_019)];
    window.state_mut().shared.dispatch.deleting = Some(PendingDeletion { ids, at });
    window.run();
    // The focus is in the filter, but nothing was typed since.
    type_keys(&mut window, "<Ctrl+Z>");
    let undo = Command::from(DispatchCommand::UndoDelete);
    assert_eq!(asked(&mut window), [undo]);
    type_keys(&mut window, "ms<Ctrl+Z>");
    assert_eq!(asked(&mut window), []);
}

#[test]
fn n18_what_is_deleted_is_said_by_its_numbers() {
    let home = Home::new();
    let (_practice, _wire, mut window, ids) = on_dispatch(&home, &["SO-1", "SO-2", "SO-3"]);
    type_at_once(&mut window, "<Space><Down><Space>");
    delete_under_cursor(&mut window);
    // The newest stands first.
    let words = format!("Deleting MS{}, MS{}", ids[2], ids[1]);
    assert!(says(&window, &words), "{words}");
}

#[test]
fn n18_a_row_that_a_scan_ticked_is_named_and_confirmed() {
    let mut window = open(shared(20));
    window.state_mut().shared.search.found = Some((1, ConsignmentId::new(200_007)));
    window.run();
    to_the_list(&mut window);
    type_keys(&mut window, "<Down><Delete>");
    assert_eq!(asked(&mut window), [], "nothing is deleted yet");
    window.get_by_role_and_label(Role::Dialog, "Delete MS200007");
    window.get_by_label("Ticked by a scan:");
    type_keys(&mut window, "<Esc>");
    // Ticked by hand it needs no question, and neither does the row that the cursor is on.
    let delete = |id| Command::from(DispatchCommand::Delete(vec![ConsignmentId::new(id)]));
    window.state_mut().shared.search.found = Some((2, ConsignmentId::new(200_008)));
    window.run();
    type_keys(&mut window, "<Delete>");
    assert_eq!(asked(&mut window), [delete(200_008)]);
}

#[test]
fn n21_a_list_has_the_keys_when_its_screen_opens() {
    let home = Home::new();
    let (_practice, _wire, mut window, ids) = on_dispatch(&home, &["SO-1", "SO-2"]);
    assert!(has_keys(&window, "Unmanifested"));
    let screens = [
        ("<F4>", "Queue"),
        ("<F6>", "Operations"),
        ("<F3>", "Unmanifested"),
    ];
    for (keys, list) in screens {
        type_keys(&mut window, "<F2>");
        wait(&mut window, "Consign", |core| {
            (core.shared.screen == Screen::Consign).then_some(())
        });
        type_keys(&mut window, keys);
        window.run();
        assert!(has_keys(&window, list), "{list}");
    }
    // The arrows move, and Enter opens: the second row is the one that was sent first.
    type_keys(&mut window, "<Down><Enter>");
    wait(&mut window, "its label", |core| {
        let shown = core.shared.labels.selected == Some(ids[0]);
        (shown && core.shared.screen == Screen::Labels).then_some(())
    });
}

#[test]
fn n21_escape_and_down_lead_from_the_filter_to_the_list() {
    let home = Home::new();
    let (_practice, _wire, mut window, _) = on_dispatch(&home, &["SO-1"]);
    let screens = [
        ("<F3>", "Unmanifested"),
        ("<F4>", "Queue"),
        ("<F6>", "Operations"),
    ];
    for (screen, list) in screens {
        for leave in ["<Down>", "<Esc>"] {
            type_keys(&mut window, screen);
            window.run();
            type_keys(&mut window, "<Ctrl+F>");
            assert!(!has_keys(&window, list), "{list}");
            type_keys(&mut window, leave);
            assert!(has_keys(&window, list), "{list}, {leave}");
        }
    }
}

#[test]
fn n21_print_names_the_consignment_that_it_prints() {
    let home = Home::new();
    let (_practice, _wire, mut window, ids) = on_dispatch(&home, &["SO-1", "SO-2"]);
    let name = format!("Print MS{}", ids[1]);
    window.get_by_role_and_label(Role::Button, &name);
    type_keys(&mut window, "<Enter>");
    wait(&mut window, "its label", |core| {
        (core.shared.labels.selected == Some(ids[1])).then_some(())
    });
    window.get_by_role_and_label(Role::Button, &name);
}

#[test]
fn n21_a_scan_that_is_typed_into_a_list_opens_no_row() {
    let mut window = open(shared(20));
    to_the_list(&mut window);
    asked(&mut window);
    type_at_once(&mut window, "ms200003<Enter>");
    assert_eq!(asked(&mut window), []);
}
