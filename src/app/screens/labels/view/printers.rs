//! The list of printers: the state that each reports, and which one prints labels.

use egui::{
    Align, Label, Layout, Rect, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::{printer_form, test_label};
use crate::state::{LabelsCommand, Notice, PrinterState, PrinterView};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::empty_state::empty_state;
use widgets::menu::{self, MenuEntry};
use widgets::tokens::{Tone, palette};
use widgets::{icons, text};

const ROW: f32 = 48.0;

/// Runs the requested printer actions: the test label of the printer for labels, and using the settings that
/// a printer reported.
pub(super) fn by_key(context: &mut Context<'_>, test: &mut test_label::TestLabelState) {
    let printers = || context.shared.printers.value().into_iter().flatten();
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
            let add = Action::AddPrinter.entry();
            added = ui
                .add(Button::icon_only(add.icon, add.name).small())
                .clicked();
            let refresh = Action::RefreshPrinters.entry();
            refreshed = ui
                .add(Button::icon_only(refresh.icon, refresh.name).small())
                .clicked();
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let printers = &context.shared.printers;
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
                    egui::Frame::new().inner_margin(14).show(ui, |ui| {
                        ui.label(text::body("Checking the printers").color(palette(ui).muted))
                    });
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
            let mut on = context.shared.auto_print;
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
    let p = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(Role::RadioButton, true, printer.chosen, &printer.name)
    });
    let fill = match (printer.chosen, response.hovered()) {
        (true, _) => p.accent_weak,
        (false, true) => p.raised,
        (false, false) => p.surface,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, p.border),
    );
    if printer.chosen {
        ui.painter()
            .rect_filled(Rect::from_min_size(rect.min, vec2(3.0, ROW)), 0.0, p.accent);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect.shrink(1.0),
            4.0,
            Stroke::new(2.0, p.accent),
            egui::StrokeKind::Inside,
        );
    }
    let inner = rect.shrink2(vec2(10.0, 3.0));
    let mut line = ui.new_child(
        UiBuilder::new()
            .max_rect(inner)
            .layout(Layout::right_to_left(Align::Center)),
    );
    line.spacing_mut().item_spacing.x = 4.0;
    more(&mut line, context, printer, (form, test));
    let (tone, word) = state(printer.state);
    Badge::new(tone, word).show(&mut line);
    let room = line.available_width();
    name_and_status(&mut line, printer, inner, room);
    if response.clicked() && !printer.chosen {
        if printer.set_up {
            context.push(LabelsCommand::ChoosePrinter(printer.name.clone()));
        } else {
            form.set_up(printer.form.clone());
        }
    }
}

/// Draws the name of a printer and what it reports.
fn name_and_status(line: &mut Ui, printer: &PrinterView, inner: Rect, room: f32) {
    let p = palette(line);
    let icon = text::plain(
        line,
        icons::ICON_PRINT.codepoint,
        text::icon_font(16.0),
        p.text,
    );
    line.painter()
        .galley(pos2(inner.left(), inner.top() + 3.0), icon, p.text);
    let parts = [&printer.message, &printer.proved, &printer.description];
    let parts = parts.map(String::as_str);
    let words = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ");
    let block = Rect::from_min_size(
        pos2(inner.left() + 22.0, inner.top() + 2.0),
        vec2(room - 24.0, ROW),
    );
    let mut block = line.new_child(
        UiBuilder::new()
            .max_rect(block)
            .layout(Layout::top_down(Align::Min)),
    );
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
        ui.add(Label::new(text::small(&hint.message).color(p.warning)).wrap());
        let take = Action::UseDetectedSettings;
        let key = take.key();
        let spoken = format!("{}: {}", take.entry().name, printer.name);
        let button = Button::new(take.entry().name)
            .key(&key)
            .small()
            .accessible_name(&spoken);
        if ui.add(button).on_hover_text(take.entry().tooltip).clicked() {
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
