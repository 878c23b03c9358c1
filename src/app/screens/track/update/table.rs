//! The table on Track: the query of its rows.

use crate::core::Core;
use crate::state::{DrillDown, Screen, TrackPane, TrackScope};

/// Days of a scope without a limit: no consignment is tracked for so long.
const UNLIMITED_DAYS: u16 = 3_650;

impl Core {
    pub(super) fn list_rows(&mut self) {
        let track = &mut self.shared.track;
        let query = &mut track.query;
        let is_found = self.track.lookup_text.as_ref() == Some(&query.words);
        query.scope = if is_found && query.drill_down == DrillDown::All {
            // A scanned consignment is shown whatever its age and company.
            TrackScope {
                days: UNLIMITED_DAYS,
                ..TrackScope::default()
            }
        } else {
            track.scope.clone()
        };
        let reads = self.work.reads();
        let list = reads.track_list(track.query.clone(), track.thresholds);
        track.list.start(list);
    }

    pub(super) fn drill_down(&mut self, door: DrillDown) {
        self.shared.screen = Screen::Track;
        self.shared.track.pane = TrackPane::Table;
        self.shared.track.query.drill_down = door;
        // The metric that leads here counted all rows, so the filter text must not hide any.
        self.shared.track.query.words.clear();
        self.list_rows();
    }

    /// Shows the rows that a lookup found for these words, whatever the table showed before.
    pub(crate) fn show_found_rows(&mut self, words: String) {
        self.track.lookup_text = Some(words.clone());
        let track = &mut self.shared.track;
        track.pane = TrackPane::Table;
        track.query.drill_down = DrillDown::All;
        track.query.words = words;
        self.show(Screen::Track);
    }
}
