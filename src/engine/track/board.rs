//! Metrics of the Track board.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use super::count::{count, worst_first};
use super::drill_down::{Arrival, DrillDown, Exception, Thresholds, TrackScope};
use super::evaluator::Evaluator;
use crate::context::EngineContext;
use crate::remote::Fetch;
use crate::{EngineError, Reads};
use shipping::{CarrierId, ConsignmentId};
use std::sync::Arc;
use storage::TrackReader;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    pub name: String,
    pub drill_down: DrillDown,
    pub count: usize,
}

/// On-time performance: how consignments that were due arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArrivalCounts {
    /// Delivered by the ETA.
    pub on_time: usize,
    /// Delivered after the ETA, or not delivered and past it.
    pub late: usize,
    /// Lost, damaged, returned, or delivery failed.
    pub failed: usize,
}

impl ArrivalCounts {
    pub const fn total(self) -> usize {
        self.on_time + self.late + self.failed
    }

    /// Returns the share that was on time, from 0 to 1; `None` if nothing was due.
    pub fn on_time_share(self) -> Option<f64> {
        (self.total() > 0).then(|| self.on_time as f64 / self.total() as f64)
    }

    pub const fn count(self, how: Arrival) -> usize {
        match how {
            Arrival::OnTime => self.on_time,
            Arrival::Late => self.late,
            Arrival::Failed => self.failed,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarrierPerformance {
    /// `None` if answers name no carrier.
    pub carrier: Option<CarrierId>,
    pub name: String,
    pub arrivals: ArrivalCounts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayPerformance {
    /// The day of the ETA, in the receivers' time zones.
    pub day: Date,
    pub carrier: Option<CarrierId>,
    pub share: ArrivalCounts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionRow {
    pub id: ConsignmentId,
    pub exception: Exception,
    /// When the exception began: the change of status, the ETA, the despatch or booking, or the
    /// last carrier scan.
    pub since: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Board {
    pub as_of: Timestamp,
    pub scope: TrackScope,
    pub total: usize,
    pub unmanifested: usize,
    /// Unmanifested, with despatch today or earlier.
    pub due_today: usize,
    /// Booked, and not yet with the carrier.
    pub booked: usize,
    /// Booked, and not collected in time.
    pub not_collected: usize,
    pub moving: usize,
    /// Median time from despatch to delivery, of the consignments in the scope that were delivered.
    pub median_transit: Option<SignedDuration>,
    pub late: usize,
    /// Late since the last midnight in the bench's time zone.
    pub late_since_midnight: usize,
    /// Lost, damaged, returned, or pickup or delivery failed.
    pub went_wrong: usize,
    /// On-time performance of the consignments due in the days of the scope.
    pub arrivals: ArrivalCounts,
    /// On-time performance of the same number of days before the scope.
    pub arrivals_before: ArrivalCounts,
    /// By status, the largest count first.
    pub by_status: Vec<Metric>,
    /// By carrier, the largest count first.
    pub by_carrier: Vec<Metric>,
    /// By company, the largest count first. The name is the company's id: the screen looks up
    /// the company's name.
    pub by_company: Vec<Metric>,
    /// Open consignments by age.
    pub by_age: Vec<Metric>,
    /// Consignments per kind of exception, the most severe kind first. Kinds without consignments are left out.
    pub by_exception: Vec<Metric>,
    /// On-time performance of each carrier, the busiest first.
    pub carriers: Vec<CarrierPerformance>,
    /// On-time performance of each carrier by day, the oldest day first.
    pub days: Vec<DayPerformance>,
    /// Exceptions to list: the most severe kind first and, within a kind, the oldest first. At most 1,000.
    pub exceptions: Vec<ExceptionRow>,
    /// All exceptions in ascending order of id; see [`Self::exception`].
    pub all_exceptions: Vec<ExceptionRow>,
}

impl Board {
    pub fn exception(&self, id: ConsignmentId) -> Option<ExceptionRow> {
        let at = self
            .all_exceptions
            .binary_search_by_key(&id, |row| row.id)
            .ok()?;
        self.all_exceptions.get(at).copied()
    }

    /// Returns how many consignments need attention, listed or not.
    pub fn needs_attention(&self) -> usize {
        self.by_exception.iter().map(|tally| tally.count).sum()
    }
}

impl Reads {
    pub fn board(&self, scope: TrackScope, thresholds: Thresholds) -> Fetch<Arc<Board>> {
        self.job(move |bench| async move { bench.board(scope, thresholds).await })
    }
}

impl EngineContext {
    pub(crate) async fn board(
        &self,
        scope: TrackScope,
        thresholds: Thresholds,
    ) -> Result<Arc<Board>, EngineError> {
        let figures = self.track.summaries().await?;
        let now = self.now();
        let count = move |reader: &TrackReader| {
            let look = Evaluator::new(&figures, &scope, thresholds, now);
            let mut board = count(&figures, &look, &*reader.names()?);
            board.as_of = now;
            board.scope = scope.clone();
            Ok(Arc::new(board))
        };
        self.track.read(count).await
    }

    /// Returns all exceptions without a limit: the most severe kind first and, within a kind, the oldest first.
    pub(crate) async fn in_need(
        &self,
        scope: TrackScope,
        thresholds: Thresholds,
    ) -> Result<Vec<ExceptionRow>, EngineError> {
        let board = self.board(scope, thresholds).await?;
        let read = move |_: &TrackReader| Ok(worst_first(&board.all_exceptions, usize::MAX));
        self.track.read(read).await
    }
}
