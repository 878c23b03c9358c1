//! The rows of the table, as drawn and as copied. A row that is not loaded yet has a placeholder of the same
//! height, so that nothing moves when its data arrives.

use std::borrow::Cow;

use jiff::Timestamp;

use super::super::late::lateness_of;
use super::super::status_style;
use super::columns::Col;
use super::{RowIndex, id_of, key};
use crate::state::{ConsignmentRow, Exception, Shared};
use crate::ui::format::{grouped, kilograms, price, time_or_day};
use shipping::{Company, ConsignmentId, LocalTime};
use widgets::badge::Badge;
use widgets::table::{Cell, Rows, Selection};
use widgets::tokens::Tone;

/// The rows of the current list, for drawing.
pub(super) struct TrackTableRows<'a> {
    pub(super) shared: &'a Shared,
    pub(super) ids: &'a [ConsignmentId],
    pub(super) places: &'a RowIndex,
    pub(super) columns: &'a [Col],
    /// Number of listed rows that are ticked.
    pub(super) ticked: usize,
}

impl TrackTableRows<'_> {
    fn one(&self, index: usize) -> Option<&ConsignmentRow> {
        let id = self.ids.get(index)?;
        self.shared.track.rows.get(id).map(AsRef::as_ref)
    }

    /// Formats a moment in the bench's time zone.
    fn when(&self, at: Option<Timestamp>) -> String {
        let zone = &self.shared.zone;
        let now = LocalTime::at(self.shared.now, zone).0;
        at.map(|at| time_or_day(LocalTime::at(at, zone), now))
            .unwrap_or_default()
    }

    /// Formats a time in the time zone of its own place.
    fn local_time_text(&self, at: Option<LocalTime>) -> String {
        let now = LocalTime::at(self.shared.now, &self.shared.zone).0;
        at.map(|at| time_or_day(at, now)).unwrap_or_default()
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
        // Don't repeat what the status already tells, or lateness, which is in the ETA column.
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
        let by = self.local_time_text(one.eta);
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
        self.ids.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.ids.get(index).map_or(u64::MAX, |id| key(*id))
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.places.find(self.ids, id_of(key))
    }

    fn is_muted(&self, index: usize) -> bool {
        self.one(index).is_none()
    }

    fn ticked(&self, _selection: &Selection) -> usize {
        self.ticked
    }

    fn name(&self, index: usize) -> String {
        match (self.one(index), self.ids.get(index)) {
            (Some(one), _) => {
                let test = if one.is_test { ", test" } else { "" };
                format!("{} {}, {}{test}", one.number, one.to, one.status.label())
            }
            (None, Some(id)) => format!("MS{id}, loading"),
            (None, None) => String::new(),
        }
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(col) = self.columns.get(column).copied() else {
            return;
        };
        let Some(one) = self.one(index) else {
            if let (Col::Number, Some(id)) = (col, self.ids.get(index)) {
                return cell.mono(&format!("MS{id}"));
            }
            return cell.placeholder();
        };
        match col {
            Col::Number | Col::Reference | Col::Reference2 | Col::CarrierNumber | Col::Manifest => {
                cell.mono(&cell_text(one, col, self.shared));
            }
            Col::Status => self.status(cell, one),
            Col::Suburb => {
                cell.muted(&one.to_place.suburb);
                if !self.columns.contains(&Col::State) {
                    cell.muted(&one.to_place.state);
                }
            }
            Col::Carrier => {
                cell.text(&one.carrier);
                if !self.columns.contains(&Col::Service) {
                    cell.muted(&one.service);
                }
            }
            Col::State | Col::Postcode | Col::From | Col::Service | Col::Company => {
                cell.muted(&cell_text(one, col, self.shared));
            }
            Col::Despatch => cell.text(&self.local_time_text(one.despatch)),
            Col::Eta => self.eta(cell, one),
            Col::Changed => cell.text(&self.when(one.changed)),
            Col::Scanned => cell.text(&self.when(one.scanned)),
            Col::Dangerous => {
                if one.dangerous == Some(true) {
                    cell.dangerous();
                }
            }
            Col::Files if one.attachments == 0 => {}
            Col::To | Col::Pieces | Col::Weight | Col::Volume | Col::Price | Col::Files => {
                cell.text(&cell_text(one, col, self.shared));
            }
        }
    }
}

/// Returns the text of a cell for copying, complete without its neighbours.
pub(super) fn cell_text<'a>(one: &'a ConsignmentRow, col: Col, shared: &'a Shared) -> Cow<'a, str> {
    let local = |at: Option<LocalTime>| {
        at.map(|at| at.0.strftime("%Y-%m-%d %H:%M").to_string())
            .unwrap_or_default()
    };
    let when = |at: Option<Timestamp>| local(at.map(|at| LocalTime::at(at, &shared.zone)));
    match col {
        Col::Number => one.number.as_str().into(),
        Col::Status => one.status.label().into(),
        Col::To => one.to.as_str().into(),
        Col::Suburb => one.to_place.suburb.as_str().into(),
        Col::State => one.to_place.state.as_str().into(),
        Col::Postcode => one.to_place.postcode.as_str().into(),
        Col::Carrier => one.carrier.as_str().into(),
        Col::Service => one.service.as_str().into(),
        Col::CarrierNumber => one.carrier_number.as_str().into(),
        Col::Reference => one.reference.as_str().into(),
        Col::Reference2 => one.reference2.as_str().into(),
        Col::From => one.from.as_str().into(),
        Col::Company => company(one, shared),
        Col::Despatch => local(one.despatch).into(),
        Col::Eta => local(one.eta).into(),
        Col::Changed => when(one.changed).into(),
        Col::Scanned => when(one.scanned).into(),
        Col::Pieces => one.pieces.to_string().into(),
        Col::Weight => one.weight.map(kilograms).unwrap_or_default().into(),
        Col::Volume => {
            let volume = one.volume.map(|volume| format!("{:.3}", volume.0));
            volume.unwrap_or_default().into()
        }
        Col::Price => one.price.map(price).unwrap_or_default().into(),
        Col::Dangerous => match one.dangerous {
            Some(true) => "yes".into(),
            Some(false) => "no".into(),
            None => "".into(),
        },
        Col::Files => grouped(usize::try_from(one.attachments).unwrap_or_default()).into(),
        Col::Manifest => one
            .manifest
            .map(|id| id.to_string())
            .unwrap_or_default()
            .into(),
    }
}

/// Returns the company's name, else its number.
fn company<'a>(one: &ConsignmentRow, shared: &'a Shared) -> Cow<'a, str> {
    let Some(id) = one.company else {
        return "".into();
    };
    let mut all = shared.companies.value().into_iter().flatten();
    match all.find(|company| company.id == id) {
        Some(company) => Company::label(company).into(),
        None => id.to_string().into(),
    }
}
