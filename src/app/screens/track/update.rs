//! The Track screen: the sync with the service, the board, the table, a consignment's page, statuses
//! and exports.
//!
//! Long work runs in the background. An answer to an outdated question is dropped.

mod board;
mod exports;
mod files;
mod new_exceptions;
mod page;
mod statuses;
mod sync;
mod table;

use std::time::Duration;

use crate::core::Core;
use crate::state::TrackCommand;
pub(crate) use page::PageState;
pub(crate) use sync::TrackState;

impl Core {
    pub(crate) fn run_track(&mut self, command: TrackCommand) {
        // All other commands come from a key or a pointer.
        if !matches!(command, TrackCommand::NeedRows(_)) {
            self.record_activity();
        }
        match command {
            TrackCommand::Show(pane) => {
                self.shared.track.pane = pane;
                self.open_track_screen();
            }
            TrackCommand::Sync { whole } => {
                self.sync(whole);
                self.refresh_page();
            }
            TrackCommand::SetSyncScope(scope) => self.change_tracking_scope(scope),
            TrackCommand::Days(days) => self.change_board_scope(|scope| scope.days = days),
            TrackCommand::Carrier(carrier) => {
                self.change_board_scope(|scope| scope.carrier = carrier);
            }
            TrackCommand::Companies(companies) => self.set_board_companies(companies),
            TrackCommand::SetThresholds(thresholds) => self.set_thresholds(thresholds),
            TrackCommand::SeenExceptions => self.see_exceptions(),
            TrackCommand::DrillDown(door) => self.drill_down(door),
            TrackCommand::ClearDrillDown => self.leave_drill_down(),
            TrackCommand::CopyRows(ids) => self.copy_rows(ids),
            TrackCommand::Reveal(id) => self.show_on_track(id),
            TrackCommand::FilterWords(words) => self.look_for_words(words),
            TrackCommand::Order(order) => self.order_rows(order),
            TrackCommand::NeedRows(ids) => self.fetch_rows(ids),
            TrackCommand::AskService(text) => self.ask_service_for(&text),
            TrackCommand::Open(id) => self.open_page(id),
            TrackCommand::Close => self.close_page(),
            TrackCommand::LoadForStatus(ids) => self.read_status_rows(ids),
            TrackCommand::Page(command) => self.run_page(command),
            TrackCommand::Files(command) => self.run_files(command),
            TrackCommand::SetStatuses(updates) => self.set_statuses(&updates),
            TrackCommand::EnableRefused => self.forget_refusals(),
            TrackCommand::Export(command) => self.run_exports(command),
        }
    }

    /// Refreshes the board and the table when Track is opened.
    pub(crate) fn open_track_screen(&mut self) {
        self.count_board();
        self.list_rows();
        self.read_rows_again();
    }

    pub(crate) fn poll_track(&mut self) {
        self.poll_sync();
        self.shared.track.board.poll();
        self.poll_news();
        self.poll_table();
        self.poll_page();
        self.poll_statuses();
        self.poll_files();
        self.poll_exports();
    }

    pub(crate) fn watch_track(&mut self, at: Duration) {
        self.watch_sync(at);
        self.watch_seen(at);
        self.watch_board();
        self.watch_page(at);
    }

    /// Refreshes what depends on the tracked consignments, after they changed.
    pub(crate) fn tracked_changed(&mut self) {
        self.look_for_news();
        if self.shared.screen == crate::state::Screen::Track {
            self.count_board();
            self.list_rows();
            self.read_rows_again();
            self.read_page();
        }
    }
}
