//! Totals of the goods of a draft, as far as they can be read: typed values, or saved ones where nothing is
//! typed.

use rust_decimal::Decimal;

use super::GoodsLine;
use super::number;
use shipping::{CubicMetres, ItemType, Kilograms};

/// The totals of a draft's goods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GoodsTotals {
    pub pieces: u32,
    /// The weight of all pieces.
    pub weight: Kilograms,
    /// The volume of all pieces.
    pub volume: CubicMetres,
    /// The weight that carriers charge for bulky goods: 250 kg for each cubic metre, the usual factor on
    /// Australian roads. A carrier may use another factor; its price shows it.
    pub cubic_weight: Kilograms,
    /// Pallet spaces: as typed, or else one for each piece of a kind that takes floor space.
    pub spaces: Decimal,
}

const KILOGRAMS_A_CUBIC_METRE: u32 = 250;

impl GoodsTotals {
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
