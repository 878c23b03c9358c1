//! Lists and sheets that leave the bench.

use crate::app::core::Core;
use crate::state::OutCommand;

impl Core {
    pub(super) fn run_out(&mut self, _command: OutCommand) {}

    pub(super) fn poll_out(&mut self) {
        self.shared.track.out.export.poll();
        self.shared.track.out.sheet.poll();
    }
}
