//! Views: the filter, order and columns of a list, saved under a name. The last used state of each list is
//! saved as a view without a name, and restored at the next start.

mod menu;
mod naming;

use egui::Ui;

use super::super::Context;
use super::{ListKind, ListState};
use crate::state::{DispatchCommand, ListOrder, ListView, ViewColumn};
pub(super) use menu::button;

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

/// Returns the views of a list from the views of all lists.
fn views_of<'a>(kind: &ListKind, views: &'a [ListView]) -> impl Iterator<Item = &'a ListView> {
    let list = kind.list;
    views.iter().filter(move |view| view.list == list)
}

/// Returns the present state of the list as a view with a name.
fn current(list: &ListState, name: &str) -> ListView {
    let columns = list.chosen_columns.as_deref().unwrap_or_default().iter();
    let columns = columns.map(|column| ViewColumn {
        column: column.key().to_owned(),
        width: list.table.custom_widths.get(column.key()).copied(),
    });
    ListView {
        list: list.kind.list,
        name: name.to_owned(),
        columns: columns.collect(),
        sort: list
            .order
            .map(|order| (order.column.key().to_owned(), order.descending)),
        filter: list.filter.clone(),
    }
}

/// Returns the state that is restored at the next start.
fn autosaved_view(list: &ListState) -> ListView {
    let mut left = current(list, "");
    if !list.kind.keeps_filter {
        left.filter.clear();
    }
    left
}

/// Returns the default view: no filter, default order, as many columns as there is room for.
fn plain(kind: &ListKind) -> ListView {
    ListView {
        list: kind.list,
        ..ListView::default()
    }
}

/// Shows the list as `view` says. Columns that this version does not have are ignored.
fn apply(list: &mut ListState, view: &ListView) {
    let known = |key: &str| list.kind.list.field_of_key(key);
    let columns: Vec<_> = { view.columns.iter() }
        .filter_map(|column| Some((known(&column.column)?, column.width)))
        .collect();
    list.order = view.sort.as_ref().and_then(|(key, descending)| {
        Some(ListOrder {
            column: known(key)?,
            descending: *descending,
        })
    });
    list.table.custom_widths = columns
        .iter()
        .filter_map(|(column, width)| Some((column.key().to_owned(), (*width)?)))
        .collect();
    let are_chosen = !columns.is_empty();
    let columns = columns.into_iter().map(|(column, _)| column);
    list.chosen_columns = are_chosen.then(|| columns.collect());
    list.filter.clone_from(&view.filter);
    list.table.refit();
}

/// Returns whether two views show the same. Columns that this version does not have are ignored.
fn is_same_view(a: &ListView, b: &ListView) -> bool {
    let known = |view: &ListView| {
        let columns = view.columns.clone().into_iter();
        columns
            .filter(|column| view.list.field_of_key(&column.column).is_some())
            .collect::<Vec<_>>()
    };
    (&a.sort, &a.filter) == (&b.sort, &b.filter) && (a.columns == b.columns || known(a) == known(b))
}

/// Restores the list's last used state once the views are loaded, unless the clerk has already changed the
/// list. From then on saves the state when the list has not changed for [`AUTOSAVE_DELAY_SECONDS`].
pub(crate) fn restore_and_autosave(ui: &Ui, context: &mut Context<'_>, list: &mut ListState) {
    let kind = list.kind;
    let views = &context.shared.dispatch.views;
    let now = ui.input(|input| input.time);
    let mut is = autosaved_view(list);
    if !list.views.loaded && !views.is_empty() {
        list.views.loaded = true;
        let was = views_of(kind, views).find(|view| view.name.is_empty());
        if let Some(was) = was.filter(|_| is_same_view(&is, &plain(kind))) {
            restore(list, was);
            let named =
                views_of(kind, views).find(|view| !view.name.is_empty() && is_same_view(view, was));
            list.views.picked = named.map(|view| view.name.clone());
            is = autosaved_view(list);
            list.views.kept.clone_from(&is);
        }
    }
    if list.views.last != is {
        list.views.last.clone_from(&is);
        list.views.since = now;
    }
    if is_same_view(&list.views.kept, &is) {
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
fn restore(list: &mut ListState, was: &ListView) {
    let filter = std::mem::take(&mut list.filter);
    apply(list, was);
    if !list.kind.keeps_filter {
        list.filter = filter;
    }
}

/// Shows the dialog in which a view is named, while it is open, and saves or renames the view.
pub(super) fn dialogs(ui: &Ui, context: &mut Context<'_>, list: &mut ListState) {
    let own: Vec<&ListView> = views_of(list.kind, &context.shared.dispatch.views).collect();
    let Some(named) = list.views.naming.show(ui, &own) else {
        return;
    };
    if let Some(was) = named.was {
        let view = own.iter().find(|view| view.name == was);
        let renamed = view.map(|view| ListView {
            name: named.name.clone(),
            ..(*view).clone()
        });
        context.push(DispatchCommand::RemoveView(list.kind.list, was));
        if let Some(renamed) = renamed {
            context.push(DispatchCommand::SaveView(renamed));
        }
    } else {
        context.push(DispatchCommand::SaveView(current(list, &named.name)));
    }
    list.views.picked = Some(named.name);
}

/// Opens the dialog that saves the present state of the list as a view.
pub(super) fn begin_saving(list: &mut ListState) {
    let name = list.views.picked.clone().unwrap_or_default();
    list.views.naming.save(name);
}
