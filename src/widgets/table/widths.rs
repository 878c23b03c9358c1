//! Column widths: the starting width, a share of the available space, or a width set by the clerk.
//!
//! A width set by the clerk does not change with the available space. Widths are stored by column key.

use std::collections::BTreeMap;

use egui::{Id, Ui};
use egui_table::TableState;

use super::Column;

/// Minimum and maximum width of a column, in points.
pub(super) const RANGE: std::ops::RangeInclusive<f32> = 28.0..=1_200.0;
/// Width of the column of boxes to tick, in points.
pub(super) const TICKS: f32 = 34.0;

/// Widths from the last calculation, with the space and the columns that they were calculated for.
#[derive(Debug, Clone, Default)]
pub(super) struct Widths {
    room: f32,
    keys: Vec<&'static str>,
    widths: Vec<f32>,
}

/// Returns the id by which `egui_table` stores a column's width.
pub(super) fn column_id(key: &'static str) -> Id {
    Id::unique(("column", key))
}

impl Widths {
    /// Recalculates the widths if the available space or the columns changed, and passes them to `egui_table`.
    pub(super) fn fit(
        &mut self,
        ui: &Ui,
        table: Id,
        columns: &[Column],
        before: f32,
        by_hand: &BTreeMap<String, f32>,
    ) {
        let room = ui.available_width() - before - ui.spacing().scroll.allocated_width();
        let keys = columns.iter().map(|column| column.key);
        let known = TableState::load(ui.ctx(), table);
        #[expect(clippy::float_cmp, reason = "the same room is the same number")]
        if known.is_some() && self.room == room && keys.clone().eq(self.keys.iter().copied()) {
            return;
        }
        self.room = room;
        self.keys = keys.collect();
        self.widths = shared_out(columns, room, by_hand);
        let mut state = known.unwrap_or_default();
        for (column, width) in columns.iter().zip(&self.widths) {
            state.col_widths.insert(column_id(column.key), *width);
        }
        state.parent_width = Some(ui.available_width());
        state.store(ui.ctx(), table);
    }

    /// Makes the next [`Widths::fit`] recalculate the widths.
    pub(super) fn invalidate(&mut self) {
        self.keys.clear();
    }

    /// Makes a column wider or, with negative `points`, narrower.
    pub(super) fn change(
        &mut self,
        ui: &Ui,
        table: Id,
        column: usize,
        points: f32,
        by_hand: &mut BTreeMap<String, f32>,
    ) {
        let (Some(key), Some(width)) = (self.keys.get(column), self.widths.get_mut(column)) else {
            return;
        };
        *width = (*width + points).clamp(*RANGE.start(), *RANGE.end());
        by_hand.insert((*key).to_owned(), *width);
        if let Some(mut state) = TableState::load(ui.ctx(), table) {
            state.col_widths.insert(column_id(key), *width);
            state.store(ui.ctx(), table);
        }
    }

    /// Records the columns that were resized by dragging in this frame.
    pub(super) fn record_dragged(
        &mut self,
        ui: &Ui,
        table: Id,
        by_hand: &mut BTreeMap<String, f32>,
    ) {
        let Some(state) = TableState::load(ui.ctx(), table) else {
            return;
        };
        for (key, width) in self.keys.iter().zip(&mut self.widths) {
            let now = state.col_widths.get(&column_id(key)).copied();
            if let Some(now) = now.filter(|now| (now - *width).abs() > 0.5) {
                *width = now;
                by_hand.insert((*key).to_owned(), now.round());
            }
        }
    }
}

/// Shares the remaining width among the columns that grow and have no width set by the clerk.
fn shared_out(columns: &[Column], room: f32, by_hand: &BTreeMap<String, f32>) -> Vec<f32> {
    let set = |column: &Column| by_hand.get(column.key).copied();
    let start = |column: &Column| set(column).unwrap_or(column.width);
    let share = |column: &Column| set(column).map_or(column.grow, |_| 0.0);
    let total: f32 = columns.iter().map(share).sum();
    let left = room - columns.iter().map(start).sum::<f32>();
    let width = |column: &Column| {
        if total <= 0.0 || share(column) <= 0.0 {
            return start(column);
        }
        // A growing column may also shrink, down to half of its starting width.
        (start(column) + left * share(column) / total).max(start(column) * 0.5)
    };
    columns
        .iter()
        .map(|column| width(column).clamp(*RANGE.start(), *RANGE.end()).floor())
        .collect()
}
