//! What waits to be printed, what was printed, what was not.

use egui::Ui;

use super::super::Context;
use super::super::kit::badge::Badge;
use super::super::kit::card::Card;
use super::super::kit::empty::empty;
use super::super::kit::icons;
use super::super::kit::table::{Cell, Column, Rows, State, Table};
use super::super::kit::tokens::{Tone, palette};
use super::super::words::clock;
use crate::shipping::ConsignmentId;
use crate::state::{LabelEntry, LabelState, LabelsCommand, Shared};

const COLUMNS: [Column; 3] = [
    Column::new("Number", 80.0).unsorted(),
    Column::new("To", 70.0).grow(1.0).unsorted(),
    Column::new("Label", 96.0).unsorted(),
];

/// What a label is known by in the table.
pub(super) const fn key(id: ConsignmentId) -> u64 {
    id.get().cast_unsigned()
}

struct Queue<'a>(&'a Shared);

impl Queue<'_> {
    fn entry(&self, index: usize) -> Option<&LabelEntry> {
        self.0.labels.get(index)
    }
}

impl Rows for Queue<'_> {
    fn count(&self) -> usize {
        self.0.labels.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.entry(index)
            .map_or(u64::MAX, |entry| key(entry.consignment))
    }

    fn name(&self, index: usize) -> String {
        self.entry(index).map_or_else(String::new, |entry| {
            format!("{} {}", entry.number, entry.to)
        })
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(entry) = self.0.labels.get(index) else {
            return;
        };
        match column {
            0 => cell.mono(&entry.number),
            1 => cell.text(&entry.to),
            _ => match &entry.state {
                LabelState::Waiting => cell.badge(&Badge::new(Tone::Warning, "waiting")),
                LabelState::Stale => {
                    cell.badge(&Badge::new(Tone::Warning, "changed since printed"))
                }
                LabelState::Printing => cell.badge(&Badge::new(Tone::Accent, "printing")),
                LabelState::Failed(_) => cell.badge(&Badge::new(Tone::Bad, "not sent")),
                LabelState::Ask(_) => cell.badge(&Badge::new(Tone::Unknown, "look")),
                LabelState::Sent(at) => cell.muted(&format!("sent {}", clock(*at, &self.0.zone))),
                LabelState::Printed(at) => {
                    let ok = palette(cell.ui()).ok;
                    cell.icon(icons::ICON_CHECK, ok);
                    cell.muted(&clock(*at, &self.0.zone));
                }
            },
        }
    }
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let shared = context.shared;
    let waiting = shared
        .labels
        .iter()
        .filter(|label| matches!(label.state, LabelState::Waiting | LabelState::Stale))
        .count();
    Card::new("Queue").flush().fill_height().show(
        ui,
        |ui| {
            if waiting > 0 {
                Badge::new(Tone::Warning, &format!("{waiting} waiting")).show(ui);
            }
        },
        |ui| {
            if shared.labels.is_empty() {
                empty(
                    ui,
                    icons::ICON_LABEL,
                    "No labels yet",
                    "Each consignment that is sent puts its label here",
                    None,
                );
                return;
            }
            // The label that is shown is the one under the cursor, whoever chose it.
            let shown = shared.selected_label.map(key);
            if shown != state.selection.cursor()
                && shared
                    .labels
                    .iter()
                    .any(|label| Some(key(label.consignment)) == shown)
            {
                state.selection.point_at(shown);
            }
            let before = state.selection.cursor();
            let shown = Table::new("Queue", &COLUMNS)
                .ticks()
                .show(ui, state, &mut Queue(shared));
            let cursor = state.selection.cursor();
            if shown.selection_changed && cursor != before {
                let under = shared
                    .labels
                    .iter()
                    .find(|label| Some(key(label.consignment)) == cursor);
                if let Some(label) = under {
                    context.ask(LabelsCommand::Select(label.consignment));
                }
            }
        },
    );
}
