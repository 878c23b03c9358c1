//! The printers: the state that each reports, which printer prints which kind of document, and the dialog that sets
//! up a printer with its address, its language and resolution, and its paper.

use egui::{Align, Frame, Label, Layout, Rect, Role, ScrollArea, Ui, UiBuilder, pos2, vec2};

use super::preview::TestLabelState;
use super::setup_wizard::SetupWizard;
use crate::state::{
    DocumentKind, FitMode, LabelsCommand, Language, Media, Notice, PrinterField, PrinterForm,
    PrinterProblem, PrinterState, PrinterView, Shared,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use crate::ui::parts::{choice, list_row, lockable, paper_note, set_by};
use printing::profile::{Rotation, Sensing};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::empty_state::empty_state;
use widgets::field::Field;
use widgets::menu::{self, MenuEntry};
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::select::Select;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, layout, paint, text};

/// Height of a row of the printers, in points.
const ROW: f32 = 48.0;

/// State of the dialogs that set up a printer and show its test label.
#[derive(Default)]
pub(super) struct PrintersState {
    form: PrinterFormState,
    wizard: SetupWizard,
    test: TestLabelState,
}

impl PrintersState {
    pub(super) const fn is_open(&self) -> bool {
        self.form.open || self.wizard.is_open() || self.test.is_open()
    }

    /// Runs the triggered actions: shows the test label of the label printer, or uses the settings that
    /// a printer reported.
    pub(super) fn by_key(&mut self, context: &mut Context<'_>) {
        let shared = context.shared;
        let mut printers = shared.labels.printers.value().into_iter().flatten();
        if context.is_triggered(Action::TestLabel)
            && let Some(chosen) = printers.clone().find(|printer| printer.chosen)
        {
            self.test.begin(&chosen.name, context);
        }
        if context.is_triggered(Action::UseDetectedSettings)
            && let Some(hint) = printers.find_map(|printer| printer.hint.as_ref())
        {
            context.push(LabelsCommand::SavePrinter(Box::new(hint.form.clone())));
        }
    }

    pub(super) fn card(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let can_add = !context.shared.settings.machine.is_locked(&["printers", ""]);
        let is_wanted = context.is_triggered(Action::AddPrinter);
        let (mut refreshed, mut added) = (false, can_add && is_wanted);
        Card::new("Printers").flush().show(
            ui,
            |ui| {
                for (action, pressed) in [
                    (Action::AddPrinter, &mut added),
                    (Action::RefreshPrinters, &mut refreshed),
                ] {
                    let entry = action.entry();
                    let button = Button::icon_only(entry.icon, entry.name).small();
                    let can = can_add || action != Action::AddPrinter;
                    *pressed |= ui.add_enabled(can, button).clicked();
                }
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                self.rows(ui, context);
                let frame = Frame::new().inner_margin(egui::Margin::symmetric(12, 6));
                frame.show(ui, |ui| {
                    let mut on = context.shared.bench.auto_print;
                    let changed = lockable(ui, context.shared, &["bench", "auto_print"], |ui| {
                        checkbox(ui, &mut on, "Print the label of each new consignment").changed()
                    });
                    if changed {
                        context.set_bench(|bench| bench.auto_print = on);
                    }
                    let printers = context.shared.labels.printers.value();
                    let machine = &context.shared.settings.machine;
                    let is_locked = |one: &PrinterView| machine.is_locked(&["printers", &one.name]);
                    if !can_add || printers.into_iter().flatten().any(is_locked) {
                        set_by(ui, machine.set_by(), "Some printers can't be changed here");
                    }
                });
            },
        );
        // The wizard was asked for on another screen.
        if added || (can_add && !self.wizard.is_open() && context.shared.labels.set_up_requested) {
            self.wizard.begin();
            context.push_some(
                context
                    .shared
                    .labels
                    .set_up_requested
                    .then_some(LabelsCommand::SetUpOpened),
            );
        }
        if refreshed {
            context.push(LabelsCommand::RefreshPrinters);
        }
    }

    fn rows(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let printers = &context.shared.labels.printers;
        if let Some(problem) = printers.problem() {
            let notice = Notice::failed("Can't reach the print service", problem);
            let frame = Frame::new().inner_margin(8);
            frame.show(ui, |ui| notices::bar(&notice).show(ui));
        }
        match printers.value() {
            Some(printers) if printers.is_empty() => {
                let words =
                    "Set up a print queue of this computer, or enter a label printer's address";
                empty_state(ui, icons::ICON_PRINT, "No printer yet", words, None);
            }
            Some(printers) => {
                for printer in printers {
                    ui.push_id(&printer.name, |ui| {
                        self.row(ui, context, printer);
                        hint(ui, context, printer);
                    });
                }
            }
            None if printers.problem().is_none() => {
                let frame = Frame::new().inner_margin(14);
                frame.show(ui, |ui| text::note(ui, "Checking the printers"));
            }
            None => {}
        }
    }

    fn row(&mut self, ui: &mut Ui, context: &mut Context<'_>, printer: &PrinterView) {
        let response = list_row(ui, ROW, Role::RadioButton, &printer.name, printer.chosen);
        let rect = response.rect;
        if printer.chosen {
            let edge = Rect::from_min_size(rect.min, vec2(3.0, ROW));
            ui.painter().rect_filled(edge, 0.0, palette(ui).accent);
        }
        let inner = rect.shrink2(vec2(10.0, 3.0));
        let layout = Layout::right_to_left(Align::Center);
        let mut line = ui.new_child(UiBuilder::new().max_rect(inner).layout(layout));
        line.spacing_mut().item_spacing.x = 4.0;
        self.more(&mut line, context, printer);
        let (tone, word) = state(printer.state);
        Badge::new(tone, word).show(&mut line);
        name_and_status(&mut line, printer, inner);
        if response.clicked() && !printer.chosen {
            if printer.set_up {
                context.push(LabelsCommand::ChooseLabelPrinter(printer.name.clone()));
            } else if !context.shared.settings.machine.is_locked(&["printers", ""]) {
                self.wizard.begin_with(printer.form.clone());
            }
        }
    }

    /// Draws the menu of a printer that is set up, or the button that sets up a detected printer.
    fn more(&mut self, ui: &mut Ui, context: &mut Context<'_>, printer: &PrinterView) {
        if !printer.set_up {
            let can_add = !context.shared.settings.machine.is_locked(&["printers", ""]);
            let button = Button::new("Set up…").small();
            if ui.add_enabled(can_add, button).clicked() {
                self.wizard.begin_with(printer.form.clone());
            }
            return;
        }
        let name = format!("More for {}", printer.name);
        let button = ui.add(Button::icon_only(icons::ICON_MORE_HORIZ, &name).small());
        let lines = [
            (icons::ICON_EDIT, "Change…"),
            (icons::ICON_LABEL, "Test label…"),
            (icons::ICON_DELETE, "Remove this printer"),
        ];
        let machine = &context.shared.settings.machine;
        let is_locked = machine.is_locked(&["printers", &printer.name]);
        let lines = lines.map(|(icon, text)| MenuEntry {
            enabled: !is_locked || text.starts_with("Test"),
            ..MenuEntry::new(text, false).icon(icon)
        });
        match menu::under(&button, 200.0, &lines) {
            Some(0) => self.form.change(printer.form.clone()),
            Some(1) => self.test.begin(&printer.name, context),
            Some(2) => context.push(LabelsCommand::RemovePrinter(printer.name.clone())),
            _ => {}
        }
    }

    pub(super) fn show_dialogs(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.form.show(ui, context);
        self.wizard.show(ui, context);
        self.test.show(ui, context, self.wizard.is_open());
    }
}

const fn state(state: Option<PrinterState>) -> (Tone, &'static str) {
    match state {
        Some(PrinterState::Ready) => (Tone::Ok, "ready"),
        Some(PrinterState::Printing) => (Tone::Accent, "printing"),
        Some(PrinterState::Stopped) => (Tone::Bad, "stopped"),
        Some(PrinterState::Rejecting) => (Tone::Bad, "doesn't accept jobs"),
        Some(PrinterState::OutOfReach) => (Tone::Bad, "not reachable"),
        Some(PrinterState::NeedsAttention) => (Tone::Warning, "needs attention"),
        Some(PrinterState::Unknown) => (Tone::Neutral, "status unknown"),
        None => (Tone::Bad, "gone"),
    }
}

/// Draws the name of a printer and the state that it reports, in the remaining width of the row `inner`.
fn name_and_status(line: &mut Ui, printer: &PrinterView, inner: Rect) {
    let p = palette(line);
    let icon = paint::icon(line, icons::ICON_PRINT, 16.0, p.text);
    line.painter()
        .galley(pos2(inner.left(), inner.top() + 3.0), icon, p.text);
    let parts = [&printer.message, &printer.proved, &printer.description];
    let parts = parts.map(String::as_str).into_iter();
    let said: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let words = said.join(" · ");
    let block = Rect::from_min_size(
        pos2(inner.left() + 22.0, inner.top() + 2.0),
        vec2(line.available_width() - 24.0, ROW),
    );
    let layout = Layout::top_down(Align::Min);
    let mut block = line.new_child(UiBuilder::new().max_rect(block).layout(layout));
    block.spacing_mut().item_spacing.y = 0.0;
    block.add(Label::new(text::strong(&printer.name)).truncate());
    block
        .add(Label::new(text::small(&words).color(p.muted)).truncate())
        .on_hover_text(words);
}

/// Shows that the settings reported by a printer differ from the saved settings, and offers to use them.
fn hint(ui: &mut Ui, context: &mut Context<'_>, printer: &PrinterView) {
    let Some(hint) = &printer.hint else { return };
    let p = palette(ui);
    let frame = Frame::new()
        .fill(p.warning_weak)
        .inner_margin(egui::Margin::symmetric(10, 6));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 4.0;
        text::warning(ui, &hint.message);
        let take = Action::UseDetectedSettings;
        let (entry, key) = (take.entry(), take.key());
        let spoken = format!("{}: {}", entry.name, printer.name);
        let button = Button::new(entry.name).key(&key).small();
        let button = ui.add(button.accessible_name(&spoken));
        if button.on_hover_text(entry.tooltip).clicked() {
            context.push(LabelsCommand::SavePrinter(Box::new(hint.form.clone())));
        }
    });
}

/// State of the dialog that changes a printer, with the form's values.
#[derive(Default)]
struct PrinterFormState {
    open: bool,
    form: PrinterForm,
    /// True after the form was submitted. The form stays open until it is known whether it was saved.
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
    fn change(&mut self, form: PrinterForm) {
        self.form = form;
        self.open = true;
        self.sent = false;
    }

    fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let mut printers = shared.labels.printers.value().into_iter().flatten();
        let kept =
            printers.any(|printer| printer.set_up && printer.form.name == self.form.name.trim());
        if self.sent && kept && shared.labels.printer_problem.is_none() {
            self.open = false;
            self.sent = false;
        }
        let (form, sent) = (&mut self.form, &mut self.sent);
        let modal = Modal::new("printer", "Change the printer").width(600.0);
        modal.show(ui, &mut self.open, |ui, open| {
            let problem = shared.labels.printer_problem.as_ref().filter(|_| *sent);
            // In a low window the fields scroll and the buttons stay visible.
            let room = (ui.ctx().content_rect().height() - 190.0).max(160.0);
            let area = ScrollArea::vertical().max_height(room);
            let area = area.auto_shrink([false, true]);
            area.show(ui, |ui| {
                fields(ui, form, problem);
                document_kinds(ui, shared, form);
            });
            let can = !form.name.trim().is_empty() && !form.destination.trim().is_empty();
            if confirm_or_cancel(ui, open, Button::primary("Save"), can) {
                context.push(LabelsCommand::SavePrinter(Box::new(form.clone())));
                *sent = true;
            }
        });
    }
}

/// A field for a number: label, unit, the hint in an empty field, and the typed text.
type NumberField = (
    PrinterField,
    [&'static str; 3],
    fn(&mut PrinterForm) -> &mut String,
);

const NUMBERS: [NumberField; 11] = [
    (PrinterField::OwnWidth, ["Width", "mm", "100"], |form| {
        &mut form.own_width
    }),
    (PrinterField::OwnHeight, ["Height", "mm", "50"], |form| {
        &mut form.own_height
    }),
    (PrinterField::Darkness, ["Darkness", "", "as set"], |form| {
        &mut form.darkness
    }),
    (PrinterField::Speed, ["Speed", "", "as set"], |form| {
        &mut form.speed
    }),
    (
        PrinterField::Head,
        ["Print head width", "dots", "full width"],
        |form| &mut form.head_dots,
    ),
    (PrinterField::Gap, ["Gap", "mm", "3"], |form| {
        &mut form.gap_mm
    }),
    (PrinterField::Copies, ["Copies", "", "1"], |form| {
        &mut form.copies
    }),
    (PrinterField::OffsetX, ["Move right", "mm", "0"], |form| {
        &mut form.offset_x
    }),
    (PrinterField::OffsetY, ["Move down", "mm", "0"], |form| {
        &mut form.offset_y
    }),
    (
        PrinterField::LeastPercent,
        ["Ask if shrunk below", "% size", "90"],
        |form| &mut form.min_scale_percent,
    ),
    (
        PrinterField::Expiry,
        ["Cancel waiting jobs after", "min", "30"],
        |form| &mut form.expiry_minutes,
    ),
];

/// Draws the fields, with the problem of the submitted form, if there is one.
pub(super) fn fields(ui: &mut Ui, form: &mut PrinterForm, problem: Option<&PrinterProblem>) {
    ui.spacing_mut().item_spacing.y = 10.0;
    let error = |field| {
        let problem = problem.filter(|problem| problem.field == field);
        problem.map(|problem| problem.message.as_str())
    };
    let number = |ui: &mut Ui, form: &mut PrinterForm, field: PrinterField| {
        for (of, [label, unit, hint], text) in NUMBERS {
            if of == field {
                let field = Field::new(label, text(form)).number().unit(unit);
                field.hint(hint).error(error(of)).show(ui);
            }
        }
    };
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
    layout::row(ui, &[2.0, 3.0, 2.0], |column, ui| match column {
        0 => {
            let options = Language::ALL.map(|one| (one, one.name()));
            choice(ui, "Language", &mut form.language, &options);
        }
        1 => resolution(ui, &mut form.dots_per_mm, error(PrinterField::Resolution)),
        _ => number(ui, form, PrinterField::Head),
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
        _ => number(ui, form, PrinterField::Copies),
    });
    if form.media == Media::Own {
        layout::row(ui, &[1.0, 1.0], |column, ui| {
            let fields = [PrinterField::OwnWidth, PrinterField::OwnHeight];
            number(ui, form, fields[column]);
        });
    }
    if form.language.is_dots() {
        placement(ui, form, &number);
    }
    layout::row(ui, &[1.0, 1.0, 1.0, 1.6], |column, ui| {
        use PrinterField::{Expiry, LeastPercent, OffsetX, OffsetY};
        number(ui, form, [OffsetX, OffsetY, LeastPercent, Expiry][column]);
    });
}

/// Draws the fields that say how a page lies on the roll, and how the printer moves and burns it.
fn placement(
    ui: &mut Ui,
    form: &mut PrinterForm,
    number: &impl Fn(&mut Ui, &mut PrinterForm, PrinterField),
) {
    let is_raw = form.language.is_raw();
    let has_gap = is_raw && form.language.uses_gap() && form.sensing != Some(Sensing::Continuous);
    let columns: &[f32] = match (is_raw, has_gap) {
        (false, _) => &[1.0],
        (true, false) => &[2.0, 2.6, 1.2, 1.2],
        (true, true) => &[2.0, 2.6, 1.2, 1.2, 1.2],
    };
    layout::row(ui, columns, |column, ui| match column {
        0 => {
            let options = Rotation::ALL.map(|one| (one, one.name()));
            choice(ui, "Turn pages", &mut form.rotation, &options);
        }
        1 => {
            let usual = if form.language.uses_gap() {
                Sensing::Gap.name()
            } else {
                "As set in the printer"
            };
            let mut options = vec![(None, usual)];
            let others = Sensing::ALL.map(|one| (Some(one), one.name()));
            options.extend(others.into_iter().filter(|(_, name)| *name != usual));
            choice(ui, "Next label by", &mut form.sensing, &options);
        }
        2 => number(ui, form, PrinterField::Darkness),
        3 => number(ui, form, PrinterField::Speed),
        _ => number(ui, form, PrinterField::Gap),
    });
}

fn resolution(ui: &mut Ui, dots_per_mm: &mut String, error: Option<&str>) {
    let words = RESOLUTIONS.map(|(_, words)| words);
    let current = RESOLUTIONS.iter().position(|(dots, _)| dots == dots_per_mm);
    let own = format!("{dots_per_mm} dots a mm");
    let select = Select::new("Resolution", current, &words).hint(&own);
    let select = select.error(error);
    if let Some(picked) = select.show(ui).picked {
        RESOLUTIONS[picked].0.clone_into(dots_per_mm);
    }
}

pub(super) fn document_kinds(ui: &mut Ui, shared: &Shared, form: &mut PrinterForm) {
    ui.label(text::small("Prints").color(palette(ui).muted));
    lockable(ui, shared, &["documents"], |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = size::GUTTER;
            for kind in DocumentKind::ALL {
                let mut on = form.documents.contains(&kind);
                if checkbox(ui, &mut on, kind.name()).changed() {
                    form.documents.retain(|held| *held != kind);
                    if on {
                        form.documents.push(kind);
                    }
                }
            }
        });
    });
    let is_document = |kind: &DocumentKind| *kind != DocumentKind::ItemLabels;
    if form.documents.iter().any(is_document) {
        paper_note(ui, form.media);
    }
}
