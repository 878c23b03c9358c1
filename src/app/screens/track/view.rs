//! The Track screen: the board of metrics or the table of consignments, with one consignment's page beside
//! it. A toolbar above both shows the scope, how fresh the data is and why the last sync failed.

mod board;
mod files;
mod page;
mod status_style;
mod statuses;
mod table;
mod toolbar;

use std::sync::Arc;

use egui::Ui;

use crate::state::{Editing, ExportRows, ListField, Shared, TrackCommand, TrackPane};
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_rows, all_rows_ticked_or_not};
use crate::ui::format::grouped;
use crate::ui::lists::ListScreen as _;
use crate::ui::{Context, ScreenView};
use widgets::tokens::size;
use widgets::{layout, modal};

/// The page's share of the width, and its smallest and largest width in points.
const PAGE_SHARE: f32 = 0.31;
const PAGE_LEAST: f32 = 320.0;
const PAGE_MOST: f32 = 460.0;
/// If the screen is narrower than this, in points, the table has the full width until a page is opened.
const WIDE: f32 = 1_100.0;

/// Actions that only the table can run. A request on the board switches to the table first.
const TABLE_ONLY_ACTIONS: [Action; 3] = [
    Action::TrackFilter,
    Action::TrackViews,
    Action::TrackSearchService,
];

/// The columns of the exported exceptions.
const EXCEPTION_COLUMNS: [ListField; 10] = [
    ListField::Number,
    ListField::Exception,
    ListField::Since,
    ListField::Status,
    ListField::To,
    ListField::Suburb,
    ListField::State,
    ListField::Carrier,
    ListField::CarrierNumber,
    ListField::Reference,
];

#[derive(Default)]
pub(crate) struct TrackScreen {
    head: toolbar::ToolbarState,
    board: board::BoardState,
    table: table::TrackTableState,
    page: page::PageState,
    files: files::FilesState,
    export: crate::ui::export::ExportDialog,
    day_sheet: files::DaySheetDialog,
    dialogs: toolbar::ScopeDialogs,
    /// The last frame in which the screen was drawn.
    drawn_in: Option<u64>,
    /// True if a text field had the keyboard focus in that frame. The field then uses Escape itself.
    typing: bool,
    /// An action requested on the board that the table runs as soon as it is shown.
    pending_table_action: Option<Action>,
}

impl ScreenView for TrackScreen {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.dialogs.is_open()
            || self.table.is_open()
            || self.page.is_open()
            || self.files.is_open()
            || self.export.is_open()
            || self.day_sheet.is_open()
    }

    fn offer_focus(&mut self) {
        // Only the table needs this; the board takes the focus when it is drawn.
        self.table.offer_focus();
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        let frame = ui.ctx().cumulative_frame_nr();
        if self.drawn_in.is_none_or(|last| last + 1 < frame) {
            self.board.on_shown(frame);
        }
        self.drawn_in = Some(frame);
        if context.is_triggered(Action::TrackBoard) {
            context.push(TrackCommand::Show(TrackPane::Board));
        }
        if context.is_triggered(Action::TrackTable) {
            context.push(TrackCommand::Show(TrackPane::Table));
        }
        self.close_page(ui, context);
        self.go_to_table(context);
        ui.spacing_mut().item_spacing.y = size::GUTTER;
        self.head.show(ui, context);
        let on_board = context.shared.track.pane == TrackPane::Board;
        if on_board {
            self.board.show_metrics(ui, context);
        } else {
            self.board.on_shown(frame);
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
                let can = |action| context.is_triggered(action) && self.table.can(action, shared);
                if sets.into_iter().any(can) {
                    // Runs after the table, because its menu may have requested the action. The ids are
                    // collected only on request: the list may have a million rows.
                    let chosen = self.table.chosen();
                    self.page.begin(context, chosen);
                }
            }
            _ => self.page.show(ui, context, &self.files),
        });
        self.dialogs.show(ui, context);
        self.page.show_in_front(ui, context);
        self.files.show_in_front(ui, context);
        if context.is_triggered(Action::ExportList) {
            let export = list_to_export(context.shared, self.table.columns());
            self.export.begin(export, context);
        }
        self.export.show(ui, context);
        self.day_sheet.show(ui, context);
        self.typing = ui.ctx().text_edit_focused();
    }
}

impl TrackScreen {
    /// Closes the page on Escape, unless something else uses the key. The focus then returns to the rows.
    fn close_page(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if context.shared.track.page.open.is_none() {
            return;
        }
        let free = !context.is_dialog_open && !self.typing;
        if context.is_triggered(Action::CloseConsignment) || (free && modal::consume_escape(ui)) {
            context.push(TrackCommand::Close);
            self.table.take_focus();
            self.board.take_focus();
        }
    }

    /// Switches to the table for an action that only the table can run, and requests the action again once the table
    /// is shown.
    fn go_to_table(&mut self, context: &mut Context<'_>) {
        if context.shared.track.pane == TrackPane::Table {
            context.triggered.extend(self.pending_table_action.take());
            return;
        }
        if let Some(action) = TABLE_ONLY_ACTIONS
            .into_iter()
            .find(|action| context.is_triggered(*action))
        {
            self.pending_table_action = Some(action);
            context.push(TrackCommand::Show(TrackPane::Table));
        }
    }
}

/// Returns the rows of the table, which has these columns, or the exceptions on the board.
fn list_to_export(shared: &Shared, columns: &[ListField]) -> Export {
    let track = &shared.track;
    if track.pane == TrackPane::Board {
        let count = { track.board.value() }.map_or(0, |board| board.needs_attention());
        let (name, rows) = ("Needs attention", all_rows(count));
        return Export::of_columns(name, rows, &EXCEPTION_COLUMNS, |columns| {
            ExportRows::NeedsAttention {
                scope: track.scope.clone(),
                thresholds: track.thresholds,
                count,
                columns,
            }
        });
    }
    let list = track.list.value();
    let ids = list.map_or_else(Arc::default, |list| Arc::clone(&list.ids));
    let rows_text = if list.is_some_and(|list| list.more) {
        format!("The newest {} rows, ticked or not", grouped(ids.len()))
    } else {
        all_rows_ticked_or_not(ids.len())
    };
    Export::of_columns("Consignments", rows_text, columns, |columns| {
        ExportRows::Tracked { ids, columns }
    })
}
