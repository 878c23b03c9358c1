//! The dialog that sets up a printer: its address, its language and resolution, and its paper.

use egui::{ScrollArea, Ui};

use crate::state::{
    DocumentKind, FitMode, LabelsCommand, Language, Media, PrinterField, PrinterForm,
    PrinterProblem,
};
use crate::ui::Context;
use crate::ui::parts::choice;
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::field::Field;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::select::Select;
use widgets::tokens::{palette, size};
use widgets::{layout, text};

/// State of the dialog, with the form's values.
#[derive(Default)]
pub(super) struct PrinterFormState {
    open: bool,
    form: PrinterForm,
    /// The form was submitted; it stays open until it is known whether it could be saved.
    sent: bool,
}

/// Resolutions in dots per millimetre: the value in the form, and the text in the list.
const RESOLUTIONS: [(&str, &str); 4] = [
    ("8", "203 dpi, 8 dots a mm"),
    ("11.8", "300 dpi, 11.8 dots a mm"),
    ("12", "305 dpi, 12 dots a mm"),
    ("24", "600 dpi, 24 dots a mm"),
];

/// Returns the form of a new printer, with the most common resolution.
pub(super) fn new_printer() -> PrinterForm {
    PrinterForm {
        dots_per_mm: RESOLUTIONS[0].0.to_owned(),
        ..PrinterForm::default()
    }
}

impl PrinterFormState {
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog with the values of `form`.
    pub(super) fn set_up(&mut self, form: PrinterForm) {
        self.form = form;
        self.open = true;
        self.sent = false;
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let mut printers = shared.labels.printers.value().into_iter().flatten();
        let kept =
            printers.any(|printer| printer.set_up && printer.form.name == self.form.name.trim());
        if self.sent && kept && shared.labels.printer_problem.is_none() {
            self.open = false;
            self.sent = false;
        }
        let (form, sent) = (&mut self.form, &mut self.sent);
        let title = if form.was.is_some() {
            "Change the printer"
        } else {
            "Set up a printer"
        };
        Modal::new("printer", title)
            .width(600.0)
            .show(ui, &mut self.open, |ui, open| {
                let problem = shared.labels.printer_problem.as_ref().filter(|_| *sent);
                // In a low window the fields scroll and the buttons stay visible.
                let room = (ui.ctx().content_rect().height() - 190.0).max(160.0);
                ScrollArea::vertical()
                    .max_height(room)
                    .auto_shrink([false, true])
                    .show(ui, |ui| fields(ui, form, problem));
                let can = !form.name.trim().is_empty() && !form.destination.trim().is_empty();
                if confirm_or_cancel(ui, open, Button::primary("Save"), can) {
                    context.push(LabelsCommand::SavePrinter(Box::new(form.clone())));
                    *sent = true;
                }
            });
    }
}

/// The problem of the submitted form, if there is one.
type FormProblem<'a> = Option<&'a PrinterProblem>;

fn message_for(problem: FormProblem<'_>, field: PrinterField) -> Option<&'static str> {
    problem
        .filter(|problem| problem.field == field)
        .map(|problem| problem.message)
}

fn fields(ui: &mut Ui, form: &mut PrinterForm, problem: FormProblem<'_>) {
    ui.spacing_mut().item_spacing.y = 10.0;
    let error = |field| message_for(problem, field);
    layout::row(ui, &[2.0, 3.0], |column, ui| {
        let field = if column == 0 {
            Field::new("Name", &mut form.name)
                .hint("Zebra bench 4")
                .error(error(PrinterField::Name))
        } else {
            Field::new("Connection", &mut form.destination)
                .mono()
                .hint("queue NAME, HOST:9100, ipp://…, /file")
                .error(error(PrinterField::Destination))
        };
        field.show(ui);
    });
    // A select box can't show its own problem.
    if let Some(words) = error(PrinterField::Resolution) {
        ui.add(egui::Label::new(text::small(words).color(palette(ui).bad)).wrap());
    }
    layout::row(ui, &[2.0, 3.0, 2.0], |column, ui| match column {
        0 => {
            let options = Language::ALL.map(|one| (one, one.name()));
            choice(ui, "Language", &mut form.language, &options);
        }
        1 => resolution(ui, &mut form.dots_per_mm),
        _ => {
            let label = ("Print head width", "dots", "full width");
            let error = error(PrinterField::Head);
            number(ui, label, &mut form.head_dots, error);
        }
    });
    layout::row(ui, &[2.0, 3.0, 2.0], |column, ui| match column {
        0 => {
            let options = Media::ALL.map(|one| (one, one.name()));
            choice(ui, "Paper", &mut form.media, &options);
        }
        1 => {
            let options = FitMode::ALL.map(|one| (one, one.name()));
            choice(ui, "If page is too wide", &mut form.fitting, &options);
        }
        // ZPL printers measure the gap themselves, and drivers know their paper.
        _ if matches!(form.language, Language::Tspl | Language::Epl) => {
            let error = error(PrinterField::Gap);
            number(ui, ("Gap", "mm", "3"), &mut form.gap_mm, error);
        }
        _ => {
            let error = error(PrinterField::Copies);
            number(ui, ("Copies", "", "1"), &mut form.copies, error);
        }
    });
    layout::row(ui, &[1.0, 1.0, 1.0, 1.6], |column, ui| {
        let (label, text, field) = match column {
            0 => (
                ("Move right", "mm", "0"),
                &mut form.offset_x,
                PrinterField::OffsetX,
            ),
            1 => (
                ("Move down", "mm", "0"),
                &mut form.offset_y,
                PrinterField::OffsetY,
            ),
            2 => (
                ("Ask if shrunk below", "% size", "90"),
                &mut form.min_scale_percent,
                PrinterField::LeastPercent,
            ),
            _ => (
                ("Cancel waiting jobs after", "min", "30"),
                &mut form.expiry_minutes,
                PrinterField::Expiry,
            ),
        };
        number(ui, label, text, error(field));
    });
    document_kinds(ui, form);
}

fn resolution(ui: &mut Ui, dots_per_mm: &mut String) {
    let words = RESOLUTIONS.map(|(_, words)| words);
    let current = RESOLUTIONS.iter().position(|(dots, _)| dots == dots_per_mm);
    let own = format!("{dots_per_mm} dots a mm");
    let select = Select::new("Resolution", current, &words).hint(&own);
    if let Some(picked) = select.show(ui).picked {
        RESOLUTIONS[picked].0.clone_into(dots_per_mm);
    }
}

/// Draws a field for a number.
fn number(
    ui: &mut Ui,
    (label, unit, hint): (&str, &str, &str),
    text: &mut String,
    error: Option<&str>,
) {
    let field = Field::new(label, text).number().unit(unit).hint(hint);
    field.error(error).show(ui);
}

fn document_kinds(ui: &mut Ui, form: &mut PrinterForm) {
    ui.label(text::small("Prints").color(palette(ui).muted));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = size::GUTTER;
        for kind in DocumentKind::OFFERED {
            let mut on = form.documents.contains(&kind);
            if checkbox(ui, &mut on, kind.name()).changed() {
                form.documents.retain(|held| *held != kind);
                if on {
                    form.documents.push(kind);
                }
            }
        }
    });
}
