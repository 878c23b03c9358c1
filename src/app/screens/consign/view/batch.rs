//! The tools that work on many drafts: the import of orders, and sending all ready drafts. Draws their menu in the
//! title row and their dialogs, and handles their keys.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::Ordering;

use egui::{
    Align, Key, KeyboardShortcut, Label, Layout, Modifiers, RichText, ScrollArea, Ui, vec2,
};

use crate::state::{
    ConsignCommand, HandoverCommand, ImportStage, ImportView, OrdersCommand, Shared,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::environment;
use crate::ui::format::counted;
use crate::ui::frame::notices;
use draft::orders::{CheckedOrders, Column, Duplicate, Mapping, Sheet};
use draft::{AddressField, DraftId, Routing};
use engine::OpenedOrders;
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::field::{Field, FieldResponse};
use widgets::hold_button::HoldButton;
use widgets::menu::{self, MenuEntry};
use widgets::modal::Modal;
use widgets::select::Select;
use widgets::tokens::{Tone, palette, size};
use widgets::{key_cap, layout, progress, text};

/// Shortcut of a dialog's main button. The shortcut works wherever the focus is in the dialog.
const MAIN_KEY: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);
/// Height of the progress bar with its text, in points.
const BAR_HEIGHT: f32 = 32.0;
/// Maximum height of the list of columns, in points.
const COLUMNS_HEIGHT: f32 = 330.0;
/// Maximum height of each list of orders and the height of its lines, in points.
const LIST_HEIGHT: f32 = 150.0;
const LINE: f32 = 26.0;

/// Relative widths of header, meaning and the two sample rows.
const WEIGHTS: [f32; 4] = [3.0, 4.0, 3.0, 3.0];

/// The column with the sender's abbreviation.
const SENDER: Column = Column::Text(draft::Field::From(AddressField::Saved));

const ROUTINGS: [(&str, Routing); 3] = [
    ("Choose later", Routing::Unchosen),
    ("Cheapest", Routing::Cheapest),
    ("Fastest", Routing::Fastest),
];

/// The dialogs and their input.
#[derive(Default)]
pub(super) struct BatchTools {
    orders: ImportDialog,
    send_all: SendAllDialog,
}

impl BatchTools {
    pub(super) fn is_open(&self, shared: &Shared) -> bool {
        shared.consign.import.stage != ImportStage::Closed || self.send_all.open
    }

    /// Draws the menu in the title row.
    pub(super) fn menu(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let ready = context.shared.consign.batch().ready.len();
        let words = match ready {
            0 => "Batch".to_owned(),
            ready => format!("Batch · {ready} ready"),
        };
        let batch = ui.add(Button::quiet(&words).opens().small());
        let send_all = format!("Send all ready ({ready})…");
        let keys = [Action::ImportOrders, Action::SendAll, Action::TakeNextOrder].map(Action::key);
        let entry = |action: Action, text, key| MenuEntry {
            key,
            ..MenuEntry::new(text, false).icon(action.entry().icon)
        };
        let mut entries = vec![
            entry(Action::ImportOrders, "Import orders…", &*keys[0]),
            entry(Action::SendAll, &send_all, &*keys[1]),
        ];
        let leave = format!("Leave all ready for any bench ({ready})");
        let waiting = { context.shared.consign.waiting.iter() }
            .filter(|draft| draft.is_ready)
            .count();
        let take = format!("Take the next order ({waiting} waiting)");
        if context.shared.workgroup.is_some() {
            entries.push(MenuEntry {
                enabled: ready > 0,
                ..entry(Action::LeaveDraft, &leave, "")
            });
            entries.push(MenuEntry {
                enabled: waiting > 0,
                ..entry(Action::TakeNextOrder, &take, &*keys[2])
            });
        }
        match menu::under(&batch, 280.0, &entries) {
            Some(0) => context.push(OrdersCommand::Import(None)),
            Some(1) => self.send_all.begin(context.shared),
            Some(2) => {
                let batch = context.shared.consign.batch();
                let ready = batch.ready.iter().map(|draft| draft.id.clone());
                let leave = HandoverCommand::Leave(ready.collect());
                context.push(ConsignCommand::Handover(leave));
            }
            Some(_) => context.push(ConsignCommand::Handover(HandoverCommand::TakeNext)),
            None => {}
        }
    }

    /// Handles the actions that keys and the list of all actions request.
    pub(super) fn actions(&mut self, context: &mut Context<'_>) {
        if context.is_triggered(Action::ImportOrders) {
            context.push(OrdersCommand::Import(None));
        }
        if context.is_triggered(Action::SendAll) {
            self.send_all.begin(context.shared);
        }
    }

    /// Draws the dialogs. Must be called in every frame, open or not.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.orders.show(ui, context);
        self.send_all.show(ui, context);
    }
}

/// The dialog that imports orders from a file, with a page for each stage: the file, its columns, the review and
/// the result.
#[derive(Default)]
struct ImportDialog {
    /// The stage that the other fields belong to.
    stage: ImportStage,
    path: String,
    mapping: Mapping,
    /// How the carrier is chosen for orders without a carrier, as an index into `ROUTINGS`.
    routing: usize,
    /// Indices of already known orders that are to be imported anyway.
    again: BTreeSet<usize>,
}

impl ImportDialog {
    fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let view = &shared.consign.import;
        self.follow(view);
        let is_open = view.stage != ImportStage::Closed;
        let file = view
            .opened
            .as_ref()
            .and_then(|opened| opened.path.file_name());
        let title = match file {
            None => "Import orders".to_owned(),
            Some(file) => format!("Import orders: {}", file.to_string_lossy()),
        };
        let width = match view.stage {
            ImportStage::Columns | ImportStage::Review => 760.0,
            _ => 520.0,
        };
        let mut open = is_open;
        let modal = Modal::new("orders", &title).width(width);
        modal.show(ui, &mut open, |ui, _| {
            ui.spacing_mut().item_spacing.y = 8.0;
            if let Some(problem) = &view.problem {
                notices::bar(problem).show(ui);
            }
            self.page(ui, context);
        });
        if is_open && !open {
            context.push(OrdersCommand::PutAway);
        }
    }

    fn page(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let view = &context.shared.consign.import;
        match (view.stage, &view.opened, &view.checked) {
            (ImportStage::Path, ..) => self.path_page(ui, context),
            (ImportStage::Opening, ..) => text::note(ui, "Reading the file…"),
            (ImportStage::Columns, Some(opened), _) => self.columns_page(ui, context, opened),
            (ImportStage::Checking, Some(opened), _) => {
                let done = view.progress.load(Ordering::Relaxed);
                let total = opened.sheet.rows.len();
                progress::bar(ui, done, total, "rows checked", Tone::Accent);
            }
            (ImportStage::Review, Some(opened), Some(checked)) => {
                self.review_page(ui, context, &opened.sheet, checked);
            }
            (ImportStage::Taking, ..) => text::note(ui, "Creating the drafts…"),
            (ImportStage::Done, ..) => self.done_page(ui, context),
            _ => {}
        }
    }

    /// Resets the state when another stage was opened. The path is kept, so that a typing mistake can be corrected.
    fn follow(&mut self, view: &ImportView) {
        if self.stage != view.stage {
            self.stage = view.stage;
            match (view.stage, &view.opened) {
                (ImportStage::Columns, Some(opened)) => self.mapping.clone_from(&opened.mapping),
                (ImportStage::Review, _) => self.again.clear(),
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

    fn path_page(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        text::note(
            ui,
            "A CSV file with a header row: one row per order, or one row per goods line with the same reference",
        );
        let (field, path) = self.path_field(ui, "Path of the file", "/home/bench/orders.csv");
        ui.horizontal(|ui| {
            let open = ui.add_enabled(path.is_some(), Button::primary("Open"));
            if path.is_some() && (open.clicked() || field.entered) {
                context.push(OrdersCommand::Import(path.clone()));
            }
            let has_dialog = context.shared.settings.file_dialog;
            if has_dialog && ui.add(Button::new("Choose a file…")).clicked() {
                context.push(OrdersCommand::Import(None));
            }
            let path = path.filter(|_| !has_dialog);
            template_button(ui, context, has_dialog || path.is_some(), path);
            close_button(ui, context, Button::new("Cancel"));
        });
    }

    fn columns_page(&mut self, ui: &mut Ui, context: &mut Context<'_>, opened: &OpenedOrders) {
        let sheet = &opened.sheet;
        let rows = counted(sheet.rows.len(), "row", "rows");
        let how = if opened.remembered {
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
        let sender = &context.shared.consign.import.sender;
        self.defaults(ui, sender);
        let names_sender = self.mapping.contains(&Some(SENDER));
        let wrong = if self.mapping.iter().any(|column| self.is_duplicate(*column)) {
            Some("Two columns are used for the same field: change one of them")
        } else if sender.is_empty() && !names_sender {
            Some("No sender: pick one on the form first, or choose the column that has the sender")
        } else {
            None
        };
        if let Some(words) = wrong {
            ui.add(Label::new(text::body(words).color(palette(ui).bad)).wrap());
        }
        ui.horizontal(|ui| {
            if main_button(ui, "Check the orders", wrong.is_none()) {
                context.push(OrdersCommand::Check {
                    mapping: self.mapping.clone(),
                    routing: ROUTINGS[self.routing].1.clone(),
                });
            }
            if context.shared.settings.file_dialog {
                template_button(ui, context, true, None);
            }
            close_button(ui, context, Button::new("Cancel"));
        });
    }

    /// Draws the carrier and the sender that orders without a carrier or a sender get.
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

    /// Draws a column of the file: its header, its meaning, and two sample rows to check the meaning.
    fn column(&mut self, ui: &mut Ui, sheet: &Sheet, at: usize) {
        let current = self.mapping[at];
        let header = sheet.headers[at].trim();
        layout::row(ui, &WEIGHTS, |cell, ui| match cell {
            0 if header.is_empty() => beside(ui, text::strong("(no name)")),
            0 => beside(ui, text::strong(header)),
            1 => {
                let names = Column::all().iter().map(|column| column.name());
                let names: Vec<_> = std::iter::once("Not used").chain(names).collect();
                let mut all = Column::all().iter();
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
                    self.mapping[at] = picked.checked_sub(1).map(|at| Column::all()[at]);
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
    fn review_page(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        sheet: &Sheet,
        checked: &CheckedOrders,
    ) {
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
        ui.horizontal(|ui| {
            if main_button(ui, &words, taken + checked.rejected.len() > 0) {
                let again = self.again.iter().copied().collect();
                context.push(OrdersCommand::CreateDrafts(again));
            }
            if ui.add(Button::new("Back to the columns")).clicked() {
                context.push(OrdersCommand::BackToColumns);
            }
            close_button(ui, context, Button::new("Cancel"));
        });
    }

    fn known_orders(&mut self, ui: &mut Ui, checked: &CheckedOrders, known: &[usize]) {
        let is_unknown = known
            .iter()
            .any(|at| checked.orders[*at].duplicate == Some(Duplicate::PerhapsOnOtherBench));
        let count = if is_unknown {
            counted(
                known.len(),
                "order may already exist",
                "orders may already exist",
            )
        } else {
            counted(known.len(), "order already exists", "orders already exist")
        };
        ui.add_space(4.0);
        ui.label(text::body(format!(
            "{count} and will be skipped. Tick those that you want to import anyway"
        )));
        list(ui, "known", known.len(), |ui, rows| {
            for at in &known[rows] {
                let order = &checked.orders[*at];
                let duplicate = order.duplicate.as_ref().unwrap_or(&Duplicate::Imported);
                let why = duplicate.description();
                let draft = &order.draft;
                let words = format!("{} → {}: {why}", draft.title(), draft.to.title());
                let mut on = self.again.contains(at);
                if checkbox(ui, &mut on, &words).changed() && !self.again.remove(at) {
                    self.again.insert(*at);
                }
            }
        });
    }

    fn done_page(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let view = &context.shared.consign.import;
        let made = counted(view.made, "draft created", "drafts created");
        ui.label(text::strong(made));
        if !view.lost.is_empty() {
            let count = counted(view.lost.len(), "order was", "orders were");
            let words = format!("{count} imported meanwhile: {}", view.lost.join(", "));
            ui.label(text::body(words));
        }
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
                context.push(OrdersCommand::SaveRejected(path));
            }
            let has_dialog = context.shared.settings.file_dialog;
            if has_dialog && ui.add(Button::new("Choose where…")).clicked() {
                context.push(OrdersCommand::SaveRejected(None));
            }
        }
        close_button(ui, context, Button::primary("Close"));
    }
}

/// Draws the main button of a page. Ctrl+Enter presses the button from anywhere on the page.
fn main_button(ui: &mut Ui, words: &str, can: bool) -> bool {
    let key = key_cap::label(MAIN_KEY);
    let button = Button::primary(words).key(&key);
    let pressed = ui.add_enabled(can, button).clicked();
    pressed || (can && ui.input_mut(|input| input.consume_shortcut(&MAIN_KEY)))
}

/// Draws the button that saves a template file, at the typed path if there is one.
fn template_button(ui: &mut Ui, context: &mut Context<'_>, can_save: bool, path: Option<String>) {
    let button = ui.add_enabled(can_save, Button::new("Save the template…"));
    let button = button.on_hover_text("A file with all columns and a sample order");
    if button.clicked() {
        context.push(OrdersCommand::SaveTemplate(path));
    }
}

fn close_button(ui: &mut Ui, context: &mut Context<'_>, button: Button<'_>) {
    if ui.add(button.min_width(80.0)).clicked() {
        context.push(OrdersCommand::PutAway);
    }
}

/// Draws text at the height of the drop-down in the same row.
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

/// The dialog that confirms sending all ready drafts, with the drafts that will be sent.
#[derive(Default)]
struct SendAllDialog {
    open: bool,
    drafts: Vec<DraftId>,
    /// The ways in which carriers are chosen, each with its number of drafts.
    routings: Vec<(String, usize)>,
    unready: usize,
    excluded: usize,
}

impl SendAllDialog {
    /// Opens the dialog for the drafts that are ready now. Drafts that become ready later are not included.
    fn begin(&mut self, shared: &Shared) {
        if shared.consign.run.is_some() {
            return;
        }
        let batch = shared.consign.batch();
        let mut routings: Vec<(String, usize)> = Vec::new();
        for draft in &batch.ready {
            let routing = draft.routing.label();
            match routings.iter_mut().find(|(known, _)| *known == routing) {
                Some((_, count)) => *count += 1,
                None => routings.push((routing, 1)),
            }
        }
        routings.sort_by_key(|(_, count)| Reverse(*count));
        *self = Self {
            open: true,
            drafts: batch.ready.iter().map(|draft| draft.id.clone()).collect(),
            routings,
            unready: batch.unready,
            excluded: batch.excluded,
        };
    }

    fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let count = counted(self.drafts.len(), "draft", "drafts");
        let title = if self.drafts.is_empty() {
            "No draft is ready".to_owned()
        } else {
            format!("Send {count}")
        };
        let mut open = self.open;
        Modal::new("send all", &title).show(ui, &mut open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 6.0;
            for (routing, count) in &self.routings {
                ui.horizontal(|ui| {
                    ui.label(text::strong(format!("{count}")));
                    ui.label(text::body(routing));
                });
            }
            self.notes(ui);
            if !self.drafts.is_empty() {
                environment::line(ui, context.shared);
                let words = format!("Hold to send {count}");
                let hold = HoldButton::new(&words).shortcut(MAIN_KEY);
                if hold.show(ui).completed {
                    let drafts = std::mem::take(&mut self.drafts);
                    context.push(OrdersCommand::SendAll(drafts));
                    *open = false;
                }
            }
            if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                *open = false;
            }
        });
        self.open = open;
    }

    /// Draws notes about how the drafts are sent, and how many drafts are not sent.
    fn notes(&self, ui: &mut Ui) {
        if !self.drafts.is_empty() {
            text::note(
                ui,
                "Each draft is checked again, then sent. Refused drafts stay in your list",
            );
        }
        if self.unready > 0 {
            let left = counted(self.unready, "draft has", "drafts have");
            text::note(ui, format!("{left} something to fix and won't be sent"));
        }
        if self.excluded > 0 {
            let left = counted(self.excluded, "draft is left out", "drafts are left out");
            text::note(
                ui,
                format!(
                    "{left}: changes to a consignment, pending consignments, and drafts that may already have been sent"
                ),
            );
        }
        text::note(ui, "The draft that is open on the form isn't included");
    }
}

/// Draws the progress of sending all ready drafts, with a button to stop it. Draws nothing while no drafts are sent.
pub(crate) fn send_progress(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(run) = &context.shared.consign.run else {
        return;
    };
    let mut words = String::from("sent");
    for (count, word) in [
        (run.refused, "refused"),
        (run.unknown, "being checked"),
        (run.skipped, "skipped"),
    ] {
        if count > 0 {
            words = format!("{words} · {count} {word}");
        }
    }
    let tone = if run.refused > 0 {
        Tone::Warning
    } else {
        Tone::Accent
    };
    let mut stop = false;
    let room = vec2(ui.available_width(), BAR_HEIGHT);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        let label = if run.stopping { "Stopping" } else { "Stop" };
        stop = ui
            .add_enabled(!run.stopping, Button::new(label).small())
            .on_hover_text("The consignment that is being sent will finish")
            .clicked();
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            progress::bar(ui, run.done(), run.total, &words, tone);
        });
    });
    if stop {
        context.push(OrdersCommand::StopSending);
    }
}
