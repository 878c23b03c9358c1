//! Pickup times: within the carrier's hours on a business day of the pickup place.

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};

use crate::catalogue::{Carrier, Catalogue, Place};

/// How many days ahead a pickup is searched for.
const DAYS_AHEAD: usize = 30;

/// A carrier's pickup hours at one place.
#[derive(Debug)]
pub(crate) struct PickupHours<'a> {
    catalogue: &'a Catalogue,
    carrier: &'a Carrier,
    country: &'a str,
    zone: TimeZone,
}

impl<'a> PickupHours<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, carrier: &'a Carrier, place: &'a Place) -> Self {
        Self {
            catalogue,
            carrier,
            country: &place.country,
            zone: catalogue.time_zone(&place.time_zone),
        }
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Whether the carrier collects at this local time.
    pub(crate) fn contains(&self, local: DateTime) -> bool {
        self.is_open_on(local) && (self.carrier.opens..=self.carrier.closes).contains(&local.time())
    }

    fn is_open_on(&self, local: DateTime) -> bool {
        self.catalogue
            .geography
            .is_business_day(self.country, local.date())
    }

    /// Returns the first time at or after `from` when the carrier collects. If the carrier does not collect
    /// at `from` itself, `preferred` is the time of day, limited to the carrier's hours.
    pub(crate) fn first(&self, from: &Zoned, preferred: Time) -> Zoned {
        let local = from.datetime();
        if self.contains(local) {
            return from.clone();
        }
        let early = local.time() < self.carrier.opens;
        let mut date = if early {
            local.date()
        } else {
            local.date().saturating_add(1.day())
        };
        for _ in 0..DAYS_AHEAD {
            let time = preferred.clamp(self.carrier.opens, self.carrier.closes);
            if self.catalogue.geography.is_business_day(self.country, date)
                && let Ok(found) = date.to_datetime(time).to_zoned(self.zone.clone())
            {
                return found;
            }
            date = date.saturating_add(1.day());
        }
        from.clone()
    }

    /// Returns the opening time, which is used for pickups without a time of their own.
    pub(crate) fn opens(&self) -> Time {
        self.carrier.opens
    }

    pub(crate) fn closes(&self) -> Time {
        self.carrier.closes
    }
}

/// Whether the pickup is not in the past, within the carrier's hours, and before the place closes.
pub(crate) fn is_valid_pickup(
    hours: &PickupHours<'_>,
    now: &Zoned,
    pickup: DateTime,
    closing: Option<DateTime>,
) -> bool {
    pickup >= now.datetime()
        && hours.contains(pickup)
        && closing.is_none_or(|closing| closing > pickup)
}
