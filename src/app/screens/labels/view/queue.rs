//! The label queue: labels that are waiting, printed or failed, filtered by part and by text.
//!
//! Invariants: the rows are computed again only after a change, not in every frame. Ticked labels are printed in the
//! order of the queue.

use std::sync::Arc;

use egui::{Align, Frame, Id, Layout, Margin, Ui};

use crate::state::{ConsignmentRow, LabelPart, LabelState, LabelsCommand, ListCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{clock, counted, grouped};
use crate::ui::lists::{RowPrefetch, focus_rows, id_of, key};
use shipping::ConsignmentId;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::empty_state::empty_state;
use widgets::field::{Field, OnEnter};
use widgets::icons;
use widgets::table::{self, Cell, Column, Rows, Table};
use widgets::tokens::{Tone, palette};

const COLUMNS: [Column; 3] = [
    Column::new("Number", 78.0).unsorted(),
    Column::new("To", 70.0).grow(1.0).unsorted(),
    Column::new("Label", 84.0).unsorted(),
];

/// The parts that can be listed, with the action and the button text of each. `None` stands for the whole queue.
const PARTS: [(Option<LabelPart>, Action, &str); 6] = [
    (None, Action::QueueAll, "All"),
    (Some(LabelPart::Waiting), Action::QueueWaiting, "Waiting"),
    (Some(LabelPart::Failed), Action::QueueFailed, "Failed"),
    (
        Some(LabelPart::CheckPrinter),
        Action::QueueToCheck,
        "To check",
    ),
    (Some(LabelPart::Sent), Action::QueueSent, "Sent"),
    (Some(LabelPart::InQueue), Action::QueueAtPrinter, "In queue"),
];

/// Returns the parts of the queue that are listed.
fn listed_parts(part: Option<LabelPart>) -> impl Iterator<Item = LabelPart> {
    let parts = LabelPart::ALL.into_iter();
    parts.filter(move |one| part.is_none_or(|part| part == *one))
}

/// The version of the queue, the part that is listed, and the consignments that match the filter.
type RowInputs = (u64, Option<LabelPart>, Option<Arc<[ConsignmentId]>>);

/// State of the label queue between frames.
#[derive(Default)]
pub(super) struct LabelQueueState {
    table: table::TableState,
    filter: String,
    /// The part that is listed; `None` for the whole queue.
    part: Option<LabelPart>,
    /// The filter that was requested last.
    requested: String,
    /// The inputs from which the rows were computed.
    computed_from: Option<RowInputs>,
    /// Number of times that the rows were computed.
    version: u64,
    rows: Vec<ConsignmentId>,
    prefetch: RowPrefetch,
    /// The ticked labels, in the order of the queue.
    chosen: Vec<ConsignmentId>,
    /// The label that the cursor was last moved to.
    shown: Option<ConsignmentId>,
}

impl LabelQueueState {
    pub(super) fn offer_focus(&mut self) {
        self.table.request_focus_if_free();
    }

    /// Returns the ticked labels in the order of the queue or, if none is ticked, the label that is shown.
    pub(super) fn chosen(&self, shared: &Shared) -> Vec<ConsignmentId> {
        if self.chosen.is_empty() {
            shared.labels.selected.into_iter().collect()
        } else {
            self.chosen.clone()
        }
    }

    /// Computes the rows again if the queue, the part or the filtered consignments changed.
    pub(super) fn refresh(&mut self, shared: &Shared) {
        let found = shared.labels.found.value().map(|list| &list.ids);
        let version = shared.labels.queue.version();
        let inputs = Some((version, self.part, found.cloned()));
        if self.computed_from == inputs {
            return;
        }
        self.computed_from = inputs;
        self.version += 1;
        self.rows.clear();
        for part in listed_parts(self.part) {
            let ids = shared.labels.queue.part(part).iter().copied();
            // The consignments that match the filter are sorted newest first.
            let is_found = |id: &ConsignmentId| {
                found.is_none_or(|found| found.binary_search_by(|one| id.cmp(one)).is_ok())
            };
            self.rows.extend(ids.filter(is_found));
        }
        self.refresh_chosen(shared);
    }

    /// Computes the list of ticked labels again. The queue is sorted by part, then newest first, so the ticked labels
    /// can be sorted without the other labels.
    fn refresh_chosen(&mut self, shared: &Shared) {
        let selection = &self.table.selection;
        let is_whole = self.part.is_none() && self.filter.is_empty();
        let mut chosen: Vec<_> = selection.keys().map(id_of).collect();
        if shared.dispatch.unmanifested.value().is_some() && !chosen.is_empty() {
            if is_whole {
                chosen.retain(|id| shared.dispatch.lists(*id));
            } else {
                let ticked = |id: &&ConsignmentId| selection.contains(key(**id));
                chosen = self.rows.iter().filter(ticked).copied().collect();
            }
        }
        chosen.sort_unstable_by_key(|id| (shared.labels.state(*id).part(), std::cmp::Reverse(*id)));
        self.chosen = chosen;
    }

    /// Runs the requested actions that switch the part or focus the filter.
    pub(super) fn actions(&mut self, ui: &Ui, context: &Context<'_>) {
        for (part, action, _) in PARTS {
            if context.is_triggered(action) {
                self.part = part;
            }
        }
        if context.is_triggered(Action::FilterLabels) {
            ui.memory_mut(|memory| memory.request_focus(filter_id()));
        }
    }
}

struct Queue<'a> {
    shared: &'a Shared,
    rows: &'a [ConsignmentId],
    /// Number of ticked rows.
    ticked: usize,
}

impl Queue<'_> {
    fn row(&self, index: usize) -> Option<&ConsignmentRow> {
        self.shared.row(*self.rows.get(index)?)
    }
}

impl Rows for Queue<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.rows.get(index).map_or(u64::MAX, |id| key(*id))
    }

    fn ticked(&self, _selection: &table::Selection) -> usize {
        self.ticked
    }

    fn name(&self, index: usize) -> String {
        self.row(index)
            .map_or_else(String::new, |one| format!("{} {}", one.number, one.to))
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(id) = self.rows.get(index) else {
            return;
        };
        match (column, self.row(index)) {
            (0, Some(one)) => cell.mono(&one.number),
            (1, Some(one)) => cell.text(&one.to),
            (0, None) => cell.mono(&format!("MS{id}")),
            (1, None) => cell.placeholder(),
            _ => {
                let (label, zone) = (self.shared.labels.state(*id), &self.shared.session.zone);
                state(cell, label, zone);
            }
        }
    }
}

fn state(cell: &mut Cell<'_>, state: &LabelState, zone: &str) {
    let word = state.mark().text;
    let tone = match state {
        LabelState::FailedVerification(_) => {
            let badge = Badge::new(Tone::Warning, word);
            return cell.badge(&badge.icon(icons::ICON_WARNING));
        }
        LabelState::Waiting | LabelState::Stale => Tone::Warning,
        LabelState::Printing => Tone::Accent,
        LabelState::Failed(_) => Tone::Bad,
        LabelState::Uncertain(_) => Tone::Unknown,
        LabelState::AtService(_) => return cell.muted(word),
        LabelState::InQueue(at) | LabelState::Sent(at) => {
            return cell.muted(&format!("{word} {}", clock(*at, zone)));
        }
        LabelState::Printed(at) => {
            let ok = palette(cell.ui()).ok;
            cell.icon(icons::ICON_CHECK, ok);
            return cell.muted(&clock(*at, zone));
        }
    };
    cell.badge(&Badge::new(tone, word));
}

fn filter_id() -> Id {
    Id::unique("labels filter")
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut LabelQueueState) {
    let shared = context.shared;
    let waiting = shared.labels.queue.part(LabelPart::Waiting).len();
    Card::new("Queue").flush().fill_height().show(
        ui,
        |ui| {
            if waiting > 0 {
                let words = format!("{} waiting", grouped(waiting));
                Badge::new(Tone::Warning, &words).show(ui);
            }
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if shared.labels.queue.is_empty() {
                let words = "Labels of the consignments that you send appear here";
                empty_state(ui, icons::ICON_LABEL, "No labels yet", words, None);
                return;
            }
            Frame::new()
                .inner_margin(Margin::symmetric(10, 8))
                .show(ui, |ui| head(ui, context, state));
            rule(ui);
            state.refresh(shared);
            if state.rows.is_empty() {
                let (headline, advice) = match state.filter.trim() {
                    "" => ("Nothing here", "No labels under this filter"),
                    _ => ("No results", "Shorten the filter"),
                };
                empty_state(ui, icons::ICON_SEARCH, headline, advice, None);
            } else {
                rows(ui, context, state);
            }
        },
    );
}

/// Draws the filter, and the parts with their counts.
fn head(ui: &mut Ui, context: &mut Context<'_>, state: &mut LabelQueueState) {
    let shared = context.shared;
    ui.spacing_mut().item_spacing.y = 6.0;
    let key = Action::FilterLabels.key();
    let shown = Field::new("Filter labels", &mut state.filter)
        .id(filter_id())
        .icon(icons::ICON_SEARCH)
        .hint("Number, receiver, reference")
        .key(&key)
        .on_enter(OnEnter::Stay)
        .hide_label()
        .show(ui);
    focus_rows(ui, &shown, &mut state.filter, &mut state.table);
    if state.requested != state.filter {
        state.requested.clone_from(&state.filter);
        context.push(LabelsCommand::Filter(state.filter.clone()));
    }
    let wrapped = Layout::left_to_right(Align::Min).with_main_wrap(true);
    ui.with_layout(wrapped, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(2.0, 2.0);
        for (part, action, word) in PARTS {
            let counts = listed_parts(part).map(|part| shared.labels.queue.part(part).len());
            let count = counts.sum();
            if count == 0 && part.is_some() && part != state.part {
                continue;
            }
            let words = format!("{word} {}", grouped(count));
            let button = Button::quiet(&words).small().selected(state.part == part);
            if ui.add(button).on_hover_text(action.tip()).clicked() {
                state.part = part;
            }
        }
    });
}

fn rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut LabelQueueState) {
    let shared = context.shared;
    // The cursor follows the label that is shown, even if it was chosen elsewhere.
    if state.shown != shared.labels.selected {
        state.shown = shared.labels.selected;
        let known = shared.labels.selected.map(key);
        if known != state.table.selection.cursor() {
            state.table.selection.set_cursor(known);
            state.table.reveal_cursor();
        }
    }
    let before = state.table.selection.cursor();
    let mut queue = Queue {
        shared,
        rows: &state.rows,
        ticked: state.chosen.len(),
    };
    let shown = Table::new("Queue", &COLUMNS)
        .ticks()
        .show(ui, &mut state.table, &mut queue);
    let (in_sight, now) = (state.table.visible_rows(), ui.input(|input| input.time));
    let of = (state.rows.as_slice(), state.version);
    if let Some(needs) = state.prefetch.needs(shared, of, in_sight, now) {
        context.push(ListCommand::NeedRows(needs));
    }
    let cursor = state.table.selection.cursor();
    if shown.selection_changed || cursor != before {
        state.refresh_chosen(shared);
        if let Some(id) = cursor.map(id_of).filter(|_| cursor != before) {
            state.shown = Some(id);
            context.push(LabelsCommand::Select(id));
        }
    }
}

/// Returns the text of the print button: "Print MS200001" or "Print 4 labels".
pub(super) fn print_text(shared: &Shared, chosen: &[ConsignmentId]) -> String {
    match chosen {
        [] => "Print".to_owned(),
        [one] => format!("Print {}", shared.number(*one)),
        all => format!("Print {}", counted(all.len(), "label", "labels")),
    }
}
