//! What is asked of a printer.

use egui::Ui;

use super::super::Context;
use super::super::kit::button::Button;
use super::super::kit::field::Field;
use super::super::kit::layout;
use super::super::kit::modal::Modal;
use super::super::kit::select::Select;
use crate::state::{LabelsCommand, PrinterForm};

/// The dialog and what is typed into it.
#[derive(Default)]
pub(super) struct State {
    printer: bool,
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
        self.printer
    }

    /// Asks what there is to know of a printer.
    pub(super) fn set_up(&mut self, form: PrinterForm) {
        self.form = form;
        self.printer = true;
        self.sent = false;
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.printer(ui, context);
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
