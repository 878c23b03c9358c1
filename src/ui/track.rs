//! Track: the board of figures, or the table of rows, with a consignment's page beside either.

mod board;
mod day_sheet;
pub(super) mod files;
mod out;
mod page;
mod table;

use egui::Ui;

use super::Context;
use super::actions::Action;
use super::kit::layout;
use super::kit::tokens::size;
use crate::state::{TrackCommand, TrackPane};

/// What the screen keeps for itself.
#[derive(Default)]
pub(super) struct State {
    board: board::State,
    table: table::State,
    page: page::State,
    files: files::State,
    export: super::export::State,
    day_sheet: day_sheet::State,
}

impl State {
    /// Is anything in front of the screen?
    pub(super) fn is_open(&self) -> bool {
        self.board.is_open()
            || self.table.is_open()
            || self.page.is_open()
            || self.files.is_open()
            || self.export.is_open()
            || self.day_sheet.is_open()
    }

    /// Draws the screen.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if context.asked(Action::TrackBoard) {
            context.ask(TrackCommand::Show(TrackPane::Board));
        }
        if context.asked(Action::TrackTable) {
            context.ask(TrackCommand::Show(TrackPane::Table));
        }
        let right = (ui.available_width() * 0.3).clamp(300.0, 400.0);
        let left = ui.available_width() - right - size::GUTTER;
        layout::panes(ui, &[left, right], |pane, ui| match pane {
            0 if context.shared.track.pane == TrackPane::Board => self.board.show(ui, context),
            0 => self.table.show(ui, context),
            _ => {
                self.page.show(ui, context);
                files::section(ui, context, &mut self.files);
            }
        });
        self.files.show_in_front(ui, context);
        out::show(ui, context, &mut self.export, &self.table.columns());
        self.day_sheet.show(ui, context);
    }
}
