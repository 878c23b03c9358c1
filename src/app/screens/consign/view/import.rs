//! The dialog that imports orders from a file, with a page for each stage: the file, its columns, the review
//! and the result.

use std::collections::BTreeSet;
use std::ops::Range;

use egui::{Key, KeyboardShortcut, Label, Modifiers, RichText, ScrollArea, Ui};

use crate::state::{ImportStage, ImportView, OrdersCommand, Shared};
use crate::ui::Context;
use crate::ui::format::counted;
use crate::ui::frame::notices;
use draft::Routing;
use draft::orders::{CheckedOrders, Column, Duplicate, Mapping, Sheet};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::field::{Field, FieldResponse};
use widgets::modal::Modal;
use widgets::select::Select;
use widgets::tokens::{Tone, palette, size};
use widgets::{key_cap, layout, progress, text};

/// Maximum height of the list of columns, in points.
const COLUMNS_HEIGHT: f32 = 330.0;
/// Maximum height of each list of orders and the height of its lines, in points.
const LIST_HEIGHT: f32 = 150.0;
const LINE: f32 = 26.0;

/// Relative widths of header, meaning and the two sample rows.
const WEIGHTS: [f32; 4] = [3.0, 4.0, 3.0, 3.0];

const ROUTINGS: [(&str, Routing); 3] = [
    ("Choose later", Routing::Unchosen),
    ("Cheapest", Routing::Cheapest),
    ("Fastest", Routing::Fastest),
];

/// State of the dialog that is kept between frames.
#[derive(Default)]
pub(super) struct ImportDialog {
    /// The number of the file that the other fields belong to.
    turn: u64,
    stage: ImportStage,
    path: String,
    mapping: Mapping,
    /// How the carrier is chosen for orders that name none, as an index into `ROUTINGS`.
    routing: usize,
    /// Indices of already known orders that are to be imported anyway.
    again: BTreeSet<usize>,
}

pub(super) fn is_open(shared: &Shared) -> bool {
    shared.consign.import.stage != ImportStage::Closed
}

impl ImportDialog {
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let view = &context.shared.consign.import;
        self.follow(view);
        let mut open = is_open(context.shared);
        let title = match view.file.as_str() {
            "" => "Import orders".to_owned(),
            file => format!("Import orders: {file}"),
        };
        let width = match view.stage {
            ImportStage::Columns | ImportStage::Review => 760.0,
            _ => 520.0,
        };
        let shared = context.shared;
        let asked = Modal::new("orders", &title)
            .width(width)
            .show(ui, &mut open, |ui, _| {
                ui.spacing_mut().item_spacing.y = 8.0;
                if let Some(problem) = &view.problem {
                    notices::bar(problem).show(ui);
                }
                match view.stage {
                    ImportStage::Path => return self.path_page(ui, shared),
                    ImportStage::Columns => return self.columns_page(ui, shared),
                    ImportStage::Review => return self.review_page(ui, view),
                    ImportStage::Done => return self.done_page(ui, shared),
                    ImportStage::Checking => {
                        let total = view.sheet.as_ref().map_or(0, |sheet| sheet.rows.len());
                        progress::bar(ui, view.done, total, "rows checked", Tone::Accent);
                    }
                    ImportStage::Opening => text::note(ui, "Reading the file…"),
                    ImportStage::Taking => text::note(ui, "Creating the drafts…"),
                    ImportStage::Closed => {}
                }
                None
            });
        context.push_some(asked.flatten());
        if is_open(shared) && !open {
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

    /// Draws the field for a typed path. Also returns the path, if it is absolute.
    fn path_field(
        &mut self,
        ui: &mut Ui,
        label: &str,
        hint: &str,
    ) -> (FieldResponse, Option<String>) {
        let field = Field::new(label, &mut self.path).mono().hint(hint).show(ui);
        let path = self.path.trim().to_owned();
        (field, Some(path).filter(|path| path.starts_with('/')))
    }

    fn path_page(&mut self, ui: &mut Ui, shared: &Shared) -> Option<OrdersCommand> {
        text::note(
            ui,
            "A CSV file with a header row: one row per order, or one row per goods line with the same reference",
        );
        let (field, path) = self.path_field(ui, "Path of the file", "/home/bench/orders.csv");
        let mut asked = None;
        ui.horizontal(|ui| {
            let open_button = Button::primary("Open");
            let pressed = ui.add_enabled(path.is_some(), open_button).clicked();
            if pressed || field.entered {
                asked = path.clone().map(OrdersCommand::ImportFrom);
            }
            if !shared.no_file_dialog && ui.add(Button::new("Choose a file…")).clicked() {
                asked = Some(OrdersCommand::Import);
            }
            let save = if shared.no_file_dialog {
                path.map(OrdersCommand::SaveTemplateAt)
            } else {
                Some(OrdersCommand::SaveTemplate)
            };
            asked = template_button(ui, save).or(asked.take());
            asked = close_button(ui, Button::new("Cancel")).or(asked.take());
        });
        asked
    }

    fn columns_page(&mut self, ui: &mut Ui, shared: &Shared) -> Option<OrdersCommand> {
        let view = &shared.consign.import;
        let sheet = view.sheet.as_ref()?;
        let rows = counted(sheet.rows.len(), "row", "rows");
        let how = if view.remembered {
            "columns set as last time"
        } else {
            "columns guessed from the header: check that they are right"
        };
        text::note(ui, format!("{rows} · {} · {how}", sheet.format_label));
        layout::row(ui, &WEIGHTS, |cell, ui| {
            let head = ["Column", "Meaning", "First row", "Second row"][cell];
            text::small_note(ui, head);
        });
        let area = ScrollArea::vertical().max_height(COLUMNS_HEIGHT);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            for at in 0..sheet.headers.len().min(self.mapping.len()) {
                ui.push_id(at, |ui| self.column(ui, sheet, at));
            }
        });
        self.defaults(ui, &view.sender);
        let names_sender = self.mapping.contains(&Some(Column::From));
        let wrong = if self.mapping.iter().any(|column| self.is_duplicate(*column)) {
            Some("Two columns have the same meaning: change one of them")
        } else if view.sender.is_empty() && !names_sender {
            Some("No sender: pick one on the form first, or choose the column that has the sender")
        } else {
            None
        };
        if let Some(words) = wrong {
            ui.add(Label::new(text::body(words).color(palette(ui).bad)).wrap());
        }
        let mut asked = None;
        ui.horizontal(|ui| {
            if main_button(ui, "Check the orders", wrong.is_none()) {
                asked = Some(OrdersCommand::Check {
                    mapping: self.mapping.clone(),
                    routing: ROUTINGS[self.routing].1.clone(),
                });
            }
            if !shared.no_file_dialog {
                let save = Some(OrdersCommand::SaveTemplate);
                asked = template_button(ui, save).or(asked.take());
            }
            asked = close_button(ui, Button::new("Cancel")).or(asked.take());
        });
        asked
    }

    /// Draws carrier and sender of the orders that name none.
    fn defaults(&mut self, ui: &mut Ui, sender: &str) {
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            if at == 0 {
                let names = ROUTINGS.each_ref().map(|(name, _)| *name);
                let label = "Carrier for orders without one";
                let select = Select::new(label, Some(self.routing), &names).show(ui);
                self.routing = select.picked.unwrap_or(self.routing);
            } else {
                text::small_note(ui, "Sender for orders without one");
                let sender = if sender.is_empty() { "None" } else { sender };
                ui.add(Label::new(text::strong(sender)).truncate());
            }
        });
    }

    /// Returns true if a meaning is assigned to more than one column.
    fn is_duplicate(&self, column: Option<Column>) -> bool {
        let same = self.mapping.iter().filter(|other| **other == column);
        column.is_some() && same.count() > 1
    }

    /// Draws a column of the file: its header, its meaning, and two rows to check the choice by.
    fn column(&mut self, ui: &mut Ui, sheet: &Sheet, at: usize) {
        let current = self.mapping[at];
        let header = sheet.headers[at].trim();
        layout::row(ui, &WEIGHTS, |cell, ui| match cell {
            0 if header.is_empty() => beside(ui, text::strong("(no name)")),
            0 => beside(ui, text::strong(header)),
            1 => {
                let names = Column::ALL.iter().map(|column| column.name());
                let names: Vec<_> = std::iter::once("Not used").chain(names).collect();
                let mut all = Column::ALL.iter();
                let chosen = current.and_then(|column| all.position(|one| *one == column));
                let label = format!("{header} is");
                let select = Select::new(&label, Some(chosen.map_or(0, |at| at + 1)), &names)
                    .hide_label()
                    .invalid(self.is_duplicate(current))
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
                beside(ui, text::mono(words).color(palette(ui).muted));
            }
        });
    }

    /// Draws the checked orders: orders that can be imported, orders already known, and rejected rows with
    /// their reasons.
    fn review_page(&mut self, ui: &mut Ui, view: &ImportView) -> Option<OrdersCommand> {
        let (checked, sheet) = (view.checked.as_ref()?, view.sheet.as_ref()?);
        let known: Vec<usize> = (0..checked.orders.len())
            .filter(|at| checked.orders[*at].duplicate.is_some())
            .collect();
        let new = checked.orders.len() - known.len();
        ui.label(text::strong(match new {
            0 => "No new orders to import".to_owned(),
            new => counted(new, "order ready to import", "orders ready to import"),
        }));
        if !known.is_empty() {
            self.known_orders(ui, checked, &known);
        }
        if !checked.rejected.is_empty() {
            rejected_rows(ui, sheet, checked);
        }
        let taken = new + self.again.len();
        let words = match (taken, checked.rejected.len()) {
            (0, 0) => "Nothing to import".to_owned(),
            (0, _) => "Save the rejected rows to a file".to_owned(),
            (taken, _) => format!("Create {}", counted(taken, "draft", "drafts")),
        };
        let mut asked = None;
        ui.horizontal(|ui| {
            if main_button(ui, &words, taken + checked.rejected.len() > 0) {
                let again = self.again.iter().copied().collect();
                asked = Some(OrdersCommand::CreateDrafts(again));
            }
            if ui.add(Button::new("Back to the columns")).clicked() {
                asked = Some(OrdersCommand::BackToColumns);
            }
            asked = close_button(ui, Button::new("Cancel")).or(asked.take());
        });
        asked
    }

    fn known_orders(&mut self, ui: &mut Ui, checked: &CheckedOrders, known: &[usize]) {
        let count = counted(known.len(), "order already exists", "orders already exist");
        ui.add_space(4.0);
        ui.label(text::body(format!(
            "{count} and will be skipped. Tick those that you want to import anyway"
        )));
        list(ui, "known", known.len(), |ui, rows| {
            for at in &known[rows] {
                let order = &checked.orders[*at];
                let why = match &order.duplicate {
                    Some(Duplicate::Sent(number)) if number.is_empty() => "sent".to_owned(),
                    Some(Duplicate::Sent(number)) => format!("sent as {number}"),
                    Some(Duplicate::Draft) => "a draft".to_owned(),
                    Some(Duplicate::Imported) | None => "imported before".to_owned(),
                };
                let draft = &order.draft;
                let words = format!("{} → {}: {why}", draft.title(), draft.to.title());
                let mut on = self.again.contains(at);
                if checkbox(ui, &mut on, &words).changed() && !self.again.remove(at) {
                    self.again.insert(*at);
                }
            }
        });
    }

    fn done_page(&mut self, ui: &mut Ui, shared: &Shared) -> Option<OrdersCommand> {
        let view = &shared.consign.import;
        let mut asked = None;
        let made = counted(view.made, "draft created", "drafts created");
        ui.label(text::strong(made));
        let checked = view.checked.as_ref();
        let rejected = checked.map_or(0, |checked| checked.rejected.len());
        if let Some(path) = &view.rejected_at {
            let rows = counted(rejected, "row was saved to", "rows were saved to");
            let words = format!("{rows} a separate file, each with its reason:");
            ui.label(text::body(words));
            ui.add(Label::new(text::mono(path)).wrap().selectable(true));
            text::note(
                ui,
                "Fix the file and re-import: orders that are already drafts are skipped",
            );
        } else if rejected > 0 {
            let hint = "/home/bench/orders-rejected.csv";
            let (_, path) = self.path_field(ui, "Path of a new file", hint);
            let save = Button::new("Save the rejected rows");
            if ui.add_enabled(path.is_some(), save).clicked() {
                asked = path.map(OrdersCommand::SaveRejectedAt);
            }
            if !shared.no_file_dialog && ui.add(Button::new("Choose where…")).clicked() {
                asked = Some(OrdersCommand::SaveRejected);
            }
        }
        close_button(ui, Button::primary("Close")).or(asked)
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

/// Draws the button that saves a template file; disabled without a command.
fn template_button(ui: &mut Ui, save: Option<OrdersCommand>) -> Option<OrdersCommand> {
    let button = ui.add_enabled(save.is_some(), Button::new("Save the template…"));
    let button = button.on_hover_text("A file with all columns and a sample order");
    save.filter(|_| button.clicked())
}

fn close_button(ui: &mut Ui, button: Button<'_>) -> Option<OrdersCommand> {
    let pressed = ui.add(button.min_width(80.0)).clicked();
    pressed.then_some(OrdersCommand::PutAway)
}

/// Draws text on the line of the drop-down.
fn beside(ui: &mut Ui, words: RichText) {
    ui.horizontal(|ui| {
        ui.set_height(size::FIELD);
        ui.add(Label::new(words).truncate());
    });
}

fn rejected_rows(ui: &mut Ui, sheet: &Sheet, checked: &CheckedOrders) {
    let orders = counted(checked.rejected_orders, "order", "orders");
    let rows = counted(checked.rejected.len(), "row", "rows");
    ui.add_space(4.0);
    let words = format!(
        "{orders} rejected: {rows} will be saved to a new file next to this one, with the reasons"
    );
    ui.add(Label::new(text::body(words).color(palette(ui).warning)).wrap());
    list(ui, "rejected", checked.rejected.len(), |ui, shown| {
        for one in &checked.rejected[shown] {
            let line = sheet.rows[one.row].line;
            let words = format!("Line {line}: {}", one.reason);
            let row = ui.add(Label::new(text::body(&words)).truncate());
            row.on_hover_text(&one.reason);
        }
    });
}

/// Draws a long list of lines. Only the visible lines are drawn.
fn list(ui: &mut Ui, name: &str, count: usize, lines: impl FnOnce(&mut Ui, Range<usize>)) {
    ScrollArea::vertical()
        .id_salt(name)
        .max_height(LIST_HEIGHT)
        .auto_shrink([false, true])
        .show_rows(ui, LINE, count, |ui, shown| {
            ui.spacing_mut().interact_size.y = LINE;
            lines(ui, shown);
        });
}
