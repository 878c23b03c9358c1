//! Views: the filter, order and columns of a list, saved under a name. The last used state of each list is
//! saved as a view without a name, and restored at the next start.

mod menu;
mod naming;

use egui::Ui;

use super::super::Context;
use super::{ListColumn, ListState, Order};
use crate::state::{DispatchCommand, ListView, ViewColumn};
pub(crate) use menu::button;

/// Time in seconds without a change after which the list's state is saved.
const AUTOSAVE_DELAY_SECONDS: f64 = 1.0;

/// State of a list's views between frames.
#[derive(Default)]
pub(crate) struct ViewsState {
    /// Name of the saved view that was picked.
    picked: Option<String>,
    /// The list's state when it was last saved.
    kept: ListView,
    /// The list's state in the last frame.
    last: ListView,
    /// Time of the last change of `last`, in seconds.
    since: f64,
    loaded: bool,
    naming: naming::NamingDialog,
}

impl ViewsState {
    pub(crate) fn is_open(&self) -> bool {
        self.naming.is_open()
    }
}

/// Returns the views of list `C` from the views of all lists.
fn views_of<C: ListColumn>(views: &[ListView]) -> impl Iterator<Item = &ListView> {
    views.iter().filter(|view| view.list == C::LIST)
}

/// Returns the present state of the list as a view with a name.
fn current<C: ListColumn>(list: &ListState<C>, name: &str) -> ListView {
    let column = |col: &C| ViewColumn {
        column: col.entry().key.to_owned(),
        width: list.table.custom_widths.get(col.entry().key).copied(),
    };
    let columns = list.chosen_columns.iter().flatten().map(column).collect();
    ListView {
        list: C::LIST,
        name: name.to_owned(),
        columns,
        sort: list
            .order
            .map(|order| (order.col.entry().key.to_owned(), order.descending)),
        filter: list.filter.clone(),
    }
}

/// Returns the state that is restored at the next start.
fn autosaved_view<C: ListColumn>(list: &ListState<C>) -> ListView {
    let mut left = current(list, "");
    if !C::KEEPS_FILTER {
        left.filter.clear();
    }
    left
}

/// Returns the default view: no filter, default order, as many columns as there is room for.
fn plain<C: ListColumn>() -> ListView {
    ListView {
        list: C::LIST,
        ..ListView::default()
    }
}

/// Shows the list as `view` says. Columns that this version does not have are ignored.
fn apply<C: ListColumn>(list: &mut ListState<C>, view: &ListView) {
    let known = |column: &ViewColumn| Some((C::from_key(&column.column)?, column.width));
    let columns: Vec<_> = view.columns.iter().filter_map(known).collect();
    list.table.custom_widths = columns
        .iter()
        .filter_map(|(col, width)| Some((col.entry().key.to_owned(), (*width)?)))
        .collect();
    let columns: Vec<C> = columns.into_iter().map(|(col, _)| col).collect();
    list.chosen_columns = (!columns.is_empty()).then_some(columns);
    list.order = view.sort.as_ref().and_then(|(word, descending)| {
        Some(Order {
            col: C::from_key(word)?,
            descending: *descending,
        })
    });
    list.filter.clone_from(&view.filter);
    list.table.refit();
}

/// Returns whether two views show the same. Columns that this version does not have are ignored.
fn is_same_view<C: ListColumn>(a: &ListView, b: &ListView) -> bool {
    let known = |view: &ListView| {
        let columns = view.columns.clone().into_iter();
        columns
            .filter(|column| C::from_key(&column.column).is_some())
            .collect::<Vec<_>>()
    };
    (&a.sort, &a.filter) == (&b.sort, &b.filter) && (a.columns == b.columns || known(a) == known(b))
}

/// Restores the list's last used state once the views are loaded, unless the clerk has already changed the
/// list. From then on saves the state when the list has not changed for [`AUTOSAVE_DELAY_SECONDS`].
pub(crate) fn restore_and_autosave<C: ListColumn>(
    ui: &Ui,
    context: &mut Context<'_>,
    list: &mut ListState<C>,
) {
    let views = &context.shared.views;
    let now = ui.input(|input| input.time);
    let mut is = autosaved_view(list);
    if !list.views.loaded && !views.is_empty() {
        list.views.loaded = true;
        let was = views_of::<C>(views).find(|view| view.name.is_empty());
        if let Some(was) = was.filter(|_| is_same_view::<C>(&is, &plain::<C>())) {
            restore(list, was);
            let named = views_of::<C>(views)
                .find(|view| !view.name.is_empty() && is_same_view::<C>(view, was));
            list.views.picked = named.map(|view| view.name.clone());
            is = autosaved_view(list);
            list.views.kept.clone_from(&is);
        }
    }
    if list.views.last != is {
        list.views.last.clone_from(&is);
        list.views.since = now;
    }
    if is_same_view::<C>(&list.views.kept, &is) {
        return;
    }
    let calm = now - list.views.since;
    if calm < AUTOSAVE_DELAY_SECONDS {
        let left = std::time::Duration::from_secs_f64(AUTOSAVE_DELAY_SECONDS - calm);
        ui.ctx().request_repaint_after(left);
        return;
    }
    list.views.kept.clone_from(&is);
    context.push(DispatchCommand::SaveView(is));
}

/// Restores the list's last used state. The present filter stays if the list does not restore filters.
fn restore<C: ListColumn>(list: &mut ListState<C>, was: &ListView) {
    let filter = std::mem::take(&mut list.filter);
    apply(list, was);
    if !C::KEEPS_FILTER {
        list.filter = filter;
    }
}

/// Shows the dialog in which a view is named, while it is open, and saves or renames the view.
pub(crate) fn dialogs<C: ListColumn>(ui: &Ui, context: &mut Context<'_>, list: &mut ListState<C>) {
    let own: Vec<&ListView> = views_of::<C>(&context.shared.views).collect();
    let Some(named) = list.views.naming.show(ui, &own) else {
        return;
    };
    if let Some(was) = named.was {
        let view = own.iter().find(|view| view.name == was);
        let renamed = view.map(|view| ListView {
            name: named.name.clone(),
            ..(*view).clone()
        });
        context.push(DispatchCommand::RemoveView(C::LIST, was));
        if let Some(renamed) = renamed {
            context.push(DispatchCommand::SaveView(renamed));
        }
    } else {
        context.push(DispatchCommand::SaveView(current(list, &named.name)));
    }
    list.views.picked = Some(named.name);
}

/// Opens the dialog that saves the present state of the list as a view.
pub(crate) fn begin_saving<C: ListColumn>(list: &mut ListState<C>) {
    let name = list.views.picked.clone().unwrap_or_default();
    list.views.naming.save(name);
}
