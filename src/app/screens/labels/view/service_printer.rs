//! The service's own printers: a menu with their states, and the dialog that asks what to print there.
//!
//! Invariant: before labels are sent to these printers, a note says that Packbench can't check the result.

use egui::{Align, Layout, Ui};

use crate::state::{LabelsCommand, Notice, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use crate::ui::parts::choice;
use shipping::{
    AvailablePrinters, ConsignmentId, LabelSize, LabelType, PrinterId, PrinterStatus,
    ServicePrinter,
};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::field::Field;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::select::Select;
use widgets::tokens::{Tone, palette};
use widgets::{layout, menu, text};

#[derive(Debug, Default)]
pub(super) struct ServicePrinterState {
    open: bool,
    ids: Vec<ConsignmentId>,
    printer: Option<PrinterId>,
    /// The printer's number as typed, used if the service does not list its printers.
    number: String,
    label_type: LabelType,
    size: LabelSize,
    /// The reason for printing again, needed if any of the labels may already be printed.
    reason: String,
}

const CANNOT_SEE: &str = "Packbench can't see whether a label was printed there: check the printer";

impl ServicePrinterState {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog. If no printer is given, also requests the service's list of printers.
    fn begin(
        &mut self,
        ids: Vec<ConsignmentId>,
        printer: Option<PrinterId>,
        context: &mut Context<'_>,
    ) {
        if ids.is_empty() {
            return;
        }
        if printer.is_none() && context.shared.session.lists_printers {
            context.push(LabelsCommand::AskServicePrinters(ids.clone()));
        }
        let known = context.shared.labels.service_printer;
        self.number = known.map(|id| id.to_string()).unwrap_or_default();
        self.size = context.shared.labels.size;
        self.ids = ids;
        self.printer = printer;
        self.label_type = LabelType::default();
        self.reason.clear();
        self.open = true;
    }

    pub(super) fn button(&mut self, ui: &mut Ui, context: &mut Context<'_>, ids: &[ConsignmentId]) {
        let button = Button::new("Service printer").opens().fill_width(ui);
        let button = ui
            .add_enabled(!ids.is_empty(), button)
            .on_hover_text(Action::ServicePrinter.tip());
        let shared = context.shared;
        if context.is_triggered(Action::ServicePrinter) {
            self.begin(ids.to_vec(), None, context);
        }
        if !shared.session.lists_printers {
            if button.clicked() {
                self.begin(ids.to_vec(), None, context);
            }
            return;
        }
        if button.clicked() {
            context.push(LabelsCommand::AskServicePrinters(ids.to_vec()));
        }
        let picked = menu::under_with(&button, 300.0, |ui| {
            let picked = printers(ui, shared);
            // A menu stretches its lines, which would stretch this note, too.
            let layout = Layout::top_down(Align::Min).with_cross_justify(false);
            ui.with_layout(layout, |ui| text::small_note(ui, CANNOT_SEE));
            picked
        });
        if let Some(printer) = picked {
            self.begin(ids.to_vec(), Some(printer), context);
        }
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let title = format!(
            "Print {} at the service",
            counted(self.ids.len(), "label", "labels")
        );
        let mut open = self.open;
        Modal::new("service printer", &title).show(ui, &mut open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 10.0;
            text::note(ui, CANNOT_SEE);
            let is_away = shared.labels.service_printers.problem().is_some();
            let printer = if !shared.session.lists_printers || is_away {
                if is_away {
                    trouble(ui, shared);
                }
                self.number_field(ui)
            } else if let Some(all) = shared.labels.service_printers.value() {
                self.printer_select(ui, all)
            } else {
                return trouble(ui, shared);
            };
            layout::row(ui, &[2.0, 1.0], |column, ui| {
                if column == 0 {
                    let kinds = LabelType::ALL.map(|kind| (kind, kind.label()));
                    choice(ui, "What", &mut self.label_type, &kinds);
                } else {
                    let sizes = [(LabelSize::A6, "A6"), (LabelSize::A4, "A4")];
                    choice(ui, "Paper", &mut self.size, &sizes);
                }
            });
            let out = self.label_type == LabelType::Item
                && self.ids.iter().any(|id| shared.labels.may_be_out(*id));
            if out {
                let words = "Some of these may already be printed: enter a reason for the reprint";
                text::warning(ui, words);
                Field::new("Reason", &mut self.reason).show(ui);
            } else {
                self.reason.clear();
            }
            let can = printer.is_some() && (!out || !self.reason.trim().is_empty());
            let print = confirm_or_cancel(ui, open, Button::primary("Print there"), can);
            if let Some(printer) = printer.filter(|_| print) {
                context.push(LabelsCommand::PrintAtService {
                    ids: self.ids.clone(),
                    what: self.label_type,
                    printer,
                    size: self.size,
                    reason: self.reason.trim().to_owned(),
                });
                *open = false;
            }
        });
        self.open = open;
    }

    /// Draws a select box of the printers that the service lists; returns the chosen one.
    fn printer_select(&mut self, ui: &mut Ui, all: &AvailablePrinters) -> Option<PrinterId> {
        self.printer = self.printer.or_else(|| usual(all, self.size));
        let printers = all.printers.iter();
        let usable: Vec<_> = printers.filter(|printer| !printer.disabled).collect();
        let name = |printer: &&ServicePrinter| format!("{} · {}", printer.name, state(printer).1);
        let names: Vec<_> = usable.iter().map(name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let at = usable.iter().position(|one| Some(one.id) == self.printer);
        if let Some(picked) = Select::new("Printer", at, &names).show(ui).picked {
            self.printer = Some(usable[picked].id);
        }
        self.printer
            .filter(|id| usable.iter().any(|one| one.id == *id))
    }

    /// Draws a field for the printer's number, for services that do not list their printers: the specification has no
    /// such operation. Returns the number if it is valid.
    fn number_field(&mut self, ui: &mut Ui) -> Option<PrinterId> {
        let number = self.number.trim().parse().ok().filter(|number| *number > 0);
        let is_wrong = number.is_none() && !self.number.trim().is_empty();
        let error = is_wrong.then_some("Enter a whole number, like 12");
        Field::new("Printer number", &mut self.number)
            .number()
            .error(error)
            .show(ui);
        let note = "Ask the service's administrator for the printer number";
        text::small_note(ui, note);
        number.map(PrinterId::new)
    }
}

/// Returns the service's default printer for a paper size, or else the first printer that is switched on.
fn usual(all: &AvailablePrinters, size: LabelSize) -> Option<PrinterId> {
    let usual = match size {
        LabelSize::A6 => &all.default_item_printer,
        LabelSize::A4 => &all.default_a4_printer,
    };
    let first = all.printers.iter().find(|one| !one.disabled);
    usual.as_ref().or(first).map(|printer| printer.id)
}

fn state(printer: &ServicePrinter) -> (Tone, &'static str) {
    if printer.disabled {
        return (Tone::Neutral, "switched off");
    }
    match printer.status() {
        PrinterStatus::Online => (Tone::Ok, "online"),
        PrinterStatus::Offline => (Tone::Bad, "offline"),
        PrinterStatus::NoHandshake => (Tone::Warning, "never connected"),
        PrinterStatus::Unknown => (Tone::Unknown, "status unknown"),
    }
}

fn printers(ui: &mut Ui, shared: &Shared) -> Option<PrinterId> {
    let Some(all) = shared.labels.service_printers.value() else {
        trouble(ui, shared);
        return None;
    };
    if all.printers.is_empty() {
        text::small_note(ui, "The service has no printer for these labels");
    }
    let mut picked = None;
    for printer in &all.printers {
        let (tone, word) = state(printer);
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                Badge::new(tone, word).show(ui);
                let button = Button::quiet(&printer.name).left().fill_width(ui);
                let mut pressed = ui.add_enabled(!printer.disabled, button);
                if !printer.description.is_empty() {
                    pressed = pressed.on_hover_text(&printer.description);
                }
                if pressed.clicked() {
                    picked = Some(printer.id);
                }
            });
        });
    }
    picked
}

fn trouble(ui: &mut Ui, shared: &Shared) {
    match shared.labels.service_printers.problem() {
        Some(problem) => {
            let notice = Notice::failed("Couldn't get the service's printers", problem);
            let tone = Tone::Bad.ink(palette(ui));
            ui.add(egui::Label::new(text::strong(&notice.headline).color(tone)).wrap());
            text::small_note(ui, &notice.advice);
        }
        None => text::small_note(ui, "Loading the service's printers"),
    }
}
