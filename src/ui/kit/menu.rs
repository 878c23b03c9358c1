//! Menus: under a button, or where the pointer or the cursor is.
//!
//! By keyboard: Up and Down go from line to line, Enter takes one, Escape closes the menu.

use egui::{
    EventFilter, Id, Key, Modifiers, Popup, PopupCloseBehavior, PopupKind, Pos2, Response, Ui,
};

use super::button::Button;
use super::tokens::palette;
use super::{Icon, text};

/// A line of a menu.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its icon.
    pub icon: Option<Icon>,
    /// What it does or is.
    pub text: &'a str,
    /// It is the one chosen.
    pub chosen: bool,
}

/// Shows the menu that belongs to a button, which opens and closes it; answers the line picked.
pub fn under(button: &Response, width: f32, lines: &[Line<'_>]) -> Option<usize> {
    under_with(button, width, |ui| {
        let mut picked = None;
        for (index, line) in lines.iter().enumerate() {
            let mut item = Button::quiet(line.text)
                .left()
                .selected(line.chosen)
                .fill_width(ui);
            if let Some(icon) = line.icon {
                item = item.icon(icon);
            }
            if ui.add(item).clicked() {
                picked = Some(index);
            }
        }
        picked
    })
}

/// As [`under`], with other content; it closes when `content` answers something.
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

/// A line that is worked by the arrows, too.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Its icon.
    pub icon: Option<Icon>,
    /// What it does or is.
    pub text: &'a str,
    /// The key that does the same; may be empty.
    pub key: &'a str,
    /// It is the one chosen.
    pub chosen: bool,
    /// It can be taken.
    pub enabled: bool,
}

/// Opens and closes the menu under a button, as a press of the button does.
pub fn toggle(button: &Response) {
    Popup::toggle_id(&button.ctx, Popup::default_response_id(button));
}

/// Shows a menu at a place, while there is one; answers what `content` answers, which also closes it.
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

/// The lines of a menu; answers the one taken.
pub fn entries(ui: &mut Ui, entries: &[Entry<'_>]) -> Option<usize> {
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
    go(ui, &ids);
    if taken.is_some() {
        // The key that took it is nobody else's.
        for key in [Key::Enter, Key::Space] {
            ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        }
    }
    taken
}

/// The focus comes to the first line, and goes with the arrows.
fn go(ui: &Ui, ids: &[Id]) {
    let focused = ui.memory(egui::Memory::focused);
    let at = ids.iter().position(|id| Some(*id) == focused);
    let Some(at) = at else {
        // Whatever had the focus before is behind the menu.
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

/// A line that only says something.
pub fn note(ui: &mut Ui, words: &str) {
    ui.label(text::small(words).color(palette(ui).muted));
}
