//! Labels: what waits on the left, the very dots in the middle, printers and jobs on the right.

mod dialogs;
mod documents;
mod jobs;
mod preview;
mod printer_form;
mod printers;
mod queue;
mod test_label;

use egui::{ScrollArea, Ui};

use super::Context;
use super::actions::Action;
use super::kit::button::Button;
use super::kit::tokens::size;
use super::kit::{layout, table};
use super::words::counted;
use crate::shipping::ConsignmentId;
use crate::state::{LabelsCommand, Shared};

/// What the screen keeps for itself.
#[derive(Default)]
pub(super) struct State {
    table: table::State,
    preview: preview::State,
    dialogs: dialogs::State,
    printer: printer_form::State,
    test_label: test_label::State,
}

impl State {
    /// Is anything in front of the screen?
    pub(super) fn is_open(&self) -> bool {
        self.dialogs.is_open() || self.printer.is_open() || self.test_label.is_open()
    }

    /// Draws the screen.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        self.actions(context);
        let room = ui.available_width();
        let left = (room * 0.26).clamp(262.0, 340.0);
        let right = (room * 0.29).clamp(264.0, 360.0);
        let middle = room - left - right - 2.0 * size::GUTTER;
        layout::panes(ui, &[left, middle, right], |pane, ui| match pane {
            0 => queue::card(ui, context, &mut self.table),
            1 => preview::card(ui, context, &mut self.preview),
            _ => self.right(ui, context),
        });
        self.dialogs.show(ui, context);
        self.printer.show(ui, context);
        self.test_label.show(ui, context);
    }

    fn right(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let chosen = self.chosen(context.shared);
        let words = match chosen.len() {
            0 => "Print".to_owned(),
            count => format!("Print {}", counted(count, "label", "labels")),
        };
        let entry = Action::Print.entry();
        let key = Action::Print.key();
        let print = Button::primary(&words)
            .icon(entry.icon)
            .key(&key)
            .fill_width(ui);
        if ui
            .add_enabled(!chosen.is_empty(), print)
            .on_hover_text(entry.tooltip)
            .clicked()
        {
            context.ask(LabelsCommand::Print(chosen));
        }
        if let Some(batch) = context.shared.batch {
            let tone = super::kit::tokens::Tone::Accent;
            super::kit::progress::bar(ui, batch.done, batch.total, "labels printed", tone);
        }
        let shown = context.shared.selected_label;
        layout::columns(ui, &[1.0, 1.0], size::GRID, |at, ui| {
            let action = if at == 0 {
                Action::SavePdf
            } else {
                Action::Reprint
            };
            let key = action.key();
            let button = Button::new(action.entry().name).key(&key).fill_width(ui);
            let pressed = ui
                .add_enabled(shown.is_some(), button)
                .on_hover_text(action.entry().tooltip)
                .clicked();
            if let Some(id) = shown.filter(|_| pressed) {
                self.dialogs.begin(action, id, context);
            }
        });
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GUTTER;
            printers::card(ui, context, &mut self.printer, &mut self.test_label);
            jobs::card(ui, context);
            documents::card(ui, context);
        });
    }

    /// The ticked labels in the order of the queue; where none is ticked, the one shown.
    fn chosen(&self, shared: &Shared) -> Vec<ConsignmentId> {
        let ticked = |id: &ConsignmentId| self.table.selection.contains(queue::key(*id));
        let chosen: Vec<_> = shared
            .labels
            .iter()
            .map(|label| label.consignment)
            .filter(ticked)
            .collect();
        if chosen.is_empty() {
            shared.selected_label.into_iter().collect()
        } else {
            chosen
        }
    }

    fn actions(&mut self, context: &mut Context<'_>) {
        if context.asked(Action::Print) {
            let chosen = self.chosen(context.shared);
            if !chosen.is_empty() {
                context.ask(LabelsCommand::Print(chosen));
            }
        }
        if let Some(id) = context.shared.selected_label {
            for action in [Action::Reprint, Action::SavePdf] {
                if context.asked(action) {
                    self.dialogs.begin(action, id, context);
                }
            }
        }
        if context.asked(Action::AddPrinter) {
            self.printer.set_up(printer_form::new_printer());
        }
        printers::by_key(context, &mut self.test_label);
        preview::page_by_key(context);
    }
}
