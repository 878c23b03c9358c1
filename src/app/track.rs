//! The Track screen: the sync with the service, the board, the table, a consignment's page, statuses
//! and exports.
//!
//! Long work runs in the background. An answer to an outdated question is dropped.

mod board;
mod files;
mod news;
mod out;
mod page;
mod statuses;
mod sync;
mod table;

use std::time::Duration;

use super::core::Core;
use crate::state::TrackCommand;
pub(super) use page::Paging;
pub(super) use sync::Tracking;

impl Core {
    pub(super) fn run_track(&mut self, command: TrackCommand) {
        // All other commands come from a key or a pointer.
        if !matches!(command, TrackCommand::NeedRows(_)) {
            self.somebody_is_there();
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
            TrackCommand::Follow(scope) => self.follow_scope(scope),
            TrackCommand::Days(days) => self.look_at(|scope| scope.days = days),
            TrackCommand::Carrier(carrier) => self.look_at(|scope| scope.carrier = carrier),
            TrackCommand::Companies(companies) => self.look_at_companies(companies),
            TrackCommand::SetThresholds(thresholds) => self.set_thresholds(thresholds),
            TrackCommand::SeenExceptions => self.see_exceptions(),
            TrackCommand::Enter(door) => self.enter(door),
            TrackCommand::DropDoor => self.drop_door(),
            TrackCommand::CopyRows(ids) => self.copy_rows(ids),
            TrackCommand::Reveal(id) => self.show_on_track(id),
            TrackCommand::Words(words) => self.look_for_words(words),
            TrackCommand::Order(order) => self.order_rows(order),
            TrackCommand::NeedRows(ids) => self.fetch_rows(ids),
            TrackCommand::AskService(text) => self.ask_service_for(&text),
            TrackCommand::Open(id) => self.open_page(id),
            TrackCommand::Close => self.close_page(),
            TrackCommand::Weigh(ids) => self.weigh(ids),
            TrackCommand::Page(command) => self.run_page(command),
            TrackCommand::Files(command) => self.run_files(command),
            TrackCommand::SetStatuses(updates) => self.set_statuses(&updates),
            TrackCommand::ForgetRefusals => self.forget_refusals(),
            TrackCommand::Out(command) => self.run_out(command),
        }
    }

    /// Refreshes the board and the table when Track is opened.
    pub(super) fn open_track_screen(&mut self) {
        self.count_board();
        self.list_rows();
        self.read_rows_again();
    }

    pub(super) fn poll_track(&mut self) {
        self.poll_sync();
        self.shared.track.board.poll();
        self.poll_news();
        self.poll_table();
        self.poll_page();
        self.poll_statuses();
        self.poll_files();
        self.poll_out();
    }

    pub(super) fn watch_track(&mut self, at: Duration) {
        self.watch_sync(at);
        self.watch_seen(at);
        self.watch_board();
        self.watch_page(at);
    }

    /// Refreshes what depends on the tracked consignments, after they changed.
    pub(super) fn followed_changed(&mut self) {
        self.look_for_news();
        if self.shared.screen == crate::state::Screen::Track {
            self.count_board();
            self.list_rows();
            self.read_rows_again();
            self.read_page();
        }
    }
}
