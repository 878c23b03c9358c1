//! The frame around the screens: top bar, side bar, status line, notices, and dialogs.

mod help;
pub(crate) mod notices;
pub(crate) mod practice_drill;
mod status_line;
mod tour;

use egui::{
    Align, Align2, CornerRadius, Event, Id, Key, LayerId, Layout, Modifiers, Order, Pos2, Rect,
    Response, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::actions::{self, Action};
use super::format::counted;
use super::save_as::SaveAsDialog;
use super::{Context, environment, startup};
use crate::state::{
    Command, Environment, PracticeCommand, Screen, SettingsCommand, Shared, ThemeChoice,
    WindowCommand,
};
use draft::ServiceKind;
use help::HelpDialog;
use shipping::Company;
use tour::Tour;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::command_palette::{self, PaletteEntry};
use widgets::field::{Field, OnEnter};
use widgets::menu::{self, MenuEntry};
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, key_cap, paint, text};

const TOP: f32 = 48.0;
const STATUS: f32 = 28.0;
const SIDE: f32 = 176.0;
/// Width of the side bar in a narrow window, where it shows only icons and shortcuts.
const SIDE_NARROW: f32 = 68.0;
const NARROW: f32 = 1_180.0;

#[derive(Default)]
pub(crate) struct FrameState {
    query: String,
    /// Width of the right part of the top bar in the last frame. The search box gets the rest.
    top_right: f32,
    actions_open: bool,
    actions: command_palette::PaletteState,
    trouble_open: bool,
    messages_open: bool,
    help: HelpDialog,
    tour: Tour,
    save_as: SaveAsDialog,
    /// The action that was picked by name in the last frame.
    pub(crate) picked_action: Option<Action>,
    /// The preset that was picked by name in the last frame.
    pub(crate) picked_preset: Option<String>,
    pub(crate) deletion: status_line::DeletionUndo,
}

impl FrameState {
    /// Returns whether a dialog is in front of the screens.
    pub(crate) const fn is_open(&self, shared: &Shared) -> bool {
        self.actions_open
            || self.trouble_open
            || self.messages_open
            || self.help.is_open
            || shared.path_question.is_some()
    }

    /// Draws everything except the dialogs. Returns the rectangle for the screen.
    pub(crate) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) -> Rect {
        self.actions_open |= context.is_triggered(Action::CommandPalette);
        self.messages_open |= context.is_triggered(Action::Messages);
        self.help.open_when_asked(context);
        self.tour.begin_when_asked(context);
        if context.is_triggered(Action::Theme) {
            let dark = ui.visuals().dark_mode;
            context.set_bench(|bench| bench.theme = next_theme(bench.theme, dark));
        }
        let p = palette(ui);
        let full = ui.max_rect();
        let narrow = full.width() < NARROW;
        let side = side_width(full);
        let top = Rect::from_min_size(full.min, vec2(full.width(), TOP));
        let status = Rect::from_min_max(pos2(full.left(), full.bottom() - STATUS), full.max);
        let side = Rect::from_min_max(
            pos2(full.left(), top.bottom()),
            pos2(full.left() + side, status.top()),
        );
        let line = Stroke::new(1.0, p.border);
        let painter = ui.painter();
        painter.rect_filled(full, 0.0, p.background);
        for bar in [top, side, status] {
            painter.rect_filled(bar, 0.0, p.surface);
        }
        if context.shared.dispatch.deleting.is_some() {
            painter.rect_filled(status, 0.0, p.warning_weak);
        }
        painter.hline(full.x_range(), top.bottom() - 0.5, line);
        painter.hline(full.x_range(), status.top() + 0.5, line);
        painter.vline(side.right() - 0.5, side.y_range(), line);

        let (across, down) = (
            Layout::left_to_right(Align::Center),
            Layout::top_down(Align::Min),
        );
        let mut part = |rect: Rect, name: &str, layout: Layout| {
            ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name).layout(layout))
        };
        let mut bar = part(top.shrink2(vec2(16.0, 0.0)), "top", across);
        top_bar(&mut bar, context, self, narrow);
        let mut bar = part(side.shrink2(vec2(8.0, 8.0)), "side", down);
        let clicked = side_bar(&mut bar, context, narrow);
        if clicked.is_some() {
            self.picked_action = clicked;
            bar.ctx().request_repaint();
        }
        let mut bar = part(status.shrink2(vec2(16.0, 1.0)), "status", across);
        self.messages_open |= status_line::show(&mut bar, context, narrow);
        let room = Rect::from_min_max(side.right_top(), status.right_top()).shrink(16.0);
        let mut strip = part(room, "notices", down);
        let used = notices::show(&mut strip, context, &mut self.messages_open);
        Rect::from_min_max(pos2(room.left(), room.top() + used), room.max)
    }

    /// Draws the dialogs in front of everything.
    pub(crate) fn show_in_front(&mut self, ui: &Ui, context: &mut Context<'_>) {
        // The full list is only built while it is shown.
        let (mut available, mut presets) = (Vec::new(), Vec::new());
        if self.actions_open {
            available.extend(actions::available(context.shared));
            presets = crate::screens::consign::view::presets_by_name(context.shared);
        }
        let keys: Vec<String> = available.iter().map(|entry| entry.action.key()).collect();
        let actions = { available.iter().zip(&keys) }.map(|(entry, key)| entry.line(key));
        let presets_by_name = presets.iter().map(PaletteEntry::from);
        let entries: Vec<PaletteEntry<'_>> = actions.chain(presets_by_name).collect();
        if let Some(picked) =
            command_palette::show(ui, &mut self.actions_open, &mut self.actions, &entries)
        {
            self.picked_action = available.get(picked).map(|entry| entry.action);
            let preset = picked.checked_sub(available.len());
            self.picked_preset = preset.map(|at| presets[at].preset.clone());
            ui.ctx().request_repaint();
        }
        practice_drill::show(ui, &mut self.trouble_open, context);
        notices::dialog(ui, &mut self.messages_open, context);
        if let Some(picked) = self.help.show(ui, context) {
            self.picked_action = Some(picked);
            ui.ctx().request_repaint();
        }
        self.tour.show(ui, context);
        self.save_as.show(ui, context);
        dropped_files(ui, context);
    }
}

/// Uses a file that was dropped on the window. While files are above the window, says what can be dropped.
fn dropped_files(ui: &Ui, context: &mut Context<'_>) {
    let (dropped, is_above) = ui.input(|input| {
        let dropped = input.raw.dropped_files.iter();
        let paths: Vec<_> = dropped.map(|file| file.path().to_owned()).collect();
        (paths, !input.raw.hovered_files.is_empty())
    });
    if !dropped.is_empty() {
        context.push(WindowCommand::UseFiles(dropped));
    }
    if is_above {
        let p = palette(ui);
        let window = ui.ctx().content_rect();
        let layer = LayerId::new(Order::Tooltip, Id::unique("dropped files"));
        let painter = ui.ctx().layer_painter(layer);
        painter.rect_filled(window, 0.0, p.background.gamma_multiply(0.85));
        let words = "Drop a CSV file with orders, or a PDF file with a label";
        let words = text::strong(words).size(20.0);
        let galley = text::line(ui, words, window.width(), p.text);
        painter.galley(window.center() - galley.size() / 2.0, galley, p.text);
    }
}

/// Returns the width of the side bar in a window of this size.
fn side_width(window: Rect) -> f32 {
    if window.width() < NARROW {
        SIDE_NARROW
    } else {
        SIDE
    }
}

fn next_theme(now: ThemeChoice, dark: bool) -> ThemeChoice {
    match (now, dark) {
        (ThemeChoice::Light, _) | (ThemeChoice::System, false) => ThemeChoice::Dark,
        (ThemeChoice::Dark, _) | (ThemeChoice::System, true) => ThemeChoice::Light,
    }
}

/// Draws the tabs. Help and Settings are at the bottom, apart from the screens for the daily work. Returns the action
/// that was clicked.
fn side_bar(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) -> Option<Action> {
    let mut picked = None;
    ui.spacing_mut().item_spacing.y = 2.0;
    let height = if narrow { 52.0 } else { 36.0 };
    for screen in Screen::ALL {
        if screen == Screen::Settings {
            let space = ui.available_height() - 2.0 * height - ui.spacing().item_spacing.y;
            ui.add_space(space.max(0.0));
            if tab(ui, Action::Help, false, 0, height, narrow).clicked() {
                picked = Some(Action::Help);
            }
        }
        let up = context.shared.screen == screen;
        let news = match screen {
            Screen::Track => context.shared.track.new_exceptions.len(),
            _ => 0,
        };
        let tab = tab(ui, screen.action(), up, news, height, narrow);
        if tab.clicked() && !up {
            tab.surrender_focus();
            context.push(Command::Show(screen));
        }
    }
    picked
}

/// Draws the tab of a screen. In a narrow window, it shows only its icon and its shortcut.
fn tab(ui: &mut Ui, action: Action, up: bool, news: usize, height: f32, narrow: bool) -> Response {
    let (entry, key) = (action.entry(), action.key());
    let room = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(room, Sense::click());
    let spoken = match news {
        0 => entry.name.to_owned(),
        news => format!("{}, {}", entry.name, new_exceptions(news)),
    };
    let role = match action.target_screen() {
        Some(_) => Role::Tab,
        None => Role::Button,
    };
    response.widget_info(|| WidgetInfo::selected(role, true, up, &spoken));
    paint::row_background(ui, &response, up, size::BUTTON_RADIUS);
    paint::focus_ring(ui, &response, rect, size::BUTTON_RADIUS);
    let (p, painter) = (palette(ui), ui.painter());
    let ink = if up { p.accent } else { p.muted };
    let icon = paint::icon(ui, entry.icon, size::ICON, ink);
    let cap = key_cap::width(ui, &key);
    if narrow {
        let above = pos2(rect.center().x, rect.top() + 7.0);
        paint::text_at(painter, Align2::CENTER_TOP, above, icon);
        let below = pos2(rect.center().x - cap / 2.0, rect.bottom() - 14.0);
        key_cap::paint(ui, painter, below, &key);
        let corner = pos2(rect.center().x + 16.0, rect.top() + 12.0);
        news_badge(ui, Align2::CENTER_CENTER, corner, news);
        return response.on_hover_text(entry.name);
    }
    let left = rect.left_center();
    paint::text_at(painter, Align2::LEFT_CENTER, left + vec2(10.0, 0.0), icon);
    let name = text::plain(ui, entry.name, text::medium_font(), ink);
    paint::text_at(painter, Align2::LEFT_CENTER, left + vec2(38.0, 0.0), name);
    let at = rect.right_center() - vec2(10.0 + cap, 0.0);
    key_cap::paint(ui, painter, at, &key);
    news_badge(ui, Align2::RIGHT_CENTER, at - vec2(size::GRID, 0.0), news);
    response
}

fn new_exceptions(news: usize) -> String {
    counted(news, "new exception", "new exceptions")
}

/// Draws a badge with the number of new exceptions, placed by `anchor` and `at`. The badge stays until the
/// exceptions have been viewed and has no animation, sound or click action.
fn news_badge(ui: &Ui, anchor: Align2, at: Pos2, news: usize) {
    let p = palette(ui);
    let count = match news {
        0 => return,
        1..=99 => news.to_string(),
        _ => "99+".to_owned(),
    };
    let count = text::plain(ui, &count, text::small_strong_font(), p.on_accent);
    let room = vec2((count.size().x + 10.0).max(18.0), 18.0);
    let pill = anchor.anchor_size(at, room);
    ui.painter()
        .rect_filled(pill, CornerRadius::same(9), p.accent);
    paint::text_at(ui.painter(), Align2::CENTER_CENTER, pill.center(), count);
}

/// Returns the widget id of the scan and search box, which F9 focuses.
pub(crate) fn search_id() -> Id {
    Id::unique("scan or search")
}

fn top_bar(ui: &mut Ui, context: &mut Context<'_>, state: &mut FrameState, narrow: bool) {
    ui.spacing_mut().item_spacing.x = 12.0;
    if !narrow {
        startup::name(ui, &text::strong_font());
        ui.add_space(60.0);
    }
    search(ui, context, state, narrow);
    let right = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        services(ui, context);
        if practice_drill::is_offered(context.shared) {
            let pressed = practice_drill::button(ui, context).clicked();
            if pressed || context.is_triggered(Action::PracticeDrill) {
                state.trouble_open = true;
                context.push(PracticeCommand::Refresh);
            }
        }
        let bench = &context.shared.bench;
        let mut who = vec![bench.name.as_str(), bench.staff.as_str()];
        who.retain(|part| !part.is_empty());
        if !who.is_empty() {
            ui.label(text::body(who.join(" · ")).color(palette(ui).muted));
        }
        company(ui, context);
        action_item_badges(ui, context, narrow);
        ui.min_rect().width()
    });
    #[expect(clippy::float_cmp, reason = "the same widgets are as wide as before")]
    if state.top_right != right.inner {
        state.top_right = right.inner;
        ui.ctx().request_repaint();
    }
}

/// Draws the number of action items in progress and the number of items that need a person. A click on
/// either opens Operations.
fn action_item_badges(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) {
    let items = &context.shared.operations.action_items;
    let waiting = items.waiting().len();
    let checked = items.open().len() - waiting;
    let pills = [
        (checked, "in progress", Tone::Unknown, icons::ICON_HELP),
        (waiting, "to be decided", Tone::Warning, icons::ICON_WARNING),
    ];
    for (count, what, tone, icon) in pills.into_iter().filter(|(count, ..)| *count > 0) {
        let words = format!("{count} {what}");
        // In a narrow window there is no room for the texts of both badges.
        let short = narrow && checked > 0 && waiting > 0;
        let count = count.to_string();
        let shown = if short { &count } else { &words };
        let tip = format!("{words}: {}", Action::ShowOperations.tip());
        let pill = Badge::new(tone, shown)
            .name(&words)
            .icon(icon)
            .show_button(ui);
        if pill.on_hover_text(tip).clicked() {
            context.push(Command::Show(Screen::Operations));
        }
    }
}

/// Takes Ctrl+] in the search box as the separator of GS1 barcodes, which scanners type in this way.
fn take_group_separators(ui: &Ui) {
    if !ui.memory(|memory| memory.has_focus(search_id())) {
        return;
    }
    ui.input_mut(|input| {
        for event in &mut input.events {
            if let Event::Key {
                key: Key::CloseBracket,
                pressed: true,
                modifiers: Modifiers { ctrl: true, .. },
                ..
            } = event
            {
                *event = Event::Text("\u{1D}".to_owned());
            }
        }
    });
}

fn search(ui: &mut Ui, context: &mut Context<'_>, state: &mut FrameState, narrow: bool) {
    if context.is_triggered(Action::Search) {
        ui.memory_mut(|memory| memory.request_focus(search_id()));
    }
    take_group_separators(ui);
    let most: f32 = if narrow { 320.0 } else { 420.0 };
    let room = ui.available_width() - state.top_right - ui.spacing().item_spacing.x;
    let width = most.min(room).max(160.0);
    ui.allocate_ui(vec2(width, 32.0), |ui| {
        let entry = Action::Search.entry();
        // While the service is searched, the search box is empty, so its hint shows the progress.
        let asking = context.shared.search.searching_for.as_ref();
        let hint = asking.map(|text| format!("Searching the service for {text}…"));
        let hint = hint.as_deref();
        let hint = hint.unwrap_or("Scan, or search any number or name");
        let field = Field::new(entry.name, &mut state.query)
            .id(search_id())
            .icon(entry.icon)
            .hint(hint)
            .key("F9")
            .on_enter(OnEnter::Stay)
            .hide_label()
            .show(ui);
        if field.entered && !state.query.trim().is_empty() {
            let query = std::mem::take(&mut state.query);
            context.push(WindowCommand::Find(query.trim().to_owned()));
        }
    });
}

/// Draws the badge of the open service, with the menu of services.
fn services(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let session = &shared.session;
    let name = format!("{}: switch service", session.environment.label());
    let badge = environment::badge(session.environment).name(&name);
    let practising = session.environment == Environment::Practice;
    let meaning = session.environment.meaning(session.kind_evidence);
    let about = if practising {
        format!("Practice service on this computer. {meaning}")
    } else {
        format!("{}. {meaning}\n{}", session.connection, session.service)
    };
    let button = badge.show_button(ui).on_hover_text(about);
    let icon = |environment| environment::style(environment).1;
    let connections = &shared.settings.connections;
    let titles: Vec<_> = { connections.iter() }
        .map(|saved| {
            let kind = saved.draft.kind.unwrap_or(ServiceKind::Live);
            let title = format!("{} · {}", saved.draft.name, kind.label());
            (title, icon(Environment::of_kind(kind)))
        })
        .collect();
    let saved = connections.iter().zip(&titles).map(|(saved, title)| {
        let chosen = saved.draft.name == shared.session.connection;
        MenuEntry::new(&title.0, chosen).icon(title.1)
    });
    let practice = MenuEntry::new("Practice", practising).icon(icon(Environment::Practice));
    let settings = MenuEntry::new("Settings…", false).icon(icons::ICON_SETTINGS);
    let mut lines = vec![practice];
    lines.extend(saved);
    lines.push(settings);
    match menu::under(&button, 280.0, &lines) {
        None => {}
        Some(0) => context.push(SettingsCommand::Practise),
        Some(at) => match connections.get(at - 1) {
            Some(saved) => context.push(SettingsCommand::Use(saved.draft.name.clone())),
            None => context.push(Command::Show(Screen::Settings)),
        },
    }
}

/// Returns the widget id of the company button. The button of a notice about the company focuses it.
pub(crate) fn company_id() -> Id {
    Id::unique("company of the bench")
}

fn company(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let Some(companies) = shared.catalogue.companies.value() else {
        return;
    };
    let name = |company: &Company| match company.label() {
        name if Some(company.id) == shared.session.own_company => {
            format!("{name} (your token's company)")
        }
        name => name.to_owned(),
    };
    let names: Vec<String> = companies.iter().map(name).collect();
    let mut known = companies.iter();
    let current = known.find(|company| Some(company.id) == shared.session.company);
    let label = current.map_or("Pick a company", Company::label);
    let button = ui.add(Button::quiet(label).icon(icons::ICON_APARTMENT).opens());
    if ui.memory(|memory| memory.has_focus(company_id())) {
        button.request_focus();
        menu::toggle(&button);
    }
    let lines: Vec<_> = { companies.iter().zip(&names) }
        .map(|(company, name)| MenuEntry::new(name, Some(company.id) == shared.session.company))
        .collect();
    if let Some(picked) = menu::under(&button, 300.0, &lines) {
        context.push(WindowCommand::PickCompany(companies[picked].id));
    }
}
