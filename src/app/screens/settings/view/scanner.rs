//! The scanner on a serial port: its last scan and its connection.

use egui::{Label, Ui};

use super::scale::{device_row, problem_bar, serial_fields, trimmed};
use crate::scanner::visible;
use crate::state::SettingsCommand;
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::parts::{lockable, unsaved_badge};
use devices::scale::FoundDevice;
use devices::serial::SerialSettings;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::{icons, text};

/// Unsaved input about the scanner.
#[derive(Default)]
pub(super) struct ScannerForm {
    /// The connection as typed; `None` while everything is as saved.
    typed: Option<SerialSettings>,
}

impl ScannerForm {
    /// Returns whether there is unsaved input.
    pub(super) const fn is_unsaved(&self) -> bool {
        self.typed.is_some()
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let saved = shared.settings.scanner.as_ref();
        let saved_draft = saved.cloned().unwrap_or_else(|| SerialSettings::usual(""));
        let is_unsaved = self.is_unsaved();
        let mut draft = self.typed.take().unwrap_or_else(|| saved_draft.clone());
        let can = !shared.settings.machine.is_locked(&["scanner"]);
        let mut wanted = None;
        let card = Card::new("Scanner on a serial port").icon(icons::ICON_BARCODE_SCANNER);
        card.show(
            ui,
            |ui| {
                if saved.is_some() {
                    let state = &shared.scanner.state;
                    Badge::new(state.tone(), state.label()).show(ui);
                }
                unsaved_badge(ui, is_unsaved);
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                if saved.is_some() {
                    last_scan(ui, context);
                } else {
                    let words = "Only for a scanner on a serial port. A scanner that types like a keyboard needs no setting";
                    text::note(ui, words);
                }
                lockable(ui, shared, &["scanner"], |ui| {
                    found_ports(ui, context, &mut draft);
                    let is_empty = draft.port.trim().is_empty();
                    let problem = (is_unsaved && is_empty)
                        .then_some("Choose a port in the list, or enter it");
                    serial_fields(ui, &mut draft, problem);
                });
                let settings = trimmed(&draft);
                ui.horizontal(|ui| {
                    let can_save = can && !settings.port.is_empty() && Some(&settings) != saved;
                    let key = Action::SaveSettings.key();
                    let save = Button::primary("Save the scanner").key(&key);
                    let is_clicked = ui.add_enabled(can_save, save).clicked();
                    if can_save && (is_clicked || context.is_triggered(Action::SaveSettings)) {
                        wanted = Some(Some(settings));
                    }
                    let remove = Button::new("Remove the scanner").icon(icons::ICON_DELETE);
                    if saved.is_some() && ui.add_enabled(can, remove).clicked() {
                        wanted = Some(None);
                    }
                });
            },
        );
        self.typed = Some(draft).filter(|draft| *draft != saved_draft);
        if let Some(scanner) = wanted {
            self.typed = None;
            context.push(SettingsCommand::SaveScanner(scanner));
        }
    }
}

/// Draws the last scan, and the problem of the scanner with its mend.
fn last_scan(ui: &mut Ui, context: &Context<'_>) {
    let scanner = &context.shared.scanner;
    ui.label(text::strong("Last scan"));
    match &scanner.last_scan {
        Some(scan) => {
            let last = Label::new(text::mono_strong(visible(scan))).wrap();
            ui.add(last);
        }
        None => text::note(ui, "Scan a barcode to test the scanner"),
    }
    problem_bar(ui, scanner.state.problem());
}

/// Draws the list of serial ports of this computer. The chosen one fills the field below.
fn found_ports(ui: &mut Ui, context: &Context<'_>, draft: &mut SerialSettings) {
    let devices = context.shared.settings.devices.value();
    let ports: Vec<_> = { devices.into_iter().flatten() }
        .filter_map(|device| match device {
            FoundDevice::SerialPort { port, .. } => Some((device, port)),
            FoundDevice::UsbScale { .. } => None,
        })
        .collect();
    if ports.is_empty() {
        let words = "No serial port found. Plug the scanner in and refresh the list above";
        return text::note(ui, words);
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (device, port) in ports {
            if device_row(ui, device, draft.port == *port) {
                draft.port.clone_from(port);
            }
        }
    });
}
