//! Views: how the list is shown, saved under a name; and how it was left, which comes back at the next start.

mod menu;
mod naming;

use egui::Ui;

use super::super::Context;
use super::{ListColumn, Listed, Order};
use crate::state::{DispatchCommand, ListView, ViewColumn};
pub(in crate::ui) use menu::button;

/// How long the list is left alone before it is kept as it is, in seconds.
const CALM_SECONDS: f64 = 1.0;

/// What is kept about views.
#[derive(Default)]
pub(in crate::ui) struct State {
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
    pub(in crate::ui) fn is_open(&self) -> bool {
        self.naming.is_open()
    }
}

/// The views of a list, among those of all lists.
fn of<C: ListColumn>(views: &[ListView]) -> impl Iterator<Item = &ListView> {
    views.iter().filter(|view| view.list == C::OF)
}

/// How the list is shown now, under a name.
fn current<C: ListColumn>(list: &Listed<C>, name: &str) -> ListView {
    let column = |col: &C| ViewColumn {
        column: col.entry().word.to_owned(),
        width: list.table.by_hand.get(col.entry().word).copied(),
    };
    let columns = list.arranged.iter().flatten().map(column).collect();
    ListView {
        list: C::OF,
        name: name.to_owned(),
        columns,
        sort: list
            .order
            .map(|order| (order.col.entry().word.to_owned(), order.descending)),
        filter: list.filter.clone(),
    }
}

/// How the list is left when the program ends.
fn left<C: ListColumn>(list: &Listed<C>) -> ListView {
    let mut left = current(list, "");
    if !C::KEEPS_FILTER {
        left.filter.clear();
    }
    left
}

/// As it comes.
fn plain<C: ListColumn>() -> ListView {
    ListView {
        list: C::OF,
        ..ListView::default()
    }
}

/// Shows the list as it was saved; what this version does not know is left out.
fn apply<C: ListColumn>(list: &mut Listed<C>, view: &ListView) {
    let known = |column: &ViewColumn| Some((C::of_word(&column.column)?, column.width));
    let columns: Vec<_> = view.columns.iter().filter_map(known).collect();
    list.table.by_hand = columns
        .iter()
        .filter_map(|(col, width)| Some((col.entry().word.to_owned(), (*width)?)))
        .collect();
    let columns: Vec<C> = columns.into_iter().map(|(col, _)| col).collect();
    list.arranged = (!columns.is_empty()).then_some(columns);
    list.order = view.sort.as_ref().and_then(|(word, descending)| {
        Some(Order {
            col: C::of_word(word)?,
            descending: *descending,
        })
    });
    list.filter.clone_from(&view.filter);
    list.table.refit();
}

/// Do these show the same? What this version does not know shows nothing.
fn same<C: ListColumn>(a: &ListView, b: &ListView) -> bool {
    let known = |view: &ListView| {
        let columns = view.columns.clone().into_iter();
        columns
            .filter(|column| C::of_word(&column.column).is_some())
            .collect::<Vec<_>>()
    };
    (&a.sort, &a.filter) == (&b.sort, &b.filter) && (a.columns == b.columns || known(a) == known(b))
}

/// At the start shows the list as it was left; from then on keeps how it is, once it is left alone.
pub(in crate::ui) fn keep<C: ListColumn>(ui: &Ui, context: &mut Context<'_>, list: &mut Listed<C>) {
    let views = &context.shared.views;
    let now = ui.input(|input| input.time);
    let mut is = left(list);
    if !list.views.loaded && !views.is_empty() {
        list.views.loaded = true;
        let was = of::<C>(views).find(|view| view.name.is_empty());
        if let Some(was) = was.filter(|_| same::<C>(&is, &plain::<C>())) {
            apply_left(list, was);
            let named = of::<C>(views).find(|view| !view.name.is_empty() && same::<C>(view, was));
            list.views.picked = named.map(|view| view.name.clone());
            is = left(list);
            list.views.kept.clone_from(&is);
        }
    }
    if list.views.last != is {
        list.views.last.clone_from(&is);
        list.views.since = now;
    }
    if same::<C>(&list.views.kept, &is) {
        return;
    }
    let calm = now - list.views.since;
    if calm < CALM_SECONDS {
        let left = std::time::Duration::from_secs_f64(CALM_SECONDS - calm);
        ui.ctx().request_repaint_after(left);
        return;
    }
    list.views.kept.clone_from(&is);
    context.ask(DispatchCommand::SaveView(is));
}

/// As it was left; what its filter holds by now stays where that is not kept.
fn apply_left<C: ListColumn>(list: &mut Listed<C>, was: &ListView) {
    let filter = std::mem::take(&mut list.filter);
    apply(list, was);
    if !C::KEEPS_FILTER {
        list.filter = filter;
    }
}

/// The dialog in which a view is named.
pub(in crate::ui) fn dialogs<C: ListColumn>(
    ui: &Ui,
    context: &mut Context<'_>,
    list: &mut Listed<C>,
) {
    let own: Vec<&ListView> = of::<C>(&context.shared.views).collect();
    let Some(named) = list.views.naming.show(ui, &own) else {
        return;
    };
    if let Some(was) = named.was {
        let view = own.iter().find(|view| view.name == was);
        let renamed = view.map(|view| ListView {
            name: named.name.clone(),
            ..(*view).clone()
        });
        context.ask(DispatchCommand::RemoveView(C::OF, was));
        if let Some(renamed) = renamed {
            context.ask(DispatchCommand::SaveView(renamed));
        }
    } else {
        context.ask(DispatchCommand::SaveView(current(list, &named.name)));
    }
    list.views.picked = Some(named.name);
}

/// Begins to save how the list is shown under a name.
pub(in crate::ui) fn begin_saving<C: ListColumn>(list: &mut Listed<C>) {
    let name = list.views.picked.clone().unwrap_or_default();
    list.views.naming.save(name);
}
