//! Track: the board of figures, or the table of rows, with a consignment's page beside either.
//!
//! What always holds: what is looked at, how fresh it is and what went wrong with that stand in one line above both; the
//! page has a place of its own beside them at every width. It must not know how anything is counted or fetched.

mod board;
mod companies;
mod day_sheet;
pub(super) mod files;
mod follows;
mod freshness;
mod head;
mod late;
mod looks;
mod out;
mod page;
mod paper;
mod statuses;
mod table;
mod thresholds;

use egui::Ui;

use super::Context;
use super::actions::Action;
use super::kit::tokens::size;
use super::kit::{layout, modal};
use crate::state::{TrackCommand, TrackPane};

/// The page's share of the width, and its limits in points.
const PAGE_SHARE: f32 = 0.31;
const PAGE_LEAST: f32 = 320.0;
const PAGE_MOST: f32 = 460.0;
/// In a narrower screen the table has all of the width while no page is open.
const WIDE: f32 = 1_100.0;

/// What the table does, asked for wherever it is.
const ON_TABLE: [Action; 3] = [
    Action::TrackFilter,
    Action::TrackViews,
    Action::TrackAskService,
];

/// What the screen keeps for itself.
#[derive(Default)]
pub(super) struct State {
    head: head::State,
    board: board::State,
    table: table::State,
    page: page::State,
    files: files::State,
    export: super::export::State,
    day_sheet: day_sheet::State,
    thresholds: thresholds::State,
    follows: follows::State,
    /// The last frame in which it was drawn.
    drawn_in: Option<u64>,
    /// A text field had the keys in that frame: Escape was its.
    typing: bool,
    /// Asked for on the board, and done by the table as soon as that is up.
    on_table: Option<Action>,
}

impl State {
    /// Is anything in front of the screen?
    pub(super) fn is_open(&self) -> bool {
        self.thresholds.is_open()
            || self.follows.is_open()
            || self.board.is_open()
            || self.table.is_open()
            || self.page.is_open()
            || self.files.is_open()
            || self.export.is_open()
            || self.day_sheet.is_open()
    }

    /// The screen opens, or its table does: the rows have the keys, unless something else takes them. The board sees to
    /// that by itself.
    pub(super) fn offer_focus(&mut self) {
        self.table.offer_focus();
    }

    /// Draws the screen.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let frame = ui.ctx().cumulative_frame_nr();
        if self.drawn_in.is_none_or(|last| last + 1 < frame) {
            self.board.came_up(frame);
        }
        self.drawn_in = Some(frame);
        if context.asked(Action::TrackBoard) {
            context.ask(TrackCommand::Show(TrackPane::Board));
        }
        if context.asked(Action::TrackTable) {
            context.ask(TrackCommand::Show(TrackPane::Table));
        }
        self.close_page(ui, context);
        self.go_to_table(context);
        ui.spacing_mut().item_spacing.y = size::GUTTER;
        self.head.show(ui, context);
        if context.asked(Action::TrackThresholds) {
            self.thresholds.begin(context.shared.track.thresholds);
        }
        let on_board = context.shared.track.pane == TrackPane::Board;
        if on_board {
            self.board.figures(ui, context);
        } else {
            self.board.came_up(frame);
        }
        let room = ui.available_width();
        let beside = on_board || room >= WIDE || context.shared.track.page.open.is_some();
        let right = (room * PAGE_SHARE).clamp(PAGE_LEAST, PAGE_MOST);
        let left = room - right - size::GUTTER;
        let widths: &[f32] = if beside { &[left, right] } else { &[room] };
        layout::panes(ui, widths, |pane, ui| match pane {
            0 if on_board => self.board.show(ui, context),
            0 => {
                self.table.show(ui, context);
                let sets = [Action::SetStatus, Action::CancelManifested];
                let shared = context.shared;
                let can = |action| context.asked(action) && self.table.can(action, shared);
                if sets.into_iter().any(can) {
                    // After the table, whose menu may have asked; looked through for this alone: it may have a million rows.
                    let chosen = self.table.chosen(context.shared.track.list.value());
                    self.page.begin(context, chosen);
                }
            }
            _ => self.page.show(ui, context, &mut self.files),
        });
        self.thresholds.show(ui, context);
        self.follows.show(ui, context);
        self.page.show_in_front(ui, context);
        self.files.show_in_front(ui, context);
        out::show(ui, context, &mut self.export, &self.table.columns());
        self.day_sheet.show(ui, context);
        self.typing = ui.ctx().text_edit_focused();
    }

    /// Escape puts the page away, where nothing else has a use for it; the rows beside it have the keys then.
    fn close_page(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if context.shared.track.page.open.is_none() {
            return;
        }
        let free = !context.in_front && !self.typing;
        if context.asked(Action::ClosePage) || (free && modal::takes_escape(ui)) {
            context.ask(TrackCommand::Close);
            self.table.take_focus();
            self.board.take_focus();
        }
    }

    /// What only the table can do, asked for on the board: the table comes up, and does it.
    fn go_to_table(&mut self, context: &mut Context<'_>) {
        if context.shared.track.pane == TrackPane::Table {
            context.asked.extend(self.on_table.take());
            return;
        }
        if let Some(action) = ON_TABLE.into_iter().find(|action| context.asked(*action)) {
            self.on_table = Some(action);
            context.ask(TrackCommand::Show(TrackPane::Table));
        }
    }
}
