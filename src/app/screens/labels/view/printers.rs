//! The list of printers: the state that each reports, and which printer prints labels.

use egui::{Align, Label, Layout, Rect, Role, Ui, UiBuilder, pos2, vec2};

use super::{printer_form, test_label};
use crate::state::{LabelsCommand, Notice, PrinterState, PrinterView};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use crate::ui::parts::list_row;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::empty_state::empty_state;
use widgets::menu::{self, MenuEntry};
use widgets::select::Select;
use widgets::tokens::{Tone, palette};
use widgets::{icons, paint, text};

/// Heights of a row of the printers and of a kind of document, in points.
const ROW: f32 = 48.0;
const DOCUMENT_ROW: f32 = 32.0;

/// Runs the requested printer actions: the test label of the printer for labels, and using the settings that
/// a printer reported.
pub(super) fn by_key(context: &mut Context<'_>, test: &mut test_label::TestLabelState) {
    let printers = || context.shared.labels.printers.value().into_iter().flatten();
    let chosen = printers()
        .find(|printer| printer.chosen)
        .map(|printer| printer.name.clone());
    let hinted = printers().find_map(|printer| printer.hint.clone());
    if context.is_triggered(Action::TestLabel)
        && let Some(name) = chosen
    {
        test.begin(&name, context);
    }
    if context.is_triggered(Action::UseDetectedSettings)
        && let Some(hint) = hinted
    {
        context.push(LabelsCommand::SavePrinter(Box::new(hint.form)));
    }
}

pub(super) fn card(
    ui: &mut Ui,
    context: &mut Context<'_>,
    form: &mut printer_form::PrinterFormState,
    test: &mut test_label::TestLabelState,
) {
    let (mut refreshed, mut added) = (false, false);
    Card::new("Printers").flush().show(
        ui,
        |ui| {
            let mut button = |action: Action| {
                let entry = action.entry();
                let button = Button::icon_only(entry.icon, entry.name).small();
                ui.add(button).clicked()
            };
            added = button(Action::AddPrinter);
            refreshed = button(Action::RefreshPrinters);
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let printers = &context.shared.labels.printers;
            if let Some(problem) = printers.problem() {
                let notice = Notice::failed("Can't reach the print service", problem);
                egui::Frame::new()
                    .inner_margin(8)
                    .show(ui, |ui| notices::bar(&notice).show(ui));
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
                            row(ui, context, printer, (form, test));
                            hint(ui, context, printer);
                        });
                    }
                }
                None if printers.problem().is_none() => {
                    egui::Frame::new()
                        .inner_margin(14)
                        .show(ui, |ui| text::note(ui, "Checking the printers"));
                }
                None => {}
            }
            automatic(ui, context);
        },
    );
    if added {
        form.set_up(printer_form::new_printer());
    }
    if refreshed {
        context.push(LabelsCommand::RefreshPrinters);
    }
}

/// Draws the checkbox for printing new labels automatically.
fn automatic(ui: &mut Ui, context: &mut Context<'_>) {
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(12, 6))
        .show(ui, |ui| {
            let mut on = context.shared.labels.auto_print;
            if checkbox(ui, &mut on, "Print the label of each new consignment").changed() {
                context.push(LabelsCommand::AutoPrint(on));
            }
        });
}

const fn state(state: PrinterState) -> (Tone, &'static str) {
    match state {
        PrinterState::Ready => (Tone::Ok, "ready"),
        PrinterState::Printing => (Tone::Accent, "printing"),
        PrinterState::Stopped => (Tone::Bad, "stopped"),
        PrinterState::Rejecting => (Tone::Bad, "doesn't accept jobs"),
        PrinterState::OutOfReach => (Tone::Bad, "not reachable"),
        PrinterState::NeedsAttention => (Tone::Warning, "needs attention"),
        PrinterState::Unknown => (Tone::Neutral, "status unknown"),
        PrinterState::Missing => (Tone::Bad, "gone"),
    }
}

fn row(
    ui: &mut Ui,
    context: &mut Context<'_>,
    printer: &PrinterView,
    (form, test): (
        &mut printer_form::PrinterFormState,
        &mut test_label::TestLabelState,
    ),
) {
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
    more(&mut line, context, printer, (form, test));
    let (tone, word) = state(printer.state);
    Badge::new(tone, word).show(&mut line);
    name_and_status(&mut line, printer, inner);
    if response.clicked() && !printer.chosen {
        if printer.set_up {
            context.push(LabelsCommand::ChoosePrinter(printer.name.clone()));
        } else {
            form.set_up(printer.form.clone());
        }
    }
}

/// Draws the name of a printer and the state that it reports, in the remaining room of the row `inner`.
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

/// Shows that a printer reports other settings than it is set up with, and offers to use them.
fn hint(ui: &mut Ui, context: &mut Context<'_>, printer: &PrinterView) {
    let Some(hint) = &printer.hint else { return };
    let p = palette(ui);
    let frame = egui::Frame::new()
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

fn more(
    ui: &mut Ui,
    context: &mut Context<'_>,
    printer: &PrinterView,
    (form, test): (
        &mut printer_form::PrinterFormState,
        &mut test_label::TestLabelState,
    ),
) {
    if !printer.set_up {
        if ui.add(Button::new("Set up…").small()).clicked() {
            form.set_up(printer.form.clone());
        }
        return;
    }
    let name = format!("More for {}", printer.name);
    let button = ui.add(Button::icon_only(icons::ICON_MORE_HORIZ, &name).small());
    let line = |icon, text| MenuEntry::new(text, false).icon(icon);
    let lines = [
        line(icons::ICON_EDIT, "Change…"),
        line(icons::ICON_LABEL, "Test label…"),
        line(icons::ICON_DELETE, "Remove this printer"),
    ];
    match menu::under(&button, 200.0, &lines) {
        Some(0) => form.set_up(printer.form.clone()),
        Some(1) => test.begin(&printer.name, context),
        Some(2) => context.push(LabelsCommand::RemovePrinter(printer.name.clone())),
        _ => {}
    }
}

/// The choice that a kind of document is not printed.
const NOWHERE: &str = "Not printed";

/// Draws the card that assigns a printer to each kind of document. There is no fallback: a kind without a printer
/// is shown as not printed.
pub(super) fn documents_card(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let set_up: Vec<&str> = shared
        .labels
        .printers
        .value()
        .into_iter()
        .flatten()
        .filter(|printer| printer.set_up)
        .map(|printer| printer.name.as_str())
        .collect();
    if set_up.is_empty() {
        return;
    }
    Card::new("Documents").body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        let options: Vec<&str> = set_up.iter().copied().chain([NOWHERE]).collect();
        for route in &shared.labels.documents {
            let printer = route.printer.as_deref();
            let current = options
                .iter()
                .position(|option| Some(*option) == printer)
                .unwrap_or(set_up.len());
            let words = vec2(ui.available_width() * 0.42, DOCUMENT_ROW);
            let row = |ui: &mut Ui| {
                ui.allocate_ui_with_layout(words, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_size(words);
                    let color = if printer.is_some() {
                        palette(ui).text
                    } else {
                        palette(ui).muted
                    };
                    ui.add(Label::new(text::body(route.kind.name()).color(color)).truncate());
                });
                let spoken = format!("Printer for {}", route.kind.name_in_sentence());
                let select = Select::new("Printer", Some(current), &options)
                    .hide_label()
                    .accessible_name(&spoken);
                if let Some(picked) = select.show(ui).picked {
                    let name = set_up.get(picked).map(|name| (*name).to_owned());
                    context.push(LabelsCommand::SetDocumentPrinter(route.kind, name));
                }
            };
            ui.push_id(route.kind, |ui| ui.horizontal(row));
        }
    });
}
