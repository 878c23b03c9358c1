//! What is asked before a label is printed again, before a file is saved where there is no file dialog, and of a printer.

use egui::Ui;

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::button::Button;
use super::super::kit::field::Field;
use super::super::kit::modal::Modal;
use super::super::kit::select::Select;
use super::super::kit::tokens::palette;
use super::super::kit::{layout, text};
use crate::shipping::ConsignmentId;
use crate::state::{LabelsCommand, PrinterForm};

/// The dialogs and what is typed into them.
#[derive(Default)]
pub(super) struct State {
    reprint: bool,
    save: bool,
    printer: bool,
    of: Option<ConsignmentId>,
    reason: String,
    path: String,
    form: PrinterForm,
    /// The form was sent, and is shown until it is known whether it could be kept.
    sent: bool,
}

/// Dots in a millimetre, as typed in a form and as people say it.
const RESOLUTIONS: [(&str, &str); 3] = [
    ("8", "203 dpi, 8 dots a mm"),
    ("12", "300 dpi, 12 dots a mm"),
    ("24", "600 dpi, 24 dots a mm"),
];

/// What a new printer's form starts with: the commonest label printer.
pub(super) fn new_printer() -> PrinterForm {
    PrinterForm {
        zpl: true,
        dots_per_mm: RESOLUTIONS[0].0.to_owned(),
        ..PrinterForm::default()
    }
}

impl State {
    pub(super) fn is_open(&self) -> bool {
        self.reprint || self.save || self.printer
    }

    /// Begins one of the actions on a label.
    pub(super) fn begin(&mut self, action: Action, id: ConsignmentId, context: &mut Context<'_>) {
        self.of = Some(id);
        match action {
            Action::Reprint => {
                self.reason.clear();
                self.reprint = true;
            }
            _ if context.shared.no_file_dialog => self.save = true,
            _ => context.ask(LabelsCommand::SavePdf(id)),
        }
    }

    /// Asks what there is to know of a printer.
    pub(super) fn set_up(&mut self, form: PrinterForm) {
        self.form = form;
        self.printer = true;
        self.sent = false;
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.reprint(ui, context);
        self.save(ui, context);
        self.printer(ui, context);
    }

    fn reprint(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let (reason, of) = (&mut self.reason, self.of);
        Modal::new("reprint", "Print it again").show(ui, &mut self.reprint, |ui, open| {
            let words =
                "A second label of one piece can go astray: the reason is kept with the job";
            ui.label(text::body(words).color(palette(ui).muted));
            let field = Field::new("Reason", reason)
                .hint("torn, lost, wrong printer…")
                .show(ui);
            let can = !reason.trim().is_empty();
            let printed = buttons(ui, "Reprint", can, open) || (field.entered && can);
            if let Some(id) = of.filter(|_| printed) {
                context.ask(LabelsCommand::Reprint(id, reason.trim().to_owned()));
                *open = false;
            }
        });
    }

    fn save(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let (path, of) = (&mut self.path, self.of);
        Modal::new("save", "Save the label as PDF").show(ui, &mut self.save, |ui, open| {
            ui.label(text::body("This desktop has no file dialog").color(palette(ui).muted));
            let field = Field::new("Path", path)
                .mono()
                .hint("/home/bench/label.pdf")
                .show(ui);
            let can = path.trim().starts_with('/') && !path.trim().ends_with('/');
            let saved = buttons(ui, "Save", can, open) || (field.entered && can);
            if let Some(id) = of.filter(|_| saved) {
                context.ask(LabelsCommand::SavePdfAt(id, path.trim().to_owned()));
                *open = false;
            }
        });
    }

    fn printer(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let mut printers = shared.printers.value().into_iter().flatten();
        let kept =
            printers.any(|printer| printer.set_up && printer.form.name == self.form.name.trim());
        if self.sent && kept && shared.printer_problem.is_none() {
            self.printer = false;
            self.sent = false;
        }
        let (form, sent) = (&mut self.form, &mut self.sent);
        let title = if form.was.is_some() {
            "Change the printer"
        } else {
            "Set up a printer"
        };
        Modal::new("printer", title)
            .width(540.0)
            .show(ui, &mut self.printer, |ui, open| {
                let problem = shared.printer_problem.as_deref().filter(|_| *sent);
                printer_fields(ui, form, problem);
                let can = !form.name.trim().is_empty() && !form.destination.trim().is_empty();
                if buttons(ui, "Save", can, open) {
                    context.ask(LabelsCommand::SavePrinter(form.clone()));
                    *sent = true;
                }
            });
    }
}

fn printer_fields(ui: &mut Ui, form: &mut PrinterForm, problem: Option<&str>) {
    ui.spacing_mut().item_spacing.y = 10.0;
    Field::new("Name", &mut form.name)
        .hint("Zebra bench 4")
        .show(ui);
    Field::new("Where to", &mut form.destination)
        .mono()
        .hint("queue NAME, HOST:9100 or /path/of/a/file")
        .error(problem)
        .show(ui);
    let PrinterForm {
        zpl,
        dots_per_mm,
        head_dots,
        ..
    } = form;
    layout::row(ui, &[2.0, 3.0, 2.0], |at, ui| match at {
        0 => {
            if let Some(picked) = Select::new("Language", Some(usize::from(!*zpl)), &["ZPL", "PDF"])
                .show(ui)
                .picked
            {
                *zpl = picked == 0;
            }
        }
        1 => {
            let words = RESOLUTIONS.map(|(_, words)| words);
            let current = RESOLUTIONS.iter().position(|(dots, _)| dots == dots_per_mm);
            if let Some(picked) = Select::new("Resolution", current, &words).show(ui).picked {
                RESOLUTIONS[picked].0.clone_into(dots_per_mm);
            }
        }
        _ => drop(
            Field::new("Head", head_dots)
                .number()
                .unit("dots")
                .hint("any")
                .show(ui),
        ),
    });
}

/// The buttons below a dialog; answers whether the main one was pressed.
fn buttons(ui: &mut Ui, main: &str, can: bool, open: &mut bool) -> bool {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let pressed = ui.add_enabled(can, Button::primary(main)).clicked();
        if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
            *open = false;
        }
        pressed
    })
    .inner
}
