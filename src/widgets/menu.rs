//! Menus: under a button, or where the pointer or the cursor is.
//!
//! By keyboard: Up and Down move between items, Enter picks one, Escape closes the menu.

use egui::{
    EventFilter, Id, Key, Modifiers, Popup, PopupCloseBehavior, PopupKind, Pos2, Response, Ui,
};

use super::Icon;
use super::button::Button;

#[derive(Debug, Clone, Copy)]
#[must_use = "pass it to a menu"]
pub struct MenuEntry<'a> {
    pub icon: Option<Icon>,
    pub text: &'a str,
    /// Label of the key cap; empty for an item without a shortcut.
    pub key: &'a str,
    pub chosen: bool,
    pub enabled: bool,
}

impl<'a> MenuEntry<'a> {
    /// Creates an enabled item without icon and shortcut.
    pub const fn new(text: &'a str, chosen: bool) -> Self {
        Self {
            icon: None,
            text,
            key: "",
            chosen,
            enabled: true,
        }
    }

    pub const fn icon(self, icon: Icon) -> Self {
        Self {
            icon: Some(icon),
            ..self
        }
    }
}

/// Shows the menu of a button, which opens and closes it. Returns the index of the picked item.
pub fn under(button: &Response, width: f32, items: &[MenuEntry<'_>]) -> Option<usize> {
    under_with(button, width, |ui| entries(ui, items))
}

/// Shows a menu like [`under`], but with any content. The menu closes when `content` returns a value.
pub fn under_with<R>(
    button: &Response,
    width: f32,
    content: impl FnOnce(&mut Ui) -> Option<R>,
) -> Option<R> {
    let shown = Popup::menu(button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = 2.0;
            let picked = content(ui);
            if picked.is_some() {
                ui.close();
            }
            picked
        });
    shown?.inner
}

/// Opens or closes the menu under a button, as a press of the button does.
pub fn toggle(button: &Response) {
    Popup::toggle_id(&button.ctx, Popup::default_response_id(button));
}

/// Shows a menu at `place` unless that is `None`, and returns the value of `content`. A value, or a click outside the
/// menu, closes the menu and sets `place` to `None`.
pub fn at<R>(
    ui: &Ui,
    name: &str,
    place: &mut Option<Pos2>,
    width: f32,
    content: impl FnOnce(&mut Ui) -> Option<R>,
) -> Option<R> {
    let at = (*place)?;
    let mut open = true;
    let shown = Popup::new(
        Id::unique(("menu", name)),
        ui.ctx().clone(),
        at,
        ui.layer_id(),
    )
    .kind(PopupKind::Menu)
    .accessible_name(name)
    .open_bool(&mut open)
    .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
    .show(|ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.y = 2.0;
        content(ui)
    });
    let answer = shown.and_then(|shown| shown.inner);
    if answer.is_some() || !open {
        *place = None;
    }
    answer
}

/// Draws the items of a menu, and returns the index of the picked item.
pub fn entries(ui: &mut Ui, entries: &[MenuEntry<'_>]) -> Option<usize> {
    let mut taken = None;
    let mut ids = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let mut line = Button::quiet(entry.text)
            .left()
            .selected(entry.chosen)
            .key(entry.key)
            .fill_width(ui);
        if let Some(icon) = entry.icon {
            line = line.icon(icon);
        }
        let response = ui.add_enabled(entry.enabled, line);
        if response.clicked() {
            taken = Some(index);
        }
        if entry.enabled {
            ids.push(response.id);
        }
    }
    move_focus(ui, &ids);
    if taken.is_some() {
        // No other widget may react to the key that picked the item.
        for key in [Key::Enter, Key::Space] {
            ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        }
    }
    taken
}

/// Moves the focus to the first item of a menu that just opened, and from item to item with the arrow keys.
fn move_focus(ui: &Ui, ids: &[Id]) {
    let focused = ui.memory(egui::Memory::focused);
    let at = ids.iter().position(|id| Some(*id) == focused);
    let Some(at) = at else {
        // The focus is still on a widget behind the menu.
        if let Some(first) = ids.first() {
            ui.memory_mut(|memory| memory.request_focus(*first));
            ui.ctx().request_repaint();
        }
        return;
    };
    let filter = EventFilter {
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(ids[at], filter));
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let step = if pressed(Key::ArrowDown) {
        1
    } else if pressed(Key::ArrowUp) {
        ids.len() - 1
    } else {
        return;
    };
    let next = ids[(at + step) % ids.len()];
    ui.memory_mut(|memory| memory.request_focus(next));
}
