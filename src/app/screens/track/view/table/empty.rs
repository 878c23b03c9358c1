//! Empty states of the table: the reason why there are no rows, and a button with the next step.

use egui::Ui;

use super::{TrackTableState, chips};
use crate::state::TrackCommand;
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::lists::problem_bar;
use widgets::button::Button;
use widgets::{empty_state::empty_state, icons};

/// The longest period of Track, in days.
const FARTHEST_DAYS: u16 = 90;

/// Shows that the rows could not be read. Rows from the last read stay visible.
pub(super) fn read_error(ui: &mut Ui, context: &mut Context<'_>) {
    let track = &context.shared.track;
    let Some(problem) = track.list.problem() else {
        return;
    };
    if problem_bar(ui, "Couldn't load the rows", problem) {
        context.push(TrackCommand::Order(track.query.order));
    }
}

/// Shows that the rows are loading.
pub(super) fn none_yet(ui: &mut Ui, context: &Context<'_>) {
    if context.shared.track.list.problem().is_none() {
        let words = "Loading the consignments stored on this bench";
        empty_state(ui, icons::ICON_TRACK_CHANGES, "Reading", words, None);
    }
}

/// Shows why the list is empty.
pub(super) fn no_rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    let track = &context.shared.track;
    let words = track.query.words.trim().to_owned();
    if !words.is_empty() {
        return no_match(ui, context, state, &words);
    }
    let key = Action::TrackSync.key();
    let narrowed = chips::narrow(context.shared);
    if narrowed {
        let button = Button::new("Show all");
        let advice = "Nothing matches any more. Remove the filters above";
        let icon = icons::ICON_CHECK;
        if pressed(ui, icon, "Nothing to show", advice, button) {
            context.push(TrackCommand::ClearDrillDown);
            context.push(TrackCommand::Carrier(None));
        }
        return;
    }
    if track.mark.is_none() && !track.sync.is_loading() {
        let button = Button::new("Refresh").key(&key);
        let advice = "Rows appear after the first sync";
        let icon = icons::ICON_TRACK_CHANGES;
        if pressed(ui, icon, "Not synced yet", advice, button) {
            context.push(TrackCommand::Sync { whole: false });
        }
        return;
    }
    if track.sync.is_loading() {
        let advice = "The first sync loads all consignments; rows appear as they arrive";
        empty_state(
            ui,
            icons::ICON_TRACK_CHANGES,
            "Loading consignments",
            advice,
            None,
        );
        return;
    }
    let button = Button::new("Sync now");
    let advice = "Consignments appear as soon as the service lists them";
    let icon = icons::ICON_TRACK_CHANGES;
    if pressed(ui, icon, "Nothing sent in this period", advice, button) {
        context.push(TrackCommand::Sync { whole: false });
    }
}

/// Shows that no row matches the filter, and offers to ask the service.
fn no_match(ui: &mut Ui, context: &mut Context<'_>, state: &mut TrackTableState, words: &str) {
    if context.shared.search.searching_for.is_some() {
        let advice = "Searching by number, carrier consignment number and both references";
        empty_state(ui, icons::ICON_CLOUD_SYNC, "Loading…", advice, None);
        return;
    }
    let button = Button::primary("Ask the service").key("↵");
    let advice = format!(
        "No match for “{words}” on this bench. The service can search by number or reference"
    );
    if pressed(ui, icons::ICON_SEARCH, "Not on this bench", &advice, button) {
        context.push(TrackCommand::AskService(words.to_owned()));
    }
    ui.vertical_centered(|ui| {
        ui.horizontal(|ui| {
            let days = context.shared.track.scope.days;
            let narrowed = chips::narrow(context.shared);
            let farther = days < FARTHEST_DAYS;
            // The estimated width of the buttons, to centre them.
            let width =
                130.0 + if farther { 170.0 } else { 0.0 } + if narrowed { 130.0 } else { 0.0 };
            ui.add_space(((ui.available_width() - width) / 2.0).max(0.0));
            if ui.add(Button::quiet("Clear the filter")).clicked() {
                state.list.filter.clear();
                state.list.table.request_focus();
            }
            if farther {
                let words = format!("Show {FARTHEST_DAYS} days");
                if ui.add(Button::quiet(&words)).clicked() {
                    context.push(TrackCommand::Days(FARTHEST_DAYS));
                }
            }
            if narrowed && ui.add(Button::quiet("Show all")).clicked() {
                context.push(TrackCommand::ClearDrillDown);
                context.push(TrackCommand::Carrier(None));
            }
        });
    });
}

fn pressed(
    ui: &mut Ui,
    icon: widgets::Icon,
    headline: &str,
    what_to_do: &str,
    button: Button<'_>,
) -> bool {
    let button = empty_state(ui, icon, headline, what_to_do, Some(button));
    button.is_some_and(|button| button.clicked())
}
