//! Simulates what carriers do after a booking: makes a plan of steps from the pickup to the delivery.
//!
//! The plan depends only on the consignment, the booking and the seed, so the database stores only how many
//! steps are done. Plans use the carriers' own time; the caller scales that by the speed of the simulation.
//! The times of the steps always increase, and a plan ends with the delivery of the goods.

use fastrand::Rng;
use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};

use super::catalogue::{Carrier, Place, time_zone};
use super::consignment::{Consignment, Status, StatusEvent};
use super::rates::{PickupHours, despatch_option, next_morning};

/// The booking that the carrier received.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Booking {
    pub(crate) at: Timestamp,
    /// Requested pickup time, local to the sender.
    pub(crate) pickup: Option<DateTime>,
}

/// The course of a delivery. Most have no problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryScenario {
    /// Picked up and delivered as planned.
    Smooth,
    /// The first pickup fails; the driver comes again on the next business day.
    FailedPickup,
    /// The delivery is a business day later than promised.
    Delayed,
    /// A piece is damaged; the goods are delivered all the same.
    Damaged,
    /// Nobody is there to receive the goods; they are delivered on the next business day.
    DeliveryAttempted,
    /// The goods go back to the depot and are delivered on the next business day.
    FailedDelivery,
    /// Some pieces arrive a business day before the rest. A consignment of one piece has no problem.
    PartialDelivery,
}

impl DeliveryScenario {
    /// Draws the scenario of a consignment. The result is always the same for one id and seed.
    pub fn draw(consignment_id: i64, seed: u64) -> Self {
        match random_numbers(consignment_id, seed).u32(0..100) {
            0..70 => Self::Smooth,
            70..74 => Self::FailedPickup,
            74..81 => Self::Delayed,
            81..85 => Self::Damaged,
            85..91 => Self::DeliveryAttempted,
            91..95 => Self::FailedDelivery,
            _ => Self::PartialDelivery,
        }
    }
}

/// Returns the random numbers of one consignment.
fn random_numbers(consignment_id: i64, seed: u64) -> Rng {
    // An odd number with well-mixed bits gives neighbouring seeds and ids unrelated sequences.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    Rng::with_seed(
        seed.wrapping_mul(SPREAD)
            .wrapping_add(consignment_id.unsigned_abs())
            .wrapping_mul(SPREAD),
    )
}

/// The shortest time between two steps.
const LEAST_GAP: SignedDuration = SignedDuration::from_mins(1);
/// The shortest and the longest time that a driver is on the way with the goods before they are delivered.
const SHORTEST_ROUND: SignedDuration = SignedDuration::from_mins(20);
const LONGEST_ROUND: SignedDuration = SignedDuration::from_hours(7);

/// Returns all steps of a booked consignment in order. Each step is an event of the history. Its time is the
/// carrier's own time, which is not yet scaled by the speed.
pub(crate) fn plan(
    carrier: &Carrier,
    consignment: &Consignment,
    booking: &Booking,
    seed: u64,
) -> Vec<StatusEvent> {
    let mut scenario = DeliveryScenario::draw(consignment.id, seed);
    if scenario == DeliveryScenario::PartialDelivery && consignment.job.pieces() < 2 {
        scenario = DeliveryScenario::Smooth;
    }
    let mut chance = random_numbers(consignment.id, seed);
    // The first number is skipped, because it has decided the scenario.
    let _ = chance.u32(..);
    let mut planner = Planner {
        consignment,
        from: &consignment.job.from.place,
        to: &consignment.job.to.place,
        carrier,
        scenario,
        chance,
        steps: Vec::new(),
    };
    let (pickup, taken) = planner.plan_pickup(booking);
    planner.plan_delivery(&pickup, taken);
    planner.steps
}

struct Planner<'a> {
    consignment: &'a Consignment,
    from: &'a Place,
    to: &'a Place,
    carrier: &'a Carrier,
    scenario: DeliveryScenario,
    chance: Rng,
    steps: Vec<StatusEvent>,
}

impl Planner<'_> {
    /// Plans the pickup. Returns the scheduled and the real time of the pickup that succeeded.
    fn plan_pickup(&mut self, booking: &Booking) -> (Zoned, Timestamp) {
        let hours = PickupHours::new(self.carrier, self.from);
        let asked = booking.pickup;
        let asked = asked.and_then(|pickup| pickup.to_zoned(hours.zone.clone()).ok());
        let asked = asked.filter(|pickup| pickup.timestamp() > booking.at);
        let mut pickup = asked.unwrap_or_else(|| {
            let earliest = booking.at.max(self.consignment.despatch);
            hours.first(&earliest.to_zoned(hours.zone.clone()), hours.opens)
        });
        if self.scenario == DeliveryScenario::FailedPickup {
            let at = self.some_minutes_after(&pickup);
            let failed = self.step(Status::FAILED_PICKUP, at, self.from);
            failed.information = Some("The driver comes again on the next business day".to_owned());
            pickup = self.next_business_day(&pickup, self.from);
        }
        let taken = self.some_minutes_after(&pickup);
        let taken = self.step(Status::PICKED_UP, taken, self.from).at;
        (pickup, taken)
    }

    /// Plans the steps from the pickup to the delivery.
    fn plan_delivery(&mut self, pickup: &Zoned, taken: Timestamp) {
        let zone = time_zone(&self.to.time_zone);
        let mut due = self.arrival(pickup, taken).to_zoned(zone);
        let way = due.timestamp().duration_since(taken);
        let after = |percent: i32| taken.saturating_add(way * percent / 100).unwrap_or(taken);
        self.step(Status::IN_TRANSIT, after(15), self.from);
        if self.scenario == DeliveryScenario::Delayed {
            due = self.next_business_day(&due, self.to);
            let information = format!("Now expected on {}", due.strftime("%A %-d %B"));
            self.step(Status::DELAYED, after(50), self.to).information = Some(information);
        }
        self.step(Status::SCANNED_INTO_DEPOT, after(70), self.to);
        if self.scenario == DeliveryScenario::Damaged {
            let piece = self.some_piece();
            let damaged = self.step(Status::DAMAGED, after(72), self.to);
            damaged.information =
                Some("One piece is wet on the outside and was repacked".to_owned());
            damaged.item_reference = piece;
        }
        let round = (way / 8).clamp(SHORTEST_ROUND, LONGEST_ROUND);
        let departure = |due: &Zoned| due.saturating_sub(round).timestamp();
        self.step(Status::ON_FOR_DELIVERY, departure(&due), self.to);
        if self.plan_failed_attempt(&due) {
            due = self.next_business_day(&due, self.to);
            let (status, partial) = match self.scenario {
                DeliveryScenario::PartialDelivery => (Status::PARTIAL_ON_FOR_DELIVERY, true),
                _ => (Status::ON_FOR_DELIVERY, false),
            };
            self.step(status, departure(&due), self.to).partial = partial;
        }
        let to = &self.consignment.job.to;
        let mut names = [&to.contact, &to.name].into_iter();
        let signed = names.find(|name| !name.is_empty());
        let complete = self.step(Status::COMPLETE, due.timestamp(), self.to);
        complete.information = signed.map(|name| format!("Signed for by {name}"));
    }

    /// Returns the delivery time: shortly before the promised time or the end of the transit time from the scheduled
    /// pickup, whichever is later, and at least an hour after the real pickup.
    fn arrival(&mut self, pickup: &Zoned, taken: Timestamp) -> Timestamp {
        let service = self.carrier.service(self.consignment.service_id);
        let promised = self.consignment.eta;
        let promised = service.map_or(promised, |service| {
            let trip = despatch_option(service, self.from, self.to, pickup);
            trip.eta.timestamp().max(promised)
        });
        let early = SignedDuration::from_mins(self.chance.i64(3..45));
        let after_an_hour = taken.saturating_add(SignedDuration::from_hours(1));
        let arrival = promised.saturating_sub(early).unwrap_or(promised);
        arrival.max(after_an_hour.unwrap_or(promised))
    }

    /// Plans a delivery that fails or delivers only some of the pieces. Returns false if the scenario has no
    /// such delivery.
    fn plan_failed_attempt(&mut self, due: &Zoned) -> bool {
        let at = due.timestamp();
        let later = |hours: i64| due.saturating_add(hours.hours()).timestamp();
        match self.scenario {
            DeliveryScenario::DeliveryAttempted => {
                self.step(Status::DELIVERY_ATTEMPTED, at, self.to);
            }
            DeliveryScenario::FailedDelivery => {
                self.step(Status::FAILED_DELIVERY, at, self.to);
                self.step(Status::SCANNED_INTO_DEPOT, later(2), self.to);
                self.step(Status::DELIVERY_TIME_SCHEDULED, later(3), self.to);
            }
            DeliveryScenario::PartialDelivery => {
                let pieces = self.consignment.job.pieces();
                let delivered = self.chance.i64(1..pieces.max(2));
                let part = self.step(Status::PARTIAL_DELIVERY, at, self.to);
                part.partial = true;
                part.information = Some(format!("{delivered} of {pieces} pieces delivered"));
            }
            _ => return false,
        }
        true
    }

    fn step(&mut self, status: Status, at: Timestamp, place: &Place) -> &mut StatusEvent {
        let last = self.steps.last().map(|step| step.at);
        let soonest = last.map_or(at, |last| last.saturating_add(LEAST_GAP).unwrap_or(last));
        let (at, tracking) = (at.max(soonest), &self.carrier.tracking);
        let wording = tracking.words.get(&status.0);
        self.steps.push(StatusEvent {
            zone: Some(place.time_zone.clone()),
            carrier_status: wording.map(|wording| wording.code.clone()),
            carrier_words: wording.map(|wording| wording.words.clone()),
            ..StatusEvent::new(status, at, &tracking.user_name, tracking.user_id)
        });
        let newest = self.steps.len() - 1;
        &mut self.steps[newest]
    }

    /// Returns a time shortly after a scheduled pickup.
    fn some_minutes_after(&mut self, at: &Zoned) -> Timestamp {
        let minutes = SignedDuration::from_mins(self.chance.i64(2..20));
        at.saturating_add(minutes).timestamp()
    }

    /// Returns the time of day of `at` on the carrier's next business day at `place`.
    fn next_business_day(&self, at: &Zoned, place: &Place) -> Zoned {
        let hours = PickupHours::new(self.carrier, place);
        hours.first(&next_morning(at), at.time())
    }

    fn some_piece(&mut self) -> Option<String> {
        let lines = &self.consignment.job.lines;
        let all: Vec<&String> = lines.iter().flat_map(|line| &line.references).collect();
        self.chance.choice(all).cloned()
    }
}
