//! What goes wrong on the way, if anything does: drawn once for each consignment.

use fastrand::Rng;

/// How a journey turns out. Most go well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Picked up and delivered as planned.
    Smooth,
    /// The driver comes in vain and again on the next business day.
    FailedPickup,
    /// A business day later than was said.
    Delayed,
    /// A piece comes to harm; the goods are delivered all the same.
    Damaged,
    /// Nobody is there; delivered on the next business day.
    DeliveryAttempted,
    /// The goods go back to the depot; delivered on the next business day.
    FailedDelivery,
    /// Some pieces arrive a business day before the others. A consignment of one piece goes smoothly instead.
    PartialDelivery,
}

impl Fate {
    /// What becomes of a consignment under a seed: the same whenever it is asked.
    pub fn of(consignment_id: i64, seed: u64) -> Self {
        match draws(consignment_id, seed).u32(0..100) {
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

/// Chance, as it falls for one consignment.
pub(super) fn draws(consignment_id: i64, seed: u64) -> Rng {
    // An odd number with its bits well spread keeps neighbouring seeds and ids apart.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    Rng::with_seed(
        seed.wrapping_mul(SPREAD)
            .wrapping_add(consignment_id.unsigned_abs())
            .wrapping_mul(SPREAD),
    )
}
