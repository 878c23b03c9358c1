//! The Track screen: the sync with the service, the board, the table, a consignment's page, statuses
//! and exports.
//!
//! Long work runs in the background. An answer to an outdated question is dropped.

mod board;
mod page;
mod saving;
mod sync;
mod table;

use std::time::Duration;

use crate::core::Core;
use crate::state::{DrillDown, TrackCommand};
pub(crate) use sync::TrackUpdate;

impl Core {
    pub(crate) fn run_track(&mut self, command: TrackCommand) {
        self.track.news.is_person_active = true;
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
            TrackCommand::Days(days) => {
                self.shared.track.scope.days = days;
                self.board_scope_changed();
            }
            TrackCommand::Carrier(carrier) => {
                self.shared.track.scope.carrier = carrier;
                self.board_scope_changed();
            }
            TrackCommand::Companies(companies) => {
                self.shared.track.companies = companies;
                self.board_scope_changed();
            }
            TrackCommand::SetThresholds(thresholds) => {
                self.shared.track.thresholds = thresholds;
                self.board_scope_changed();
            }
            TrackCommand::SeenExceptions => self.see_exceptions(),
            TrackCommand::DrillDown(door) => self.drill_down(door),
            TrackCommand::ClearDrillDown => {
                self.shared.track.query.drill_down = DrillDown::All;
                self.list_rows();
            }
            TrackCommand::Reveal(id) => self.show_page(id, format!("MS{id}")),
            TrackCommand::FilterWords(words) => {
                self.shared.track.query.words = words;
                self.list_rows();
            }
            TrackCommand::Order(order) => {
                self.shared.track.query.order = order;
                self.list_rows();
            }
            TrackCommand::AskService(text) => self.ask_service_for(&text),
            TrackCommand::Open(id) => self.open_page(id),
            TrackCommand::Close => self.close_page(),
            TrackCommand::LoadForStatus(ids) => self.read_status_rows(ids),
            TrackCommand::Page(command) => self.run_page(command),
            TrackCommand::Files(command) => self.run_files(command),
            TrackCommand::SetStatuses(updates) => self.set_statuses(&updates),
            TrackCommand::EnableRefused => {
                let rights = &mut self.shared.track.rights;
                (rights.no_statuses, rights.no_cancel) = (None, None);
            }
            TrackCommand::Export(command) => self.run_exports(command),
        }
    }

    /// Refreshes the board and the table when Track is opened.
    pub(crate) fn open_track_screen(&mut self) {
        self.count_board();
        self.list_rows();
        self.read_rows_again();
    }

    pub(crate) fn watch_track(&mut self, at: Duration) {
        self.show_save_progress();
        self.read_back_statuses();
        self.watch_sync(at);
        self.watch_seen(at);
        self.watch_board();
        self.watch_page(at);
    }

    /// Refreshes what depends on the tracked consignments, after they changed.
    pub(crate) fn tracked_changed(&mut self) {
        self.look_for_news();
        self.read_rows_again();
        self.query_list();
        self.filter_labels();
        if self.shared.screen == crate::state::Screen::Track {
            self.count_board();
            self.list_rows();
            self.read_page();
        }
    }
}
