//! The Dispatch screen over a list of any length, without background work.

use app::state::{Command, DispatchCommand, Editing, ListView, Screen, Shared, ThemeChoice};
use egui_kittest::Harness;
use shipping::ConsignmentId;

use crate::journeys::screens::{Desk, data as screens, desk};
use crate::support::keyboard::{burst, type_at_once, type_keys, typed};
use crate::support::lists::{list_rows, listed, put_row};

#[path = "../../bench/list/data.rs"]
pub(crate) mod data;

pub(crate) type Window = Harness<'static, Desk>;

/// What the screens see of `rows` consignments: MS200000 and up, the newest first.
pub(crate) fn shared(rows: usize) -> Shared {
    let mut shared = screens::blank();
    shared.stage = app::state::WindowStage::Working;
    shared.screen = Screen::Dispatch;
    list_rows(&mut shared, data::rows(rows));
    shared
}

pub(crate) fn open(shared: Shared) -> Window {
    sized(shared, [1440.0, 900.0], 1.0, ThemeChoice::Light)
}

pub(crate) fn sized(shared: Shared, size: [f32; 2], scale: f32, theme: ThemeChoice) -> Window {
    desk(size, scale, theme, Desk::new(shared, Editing::default()))
}

/// Puts the focus on the list, and the cursor on its first row.
pub(crate) fn to_the_list(window: &mut Window) {
    type_keys(window, "<Ctrl+F>");
    type_at_once(window, "<Enter><Home>");
}

/// A list of so many rows, with the keyboard in it.
pub(crate) fn at_the_list(rows: usize) -> Window {
    let mut window = open(shared(rows));
    to_the_list(&mut window);
    window
}

pub(crate) fn filter(window: &mut Window, words: &str) {
    type_keys(window, "<Ctrl+F>");
    burst(window, typed(words));
    type_keys(window, "<Enter>");
}

/// What was asked for, but for how the list is shown.
pub(crate) fn asked(window: &mut Window) -> Vec<Command> {
    let asked = std::mem::take(&mut window.state_mut().asked);
    let is_view =
        |command: &Command| matches!(command, Command::Dispatch(DispatchCommand::SaveView(_)));
    asked.into_iter().filter(|one| !is_view(one)).collect()
}

/// How the list is kept, once it was left alone.
pub(crate) fn kept(window: &mut Window) -> Option<ListView> {
    window.run_steps(8);
    let asked = std::mem::take(&mut window.state_mut().asked);
    asked.into_iter().rev().find_map(|command| match command {
        Command::Dispatch(DispatchCommand::SaveView(view)) => Some(view),
        _ => None,
    })
}

/// What Ctrl+P prints: the chosen ones, as they are listed.
pub(crate) fn printed(window: &mut Window) -> Vec<i64> {
    asked(window);
    type_keys(window, "<Ctrl+P>");
    let ids = |ids: Vec<ConsignmentId>| ids.iter().map(|id| id.get()).collect();
    match asked(window).pop() {
        Some(Command::Dispatch(DispatchCommand::PrintLabels(chosen))) => ids(chosen),
        _ => Vec::new(),
    }
}

/// The list with another consignment, as after a create.
pub(crate) fn one_more(window: &mut Window, id: i64) {
    let shared = &mut window.state_mut().shared;
    let mut one = shared.row(listed(shared)[0]).expect("a row").clone();
    one.id = ConsignmentId::new(id);
    one.number = format!("MS{id}");
    put_row(shared, one);
    window.run();
}
