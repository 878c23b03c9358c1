//! Pickup hours of the carriers, and transit times, counted in business days of the receiver's country or in hours.

use jiff::civil::{Date, DateTime, Time, time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan, Zoned};

use crate::catalogue::{Carrier, Catalogue, Place, Service};

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
        self.eta.duration_since(&self.despatch).as_mins()
    }
}

/// Returns the despatch option of a service that leaves at `despatch`.
pub(crate) fn despatch_option(
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
        let date = after_business_days(catalogue, to, leaves.date(), days);
        (date, service.deliver_by, false)
    };
    let eta = date.to_datetime(at).to_zoned(arrival_zone);
    let geography = &catalogue.geography;
    let on_the_way = leaves.date().series(1.day()).skip(1);
    let mut on_the_way = on_the_way.take_while(|day| *day <= date);
    let business_days = on_the_way.clone();
    let business_days = business_days.filter(|day| geography.is_business_day(&to.country, *day));
    DespatchOption {
        despatch: despatch.clone(),
        business_days: u32::try_from(business_days.count()).unwrap_or(u32::MAX),
        holiday_on_the_way: on_the_way.any(|day| geography.is_holiday(&to.country, day)),
        eta: eta.unwrap_or(leaves),
        by_the_hour,
    }
}

/// Returns the following midnight, from which the next business day is searched.
pub(crate) fn next_morning(despatch: &Zoned) -> Zoned {
    let midnight = despatch.tomorrow().and_then(|day| day.start_of_day());
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

/// How many days ahead a pickup is searched for.
const PICKUP_DAYS_AHEAD: usize = 30;

/// A carrier's pickup hours at one place.
#[derive(Debug)]
pub(crate) struct PickupHours<'a> {
    catalogue: &'a Catalogue,
    country: &'a str,
    pub(crate) zone: TimeZone,
    /// Pickups without a time of their own are at the opening time.
    pub(crate) opens: Time,
    pub(crate) closes: Time,
}

impl<'a> PickupHours<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, carrier: &'a Carrier, place: &'a Place) -> Self {
        Self {
            catalogue,
            country: &place.country,
            zone: catalogue.time_zone(&place.time_zone),
            opens: carrier.opens,
            closes: carrier.closes,
        }
    }

    /// Whether the carrier collects at this local time.
    pub(crate) fn contains(&self, local: DateTime) -> bool {
        self.is_open_on(local.date()) && (self.opens..=self.closes).contains(&local.time())
    }

    fn is_open_on(&self, date: Date) -> bool {
        self.catalogue.geography.is_business_day(self.country, date)
    }

    /// Returns the first time at or after `from` when the carrier collects. If the carrier does not collect
    /// at `from` itself, `preferred` is the time of day, limited to the carrier's hours.
    pub(crate) fn first(&self, from: &Zoned, preferred: Time) -> Zoned {
        let local = from.datetime();
        if self.contains(local) {
            return from.clone();
        }
        let is_early = local.time() < self.opens;
        let tomorrow = local.date().saturating_add(1.day());
        let mut date = if is_early { local.date() } else { tomorrow };
        for _ in 0..PICKUP_DAYS_AHEAD {
            let time = preferred.clamp(self.opens, self.closes);
            if self.is_open_on(date)
                && let Ok(found) = date.to_datetime(time).to_zoned(self.zone.clone())
            {
                return found;
            }
            date = date.saturating_add(1.day());
        }
        from.clone()
    }
}
