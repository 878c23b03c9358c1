//! The rows of the list, as the table draws them and as they are copied.

use std::borrow::Cow;
use std::collections::HashSet;

use jiff::civil::DateTime;

use super::columns::{Col, has_mark, label_text};
use super::index::{Index, column_text};
use super::{id_of, key};
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::{LabelState, Shared, UnmanifestedRow};
use crate::ui::format::{kilograms, price, time_or_day};
use shipping::{ConsignmentId, LocalTime};
use widgets::badge::Badge;
use widgets::icons;
use widgets::table::{Cell, Rows, Selection};
use widgets::tokens::{Tone, palette};

/// The shown rows, with everything needed to draw them.
pub(super) struct DispatchRows<'a> {
    pub(super) shared: &'a Shared,
    pub(super) index: &'a Index,
    pub(super) columns: &'a [Col],
    /// Consignments of the deletion that can still be undone; their rows are drawn muted.
    pub(super) pending_deletion: &'a HashSet<ConsignmentId>,
    /// Number of ticked rows among the shown ones.
    pub(super) ticked: usize,
    pub(super) now: DateTime,
}

impl DispatchRows<'_> {
    fn is_on_hold(&self, id: ConsignmentId) -> bool {
        !self.shared.on_hold.is_empty() && self.shared.on_hold.contains(&id)
    }

    /// Returns whether this column shows locks, holds and test marks: the first of Held, Carrier, To and
    /// Number that is shown.
    fn shows_marks(&self, col: Col) -> bool {
        let first = [Col::OnHold, Col::Carrier, Col::To, Col::Number];
        let shown = first.iter().find(|col| self.columns.contains(col));
        shown == Some(&col)
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

    fn carrier(&self, cell: &mut Cell<'_>, one: &UnmanifestedRow) {
        cell.text(&one.carrier);
        if !self.columns.contains(&Col::Service) {
            cell.muted(&one.service);
        }
    }
}

impl Rows for DispatchRows<'_> {
    fn count(&self) -> usize {
        self.index.rows().len()
    }

    fn key(&self, index: usize) -> u64 {
        self.index
            .consignment_at(index)
            .map_or(u64::MAX, |one| key(one.id))
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.index.place(id_of(key))
    }

    fn ticked(&self, _selection: &Selection) -> usize {
        self.ticked
    }

    fn name(&self, index: usize) -> String {
        let Some(one) = self.index.consignment_at(index) else {
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
        if self.shared.locked.is_empty() {
            return None;
        }
        lock_reason(self.shared, self.index.consignment_at(index)?.id).map(|held| held.why)
    }

    fn is_tick_blocked(&self, index: usize) -> bool {
        let locked = &self.shared.locked;
        let is_locked = |one: &UnmanifestedRow| locked.contains_key(&one.id);
        !locked.is_empty() && self.index.consignment_at(index).is_some_and(is_locked)
    }

    fn is_muted(&self, index: usize) -> bool {
        let quiet = |one: &UnmanifestedRow| {
            self.is_on_hold(one.id) || self.pending_deletion.contains(&one.id)
        };
        self.index.consignment_at(index).is_some_and(quiet)
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let (Some(one), Some(col)) = (
            self.index.consignment_at(index),
            self.columns.get(column).copied(),
        ) else {
            return;
        };
        if self.shows_marks(col) && self.draw_marks(cell, one) {
            return;
        }
        match col {
            Col::Number | Col::Reference | Col::Reference2 | Col::CarrierNumber => {
                cell.mono(column_text(one, col));
            }
            Col::Carrier => self.carrier(cell, one),
            Col::Suburb => {
                cell.muted(&one.to_place.suburb);
                if !self.columns.contains(&Col::State) {
                    cell.muted(&one.to_place.state);
                }
            }
            Col::State | Col::Postcode | Col::Country | Col::From | Col::Service => {
                cell.muted(column_text(one, col));
            }
            Col::Dangerous => {
                if one.dangerous {
                    cell.dangerous();
                }
            }
            Col::International if one.international => {
                let ink = palette(cell.ui()).muted;
                cell.icon(icons::ICON_PUBLIC, ink);
            }
            Col::Important if one.important => {
                let ink = palette(cell.ui()).warning;
                cell.icon(icons::ICON_PRIORITY_HIGH, ink);
            }
            Col::International | Col::Important | Col::OnHold => {}
            Col::Despatch | Col::Eta => {
                let at = if col == Col::Eta {
                    one.eta
                } else {
                    one.despatch
                };
                cell.text(&at.map(|at| time_or_day(at, self.now)).unwrap_or_default());
            }
            Col::Label => label(cell, self.shared.label_state(one.id)),
            Col::To | Col::Pieces | Col::Weight | Col::Volume | Col::Price => {
                cell.text(&export_text(one, col, self.shared));
            }
        }
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

/// Returns the text of a column in a form that can be read outside the list, such as in a spreadsheet.
pub(super) fn export_text<'a>(one: &'a UnmanifestedRow, col: Col, shared: &Shared) -> Cow<'a, str> {
    let time = |at: Option<LocalTime>| {
        at.map(|at| at.0.strftime("%Y-%m-%d %H:%M").to_string())
            .unwrap_or_default()
    };
    let yes = |yes: bool| if yes { "yes" } else { "" };
    match col {
        Col::Pieces => one.pieces.to_string().into(),
        Col::Weight => one.weight.map(kilograms).unwrap_or_default().into(),
        Col::Volume => one
            .volume
            .map(|volume| format!("{:.3}", volume.0))
            .unwrap_or_default()
            .into(),
        Col::Price => one.price.map(price).unwrap_or_default().into(),
        Col::Despatch => time(one.despatch).into(),
        Col::Eta => time(one.eta).into(),
        Col::Dangerous | Col::International | Col::Important => yes(has_mark(one, col)).into(),
        Col::OnHold => yes(shared.on_hold.contains(&one.id)).into(),
        Col::Label => label_text(shared.label_state(one.id)).into(),
        text => column_text(one, text).into(),
    }
}
