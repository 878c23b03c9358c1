//! The predicates of the board: whether a consignment is in the scope, which exception it has and since when, and
//! which drill-downs include it. Counts and drill-downs use the same predicates, so both always agree. All times are
//! whole seconds. A day is 24 hours, except in predicates that use midnight.

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

use super::drill_down::{AgeBand, Arrival, DrillDown, Thresholds, TrackScope};
use super::summaries::{IndexedSummary, Summaries};
use shipping::{CarrierId, CompanyId, Exception, ExceptionSeverity, StatusId, TransitState};
use storage::{Seconds, day_number};

const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;

/// The moment, scope and thresholds by which summaries are judged.
pub(crate) struct Evaluator {
    now: u32,
    since: u32,
    /// Start of an equally long period before the scope.
    before: u32,
    midnight: u32,
    tomorrow: u32,
    late: u32,
    not_collected: u32,
    no_scan: u32,
    statuses: Vec<(StatusId, TransitState, Option<Exception>)>,
    carriers: Vec<(Option<CarrierId>, bool)>,
    companies: Vec<(Option<CompanyId>, bool)>,
}

impl Evaluator {
    pub(crate) fn new(
        summaries: &Summaries,
        scope: &TrackScope,
        thresholds: Thresholds,
        now: Timestamp,
    ) -> Self {
        let ids = summaries.ids();
        let (midnight, tomorrow) = midnights(now, &scope.zone);
        let seconds = Seconds::from(now).get();
        let days = u32::from(scope.days) * DAY;
        let is_of = |company: &Option<CompanyId>| match (&scope.companies, company) {
            (None, _) => true,
            (Some(these), Some(one)) => these.contains(one),
            (Some(_), None) => false,
        };
        Self {
            now: seconds,
            since: seconds.saturating_sub(days),
            before: seconds.saturating_sub(days.saturating_mul(2)),
            midnight,
            tomorrow,
            late: u32::from(thresholds.late_hours) * HOUR,
            not_collected: u32::from(thresholds.not_collected_hours) * HOUR,
            no_scan: u32::from(thresholds.no_scan_hours) * HOUR,
            statuses: { ids.statuses.iter() }
                .map(|id| (*id, id.transit_state(), id.exception()))
                .collect(),
            carriers: { ids.carriers.iter() }
                .map(|id| (*id, scope.carrier.is_none() || *id == scope.carrier))
                .collect(),
            companies: { ids.companies.iter() }
                .map(|id| (*id, is_of(id)))
                .collect(),
        }
    }

    /// Returns true if the carrier and the company are in the scope.
    fn is_of(&self, one: &IndexedSummary) -> bool {
        self.carriers[one.carrier as usize].1 && self.companies[one.company as usize].1
    }

    /// Returns true if the consignment is in the scope: open, or changed or despatched in its days.
    pub(crate) fn is_in_scope(&self, one: &IndexedSummary) -> bool {
        let is_recent =
            one.changed.get() >= self.since.max(1) || one.despatch.get() >= self.since.max(1);
        self.is_of(one) && (is_recent || self.is_open(one))
    }

    pub(crate) fn status(&self, one: &IndexedSummary) -> StatusId {
        self.statuses[one.status as usize].0
    }

    pub(crate) fn transit_state(&self, one: &IndexedSummary) -> TransitState {
        self.statuses[one.status as usize].1
    }

    fn exception_by_status(&self, one: &IndexedSummary) -> Option<Exception> {
        self.statuses[one.status as usize].2
    }

    pub(crate) fn carrier(&self, one: &IndexedSummary) -> Option<CarrierId> {
        self.carriers[one.carrier as usize].0
    }

    pub(crate) fn company(&self, one: &IndexedSummary) -> Option<CompanyId> {
        self.companies[one.company as usize].0
    }

    pub(crate) fn is_open(&self, one: &IndexedSummary) -> bool {
        !matches!(
            self.transit_state(one),
            TransitState::Delivered | TransitState::Ended
        )
    }

    /// Returns true if the consignment is unmanifested and its despatch is due before the bench's next midnight.
    pub(crate) fn is_due_today(&self, one: &IndexedSummary) -> bool {
        let is_due = one.despatch.some().is_some_and(|at| at < self.tomorrow);
        is_due && self.transit_state(one) == TransitState::Unmanifested
    }

    /// Returns the age of an open consignment: since despatch, or since booking if the despatch time is unknown.
    pub(crate) fn age(&self, one: &IndexedSummary) -> Option<AgeBand> {
        let left = one.despatch.some().or(one.booked.some());
        let days = left.map_or(0, |at| self.now.saturating_sub(at) / DAY);
        self.is_open(one).then_some(match days {
            0 => AgeBand::Today,
            1 => AgeBand::OneDay,
            2..=3 => AgeBand::TwoToThreeDays,
            4..=7 => AgeBand::FourToSevenDays,
            8..=14 => AgeBand::EightToFourteenDays,
            _ => AgeBand::Older,
        })
    }

    /// Returns the most severe exception and the time since which it exists.
    pub(crate) fn exception(&self, one: &IndexedSummary) -> Option<(Exception, u32)> {
        let by_status = self.exception_by_status(one);
        let changed = one.changed.some().or(one.ended.some());
        let by_status = by_status.map(|what| (what, changed.unwrap_or(self.now)));
        // Exceptions by time (late, not collected, no scan) rank below the severe statuses and above all
        // other statuses.
        by_status
            .filter(|(what, _)| *what < Exception::Late)
            .or_else(|| self.by_times(one))
            .or(by_status)
    }

    fn by_times(&self, one: &IndexedSummary) -> Option<(Exception, u32)> {
        let state = self.transit_state(one);
        let is_over = |at: u32, patience: u32| at.saturating_add(patience) < self.now;
        if !matches!(state, TransitState::Booked | TransitState::Moving) {
            return None;
        }
        if let Some(eta) = one.eta.some().filter(|eta| is_over(*eta, self.late)) {
            return Some((Exception::Late, eta));
        }
        let (what, since, patience) = match state {
            TransitState::Booked => (
                Exception::NotCollected,
                one.despatch.max(one.booked).some(),
                self.not_collected,
            ),
            _ => (
                Exception::NoScan,
                one.scanned.some().or(one.changed.some()),
                self.no_scan,
            ),
        };
        let since = since.filter(|at| is_over(*at, patience))?;
        Some((what, since))
    }

    /// Returns true if the consignment was lost, damaged or returned, or if its pickup or delivery failed.
    pub(crate) fn went_wrong(&self, one: &IndexedSummary) -> bool {
        self.exception_by_status(one)
            .is_some_and(|what| what.severity() == ExceptionSeverity::Failure)
    }

    /// Returns how the delivery compares with the ETA, if the ETA has passed and is in the days of the scope. Only
    /// the ETA decides this, because an early delivery may be before these days.
    pub(crate) fn arrival(&self, one: &IndexedSummary) -> Option<Arrival> {
        self.arrival_since(one, self.since, self.now)
    }

    /// Like [`Self::arrival`], for an equally long period before the scope.
    pub(crate) fn arrival_before(&self, one: &IndexedSummary) -> Option<Arrival> {
        self.arrival_since(one, self.before, self.since.saturating_sub(1))
    }

    fn arrival_since(&self, one: &IndexedSummary, since: u32, until: u32) -> Option<Arrival> {
        let eta = one.eta.some().filter(|at| (since..=until).contains(at))?;
        if !self.is_of(one) {
            return None;
        }
        let limit = eta.saturating_add(self.late);
        let has_failed =
            self.went_wrong(one) && self.exception_by_status(one) != Some(Exception::PickupFailed);
        match self.transit_state(one) {
            _ if has_failed => Some(Arrival::Failed),
            TransitState::Delivered => {
                let at = one.ended.some().or(one.changed.some()).unwrap_or(eta);
                Some(if at <= limit {
                    Arrival::OnTime
                } else {
                    Arrival::Late
                })
            }
            TransitState::Booked | TransitState::Moving => {
                (limit < self.now).then_some(Arrival::Late)
            }
            TransitState::Unmanifested | TransitState::Ended => None,
        }
    }

    /// Returns the seconds from despatch to delivery, if the consignment was delivered.
    pub(crate) fn transit(&self, one: &IndexedSummary) -> Option<u32> {
        let (left, came) = (one.despatch.some()?, one.ended.some()?);
        let took = came.checked_sub(left)?;
        (self.transit_state(one) == TransitState::Delivered).then_some(took)
    }

    /// Returns true if a consignment with this ETA became late after the last midnight in the bench's time zone.
    pub(crate) const fn is_of_today(&self, eta: u32) -> bool {
        eta.saturating_add(self.late) >= self.midnight
    }
}

impl DrillDown {
    /// Returns true if the drill-down includes the consignment. `Arrived` selects by the ETA; all other drill-downs
    /// include only consignments in the scope.
    pub(crate) fn includes(&self, one: &IndexedSummary, evaluator: &Evaluator) -> bool {
        let is_arrival = matches!(self, Self::Arrived { .. });
        if !is_arrival && !evaluator.is_in_scope(one) {
            return false;
        }
        match *self {
            Self::All => true,
            Self::TransitState(state) => evaluator.transit_state(one) == state,
            Self::Status(status) => evaluator.status(one) == status,
            Self::Carrier(carrier) => evaluator.carrier(one) == carrier,
            Self::Company(company) => evaluator.company(one) == company,
            Self::Age(age) => evaluator.age(one) == Some(age),
            Self::DueToday => evaluator.is_due_today(one),
            Self::Exception(wanted) => {
                { evaluator.exception(one) }.is_some_and(|(what, _)| what == wanted)
            }
            Self::Exceptions => evaluator.exception(one).is_some(),
            Self::WentWrong => evaluator.went_wrong(one),
            Self::Arrived { carrier, day, how } => {
                evaluator.arrival(one) == Some(how)
                    && carrier.is_none_or(|carrier| evaluator.carrier(one) == Some(carrier))
                    && day.is_none_or(|day| one.eta_day != 0 && one.eta_day == day_number(day))
            }
        }
    }
}

/// Returns the last and the next midnight in the bench's time zone, in seconds since 1970.
fn midnights(now: Timestamp, zone: &str) -> (u32, u32) {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let today = zone.to_datetime(now).date();
    let tomorrow = today.tomorrow().unwrap_or(today);
    let start = |day: jiff::civil::Date| {
        let midnight = day.to_datetime(Time::midnight());
        let moment = zone.to_timestamp(midnight).unwrap_or(now);
        Seconds::from(moment).get()
    };
    (start(today), start(tomorrow))
}
