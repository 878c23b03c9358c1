//! The context menu of a row, and the menu of the table.

use super::TrackTableState;
use crate::state::Shared;
use crate::ui::actions::Action;
use widgets::menu::{self, MenuEntry};

/// Actions in the menu of a row.
const OF_ROWS: [Action; 10] = [
    Action::ShowOnDispatch,
    Action::SetStatus,
    Action::CancelManifested,
    Action::ProofOfDelivery,
    Action::SaveFiles,
    Action::TrackingPage,
    Action::ConsignmentLabel,
    Action::CloneConsignment,
    Action::TrackCopyCell,
    Action::TrackCopyRows,
];
/// Further actions in the menu of the table.
const OF_TABLE: [Action; 3] = [
    Action::TrackColumns,
    Action::TrackSaveView,
    Action::TrackSearchService,
];

/// Draws the menu entries and returns the action that was selected.
pub(super) fn lines(
    ui: &mut egui::Ui,
    shared: &Shared,
    state: &TrackTableState,
    all: bool,
) -> Option<Action> {
    let of_table = OF_TABLE.into_iter().filter(|_| all);
    let actions: Vec<Action> = OF_ROWS.into_iter().chain(of_table).collect();
    let keys: Vec<String> = actions.iter().map(|action| action.key()).collect();
    let entries: Vec<MenuEntry<'_>> = actions
        .iter()
        .zip(&keys)
        .map(|(action, key)| MenuEntry {
            icon: Some(action.entry().icon),
            text: action.entry().name,
            key,
            chosen: false,
            enabled: state.can(*action, shared),
        })
        .collect();
    menu::entries(ui, &entries).map(|taken| actions[taken])
}
