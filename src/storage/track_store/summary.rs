//! A summary of a consignment: the few numbers from which metrics are counted.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Row;

use super::TrackReader;
use super::names::Names;
use crate::Result;
use crate::consignment_row::ConsignmentRow;
use shipping::{CarrierId, CompanyId, ConsignmentId, LocalTime, Location, StatusId, time_zone_of};

/// A time in whole seconds since 1970, or no time. Times before 1970 count as no time; times after 2106 as
/// the last second that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seconds(u32);

impl Seconds {
    /// Returns the number of seconds; 0 if there is no time.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Returns the number of seconds, if there is a time.
    pub const fn some(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some(self.0) }
    }

    fn of_millis(millis: Option<i64>) -> Self {
        let seconds = millis.unwrap_or_default().div_euclid(1_000);
        Self(u32::try_from(seconds.max(0)).unwrap_or(u32::MAX))
    }
}

impl From<Option<Timestamp>> for Seconds {
    fn from(moment: Option<Timestamp>) -> Self {
        Self::of_millis(moment.map(Timestamp::as_millisecond))
    }
}

impl From<Timestamp> for Seconds {
    fn from(moment: Timestamp) -> Self {
        Self::from(Some(moment))
    }
}

/// The numbers from which a consignment's metrics are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsignmentSummary {
    pub id: ConsignmentId,
    pub company: Option<CompanyId>,
    pub carrier: Option<CarrierId>,
    pub status: StatusId,
    pub despatch: Seconds,
    pub eta: Seconds,
    /// Day of the ETA at the destination, in days since 1970; 0 if there is no ETA.
    pub eta_day: u16,
    pub changed: Seconds,
    pub scanned: Seconds,
    pub booked: Seconds,
    pub ended: Seconds,
}

impl ConsignmentSummary {
    /// Returns the summary of a row.
    pub fn of(row: &ConsignmentRow) -> Self {
        Self {
            id: row.id,
            company: row.company,
            carrier: row.carrier_id,
            status: row.status.id,
            despatch: row.despatch_at.into(),
            eta: row.eta_at.into(),
            eta_day: eta_day(row),
            changed: row.changed.into(),
            scanned: row.scanned.into(),
            booked: row.booked.into(),
            ended: row.ended.into(),
        }
    }

    /// The columns that [`Self::read`] expects.
    const COLUMNS: &str = "id, company, carrier, status, despatch_at, eta_at, eta_day, changed, scanned, \
                                      booked, ended";

    fn read(row: &Row<'_>, names: &Names) -> Result<Self> {
        let at = |column| -> rusqlite::Result<Seconds> { Ok(Seconds::of_millis(row.get(column)?)) };
        let carrier = names.carrier(row.get(2)?);
        let status = names.status(row.get(3)?);
        Ok(Self {
            id: ConsignmentId::new(row.get(0)?),
            company: row.get::<_, Option<i64>>(1)?.map(CompanyId::new),
            carrier: carrier.and_then(|(id, _)| *id),
            status: status.map(|status| status.id).unwrap_or_default(),
            despatch: at(4)?,
            eta: at(5)?,
            eta_day: row.get::<_, Option<u16>>(6)?.unwrap_or_default(),
            changed: at(7)?,
            scanned: at(8)?,
            booked: at(9)?,
            ended: at(10)?,
        })
    }
}

impl TrackReader {
    /// Passes the summary of each consignment to `take`, the lowest id first.
    pub fn for_each_summary(&self, mut take: impl FnMut(ConsignmentSummary)) -> Result<()> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let sql = format!(
            "SELECT {} FROM tracked ORDER BY id",
            ConsignmentSummary::COLUMNS
        );
        let mut all = self.db.prepare(&sql)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            take(ConsignmentSummary::read(row, &names)?);
        }
        Ok(())
    }
}

/// Returns the day of the ETA in the receiver's time zone; 0 if there is no ETA.
pub(super) fn eta_day(row: &ConsignmentRow) -> u16 {
    let local = row.eta.map(|eta| eta.0.date());
    let day = local.or_else(|| row.eta_at.map(|at| day_at(at, &row.to_place)));
    day.map_or(0, day_number)
}

fn day_at(at: Timestamp, place: &Location) -> Date {
    LocalTime::at(at, time_zone_of(place)).0.date()
}

/// Day number 0, which stands for no day.
const EPOCH: Date = Date::constant(1970, 1, 1);

/// Returns the days since 1970; 0 for a day outside the range.
pub fn day_number(day: Date) -> u16 {
    let days = day.duration_since(EPOCH).as_hours() / 24;
    u16::try_from(days).unwrap_or_default()
}

/// Returns the day with this number.
pub fn day_of(number: u16) -> Date {
    let span = jiff::SignedDuration::from_hours(24 * i64::from(number));
    EPOCH.saturating_add(span)
}
