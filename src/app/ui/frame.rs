//! The frame around the screens: top bar, side bar, status line, notices, and dialogs.

pub(crate) mod notices;
mod practice_drill;
mod status_line;
mod top_bar;

pub(crate) use top_bar::company_id;

use egui::{
    Align, Align2, CornerRadius, Label, Layout, Pos2, Rect, Response, Role, ScrollArea, Sense,
    Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::Context;
use super::actions::{self, Action, ActionEntry};
use super::format::counted;
use super::save_as::SaveAsDialog;
use crate::state::{Command, Screen, Shared, ThemeChoice, WindowCommand};
use widgets::command_palette::{self, PaletteEntry};
use widgets::key_cap;
use widgets::modal::Modal;
use widgets::tokens::{palette as colors, size};
use widgets::{paint, text};

const TOP: f32 = 48.0;
const STATUS: f32 = 28.0;
const SIDE: f32 = 176.0;
/// Width of the side bar in a narrow window, where it shows only icons and shortcuts.
const SIDE_NARROW: f32 = 68.0;
const NARROW: f32 = 1_180.0;
/// Width of the column of keys in the dialog of shortcuts, in points.
const KEYS: f32 = 112.0;

#[derive(Default)]
pub(crate) struct FrameState {
    query: String,
    /// Width of the right part of the top bar in the last frame. The search box gets the rest.
    top_right: f32,
    actions_open: bool,
    actions: command_palette::PaletteState,
    trouble_open: bool,
    messages_open: bool,
    shortcuts_open: bool,
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
            || self.shortcuts_open
            || shared.path_question.is_some()
    }

    /// Draws everything but the dialogs. Returns the rectangle for the screen.
    pub(crate) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) -> Rect {
        self.actions_open |= context.is_triggered(Action::CommandPalette);
        self.messages_open |= context.is_triggered(Action::Messages);
        self.shortcuts_open |= context.is_triggered(Action::Shortcuts);
        if context.is_triggered(Action::Theme) {
            let next = next_theme(context.shared.theme, ui.visuals().dark_mode);
            context.push(WindowCommand::PickTheme(next));
        }
        let p = colors(ui);
        let full = ui.max_rect();
        let narrow = full.width() < NARROW;
        let side = if narrow { SIDE_NARROW } else { SIDE };
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
        top_bar::show(&mut bar, context, self, narrow);
        let mut bar = part(side.shrink2(vec2(8.0, 8.0)), "side", down);
        side_bar(&mut bar, context, narrow);
        let mut bar = part(status.shrink2(vec2(16.0, 1.0)), "status", across);
        self.messages_open |= status_line::show(&mut bar, context, narrow);
        let room = Rect::from_min_max(side.right_top(), status.right_top()).shrink(16.0);
        let mut strip = part(room, "notices", down);
        let used = notices::show(&mut strip, context, &mut self.messages_open);
        Rect::from_min_max(pos2(room.left(), room.top() + used), room.max)
    }

    /// Draws the dialogs in front of everything.
    pub(crate) fn show_in_front(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let offered = practice_drill::is_offered(context.shared);
        // The full list is only built while it is shown.
        let (mut available, mut presets) = (Vec::new(), Vec::new());
        if self.actions_open {
            let all = actions::available(context.shared);
            available.extend(all.filter(|entry| offered || entry.action != Action::PracticeDrill));
            presets = crate::screens::consign::view::presets_by_name(context.shared);
        }
        let keys: Vec<String> = available.iter().map(|entry| entry.action.key()).collect();
        let actions = { available.iter().zip(&keys) }.map(|(entry, key)| PaletteEntry {
            name: entry.name,
            icon: entry.icon,
            key,
            tooltip: entry.tooltip,
        });
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
        shortcuts_dialog(ui, &mut self.shortcuts_open, context);
        self.save_as.show(ui, context);
    }
}

fn next_theme(now: ThemeChoice, dark: bool) -> ThemeChoice {
    match (now, dark) {
        (ThemeChoice::Light, _) | (ThemeChoice::System, false) => ThemeChoice::Dark,
        (ThemeChoice::Dark, _) | (ThemeChoice::System, true) => ThemeChoice::Light,
    }
}

/// The screens in the order of their tabs. Settings is at the bottom, apart from the screens for the daily work.
const TABS: [(Screen, Action); 6] = [
    (Screen::Consign, Action::ShowConsign),
    (Screen::Dispatch, Action::ShowDispatch),
    (Screen::Labels, Action::ShowLabels),
    (Screen::Track, Action::ShowTrack),
    (Screen::Operations, Action::ShowOperations),
    (Screen::Settings, Action::ShowSettings),
];

fn side_bar(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let height = if narrow { 52.0 } else { 36.0 };
    for (screen, action) in TABS {
        if screen == Screen::Settings {
            ui.add_space((ui.available_height() - height).max(0.0));
        }
        let up = context.shared.screen == screen;
        let news = match screen {
            Screen::Track => context.shared.track.new_exceptions.len(),
            _ => 0,
        };
        let tab = tab(ui, action, up, news, height, narrow);
        if tab.clicked() && !up {
            tab.surrender_focus();
            context.push(Command::Show(screen));
        }
    }
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
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, up, &spoken));
    paint::row_background(ui, &response, up, size::BUTTON_RADIUS);
    paint::focus_ring(ui, &response, rect, size::BUTTON_RADIUS);
    let (p, painter) = (colors(ui), ui.painter());
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
    let p = colors(ui);
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

fn shortcuts_dialog(ui: &Ui, open: &mut bool, context: &Context<'_>) {
    let modal = Modal::new("shortcuts", "Keyboard shortcuts").width(620.0);
    modal.show(ui, open, |ui, _| {
        let room = ui.ctx().content_rect().height() - 200.0;
        let list = ScrollArea::vertical().max_height(room);
        list.min_scrolled_height(room).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let entries = actions::actions_of_screen(context.shared);
            let (screen, everywhere): (Vec<_>, Vec<_>) = entries
                .filter(|entry| entry.shortcut.is_some())
                .partition(|entry| entry.screen.is_some());
            for (heading, entries) in [("On this screen", screen), ("On every screen", everywhere)]
            {
                if entries.is_empty() {
                    continue;
                }
                ui.add_space(4.0);
                ui.label(text::strong(heading));
                for entry in entries {
                    shortcut_line(ui, entry);
                }
            }
        });
    });
}

fn shortcut_line(ui: &mut Ui, entry: &ActionEntry) {
    ui.horizontal(|ui| {
        ui.allocate_ui(vec2(KEYS, 20.0), |ui| {
            ui.set_min_width(KEYS);
            key_cap::cap(ui, &entry.action.key());
        });
        ui.label(text::body(entry.name.trim_end_matches('…')));
        let tooltip = text::small(entry.tooltip).color(colors(ui).muted);
        ui.add(Label::new(tooltip).truncate());
    });
}
