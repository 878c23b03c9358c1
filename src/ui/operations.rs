//! Operations: what was sent and what became of it, on the left; one of them on the right, with what a person may decide.
//!
//! What always holds: an end that is not known looks neither good nor bad; every decision says what it means before it is made.

mod choices;
mod detail;
mod index;
mod list;
mod out;
mod timeline;
mod twins;
pub(super) mod words;

use egui::Ui;

use super::Context;
use super::actions::Action;
use super::kit::tokens::size;
use super::kit::{layout, table};
use index::Index;

/// What the screen keeps for itself.
#[derive(Default)]
pub(super) struct State {
    filter: String,
    /// All are listed, not only what is open.
    all: bool,
    table: table::State,
    index: Index,
    export: super::export::State,
}

impl State {
    /// Is anything in front of the screen?
    pub(super) const fn is_open(&self) -> bool {
        self.export.is_open()
    }

    /// The screen opens: the list has the keys, unless something else takes them.
    pub(super) fn offer_focus(&mut self) {
        self.table.offer_focus();
    }

    /// Draws the screen.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if context.asked(Action::AllOperations) {
            self.all = !self.all;
        }
        self.index.refresh(context.shared, &self.filter, self.all);
        let room = ui.available_width() - size::GUTTER;
        let right = (room * 0.44).clamp(404.0, 660.0);
        layout::panes(ui, &[room - right, right], |pane, ui| {
            if pane == 0 {
                list::card(ui, context, self);
            } else {
                detail::card(ui, context);
            }
        });
        out::show(ui, context, self);
    }
}
