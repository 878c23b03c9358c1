//! Which actions' keys were pressed.

use egui::Ui;

use super::Action;
use crate::state::Shared;

impl Action {
    /// What must be held watches its own key. The others' keys are theirs within the goods, a list or a preview only:
    /// elsewhere these are keys of fields.
    pub fn is_key_of_fields(self) -> bool {
        matches!(
            self,
            Self::Book
                | Self::GiveUp
                | Self::Delete
                | Self::LineUp
                | Self::LineDown
                | Self::Undo
                | Self::RedoGoods
                | Self::ZoomIn
                | Self::ZoomOut
                | Self::ZoomFit
                | Self::CopyCell
                | Self::RowMenu
                | Self::TrackCopyCell
                | Self::TrackRowMenu
                | Self::ClosePage
        )
    }
}

/// The actions whose keys were pressed in this frame, of those that can be done with what is up. Takes the keys.
pub(in crate::ui) fn pressed(ui: &Ui, shared: &Shared) -> Vec<Action> {
    super::here(shared)
        .filter(|entry| !entry.action.is_key_of_fields())
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
