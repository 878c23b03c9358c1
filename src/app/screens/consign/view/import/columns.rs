//! The page that assigns the columns of a file: header, meaning, and two rows to check the choice by.

use egui::{Label, RichText, ScrollArea, Ui};

use super::{ImportDialog, main_button, template};
use crate::state::{OrdersCommand, Shared};
use crate::ui::format::counted;
use draft::Routing;
use draft::orders::{Column, Sheet};
use widgets::button::Button;
use widgets::select::Select;
use widgets::tokens::{palette, size};
use widgets::{layout, text};

/// Maximum height of the list, in points.
const LIST_HEIGHT: f32 = 330.0;

/// Relative widths of header, meaning and the two sample rows.
const WEIGHTS: [f32; 4] = [3.0, 4.0, 3.0, 3.0];

const CARRIERS: [(&str, Routing); 3] = [
    ("Choose later", Routing::Unchosen),
    ("Cheapest", Routing::Cheapest),
    ("Fastest", Routing::Fastest),
];

impl ImportDialog {
    pub(super) fn columns(
        &mut self,
        ui: &mut Ui,
        shared: &Shared,
        open: &mut bool,
    ) -> Option<OrdersCommand> {
        let view = &shared.import;
        let sheet = view.sheet.as_ref()?;
        let rows = counted(sheet.rows.len(), "row", "rows");
        let how = if view.remembered {
            "columns set as last time"
        } else {
            "columns guessed from the header: check that they are right"
        };
        let words = format!("{rows} · {} · {how}", sheet.format_label);
        ui.add(Label::new(text::body(words).color(palette(ui).muted)).wrap());
        heads(ui);
        ScrollArea::vertical()
            .max_height(LIST_HEIGHT)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                for at in 0..sheet.headers.len().min(self.mapping.len()) {
                    ui.push_id(at, |ui| self.column(ui, sheet, at));
                }
            });
        let of_orders = self.mapping.contains(&Some(Column::From));
        let wrong = if self.duplicate_column().is_some() {
            Some("Two columns have the same meaning: change one of them")
        } else if view.sender.is_empty() && !of_orders {
            Some("No sender: pick one on the form first, or choose the column that has the sender")
        } else {
            None
        };
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            if at == 0 {
                let names = CARRIERS.each_ref().map(|(name, _)| *name);
                let select =
                    Select::new("Carrier for orders without one", Some(self.routing), &names);
                if let Some(picked) = select.show(ui).picked {
                    self.routing = picked;
                }
            } else {
                ui.label(text::small("Sender for orders without one").color(palette(ui).muted));
                let sender = if view.sender.is_empty() {
                    "None"
                } else {
                    &view.sender
                };
                ui.add(Label::new(text::strong(sender)).truncate());
            }
        });
        if let Some(words) = wrong {
            ui.add(Label::new(text::body(words).color(palette(ui).bad)).wrap());
        }
        let mut asked = None;
        ui.horizontal(|ui| {
            if main_button(ui, "Check the orders", wrong.is_none()) {
                asked = Some(OrdersCommand::Check {
                    mapping: self.mapping.clone(),
                    routing: CARRIERS[self.routing].1.clone(),
                });
            }
            if !shared.no_file_dialog {
                asked = template(ui, OrdersCommand::SaveTemplate).or(asked.take());
            }
            if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
                *open = false;
            }
        });
        asked
    }

    /// Returns a column that is assigned to more than one header.
    fn duplicate_column(&self) -> Option<Column> {
        let mut used = self.mapping.iter().flatten();
        used.find(|column| self.count(**column) > 1).copied()
    }

    fn count(&self, column: Column) -> usize {
        let same = |other: &&Option<Column>| **other == Some(column);
        self.mapping.iter().filter(same).count()
    }

    fn column(&mut self, ui: &mut Ui, sheet: &Sheet, at: usize) {
        let current = self.mapping[at];
        let wrong = current.is_some_and(|column| self.count(column) > 1);
        layout::row(ui, &WEIGHTS, |cell, ui| match cell {
            0 => {
                let header = sheet.headers[at].trim();
                let header = if header.is_empty() {
                    "(no name)"
                } else {
                    header
                };
                beside(ui, text::strong(header));
            }
            1 => {
                let names: Vec<_> = std::iter::once("Not used")
                    .chain(Column::ALL.iter().map(|column| column.name()))
                    .collect();
                let chosen =
                    current.and_then(|column| Column::ALL.iter().position(|one| *one == column));
                let label = format!("{} is", sheet.headers[at].trim());
                let select = Select::new(&label, Some(chosen.map_or(0, |at| at + 1)), &names)
                    .hide_label()
                    .invalid(wrong)
                    .show(ui);
                if select.response.gained_focus() {
                    select.response.scroll_to_me(None);
                }
                if let Some(picked) = select.picked {
                    self.mapping[at] = picked.checked_sub(1).map(|at| Column::ALL[at]);
                }
            }
            sample => {
                let words = sheet.cell(sample - 2, at).trim();
                let words: String = words.chars().take(60).collect();
                let muted = palette(ui).muted;
                beside(ui, text::mono(words).color(muted));
            }
        });
    }
}

/// Draws text on the line of the drop-down.
fn beside(ui: &mut Ui, words: RichText) {
    ui.horizontal(|ui| {
        ui.set_height(size::FIELD);
        ui.add(Label::new(words).truncate());
    });
}

fn heads(ui: &mut Ui) {
    layout::row(ui, &WEIGHTS, |cell, ui| {
        let head = ["Column", "Meaning", "First row", "Second row"][cell];
        ui.label(text::small(head).color(palette(ui).muted));
    });
}
