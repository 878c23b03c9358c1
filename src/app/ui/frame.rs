//! The frame around the screens: top bar, side bar, status line, notices, and dialogs.

mod alert;
mod deletion;
pub(crate) mod notices;
mod practice_drill;
mod services;
mod shortcuts;
mod status_line;
mod top_bar;

pub(crate) use top_bar::company_id;

use egui::{Align, Layout, Rect, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::Context;
use super::actions::{self, Action};
use crate::screens::consign::view::ConsignState;
use crate::state::{Command, PracticeCommand, Screen, ThemeChoice, WindowCommand};
use widgets::command_palette::{self, PaletteEntry};
use widgets::tokens::{palette as colors, size};
use widgets::{Icon, key_cap, text};

const TOP: f32 = 48.0;
const STATUS: f32 = 28.0;
const SIDE: f32 = 176.0;
/// Width of the side bar in a narrow window, where it shows only icons and shortcuts.
const SIDE_NARROW: f32 = 68.0;
const NARROW: f32 = 1_180.0;

/// State of the frame.
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
    picked_action: Option<Action>,
    picked_preset: Option<String>,
    deletion: deletion::DeletionUndo,
}

impl FrameState {
    /// Undoes a deletion that was not sent yet, if the clerk asked for that.
    pub(crate) fn undo(&mut self, ui: &Ui, context: &mut Context<'_>, consign: &ConsignState) {
        self.deletion.undo(ui, context, consign);
    }

    /// Returns whether a dialog is in front of the screens.
    pub(crate) fn is_open(&self) -> bool {
        self.actions_open || self.trouble_open || self.messages_open || self.shortcuts_open
    }

    /// Takes the action that was picked by name in the last frame.
    pub(crate) fn take_picked_action(&mut self) -> Option<Action> {
        self.picked_action.take()
    }

    /// Takes the preset that was picked by name in the last frame.
    pub(crate) fn take_picked_preset(&mut self) -> Option<String> {
        self.picked_preset.take()
    }

    /// Draws everything but the dialogs. Returns the rectangle for the screen.
    pub(crate) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) -> Rect {
        self.actions_open |= context.is_triggered(Action::CommandPalette);
        self.messages_open |= context.is_triggered(Action::Messages);
        self.shortcuts_open |= context.is_triggered(Action::Shortcuts);
        if context.is_triggered(Action::PracticeDrill) && practice_drill::is_offered(context.shared)
        {
            self.trouble_open = true;
            context.push(PracticeCommand::Refresh);
        }
        if context.is_triggered(Action::Theme) {
            context.push(WindowCommand::PickTheme(next_theme(
                context.shared.theme,
                ui.visuals().dark_mode,
            )));
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
        if context.shared.deleting.is_some() {
            painter.rect_filled(status, 0.0, p.warning_weak);
        }
        painter.hline(full.x_range(), top.bottom() - 0.5, line);
        painter.hline(full.x_range(), status.top() + 0.5, line);
        painter.vline(side.right() - 0.5, side.y_range(), line);

        let mut bar = part(
            ui,
            top.shrink2(vec2(16.0, 0.0)),
            "top",
            Layout::left_to_right(Align::Center),
        );
        top_bar::show(&mut bar, context, self, narrow);
        let mut bar = part(
            ui,
            side.shrink2(vec2(8.0, 8.0)),
            "side",
            Layout::top_down(Align::Min),
        );
        side_bar(&mut bar, context, narrow);
        let mut bar = part(
            ui,
            status.shrink2(vec2(16.0, 1.0)),
            "status",
            Layout::left_to_right(Align::Center),
        );
        self.messages_open |= status_line::show(&mut bar, context, narrow);

        let room = Rect::from_min_max(side.right_top(), status.right_top()).shrink(16.0);
        let mut strip = part(ui, room, "notices", Layout::top_down(Align::Min));
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
        let actions = available
            .iter()
            .zip(&keys)
            .map(|(entry, key)| PaletteEntry {
                name: entry.name,
                icon: entry.icon,
                key,
                tooltip: entry.tooltip,
            });
        let entries: Vec<PaletteEntry<'_>> = actions
            .chain(presets.iter().map(PaletteEntry::from))
            .collect();
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
        shortcuts::dialog(ui, &mut self.shortcuts_open, context);
    }
}

fn part(ui: &mut Ui, rect: Rect, name: &str, layout: Layout) -> Ui {
    ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name).layout(layout))
}

fn next_theme(now: ThemeChoice, dark: bool) -> ThemeChoice {
    match (now, dark) {
        (ThemeChoice::Light, _) | (ThemeChoice::System, false) => ThemeChoice::Dark,
        (ThemeChoice::Dark, _) | (ThemeChoice::System, true) => ThemeChoice::Light,
    }
}

fn side_bar(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) {
    ui.spacing_mut().item_spacing.y = 2.0;
    for (screen, action) in [
        (Screen::Consign, Action::ShowConsign),
        (Screen::Dispatch, Action::ShowDispatch),
        (Screen::Labels, Action::ShowLabels),
        (Screen::Track, Action::ShowTrack),
        (Screen::Operations, Action::ShowOperations),
    ] {
        let entry = action.entry();
        let up = context.shared.screen == screen;
        let news = if screen == Screen::Track {
            context.shared.track.new_exceptions.len()
        } else {
            0
        };
        let words = alert::spoken(entry.name, news);
        let tab = tab(
            ui,
            (entry.icon, entry.name),
            &words,
            &action.key(),
            up,
            narrow,
        );
        alert::badge(ui, tab.rect, &action.key(), news, narrow);
        if tab.clicked() && !up {
            tab.surrender_focus();
            context.push(Command::Show(screen));
        }
    }
    // Settings is at the bottom, apart from the screens for the daily work.
    let entry = Action::ShowSettings.entry();
    let height = if narrow { 52.0 } else { 36.0 };
    ui.add_space((ui.available_height() - height).max(0.0));
    let up = context.shared.screen == Screen::Settings;
    if tab(
        ui,
        (entry.icon, entry.name),
        entry.name,
        &Action::ShowSettings.key(),
        up,
        narrow,
    )
    .clicked()
        && !up
    {
        context.push(Command::Show(Screen::Settings));
    }
}

fn tab(
    ui: &mut Ui,
    (icon, name): (Icon, &str),
    spoken: &str,
    key: &str,
    up: bool,
    narrow: bool,
) -> egui::Response {
    let p = colors(ui);
    let height = if narrow { 52.0 } else { 36.0 };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, up, spoken));
    let fill = if up {
        p.accent_weak
    } else if response.hovered() {
        p.raised
    } else {
        p.surface
    };
    let radius = egui::CornerRadius::same(size::BUTTON_RADIUS);
    ui.painter().rect_filled(rect, radius, fill);
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect,
            radius,
            Stroke::new(2.0, p.accent),
            egui::StrokeKind::Inside,
        );
    }
    let ink = if up { p.accent } else { p.muted };
    let icon = text::plain(ui, icon.codepoint, text::icon_font(size::ICON), ink);
    let caps = key_cap::CapColors::plain(ui);
    if narrow {
        ui.painter().galley(
            pos2(rect.center().x - icon.size().x / 2.0, rect.top() + 7.0),
            icon,
            ink,
        );
        let left = rect.center().x - key_cap::width(ui, key) / 2.0;
        key_cap::paint(
            ui,
            ui.painter(),
            pos2(left, rect.bottom() - 14.0),
            key,
            caps,
        );
        return response.on_hover_text(name);
    }
    let y = rect.center().y;
    ui.painter()
        .galley(pos2(rect.left() + 10.0, y - icon.size().y / 2.0), icon, ink);
    let name = text::plain(ui, name, text::medium_font(), ink);
    ui.painter()
        .galley(pos2(rect.left() + 38.0, y - name.size().y / 2.0), name, ink);
    key_cap::paint(
        ui,
        ui.painter(),
        pos2(rect.right() - 10.0 - key_cap::width(ui, key), y),
        key,
        caps,
    );
    response
}
