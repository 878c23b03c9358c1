//! The program's screens without what is behind them.

use app::state::{Command, Editing, Environment, Shared, ThemeChoice, WindowStage};
use app::ui::{self, Screens};
use egui::{Ui, UiBuilder};
use jiff::Timestamp;

/// The screens, what they are drawn from, and the form.
pub(crate) struct Shown {
    pub(crate) shared: Shared,
    pub(crate) editing: Editing,
    commands: Vec<Command>,
    screens: Screens,
    is_ready: bool,
}

impl Shown {
    pub(crate) fn new(shared: Shared, editing: Editing) -> Self {
        Self {
            shared,
            editing,
            commands: Vec::new(),
            screens: Screens::default(),
            is_ready: false,
        }
    }

    /// Draws a frame and returns what it asked for. The first frame only installs the fonts.
    pub(crate) fn draw(&mut self, ui: &mut Ui) -> Vec<Command> {
        if !self.is_ready {
            ui::install(ui.ctx(), ThemeChoice::Light);
            self.is_ready = true;
            return Vec::new();
        }
        let mut whole = ui.new_child(UiBuilder::new().max_rect(ui.ctx().content_rect()));
        self.screens.show(
            &mut whole,
            &self.shared,
            &mut self.editing,
            &mut self.commands,
        );
        std::mem::take(&mut self.commands)
    }
}

/// What the screens are drawn from at an open window.
pub(crate) fn working() -> Shared {
    let now: Timestamp = "2026-11-20T03:05:00Z".parse().expect("a moment");
    let mut shared = Shared::new(now, Environment::Practice);
    shared.stage = WindowStage::Working;
    shared
}
