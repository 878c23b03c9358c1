//! The actions on goods lines, started by a key, from the menu or by a scan. Each can be undone.

use std::collections::HashSet;

use egui::{Id, Key, Modifiers, Ui};

use super::super::id;
use super::scan::{self, Scan};
use super::sub_form::{SubForm, SubFormKind};
use super::{GoodsState, Undone};
use crate::state::ConsignCommand;
use crate::ui::Context;
use crate::ui::actions::{self, Action};
use draft::{DgField, Draft, Field, GoodsField, GoodsLine, ItemSource, ScanOutcome};

/// An action on a goods line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineAction {
    /// Adds a line at the end.
    Add,
    Remove,
    /// Inserts a copy below the line.
    Duplicate,
    /// Moves the line up.
    Up,
    /// Moves the line down.
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

/// The keyboard actions, with the line action that each starts, in the order of the menu.
pub(super) const KEYS: [(Action, LineAction); 8] = [
    (Action::AddLine, LineAction::Add),
    (Action::SavedItem, LineAction::BySku),
    (
        Action::DangerousGoods,
        LineAction::SubForm(SubFormKind::Dangerous),
    ),
    (Action::Customs, LineAction::SubForm(SubFormKind::Customs)),
    (Action::DuplicateLine, LineAction::Duplicate),
    (Action::LineUp, LineAction::Up),
    (Action::LineDown, LineAction::Down),
    (Action::RemoveLine, LineAction::Remove),
];

/// A change to the indices of goods lines, for code that remembers fields by the index of their line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineChange {
    /// The line at this index was removed.
    Removed(usize),
    /// A line was inserted at this index.
    Inserted(usize),
    /// The lines at these two indices were swapped.
    Swapped(usize, usize),
    /// An undo or redo changed the lines; old indices are no longer valid.
    Unknown,
}

impl LineChange {
    /// Updates remembered fields to the new indices of their lines, and drops the fields of removed lines.
    fn apply_to(self, fields: &mut HashSet<Field>) {
        let moved = |field: Field| match field.line() {
            Some(line) => Some(field.in_line(self.new_index(line)?)),
            None => Some(field),
        };
        *fields = fields.drain().filter_map(moved).collect();
    }

    /// Returns the new index of a line; `None` if the line was removed or its index is unknown.
    fn new_index(self, line: usize) -> Option<usize> {
        match self {
            Self::Removed(gone) if line == gone => None,
            Self::Removed(gone) if line > gone => Some(line - 1),
            Self::Inserted(new) if line >= new => Some(line + 1),
            Self::Swapped(one, other) if line == one => Some(other),
            Self::Swapped(one, other) if line == other => Some(one),
            Self::Unknown => None,
            Self::Removed(_) | Self::Inserted(_) | Self::Swapped(..) => Some(line),
        }
    }
}

impl GoodsState {
    /// Handles the keys and scans of this frame, before anything is drawn. Returns the widget
    /// that gets the focus.
    pub(in super::super) fn handle_input(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        draft: &mut Draft,
    ) -> Option<Id> {
        let focused = self.focused && !context.is_dialog_open;
        let mut go_to = self.scans(ui, context, draft);
        for (action, deed) in KEYS {
            let within = matches!(deed, LineAction::Up | LineAction::Down) && focused;
            if context.is_triggered(action) || (within && actions::consume_shortcut(ui, action)) {
                let deed = match deed {
                    // The key switches between a saved item and an ordinary line.
                    LineAction::BySku
                        if draft.goods.get(self.line).is_some_and(GoodsLine::is_saved) =>
                    {
                        LineAction::NotSaved
                    }
                    deed => deed,
                };
                go_to = Some(self.perform(context, draft, self.line, deed));
            }
        }
        if context.is_triggered(Action::AddSubRow)
            && let Some(sub_form) = self.sub_form
        {
            go_to = Some(id(sub_form.add_row(draft)));
        }
        // Text fields outside the goods have their own undo.
        let ours = focused || !(context.is_dialog_open || ui.ctx().text_edit_focused());
        // Redo is tried first, because egui also takes Ctrl+Shift+Z for Ctrl+Z.
        // Many programs use Ctrl+Shift+Z for redo.
        let ctrl_shift = Modifiers::COMMAND.plus(Modifiers::SHIFT);
        let by_z = || ui.input_mut(|input| input.consume_key(ctrl_shift, Key::Z));
        let redo = ours && (by_z() || actions::consume_shortcut(ui, Action::RedoGoods));
        let undo = ours && actions::consume_shortcut(ui, Action::Undo);
        if redo || context.is_triggered(Action::RedoGoods) {
            let undone = self.history.redo(&mut draft.goods);
            go_to = self.after_undo(draft, undone).or(go_to);
        }
        if undo || context.is_triggered(Action::Undo) {
            let undone = self.history.undo(&mut draft.goods);
            go_to = self.after_undo(draft, undone).or(go_to);
        }
        go_to
    }

    fn after_undo(&mut self, draft: &mut Draft, undone: Option<Undone>) -> Option<Id> {
        let undone = undone?;
        if !undone.in_place {
            // The index of the open sub-form may now belong to another line.
            self.close_sub_form(draft);
            self.record_line_change(LineChange::Unknown);
        }
        let moved = self.line != undone.line;
        self.line = undone.line;
        self.scroll_to_line = true;
        self.highlighted = moved.then_some(undone.line);
        self.close_empty(draft);
        if self.sub_form.is_none() {
            self.remove_empty_rows(draft);
        }
        match undone.cell {
            Some(cell) if self.sub_form.is_some() || !moved => Some(cell),
            _ => Some(id(Field::Goods(undone.line, GoodsField::Name))),
        }
    }

    fn scans(&mut self, ui: &Ui, context: &mut Context<'_>, draft: &mut Draft) -> Option<Id> {
        let scan = self.scanner.watch(ui, self.line, &draft.goods);
        let scan = scan.filter(|_| self.focused && !context.is_dialog_open)?;
        if self.count_scan(draft, context, &scan) {
            scan::take_enter(ui);
            return None;
        }
        // Text that is no known SKU may be a name, but never a number or an item type.
        let text = self
            .sub_form
            .is_some_and(|sub_form| sub_form.line == self.line && self.cell.is_none())
            || matches!(self.cell, Some(GoodsField::Sku | GoodsField::SavedId))
            || (self.cell == Some(GoodsField::Name) && !looks_scanned(&scan.text));
        if !text {
            scan::take_enter(ui);
            put_back(draft, &scan);
            context.push(ConsignCommand::UnknownScan(scan.text));
        }
        None
    }

    /// Counts a scanned SKU. Returns false if the SKU is unknown.
    fn count_scan(&mut self, draft: &mut Draft, context: &mut Context<'_>, scan: &Scan) -> bool {
        let typed = scan.before.as_ref().and_then(|(at, _)| {
            let line = draft.goods.get(*at)?;
            Some((*at, line.clone()))
        });
        put_back(draft, scan);
        match draft.scan(&scan.text, &context.shared.catalogue.items) {
            scanned @ (ScanOutcome::CountedUp(at)
            | ScanOutcome::Added(at)
            | ScanOutcome::QuantityNotANumber(at)) => {
                if scanned == ScanOutcome::QuantityNotANumber(at) {
                    context.push(ConsignCommand::UncountedScan(scan.text.clone(), at));
                }
                self.highlighted = Some(at);
                self.scroll_to_line = true;
                true
            }
            ScanOutcome::Unknown => {
                if let Some((at, typed)) = typed {
                    draft.goods[at] = typed;
                }
                false
            }
        }
    }

    /// Performs an action on a line. Returns the widget that gets the focus.
    pub(super) fn perform(
        &mut self,
        context: &Context<'_>,
        draft: &mut Draft,
        at: usize,
        deed: LineAction,
    ) -> Id {
        let at = at.min(draft.goods.len().saturating_sub(1));
        if draft.goods.is_empty() {
            draft.goods.push(GoodsLine::default());
        }
        let items = &context.shared.catalogue.items;
        let cell = self.cell.unwrap_or(GoodsField::Name);
        self.scroll_to_line = true;
        let (line, cell) = match deed {
            LineAction::Add => {
                draft.goods.push(GoodsLine::default());
                (draft.goods.len() - 1, GoodsField::Type)
            }
            LineAction::Remove => {
                self.close_sub_form(draft);
                self.record_line_change(LineChange::Removed(at));
                draft.goods.remove(at);
                if draft.goods.is_empty() {
                    draft.goods.push(GoodsLine::default());
                }
                (at.saturating_sub(1), GoodsField::Name)
            }
            LineAction::Duplicate => {
                self.close_sub_form(draft);
                self.record_line_change(LineChange::Inserted(at + 1));
                // A reference belongs to one piece only.
                let copy = GoodsLine {
                    references: String::new(),
                    ..draft.goods[at].clone()
                };
                draft.goods.insert(at + 1, copy);
                (at + 1, cell)
            }
            LineAction::Up if at > 0 => (self.swap(draft, at, at - 1), cell),
            LineAction::Down if at + 1 < draft.goods.len() => (self.swap(draft, at, at + 1), cell),
            LineAction::Up | LineAction::Down => (at, cell),
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
            LineAction::SubForm(kind) => return self.toggle(draft, kind.of_line(at)),
        };
        self.line = line;
        id(Field::Goods(line, cell))
    }

    fn swap(&mut self, draft: &mut Draft, one: usize, other: usize) -> usize {
        draft.goods.swap(one, other);
        self.record_line_change(LineChange::Swapped(one, other));
        self.sub_form = self.sub_form.map(|sub_form| match sub_form.line {
            line if line == one => sub_form.kind.of_line(other),
            line if line == other => sub_form.kind.of_line(one),
            _ => sub_form,
        });
        other
    }

    /// Resets the sub-forms, which refer to lines by index, and records the change for other fields.
    fn record_line_change(&mut self, moved: LineChange) {
        self.sub_forms.forget();
        self.line_changes.push(moved);
    }

    /// Updates the indices in remembered fields by the line changes since the last call.
    pub(in super::super) fn apply_line_changes(&mut self, fields: &mut HashSet<Field>) {
        for change in self.line_changes.drain(..) {
            change.apply_to(fields);
        }
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

    /// Opens whatever hides a field of the goods. Returns the field that shows the problem, which may be a
    /// different field.
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
            // References are drawn with the options.
            _ => field,
        }
    }
}

/// Restores the line that a scan was typed into.
fn put_back(draft: &mut Draft, scan: &Scan) {
    if let Some((at, before)) = &scan.before
        && let Some(line) = draft.goods.get_mut(*at)
    {
        line.clone_from(before);
    }
}

/// Returns true if the text looks like a code rather than words.
fn looks_scanned(text: &str) -> bool {
    !text.contains(' ') && text.chars().any(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_of_a_line_goes_where_the_line_goes() {
        let name = |line| Field::Goods(line, GoodsField::Name);
        for (moved, was, is) in [
            (LineChange::Removed(1), [0, 1, 2], vec![0, 1]),
            (LineChange::Inserted(1), [0, 1, 2], vec![0, 2, 3]),
            (LineChange::Swapped(0, 2), [0, 2, 3], vec![0, 2, 3]),
            (LineChange::Unknown, [0, 1, 2], vec![]),
        ] {
            let mut fields: HashSet<_> = was.map(name).into();
            fields.insert(Field::Route);
            moved.apply_to(&mut fields);
            let mut wanted: HashSet<_> = is.into_iter().map(name).collect();
            wanted.insert(Field::Route);
            assert_eq!(fields, wanted, "{moved:?}");
        }
    }
}
