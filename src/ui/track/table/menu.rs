//! All that can be done with the chosen rows: the menu of a row, and of the table.

use super::super::super::actions::Action;
use super::super::super::kit::menu::{self, Entry};
use super::State;
use crate::state::Shared;

/// What the menu of a row offers.
const OF_ROWS: [Action; 10] = [
    Action::TrackOnDispatch,
    Action::SetStatus,
    Action::CancelManifested,
    Action::Proof,
    Action::SaveFiles,
    Action::TrackingPage,
    Action::PageLabel,
    Action::ClonePage,
    Action::TrackCopyCell,
    Action::TrackCopyRows,
];
/// What the menu of the table offers besides.
const OF_TABLE: [Action; 3] = [
    Action::TrackColumns,
    Action::TrackSaveView,
    Action::TrackAskService,
];

/// The lines of the menu; answers the action taken.
pub(super) fn lines(
    ui: &mut egui::Ui,
    shared: &Shared,
    state: &State,
    all: bool,
) -> Option<Action> {
    let of_table = OF_TABLE.into_iter().filter(|_| all);
    let actions: Vec<Action> = OF_ROWS.into_iter().chain(of_table).collect();
    let keys: Vec<String> = actions.iter().map(|action| action.key()).collect();
    let entries: Vec<Entry<'_>> = actions
        .iter()
        .zip(&keys)
        .map(|(action, key)| Entry {
            icon: Some(action.entry().icon),
            text: action.entry().name,
            key,
            chosen: false,
            enabled: state.can(*action, shared),
        })
        .collect();
    menu::entries(ui, &entries).map(|taken| actions[taken])
}
