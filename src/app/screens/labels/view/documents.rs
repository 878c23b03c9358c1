//! The card that assigns a printer to each kind of document. There is no fallback: a kind without a printer
//! is shown as not printed.

use egui::{Align, Layout, Ui, vec2};

use crate::state::LabelsCommand;
use crate::ui::Context;
use widgets::card::Card;
use widgets::select::Select;
use widgets::text;
use widgets::tokens::palette;

const ROW: f32 = 32.0;

/// The choice that a kind of document is not printed.
const NOWHERE: &str = "Not printed";

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let set_up: Vec<&str> = shared
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
    Card::new("Documents").show(
        ui,
        |_| {},
        |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let options: Vec<&str> = set_up.iter().copied().chain([NOWHERE]).collect();
            for route in &shared.documents {
                let printer = route.printer.as_deref();
                let current = options
                    .iter()
                    .position(|option| Some(*option) == printer)
                    .unwrap_or(set_up.len());
                let words = vec2(ui.available_width() * 0.42, ROW);
                let row = |ui: &mut Ui| {
                    ui.allocate_ui_with_layout(words, Layout::left_to_right(Align::Center), |ui| {
                        ui.set_min_size(words);
                        let color = if printer.is_some() {
                            palette(ui).text
                        } else {
                            palette(ui).muted
                        };
                        ui.add(
                            egui::Label::new(text::body(route.kind.name()).color(color)).truncate(),
                        );
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
        },
    );
}
