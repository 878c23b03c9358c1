//! What the goods of a draft come to, as far as they can be read: typed values, and saved ones where nothing is typed.

use rust_decimal::Decimal;

use super::GoodsLine;
use super::number;
use crate::shipping::{CubicMetres, ItemType, Kilograms};

/// What the goods come to, as far as they can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Pieces.
    pub pieces: u32,
    /// Of all pieces.
    pub weight: Kilograms,
    /// Of all pieces.
    pub volume: CubicMetres,
    /// What carriers charge bulky goods by: 250 kg for each cubic metre, the usual factor on Australian roads. A carrier
    /// may reckon with another; its price says so.
    pub cubic_weight: Kilograms,
    /// Pallet spaces: as typed, else one a piece for kinds that take floor.
    pub spaces: Decimal,
}

/// Kilograms that a cubic metre counts for.
const KILOGRAMS_A_CUBIC_METRE: u32 = 250;

impl Summary {
    pub(super) fn of(lines: &[GoodsLine]) -> Self {
        let mut sum = Self::default();
        for line in lines {
            let count = line.count().unwrap_or(0);
            sum.pieces = sum.pieces.saturating_add(count);
            sum.weight = sum.weight + Kilograms(line.one_weight().unwrap_or_default()) * count;
            sum.volume.0 = sum
                .volume
                .0
                .saturating_add(line.cubic_metres(count).unwrap_or_default());
            sum.spaces = sum.spaces.saturating_add(spaces(line, count));
        }
        let cubic = Decimal::from(KILOGRAMS_A_CUBIC_METRE);
        sum.cubic_weight = Kilograms(sum.volume.0.saturating_mul(cubic));
        sum
    }
}

fn spaces(line: &GoodsLine, count: u32) -> Decimal {
    match number::read_from_zero(&line.spaces) {
        Ok(spaces) => spaces,
        Err(_) if ItemType::takes_space(line.kind()) => Decimal::from(count),
        Err(_) => Decimal::ZERO,
    }
}
