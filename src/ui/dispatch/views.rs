//! Views: how the list is shown, saved under a name; and how it was left, which comes back at the next start.

mod menu;
mod naming;

use egui::Ui;

use super::super::Context;
use super::State as Dispatch;
use super::columns::Col;
use super::index::Order;
use crate::state::{DispatchCommand, ListView, ViewColumn};
pub(super) use menu::button;

/// How long the list is left alone before it is kept as it is, in seconds.
const CALM_SECONDS: f64 = 1.0;

/// What is kept about views.
#[derive(Default)]
pub(super) struct State {
    /// The one that was picked by name.
    picked: Option<String>,
    /// How the list was when it was last kept.
    kept: ListView,
    /// How it was a frame ago, and since when.
    last: ListView,
    since: f64,
    loaded: bool,
    naming: naming::State,
}

impl State {
    pub(super) fn is_open(&self) -> bool {
        self.naming.is_open()
    }
}

/// How the list is shown now, under a name.
fn current(state: &Dispatch, name: &str) -> ListView {
    let column = |col: &Col| ViewColumn {
        column: col.entry().word.to_owned(),
        width: state.table.by_hand.get(col.entry().word).copied(),
    };
    let columns = state.arranged.iter().flatten().map(column).collect();
    ListView {
        name: name.to_owned(),
        columns,
        sort: state
            .order
            .map(|order| (order.col.entry().word.to_owned(), order.descending)),
        filter: state.filter.clone(),
    }
}

/// Shows the list as it was saved; what this version does not know is left out.
fn apply(state: &mut Dispatch, view: &ListView) {
    let known = |column: &ViewColumn| Some((Col::of_word(&column.column)?, column.width));
    let columns: Vec<_> = view.columns.iter().filter_map(known).collect();
    state.table.by_hand = columns
        .iter()
        .filter_map(|(col, width)| Some((col.entry().word.to_owned(), (*width)?)))
        .collect();
    let columns: Vec<Col> = columns.into_iter().map(|(col, _)| col).collect();
    state.arranged = (!columns.is_empty()).then_some(columns);
    state.order = view.sort.as_ref().and_then(|(word, descending)| {
        Some(Order {
            col: Col::of_word(word)?,
            descending: *descending,
        })
    });
    state.filter.clone_from(&view.filter);
    state.table.refit();
}

/// Do these show the same? What this version does not know shows nothing.
fn same(a: &ListView, b: &ListView) -> bool {
    let known = |view: &ListView| {
        let columns = view.columns.clone().into_iter();
        columns
            .filter(|column| Col::of_word(&column.column).is_some())
            .collect::<Vec<_>>()
    };
    (&a.sort, &a.filter) == (&b.sort, &b.filter) && (a.columns == b.columns || known(a) == known(b))
}

/// At the start shows the list as it was left; from then on keeps how it is, once it is left alone.
pub(super) fn keep(ui: &Ui, context: &mut Context<'_>, state: &mut Dispatch) {
    let views = &context.shared.views;
    let now = ui.input(|input| input.time);
    let mut current = current(state, "");
    if !state.views.loaded && !views.is_empty() {
        state.views.loaded = true;
        let left = views.iter().find(|view| view.name.is_empty());
        if let Some(left) = left.filter(|_| same(&current, &ListView::default())) {
            apply(state, left);
            let named = views
                .iter()
                .find(|view| !view.name.is_empty() && same(view, left));
            state.views.picked = named.map(|view| view.name.clone());
            current = self::current(state, "");
            state.views.kept.clone_from(&current);
        }
    }
    if state.views.last != current {
        state.views.last.clone_from(&current);
        state.views.since = now;
    }
    if same(&state.views.kept, &current) {
        return;
    }
    let calm = now - state.views.since;
    if calm < CALM_SECONDS {
        let left = std::time::Duration::from_secs_f64(CALM_SECONDS - calm);
        ui.ctx().request_repaint_after(left);
        return;
    }
    state.views.kept.clone_from(&current);
    context.ask(DispatchCommand::SaveView(current));
}

/// The dialog in which a view is named.
pub(super) fn dialogs(ui: &Ui, context: &mut Context<'_>, state: &mut Dispatch) {
    let Some(named) = state.views.naming.show(ui, &context.shared.views) else {
        return;
    };
    if let Some(was) = named.was {
        let view = context.shared.views.iter().find(|view| view.name == was);
        let renamed = view.map(|view| ListView {
            name: named.name.clone(),
            ..view.clone()
        });
        context.ask(DispatchCommand::RemoveView(was));
        if let Some(renamed) = renamed {
            context.ask(DispatchCommand::SaveView(renamed));
        }
    } else {
        context.ask(DispatchCommand::SaveView(current(state, &named.name)));
    }
    state.views.picked = Some(named.name);
}

/// Begins to save how the list is shown under a name.
pub(super) fn begin_saving(state: &mut Dispatch) {
    let name = state.views.picked.clone().unwrap_or_default();
    state.views.naming.save(name);
}
