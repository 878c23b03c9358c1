//! Consignments on hold stay on hold after a restart and are left out of "group all". The list's view also
//! survives a restart.

use app::state::{DispatchCommand, ListView, ViewColumn, ViewedList};
use shipping::{ConsignmentId, ManifestGroup};

use super::support::{again, bench, bench_with, listed};
use crate::support::desk::{Desk, Home};

fn groups(desk: &mut Desk) -> Vec<ManifestGroup> {
    desk.until("grouped", |core| {
        let groups = &core.shared.dispatch.groups;
        (!groups.is_loading()).then(|| groups.value().cloned())?
    })
}

fn grouped(groups: &[ManifestGroup]) -> Vec<ConsignmentId> {
    let mut ids: Vec<_> = groups
        .iter()
        .flat_map(|group| group.consignment_ids.iter().copied())
        .collect();
    ids.sort();
    ids
}

#[test]
fn what_is_held_back_stays_so_over_a_restart() {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2", "SO-3"]);
    let hold = |ids: &[ConsignmentId], held| DispatchCommand::SetOnHold(ids.to_vec(), held);
    desk.ask(hold(&ids, true));
    desk.ask(hold(&ids[..1], false));
    desk.turn();
    desk.core.close(home.runtime.handle());
    let mut desk = again(&home, &practice, &wire);
    let held = desk.until("on hold", |core| {
        let held = &core.shared.dispatch.on_hold;
        (!held.is_empty()).then(|| held.as_ref().clone())
    });
    assert_eq!(held, ids[1..].iter().copied().collect());
}

#[test]
fn grouping_all_leaves_out_what_is_held_back_and_counts_nothing_of_it() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2", "SO-3"]);
    desk.ask(DispatchCommand::SetOnHold(vec![ids[1]], true));
    desk.ask(DispatchCommand::GroupAll);
    desk.turn();
    let shown = groups(&mut desk);
    assert_eq!(grouped(&shown), [ids[0], ids[2]]);
    // The service made the group, so that its defaults are of these two.
    assert_eq!(wire.count("/manifests/groupConsignments"), 1);
    desk.ask(DispatchCommand::SetOnHold(ids.clone(), true));
    desk.ask(DispatchCommand::GroupAll);
    desk.turn();
    assert_eq!(groups(&mut desk), []);
    // With nothing to leave out, one question is enough.
    desk.ask(DispatchCommand::SetOnHold(ids.clone(), false));
    desk.ask(DispatchCommand::GroupAll);
    desk.turn();
    assert_eq!(grouped(&groups(&mut desk)), ids);
    assert_eq!(wire.count("/manifests/groupConsignments"), 1);
}

#[test]
fn what_is_held_back_and_chosen_is_not_grouped_and_that_is_said() {
    let (_home, _practice, _wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    desk.ask(DispatchCommand::SetOnHold(vec![ids[0]], true));
    desk.ask(DispatchCommand::Group(ids.clone()));
    desk.turn();
    assert_eq!(grouped(&groups(&mut desk)), [ids[1]]);
    let told = |desk: &Desk| -> Vec<String> {
        let notices = desk.core.shared.notices.shown.iter();
        notices.map(|(_, notice)| notice.advice.clone()).collect()
    };
    assert_eq!(
        told(&desk),
        ["1 consignment wasn't grouped. Release it to group it"]
    );
    desk.ask(DispatchCommand::SetOnHold(vec![ids[0]], false));
    desk.ask(DispatchCommand::Group(ids.clone()));
    desk.turn();
    assert_eq!(grouped(&groups(&mut desk)), ids);
    assert!(told(&desk).is_empty(), "mended");
}

#[test]
fn what_is_gone_is_held_back_no_longer() {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    desk.ask(DispatchCommand::SetOnHold(ids.clone(), true));
    desk.ask(DispatchCommand::Delete(vec![ids[0]]));
    desk.pass(std::time::Duration::from_secs(9));
    desk.until("deleted, and let go", |core| {
        (core.shared.dispatch.on_hold.len() == 1).then_some(())
    });
    desk.core.close(home.runtime.handle());
    let mut desk = again(&home, &practice, &wire);
    listed(&mut desk);
    let held = desk.until("on hold", |core| {
        let held = &core.shared.dispatch.on_hold;
        (!held.is_empty()).then(|| held.as_ref().clone())
    });
    assert_eq!(held, [ids[1]].into());
}

#[test]
fn saved_views_stay_over_a_restart_and_are_known_by_their_names() {
    let home = Home::new();
    let (practice, wire, mut desk) = bench(&home);
    let view = |name: &str, filter: &str| ListView {
        name: name.to_owned(),
        columns: vec![ViewColumn {
            column: "reference".to_owned(),
            width: Some(120.5),
        }],
        sort: Some(("despatch".to_owned(), true)),
        filter: filter.to_owned(),
        ..ListView::default()
    };
    for view in [
        view("", "left so"),
        view("Morning", "road"),
        view("Gone", ""),
        view("morning", "rail"),
    ] {
        desk.ask(DispatchCommand::SaveView(view));
    }
    desk.ask(DispatchCommand::RemoveView(
        ViewedList::Dispatch,
        "gone".to_owned(),
    ));
    desk.turn();
    let expected = [view("", "left so"), view("morning", "rail")];
    assert_eq!(desk.core.shared.dispatch.views.as_slice(), expected);
    desk.core.close(home.runtime.handle());
    let mut desk = again(&home, &practice, &wire);
    let views = desk.until("the views", |core| {
        let views = &core.shared.dispatch.views;
        (!views.is_empty()).then(|| views.as_ref().clone())
    });
    assert_eq!(views, expected);
}
