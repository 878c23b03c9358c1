//! Delivery scenarios: which problem, if any, a consignment meets on the way. Drawn once for
//! each consignment.

use fastrand::Rng;

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
    /// Some pieces arrive a business day before the others. A consignment of one piece has no problem.
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
pub(super) fn random_numbers(consignment_id: i64, seed: u64) -> Rng {
    // An odd number with well-mixed bits gives neighbouring seeds and ids unrelated sequences.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    Rng::with_seed(
        seed.wrapping_mul(SPREAD)
            .wrapping_add(consignment_id.unsigned_abs())
            .wrapping_mul(SPREAD),
    )
}
