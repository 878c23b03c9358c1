//! The board's figures.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use super::count::{count, worst_first};
use super::door::{Arrival, Door, Exception, Thresholds, TrackScope};
use super::look::Look;
use crate::journal::TrackReader;
use crate::shipping::{CarrierId, ConsignmentId};
use crate::work::bench::Bench;
use crate::work::remote::Fetch;
use crate::work::{Reads, WorkError};
use std::sync::Arc;

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// What is counted, for people.
    pub name: String,
    /// The rows behind it.
    pub door: Door,
    /// How many.
    pub count: usize,
}

/// How what was due went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// Delivered by its ETA.
    pub on_time: usize,
    /// Delivered after it, or past it.
    pub late: usize,
    /// Lost, damaged, returned, or delivery failed.
    pub failed: usize,
}

impl Share {
    /// How many were due.
    pub const fn total(self) -> usize {
        self.on_time + self.late + self.failed
    }

    /// The part that was on time, from 0 to 1; nothing where nothing was due.
    pub fn on_time(self) -> Option<f64> {
        (self.total() > 0).then(|| self.on_time as f64 / self.total() as f64)
    }

    /// How many went so.
    pub const fn of(self, how: Arrival) -> usize {
        match how {
            Arrival::OnTime => self.on_time,
            Arrival::Late => self.late,
            Arrival::Failed => self.failed,
        }
    }
}

/// How a carrier does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarrierTally {
    /// Which; nothing where answers name none.
    pub carrier: Option<CarrierId>,
    /// Its name.
    pub name: String,
    /// How what was due of it went.
    pub share: Share,
}

/// How a carrier did on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayShare {
    /// Due on this day, in the receivers' places.
    pub day: Date,
    /// Of which carrier.
    pub carrier: Option<CarrierId>,
    /// How it went.
    pub share: Share,
}

/// A consignment that somebody has to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionRow {
    /// Which.
    pub id: ConsignmentId,
    /// Why.
    pub exception: Exception,
    /// Since when: the status, the ETA, the last word of the carrier.
    pub since: Timestamp,
}

/// What the board shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Board {
    /// When it was counted.
    pub as_of: Timestamp,
    /// Of what.
    pub scope: TrackScope,
    /// All of the scope.
    pub total: usize,
    /// Unmanifested.
    pub unmanifested: usize,
    /// Of these, to be despatched today or before.
    pub due_today: usize,
    /// Booked, and not with the carrier yet.
    pub booked: usize,
    /// Of these, not collected in time.
    pub not_collected: usize,
    /// With the carrier.
    pub moving: usize,
    /// How long those delivered in the scope took from despatch: half took less.
    pub median_transit: Option<SignedDuration>,
    /// Past their ETA.
    pub late: usize,
    /// Of these, since midnight on the bench's clocks.
    pub late_since_midnight: usize,
    /// Lost, damaged, returned, failed.
    pub went_wrong: usize,
    /// How what was due in the scope went.
    pub share: Share,
    /// The same of as many days before these.
    pub share_before: Share,
    /// By status, the most first.
    pub by_status: Vec<Tally>,
    /// By carrier, the most first.
    pub by_carrier: Vec<Tally>,
    /// By company, the most first; names are for who shows them.
    pub by_company: Vec<Tally>,
    /// What is open, by age.
    pub by_age: Vec<Tally>,
    /// By exception, the worst first; those without any are left out.
    pub by_exception: Vec<Tally>,
    /// How each carrier does, the busiest first.
    pub carriers: Vec<CarrierTally>,
    /// How each carrier did day by day, the oldest first.
    pub days: Vec<DayShare>,
    /// What somebody has to look at: the worst first, then the longest; a thousand at the most.
    pub exceptions: Vec<ExceptionRow>,
    /// All that somebody has to look at, the lowest id first; see [`Self::exception`].
    pub wrong: Vec<ExceptionRow>,
}

impl Board {
    /// Why somebody has to look at this one, if so.
    pub fn exception(&self, id: ConsignmentId) -> Option<ExceptionRow> {
        let at = self.wrong.binary_search_by_key(&id, |row| row.id).ok()?;
        self.wrong.get(at).copied()
    }

    /// All that somebody has to look at, listed or not.
    pub fn in_need(&self) -> usize {
        self.by_exception.iter().map(|tally| tally.count).sum()
    }
}

impl Reads {
    /// Counts.
    pub fn board(&self, scope: TrackScope, thresholds: Thresholds) -> Fetch<Arc<Board>> {
        self.job(move |bench| async move { bench.board(scope, thresholds).await })
    }
}

impl Bench {
    pub(in crate::work) async fn board(
        &self,
        scope: TrackScope,
        thresholds: Thresholds,
    ) -> Result<Arc<Board>, WorkError> {
        let figures = self.track.figures().await?;
        let now = self.now();
        let count = move |reader: &TrackReader| {
            let look = Look::new(&figures, &scope, thresholds, now);
            let mut board = count(&figures, &look, &*reader.names()?);
            board.as_of = now;
            board.scope = scope.clone();
            Ok(Arc::new(board))
        };
        self.track.read(count).await
    }

    /// All that somebody has to look at, however many: the worst first, then the longest.
    pub(in crate::work) async fn in_need(
        &self,
        scope: TrackScope,
        thresholds: Thresholds,
    ) -> Result<Vec<ExceptionRow>, WorkError> {
        let board = self.board(scope, thresholds).await?;
        let read = move |_: &TrackReader| Ok(worst_first(&board.wrong, usize::MAX));
        self.track.read(read).await
    }
}
