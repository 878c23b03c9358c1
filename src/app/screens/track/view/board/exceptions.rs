//! The exceptions, the most severe first. The page of the row under the cursor is open beside the table. The
//! first row opens as soon as the board is shown, so that its history is visible without pressing a key.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use egui::{Ui, vec2};
use jiff::{SignedDuration, Timestamp};

use crate::screens::track::view::status_style::exception_tone;
use crate::state::{Board, ConsignmentRow, DrillDown, ExceptionRow, ListCommand, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{grouped, largest_unit};
use crate::ui::lists::key;
use shipping::ConsignmentId;
use widgets::badge::Badge;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::table::{self, Cell, Column, Rows, Table};
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, layout, text};

const COLUMNS: [Column; 5] = [
    Column::new("Number", 84.0).unsorted(),
    Column::new("To", 120.0).grow(1.6).unsorted(),
    Column::new("Carrier", 104.0).grow(0.8).unsorted(),
    Column::new("Since", 54.0).unsorted(),
    Column::new("What", 158.0).unsorted(),
];
/// Smallest number of rows in view, if there are as many. With less room, the board scrolls instead
/// of the table.
const LEAST_ROWS: usize = 10;
const NOTHING: f32 = 170.0;

#[derive(Default)]
pub(super) struct ExceptionsCard {
    table: table::TableState,
    /// True once the first row was opened after the board was shown.
    first_row_opened: bool,
    /// The last frame in which the board was hidden.
    last_hidden_frame: u64,
    /// Rows that were requested already, and the time of the count for which they were requested.
    requested: HashSet<ConsignmentId>,
    requested_for: Timestamp,
}

struct ExceptionRows<'a> {
    rows: &'a [ExceptionRow],
    known: &'a HashMap<ConsignmentId, Arc<ConsignmentRow>>,
    fresh: &'a HashSet<ConsignmentId>,
    now: Timestamp,
    /// Rows in view whose data is not loaded yet.
    wanted: Vec<ConsignmentId>,
}

fn ago(since: Timestamp, now: Timestamp) -> String {
    largest_unit(now.duration_since(since).max(SignedDuration::ZERO))
}

impl Rows for ExceptionRows<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.rows.get(index).map_or(u64::MAX, |row| key(row.id))
    }

    fn name(&self, index: usize) -> String {
        let Some(row) = self.rows.get(index) else {
            return String::new();
        };
        let new = if self.fresh.contains(&row.id) {
            ", new"
        } else {
            ""
        };
        let (what, since) = (row.exception.label(), ago(row.since, self.now));
        match self.known.get(&row.id) {
            Some(known) => format!("{} to {}, {what} for {since}{new}", known.number, known.to),
            None => format!("{}, {what} for {since}{new}", row.id),
        }
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(row) = self.rows.get(index) else {
            return;
        };
        let known = self.known.get(&row.id);
        if column == 0 && known.is_none() {
            self.wanted.push(row.id);
        }
        match (column, known) {
            (0, Some(known)) => cell.mono(&known.number),
            (0, None) => cell.muted(&row.id.to_string()),
            (1, Some(known)) => cell.text(&known.to),
            (2, Some(known)) => cell.text(&known.carrier),
            (3, _) => cell.text(&ago(row.since, self.now)),
            (4, _) => {
                let tone = exception_tone(row.exception);
                cell.badge(&Badge::new(tone, row.exception.label()));
                if self.fresh.contains(&row.id) {
                    cell.badge(&Badge::new(Tone::Accent, "new").outlined());
                }
            }
            _ => {}
        }
    }
}

impl ExceptionsCard {
    pub(super) fn on_shown(&mut self, frame: u64) {
        self.first_row_opened = false;
        self.last_hidden_frame = frame;
    }

    pub(super) fn take_focus(&mut self) {
        self.table.request_focus();
    }

    /// Draws the card, up to `room` points high if the rows need it.
    pub(super) fn card(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        board: &Board,
        fresh: &HashSet<ConsignmentId>,
        room: f32,
    ) {
        let count = board.by_exception.iter().map(|tally| tally.count).sum();
        let mut opened = false;
        Card::new("Needs attention").flush().show(
            ui,
            |ui| opened = count_button(ui, board, count),
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                if board.exceptions.is_empty() {
                    return layout::sized(ui, vec2(ui.available_width(), NOTHING), |ui| {
                        let headline = "Nothing needs attention";
                        let words = "All consignments are in transit or delivered";
                        empty_state(ui, icons::ICON_CHECK_CIRCLE, headline, words, None);
                    });
                }
                let rows = |count: usize| (count as f32).mul_add(size::ROW, size::ROW + 3.0);
                let all = board.exceptions.len();
                let least = rows(all.min(LEAST_ROWS));
                let height = (room - size::CARD_HEAD - 2.0).clamp(least, rows(all).max(least));
                let room = vec2(ui.available_width(), height);
                layout::sized(ui, room, |ui| self.rows(ui, context, board, fresh));
            },
        );
        if opened {
            context.push(TrackCommand::DrillDown(DrillDown::Exceptions));
        }
    }

    fn rows(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        board: &Board,
        fresh: &HashSet<ConsignmentId>,
    ) {
        let shared = context.shared;
        let mut list = ExceptionRows {
            rows: &board.exceptions,
            known: &shared.rows,
            fresh,
            now: shared.now,
            wanted: Vec::new(),
        };
        let coming = !self.first_row_opened;
        if coming {
            self.first_row_opened = true;
            // If the rows arrive after the board was shown, the clerk may be typing or scanning: keep the
            // focus there.
            let comes_up = ui.ctx().cumulative_frame_nr() <= self.last_hidden_frame + 1;
            let typing = ui.ctx().text_edit_focused() && !comes_up;
            if !typing && !context.is_triggered(Action::Search) {
                self.table.request_focus();
            }
            let cursor = self.table.selection.cursor();
            if cursor.is_none_or(|cursor| list.find(cursor).is_none()) {
                self.table.selection.tick_only(key(board.exceptions[0].id));
            }
            self.table.reveal_cursor();
        }
        let before = self.table.selection.cursor();
        let shown = Table::new("Needs attention", &COLUMNS).show(ui, &mut self.table, &mut list);
        let cursor = self.table.selection.cursor();
        if let Some(cursor) = cursor {
            // Only one row is selected: the one whose page is open.
            self.table.selection.tick_only(cursor);
        }
        let open = shared.track.page.open;
        let wanted = cursor.and_then(|cursor| list.find(cursor));
        let wanted = wanted.map(|at| board.exceptions[at].id);
        let pressed = shown.opened.is_some();
        let moved = cursor != before || pressed;
        if let Some(id) =
            wanted.filter(|id| (moved && open != Some(*id)) || (coming && open.is_none()))
        {
            context.push(TrackCommand::Open(id));
        } else if pressed {
            // The page is open already, so opening the row again shows the proof of delivery.
            context.triggered.push(Action::ProofOfDelivery);
        }
        self.ask_for(context, board.as_of, list.wanted);
    }

    /// Requests the data of rows in view that are not loaded yet, once for each count of the board.
    fn ask_for(&mut self, context: &mut Context<'_>, as_of: Timestamp, wanted: Vec<ConsignmentId>) {
        if self.requested_for != as_of {
            self.requested_for = as_of;
            self.requested.clear();
        }
        if wanted.iter().any(|id| !self.requested.contains(id)) {
            self.requested.extend(wanted.iter().copied());
            context.push(ListCommand::NeedRows(wanted));
        }
    }
}

/// Draws the number of exceptions at the right of the card's header, as a drill-down.
fn count_button(ui: &mut Ui, board: &Board, count: usize) -> bool {
    if count == 0 {
        return false;
    }
    let words = grouped(count);
    let name = format!("Needs attention: {words}");
    let tones = { board.exceptions.iter() }.map(|row| exception_tone(row.exception));
    let tone = tones.min_by_key(|tone| *tone != Tone::Bad);
    let badge = Badge::new(tone.unwrap_or(Tone::Warning), &words).name(&name);
    let pressed = badge.show_button(ui).clicked();
    if count > board.exceptions.len() {
        let shown = format!("showing the worst {}", grouped(board.exceptions.len()));
        ui.label(text::small(shown).color(palette(ui).muted));
    }
    pressed
}
