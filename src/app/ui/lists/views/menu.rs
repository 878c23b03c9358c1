//! The button that shows the name of the picked view, and its menu of views.

use egui::Ui;

use super::super::ListState;
use super::{apply, begin_saving, current, is_same_view, plain, views_of};
use crate::state::{DispatchCommand, ListView};
use crate::ui::Context;
use widgets::button::Button;
use widgets::menu::{self, MenuEntry};
use widgets::{Icon, icons};

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

impl MenuItem {
    fn new(command: MenuCommand, icon: Icon, text: String) -> Self {
        Self {
            command,
            icon,
            text,
            chosen: false,
        }
    }

    fn chosen(self, chosen: bool) -> Self {
        Self { chosen, ..self }
    }
}

/// Draws the button with its menu, which the list's action opens too.
pub(crate) fn button(ui: &mut Ui, context: &mut Context<'_>, state: &mut ListState) {
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
    let mut items = items(&named, picked, state);
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
        MenuCommand::Rename(name) => state.views.naming.rename(name),
        MenuCommand::Remove(name) => {
            context.push(DispatchCommand::RemoveView(state.kind.list, name));
            state.views.picked = None;
        }
    }
}

fn items(named: &[&ListView], picked: Option<&ListView>, state: &ListState) -> Vec<MenuItem> {
    let shown = current(state, "");
    let is_changed = picked.is_some_and(|view| !is_same_view(view, &shown));
    let mut items: Vec<_> = { named.iter() }
        .map(|view| {
            let is_picked = picked.is_some_and(|picked| picked.name == view.name);
            let text = if is_picked && is_changed {
                format!("{} (as saved)", view.name)
            } else {
                view.name.clone()
            };
            let command = MenuCommand::Show((*view).clone());
            MenuItem::new(command, icons::ICON_BOOKMARK, text).chosen(is_picked)
        })
        .collect();
    let is_plain = picked.is_none() && is_same_view(&shown, &plain(state.kind));
    let all = "All, newest first".to_owned();
    let all = MenuItem::new(MenuCommand::ShowDefault, icons::ICON_LIST, all);
    items.push(all.chosen(is_plain));
    if let Some(name) = picked.map(|view| &view.name) {
        let label = short(name);
        if is_changed {
            let command = MenuCommand::Replace(name.clone());
            let text = format!("Replace {label}");
            items.push(MenuItem::new(command, icons::ICON_SAVE, text));
        }
        let command = MenuCommand::Rename(name.clone());
        let text = format!("Rename {label}…");
        items.push(MenuItem::new(command, icons::ICON_EDIT, text));
        let command = MenuCommand::Remove(name.clone());
        let text = format!("Remove {label}");
        items.push(MenuItem::new(command, icons::ICON_DELETE, text));
    }
    let save = state.kind.save_view.entry();
    items.push(MenuItem::new(
        MenuCommand::Save,
        save.icon,
        save.name.to_owned(),
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
