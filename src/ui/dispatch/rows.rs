//! The rows of the list, as the table draws them and as they are copied.

use std::borrow::Cow;
use std::collections::HashSet;

use jiff::civil::DateTime;

use super::super::kit::badge::Badge;
use super::super::kit::icons;
use super::super::kit::table::{Cell, Rows, Selection};
use super::super::kit::tokens::{Tone, palette};
use super::super::operations::words::lock;
use super::super::words::{kilograms, near, price};
use super::columns::{Col, label_word, mark};
use super::index::{Index, text};
use super::{id_of, key};
use crate::shipping::{ConsignmentId, LocalTime};
use crate::state::{LabelState, Shared, Waiting};

/// The shown rows, with everything needed to draw them.
pub(super) struct List<'a> {
    pub(super) shared: &'a Shared,
    pub(super) index: &'a Index,
    pub(super) columns: &'a [Col],
    /// Consignments of the deletion that can still be undone; their rows are drawn muted.
    pub(super) leaving: &'a HashSet<ConsignmentId>,
    /// Number of ticked rows among the shown ones.
    pub(super) ticked: usize,
    pub(super) now: DateTime,
}

impl List<'_> {
    fn is_held_back(&self, id: ConsignmentId) -> bool {
        !self.shared.held_back.is_empty() && self.shared.held_back.contains(&id)
    }

    /// Returns whether this column shows locks, holds and test marks: the first of Held, Carrier, To and
    /// Number that is shown.
    fn says_why(&self, col: Col) -> bool {
        let first = [Col::Held, Col::Carrier, Col::To, Col::Number];
        let shown = first.iter().find(|col| self.columns.contains(col));
        shown == Some(&col)
    }

    /// Draws the lock, hold or test mark of a row; returns whether the cell is complete with it.
    fn why(&self, cell: &mut Cell<'_>, one: &Waiting) -> bool {
        if let Some(held) = lock(self.shared, one.id) {
            // The reason for the lock matters more than the usual content of the cell.
            cell.toned(held.state, Tone::Unknown);
            cell.muted(held.what);
            return true;
        }
        if self.is_held_back(one.id) {
            cell.badge(&Badge::new(Tone::Neutral, "held back").icon(icons::ICON_PAUSE));
        }
        if one.is_test {
            cell.badge(&Badge::new(Tone::Warning, "TEST"));
        }
        false
    }

    fn carrier(&self, cell: &mut Cell<'_>, one: &Waiting) {
        cell.text(&one.carrier);
        if !self.columns.contains(&Col::Service) {
            cell.muted(&one.service);
        }
    }
}

impl Rows for List<'_> {
    fn count(&self) -> usize {
        self.index.rows().len()
    }

    fn key(&self, index: usize) -> u64 {
        self.index.one(index).map_or(u64::MAX, |one| key(one.id))
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.index.place(id_of(key))
    }

    fn ticked(&self, _selection: &Selection) -> usize {
        self.ticked
    }

    fn name(&self, index: usize) -> String {
        let Some(one) = self.index.one(index) else {
            return String::new();
        };
        let held = if self.is_held_back(one.id) {
            ", held back"
        } else {
            ""
        };
        let test = if one.is_test { ", test" } else { "" };
        format!("{} {}{test}{held}", one.number, one.to)
    }

    fn held(&self, index: usize) -> Option<String> {
        if self.shared.locked.is_empty() {
            return None;
        }
        lock(self.shared, self.index.one(index)?.id).map(|held| held.why)
    }

    fn is_held(&self, index: usize) -> bool {
        let locked = &self.shared.locked;
        let is_locked = |one: &Waiting| locked.contains_key(&one.id);
        !locked.is_empty() && self.index.one(index).is_some_and(is_locked)
    }

    fn is_quiet(&self, index: usize) -> bool {
        let quiet = |one: &Waiting| self.is_held_back(one.id) || self.leaving.contains(&one.id);
        self.index.one(index).is_some_and(quiet)
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let (Some(one), Some(col)) = (self.index.one(index), self.columns.get(column).copied())
        else {
            return;
        };
        if self.says_why(col) && self.why(cell, one) {
            return;
        }
        match col {
            Col::Number | Col::Reference | Col::Reference2 | Col::CarrierNumber => {
                cell.mono(text(one, col));
            }
            Col::Carrier => self.carrier(cell, one),
            Col::Suburb => {
                cell.muted(&one.to_spot.suburb);
                if !self.columns.contains(&Col::State) {
                    cell.muted(&one.to_spot.state);
                }
            }
            Col::State | Col::Postcode | Col::Country | Col::From | Col::Service => {
                cell.muted(text(one, col));
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
            Col::International | Col::Important | Col::Held => {}
            Col::Despatch | Col::Eta => {
                let at = if col == Col::Eta {
                    one.eta
                } else {
                    one.despatch
                };
                cell.text(&at.map(|at| near(at, self.now)).unwrap_or_default());
            }
            Col::Label => label(cell, self.shared.label_state(one.id)),
            Col::To | Col::Pieces | Col::Weight | Col::Volume | Col::Price => {
                cell.text(&plain(one, col, self.shared));
            }
        }
    }
}

fn label(cell: &mut Cell<'_>, state: &LabelState) {
    let word = label_word(state);
    let tone = match state {
        LabelState::InQueue(_)
        | LabelState::Sent(_)
        | LabelState::Printed(_)
        | LabelState::AtService(_) => {
            return cell.muted(word);
        }
        LabelState::Waiting | LabelState::Stale | LabelState::Check(_) => Tone::Warning,
        LabelState::Printing => Tone::Accent,
        LabelState::Failed(_) => Tone::Bad,
        LabelState::Ask(_) => Tone::Unknown,
    };
    cell.badge(&Badge::new(tone, word));
}

/// Returns the text of a column in a form that can be read outside the list, such as in a spreadsheet.
pub(super) fn plain<'a>(one: &'a Waiting, col: Col, shared: &Shared) -> Cow<'a, str> {
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
        Col::Dangerous | Col::International | Col::Important => yes(mark(one, col)).into(),
        Col::Held => yes(shared.held_back.contains(&one.id)).into(),
        Col::Label => label_word(shared.label_state(one.id)).into(),
        text => self::text(one, text).into(),
    }
}
