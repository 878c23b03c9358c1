//! The screens with invented data: pictures in both themes and at every usual window size, and the effect of
//! their keys.

pub(crate) mod data;
mod keyboard;
mod operations;
mod pictures;
mod printers;
mod setup;

use app::state::{Command, Editing, Shared, ThemeChoice};
use app::ui::{self, Screens};
use egui_kittest::{Harness, HarnessBuilder};

use crate::support::lists::ListService;

/// The themes and window sizes that pictures are taken in, each with the word for the picture's name. Where
/// three are enough, the last is left out.
pub(crate) const LOOKS: [(ThemeChoice, [f32; 2], &str); 4] = [
    (ThemeChoice::Light, [1440.0, 900.0], "light"),
    (ThemeChoice::Dark, [1440.0, 900.0], "dark"),
    (ThemeChoice::Light, [1024.0, 700.0], "small"),
    (ThemeChoice::Dark, [1024.0, 700.0], "small-dark"),
];

/// The usual window, in points.
pub(crate) const USUAL: [f32; 2] = [1440.0, 900.0];

/// What a screen test has: the program without its inside.
pub(crate) struct Desk {
    pub(crate) shared: Shared,
    pub(crate) editing: Editing,
    pub(crate) asked: Vec<Command>,
    commands: Vec<Command>,
    screens: Screens,
    lists: ListService,
}

impl Desk {
    pub(crate) fn new(shared: Shared, editing: Editing) -> Self {
        Self {
            shared,
            editing,
            asked: Vec::new(),
            commands: Vec::new(),
            screens: Screens::default(),
            lists: ListService::default(),
        }
    }
}

/// The screens in the usual window, with a blank form.
pub(crate) fn open(shared: Shared) -> Harness<'static, Desk> {
    open_in(shared, USUAL, ThemeChoice::Light)
}

/// The screens in a window of this size and theme, with a blank form.
pub(crate) fn open_in(
    shared: Shared,
    size: [f32; 2],
    theme: ThemeChoice,
) -> Harness<'static, Desk> {
    desk(size, 1.0, theme, Desk::new(shared, Editing::default()))
}

/// The screens in a window of `size` points, at `scale` pixels a point.
pub(crate) fn desk(
    size: [f32; 2],
    scale: f32,
    theme: ThemeChoice,
    mut desk: Desk,
) -> Harness<'static, Desk> {
    desk.shared.bench.theme = theme;
    let mut ready = false;
    let draw = move |ui: &mut egui::Ui, desk: &mut Desk| {
        if !ready {
            ui::install(ui.ctx(), theme);
            ready = true;
            return;
        }
        let window = ui.ctx().content_rect();
        let mut whole = ui.new_child(egui::UiBuilder::new().max_rect(window));
        whole.set_clip_rect(window);
        desk.lists.answer(&mut desk.shared);
        let context = desk.shared.check_context();
        if desk.editing.notice_change() {
            desk.editing.refresh_check(&context, true);
        }
        desk.screens.show(
            &mut whole,
            &desk.shared,
            &mut desk.editing,
            &mut desk.commands,
        );
        for command in std::mem::take(&mut desk.commands) {
            if ListService::take(&mut desk.shared, &command) {
                ui.ctx().request_repaint();
            } else {
                desk.asked.push(command);
            }
        }
        if desk.editing.is_changed() {
            ui.ctx().request_repaint();
        }
    };
    let mut harness = HarnessBuilder::default()
        .with_size(size)
        .with_pixels_per_point(scale)
        .with_max_steps(120)
        .allow_missing_glyphs()
        .build_ui_state(draw, desk);
    harness.run();
    harness
}
