//! When carriers close today, and how many consignments are not booked with them yet.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use jiff::civil::Time;
use jiff::{SignedDuration, Timestamp};

use super::{Fetch, Reads, document_rules::is_same_name};
use shipping::ConsignmentId;
use storage::ClosingTime;

/// How long a booked manifest tells when its carrier closes.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A closing time that is set by hand: `Tasman Freight 16:30`, or for one pickup place `Tasman Freight, Sydney DC 16:30`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetClosing {
    pub carrier: String,
    /// The name of the pickup place; empty for all.
    pub place: String,
    pub time: Time,
}

impl FromStr for SetClosing {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let (names, time) = line.trim().rsplit_once(' ').ok_or(())?;
        let time = Time::strptime("%H:%M", time).map_err(|_no_time| ())?;
        let (carrier, place) = names.split_once(',').unwrap_or((names, ""));
        let [carrier, place] = [carrier, place].map(|name| name.trim().to_owned());
        if carrier.is_empty() {
            return Err(());
        }
        Ok(Self {
            carrier,
            place,
            time,
        })
    }
}

/// A carrier that closes later today, with consignments that are not booked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarrierClosing {
    pub carrier: String,
    /// The pickup place.
    pub place: String,
    pub at: Timestamp,
    pub waiting: usize,
}

impl Reads {
    /// Returns the carriers of these consignments that close later today, the first one first. A time that is set counts;
    /// else the time with which a manifest of this carrier was last booked at the same place. `zone` is the bench's own.
    pub fn closings(
        &self,
        waiting: Vec<ConsignmentId>,
        set: Vec<SetClosing>,
        (now, zone): (Timestamp, String),
    ) -> Fetch<Arc<Vec<CarrierClosing>>> {
        self.job(move |bench| async move {
            let since = now - REMEMBERED;
            let booked = bench.journal(move |journal| journal.closing_times(since));
            let booked = booked.await?;
            let rows = bench
                .track
                .read(move |reader| reader.rows(&waiting))
                .await?;
            let mut counts: HashMap<(String, String), usize> = HashMap::new();
            for row in rows {
                *counts.entry((row.carrier, row.from)).or_default() += 1;
            }
            let closings = counts
                .into_iter()
                .filter_map(|((carrier, place), waiting)| {
                    let at = closing_today((&carrier, &place), &set, &booked, (now, &zone))?;
                    (at > now).then_some(CarrierClosing {
                        carrier,
                        place,
                        at,
                        waiting,
                    })
                });
            let mut closings: Vec<_> = closings.collect();
            closings
                .sort_by(|a, b| (a.at, &a.carrier, &a.place).cmp(&(b.at, &b.carrier, &b.place)));
            Ok(Arc::new(closings))
        })
    }
}

/// Returns when a carrier closes at a place today, in the time zone of the place.
fn closing_today(
    (carrier, place): (&str, &str),
    set: &[SetClosing],
    booked: &[ClosingTime],
    (now, zone): (Timestamp, &str),
) -> Option<Timestamp> {
    let of_carrier = set.iter().filter(|one| is_same_name(&one.carrier, carrier));
    let here = of_carrier
        .clone()
        .find(|one| is_same_name(&one.place, place));
    let everywhere = of_carrier.clone().find(|one| one.place.is_empty());
    let mut booked = booked.iter();
    let last =
        booked.find(|one| is_same_name(&one.carrier, carrier) && is_same_name(&one.place, place));
    let time = here.or(everywhere).map(|one| one.time);
    let time = time.or_else(|| last.map(|one| one.time))?;
    let own = last
        .map(|one| one.zone.as_str())
        .filter(|zone| !zone.is_empty());
    let today = now.in_tz(own.unwrap_or(zone)).ok()?;
    let closing = today
        .date()
        .to_datetime(time)
        .to_zoned(today.time_zone().clone());
    closing.ok().map(|at| at.timestamp())
}
