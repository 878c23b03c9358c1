//! Lines of goods, and what they come to.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::customs::ContentsLine;
use super::dangerous::DgLine;
use super::number;
use crate::shipping::{Centimetres, CompanyItemId, CubicMetres, ItemType, Kilograms};

/// Where a line's values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum ItemSource {
    /// All of them are typed.
    #[default]
    Direct,
    /// A saved item by its SKU: what is typed beside it overrides.
    Sku,
    /// A saved item by its id: what is typed beside it overrides.
    Id,
}

/// A saved item as far as the bench knows it: no operation lists them, answers tell of those that were sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedItem {
    /// Its id.
    pub id: Option<CompanyItemId>,
    /// Its stock keeping unit.
    pub sku: String,
    /// Description.
    pub name: String,
    /// Packaging kind, by name.
    pub item_type: String,
    /// How many, where nothing else is said.
    pub quantity: Option<u32>,
    /// Of one.
    pub weight: Option<Kilograms>,
    /// Of one.
    pub length: Option<Centimetres>,
    /// Of one.
    pub width: Option<Centimetres>,
    /// Of one.
    pub height: Option<Centimetres>,
    /// It brings dangerous goods along.
    pub dangerous: bool,
}

/// One line of goods, as typed. Weight and dimensions are those of one piece; on a saved item what is empty is as saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GoodsLine {
    /// Typed, or a saved item.
    pub source: ItemSource,
    /// What is known of the saved item.
    pub saved: Option<SavedItem>,
    /// The saved item's id, as typed.
    pub item_id: String,
    /// The clerk says that the saved item brings dangerous goods along.
    pub saved_dangerous: bool,
    /// Packaging kind, by the name that is sent.
    pub item_type: String,
    /// Description.
    pub name: String,
    /// Stock keeping unit.
    pub sku: String,
    /// How many.
    pub quantity: String,
    /// Kilograms of one.
    pub weight: String,
    /// Centimetres.
    pub length: String,
    /// Centimetres.
    pub width: String,
    /// Centimetres.
    pub height: String,
    /// Pallet spaces; the service counts them where this is empty.
    pub spaces: String,
    /// Delegated references, separated by white space; one a piece, or none.
    pub references: String,
    /// Dangerous goods inside.
    pub dangerous: Vec<DgLine>,
    /// What customs are told of what is inside.
    pub contents: Vec<ContentsLine>,
    /// Which item (from 0) of the editable form it changes, where the draft changes a consignment.
    pub of_item: Option<usize>,
}

impl Default for GoodsLine {
    fn default() -> Self {
        Self {
            source: ItemSource::default(),
            saved: None,
            item_id: String::new(),
            saved_dangerous: false,
            item_type: ItemType::NAMES[0].to_owned(),
            name: String::new(),
            sku: String::new(),
            quantity: "1".to_owned(),
            weight: String::new(),
            length: String::new(),
            width: String::new(),
            height: String::new(),
            spaces: String::new(),
            references: String::new(),
            dangerous: Vec::new(),
            contents: Vec::new(),
            of_item: None,
        }
    }
}

/// What the goods come to, as far as they can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Pieces.
    pub pieces: u32,
    /// Of all pieces.
    pub weight: Kilograms,
    /// Of all pieces.
    pub volume: CubicMetres,
    /// Pallet spaces: as typed, else one a piece for kinds that take floor.
    pub spaces: u32,
}

impl Summary {
    pub(super) fn of(lines: &[GoodsLine]) -> Self {
        let mut sum = Self::default();
        for line in lines {
            let count = number::count(&line.quantity).unwrap_or(0);
            sum.pieces = sum.pieces.saturating_add(count);
            sum.weight =
                sum.weight + Kilograms(number::positive(&line.weight).unwrap_or_default()) * count;
            sum.volume.0 = sum
                .volume
                .0
                .saturating_add(line.cubic_metres(count).unwrap_or_default());
            sum.spaces = sum
                .spaces
                .saturating_add(match number::count(&line.spaces) {
                    Some(spaces) => spaces,
                    None if ItemType::takes_space(&line.item_type) => count,
                    None => 0,
                });
        }
        sum
    }
}

impl GoodsLine {
    fn cubic_metres(&self, count: u32) -> Option<Decimal> {
        let [length, width, height] =
            [&self.length, &self.width, &self.height].map(|text| number::positive(text));
        let cubic_centimetres = length?.checked_mul(width?)?.checked_mul(height?)?;
        cubic_centimetres
            .checked_mul(Decimal::from(count))?
            .checked_div(Decimal::from(1_000_000))
    }

    /// The delegated references, in order.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        self.references.split_whitespace()
    }
}
