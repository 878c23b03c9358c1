//! The Dispatch screen as the program draws it, without background work.

use app::state::{
    Commands, Editing, Environment, Remote, Screen as Shown, Shared, ThemeChoice, UnmanifestedList,
    WindowStage,
};
use app::ui::{self, Screens};
use egui::{Ui, UiBuilder};
use jiff::Timestamp;

use crate::list::Screen;

/// The program at Dispatch.
pub(crate) struct Dispatch {
    shared: Shared,
    editing: Editing,
    commands: Commands,
    screens: Screens,
    ready: bool,
}

impl Dispatch {
    pub(crate) fn new(list: UnmanifestedList) -> Self {
        Self {
            shared: shared(list),
            editing: Editing::default(),
            commands: Commands::default(),
            screens: Screens::default(),
            ready: false,
        }
    }
}

/// What the screens see of a list.
pub(crate) fn shared(list: UnmanifestedList) -> Shared {
    let now: Timestamp = "2026-11-20T03:05:00Z".parse().expect("a moment");
    let mut shared = Shared::new(now, Environment::Practice);
    "Australia/Sydney".clone_into(&mut shared.session.zone);
    shared.stage = WindowStage::Working;
    shared.screen = Shown::Dispatch;
    shared.dispatch.unmanifested = Remote::ready(list);
    shared
}

impl Screen for Dispatch {
    fn draw(&mut self, ui: &mut Ui) {
        if !self.ready {
            ui::install(ui.ctx(), ThemeChoice::Light);
            self.ready = true;
            return;
        }
        let mut whole = ui.new_child(UiBuilder::new().max_rect(ui.ctx().content_rect()));
        self.screens.show(
            &mut whole,
            &self.shared,
            &mut self.editing,
            &mut self.commands,
        );
        drop(self.commands.take());
    }
}
