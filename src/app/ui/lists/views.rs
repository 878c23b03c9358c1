//! Views: the filter, order and columns of a list, saved under a name. The last used state of each list is saved as a
//! view without a name and restored at the next start.

use egui::{Id, Ui};

use super::{ListKind, ListState};
use crate::state::{DispatchCommand, ListOrder, ListView, Shared, ViewColumn};
use crate::ui::Context;
use storage::SharedKind;
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::menu::{self, MenuEntry};
use widgets::modal::Modal;
use widgets::tokens::palette;
use widgets::{Icon, icons, text};

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
    naming: NamingDialog,
}

impl ViewsState {
    pub(crate) fn is_open(&self) -> bool {
        self.naming.open
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

/// Applies a view to the list. Ignores columns that this version does not have.
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

/// Returns whether two views show a list in the same way. Ignores columns that this version does not have.
fn is_same_view(a: &ListView, b: &ListView) -> bool {
    let known = |view: &ListView| {
        let columns = view.columns.clone().into_iter();
        columns
            .filter(|column| view.list.field_of_key(&column.column).is_some())
            .collect::<Vec<_>>()
    };
    (&a.sort, &a.filter) == (&b.sort, &b.filter) && (a.columns == b.columns || known(a) == known(b))
}

/// Restores the list's last used state once the views are loaded, unless the clerk has already changed the list.
/// Later, saves the state once the list has not changed for [`AUTOSAVE_DELAY_SECONDS`].
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

/// Restores the list's last used state. Keeps the present filter if the list does not restore filters.
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
    let Some(name) = list.views.naming.show(ui, &own) else {
        return;
    };
    if let Some(was) = list.views.naming.was.take() {
        let view = own.iter().find(|view| view.name == was);
        let renamed = view.map(|view| ListView {
            name: name.clone(),
            ..(*view).clone()
        });
        context.push(DispatchCommand::RemoveView(list.kind.list, was));
        context.push_some(renamed.map(DispatchCommand::SaveView));
    } else {
        context.push(DispatchCommand::SaveView(current(list, &name)));
    }
    list.views.picked = Some(name);
}

/// Opens the dialog that saves the present state of the list as a view.
pub(super) fn begin_saving(list: &mut ListState) {
    list.views.naming = NamingDialog {
        open: true,
        name: list.views.picked.clone().unwrap_or_default(),
        was: None,
    };
}

/// Command of a menu item. Commands for the picked view hold its name.
enum MenuCommand {
    Show(ListView),
    ShowDefault,
    Save,
    Replace(String),
    Rename(String),
    Remove(String),
}

struct MenuItem {
    command: MenuCommand,
    icon: Icon,
    text: String,
    chosen: bool,
}

/// Draws the button with its menu. The action for views opens the menu, too.
pub(super) fn button(ui: &mut Ui, context: &mut Context<'_>, state: &mut ListState) {
    let (kind, key) = (state.kind, state.kind.views);
    let views = views_of(kind, &context.shared.dispatch.views);
    let named: Vec<&ListView> = views.filter(|view| !view.name.is_empty()).collect();
    let picked = { state.views.picked.as_ref() }
        .and_then(|name| named.iter().copied().find(|view| view.name == *name));
    let text = match picked {
        Some(view) => format!("View: {}", short(&view.name)),
        None => "View".to_owned(),
    };
    let tip = format!("{} ({})", key.entry().tooltip, key.key());
    let button = ui.add(Button::new(&text).opens()).on_hover_text(tip);
    if context.is_triggered(key) {
        menu::toggle(&button);
    }
    let mut items = items(context.shared, &named, picked, state);
    let taken = menu::under_with(&button, 260.0, |ui| {
        let entries: Vec<MenuEntry<'_>> = items
            .iter()
            .map(|item| MenuEntry {
                icon: Some(item.icon),
                text: &item.text,
                key: "",
                chosen: item.chosen,
                enabled: true,
            })
            .collect();
        menu::entries(ui, &entries)
    });
    if let Some(taken) = taken {
        run(context, state, items.swap_remove(taken).command);
        state.table.request_focus();
    }
}

fn run(context: &mut Context<'_>, state: &mut ListState, command: MenuCommand) {
    match command {
        MenuCommand::Show(view) => {
            apply(state, &view);
            state.views.picked = Some(view.name);
        }
        MenuCommand::ShowDefault => {
            apply(state, &plain(state.kind));
            state.views.picked = None;
        }
        MenuCommand::Save => {
            state.views.picked = None;
            begin_saving(state);
        }
        MenuCommand::Replace(name) => {
            context.push(DispatchCommand::SaveView(current(state, &name)));
        }
        MenuCommand::Rename(name) => {
            state.views.naming = NamingDialog {
                open: true,
                name: name.clone(),
                was: Some(name),
            };
        }
        MenuCommand::Remove(name) => {
            context.push(DispatchCommand::RemoveView(state.kind.list, name));
            state.views.picked = None;
        }
    }
}

fn items(
    shared: &Shared,
    named: &[&ListView],
    picked: Option<&ListView>,
    state: &ListState,
) -> Vec<MenuItem> {
    let shown = current(state, "");
    let is_changed = picked.is_some_and(|view| !is_same_view(view, &shown));
    let item = |command, icon, text, chosen| MenuItem {
        command,
        icon,
        text,
        chosen,
    };
    let view = |view: &&ListView| {
        let is_picked = picked.is_some_and(|picked| picked.name == view.name);
        let saved = if is_picked && is_changed {
            " (as saved)"
        } else {
            ""
        };
        let changed_by = shared.changed_by(SharedKind::View, &view.shared_name());
        let by = changed_by.map_or_else(String::new, |by| format!(", {by}"));
        let text = format!("{}{saved}{by}", view.name);
        let command = MenuCommand::Show((*view).clone());
        item(command, icons::ICON_BOOKMARK, text, is_picked)
    };
    let mut items: Vec<_> = named.iter().map(view).collect();
    let is_plain = picked.is_none() && is_same_view(&shown, &plain(state.kind));
    let all = "All, newest first".to_owned();
    items.push(item(
        MenuCommand::ShowDefault,
        icons::ICON_LIST,
        all,
        is_plain,
    ));
    if let Some(name) = picked.map(|view| view.name.clone()) {
        let label = short(&name);
        let replace = MenuCommand::Replace(name.clone());
        let rename = MenuCommand::Rename(name.clone());
        let remove = MenuCommand::Remove(name);
        if is_changed {
            items.push(item(
                replace,
                icons::ICON_SAVE,
                format!("Replace {label}"),
                false,
            ));
        }
        items.push(item(
            rename,
            icons::ICON_EDIT,
            format!("Rename {label}…"),
            false,
        ));
        items.push(item(
            remove,
            icons::ICON_DELETE,
            format!("Remove {label}"),
            false,
        ));
    }
    let save = state.kind.save_view.entry();
    items.push(item(
        MenuCommand::Save,
        save.icon,
        save.name.to_owned(),
        false,
    ));
    items
}

/// Shortens a name to 16 characters, so that it fits on a button.
fn short(name: &str) -> String {
    if name.chars().count() <= 16 {
        return name.to_owned();
    }
    name.chars().take(15).chain(['…']).collect()
}

/// State of the dialog that names a view.
#[derive(Default)]
struct NamingDialog {
    open: bool,
    name: String,
    /// Present name of the view to rename; `None` saves a new view.
    was: Option<String>,
}

impl NamingDialog {
    /// Draws the dialog while it is open. Returns the name once the clerk has confirmed it.
    fn show(&mut self, ui: &Ui, views: &[&ListView]) -> Option<String> {
        let Self { open, name, was } = self;
        let renames = was.is_some();
        let title = if renames { "Rename view" } else { "Save view" };
        let named = Modal::new("view name", title)
            .width(360.0)
            .show(ui, open, |ui, open| {
                let typed = name.trim().to_lowercase();
                let mut others = views.iter().filter(|view| Some(&view.name) != was.as_ref());
                let taken = others.any(|view| view.name.to_lowercase() == typed);
                let is_taken = taken && !typed.is_empty();
                let error = (renames && is_taken).then_some("Another view already has this name");
                let entered = Field::new("Name", name)
                    .id(Id::unique("view name"))
                    .error(error)
                    .on_enter(OnEnter::Stay)
                    .show(ui)
                    .entered;
                let p = palette(ui);
                let words = if is_taken && !renames {
                    "A view with this name exists and will be replaced"
                } else {
                    "A view keeps the filter, the order, the columns and their widths"
                };
                ui.label(text::small(words).color(p.muted));
                ui.add_space(4.0);
                let word = match (renames, is_taken) {
                    (true, _) => "Rename",
                    (false, true) => "Replace",
                    (false, false) => "Save",
                };
                let can = !typed.is_empty() && error.is_none();
                let pressed = ui
                    .add_enabled(can, Button::new(word).key("↵").min_width(96.0))
                    .clicked();
                let done = can && (pressed || entered);
                if done {
                    *open = false;
                }
                done
            });
        named.unwrap_or(false).then(|| {
            let typed = self.name.trim();
            // A view that is replaced keeps the upper and lower case of its name.
            let known = views
                .iter()
                .filter(|_| self.was.is_none())
                .find(|view| view.name.to_lowercase() == typed.to_lowercase());
            known.map_or(typed, |view| &view.name).to_owned()
        })
    }
}
