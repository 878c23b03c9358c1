//! Track's page.

use egui::Ui;

use crate::ui::Context;

/// What it keeps for itself.
#[derive(Default)]
pub(super) struct State {}

impl State {
    /// Is anything in front?
    #[expect(clippy::unused_self, reason = "it will be")]
    pub(super) fn is_open(&self) -> bool {
        false
    }

    /// Draws it.
    #[expect(clippy::unused_self, reason = "it will be")]
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.label(format!("{:?}", context.shared.track.pane));
    }
}
