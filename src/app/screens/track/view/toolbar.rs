//! The toolbar above board and table (the pane, the scope, the time of the last sync, export and day sheet), and the
//! dialogs for exception thresholds and for the tracking scope, in which nothing changes until Save.
//!
//! Data from the last sync stays visible while a sync runs and after a failed sync; the toolbar shows both states.

use std::collections::HashSet;

use egui::{Align, Layout, Ui, vec2};

use crate::state::{
    CompanyFilter, Shared, SyncScope, Thresholds, TrackCommand, TrackPane, TrackScope,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{clock_or_day, counted};
use crate::ui::frame::notices;
use crate::ui::parts::{choice, lockable};
use crate::ui::unreadable;
use shipping::{CarrierId, Company, CompanyId};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::field::{Field, OnEnter};
use widgets::menu::{self, MenuEntry};
use widgets::modal::{self, Modal};
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{progress, text};

/// The periods to choose from, in days.
const PERIODS: [u16; 6] = [1, 3, 7, 14, 30, 90];
/// If the toolbar is narrower than this, in points, the export buttons have no icons.
const WIDE: f32 = 1_100.0;

const MOST_HOURS: u16 = 999;
/// The problem shown for invalid input.
const WRONG: &str = "A whole number of hours from 0 to 999";

/// The fields of the thresholds in order: label and explanation.
const FIELDS: [(&str, &str); 3] = [
    (
        "Late after the ETA",
        "0 means late as soon as the ETA has passed",
    ),
    (
        "Not collected after the despatch time",
        "Counted from the booking if that is later",
    ),
    (
        "No scan while with the carrier",
        "Counted from the last carrier scan",
    ),
];

#[derive(Default)]
pub(super) struct ToolbarState {
    /// True after the clerk dismissed the notice about the gap in the data.
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
        let unread = &context.shared.catalogue.unreadable.tracked;
        unreadable::bar(ui, unread, "consignments");
        self.gap_read &= track.gap;
        if track.gap && !self.gap_read {
            let words =
                "This bench was offline too long: the service's lists don't cover the whole time";
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

/// Draws a button with a menu of choices, each with its name. The action's key also opens the menu. Returns the
/// picked choice. An administrator may have locked the `setting` that the choice changes.
fn choice_menu<T: Copy + PartialEq>(
    ui: &mut Ui,
    context: &Context<'_>,
    action: Action,
    words: &str,
    (current, default): (T, T),
    choices: &[(T, String)],
    setting: Option<&str>,
) -> Option<T> {
    let name = format!("{}: {words}", action.entry().name);
    let button = Button::quiet(words).small().opens();
    let button = button.selected(current != default).accessible_name(&name);
    let machine = &context.shared.settings.machine;
    let is_locked = setting.is_some_and(|name| machine.is_locked(&["track", name]));
    let button = ui.add_enabled(!is_locked, button);
    let button = button.on_disabled_hover_text(format!("Set by {}", machine.set_by()));
    let button = button.on_hover_text(action.tip());
    if context.is_triggered(action) && !is_locked {
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
    let picked = choice_menu(
        ui,
        context,
        Action::TrackPeriod,
        &words,
        current,
        &choices,
        Some("days"),
    );
    context.push_some(picked.map(TrackCommand::Days));
}

/// Returns all carriers to choose from: the company's carriers, and the carriers of tracked consignments. `None` stands for
/// all of them.
fn carriers(shared: &Shared) -> Vec<(Option<CarrierId>, String)> {
    let own = shared.catalogue.carriers.iter();
    let own = own.map(|carrier| (carrier.id, carrier.label().to_owned()));
    let board = shared.track.board.value();
    let seen = board.into_iter().flat_map(|board| &board.carriers);
    let seen = seen.filter_map(|tally| Some((tally.carrier?, tally.name.clone())));
    let mut named: Vec<(CarrierId, String)> = own.chain(seen).collect();
    named.sort_by(|one, other| (&one.1, one.0.get()).cmp(&(&other.1, other.0.get())));
    let mut known = HashSet::new();
    named.retain(|(id, _)| known.insert(*id));
    let named = named.into_iter().map(|(id, name)| (Some(id), name));
    [(None, "All carriers".to_owned())]
        .into_iter()
        .chain(named)
        .collect()
}

fn carrier(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    let current = context.shared.track.scope.carrier;
    let choices = carriers(context.shared);
    let words = match choices.iter().find(|(one, _)| *one == current) {
        Some((None, _)) if !wide => "Carriers",
        Some((_, name)) => name,
        None => "One carrier",
    };
    let (action, words) = (Action::TrackCarrier, short(words, wide));
    let picked = choice_menu(ui, context, action, &words, (current, None), &choices, None);
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
    let picked = choice_menu(
        ui,
        context,
        action,
        &words,
        current,
        &choices,
        Some("children"),
    );
    context.push_some(picked.map(TrackCommand::Companies));
}

/// Draws the buttons at the right end, starting from the right. Each button only requests its action,
/// which runs elsewhere.
fn action_buttons(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    for action in [Action::DaySheet, Action::ExportList] {
        let entry = action.entry();
        let mut button = Button::new(entry.name);
        if wide {
            button = button.icon(entry.icon);
        }
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

/// Shows the time of the last sync, or the progress of the running sync.
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

/// Both dialogs, with the input in them.
#[derive(Default)]
pub(super) struct ScopeDialogs {
    /// The typed hours; `Some` while the dialog for thresholds is open.
    hours: Option<[String; 3]>,
    /// The selected scope; `Some` while the dialog for the tracking scope is open.
    scope: Option<SyncScope>,
}

impl ScopeDialogs {
    pub(super) const fn is_open(&self) -> bool {
        self.hours.is_some() || self.scope.is_some()
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if context.is_triggered(Action::TrackThresholds) {
            self.hours = Some(texts(context.shared.track.thresholds));
        }
        if context.is_triggered(Action::TrackScope) {
            self.scope = Some(context.shared.track.sync_scope);
        }
        let (hours, scope) = (&mut self.hours, &mut self.scope);
        dialog(ui, context, Action::TrackThresholds, hours, thresholds);
        dialog(ui, context, Action::TrackScope, scope, tracking_scope);
    }
}

/// Draws the dialog that this action opens, while there is a value to edit.
fn dialog<T>(
    ui: &Ui,
    context: &mut Context<'_>,
    action: Action,
    value: &mut Option<T>,
    content: fn(&mut Ui, &mut Context<'_>, &mut T, &mut bool),
) {
    let title = action.entry().name.trim_end_matches('…');
    let mut open = value.is_some();
    let modal = Modal::new(title, title).width(420.0);
    modal.show(ui, &mut open, |ui, open| {
        ui.spacing_mut().item_spacing.y = 10.0;
        if let Some(value) = value {
            content(ui, context, value, open);
        }
    });
    value.take_if(|_| !open);
}

fn texts(thresholds: Thresholds) -> [String; 3] {
    let Thresholds {
        late_hours,
        not_collected_hours,
        no_scan_hours,
    } = thresholds;
    [late_hours, not_collected_hours, no_scan_hours].map(|hours| hours.to_string())
}

/// Parses a whole number of hours within the limit.
fn hours(text: &str) -> Option<u16> {
    let text = text.trim();
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let hours = text.parse().ok().filter(|_| digits)?;
    (hours <= MOST_HOURS).then_some(hours)
}

/// Returns the typed thresholds; `None` while any field is invalid.
fn typed_thresholds([late, collected, scan]: &[String; 3]) -> Option<Thresholds> {
    Some(Thresholds {
        late_hours: hours(late)?,
        not_collected_hours: hours(collected)?,
        no_scan_hours: hours(scan)?,
    })
}

fn thresholds(ui: &mut Ui, context: &mut Context<'_>, all: &mut [String; 3], open: &mut bool) {
    let mut entered = false;
    let names = ["late_hours", "not_collected_hours", "no_scan_hours"];
    for (((label, meaning), typed), name) in FIELDS.iter().zip(&mut *all).zip(names) {
        let wrong = hours(typed).is_none().then_some(WRONG);
        lockable(ui, context.shared, &["track", name], |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let field = Field::new(label, typed).number().limit(6).unit("h");
            let shown = field.error(wrong).on_enter(OnEnter::Stay).show(ui);
            entered |= shown.entered;
            if wrong.is_none() {
                text::small_note(ui, *meaning);
            }
        });
    }
    let typed = typed_thresholds(all);
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let save = Button::primary("Save").key("↵");
        let save = ui.add_enabled(typed.is_some(), save).clicked() || entered;
        if let Some(thresholds) = typed.filter(|_| save) {
            context.push(TrackCommand::SetThresholds(thresholds));
            *open = false;
        }
        if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
            *open = false;
        }
        if ui.add(Button::quiet("Reset to defaults")).clicked() {
            *all = texts(Thresholds::default());
        }
    });
}

fn tracking_scope(ui: &mut Ui, context: &mut Context<'_>, chosen: &mut SyncScope, open: &mut bool) {
    lockable(ui, context.shared, &["follow"], |ui| {
        let all = companies(context.shared, chosen.company);
        choice(ui, "Company", &mut chosen.company, &all);
        checkbox(ui, &mut chosen.children, "Include child companies");
        let mut all = carriers(context.shared);
        if let Some(id) = chosen.carrier
            && all.iter().all(|(known, _)| *known != Some(id))
        {
            all.push((Some(id), format!("Carrier {id}")));
        }
        choice(ui, "Carrier", &mut chosen.carrier, &all);
    });
    let words =
        "Only these consignments are tracked. Use the filters above the board to narrow them down";
    text::small_note(ui, words);
    if modal::confirm_or_cancel(ui, open, Button::primary("Save"), true) {
        if *chosen != context.shared.track.sync_scope {
            context.push(TrackCommand::SetSyncScope(*chosen));
        }
        *open = false;
    }
}

/// Returns the choices: the bench's company, the default company of the token (`None`), then all others that
/// the token may use.
fn companies(shared: &Shared, chosen: Option<CompanyId>) -> Vec<(Option<CompanyId>, String)> {
    let known = shared.catalogue.known_companies();
    let name = |id: CompanyId| {
        let found = known.iter().find(|company| company.id == id);
        found.map_or_else(|| format!("Company {id}"), |found| found.label().to_owned())
    };
    let bench = shared.session.company;
    let bench = bench.map(|id| (Some(id), format!("{} (this bench)", name(id))));
    let mut all: Vec<_> = bench.into_iter().collect();
    all.push((None, "The token's default company".to_owned()));
    let others = known.iter().map(|company| company.id).chain(chosen);
    for id in others {
        if all.iter().all(|(there, _)| *there != Some(id)) {
            all.push((Some(id), name(id)));
        }
    }
    all
}
