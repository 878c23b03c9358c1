//! The rows of the table, as drawn, and which of them to load. A row that is not loaded yet has a placeholder of the same
//! height, so that nothing moves when its data arrives.

use std::ops::Range;
use std::sync::Arc;

use super::super::late::lateness_of;
use super::super::status_style;
use super::{RowIndex, TrackRows};
use crate::state::{ConsignmentRow, Exception, ListField, Shared};
use crate::ui::format::time_or_day;
use crate::ui::lists::{ListedRows as _, draw_cell, id_of, key};
use shipping::{ConsignmentId, LocalTime};
use widgets::badge::Badge;
use widgets::table::{Cell, Rows, Selection};
use widgets::tokens::Tone;

/// The rows of the current list, for drawing.
pub(super) struct TrackTableRows<'a> {
    pub(super) shared: &'a Shared,
    pub(super) row_index: &'a RowIndex,
    pub(super) columns: Arc<[ListField]>,
    /// Number of listed rows that are ticked.
    pub(super) ticked: usize,
}

impl TrackTableRows<'_> {
    fn one(&self, index: usize) -> Option<&ConsignmentRow> {
        let id = self.row_index.id_at(index)?;
        self.shared.track.rows.get(&id).map(AsRef::as_ref)
    }

    fn status(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) {
        let (tone, icon) = (
            status_style::tone(one.status.id),
            status_style::icon(one.status.id),
        );
        cell.badge(&Badge::new(tone, &one.status.label()).icon(icon));
        if one.is_test {
            cell.badge(&Badge::new(Tone::Warning, "TEST"));
        }
        let board = self.shared.track.board.value();
        let wrong = board.and_then(|board| board.exception(one.id));
        let wrong = wrong.map(|row| row.exception);
        // Don't repeat an exception that the status already shows, or lateness, which is in the ETA column.
        let told =
            |wrong: &Exception| one.status.id.exception().is_none() && *wrong != Exception::Late;
        if let Some(wrong) = wrong.filter(told) {
            cell.badge(&Badge::new(
                status_style::exception_tone(wrong),
                wrong.label(),
            ));
        }
    }

    fn eta(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) {
        let now = LocalTime::at(self.shared.now, &self.shared.session.zone).0;
        let by = { one.eta }
            .map(|at| time_or_day(at, now))
            .unwrap_or_default();
        match lateness_of(one, self.shared.track.thresholds, self.shared.now) {
            Some(late) if late.is_over() => {
                cell.text(&by);
                cell.muted(&late.text());
            }
            Some(late) => {
                cell.text(&by);
                cell.toned(&late.text(), Tone::Warning);
            }
            None => cell.text(&by),
        }
    }
}

impl Rows for TrackTableRows<'_> {
    fn count(&self) -> usize {
        self.row_index.count()
    }

    fn key(&self, index: usize) -> u64 {
        self.row_index.id_at(index).map_or(u64::MAX, key)
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.row_index.place(id_of(key))
    }

    fn is_muted(&self, index: usize) -> bool {
        self.one(index).is_none()
    }

    fn ticked(&self, _selection: &Selection) -> usize {
        self.ticked
    }

    fn name(&self, index: usize) -> String {
        match (self.one(index), self.row_index.id_at(index)) {
            (Some(one), _) => {
                let test = if one.is_test { ", test" } else { "" };
                format!("{} {}, {}{test}", one.number, one.to, one.status.label())
            }
            (None, Some(id)) => format!("MS{id}, loading"),
            (None, None) => String::new(),
        }
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(field) = self.columns.get(column).copied() else {
            return;
        };
        let Some(one) = self.one(index) else {
            if let (ListField::Number, Some(id)) = (field, self.row_index.id_at(index)) {
                return cell.mono(&format!("MS{id}"));
            }
            return cell.placeholder();
        };
        match field {
            ListField::Status => self.status(cell, one),
            ListField::Eta => self.eta(cell, one),
            field => {
                let now = LocalTime::at(self.shared.now, &self.shared.session.zone).0;
                draw_cell(cell, one, field, &self.columns, self.shared, now);
            }
        }
    }
}

/// Rows in a page: several screens, and few enough to be read within a frame.
const PAGE: usize = 128;
/// Seconds after which missing rows are requested again.
const AGAIN_SECONDS: f64 = 2.0;

/// The last request for rows: the rows in view and as many before and after, in whole pages. However long the
/// list is, only a few pages of ids are examined.
#[derive(Default)]
pub(super) struct RowPrefetch {
    pages: Range<usize>,
    /// The version of the list to which the pages belong.
    of: u64,
    at: f64,
}

impl RowPrefetch {
    /// Returns the rows to load now, if rows in view are missing or another page came near.
    pub(super) fn needs(
        &mut self,
        rows: &TrackRows,
        (ids, of): (&[ConsignmentId], u64),
        in_sight: Range<usize>,
        now: f64,
    ) -> Option<Vec<ConsignmentId>> {
        if ids.is_empty() {
            return None;
        }
        let last = in_sight.end.clamp(1, ids.len());
        let first = in_sight.start.min(last - 1);
        let pages = (first / PAGE).saturating_sub(1)..(last - 1) / PAGE + 2;
        let is_new = self.pages != pages || self.of != of;
        let near = pages.start * PAGE..(pages.end * PAGE).min(ids.len());
        let is_missing = |id: &ConsignmentId| !rows.contains_key(id);
        if !is_new {
            let waits = ids[first..last].iter().any(is_missing);
            if !waits || now - self.at < AGAIN_SECONDS {
                return None;
            }
        }
        (self.pages, self.of, self.at) = (pages, of, now);
        let near = &ids[near];
        near.iter().any(is_missing).then(|| near.to_vec())
    }
}
