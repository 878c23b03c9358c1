//! The button that shows the name of the picked view, and its menu of views.

use egui::Ui;

use super::super::{ListColumn, ListState};
use super::{apply, begin_saving, current, is_same_view, plain, views_of};
use crate::state::{DispatchCommand, ListView};
use crate::ui::Context;
use crate::ui::actions::Action;
use widgets::button::Button;
use widgets::menu::{self, MenuEntry};
use widgets::{Icon, icons};

/// Command of a menu item.
#[derive(Clone, Copy)]
enum MenuCommand {
    Show(usize),
    ShowDefault,
    Save,
    Replace,
    Rename,
    Remove,
}

/// Draws the button with its menu, which the action `key` opens too.
pub(crate) fn button<C: ListColumn>(
    ui: &mut Ui,
    context: &mut Context<'_>,
    state: &mut ListState<C>,
    (key, save): (Action, Action),
) {
    let views = views_of::<C>(&context.shared.views);
    let named: Vec<&ListView> = views.filter(|view| !view.name.is_empty()).collect();
    let picked = state.views.picked.clone();
    let is_there = |name: &String| named.iter().any(|view| view.name == *name);
    let picked = picked.filter(is_there);
    let words = match &picked {
        Some(name) => format!("View: {}", short(name)),
        None => "View".to_owned(),
    };
    let tip = format!("{} ({})", key.entry().tooltip, key.key());
    let button = ui.add(Button::new(&words).opens()).on_hover_text(tip);
    if context.is_triggered(key) {
        menu::toggle(&button);
    }
    let shown = current(state, "");
    let changed = picked
        .as_ref()
        .and_then(|name| named.iter().find(|view| view.name == *name))
        .is_some_and(|view| !is_same_view::<C>(view, &shown));
    let is_plain = picked.is_none() && is_same_view::<C>(&shown, &plain::<C>());
    let lines = lines(&named, picked.as_deref(), changed, is_plain, save);
    let taken = menu::under_with(&button, 260.0, |ui| {
        let entries: Vec<MenuEntry<'_>> = lines
            .iter()
            .map(|(_, icon, words, chosen)| MenuEntry {
                icon: Some(*icon),
                text: words,
                key: "",
                chosen: *chosen,
                enabled: true,
            })
            .collect();
        menu::entries(ui, &entries)
    });
    if let Some(taken) = taken {
        let view = |at: usize| named.get(at).map(|view| (*view).clone());
        let line = lines[taken].0;
        take(context, state, line, picked, view);
        state.table.request_focus();
    }
}

fn take<C: ListColumn>(
    context: &mut Context<'_>,
    state: &mut ListState<C>,
    line: MenuCommand,
    picked: Option<String>,
    view: impl Fn(usize) -> Option<ListView>,
) {
    match (line, picked) {
        (MenuCommand::Show(at), _) => {
            if let Some(view) = view(at) {
                apply(state, &view);
                state.views.picked = Some(view.name);
            }
        }
        (MenuCommand::ShowDefault, _) => {
            apply(state, &plain::<C>());
            state.views.picked = None;
        }
        (MenuCommand::Save, _) => {
            state.views.picked = None;
            begin_saving(state);
        }
        (MenuCommand::Replace, Some(name)) => {
            context.push(DispatchCommand::SaveView(current(state, &name)));
        }
        (MenuCommand::Rename, Some(name)) => state.views.naming.rename(name),
        (MenuCommand::Remove, Some(name)) => {
            context.push(DispatchCommand::RemoveView(C::LIST, name));
            state.views.picked = None;
        }
        (MenuCommand::Replace | MenuCommand::Rename | MenuCommand::Remove, None) => {}
    }
}

type Lines = Vec<(MenuCommand, Icon, String, bool)>;

fn lines(
    named: &[&ListView],
    picked: Option<&str>,
    changed: bool,
    is_plain: bool,
    save: Action,
) -> Lines {
    let mut lines: Lines = named
        .iter()
        .enumerate()
        .map(|(at, view)| {
            let is_picked = picked == Some(view.name.as_str());
            let words = if is_picked && changed {
                format!("{} (as saved)", view.name)
            } else {
                view.name.clone()
            };
            (
                MenuCommand::Show(at),
                icons::ICON_BOOKMARK,
                words,
                is_picked,
            )
        })
        .collect();
    let all = "All, newest first".to_owned();
    lines.push((MenuCommand::ShowDefault, icons::ICON_LIST, all, is_plain));
    if let Some(name) = picked.map(short) {
        if changed {
            let words = format!("Replace {name}");
            lines.push((MenuCommand::Replace, icons::ICON_SAVE, words, false));
        }
        lines.push((
            MenuCommand::Rename,
            icons::ICON_EDIT,
            format!("Rename {name}…"),
            false,
        ));
        lines.push((
            MenuCommand::Remove,
            icons::ICON_DELETE,
            format!("Remove {name}"),
            false,
        ));
    }
    let save = save.entry();
    lines.push((MenuCommand::Save, save.icon, save.name.to_owned(), false));
    lines
}

/// Shortens a name to 16 characters, so that it fits on a button.
fn short(name: &str) -> String {
    if name.chars().count() <= 16 {
        return name.to_owned();
    }
    name.chars().take(15).chain(['…']).collect()
}
