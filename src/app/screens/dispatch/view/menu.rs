//! The menu of a row and the menu of the list.

use super::DispatchState;
use crate::state::Shared;
use crate::ui::actions::Action;
use widgets::menu::{self, MenuEntry};

/// Actions in both menus, for the chosen rows.
const OF_ROWS: [Action; 9] = [
    Action::Change,
    Action::CloneChosen,
    Action::PrintChosen,
    Action::ShowLabel,
    Action::ShowOnTrack,
    Action::ToggleHold,
    Action::CopyCell,
    Action::CopyRows,
    Action::Delete,
];
/// Further actions in the menu of the list.
const OF_LIST: [Action; 3] = [Action::Columns, Action::SaveView, Action::Refresh];

/// Draws the menu, with the actions of the list if `all` is true; returns the action that was picked.
pub(super) fn lines(
    ui: &mut egui::Ui,
    shared: &Shared,
    state: &DispatchState,
    all: bool,
) -> Option<Action> {
    let of_list = OF_LIST.into_iter().filter(|_| all);
    let actions: Vec<Action> = OF_ROWS.into_iter().chain(of_list).collect();
    let lets_go = state.releases_hold(shared);
    let keys: Vec<String> = actions.iter().map(|action| action.key()).collect();
    let entries: Vec<MenuEntry<'_>> = actions
        .iter()
        .zip(&keys)
        .map(|(action, key)| MenuEntry {
            icon: Some(action.entry().icon),
            text: match action {
                Action::ToggleHold if lets_go => "Release",
                Action::ToggleHold => "Put on hold",
                action => action.entry().name,
            },
            key,
            chosen: false,
            enabled: state.can(*action),
        })
        .collect();
    menu::entries(ui, &entries).map(|taken| actions[taken])
}
