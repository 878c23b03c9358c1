//! The Dispatch screen: unmanifested consignments, their groups, bookings and manifests.

pub(crate) mod state;
pub(crate) mod update;
pub mod view;

use std::time::Duration;

use super::{ScreenUpdate, poll_reads};
use crate::core::Core;
use crate::state::DispatchCommand;
use engine::SyncKind;
use update::DispatchUpdate;

impl ScreenUpdate for DispatchUpdate {
    type Command = DispatchCommand;

    fn open(core: &mut Core) {
        core.sync_list(SyncKind::Changes);
    }

    fn run(core: &mut Core, command: DispatchCommand) {
        core.run_dispatch(command);
    }

    fn poll(core: &mut Core) {
        core.shared.dispatch.found.poll();
        core.shared.dispatch.closings.poll();
        core.shared.dispatch.groups_view.manifest.poll();
        core.poll_list();
        poll_reads! { core:
            shared.dispatch.groups => groups_came,
            shared.dispatch.groups_view.manifests => manifests_came,
        }
    }

    fn run_timers(core: &mut Core, at: Duration) {
        core.watch_deletion(at);
        core.watch_list(at);
        core.watch_closings(at);
    }

    /// Returns when the deletion is sent, the list is synced or the closing times are read.
    fn next_due(&self) -> Option<Duration> {
        let due = [self.deleting_due, self.list_sync.due, self.closings_due];
        due.into_iter().flatten().min()
    }
}
