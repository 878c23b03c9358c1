//! The page of a booked manifest, with buttons to print and save it.

use egui::{Align, Label, Layout, ScrollArea, Ui, vec2};

use crate::state::{BookedLine, BookedManifest, GroupsCommand, OperationId, SaveRequest};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, day_and_time, kilograms, zone_name};
use crate::ui::frame::notices;
use shipping::LocalTime;
use widgets::badge::{self, Badge};
use widgets::button::Button;
use widgets::card::{self, Card};
use widgets::empty_state::empty_state;
use widgets::tokens::{Tone, palette, size};
use widgets::{layout, text};

/// Relative widths of the columns: number, reference, receiver, pieces, kilograms, dangerous goods.
const COLUMNS: [f32; 6] = [1.3, 1.4, 4.2, 0.8, 0.9, 1.0];
const HEADS: [&str; 6] = ["Consignment", "Reference", "Receiver", "Pieces", "kg", "DG"];

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let Some(shown) = shared.dispatch.groups_view.shown else {
        let icon = Action::Manifests.entry().icon;
        let words = "You can print or save it here";
        empty_state(ui, icon, "Pick a manifest", words, None);
        return;
    };
    head(ui, context, shown);
    if let Some(problem) = shared.dispatch.groups_view.manifest.problem() {
        let headline = "Couldn't load the manifest";
        if notices::failed(ui, headline, problem, "Try again") {
            context.push(GroupsCommand::OpenManifest(shown));
        }
    }
    ui.add_space(size::GRID);
    match shared.dispatch.groups_view.manifest.value() {
        Some(page) => {
            if let Some(message) = &page.missing_letters {
                text::warning(ui, message);
            }
            Card::plain()
                .fill_height()
                .body(ui, |ui| body(ui, &page.manifest));
        }
        None => text::small_note(ui, "Loading…"),
    }
}

fn head(ui: &mut Ui, context: &mut Context<'_>, shown: OperationId) {
    let shared = context.shared;
    ui.horizontal(|ui| {
        ui.set_height(size::PRIMARY);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let print = Action::PrintChosen;
            let key = print.key();
            let printer = shared.dispatch.groups_view.printer.as_deref();
            let words = printer.map_or("Print".to_owned(), |name| format!("Print on {name}"));
            let button = Button::primary(&words).icon(print.entry().icon).key(&key);
            if ui.add(button).clicked() || context.is_triggered(print) {
                context.push(GroupsCommand::PrintManifest(shown));
            }
            let save = Action::SaveManifest;
            let key = save.key();
            let button = Button::new("Save PDF…").icon(save.entry().icon).key(&key);
            if ui.add(button).clicked() || context.is_triggered(save) {
                context.push(SaveRequest::Manifest(shown));
            }
            if printer.is_none() {
                let words = "No printer is set up for manifests";
                ui.add(Label::new(text::small(words).color(palette(ui).warning)).truncate());
            }
        });
    });
}

fn body(ui: &mut Ui, manifest: &BookedManifest) {
    let p = palette(ui);
    let reference = if manifest.reference.is_empty() {
        "No reference"
    } else {
        manifest.reference.as_str()
    };
    ui.horizontal(|ui| {
        ui.label(text::title(manifest.carrier()));
        if manifest.is_test {
            Badge::new(Tone::Warning, "TEST").outlined().show(ui);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Label::new(text::mono_strong(reference)).selectable(true));
        });
    });
    card::rule(ui);
    let facts = facts(manifest);
    for pair in facts.chunks(2) {
        layout::columns(ui, &[1.0, 1.0], size::GUTTER, |at, ui| {
            if let Some((name, value)) = pair.get(at) {
                ui.horizontal_top(|ui| {
                    let room = vec2(104.0, size::LINE);
                    ui.allocate_ui(room, |ui| {
                        ui.set_min_width(room.x);
                        ui.label(text::small(*name).color(p.muted));
                    });
                    ui.add(
                        Label::new(text::body(value.as_str()))
                            .wrap()
                            .selectable(true),
                    );
                });
            }
        });
    }
    card::rule(ui);
    table(ui, manifest);
}

fn facts(manifest: &BookedManifest) -> Vec<(&'static str, String)> {
    let group = &manifest.group;
    let from = &manifest.from;
    let zoned = |at: LocalTime| {
        let moment = at.in_zone(&from.zone);
        let name = moment.map_or_else(|_| String::new(), |moment| zone_name(moment.0, &from.zone));
        format!("{} {name}", day_and_time(at))
    };
    let pickup = match (group.pickup_already_booked, group.pickup_date_time) {
        (true, _) => "Pickup already booked".to_owned(),
        (false, Some(at)) => zoned(at),
        (false, None) => "No fixed time".to_owned(),
    };
    let closing = group.pickup_closing_time.map(|at| {
        let pickup = group.pickup_date_time;
        if pickup.is_some_and(|pickup| pickup.0.date() == at.0.date()) {
            at.0.strftime("%H:%M").to_string()
        } else {
            zoned(at)
        }
    });
    let closing = closing.unwrap_or_default();
    let numbers: Vec<_> = manifest.ids.iter().map(ToString::to_string).collect();
    let mut place = vec![from.name.clone()];
    place.extend(from.street.iter().cloned());
    place.push(from.place.clone());
    let dangerous = match (manifest.is_declared(), manifest.dangerous()) {
        (true, _) => "Declared",
        (false, 0) => "None declared",
        (false, _) => "Not declared. Ask the carrier before you hand them over",
    };
    let spaces = group.pallet_spaces.map(|spaces| spaces.to_string());
    let words = group.pickup_special_instructions.clone();
    let facts = [
        ("Pickup address", place.join(", ")),
        ("Manifest", numbers.join(", ")),
        ("Pickup", pickup),
        ("Closes", closing),
        ("Pallet spaces", spaces.unwrap_or_default()),
        ("Dangerous goods", dangerous.to_owned()),
        (
            "Contact",
            [from.contact.as_str(), from.phone.as_str()].join(" "),
        ),
        ("Driver instructions", words.unwrap_or_default()),
    ];
    let said = |(_, value): &(&str, String)| !value.trim().is_empty();
    facts.into_iter().filter(said).collect()
}

fn table(ui: &mut Ui, manifest: &BookedManifest) {
    let p = palette(ui);
    layout::columns(ui, &COLUMNS, size::FIELD_GAP, |at, ui| {
        let align = if matches!(at, 3 | 4) {
            Layout::right_to_left(Align::Min)
        } else {
            Layout::left_to_right(Align::Min)
        };
        ui.with_layout(align, |ui| ui.label(text::small(HEADS[at]).color(p.muted)));
    });
    let lines = &manifest.lines;
    let room = (ui.available_height() - size::ROW).max(size::ROW);
    let list = ScrollArea::vertical()
        .max_height(room)
        .auto_shrink([false, true]);
    list.show_rows(ui, size::LINE + 2.0, lines.len(), |ui, rows| {
        for line in &lines[rows] {
            row(ui, line);
        }
    });
    card::rule(ui);
    let totals = [
        counted(lines.len(), "consignment", "consignments"),
        format!("{} pieces", manifest.pieces()),
        format!("{} kg", kilograms(manifest.weight())),
    ];
    ui.label(text::strong(totals.join(" · ")));
}

fn row(ui: &mut Ui, line: &BookedLine) {
    let p = palette(ui);
    layout::columns(ui, &COLUMNS, size::FIELD_GAP, |at, ui| match at {
        0 => {
            ui.add(Label::new(text::mono(line.number.as_str())).truncate());
        }
        1 => {
            ui.add(Label::new(text::mono(line.reference.as_str())).truncate());
        }
        2 => {
            let words = format!("{}, {}", line.to, line.place);
            ui.add(Label::new(text::body(words)).truncate());
        }
        3 => right(ui, |ui| {
            ui.label(text::body(line.pieces.to_string()));
        }),
        4 => right(ui, |ui| {
            ui.label(text::body(line.weight.map(kilograms).unwrap_or_default()));
        }),
        _ if line.dangerous => {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                badge::dangerous_mark(ui);
                let numbers: Vec<_> = { line.un_numbers.iter() }
                    .map(|number| format!("{number:04}"))
                    .collect();
                let numbers = text::small(numbers.join(", ")).color(p.bad);
                ui.add(Label::new(numbers).truncate());
            });
        }
        _ => {}
    });
}

fn right(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.with_layout(Layout::right_to_left(Align::Min), content);
}
