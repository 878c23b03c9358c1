//! The toolbar above board and table: the pane, the scope, the time of the last sync, export and day sheet.
//! Data from the last sync stays visible while a sync runs and after a failed sync; the toolbar shows both
//! states.

use egui::{Align, Layout, Ui, vec2};

use crate::state::{CompanyFilter, Shared, TrackCommand, TrackPane, TrackScope};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{clock_or_day, counted};
use crate::ui::frame::notices;
use crate::ui::unreadable;
use shipping::{CarrierId, Company};
use widgets::button::Button;
use widgets::menu::{self, MenuEntry};
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{progress, text};

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
            company(ui, context, wide);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                action_buttons(ui, context, wide);
                freshness(ui, context.shared, wide);
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
            if notices::failed(ui, headline, problem, "Try again") {
                context.push(TrackCommand::Sync { whole: false });
            }
        }
        unreadable::bar(
            ui,
            &context.shared.catalogue.unreadable.tracked,
            "consignments",
        );
        let track = &context.shared.track;
        self.gap_read &= track.gap;
        if track.gap && !self.gap_read {
            let words = "This bench was offline for longer than the service's lists go back";
            let bar = NoticeBar::new(Tone::Warning, words)
                .what_to_do("Some consignments may be missing here. Search for them by number");
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
        let pressed = ui.add(button).on_hover_text(action.tip()).clicked();
        if pressed && !up {
            context.push(TrackCommand::Show(pane));
        }
    }
}

/// Shortens a name to fit the toolbar. The menu shows the full name.
fn short(name: &str, wide: bool) -> String {
    let letters = if wide { 18 } else { 13 };
    match name.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", name[..end].trim_end()),
        None => name.to_owned(),
    }
}

/// Draws a button with a menu of choices, each with its name, which also opens by the action's key. Returns the
/// choice picked.
fn choice_menu<T: Copy + PartialEq>(
    ui: &mut Ui,
    context: &Context<'_>,
    action: Action,
    words: &str,
    (current, default): (T, T),
    choices: &[(T, String)],
) -> Option<T> {
    let name = format!("{}: {words}", action.entry().name);
    let button = Button::quiet(words).small().opens();
    let button = button.selected(current != default).accessible_name(&name);
    let button = ui.add(button).on_hover_text(action.tip());
    if context.is_triggered(action) {
        menu::toggle(&button);
    }
    let entries = { choices.iter() }.map(|(one, name)| MenuEntry::new(name, *one == current));
    let picked = menu::under(&button, 220.0, &entries.collect::<Vec<_>>());
    picked.map(|at| choices[at].0)
}

fn period(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    let words = |days: u16| match days {
        1 => "Last day".to_owned(),
        days => format!("Last {days} days"),
    };
    let days = context.shared.track.scope.days;
    let choices = PERIODS.map(|days| (days, words(days)));
    let words = if wide {
        words(days)
    } else {
        counted(days.into(), "day", "days")
    };
    let current = (days, TrackScope::default().days);
    let picked = choice_menu(ui, context, Action::TrackPeriod, &words, current, &choices);
    context.push_some(picked.map(TrackCommand::Days));
}

/// Returns all carriers to choose from: the company's carriers, and the carriers of tracked consignments.
pub(super) fn carriers(shared: &Shared) -> Vec<(CarrierId, String)> {
    let own = shared.catalogue.carriers.iter().map(|carrier| {
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
    let current = context.shared.track.scope.carrier;
    let mut choices = vec![(None, "All carriers".to_owned())];
    let named = carriers(context.shared).into_iter();
    choices.extend(named.map(|(id, name)| (Some(id), name)));
    let chosen = choices.iter().find(|(one, _)| *one == current);
    let words = match chosen {
        Some((None, _)) if !wide => "Carriers",
        Some((_, name)) => name,
        None => "One carrier",
    };
    let (action, words) = (Action::TrackCarrier, short(words, wide));
    let picked = choice_menu(ui, context, action, &words, (current, None), &choices);
    context.push_some(picked.map(TrackCommand::Carrier));
}

/// Draws the menu of companies, if there is more than one company: "all", then the bench's company, then the
/// other companies by name.
fn company(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    let shared = context.shared;
    let (own, mut others): (Vec<_>, Vec<_>) = { shared.catalogue.known_companies().iter() }
        .partition(|company| Some(company.id) == shared.session.company);
    let (Some(own), false) = (own.first(), others.is_empty()) else {
        return;
    };
    others.sort_by_key(|company| company.label());
    let mut choices = vec![
        (CompanyFilter::All, "All companies".to_owned()),
        (CompanyFilter::Own, own.label().to_owned()),
    ];
    let other = |one: &Company| (CompanyFilter::One(one.id), one.label().to_owned());
    choices.extend(others.into_iter().map(other));
    let chosen = { choices.iter() }.find(|(one, _)| *one == shared.track.companies);
    let (current, name) = chosen.unwrap_or(&choices[0]);
    let words = match current {
        CompanyFilter::All if !wide => "Companies".to_owned(),
        _ => short(name, wide),
    };
    let (action, current) = (Action::TrackCompanies, (*current, CompanyFilter::All));
    let picked = choice_menu(ui, context, action, &words, current, &choices);
    context.push_some(picked.map(TrackCommand::Companies));
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
        if ui.add(button).on_hover_text(action.tip()).clicked() {
            context.triggered.push(action);
        }
    }
    for action in [
        Action::TrackThresholds,
        Action::TrackScope,
        Action::TrackSync,
    ] {
        let entry = action.entry();
        let is_free = action != Action::TrackSync || !context.shared.track.sync.is_loading();
        let key = if wide { action.key() } else { String::new() };
        let button = Button::icon_only(entry.icon, entry.name).key(&key);
        let button = ui.add_enabled(is_free, button).on_hover_text(action.tip());
        if button.clicked() {
            match &entry.command {
                Some(command) => context.push(command.clone()),
                None => context.triggered.push(action),
            }
        }
    }
}

/// Shows the time of the last sync, or the progress of the running one.
fn freshness(ui: &mut Ui, shared: &Shared, wide: bool) {
    let track = &shared.track;
    if track.sync.is_loading()
        && let Some(of) = track.progress.filter(|progress| progress.came > 0)
    {
        let width = ui.available_width().clamp(60.0, 150.0);
        let (room, layout) = (vec2(width, size::BUTTON), Layout::top_down(Align::Min));
        ui.allocate_ui_with_layout(room, layout, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            if let Some(all) = of.of {
                progress::bar(ui, of.came, all, "read", Tone::Accent);
            } else {
                let words = format!("{} read", counted(of.came, "row", "rows"));
                text::small_note(ui, words);
            }
        });
        return;
    }
    let words = match track.mark {
        Some(mark) => {
            let at = clock_or_day(mark.at, shared.now, &shared.session.zone, wide);
            format!("as of {at}")
        }
        None if track.sync.is_loading() => "syncing…".to_owned(),
        None => "not loaded yet".to_owned(),
    };
    let stale = track.sync.problem().is_some();
    let ink = if stale { Tone::Warning } else { Tone::Neutral }.ink(palette(ui));
    ui.add(egui::Label::new(text::body(words).color(ink)).truncate());
}
