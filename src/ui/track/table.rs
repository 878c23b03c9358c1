//! Track's table.

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

    /// The columns that are shown: their words, and their heads.
    #[expect(clippy::unused_self, reason = "it will be")]
    pub(super) fn columns(&self) -> Vec<(&'static str, &'static str)> {
        let all = [
            "number",
            "status",
            "to",
            "suburb",
            "carrier",
            "reference",
            "eta",
            "changed",
        ];
        all.map(|word| (word, word)).to_vec()
    }

    /// Draws it.
    #[expect(clippy::unused_self, reason = "it will be")]
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.label(format!("{:?}", context.shared.track.pane));
    }
}
