//! The dialog that sets up a printer: its address, its language and resolution, and its paper.

use egui::{ScrollArea, Ui};

use super::dialog_buttons::buttons;
use crate::state::{
    DocumentKind, FitMode, LabelsCommand, Language, Media, PrinterField, PrinterForm,
    PrinterProblem,
};
use crate::ui::Context;
use widgets::checkbox::checkbox;
use widgets::field::Field;
use widgets::modal::Modal;
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
        let mut printers = shared.printers.value().into_iter().flatten();
        let kept =
            printers.any(|printer| printer.set_up && printer.form.name == self.form.name.trim());
        if self.sent && kept && shared.printer_problem.is_none() {
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
                let problem = shared.printer_problem.as_ref().filter(|_| *sent);
                // In a low window the fields scroll and the buttons stay visible.
                let room = (ui.ctx().content_rect().height() - 190.0).max(160.0);
                ScrollArea::vertical()
                    .max_height(room)
                    .auto_shrink([false, true])
                    .show(ui, |ui| fields(ui, form, problem));
                let can = !form.name.trim().is_empty() && !form.destination.trim().is_empty();
                if buttons(ui, "Save", can, open) {
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
    let PrinterForm {
        name, destination, ..
    } = form;
    layout::row(ui, &[2.0, 3.0], |column, ui| {
        let field = if column == 0 {
            Field::new("Name", name)
                .hint("Zebra bench 4")
                .error(message_for(problem, PrinterField::Name))
        } else {
            Field::new("Connection", destination)
                .mono()
                .hint("queue NAME, HOST:9100, ipp://…, /file")
                .error(message_for(problem, PrinterField::Destination))
        };
        field.show(ui);
    });
    // A select box can't show its own problem.
    if let Some(words) = message_for(problem, PrinterField::Resolution) {
        ui.add(egui::Label::new(text::small(words).color(palette(ui).bad)).wrap());
    }
    language_and_resolution(ui, form, problem);
    paper_and_position(ui, form, problem);
    document_kinds(ui, form);
}

fn language_and_resolution(ui: &mut Ui, form: &mut PrinterForm, problem: FormProblem<'_>) {
    let PrinterForm {
        language,
        dots_per_mm,
        head_dots,
        ..
    } = form;
    layout::row(ui, &[2.0, 3.0, 2.0], |column, ui| match column {
        0 => choice(ui, "Language", language, &Language::ALL, Language::name),
        1 => {
            let words = RESOLUTIONS.map(|(_, words)| words);
            let current = RESOLUTIONS.iter().position(|(dots, _)| dots == dots_per_mm);
            let own = format!("{dots_per_mm} dots a mm");
            let select = Select::new("Resolution", current, &words).hint(&own);
            if let Some(picked) = select.show(ui).picked {
                RESOLUTIONS[picked].0.clone_into(dots_per_mm);
            }
        }
        _ => drop(
            Field::new("Print head width", head_dots)
                .number()
                .unit("dots")
                .hint("full width")
                .error(message_for(problem, PrinterField::Head))
                .show(ui),
        ),
    });
}

fn paper_and_position(ui: &mut Ui, form: &mut PrinterForm, problem: FormProblem<'_>) {
    let PrinterForm {
        media,
        fitting,
        min_scale_percent: least_percent,
        gap_mm,
        offset_x,
        offset_y,
        copies,
        expiry_minutes,
        language,
        ..
    } = form;
    layout::row(ui, &[2.0, 3.0, 2.0], |column, ui| match column {
        0 => choice(ui, "Paper", media, &Media::ALL, Media::name),
        1 => choice(
            ui,
            "If page is too wide",
            fitting,
            &FitMode::ALL,
            FitMode::name,
        ),
        // ZPL printers measure the gap themselves, and drivers know their paper.
        _ if matches!(language, Language::Tspl | Language::Epl) => drop(
            Field::new("Gap", gap_mm)
                .number()
                .unit("mm")
                .hint("3")
                .error(message_for(problem, PrinterField::Gap))
                .show(ui),
        ),
        _ => drop(
            Field::new("Copies", copies)
                .number()
                .hint("1")
                .error(message_for(problem, PrinterField::Copies))
                .show(ui),
        ),
    });
    layout::row(ui, &[1.0, 1.0, 1.0, 1.6], |column, ui| {
        let (label, text, unit, hint, field) = match column {
            0 => (
                "Move right",
                &mut *offset_x,
                "mm",
                "0",
                PrinterField::OffsetX,
            ),
            1 => (
                "Move down",
                &mut *offset_y,
                "mm",
                "0",
                PrinterField::OffsetY,
            ),
            2 => (
                "Ask if shrunk below",
                &mut *least_percent,
                "% size",
                "90",
                PrinterField::LeastPercent,
            ),
            _ => (
                "Cancel waiting jobs after",
                &mut *expiry_minutes,
                "min",
                "30",
                PrinterField::Expiry,
            ),
        };
        let field = Field::new(label, text)
            .number()
            .unit(unit)
            .hint(hint)
            .error(message_for(problem, field));
        field.show(ui);
    });
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

/// Draws a select box for one of a few values.
fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) {
    let names: Vec<_> = all.iter().map(|one| name(*one)).collect();
    let current = all.iter().position(|one| one == chosen);
    if let Some(picked) = Select::new(label, current, &names).show(ui).picked {
        *chosen = all[picked];
    }
}
