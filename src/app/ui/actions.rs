//! The actions of the program, with name, icon, shortcut, tooltip and command.
//!
//! Shortcuts, key caps, tooltips and the command palette (Ctrl+K) come from this list. An action without a
//! command is handled by the screen that it belongs to, which checks `Context::is_triggered`.

mod shortcuts;
mod table;

use egui::KeyboardShortcut;

use crate::state::{Command, Screen, Shared, TrackPane};
pub(crate) use shortcuts::{consume_shortcut, pressed_actions};
pub use table::{ACTIONS, Action};
use widgets::{Icon, key_cap};

/// Description of an action.
#[derive(Debug)]
pub struct ActionEntry {
    pub action: Action,
    /// Name in the command palette and on buttons.
    pub name: &'static str,
    pub icon: Icon,
    pub shortcut: Option<KeyboardShortcut>,
    pub tooltip: &'static str,
    /// The screen on which the action is available; `None` for every screen.
    pub screen: Option<Screen>,
    /// The command that the action runs; `None` if its screen handles the action.
    pub command: Option<Command>,
}

impl Action {
    /// Returns the action's description.
    pub fn entry(self) -> &'static ActionEntry {
        &ACTIONS[self as usize]
    }

    /// Returns whether the action needs Track's table, and is not available on Track's board.
    const fn needs_track_table(self) -> bool {
        matches!(
            self,
            Self::TrackColumns
                | Self::TrackSaveView
                | Self::TrackCopyCell
                | Self::TrackCopyRows
                | Self::TrackRowMenu
        )
    }

    /// Returns the screen that the action shows.
    pub(crate) fn target_screen(self) -> Option<Screen> {
        match &self.entry().command {
            Some(Command::Show(screen)) => Some(*screen),
            _ => None,
        }
    }

    /// Returns the label of the action's key cap; empty without a shortcut.
    pub fn key(self) -> String {
        self.entry()
            .shortcut
            .map(key_cap::label)
            .unwrap_or_default()
    }
}

/// Returns the actions for the command palette: those available now, without the palette itself.
pub(crate) fn available(shared: &Shared) -> impl Iterator<Item = &'static ActionEntry> {
    let can_undo = shared.deleting.is_some() || shared.screen == Screen::Consign;
    actions_of_screen(shared).filter(move |entry| match entry.action {
        Action::CommandPalette => false,
        Action::Undo => can_undo,
        _ => true,
    })
}

/// Returns the actions of the present screen and those of every screen.
pub(crate) fn actions_of_screen(shared: &Shared) -> impl Iterator<Item = &'static ActionEntry> {
    let (screen, pane) = (shared.screen, shared.track.pane);
    ACTIONS.iter().filter(move |entry| {
        let on_board = entry.screen == Some(Screen::Track) && pane == TrackPane::Board;
        entry.screen.is_none_or(|of| of == screen)
            && !(on_board && entry.action.needs_track_table())
    })
}
