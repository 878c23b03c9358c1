//! The actions on goods lines, started by a key, from the menu or by a barcode scan. Each can be undone.

use std::cmp::Ordering;
use std::collections::HashSet;

use egui::{Event, Id, Key, Modifiers, Response, Ui};

use super::super::form::FocusState;
use super::super::id;
use super::GoodsState;
use super::sub_form::{SubForm, SubFormKind};
use crate::state::{ConsignCommand, WindowCommand};
use crate::ui::Context;
use crate::ui::actions::{self, Action};
use draft::{
    DgField, Draft, Field, GoodsField, GoodsLine, ItemSource, SAVED_FIELDS, SavedItem, ScanOutcome,
};
use widgets::menu::{self, MenuEntry};
use widgets::{Icon, icons, pacer};

/// Width of the menu of a line, in points.
const MENU_WIDTH: f32 = 270.0;

/// Maximum time between two frames of one scan. A slow screen takes a tenth of a second for each frame.
const GAP_SECONDS: f64 = 0.12;
/// Minimum speed of a scan. Most scanners send more than 100 characters a second, the slowest about 30; fast
/// typists reach about 12.
const MIN_CHARACTERS_PER_SECOND: f64 = 25.0;
const MIN_CHARACTERS: usize = 4;
/// Minimum length of a scan of digits only, because a shorter number may be a quantity or a weight.
const MIN_DIGITS: usize = 6;

/// An action on a goods line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineAction {
    /// Adds a line at the end.
    Add,
    Remove,
    /// Inserts a copy below the line.
    Duplicate,
    Up,
    Down,
    /// Turns the line into a saved item, given by the SKU that is typed.
    BySku,
    /// Turns the line into a saved item, given by its id.
    ById,
    /// Turns a saved item into an ordinary line.
    NotSaved,
    /// Removes everything that overrides the saved item.
    BackToSaved,
    /// Opens or closes a sub-form of the line.
    SubForm(SubFormKind),
}

/// The actions in the order of the menu, each with the keyboard action that starts it. One key switches between a saved
/// item and an ordinary line.
pub(super) const ALL: [(LineAction, Option<Action>); 11] = [
    (LineAction::Add, Some(Action::AddLine)),
    (LineAction::BySku, Some(Action::SavedItem)),
    (LineAction::ById, None),
    (LineAction::NotSaved, Some(Action::SavedItem)),
    (LineAction::BackToSaved, None),
    (
        LineAction::SubForm(SubFormKind::Dangerous),
        Some(Action::DangerousGoods),
    ),
    (
        LineAction::SubForm(SubFormKind::Customs),
        Some(Action::Customs),
    ),
    (LineAction::Duplicate, Some(Action::DuplicateLine)),
    (LineAction::Up, Some(Action::LineUp)),
    (LineAction::Down, Some(Action::LineDown)),
    (LineAction::Remove, Some(Action::RemoveLine)),
];

impl LineAction {
    /// Returns true if the action's key starts the action on a line. `is_saved` is true for a saved item.
    const fn has_key(self, is_saved: bool) -> bool {
        match self {
            Self::BySku => !is_saved,
            Self::NotSaved => is_saved,
            _ => true,
        }
    }

    /// Returns true if the menu of a line offers the action.
    fn is_offered(self, draft: &Draft, at: usize) -> bool {
        let line = &draft.goods[at];
        match self {
            Self::Add => false,
            Self::BySku => line.source != ItemSource::Sku,
            Self::ById => line.source != ItemSource::Id,
            Self::NotSaved => line.is_saved(),
            Self::BackToSaved => override_count(line) > 0,
            Self::Up => at > 0,
            Self::Down => at + 1 < draft.goods.len(),
            Self::SubForm(SubFormKind::Customs) => {
                draft.is_international() || !line.contents.is_empty()
            }
            _ => true,
        }
    }

    /// Returns icon and text in the menu. Most actions are named like the keyboard action.
    fn entry(self, command: Option<Action>) -> (Icon, &'static str) {
        let known = command.map(Action::entry);
        match (self, known) {
            (Self::BySku, _) => (icons::ICON_BOOKMARK, "Saved item by SKU"),
            (Self::NotSaved, _) => {
                let words = "Not a saved item: enter all details";
                (icons::ICON_EDIT_SQUARE, words)
            }
            (Self::BackToSaved, _) => (icons::ICON_UNDO, "Restore the saved values"),
            (_, Some(known)) => (known.icon, known.name),
            (_, None) => (icons::ICON_BOOKMARK, "Saved item by its id"),
        }
    }
}

/// Shows the menu of a line under its button. Returns the action that was picked.
pub(super) fn show_menu(button: &Response, draft: &Draft, at: usize) -> Option<LineAction> {
    menu::under_with(button, MENU_WIDTH, |ui| {
        let offered: Vec<_> = { ALL.iter() }
            .filter(|(action, _)| action.is_offered(draft, at))
            .collect();
        let keys: Vec<String> = { offered.iter() }
            .map(|(action, key)| {
                let key = key.filter(|_| action.has_key(draft.goods[at].is_saved()));
                key.map(Action::key).unwrap_or_default()
            })
            .collect();
        let entries = offered.iter().zip(&keys).map(|((action, command), key)| {
            let (icon, text) = action.entry(*command);
            MenuEntry {
                key,
                ..MenuEntry::new(text, false).icon(icon)
            }
        });
        let entries: Vec<_> = entries.collect();
        menu::entries(ui, &entries).map(|at| offered[at].0)
    })
}

/// Returns the number of saved values that a line overrides.
pub(super) fn override_count(line: &GoodsLine) -> usize {
    let overridden = SAVED_FIELDS.iter().filter(|field| line.overrides(**field));
    overridden.count()
}

/// Updates remembered fields to the new indices of their lines. `new_index` returns `None` for a line that is gone.
fn move_lines(fields: &mut HashSet<Field>, new_index: impl Fn(usize) -> Option<usize>) {
    let moved = |field: Field| match field.line() {
        Some(line) => Some(field.in_line(new_index(line)?)),
        None => Some(field),
    };
    *fields = fields.drain().filter_map(moved).collect();
}

impl GoodsState {
    /// Handles the keys and scans of this frame, before anything is drawn. Scans are also taken while the focus
    /// `is_in_packing`, in the list of an order that is packed by scan.
    pub(in super::super) fn handle_input(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        draft: &mut Draft,
        focus: &mut FocusState,
        is_in_packing: bool,
    ) {
        self.take_weight(ui, context, draft);
        let focused = self.focused && !context.is_dialog_open;
        let scan = self.scanner.watch(ui, self.line, &draft.goods);
        let takes_scans = focused || (is_in_packing && !context.is_dialog_open);
        if let Some(scan) = scan.filter(|_| takes_scans) {
            self.handle_scan(ui, context, draft, &scan);
        }
        let is_saved = { draft.goods.get(self.line) }.is_some_and(GoodsLine::is_saved);
        for (action, key) in ALL {
            let Some(key) = key.filter(|_| action.has_key(is_saved)) else {
                continue;
            };
            let within = matches!(action, LineAction::Up | LineAction::Down) && focused;
            if context.is_triggered(key) || (within && actions::consume_shortcut(ui, key)) {
                let items = &context.shared.catalogue.items;
                self.perform(items, draft, focus, (self.line, action));
            }
        }
        if context.is_triggered(Action::AddSubRow)
            && let Some(sub_form) = self.sub_form
        {
            focus.next_widget = Some(id(sub_form.add_row(draft)));
        }
        // Text fields outside the goods have their own undo.
        let ours = focused || !(context.is_dialog_open || ui.ctx().text_edit_focused());
        // Redo is tried first, because egui treats Ctrl+Shift+Z, which many programs use for redo, as Ctrl+Z, too.
        let ctrl_shift = Modifiers::COMMAND.plus(Modifiers::SHIFT);
        let by_z = || ui.input_mut(|input| input.consume_key(ctrl_shift, Key::Z));
        let redo = ours && (by_z() || actions::consume_shortcut(ui, Action::RedoGoods));
        let undo = ours && actions::consume_shortcut(ui, Action::Undo);
        if redo || context.is_triggered(Action::RedoGoods) {
            self.undo(draft, focus, true);
        }
        if undo || context.is_triggered(Action::Undo) {
            self.undo(draft, focus, false);
        }
    }

    /// Undoes the last step; with `again`, redoes the step that was undone last.
    fn undo(&mut self, draft: &mut Draft, focus: &mut FocusState, again: bool) {
        let Some(undone) = self.history.undo(&mut draft.goods, again) else {
            return;
        };
        if !undone.in_place {
            // The index of the open sub-form may now belong to another line.
            self.close_sub_form(draft);
            self.move_lines(focus, |_| None);
        }
        let moved = self.line != undone.line;
        self.line = undone.line;
        self.scroll_to_line = true;
        self.highlighted = moved.then_some(undone.line);
        self.close_empty(draft);
        if self.sub_form.is_none() {
            self.remove_empty_rows(draft);
        }
        let cell = undone.cell.filter(|_| self.sub_form.is_some() || !moved);
        let name = id(Field::Goods(undone.line, GoodsField::Name));
        focus.next_widget = cell.or(Some(name));
    }

    /// Counts a scanned SKU. If the text is not a known SKU, the text stays in a cell that may contain such a text.
    /// In any other cell the text is removed and reported.
    fn handle_scan(&mut self, ui: &Ui, context: &mut Context<'_>, draft: &mut Draft, scan: &Scan) {
        let typed = draft.goods.clone();
        if let Some((at, before)) = &scan.before
            && let Some(line) = draft.goods.get_mut(*at)
        {
            line.clone_from(before);
        }
        if draft.packing.is_some() {
            // A scan counts a packed piece, and never raises a quantity.
            context.push(WindowCommand::Find(scan.text.clone()));
            ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            return;
        }
        match draft.scan(&scan.text, &context.shared.catalogue.items) {
            ScanOutcome::CountedUp(at) | ScanOutcome::Added(at) => {
                context.push(ConsignCommand::CountedScan);
                self.show_scanned(at);
            }
            ScanOutcome::QuantityNotANumber(at) => {
                context.push(ConsignCommand::UncountedScan(scan.text.clone(), at));
                self.show_scanned(at);
            }
            ScanOutcome::Unknown => {
                // Text that is not a known SKU may be a name, but never a number or an item type.
                let in_sub_form = self.sub_form.is_some_and(|open| open.line == self.line);
                let may_stay = match self.cell {
                    None => in_sub_form,
                    Some(GoodsField::Sku | GoodsField::SavedId) => true,
                    Some(GoodsField::Name) => !looks_scanned(&scan.text),
                    Some(_) => false,
                };
                if may_stay {
                    draft.goods = typed;
                    return;
                }
                context.push(ConsignCommand::UnknownScan(scan.text.clone()));
            }
        }
        // Enter is consumed, so that the focus stays in its cell.
        ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
    }

    fn show_scanned(&mut self, line: usize) {
        self.highlighted = Some(line);
        self.scroll_to_line = true;
    }

    /// Performs an action on a line, and moves the focus.
    pub(super) fn perform(
        &mut self,
        items: &[SavedItem],
        draft: &mut Draft,
        focus: &mut FocusState,
        (at, action): (usize, LineAction),
    ) {
        let at = at.min(draft.goods.len().saturating_sub(1));
        if draft.goods.is_empty() {
            draft.goods.push(GoodsLine::default());
        }
        let cell = self.cell.unwrap_or(GoodsField::Name);
        self.scroll_to_line = true;
        let (line, cell) = match action {
            LineAction::Add => {
                draft.goods.push(GoodsLine::default());
                (draft.goods.len() - 1, GoodsField::Type)
            }
            LineAction::Remove => {
                self.close_sub_form(draft);
                self.move_lines(focus, |line| match line.cmp(&at) {
                    Ordering::Less => Some(line),
                    Ordering::Equal => None,
                    Ordering::Greater => Some(line - 1),
                });
                draft.goods.remove(at);
                if draft.goods.is_empty() {
                    draft.goods.push(GoodsLine::default());
                }
                (at.saturating_sub(1), GoodsField::Name)
            }
            LineAction::Duplicate => {
                self.close_sub_form(draft);
                self.move_lines(focus, |line| Some(line + usize::from(line > at)));
                // References and the evidence of a weight belong to one piece only, so they are not copied.
                let copy = GoodsLine {
                    references: String::new(),
                    weighed: None,
                    ..draft.goods[at].clone()
                };
                draft.goods.insert(at + 1, copy);
                (at + 1, cell)
            }
            LineAction::Up | LineAction::Down => {
                let other = match action {
                    LineAction::Up => at.saturating_sub(1),
                    _ => (at + 1).min(draft.goods.len() - 1),
                };
                if other != at {
                    self.swap(draft, focus, at, other);
                }
                (other, cell)
            }
            LineAction::BySku => {
                draft.goods[at].set_source(ItemSource::Sku, items);
                let next = if draft.goods[at].sku.trim().is_empty() {
                    GoodsField::Sku
                } else {
                    GoodsField::Quantity
                };
                (at, next)
            }
            LineAction::ById => {
                draft.goods[at].set_source(ItemSource::Id, items);
                (at, GoodsField::SavedId)
            }
            LineAction::NotSaved => {
                draft.goods[at].convert_to_direct();
                (at, GoodsField::Name)
            }
            LineAction::BackToSaved => {
                draft.goods[at].clear_overrides();
                (at, GoodsField::Quantity)
            }
            LineAction::SubForm(kind) => {
                focus.next_widget = Some(self.toggle(draft, kind.of_line(at)));
                return;
            }
        };
        self.line = line;
        focus.next_widget = Some(id(Field::Goods(line, cell)));
    }

    fn swap(&mut self, draft: &mut Draft, focus: &mut FocusState, one: usize, other: usize) {
        let moved = |line| match line {
            line if line == one => other,
            line if line == other => one,
            line => line,
        };
        draft.goods.swap(one, other);
        self.move_lines(focus, |line| Some(moved(line)));
        self.sub_form = { self.sub_form }.map(|open| open.kind.of_line(moved(open.line)));
    }

    /// Resets the sub-forms, which refer to lines by index, and updates the fields that the focus has visited.
    fn move_lines(&mut self, focus: &mut FocusState, new_index: impl Fn(usize) -> Option<usize>) {
        self.sub_forms.forget();
        move_lines(&mut focus.touched, new_index);
    }

    /// Removes empty DG items and contents before a draft is opened, saved or sent.
    pub(in super::super) fn remove_empty_rows(&mut self, draft: &mut Draft) {
        let mut is_changed = false;
        for line in &mut draft.goods {
            is_changed |= SubFormKind::Dangerous.remove_empty_rows(line)
                | SubFormKind::Customs.remove_empty_rows(line);
        }
        if is_changed {
            self.close_empty(draft);
            self.history.merge_into_last(&draft.goods);
        }
    }

    /// Closes the open sub-form if it has no rows left.
    fn close_empty(&mut self, draft: &Draft) {
        let has_rows = |sub_form: &SubForm| {
            let line = draft.goods.get(sub_form.line);
            line.is_some_and(|line| sub_form.kind.row_count(line) > 0)
        };
        self.sub_form = self.sub_form.filter(has_rows);
    }

    /// Opens a sub-form, or closes it if it is already open. Returns the widget that gets the focus.
    fn toggle(&mut self, draft: &mut Draft, sub_form: SubForm) -> Id {
        self.line = sub_form.line;
        let was = self.sub_form;
        self.close_sub_form(draft);
        if was == Some(sub_form) {
            return id(Field::Goods(sub_form.line, GoodsField::Name));
        }
        self.open(draft, sub_form);
        id(sub_form.start(draft))
    }

    /// Opens a sub-form and adds an empty row if it has none.
    fn open(&mut self, draft: &mut Draft, sub_form: SubForm) {
        if self.sub_form != Some(sub_form) {
            self.close_sub_form(draft);
        }
        sub_form.add_first_row(draft);
        self.history.merge_into_last(&draft.goods);
        self.sub_form = Some(sub_form);
        self.line = sub_form.line;
    }

    /// Closes the open sub-form and removes its empty rows.
    fn close_sub_form(&mut self, draft: &mut Draft) {
        if let Some(closed) = self.sub_form.take() {
            if let Some(line) = draft.goods.get_mut(closed.line) {
                closed.kind.remove_empty_rows(line);
            }
            self.history.merge_into_last(&draft.goods);
        }
    }

    /// Shows a field of the goods: scrolls to its line and opens its sub-form. Returns the field that shows the
    /// problem, which may be a different field.
    pub(in super::super) fn reveal_field(&mut self, draft: &mut Draft, field: Field) -> Field {
        self.scroll_to_line = true;
        let in_goods = field.line().filter(|line| *line < draft.goods.len());
        let Some(line) = in_goods else {
            self.line = 0;
            return Field::Goods(0, GoodsField::Name);
        };
        self.line = line;
        self.sub_forms.unfold_field(field);
        match field {
            Field::Goods(_, GoodsField::SavedId | GoodsField::Sku) => Field::Goods(
                line,
                match draft.goods[line].source {
                    ItemSource::Id => GoodsField::SavedId,
                    ItemSource::Direct | ItemSource::Sku => GoodsField::Sku,
                },
            ),
            Field::Dg(_, good, shown) => {
                self.open(draft, SubFormKind::Dangerous.of_line(line));
                match shown {
                    // One drop-down sets both class and packing group.
                    DgField::PackingGroup => Field::Dg(line, good, DgField::Class),
                    _ => field,
                }
            }
            Field::Customs(_) => {
                let customs = SubFormKind::Customs.of_line(line);
                self.open(draft, customs);
                customs.start(draft)
            }
            Field::Contents(..) => {
                self.open(draft, SubFormKind::Customs.of_line(line));
                field
            }
            // References are drawn with the options, so no sub-form is opened.
            _ => field,
        }
    }
}

/// Returns true if the text looks like a code rather than words.
fn looks_scanned(text: &str) -> bool {
    !text.contains(' ') && text.chars().any(|c| c.is_ascii_digit())
}

/// Distinguishes a barcode scan into the goods from typing: a scan is faster than any person types, and ends with
/// Enter. Collects the text that was typed since the last pause.
///
/// A scanner acts as a keyboard and types into whichever cell has the focus. A copy of the line from before the
/// typing is kept, so that the line can be restored if the text was a scan.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    text: String,
    began: f64,
    last: f64,
    before: Option<(usize, GoodsLine)>,
}

/// A scan, and the line into which it was typed.
#[derive(Debug)]
struct Scan {
    text: String,
    /// The index of the line, and the line as it was before the scan.
    before: Option<(usize, GoodsLine)>,
}

impl Scanner {
    /// Reads the input of a frame before its cells are drawn. Returns a scan if Enter ends a scan in this frame.
    fn watch(&mut self, ui: &Ui, line: usize, goods: &[GoodsLine]) -> Option<Scan> {
        let now = ui.input(|input| input.time);
        let burst = pacer::in_a_burst(ui.ctx());
        if !burst && now - self.last > GAP_SECONDS {
            self.text.clear();
        }
        let mut entered = false;
        ui.input(|input| {
            for event in &input.events {
                match event {
                    Event::Text(text) => {
                        if self.text.is_empty() {
                            self.began = now;
                            self.before = goods.get(line).map(|held| (line, held.clone()));
                        }
                        self.text.push_str(text);
                        self.last = now;
                    }
                    Event::Key {
                        key: Key::Enter,
                        pressed: true,
                        modifiers,
                        ..
                    } if modifiers.is_none() => entered = true,
                    Event::Key {
                        key: Key::Tab | Key::Backspace | Key::Delete | Key::Escape,
                        pressed: true,
                        ..
                    }
                    | Event::Paste(_)
                    | Event::PointerButton { .. } => self.text.clear(),
                    _ => {}
                }
            }
        });
        if !entered {
            return None;
        }
        let took = if burst { self.last } else { now } - self.began;
        let text = std::mem::take(&mut self.text);
        let before = self.before.take();
        is_a_scan(text.trim(), took).then(|| Scan {
            text: text.trim().to_owned(),
            before,
        })
    }
}

fn is_a_scan(text: &str, seconds: f64) -> bool {
    let count = text.chars().count();
    let figure = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let least = if text.chars().all(figure) {
        MIN_DIGITS
    } else {
        MIN_CHARACTERS
    };
    let fast = count as f64 >= seconds * MIN_CHARACTERS_PER_SECOND;
    count >= least && fast
}
