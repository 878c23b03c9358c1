//! The board: counted anew when what is followed or what is looked at has changed.

use crate::app::core::Core;
use crate::state::{Thresholds, TrackScope};

impl Core {
    pub(super) fn count_board(&mut self) {
        let track = &mut self.shared.track;
        let count = self
            .work
            .reads()
            .board(track.scope.clone(), track.thresholds);
        track.board.start(count);
    }

    pub(super) fn poll_board(&mut self) {
        self.shared.track.board.poll();
    }

    pub(super) fn look_at(&mut self, change: impl FnOnce(&mut TrackScope)) {
        change(&mut self.shared.track.scope);
        self.followed_changed();
    }

    pub(super) fn with_children(&mut self, children: bool) {
        self.shared.track.children = children;
        self.followed_changed();
    }

    pub(super) fn set_thresholds(&mut self, thresholds: Thresholds) {
        self.shared.track.thresholds = thresholds;
        self.followed_changed();
    }
}
