//! The wizard that sets up a printer in four steps: find it, check its settings, test it, and tick its documents.

use egui::{Align, Label, Layout, ScrollArea, Ui};

use super::preview::TestLabelState;
use super::printers::{document_kinds, fields, new_printer};
use crate::state::{DocumentKind, LabelsCommand, Notice, PrinterForm, PrinterView, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::radio_card::RadioCard;
use widgets::tokens::{palette, size};
use widgets::{icons, text};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Step {
    #[default]
    Choose,
    Settings,
    Test,
    Documents,
}

/// The names of the steps, in their order.
const STEPS: [(Step, &str); 4] = [
    (Step::Choose, "Choose the printer"),
    (Step::Settings, "Check its settings"),
    (Step::Test, "Print a test label and scan it"),
    (Step::Documents, "Tick its documents"),
];

/// A button below a step that the clerk has pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pressed {
    Back,
    Next,
    Cancel,
}

#[derive(Default)]
pub(super) struct SetupWizard {
    open: bool,
    step: Step,
    /// The settings of the printer that is being set up.
    form: PrinterForm,
    /// True after the settings were sent to be saved, until it is known whether they were saved.
    sent: bool,
    test: TestLabelState,
}

impl SetupWizard {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the wizard at its first step.
    pub(super) fn begin(&mut self) {
        *self = Self {
            open: true,
            form: new_printer(),
            ..Self::default()
        };
    }

    /// Opens the wizard with the settings of a printer that was found.
    pub(super) fn begin_with(&mut self, form: PrinterForm) {
        self.begin();
        self.form = form;
        self.step = Step::Settings;
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        if self.sent && self.printer(shared).is_some() && shared.labels.printer_problem.is_none() {
            self.sent = false;
            self.form.was = Some(self.form.name.trim().to_owned());
            self.step = Step::Test;
            self.test = TestLabelState::of(&self.form.name);
            context.push(LabelsCommand::ShowTestLabel(
                self.form.name.trim().to_owned(),
            ));
        }
        let mut open = self.open;
        let place = STEPS.iter().position(|(step, _)| *step == self.step);
        let place = place.unwrap_or_default();
        let modal = Modal::new("printer wizard", "Set up a printer")
            .width(600.0)
            .step(place);
        modal.show(ui, &mut open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 10.0;
            let heading = format!("Step {} of {}: {}", place + 1, STEPS.len(), STEPS[place].1);
            ui.label(text::strong(&heading).color(palette(ui).text));
            let room = (ui.ctx().content_rect().height() - 230.0).max(160.0);
            // A dialog offers its content the height of the frame before, which is too low after a new step.
            let area = ScrollArea::vertical()
                .max_height(room)
                .min_scrolled_height(room);
            area.auto_shrink([false, true]).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                self.content(ui, context);
            });
            match self.buttons(ui, context.shared) {
                Some(Pressed::Cancel) => *open = false,
                Some(Pressed::Back) => self.step = STEPS[place.saturating_sub(1)].0,
                Some(Pressed::Next) => *open &= !self.advance(context),
                None => {}
            }
        });
        self.open = open;
    }

    /// Draws the content of the step.
    fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        match self.step {
            Step::Choose => self.choose(ui, context),
            Step::Settings => {
                let problem = context.shared.labels.printer_problem.as_ref();
                fields(ui, &mut self.form, problem.filter(|_| self.sent));
            }
            Step::Test => {
                let proved = self.printer(context.shared).map(|printer| &printer.proved);
                match proved.filter(|proved| !proved.is_empty()) {
                    Some(proved) => {
                        let words = format!("This printer prints readable labels: {proved}");
                        ui.add(Label::new(text::body(&words)).wrap());
                    }
                    None => self.test.content(ui, context),
                }
            }
            Step::Documents => {
                let words = "Tick what this printer prints from now on. Settings has more choices, such as other printers \
                             for some carriers";
                text::note(ui, words);
                document_kinds(ui, context.shared, &mut self.form);
            }
        }
    }

    /// Draws the printers that were found, and the choice of a printer that was not.
    fn choose(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let printers = &context.shared.labels.printers;
        let found = printers.value().into_iter().flatten();
        let found: Vec<_> = found.filter(|printer| !printer.set_up).collect();
        if printers.value().is_none() && printers.problem().is_none() {
            text::note(ui, "Checking the printers");
        } else if found.is_empty() && printers.problem().is_none() {
            text::note(ui, "No other printer was found on this computer");
        }
        for printer in found {
            let chosen = self.form.destination == printer.form.destination;
            let card = RadioCard::new(icons::ICON_PRINT, &printer.name, &printer.description);
            if card.chosen(chosen).show(ui).clicked() {
                self.form = printer.form.clone();
                self.step = Step::Settings;
            }
        }
        let words = "a label printer's address, an ipp:// address or a file";
        let other = RadioCard::new(icons::ICON_LAN, "Another printer", words);
        if other.show(ui).clicked() {
            self.form = new_printer();
            self.step = Step::Settings;
        }
        if let Some(problem) = printers.problem() {
            notices::bar(&Notice::failed("Can't reach the print service", problem)).show(ui);
        }
        let entry = Action::RefreshPrinters.entry();
        let button = Button::new(entry.name).icon(entry.icon).key("F8");
        if ui.add(button).clicked() {
            context.push(LabelsCommand::RefreshPrinters);
        }
    }

    /// Draws the buttons below the step, and returns the button that was pressed.
    fn buttons(&self, ui: &mut Ui, shared: &Shared) -> Option<Pressed> {
        let is_proved = self
            .printer(shared)
            .is_some_and(|printer| !printer.proved.is_empty());
        let (words, can) = match self.step {
            Step::Choose => ("", false),
            Step::Settings => {
                let form = &self.form;
                let is_filled = !form.name.trim().is_empty() && !form.destination.trim().is_empty();
                ("Save and test", is_filled)
            }
            Step::Test if is_proved => ("Next", true),
            Step::Test => ("Skip the test", true),
            Step::Documents => ("Finish", true),
        };
        let mut pressed = None;
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = size::GRID;
            let button = if self.step == Step::Test && !is_proved {
                Button::new(words)
            } else {
                Button::primary(words)
            };
            if !words.is_empty() && ui.add_enabled(can, button).clicked() {
                pressed = Some(Pressed::Next);
            }
            // A saved printer is changed under its own name, and its address stays.
            let has_back = self.step != Step::Choose
                && (self.step != Step::Settings || self.form.was.is_none());
            if has_back && ui.add(Button::new("Back")).clicked() {
                pressed = Some(Pressed::Back);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let words = if self.form.was.is_some() {
                    "Close"
                } else {
                    "Cancel"
                };
                if ui.add(Button::quiet(words)).clicked() {
                    pressed = Some(Pressed::Cancel);
                }
            });
        });
        pressed
    }

    /// Goes on after the present step. Returns true if the wizard has ended.
    fn advance(&mut self, context: &mut Context<'_>) -> bool {
        match self.step {
            Step::Choose => {}
            Step::Settings => {
                let form = Box::new(self.form.clone());
                context.push(LabelsCommand::SavePrinter(form));
                self.sent = true;
            }
            Step::Test => {
                let kept = self.documents(context.shared);
                if !kept.is_empty() {
                    self.form.documents = kept;
                }
                self.step = Step::Documents;
            }
            Step::Documents => {
                let form = Box::new(self.form.clone());
                context.push(LabelsCommand::SavePrinter(form));
                return true;
            }
        }
        false
    }

    /// Returns the printer that is being set up, once it is saved.
    fn printer<'a>(&self, shared: &'a Shared) -> Option<&'a PrinterView> {
        let mut printers = shared.labels.printers.value().into_iter().flatten();
        let name = self.form.name.trim();
        printers.find(|printer| printer.set_up && printer.form.name == name)
    }

    /// Returns the documents that the saved printer already prints.
    fn documents(&self, shared: &Shared) -> Vec<DocumentKind> {
        let printer = self.printer(shared);
        printer.map_or_else(Vec::new, |printer| printer.form.documents.clone())
    }
}
