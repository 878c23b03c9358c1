//! Transit times, counted in business days of the receiver's country or in hours.

use jiff::civil::{Date, Time, time};
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};

use crate::catalogue::{Catalogue, Place, Service};

/// Nothing is delivered before this time.
const EARLIEST: Time = time(7, 0, 0, 0);
/// Delivery time of goods that arrive overnight.
const MORNING: Time = time(9, 0, 0, 0);
/// The maximum number of days to search for a business day.
const DAYS_AHEAD: u32 = 90;

/// A despatch option: despatch and arrival, each in the time zone of its place.
#[derive(Debug, Clone)]
pub(crate) struct DespatchOption {
    pub(crate) despatch: Zoned,
    pub(crate) eta: Zoned,
    pub(crate) business_days: u32,
    /// Whether a day in transit is a public holiday.
    pub(crate) holiday_on_the_way: bool,
    pub(crate) by_the_hour: bool,
}

impl DespatchOption {
    pub(crate) fn minutes(&self) -> i64 {
        self.eta
            .timestamp()
            .duration_since(self.despatch.timestamp())
            .as_mins()
    }
}

pub(super) fn despatch_option(
    catalogue: &Catalogue,
    service: &Service,
    from: &Place,
    to: &Place,
    despatch: &Zoned,
) -> DespatchOption {
    let band = catalogue.geography.band(from, to);
    let arrival_zone = catalogue.time_zone(&to.time_zone);
    let leaves = despatch.with_time_zone(arrival_zone.clone());
    let (date, at, by_the_hour) = if let Some(hours) = service.hours.get(band) {
        let arrives = leaves.saturating_add(SignedDuration::from_hours(i64::from(*hours)));
        let (date, at) = delivered(catalogue, service, to, arrives.date(), arrives.time());
        (date, at, true)
    } else {
        let extra = catalogue
            .geography
            .zone(&to.zone)
            .map_or(0, |zone| zone.extra_days);
        let days = service.days.get(band).copied().unwrap_or(1) + extra;
        (
            after_business_days(catalogue, to, leaves.date(), days),
            service.deliver_by,
            false,
        )
    };
    let eta = date
        .to_datetime(at)
        .to_zoned(arrival_zone)
        .unwrap_or_else(|_| leaves.clone());
    let on_the_way = days_between(leaves.date(), date);
    DespatchOption {
        despatch: despatch.clone(),
        business_days: count(
            on_the_way
                .clone()
                .filter(|day| catalogue.geography.is_business_day(&to.country, *day)),
        ),
        holiday_on_the_way: on_the_way
            .clone()
            .any(|day| catalogue.geography.is_holiday(&to.country, day)),
        eta,
        by_the_hour,
    }
}

/// Returns the arrival with a service that leaves at `despatch`.
pub(crate) fn arrival(
    catalogue: &Catalogue,
    service: &Service,
    from: &Place,
    to: &Place,
    despatch: &Zoned,
) -> Timestamp {
    despatch_option(catalogue, service, from, to, despatch)
        .eta
        .timestamp()
}

/// Returns the following midnight, from which the next business day is searched.
pub(crate) fn next_morning(despatch: &Zoned) -> Zoned {
    let midnight = despatch
        .tomorrow()
        .and_then(|tomorrow| tomorrow.start_of_day());
    midnight.unwrap_or_else(|_| despatch.clone())
}

/// Returns the delivery time. Goods that arrive too early or too late in the day are delivered in the morning
/// of a business day.
fn delivered(
    catalogue: &Catalogue,
    service: &Service,
    to: &Place,
    date: Date,
    at: Time,
) -> (Date, Time) {
    let business = catalogue.geography.is_business_day(&to.country, date);
    if business && (EARLIEST..=service.deliver_by).contains(&at) {
        (date, at)
    } else if business && at < EARLIEST {
        (date, MORNING)
    } else {
        (after_business_days(catalogue, to, date, 1), MORNING)
    }
}

fn after_business_days(catalogue: &Catalogue, to: &Place, from: Date, days: u32) -> Date {
    let later = (1..=i64::from(DAYS_AHEAD)).map(|ahead| from.saturating_add(ahead.days()));
    let mut business = later.filter(|day| catalogue.geography.is_business_day(&to.country, *day));
    let index = usize::try_from(days.saturating_sub(1)).unwrap_or(0);
    business.nth(index).unwrap_or(from)
}

/// Returns the days after `from`, up to and including `to`.
fn days_between(from: Date, to: Date) -> impl Iterator<Item = Date> + Clone {
    from.series(1.day())
        .skip(1)
        .take_while(move |day| *day <= to)
}

fn count(days: impl Iterator<Item = Date>) -> u32 {
    u32::try_from(days.count()).unwrap_or(u32::MAX)
}
