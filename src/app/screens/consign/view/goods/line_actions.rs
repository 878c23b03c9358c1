//! The actions on goods lines, started by a key, from the menu or by a scan. Each can be undone.

use egui::{Id, Key, Modifiers, Ui};

use super::super::{customs, dangerous, id};
use super::scan::{self, Scan};
use super::{GoodsState, LineChange, Panel};
use crate::state::ConsignCommand;
use crate::ui::Context;
use crate::ui::actions::{self, Action};
use draft::{ContentsField, DgField, Draft, Field, GoodsField, GoodsLine, ItemSource, ScanOutcome};

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
    /// Opens or closes the dangerous goods of the line.
    Dangerous,
    /// Opens or closes the customs contents of the line.
    Customs,
}

/// The keyboard actions, with the line action that each starts.
const KEYS: [(Action, LineAction); 8] = [
    (Action::AddLine, LineAction::Add),
    (Action::RemoveLine, LineAction::Remove),
    (Action::DuplicateLine, LineAction::Duplicate),
    (Action::LineUp, LineAction::Up),
    (Action::LineDown, LineAction::Down),
    (Action::SavedItem, LineAction::BySku),
    (Action::DangerousGoods, LineAction::Dangerous),
    (Action::Customs, LineAction::Customs),
];

impl GoodsState {
    /// Handles the keys and scans of this frame, before anything is drawn. Returns the widget
    /// that gets the focus.
    pub(in crate::screens::consign::view) fn handle_input(
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
            && let Some(panel) = self.panel
        {
            go_to = Some(add_row(draft, panel));
        }
        // Text fields outside the goods have their own undo.
        let ours = focused || !(context.is_dialog_open || ui.ctx().text_edit_focused());
        // Redo is tried first, because egui also takes Ctrl+Shift+Z for Ctrl+Z.
        let redo = ours && (takes_redo(ui) || actions::consume_shortcut(ui, Action::RedoGoods));
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

    fn after_undo(&mut self, draft: &mut Draft, undone: Option<super::Undone>) -> Option<Id> {
        let undone = undone?;
        if !undone.in_place {
            // The index of the open sub-form may now belong to another line.
            self.close_panel(draft);
            self.record_line_change(LineChange::Unknown);
        }
        let moved = self.line != undone.line;
        self.line = undone.line;
        self.scroll_to_line = true;
        self.highlighted = moved.then_some(undone.line);
        self.close_empty(draft);
        if self.panel.is_none() {
            self.remove_empty_rows(draft);
        }
        match undone.cell {
            Some(cell) if self.panel.is_some() || !moved => Some(cell),
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
            .panel
            .is_some_and(|panel| panel.line() == self.line && self.cell.is_none())
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
        match draft.scan(&scan.text, &context.shared.items) {
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
        let items = &context.shared.items;
        let cell = self.cell.unwrap_or(GoodsField::Name);
        self.scroll_to_line = true;
        let (line, cell) = match deed {
            LineAction::Add => {
                draft.goods.push(GoodsLine::default());
                (draft.goods.len() - 1, GoodsField::Type)
            }
            LineAction::Remove => {
                self.close_panel(draft);
                self.record_line_change(LineChange::Removed(at));
                draft.goods.remove(at);
                if draft.goods.is_empty() {
                    draft.goods.push(GoodsLine::default());
                }
                (at.saturating_sub(1), GoodsField::Name)
            }
            LineAction::Duplicate => {
                self.close_panel(draft);
                self.record_line_change(LineChange::Inserted(at + 1));
                draft.goods.insert(at + 1, duplicate(&draft.goods[at]));
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
            LineAction::Dangerous => return self.toggle(draft, Panel::Dangerous(at)),
            LineAction::Customs => return self.toggle(draft, Panel::Customs(at)),
        };
        self.line = line;
        id(Field::Goods(line, cell))
    }

    fn swap(&mut self, draft: &mut Draft, one: usize, other: usize) -> usize {
        draft.goods.swap(one, other);
        self.record_line_change(LineChange::Swapped(one, other));
        self.panel = self.panel.map(|panel| match panel.line() {
            line if line == one => panel.with_line(other),
            line if line == other => panel.with_line(one),
            _ => panel,
        });
        other
    }

    /// Resets the sub-forms, which refer to lines by index, and records the change for other fields.
    fn record_line_change(&mut self, moved: LineChange) {
        self.dangerous.forget();
        self.customs.forget();
        self.line_changes.push(moved);
    }

    /// Takes the line changes that were recorded since the last call.
    pub(in crate::screens::consign::view) fn take_line_changes(
        &mut self,
    ) -> std::vec::Drain<'_, LineChange> {
        self.line_changes.drain(..)
    }

    /// Removes empty DG items and contents before a draft is opened, saved or sent.
    pub(in crate::screens::consign::view) fn remove_empty_rows(&mut self, draft: &mut Draft) {
        let mut tidied = false;
        for line in 0..draft.goods.len() {
            tidied |= dangerous::remove_empty_items(draft, line)
                | customs::remove_empty_rows(draft, line);
        }
        if tidied {
            self.close_empty(draft);
            self.history.merge_into_last(&draft.goods);
        }
    }

    /// Closes the open sub-form if it has no rows left.
    fn close_empty(&mut self, draft: &Draft) {
        let has_any = |panel: &Panel| match (panel, draft.goods.get(panel.line())) {
            (_, None) => false,
            (Panel::Dangerous(_), Some(line)) => !line.dangerous.is_empty(),
            (Panel::Customs(_), Some(line)) => !line.contents.is_empty(),
        };
        self.panel = self.panel.filter(has_any);
    }

    /// Opens a sub-form, or closes it if it is already open. Returns the widget that gets the focus.
    fn toggle(&mut self, draft: &mut Draft, panel: Panel) -> Id {
        self.line = panel.line();
        let was = self.panel;
        self.close_panel(draft);
        if was == Some(panel) {
            return id(Field::Goods(panel.line(), GoodsField::Name));
        }
        self.open(draft, panel);
        id(match panel {
            Panel::Dangerous(line) => dangerous::first_field(draft, line),
            Panel::Customs(line) => Field::Contents(line, 0, ContentsField::Description),
        })
    }

    /// Opens a sub-form and adds an empty row if it has none.
    pub(in crate::screens::consign::view) fn open(&mut self, draft: &mut Draft, panel: Panel) {
        if self.panel != Some(panel) {
            self.close_panel(draft);
        }
        match panel {
            Panel::Dangerous(line) => dangerous::add_first_item(draft, line),
            Panel::Customs(line) => customs::add_first_row(draft, line),
        }
        self.history.merge_into_last(&draft.goods);
        self.panel = Some(panel);
        self.line = panel.line();
    }

    /// Closes the open sub-form and removes its empty rows.
    pub(super) fn close_panel(&mut self, draft: &mut Draft) {
        match self.panel.take() {
            Some(Panel::Dangerous(line)) => dangerous::remove_empty_items(draft, line),
            Some(Panel::Customs(line)) => customs::remove_empty_rows(draft, line),
            None => return,
        };
        self.history.merge_into_last(&draft.goods);
    }

    /// Opens whatever hides a field of the goods. Returns the field that shows the problem, which may be
    /// another one.
    pub(in crate::screens::consign::view) fn reveal_field(
        &mut self,
        draft: &mut Draft,
        field: Field,
    ) -> Field {
        self.scroll_to_line = true;
        let last = draft.goods.len().saturating_sub(1);
        match field {
            Field::Goods(line, shown) => {
                self.line = line.min(last);
                let saved_by_id =
                    draft.goods.get(line).map(|line| line.source) == Some(ItemSource::Id);
                match shown {
                    GoodsField::SavedId if !saved_by_id => Field::Goods(line, GoodsField::Sku),
                    GoodsField::Sku if saved_by_id => Field::Goods(line, GoodsField::SavedId),
                    // References are drawn with the options.
                    _ => field,
                }
            }
            Field::Dg(line, good, shown) if line <= last => {
                self.open(draft, Panel::Dangerous(line));
                self.dangerous.unfold(line, good);
                match shown {
                    // One drop-down sets both class and packing group.
                    DgField::PackingGroup => Field::Dg(line, good, DgField::Class),
                    shown => Field::Dg(line, good, shown),
                }
            }
            Field::Customs(line) if line <= last => {
                self.open(draft, Panel::Customs(line));
                Field::Contents(line, 0, ContentsField::Description)
            }
            Field::Contents(line, at, shown) if line <= last => {
                self.open(draft, Panel::Customs(line));
                self.customs.unfold(line, at, shown);
                field
            }
            _ => {
                self.line = 0;
                Field::Goods(0, GoodsField::Name)
            }
        }
    }
}

/// Adds a row to a sub-form. Returns the widget that gets the focus.
fn add_row(draft: &mut Draft, panel: Panel) -> Id {
    id(match panel {
        Panel::Dangerous(line) => dangerous::add_item(draft, line),
        Panel::Customs(line) => customs::add_row(draft, line),
    })
}

/// Consumes Ctrl+Shift+Z, which many programs use for redo.
fn takes_redo(ui: &Ui) -> bool {
    let modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
    ui.input_mut(|input| input.consume_key(modifiers, Key::Z))
}

/// Copies a line without its references, because a reference belongs to one piece only.
fn duplicate(line: &GoodsLine) -> GoodsLine {
    GoodsLine {
        references: String::new(),
        ..line.clone()
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
