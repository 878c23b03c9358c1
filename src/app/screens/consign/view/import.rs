//! The dialog that imports orders from a file, with a page for each stage: the file, its columns, the review
//! and the result.

mod columns;
mod review;

use std::collections::HashSet;

use egui::{Key, KeyboardShortcut, Label, Modifiers, Ui};

use crate::state::{ImportStage, ImportView, OrdersCommand, Shared};
use crate::ui::Context;
use crate::ui::frame::notices;
use draft::orders::Mapping;
use widgets::button::Button;
use widgets::field::Field;
use widgets::modal::Modal;
use widgets::progress;
use widgets::tokens::{Tone, palette};
use widgets::{key_cap, text};

/// State of the dialog that is kept between frames.
#[derive(Default)]
pub(super) struct ImportDialog {
    /// The number of the file that the other fields belong to.
    turn: u64,
    stage: ImportStage,
    path: String,
    mapping: Mapping,
    /// How the carrier is chosen for orders that name none, as an index into `columns::CARRIERS`.
    routing: usize,
    /// Indices of already known orders that are to be imported anyway.
    again: HashSet<usize>,
}

pub(super) fn is_open(shared: &Shared) -> bool {
    shared.import.stage != ImportStage::Closed
}

impl ImportDialog {
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let view = &context.shared.import;
        self.follow(view);
        let mut open = is_open(context.shared);
        let title = match (view.file.as_str(), view.stage) {
            ("", _) => "Import orders".to_owned(),
            (file, _) => format!("Import orders: {file}"),
        };
        let width = match view.stage {
            ImportStage::Columns | ImportStage::Review => 760.0,
            _ => 520.0,
        };
        let asked = Modal::new("orders", &title)
            .width(width)
            .show(ui, &mut open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 8.0;
                if let Some(problem) = &view.problem {
                    notices::bar(problem).show(ui);
                }
                match view.stage {
                    ImportStage::Closed => None,
                    ImportStage::Path => self.path(ui, context.shared, open),
                    ImportStage::Opening => said(ui, "Reading the file…"),
                    ImportStage::Columns => self.columns(ui, context.shared, open),
                    ImportStage::Checking => {
                        let total = view.sheet.as_ref().map_or(0, |sheet| sheet.rows.len());
                        progress::bar(ui, view.done, total, "rows checked", Tone::Accent);
                        None
                    }
                    ImportStage::Review => self.review(ui, view, open),
                    ImportStage::Taking => said(ui, "Creating the drafts…"),
                    ImportStage::Done => self.done(ui, context.shared, open),
                }
            });
        if let Some(command) = asked.flatten() {
            context.push(command);
        }
        if is_open(context.shared) && !open {
            context.push(OrdersCommand::PutAway);
        }
    }

    /// Resets the state when another file or stage was opened.
    fn follow(&mut self, view: &ImportView) {
        if self.turn != view.turn {
            *self = Self {
                turn: view.turn,
                // The path is kept, so that a typing mistake can be corrected.
                path: std::mem::take(&mut self.path),
                routing: self.routing,
                ..Self::default()
            };
        }
        if self.stage != view.stage {
            self.stage = view.stage;
            match view.stage {
                ImportStage::Columns => self.mapping.clone_from(&view.mapping),
                ImportStage::Review => self.again.clear(),
                _ => {}
            }
        }
    }

    fn path(&mut self, ui: &mut Ui, shared: &Shared, open: &mut bool) -> Option<OrdersCommand> {
        let mut asked = None;
        let words = "A CSV file with a header row: one row per order, or one row per goods line with the same reference";
        ui.add(Label::new(text::body(words).color(palette(ui).muted)).wrap());
        let field = Field::new("Path of the file", &mut self.path)
            .mono()
            .hint("/home/bench/orders.csv")
            .show(ui);
        let path = self.path.trim().to_owned();
        let can = path.starts_with('/');
        ui.horizontal(|ui| {
            let pressed = ui.add_enabled(can, Button::primary("Open")).clicked();
            if can && (pressed || field.entered) {
                asked = Some(OrdersCommand::ImportFrom(path.clone()));
            }
            if !shared.no_file_dialog && ui.add(Button::new("Choose a file…")).clicked() {
                asked = Some(OrdersCommand::Import);
            }
            let template_at = if shared.no_file_dialog {
                OrdersCommand::SaveTemplateAt(path.clone())
            } else {
                OrdersCommand::SaveTemplate
            };
            ui.add_enabled_ui(can || !shared.no_file_dialog, |ui| {
                asked = template(ui, template_at).or(asked.take());
            });
            if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
                *open = false;
            }
        });
        asked
    }

    fn done(&mut self, ui: &mut Ui, shared: &Shared, open: &mut bool) -> Option<OrdersCommand> {
        let view = &shared.import;
        let mut asked = None;
        let made = crate::ui::format::counted(view.made, "draft created", "drafts created");
        ui.label(text::strong(made));
        let back = view
            .checked
            .as_ref()
            .map_or(0, |checked| checked.rejected.len());
        if let Some(path) = &view.rejected_at {
            let rows = crate::ui::format::counted(back, "row was saved to", "rows were saved to");
            ui.label(text::body(format!(
                "{rows} a separate file, each with its reason:"
            )));
            ui.add(Label::new(text::mono(path)).wrap().selectable(true));
            let words = "Fix the file and re-import: orders that are already drafts are skipped";
            ui.add(Label::new(text::body(words).color(palette(ui).muted)).wrap());
        } else if back > 0 {
            Field::new("Path of a new file", &mut self.path)
                .mono()
                .hint("/home/bench/orders-rejected.csv")
                .show(ui);
            let path = self.path.trim().to_owned();
            let save = Button::new("Save the rejected rows");
            if ui.add_enabled(path.starts_with('/'), save).clicked() {
                asked = Some(OrdersCommand::SaveRejectedAt(path));
            }
            if !shared.no_file_dialog && ui.add(Button::new("Choose where…")).clicked() {
                asked = Some(OrdersCommand::SaveRejected);
            }
        }
        if ui.add(Button::primary("Close").min_width(80.0)).clicked() {
            *open = false;
        }
        asked
    }
}

/// Draws the main button of a page. Ctrl+Enter presses the button from anywhere on the page.
fn main_button(ui: &mut Ui, words: &str, can: bool) -> bool {
    let shortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);
    let key = key_cap::label(shortcut);
    let pressed = ui
        .add_enabled(can, Button::primary(words).key(&key))
        .clicked();
    pressed || (can && ui.input_mut(|input| input.consume_shortcut(&shortcut)))
}

/// Draws the button that saves a template file.
fn template(ui: &mut Ui, command: OrdersCommand) -> Option<OrdersCommand> {
    let button = ui.add(Button::new("Save the template…"));
    let button = button.on_hover_text("A file with all columns and a sample order");
    button.clicked().then_some(command)
}

fn said(ui: &mut Ui, words: &str) -> Option<OrdersCommand> {
    ui.label(text::body(words).color(palette(ui).muted));
    None
}
