//! Which actions' keys were pressed.

use egui::Ui;

use super::{ACTIONS, Action};
use crate::state::Screen;

/// The actions whose keys were pressed in this frame, where `screen` is up. Takes the keys.
pub(in crate::ui) fn pressed(ui: &Ui, screen: Screen) -> Vec<Action> {
    let here = ACTIONS
        .iter()
        .filter(|entry| entry.screen.is_none_or(|of| of == screen));
    // What must be held watches its own key, and the one that deletes is also a key of every field.
    // Within the goods only: elsewhere these are keys of fields.
    let watched_elsewhere = [
        Action::Book,
        Action::GiveUp,
        Action::Delete,
        Action::LineUp,
        Action::LineDown,
        Action::UndoGoods,
        Action::RedoGoods,
        Action::CopyCell,
        Action::RowMenu,
    ];
    here.filter(|entry| !watched_elsewhere.contains(&entry.action))
        .filter(|entry| {
            let Some(shortcut) = entry.shortcut else {
                return false;
            };
            // What AltGr types is no shortcut: some systems tell it as Ctrl and Alt.
            if !shortcut.modifiers.alt && ui.input(|input| input.modifiers.alt) {
                return false;
            }
            let taken = ui.input_mut(|input| input.consume_shortcut(&shortcut));
            if taken && shortcut.modifiers.alt {
                // Alt and a digit also types the digit.
                ui.input_mut(|input| {
                    input
                        .events
                        .retain(|event| !matches!(event, egui::Event::Text(_)));
                });
            }
            taken
        })
        .map(|entry| entry.action)
        .collect()
}

/// Was this action's key pressed? For those whose key is not theirs everywhere. Takes the key.
pub(in crate::ui) fn takes_key(ui: &Ui, action: Action) -> bool {
    let shortcut = action.entry().shortcut;
    shortcut.is_some_and(|shortcut| ui.input_mut(|input| input.consume_shortcut(&shortcut)))
}
