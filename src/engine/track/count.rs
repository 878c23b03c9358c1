//! Counts the metrics of the board in one pass over all tracked consignments. Invariant: each count equals
//! the number of rows that its drill-down lists, because both use the same predicates.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::SignedDuration;

use super::board::{
    ArrivalCounts, Board, CarrierPerformance, DayPerformance, ExceptionRow, Metric,
};
use super::drill_down::{AgeBand, Arrival, DrillDown, Exception};
use super::evaluator::{Evaluator, exception_row};
use super::summaries::{IndexedSummary, Summaries};
use shipping::{CarrierId, Status, StatusId, TransitState};
use storage::{Names, day_of};

const LISTED: usize = 1_000;

impl ArrivalCounts {
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

struct Counts {
    courses: [usize; 5],
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
pub(super) fn worst_first(wrong: &[ExceptionRow], most: usize) -> Vec<ExceptionRow> {
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
    fn new(figures: &Summaries) -> Self {
        let places = figures.ids();
        let carriers = places.carriers.values().len();
        Self {
            courses: [0; 5],
            statuses: vec![0; places.statuses.values().len()],
            carriers: vec![0; carriers],
            companies: vec![0; places.companies.values().len()],
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

    fn add(&mut self, one: &IndexedSummary, look: &Evaluator) {
        if let Some(how) = look.arrival_before(one) {
            self.share_before.add(how);
        }
        if let Some(how) = look.arrival(one) {
            let days = &mut self.shares[one.carrier as usize];
            days.entry(one.eta_day).or_default().add(how);
        }
        if !look.is_in_scope(one) {
            return;
        }
        self.courses[look.transit_state(one) as usize] += 1;
        self.statuses[one.status as usize] += 1;
        self.carriers[one.carrier as usize] += 1;
        self.companies[one.company as usize] += 1;
        self.due_today += usize::from(look.is_due_today(one));
        self.went_wrong += usize::from(look.went_wrong(one));
        if let Some(age) = look.age(one) {
            self.ages[age as usize] += 1;
        }
        if let Some((exception, since)) = look.exception(one) {
            self.exceptions[exception as usize] += 1;
            self.wrong.push(exception_row(one.id, exception, since));
            if exception == Exception::Late && look.is_of_today(since) {
                self.late_since_midnight += 1;
            }
        }
        self.transits.extend(look.transit(one));
    }
}

pub(super) fn count(figures: &Summaries, look: &Evaluator, names: &Names) -> Board {
    let mut counts = Counts::new(figures);
    for one in figures.iter() {
        counts.add(one, look);
    }
    let places = figures.ids();
    let (statuses, carriers) = (names.statuses(), names.carriers());
    let carrier_name = |id: Option<CarrierId>| {
        let known = carriers.get(&id).filter(|_| id.is_some());
        known.map_or_else(|| no_name(id), |name| (*name).to_owned())
    };
    let status_name = |id: StatusId| {
        let nameless = || Status {
            id,
            name: String::new(),
            description: String::new(),
        };
        let known = statuses.get(&id).map(|status| status.label());
        known.unwrap_or_else(|| nameless().label())
    };
    let by_status = tallies(places.statuses.values(), &counts.statuses, |id| {
        (status_name(id), DrillDown::Status(id))
    });
    let by_carrier = tallies(places.carriers.values(), &counts.carriers, |id| {
        (carrier_name(id), DrillDown::Carrier(id))
    });
    let by_company = tallies(places.companies.values(), &counts.companies, |id| {
        let name = id.map(|id| id.to_string()).unwrap_or_default();
        (name, DrillDown::Company(id))
    });
    let by_age = tallies(&AgeBand::ALL, &counts.ages, |age| {
        (age.words().to_owned(), DrillDown::Age(age))
    });
    let by_exception = tallies(&Exception::ALL, &counts.exceptions, |exception| {
        let name = exception.label().to_owned();
        (name, DrillDown::Exception(exception))
    });
    let (carriers, days) = shares(places.carriers.values(), &counts.shares, carrier_name);
    let mut share = ArrivalCounts::default();
    for one in &carriers {
        share.join(one.arrivals);
    }
    let course = |course: TransitState| counts.courses[course as usize];
    let exception = |exception: Exception| counts.exceptions[exception as usize];
    Board {
        total: counts.courses.iter().sum(),
        unmanifested: course(TransitState::Unmanifested),
        due_today: counts.due_today,
        booked: course(TransitState::Booked),
        not_collected: exception(Exception::NotCollected),
        moving: course(TransitState::Moving),
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

fn no_name(carrier: Option<CarrierId>) -> String {
    carrier.map_or_else(|| "No carrier".to_owned(), |id| format!("Carrier {id}"))
}

/// Names each value with its count and its drill-down.
fn tallies<T: Copy>(
    values: &[T],
    counts: &[usize],
    name: impl Fn(T) -> (String, DrillDown),
) -> impl Iterator<Item = Metric> {
    values.iter().zip(counts).map(move |(value, count)| {
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
    carriers: &[Option<CarrierId>],
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
