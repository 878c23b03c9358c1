//! Metrics of the Track board, counted in one pass over all tracked consignments, and the exceptions that are new.
//! Invariant: each count equals the number of rows that its drill-down lists, because both use the same predicates.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexSet;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use super::drill_down::{AgeBand, Arrival, DrillDown, Thresholds, TrackScope};
use super::evaluator::Evaluator;
use super::summaries::{IndexedSummary, Summaries};
use crate::context::EngineContext;
use crate::remote::Fetch;
use crate::{EngineError, Reads};
use shipping::{CarrierId, ConsignmentId, Exception, Status, StatusId, TransitState};
use storage::{CountedExceptions, Names, SyncScope, TrackReader, TrackStore, day_of};

/// The most exceptions that the board lists.
const LISTED: usize = 1_000;

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

    const fn add(&mut self, how: Arrival) {
        match how {
            Arrival::OnTime => self.on_time += 1,
            Arrival::Late => self.late += 1,
            Arrival::Failed => self.failed += 1,
        }
    }

    const fn join(&mut self, other: Self) {
        self.on_time += other.on_time;
        self.late += other.late;
        self.failed += other.failed;
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
    /// The start of the exception: the change of status, the ETA, the despatch or booking, or the last carrier scan.
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
    /// Became late after the last midnight in the bench's time zone.
    pub late_since_midnight: usize,
    /// Lost, damaged, returned, or pickup or delivery failed.
    pub went_wrong: usize,
    /// On-time performance of the consignments due in the days of the scope.
    pub arrivals: ArrivalCounts,
    /// On-time performance of the consignments due in the equally long period before the scope.
    pub arrivals_before: ArrivalCounts,
    /// Number of consignments of each status, the largest first.
    pub by_status: Vec<Metric>,
    /// By carrier, the largest count first.
    pub by_carrier: Vec<Metric>,
    /// By company, the largest count first. The name is the company's id: the screen looks up the company's name.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExceptionsRequest {
    /// The consignments that are tracked. Exceptions that appear because the tracking scope changed are not new.
    pub tracking_scope: SyncScope,
    pub scope: TrackScope,
    pub thresholds: Thresholds,
    /// Exceptions that the clerk has seen since the last request.
    pub seen: Vec<ConsignmentId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewExceptions {
    /// Exceptions that nobody has seen yet, the newest last.
    pub unseen: Vec<ConsignmentId>,
    /// The exceptions that the request named as seen. They are stored as seen now.
    pub seen: Vec<ConsignmentId>,
}

impl Reads {
    pub fn board(&self, scope: TrackScope, thresholds: Thresholds) -> Fetch<Arc<Board>> {
        self.job(move |bench| async move { bench.board(scope, thresholds).await })
    }

    /// Compares the current exceptions with the stored exceptions, and stores the current ones if they differ.
    pub fn new_exceptions(&self, order: NewExceptionsRequest) -> Fetch<NewExceptions> {
        self.local(move |bench| async move {
            let NewExceptionsRequest {
                tracking_scope: follows,
                scope,
                thresholds,
                seen,
            } = order;
            let basis = format!("{follows:?} {scope:?} {thresholds:?}");
            let board = bench.board(scope, thresholds).await?;
            let now = board.all_exceptions.iter();
            let counted = CountedExceptions {
                basis,
                now: now.map(|row| (row.id, row.exception.label())).collect(),
                seen: seen.clone(),
            };
            let at = board.as_of;
            let compare = move |reader: &TrackReader| reader.compare_exceptions(&counted, at);
            let news = bench.track.read(compare).await?;
            let unseen = news.unseen.clone();
            if !news.is_empty() {
                let note = move |store: &mut TrackStore| store.save_exceptions(&news);
                bench.track.write(note).await?;
            }
            Ok(NewExceptions { unseen, seen })
        })
    }
}

impl EngineContext {
    pub(crate) async fn board(
        &self,
        scope: TrackScope,
        thresholds: Thresholds,
    ) -> Result<Arc<Board>, EngineError> {
        let summaries = self.track.summaries().await?;
        let now = self.now();
        let count = move |reader: &TrackReader| {
            let evaluator = Evaluator::new(&summaries, &scope, thresholds, now);
            let mut board = count(&summaries, &evaluator, &*reader.names()?);
            (board.as_of, board.scope) = (now, scope.clone());
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

struct Counts {
    transit_states: [usize; TransitState::ALL.len()],
    statuses: Vec<usize>,
    carriers: Vec<usize>,
    companies: Vec<usize>,
    ages: [usize; AgeBand::ALL.len()],
    exceptions: [usize; Exception::ALL.len()],
    due_today: usize,
    late_since_midnight: usize,
    went_wrong: usize,
    share_before: ArrivalCounts,
    /// By carrier, then by the day of the ETA (in days since 1970; 0 if unknown).
    shares: Vec<BTreeMap<u16, ArrivalCounts>>,
    transits: Vec<u32>,
    /// All exceptions, in ascending order of consignment id.
    wrong: Vec<ExceptionRow>,
}

/// Returns the `most` most severe exceptions: the most severe kind first and, within a kind, the oldest first.
fn worst_first(wrong: &[ExceptionRow], most: usize) -> Vec<ExceptionRow> {
    let order = |row: &ExceptionRow| (row.exception as usize, row.since, row.id);
    let mut rows = wrong.to_vec();
    if rows.len() > most {
        rows.select_nth_unstable_by_key(most, order);
        rows.truncate(most);
    }
    rows.sort_unstable_by_key(order);
    rows
}

impl Counts {
    fn new(summaries: &Summaries) -> Self {
        let ids = summaries.ids();
        let carriers = ids.carriers.len();
        Self {
            transit_states: [0; TransitState::ALL.len()],
            statuses: vec![0; ids.statuses.len()],
            carriers: vec![0; carriers],
            companies: vec![0; ids.companies.len()],
            ages: [0; AgeBand::ALL.len()],
            exceptions: [0; Exception::ALL.len()],
            due_today: 0,
            late_since_midnight: 0,
            went_wrong: 0,
            share_before: ArrivalCounts::default(),
            shares: vec![BTreeMap::new(); carriers],
            transits: Vec::new(),
            wrong: Vec::new(),
        }
    }

    fn add(&mut self, one: &IndexedSummary, evaluator: &Evaluator) {
        if let Some(how) = evaluator.arrival_before(one) {
            self.share_before.add(how);
        }
        if let Some(how) = evaluator.arrival(one) {
            let days = &mut self.shares[one.carrier as usize];
            days.entry(one.eta_day).or_default().add(how);
        }
        if !evaluator.is_in_scope(one) {
            return;
        }
        self.transit_states[evaluator.transit_state(one) as usize] += 1;
        self.statuses[one.status as usize] += 1;
        self.carriers[one.carrier as usize] += 1;
        self.companies[one.company as usize] += 1;
        self.due_today += usize::from(evaluator.is_due_today(one));
        self.went_wrong += usize::from(evaluator.went_wrong(one));
        if let Some(age) = evaluator.age(one) {
            self.ages[age as usize] += 1;
        }
        if let Some((exception, since)) = evaluator.exception(one) {
            self.exceptions[exception as usize] += 1;
            self.wrong.push(ExceptionRow {
                id: one.id,
                exception,
                since: Timestamp::from_second(since.into()).unwrap_or_default(),
            });
            if exception == Exception::Late && evaluator.is_of_today(since) {
                self.late_since_midnight += 1;
            }
        }
        self.transits.extend(evaluator.transit(one));
    }
}

fn count(summaries: &Summaries, evaluator: &Evaluator, names: &Names) -> Board {
    let mut counts = Counts::new(summaries);
    for one in summaries.iter() {
        counts.add(one, evaluator);
    }
    let ids = summaries.ids();
    let (statuses, carriers) = (names.statuses(), names.carriers());
    let carrier_name = |id: Option<CarrierId>| match (id, carriers.get(&id)) {
        (None, _) => "No carrier".to_owned(),
        (Some(_), Some(name)) => (*name).to_owned(),
        (Some(id), None) => format!("Carrier {id}"),
    };
    let status_name = |id: StatusId| {
        let nameless = Status {
            id,
            ..Status::default()
        };
        statuses
            .get(&id)
            .map_or_else(|| nameless.label(), |status| status.label())
    };
    let by_status = tallies(&ids.statuses, &counts.statuses, |id| {
        (status_name(id), DrillDown::Status(id))
    });
    let by_carrier = tallies(&ids.carriers, &counts.carriers, |id| {
        (carrier_name(id), DrillDown::Carrier(id))
    });
    let by_company = tallies(&ids.companies, &counts.companies, |id| {
        let name = id.map(|id| id.to_string()).unwrap_or_default();
        (name, DrillDown::Company(id))
    });
    let by_age = tallies(&AgeBand::ALL, &counts.ages, |age| {
        (age.words().to_owned(), DrillDown::Age(age))
    });
    let by_exception = tallies(Exception::ALL, &counts.exceptions, |exception| {
        let name = exception.label().to_owned();
        (name, DrillDown::Exception(exception))
    });
    let (carriers, days) = shares(&ids.carriers, &counts.shares, carrier_name);
    let mut share = ArrivalCounts::default();
    for one in &carriers {
        share.join(one.arrivals);
    }
    let in_state = |state: TransitState| counts.transit_states[state as usize];
    let exception = |exception: Exception| counts.exceptions[exception as usize];
    Board {
        total: counts.transit_states.iter().sum(),
        unmanifested: in_state(TransitState::Unmanifested),
        due_today: counts.due_today,
        booked: in_state(TransitState::Booked),
        not_collected: exception(Exception::NotCollected),
        moving: in_state(TransitState::Moving),
        median_transit: median(&mut counts.transits),
        late: exception(Exception::Late),
        late_since_midnight: counts.late_since_midnight,
        went_wrong: counts.went_wrong,
        arrivals: share,
        arrivals_before: counts.share_before,
        by_status: most_first(by_status),
        by_carrier: most_first(by_carrier),
        by_company: most_first(by_company),
        by_age: by_age.collect(),
        by_exception: by_exception.filter(|tally| tally.count > 0).collect(),
        carriers,
        days,
        exceptions: worst_first(&counts.wrong, LISTED),
        all_exceptions: counts.wrong,
        ..Board::default()
    }
}

/// Makes a metric of each value, with its name, count and drill-down.
fn tallies<'a, T: Copy + 'a>(
    values: impl IntoIterator<Item = &'a T>,
    counts: &[usize],
    name: impl Fn(T) -> (String, DrillDown),
) -> impl Iterator<Item = Metric> {
    values.into_iter().zip(counts).map(move |(value, count)| {
        let (name, drill_down) = name(*value);
        Metric {
            name,
            drill_down,
            count: *count,
        }
    })
}

/// Sorts by count, largest first, and leaves out counts of zero.
fn most_first(tallies: impl Iterator<Item = Metric>) -> Vec<Metric> {
    let mut some: Vec<Metric> = tallies.filter(|tally| tally.count > 0).collect();
    some.sort_by(|one, other| {
        (Reverse(one.count), &one.name).cmp(&(Reverse(other.count), &other.name))
    });
    some
}

/// Returns the on-time performance of each carrier, the busiest first, and of each carrier by day, the oldest
/// day first.
fn shares(
    carriers: &IndexSet<Option<CarrierId>>,
    shares: &[BTreeMap<u16, ArrivalCounts>],
    name: impl Fn(Option<CarrierId>) -> String,
) -> (Vec<CarrierPerformance>, Vec<DayPerformance>) {
    let (mut all, mut days) = (Vec::new(), Vec::new());
    for (carrier, by_day) in carriers.iter().zip(shares) {
        let mut share = ArrivalCounts::default();
        for (day, of_day) in by_day {
            share.join(*of_day);
            if *day != 0 {
                days.push(DayPerformance {
                    day: day_of(*day),
                    carrier: *carrier,
                    share: *of_day,
                });
            }
        }
        if share.total() > 0 {
            all.push(CarrierPerformance {
                carrier: *carrier,
                name: name(*carrier),
                arrivals: share,
            });
        }
    }
    all.sort_by(|one, other| {
        let key = |tally: &CarrierPerformance| (Reverse(tally.arrivals.total()), tally.carrier);
        key(one).cmp(&key(other))
    });
    days.sort_by_key(|share| (share.day, share.carrier));
    (all, days)
}

fn median(transits: &mut [u32]) -> Option<SignedDuration> {
    let middle = transits.len() / 2;
    if transits.is_empty() {
        return None;
    }
    let (_, median, _) = transits.select_nth_unstable(middle);
    Some(SignedDuration::from_secs(i64::from(*median)))
}
