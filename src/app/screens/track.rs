//! The Track screen: statuses, proofs of delivery and the board.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

use std::time::Duration;

use super::{ScreenUpdate, poll_reads};
use crate::core::Core;
use crate::state::TrackCommand;
use update::TrackUpdate;

impl ScreenUpdate for TrackUpdate {
    type Command = TrackCommand;

    fn open(core: &mut Core) {
        core.open_track_screen();
    }

    fn run(core: &mut Core, command: TrackCommand) {
        core.run_track(command);
    }

    fn poll(core: &mut Core) {
        let track = &mut core.shared.track;
        track.board.poll();
        track.list.poll();
        track.page.history.poll();
        track.page.files.poll();
        track.page.shown.poll();
        track.status_rows.poll();
        track.exports.sheet.poll();
        poll_reads! { core:
            track.stored_mark => stored_mark_came,
            shared.track.sync => sync_came,
            track.news.asked => news_came,
            shared.track.page.consignment => page_came,
            track.page.reading_back => statuses_read_back,
        }
    }

    fn run_timers(core: &mut Core, at: Duration) {
        core.watch_track(at);
    }

    /// Returns when a sync, a refresh of the open page, or counting exceptions as seen is due.
    fn next_due(&self) -> Option<Duration> {
        let due = [self.due, self.news.seen_due, self.page.due];
        due.into_iter().flatten().min()
    }
}
