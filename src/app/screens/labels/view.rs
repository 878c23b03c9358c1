//! The Labels screen: the label queue on the left, the preview in the middle, printers and jobs on the right.

mod jobs;
mod label_file;
pub(crate) mod preview;
mod printers;
mod queue;
mod reason_dialog;
mod service_printer;
mod setup_wizard;

use egui::{ScrollArea, Ui};

use crate::state::{Editing, LabelState, LabelsCommand, SaveRequest, Shared};
use crate::ui::actions::Action;
use crate::ui::{Context, ScreenView};
use engine::ConsignmentDocument;
use widgets::button::Button;
use widgets::menu::{self, MenuEntry};
use widgets::tokens::size;
use widgets::{icons, layout};

#[derive(Default)]
pub(crate) struct LabelsState {
    queue: queue::LabelQueueState,
    preview: preview::PreviewState,
    reasons: reason_dialog::ReasonDialogState,
    service: service_printer::ServicePrinterState,
    printers: printers::PrintersState,
    file: label_file::LabelFileDialog,
    jobs: jobs::RowHeights,
}

impl ScreenView for LabelsState {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.printers.is_open()
            || self.reasons.is_open()
            || self.service.is_open()
            || self.file.is_open()
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
        self.service.show(ui, context);
        self.printers.show_dialogs(ui, context);
        self.file.show(ui, context);
    }
}

impl LabelsState {
    fn right(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.spacing_mut().item_spacing.y = size::GRID + 2.0;
        let chosen = self.queue.chosen(context.shared);
        let labels = &context.shared.labels;
        // While a document is shown, the buttons are for it, unless other labels are ticked.
        let document = labels.document.zip(labels.selected);
        let document = document.filter(|(_, id)| chosen == [*id]);
        let words = match document {
            Some((kind, _)) => format!("Print {}", kind.name().to_lowercase()),
            None => queue::print_text(context.shared, &chosen),
        };
        let (entry, key) = (Action::Print.entry(), Action::Print.key());
        let print = Button::primary(&words).icon(entry.icon).key(&key);
        let print = ui.add_enabled(!chosen.is_empty(), print.fill_width(ui));
        let pressed = print.on_hover_text(entry.tooltip).clicked();
        if !chosen.is_empty() && (pressed || context.is_triggered(Action::Print)) {
            context.push(match document {
                Some((kind, id)) => LabelsCommand::PrintDocument(kind, id),
                None => LabelsCommand::Print(chosen.clone()),
            });
        }
        layout::columns(ui, &[0.85, 1.15], size::GRID, |at, ui| {
            if at == 1 {
                return self.service.button(ui, context, &chosen);
            }
            let button = Button::new(Action::SavePdf.entry().name).fill_width(ui);
            let pressed = ui.add_enabled(!chosen.is_empty(), button);
            let pressed = pressed.on_hover_text(Action::SavePdf.tip()).clicked();
            let asked = pressed || context.is_triggered(Action::SavePdf);
            if asked && !chosen.is_empty() {
                context.push(match document {
                    Some((kind, id)) => SaveRequest::OfConsignment(kind, id),
                    None => SaveRequest::Labels(chosen.clone()),
                });
            }
        });
        documents(ui, context);
        jobs::batch_card(ui, context);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GUTTER;
            self.printers.card(ui, context);
            jobs::card(ui, context, &mut self.jobs);
            self.reprints(ui, context);
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
        self.printers.by_key(context);
    }
}

/// Draws the menu that prints or saves the documents of the consignment whose label is shown.
fn documents(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let (entry, key) = (
        Action::ConsignmentDocuments.entry(),
        Action::ConsignmentDocuments.key(),
    );
    let button = Button::new(entry.name).icon(entry.icon).key(&key).opens();
    let shown = shared.labels.selected;
    let button = ui.add_enabled(shown.is_some(), button.fill_width(ui));
    let button = button.on_hover_text(entry.tooltip);
    let Some(id) = shown else { return };
    if context.is_triggered(Action::ConsignmentDocuments) {
        menu::toggle(&button);
    }
    let row = shared.row(id);
    let picked = menu::under_with(&button, 310.0, |ui| {
        let texts = ConsignmentDocument::ALL.map(|kind| {
            let name = kind.name().to_lowercase();
            [format!("Print {name}"), format!("Save {name}…")]
        });
        let icons = [icons::ICON_PRINT, icons::ICON_FILE_SAVE];
        let mut entries = Vec::new();
        for (kind, texts) in ConsignmentDocument::ALL.into_iter().zip(&texts) {
            entries.extend(texts.iter().zip(icons).map(|(text, icon)| MenuEntry {
                enabled: preview::can_have(row, kind),
                ..MenuEntry::new(text, false).icon(icon)
            }));
        }
        menu::entries(ui, &entries)
    });
    let Some(picked) = picked else { return };
    let kind = ConsignmentDocument::ALL[picked / 2];
    if picked % 2 == 0 {
        context.push(LabelsCommand::PrintDocument(kind, id));
    } else {
        context.push(SaveRequest::OfConsignment(kind, id));
    }
}
