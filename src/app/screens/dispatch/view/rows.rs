//! The rows of the list, as the table draws them.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::civil::DateTime;

use super::index::Index;
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::{LabelState, ListField, Shared, UnmanifestedRow};
use crate::ui::lists::{ListedRows as _, draw_cell, id_of, key, label_text};
use shipping::ConsignmentId;
use widgets::badge::Badge;
use widgets::icons;
use widgets::table::{Cell, Rows, Selection};
use widgets::tokens::Tone;

/// The shown rows, with everything needed to draw them.
pub(super) struct DispatchRows<'a> {
    pub(super) shared: &'a Shared,
    pub(super) index: &'a Index,
    pub(super) columns: Arc<[ListField]>,
    /// Consignments of the deletion that can still be undone; their rows are drawn muted.
    pub(super) pending_deletion: &'a HashSet<ConsignmentId>,
    /// Number of shown rows that are ticked.
    pub(super) ticked: usize,
    pub(super) now: DateTime,
}

impl DispatchRows<'_> {
    fn is_on_hold(&self, id: ConsignmentId) -> bool {
        !self.shared.dispatch.on_hold.is_empty() && self.shared.dispatch.on_hold.contains(&id)
    }

    /// Returns whether this column shows locks, holds and test marks: the first of Held, Carrier, To and
    /// Number that is shown.
    fn shows_marks(&self, field: ListField) -> bool {
        let first = [
            ListField::OnHold,
            ListField::Carrier,
            ListField::To,
            ListField::Number,
        ];
        let shown = first.iter().find(|field| self.columns.contains(field));
        shown == Some(&field)
    }

    /// Draws the lock, hold or test mark of a row; returns whether the cell is complete with it.
    fn draw_marks(&self, cell: &mut Cell<'_>, one: &UnmanifestedRow) -> bool {
        if let Some(held) = lock_reason(self.shared, one.id) {
            // The reason for the lock matters more than the usual content of the cell.
            cell.toned(held.state, Tone::Unknown);
            cell.muted(held.what);
            return true;
        }
        if self.is_on_hold(one.id) {
            cell.badge(&Badge::new(Tone::Neutral, "on hold").icon(icons::ICON_PAUSE));
        }
        if one.is_test {
            cell.badge(&Badge::new(Tone::Warning, "TEST"));
        }
        false
    }
}

impl Rows for DispatchRows<'_> {
    fn count(&self) -> usize {
        self.index.rows().len()
    }

    fn key(&self, index: usize) -> u64 {
        self.index.row_at(index).map_or(u64::MAX, |one| key(one.id))
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.index.place(id_of(key))
    }

    fn ticked(&self, _selection: &Selection) -> usize {
        self.ticked
    }

    fn name(&self, index: usize) -> String {
        let Some(one) = self.index.row_at(index) else {
            return String::new();
        };
        let held = if self.is_on_hold(one.id) {
            ", on hold"
        } else {
            ""
        };
        let test = if one.is_test { ", test" } else { "" };
        format!("{} {}{test}{held}", one.number, one.to)
    }

    fn tick_block_reason(&self, index: usize) -> Option<String> {
        if self.shared.operations.locked.is_empty() {
            return None;
        }
        lock_reason(self.shared, self.index.row_at(index)?.id).map(|held| held.why)
    }

    fn is_tick_blocked(&self, index: usize) -> bool {
        let locked = &self.shared.operations.locked;
        let is_locked = |one: &UnmanifestedRow| locked.contains_key(&one.id);
        !locked.is_empty() && self.index.row_at(index).is_some_and(is_locked)
    }

    fn is_muted(&self, index: usize) -> bool {
        let quiet = |one: &UnmanifestedRow| {
            self.is_on_hold(one.id) || self.pending_deletion.contains(&one.id)
        };
        self.index.row_at(index).is_some_and(quiet)
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let (Some(one), Some(field)) =
            (self.index.row_at(index), self.columns.get(column).copied())
        else {
            return;
        };
        if self.shows_marks(field) && self.draw_marks(cell, one) {
            return;
        }
        if field == ListField::Label {
            return label(cell, self.shared.labels.state(one.id));
        }
        draw_cell(cell, one, field, &self.columns, self.shared, self.now);
    }
}

fn label(cell: &mut Cell<'_>, state: &LabelState) {
    let word = label_text(state);
    let tone = match state {
        LabelState::InQueue(_)
        | LabelState::Sent(_)
        | LabelState::Printed(_)
        | LabelState::AtService(_) => {
            return cell.muted(word);
        }
        LabelState::Waiting | LabelState::Stale | LabelState::FailedVerification(_) => {
            Tone::Warning
        }
        LabelState::Printing => Tone::Accent,
        LabelState::Failed(_) => Tone::Bad,
        LabelState::Uncertain(_) => Tone::Unknown,
    };
    cell.badge(&Badge::new(tone, word));
}
