//! The table: which rows it shows, and those in sight fetched from the store.

use std::sync::Arc;

use crate::app::core::Core;
use crate::shipping::ConsignmentId;
use crate::state::{Door, TrackOrder, TrackPane};

impl Core {
    pub(super) fn list_rows(&mut self) {
        let track = &mut self.shared.track;
        track.query.scope = track.scope.clone();
        let list = self
            .work
            .reads()
            .track_list(track.query.clone(), track.thresholds);
        track.list.start(list);
    }

    pub(super) fn enter(&mut self, door: Door) {
        self.shared.track.pane = TrackPane::Table;
        self.shared.track.query.door = door;
        self.list_rows();
    }

    pub(super) fn look_for_words(&mut self, words: String) {
        self.shared.track.query.words = words;
        self.list_rows();
    }

    pub(super) fn order_rows(&mut self, order: TrackOrder) {
        self.shared.track.query.order = order;
        self.list_rows();
    }

    pub(super) fn fetch_rows(&mut self, ids: Vec<ConsignmentId>) {
        let rows = self.work.reads().track_rows(ids);
        self.tracking.rows.start(rows);
    }

    pub(super) fn poll_table(&mut self) {
        self.shared.track.list.poll();
        if self.tracking.rows.poll()
            && let Some(rows) = self.tracking.rows.value()
        {
            let known = Arc::make_mut(&mut self.shared.track.rows);
            known.extend(rows.iter().map(|row| (row.id, Arc::clone(row))));
        }
    }

    pub(super) fn ask_service_for(&mut self, _text: &str) {}
}
