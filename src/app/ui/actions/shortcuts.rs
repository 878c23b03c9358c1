//! Detecting which actions' shortcuts were pressed.

use egui::Ui;

use super::Action;
use crate::state::Shared;

impl Action {
    /// Returns whether [`pressed_actions`] leaves the action's shortcut alone. A button that must be held
    /// watches its own key. The other keys count only within the goods, a list or a preview, because
    /// text fields use them too.
    pub fn has_local_shortcut(self) -> bool {
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
                | Self::CloseConsignment
        )
    }
}

/// Returns the actions of the present screen whose shortcuts were pressed in this frame,
/// and consumes the keys.
pub(crate) fn pressed_actions(ui: &Ui, shared: &Shared) -> Vec<Action> {
    super::actions_of_screen(shared)
        .filter(|entry| !entry.action.has_local_shortcut())
        .filter(|entry| {
            let Some(shortcut) = entry.shortcut else {
                return false;
            };
            // Some systems report AltGr as Ctrl and Alt. A character typed with AltGr must not
            // count as a shortcut.
            if !shortcut.modifiers.alt && ui.input(|input| input.modifiers.alt) {
                return false;
            }
            let taken = ui.input_mut(|input| input.consume_shortcut(&shortcut));
            if taken && shortcut.modifiers.alt {
                // Alt and a digit may also send the digit as text.
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

/// Returns whether this action's shortcut was pressed, and consumes the key. For the actions that
/// [`pressed_actions`] leaves alone, see [`Action::has_local_shortcut`].
pub(crate) fn consume_shortcut(ui: &Ui, action: Action) -> bool {
    let shortcut = action.entry().shortcut;
    shortcut.is_some_and(|shortcut| ui.input_mut(|input| input.consume_shortcut(&shortcut)))
}
