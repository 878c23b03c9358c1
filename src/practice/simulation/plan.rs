//! Plans the steps of a delivery, from the pickup to the proof of delivery.

use fastrand::Rng;
use jiff::{SignedDuration, Timestamp, Zoned};

use super::delivery_scenario::random_numbers;
use super::{Booking, DeliveryScenario, Step};
use crate::catalogue::{Carrier, Catalogue, Place};
use crate::consignment::Consignment;
use crate::rates;
use crate::rules::PickupHours;
use crate::status::Status;

/// The shortest time between two steps.
const LEAST_GAP: SignedDuration = SignedDuration::from_mins(1);
/// The shortest and the longest time that a driver is on the way with the goods before they are delivered.
const SHORTEST_ROUND: SignedDuration = SignedDuration::from_mins(20);
const LONGEST_ROUND: SignedDuration = SignedDuration::from_hours(7);

/// Returns all steps of a booked consignment in order, or none if its carrier no longer exists.
pub(crate) fn plan(
    catalogue: &Catalogue,
    consignment: &Consignment,
    booking: &Booking,
    seed: u64,
) -> Vec<Step> {
    let Some(carrier) = catalogue.carrier(consignment.carrier_id) else {
        return Vec::new();
    };
    let fate = match DeliveryScenario::draw(consignment.id, seed) {
        DeliveryScenario::PartialDelivery if consignment.job.pieces() < 2 => {
            DeliveryScenario::Smooth
        }
        fate => fate,
    };
    let mut chance = random_numbers(consignment.id, seed);
    // The first draw has decided the scenario.
    let _ = chance.u32(..);
    let mut planner = Planner {
        catalogue,
        consignment,
        carrier,
        chance,
        steps: Vec::new(),
    };
    let pickup = planner.plan_pickup(booking, fate);
    planner.plan_delivery(&pickup, fate);
    planner.steps
}

struct Planner<'a> {
    catalogue: &'a Catalogue,
    consignment: &'a Consignment,
    carrier: &'a Carrier,
    chance: Rng,
    steps: Vec<Step>,
}

impl<'a> Planner<'a> {
    fn from(&self) -> &'a Place {
        &self.consignment.job.from.place
    }

    fn to(&self) -> &'a Place {
        &self.consignment.job.to.place
    }

    /// Plans the pickup. Returns the scheduled time of the pickup that succeeded.
    fn plan_pickup(&mut self, booking: &Booking, fate: DeliveryScenario) -> Zoned {
        let hours = PickupHours::new(self.catalogue, self.carrier, self.from());
        let asked = booking
            .pickup
            .and_then(|pickup| pickup.to_zoned(hours.zone().clone()).ok())
            .filter(|pickup| pickup.timestamp() > booking.at);
        let mut pickup = asked.unwrap_or_else(|| {
            let earliest = booking.at.max(self.consignment.despatch);
            hours.first(&earliest.to_zoned(hours.zone().clone()), hours.opens())
        });
        if fate == DeliveryScenario::FailedPickup {
            let at = self.minutes_after(pickup.timestamp(), 2..20);
            self.step(Status::FailedPickup, at, self.from()).information =
                Some("The driver comes again on the next business day".to_owned());
            pickup = self.next_business_day(&pickup, self.from());
        }
        let taken = self.minutes_after(pickup.timestamp(), 2..20);
        self.step(Status::PickedUp, taken, self.from());
        pickup
    }

    /// Plans the steps from the pickup to the delivery.
    fn plan_delivery(&mut self, pickup: &Zoned, fate: DeliveryScenario) {
        let zone = self.catalogue.time_zone(&self.to().time_zone);
        let taken = self.last();
        let mut due = self.arrival(pickup, taken).to_zoned(zone);
        let way = due.timestamp().duration_since(taken);
        let after = |percent: i32| taken.saturating_add(way * percent / 100).unwrap_or(taken);
        self.step(Status::InTransit, after(15), self.from());
        if fate == DeliveryScenario::Delayed {
            due = self.next_business_day(&due, self.to());
            self.step(Status::Delayed, after(50), self.to()).information =
                Some(format!("Now expected on {}", due.strftime("%A %-d %B")));
        }
        self.step(Status::ScannedIntoDepot, after(70), self.to());
        if fate == DeliveryScenario::Damaged {
            let piece = self.some_piece();
            let damaged = self.step(Status::Damaged, after(72), self.to());
            damaged.information =
                Some("One piece is wet on the outside and was repacked".to_owned());
            damaged.item_reference = piece;
        }
        let round = (way / 8).clamp(SHORTEST_ROUND, LONGEST_ROUND);
        self.add_on_for_delivery(Status::OnForDelivery, &due, round);
        if self.plan_failed_attempt(&due, fate) {
            due = self.next_business_day(&due, self.to());
            if fate == DeliveryScenario::PartialDelivery {
                self.add_on_for_delivery(Status::PartialOnForDelivery, &due, round)
                    .partial = true;
            } else {
                self.add_on_for_delivery(Status::OnForDelivery, &due, round);
            }
        }
        let to = &self.consignment.job.to;
        let signed = [&to.contact, &to.name]
            .into_iter()
            .find(|name| !name.is_empty());
        let information = signed.map(|name| format!("Signed for by {name}"));
        self.step(Status::Complete, due.timestamp(), self.to())
            .information = information;
    }

    /// Returns the delivery time: shortly before the promised time, or the service's transit time counted
    /// from the pickup if that is later.
    fn arrival(&mut self, pickup: &Zoned, taken: Timestamp) -> Timestamp {
        let services = &self.carrier.services;
        let service = services
            .iter()
            .find(|service| service.id == self.consignment.service_id);
        let from_pickup = service
            .map(|service| rates::arrival(self.catalogue, service, self.from(), self.to(), pickup));
        let promised =
            from_pickup.map_or(self.consignment.eta, |eta| eta.max(self.consignment.eta));
        let early = SignedDuration::from_mins(self.chance.i64(3..45));
        let after_an_hour = taken
            .saturating_add(SignedDuration::from_hours(1))
            .unwrap_or(promised);
        promised
            .saturating_sub(early)
            .unwrap_or(promised)
            .max(after_an_hour)
    }

    fn add_on_for_delivery(
        &mut self,
        status: Status,
        due: &Zoned,
        round: SignedDuration,
    ) -> &mut Step {
        let at = due.timestamp();
        let out = at.saturating_sub(round).unwrap_or(at);
        self.step(status, out, self.to())
    }

    /// Plans a delivery that fails or delivers only some of the pieces. Returns false if the scenario has no
    /// such delivery.
    fn plan_failed_attempt(&mut self, due: &Zoned, fate: DeliveryScenario) -> bool {
        let at = due.timestamp();
        let later = |hours: i64| {
            at.saturating_add(SignedDuration::from_hours(hours))
                .unwrap_or(at)
        };
        match fate {
            DeliveryScenario::DeliveryAttempted => {
                self.step(Status::DeliveryAttempted, at, self.to());
            }
            DeliveryScenario::FailedDelivery => {
                self.step(Status::FailedDelivery, at, self.to());
                self.step(Status::ScannedIntoDepot, later(2), self.to());
                self.step(Status::DeliveryTimeScheduled, later(3), self.to());
            }
            DeliveryScenario::PartialDelivery => {
                let pieces = self.consignment.job.pieces();
                let delivered = self.chance.i64(1..pieces.max(2));
                let part = self.step(Status::PartialDelivery, at, self.to());
                part.partial = true;
                part.information = Some(format!("{delivered} of {pieces} pieces delivered"));
            }
            _ => return false,
        }
        true
    }

    fn step(&mut self, status: Status, at: Timestamp, place: &Place) -> &mut Step {
        let soonest = self.steps.last().map_or(at, |last| {
            last.at.saturating_add(LEAST_GAP).unwrap_or(last.at)
        });
        self.steps.push(Step {
            status,
            at: at.max(soonest),
            zone: place.time_zone.clone(),
            partial: false,
            information: None,
            item_reference: None,
        });
        let newest = self.steps.len() - 1;
        &mut self.steps[newest]
    }

    fn last(&self) -> Timestamp {
        self.steps
            .last()
            .map_or(self.consignment.despatch, |step| step.at)
    }

    fn minutes_after(&mut self, at: Timestamp, minutes: std::ops::Range<i64>) -> Timestamp {
        at.saturating_add(SignedDuration::from_mins(self.chance.i64(minutes)))
            .unwrap_or(at)
    }

    /// Returns this time of day on the carrier's next business day at `place`.
    fn next_business_day(&self, at: &Zoned, place: &Place) -> Zoned {
        let hours = PickupHours::new(self.catalogue, self.carrier, place);
        hours.first(&rates::next_morning(at), at.time())
    }

    fn some_piece(&mut self) -> Option<String> {
        let lines = &self.consignment.job.lines;
        let all: Vec<&String> = lines.iter().flat_map(|line| &line.references).collect();
        self.chance.choice(all).cloned()
    }
}
