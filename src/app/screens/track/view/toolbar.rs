//! The toolbar above board and table: the pane, the scope, the time of the last sync, export and day sheet.
//! Data from the last sync stays visible while a sync runs and after one failed; the toolbar reports both.

use egui::{Align, Layout, Response, Ui};

use super::{companies, freshness};
use crate::state::{Notice, Shared, TrackCommand, TrackPane, TrackScope};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use crate::ui::frame::notices;
use crate::ui::unreadable;
use shipping::CarrierId;
use widgets::button::Button;
use widgets::menu::{self, MenuEntry};
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, size};

/// The periods to choose from, in days.
const PERIODS: [u16; 6] = [1, 3, 7, 14, 30, 90];
/// In a narrower toolbar (in points), the export buttons have no icons.
const WIDE: f32 = 1_100.0;

#[derive(Default)]
pub(super) struct ToolbarState {
    /// The clerk dismissed the notice about the gap in the data.
    gap_read: bool,
}

impl ToolbarState {
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let wide = ui.available_width() >= WIDE;
        ui.horizontal(|ui| {
            ui.set_height(size::BUTTON);
            ui.spacing_mut().item_spacing.x = 6.0;
            panes(ui, context);
            ui.add_space(6.0);
            period(ui, context, wide);
            carrier(ui, context, wide);
            companies::show(ui, context, wide);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                action_buttons(ui, context, wide);
                freshness::show(ui, context.shared, wide);
            });
        });
        self.sync_notices(ui, context);
    }

    fn sync_notices(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let track = &context.shared.track;
        if let Some(problem) = track.sync.problem() {
            let headline = if track.mark.is_some() {
                "Couldn't sync. Showing earlier data"
            } else {
                "Couldn't load consignments from the service"
            };
            let notice = Notice::failed(headline, problem);
            if notices::bar(&notice).action("Try again").show(ui).acted {
                context.push(TrackCommand::Sync { whole: false });
            }
        }
        unreadable::bar(ui, &context.shared.unreadable.tracked, "consignments");
        let track = &context.shared.track;
        self.gap_read &= track.gap;
        if track.gap && !self.gap_read {
            let bar = NoticeBar::new(
                Tone::Warning,
                "This bench was offline for longer than the service's lists go back",
            );
            let bar =
                bar.what_to_do("Some consignments may be missing here. Search for them by number");
            self.gap_read = bar.dismissable().show(ui).dismissed;
        }
    }
}

fn panes(ui: &mut Ui, context: &mut Context<'_>) {
    for (pane, action) in [
        (TrackPane::Board, Action::TrackBoard),
        (TrackPane::Table, Action::TrackTable),
    ] {
        let entry = action.entry();
        let up = context.shared.track.pane == pane;
        let button = Button::new(entry.name).icon(entry.icon).selected(up);
        let pressed = ui.add(button).on_hover_text(tip(action)).clicked();
        if pressed && !up {
            context.push(TrackCommand::Show(pane));
        }
    }
}

/// Shortens a name to fit the toolbar. The menu shows the full name.
pub(super) fn short(name: &str, wide: bool) -> String {
    let letters = if wide { 18 } else { 13 };
    match name.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", name[..end].trim_end()),
        None => name.to_owned(),
    }
}

/// Returns the tooltip of an action, with its key.
fn tip(action: Action) -> String {
    format!("{} ({})", action.entry().tooltip, action.key())
}

/// Draws a button with a menu, which also opens by the action's key. Returns the selected entry.
pub(super) fn menu_button(
    ui: &mut Ui,
    context: &Context<'_>,
    action: Action,
    words: &str,
    chosen: bool,
    lines: &[MenuEntry<'_>],
) -> Option<usize> {
    let name = format!("{}: {words}", action.entry().name);
    let button = Button::quiet(words)
        .small()
        .opens()
        .selected(chosen)
        .accessible_name(&name);
    let button: Response = ui.add(button).on_hover_text(tip(action));
    if context.is_triggered(action) {
        menu::toggle(&button);
    }
    menu::under_with(&button, 220.0, |ui| menu::entries(ui, lines))
}

pub(super) fn menu_entry(text: &str, chosen: bool) -> MenuEntry<'_> {
    MenuEntry {
        icon: None,
        text,
        key: "",
        chosen,
        enabled: true,
    }
}

fn period_words(days: u16) -> String {
    match days {
        1 => "Last day".to_owned(),
        days => format!("Last {days} days"),
    }
}

fn period(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    let days = context.shared.track.scope.days;
    let names = PERIODS.map(period_words);
    let lines: Vec<MenuEntry<'_>> = PERIODS
        .iter()
        .zip(&names)
        .map(|(period, name)| menu_entry(name, *period == days))
        .collect();
    let words = if wide {
        period_words(days)
    } else {
        counted(days.into(), "day", "days")
    };
    if let Some(at) = menu_button(
        ui,
        context,
        Action::TrackPeriod,
        &words,
        days != TrackScope::default().days,
        &lines,
    ) {
        context.push(TrackCommand::Days(PERIODS[at]));
    }
}

/// Returns all carriers to choose from: those of the company, and those of tracked consignments.
pub(super) fn carriers(shared: &Shared) -> Vec<(CarrierId, String)> {
    let own = shared.carriers.iter().map(|carrier| {
        let shown = [&carrier.display_name, &carrier.name];
        let name = shown.into_iter().find(|name| !name.is_empty());
        (carrier.id, name.cloned().unwrap_or_default())
    });
    let board = shared.track.board.value();
    let seen = board.into_iter().flat_map(|board| &board.carriers);
    let seen = seen.filter_map(|tally| Some((tally.carrier?, tally.name.clone())));
    let mut all: Vec<(CarrierId, String)> = own.chain(seen).collect();
    all.sort_by(|one, other| (&one.1, one.0.get()).cmp(&(&other.1, other.0.get())));
    let mut known = std::collections::HashSet::new();
    all.retain(|(id, _)| known.insert(*id));
    all
}

fn carrier(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    let all = carriers(context.shared);
    let of = context.shared.track.scope.carrier;
    let every = "All carriers";
    let words = match of {
        None if !wide => "Carriers",
        None => every,
        Some(id) => {
            let found = all.iter().find(|(carrier, _)| *carrier == id);
            found.map_or("One carrier", |(_, name)| name.as_str())
        }
    };
    let mut lines = vec![menu_entry(every, of.is_none())];
    lines.extend(
        all.iter()
            .map(|(id, name)| menu_entry(name.as_str(), of == Some(*id))),
    );
    let chosen = of.is_some();
    let words = short(words, wide);
    if let Some(at) = menu_button(ui, context, Action::TrackCarrier, &words, chosen, &lines) {
        let carrier = at.checked_sub(1).map(|at| all[at].0);
        context.push(TrackCommand::Carrier(carrier));
    }
}

/// Draws the buttons at the right end, starting from the right. Each only requests its action,
/// which runs elsewhere.
fn action_buttons(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    for action in [Action::DaySheet, Action::ExportList] {
        let entry = action.entry();
        let button = Button::new(entry.name);
        let button = if wide {
            button.icon(entry.icon)
        } else {
            button
        };
        if ui.add(button).on_hover_text(tip(action)).clicked() {
            context.triggered.push(action);
        }
    }
    for action in [
        Action::TrackThresholds,
        Action::TrackScope,
        Action::TrackSync,
    ] {
        let entry = action.entry();
        let again = action == Action::TrackSync;
        let free = !(again && context.shared.track.sync.is_loading());
        let key = if wide { action.key() } else { String::new() };
        let button = Button::icon_only(entry.icon, entry.name).key(&key);
        let button = ui.add_enabled(free, button).on_hover_text(tip(action));
        if button.clicked() {
            match &entry.command {
                Some(command) => context.push(command.clone()),
                None => context.triggered.push(action),
            }
        }
    }
}
