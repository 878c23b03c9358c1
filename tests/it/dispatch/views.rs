//! Views are saved, picked, renamed and removed, and the list's last state returns at the next start.

use std::sync::Arc;

use app::state::{Command, DispatchCommand, ListView, ViewColumn, ViewedList};
use egui_kittest::kittest::Queryable as _;

use super::screen::{Window, asked, filter, kept, open, shared, to_the_list};
use super::support::{again, bench};
use crate::support::desk::Home;
use crate::support::keyboard::{click, type_at_once, type_keys};

fn today() -> ListView {
    let column = |word: &str, width| ViewColumn {
        column: word.to_owned(),
        width,
    };
    ListView {
        name: "today".to_owned(),
        columns: vec![
            column("reference", None),
            column("no such column", None),
            column("to", Some(222.0)),
        ],
        sort: Some(("to".to_owned(), true)),
        filter: "carrier:southern".to_owned(),
        ..ListView::default()
    }
}

fn with(views: Vec<ListView>) -> Window {
    let mut shared = shared(100);
    shared.dispatch.views = Arc::new(views);
    open(shared)
}

#[test]
fn a_view_is_saved_and_picked_and_renamed_and_removed_by_keyboard() {
    let mut window = with(Vec::new());
    filter(&mut window, "dg:yes");
    type_keys(&mut window, "<Alt+W>");
    type_at_once(&mut window, "dangerous<Enter>");
    let all = std::mem::take(&mut window.state_mut().asked);
    let saved = all.into_iter().find_map(|command| match command {
        Command::Dispatch(DispatchCommand::SaveView(view)) if !view.name.is_empty() => Some(view),
        _ => None,
    });
    let saved = saved.expect("a view");
    assert_eq!(
        (saved.name.as_str(), saved.filter.as_str()),
        ("dangerous", "dg:yes")
    );
    window.state_mut().shared.dispatch.views = Arc::new(vec![saved, today()]);
    window.run();
    window.get_by_label("View: dangerous");
    type_keys(&mut window, "<Alt+V>");
    type_at_once(&mut window, "<Down><Enter>");
    window.get_by_label("View: today");
    window.get_by_label("20 of 100");
    let left = kept(&mut window).expect("how the list is left");
    assert_eq!(left.sort, Some(("to".to_owned(), true)));
    assert_eq!(left.columns.len(), 2, "what is not known is left out");
    // The lines are: dangerous, today, all, rename, remove, save.
    type_keys(&mut window, "<Alt+V>");
    type_at_once(&mut window, "<Up*2><Enter>");
    let removed = DispatchCommand::RemoveView(ViewedList::Dispatch, "today".to_owned());
    assert_eq!(asked(&mut window), [removed.into()]);
}

#[test]
fn the_list_comes_back_as_it_was_left() {
    let left = ListView {
        name: String::new(),
        ..today()
    };
    let mut window = with(vec![left, today()]);
    window.get_by_label("20 of 100");
    to_the_list(&mut window);
    assert!(kept(&mut window).is_none(), "nothing was changed");
    type_keys(&mut window, "<Alt+V>");
    click(&mut window, "All, newest first");
    window.get_by_label("100");
    let left = kept(&mut window).expect("how the list is left");
    assert_eq!(left, ListView::default());
}

#[test]
fn views_outlive_the_program() {
    let home = Home::new();
    let (practice, wire, mut desk) = bench(&home);
    for name in ["today", ""] {
        let view = ListView {
            name: name.to_owned(),
            ..today()
        };
        desk.ask(DispatchCommand::SaveView(view));
    }
    desk.turn();
    desk.core.close(home.runtime.handle());
    let mut desk = again(&home, &practice, &wire);
    let views = desk.until("the views", |core| {
        Some(Arc::clone(&core.shared.dispatch.views)).filter(|views| views.len() == 2)
    });
    desk.core.close(home.runtime.handle());
    assert_eq!(views[1], today());
    // And the screen that reads them shows the list as it was left.
    let mut shared = shared(100);
    shared.dispatch.views = views;
    open(shared).get_by_label("20 of 100");
}
