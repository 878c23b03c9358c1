//! The Labels screen: the label queue on the left, the preview in the middle, printers and jobs on the right.

mod batch;
mod jobs;
mod page_textures;
mod preview;
mod printers;
mod queue;
mod reason_dialog;
mod service_printer;
mod test_label;

use egui::{ScrollArea, Ui};

use crate::state::{Editing, LabelState, LabelsCommand, Shared};
use crate::ui::actions::Action;
use crate::ui::{Context, ScreenView};
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::field::Field;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::tokens::size;
use widgets::{layout, text};

#[derive(Default)]
pub(crate) struct LabelsState {
    queue: queue::LabelQueueState,
    preview: preview::PreviewState,
    reasons: reason_dialog::ReasonDialogState,
    saving: SaveDialogState,
    service: service_printer::ServicePrinterState,
    printer: printers::PrinterFormState,
    test_label: test_label::TestLabelState,
    jobs: jobs::RowHeights,
}

impl ScreenView for LabelsState {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.printer.is_open()
            || self.reasons.is_open()
            || self.saving.open
            || self.service.is_open()
            || self.test_label.is_open()
    }

    fn offer_focus(&mut self) {
        self.queue.offer_focus();
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        self.queue.refresh(context.shared);
        self.actions(ui, context);
        let room = ui.available_width();
        let left = (room * 0.27).clamp(280.0, 340.0);
        let right = (room * 0.29).clamp(264.0, 360.0);
        let middle = room - left - right - 2.0 * size::GUTTER;
        layout::panes(ui, &[left, middle, right], |pane, ui| match pane {
            0 => queue::card(ui, context, &mut self.queue),
            1 => preview::card(ui, context, &mut self.preview, &mut self.reasons),
            _ => self.right(ui, context),
        });
        self.reasons.show(ui, context);
        self.saving.show(ui, context);
        self.service.show(ui, context);
        self.printer.show(ui, context);
        self.test_label.show(ui, context);
    }
}

impl LabelsState {
    fn right(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.spacing_mut().item_spacing.y = size::GRID + 2.0;
        let chosen = self.queue.chosen(context.shared);
        let words = queue::print_text(context.shared, &chosen);
        let (entry, key) = (Action::Print.entry(), Action::Print.key());
        let print = Button::primary(&words).icon(entry.icon).key(&key);
        let print = ui.add_enabled(!chosen.is_empty(), print.fill_width(ui));
        let pressed = print.on_hover_text(entry.tooltip).clicked();
        if !chosen.is_empty() && (pressed || context.is_triggered(Action::Print)) {
            context.push(LabelsCommand::Print(chosen.clone()));
        }
        layout::columns(ui, &[0.85, 1.15], size::GRID, |at, ui| {
            if at == 1 {
                return self.service.button(ui, context, &chosen);
            }
            let button = Button::new(Action::SavePdf.entry().name).fill_width(ui);
            let pressed = ui.add_enabled(!chosen.is_empty(), button);
            let pressed = pressed.on_hover_text(Action::SavePdf.tip()).clicked();
            if pressed || context.is_triggered(Action::SavePdf) {
                self.saving.begin(chosen.clone(), context);
            }
        });
        batch::card(ui, context);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GUTTER;
            printers::card(ui, context, &mut self.printer, &mut self.test_label);
            jobs::card(ui, context, &mut self.jobs);
            self.reprints(ui, context);
            printers::documents_card(ui, context);
        });
    }

    /// Draws the buttons below the jobs that reprint the labels printed last, or the label that is shown.
    fn reprints(&mut self, ui: &mut Ui, context: &Context<'_>) {
        let last = context.shared.labels.last_printed();
        let shown: Vec<_> = context.shared.labels.selected.into_iter().collect();
        ui.spacing_mut().item_spacing.y = 2.0;
        for (action, ids) in [(Action::ReprintLast, last), (Action::Reprint, shown)] {
            let (entry, key) = (action.entry(), action.key());
            let button = Button::quiet(entry.name).icon(entry.icon).key(&key);
            let pressed = ui.add_enabled(!ids.is_empty(), button.left().fill_width(ui));
            let pressed = pressed.on_hover_text(entry.tooltip).clicked();
            if pressed || context.is_triggered(action) {
                self.reasons.ask_reprint(ids);
            }
        }
    }

    fn actions(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.queue.actions(ui, context);
        let shared = context.shared;
        if let Some(id) = shared.labels.selected {
            if context.is_triggered(Action::FetchLabel) {
                context.push(LabelsCommand::FetchAgain(id));
            }
            let state = shared.labels.state(id);
            let preview = shared.labels.preview.value();
            let fails = matches!(state, LabelState::FailedVerification(_))
                || preview.is_some_and(|preview| preview.problem.is_some());
            if context.is_triggered(Action::PrintAnyway) && fails {
                self.reasons.ask_override(id);
            }
        }
        printers::by_key(context, &mut self.test_label);
    }
}

/// State of the dialog that asks for a path if the desktop has no file dialog, with the path that is typed into it.
#[derive(Debug, Default)]
struct SaveDialogState {
    open: bool,
    ids: Vec<ConsignmentId>,
    path: String,
    /// Saving was requested, and it is not known yet whether the desktop has a file dialog.
    asked: bool,
}

impl SaveDialogState {
    /// Saves the labels, each in a separate file.
    fn begin(&mut self, ids: Vec<ConsignmentId>, context: &mut Context<'_>) {
        if ids.is_empty() {
            return;
        }
        self.asked = true;
        if context.shared.no_file_dialog {
            context.push(LabelsCommand::ForgetSaved);
        } else {
            context.push(LabelsCommand::Save(ids.clone(), None));
        }
        self.ids = ids;
    }

    fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        if self.asked && shared.no_file_dialog {
            self.asked = false;
            self.open = true;
        }
        if self.open && shared.labels.saved.is_some() {
            self.open = false;
            self.asked = false;
        }
        let several = self.ids.len() > 1;
        let (title, words, label, hint) = if several {
            (
                "Save the labels as PDF",
                "No file dialog is available. Each label is saved under its number; existing files are not replaced",
                "Folder",
                "/home/bench/labels",
            )
        } else {
            (
                "Save the label as PDF",
                "No file dialog is available. An existing file is not replaced",
                "Path",
                "/home/bench/label.pdf",
            )
        };
        let (path, ids) = (&mut self.path, &self.ids);
        Modal::new("save", title).show(ui, &mut self.open, |ui, open| {
            text::note(ui, words);
            let field = Field::new(label, path)
                .mono()
                .hint(hint)
                .error(shared.labels.save_problem.as_deref())
                .show(ui);
            let typed = path.trim();
            let can = !typed.is_empty();
            let saved = confirm_or_cancel(ui, open, Button::primary("Save"), can);
            if saved || (field.entered && can) {
                context.push(LabelsCommand::Save(ids.clone(), Some(typed.to_owned())));
            }
        });
    }
}
