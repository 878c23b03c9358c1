//! The Track screen: the board of metrics or the table of consignments, with one consignment's page beside
//! it. A toolbar above both shows the scope, how fresh the data is and why the last sync failed.

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

/// The page's share of the width, and its smallest and largest width in points.
const PAGE_SHARE: f32 = 0.31;
const PAGE_LEAST: f32 = 320.0;
const PAGE_MOST: f32 = 460.0;
/// On a narrower screen (in points) the table takes the full width until a page is opened.
const WIDE: f32 = 1_100.0;

/// Actions that only the table can run. Requesting one on the board switches to the table first.
const ON_TABLE: [Action; 3] = [
    Action::TrackFilter,
    Action::TrackViews,
    Action::TrackAskService,
];

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
    /// The last frame in which the screen was drawn.
    drawn_in: Option<u64>,
    /// True when a text field had the keyboard focus in that frame: Escape then belongs to the field.
    typing: bool,
    /// An action requested on the board that the table runs as soon as it is shown.
    on_table: Option<Action>,
}

impl State {
    /// True while a dialog, menu or viewer is in front of the screen.
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

    /// Offers the keyboard focus to the table's rows when the screen or the table opens. The board takes the
    /// focus by itself.
    pub(super) fn offer_focus(&mut self) {
        self.table.offer_focus();
    }

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
                    // Runs after the table, because its menu may have requested the action. The ids are
                    // collected only on request: the list may have a million rows.
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

    /// Closes the page on Escape, unless something else uses the key. The focus then returns to the rows.
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

    /// Switches to the table for an action that only the table can run, and hands the action over once the
    /// table is shown.
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
