//! Lines of goods: typed, or saved items with what is typed over them.

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::customs::ContentsLine;
use super::dangerous::DgLine;
use super::field::GoodsField;
use super::{number, reference_list};
use crate::shipping::{Centimetres, CompanyId, CompanyItemId, ItemType, Kilograms};

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
    /// The company that it belongs to, where that is known.
    pub company: Option<CompanyId>,
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
    /// Whether it brings dangerous goods along, where an answer told of it.
    pub dangerous: Option<bool>,
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
    /// What the clerk says of the saved item's own dangerous goods; where nothing is said, what is remembered holds.
    #[serde(deserialize_with = "read_said", serialize_with = "write_said")]
    pub saved_dangerous: Option<bool>,
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
    /// Pallet spaces; counted from quantity and kind where this is empty.
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
            saved_dangerous: None,
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

impl GoodsLine {
    /// The delegated references, in order.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        reference_list::each(&self.references)
    }

    /// True where the line stands for a saved item.
    pub fn is_saved(&self) -> bool {
        self.source != ItemSource::Direct
    }

    /// True where any dangerous goods travel in it: its own, or those that its saved item brings along.
    pub fn holds_dangerous_goods(&self) -> bool {
        !self.dangerous.is_empty() || self.brings_dangerous_goods()
    }

    /// True where its saved item brings dangerous goods along: the clerk's word goes before what is remembered.
    pub fn brings_dangerous_goods(&self) -> bool {
        let remembered = || self.memory().and_then(|saved| saved.dangerous);
        self.is_saved() && self.saved_dangerous.or_else(remembered).unwrap_or(false)
    }

    /// The line's own text of a field, without blanks around it.
    fn own(&self, field: GoodsField) -> &str {
        let text = match field {
            GoodsField::Type => &self.item_type,
            GoodsField::Name => &self.name,
            GoodsField::Sku => &self.sku,
            GoodsField::SavedId => &self.item_id,
            GoodsField::Quantity => &self.quantity,
            GoodsField::Weight => &self.weight,
            GoodsField::Length => &self.length,
            GoodsField::Width => &self.width,
            GoodsField::Height => &self.height,
            GoodsField::Spaces => &self.spaces,
            GoodsField::References => &self.references,
        };
        text.trim()
    }

    /// What is remembered of the saved item that it stands for.
    pub(super) fn memory(&self) -> Option<&SavedItem> {
        self.saved.as_ref().filter(|_| self.is_saved())
    }

    /// How many, typed or saved; nothing where neither can be read.
    pub fn count(&self) -> Option<u32> {
        if self.own(GoodsField::Quantity).is_empty() {
            return self.memory()?.quantity;
        }
        number::count(&self.quantity)
    }

    /// Packaging kind, typed or saved.
    pub fn kind(&self) -> &str {
        match (self.own(GoodsField::Type), self.memory()) {
            ("", Some(saved)) => &saved.item_type,
            (typed, _) => typed,
        }
    }

    /// Kilograms of one, typed or saved.
    pub(super) fn one_weight(&self) -> Option<Decimal> {
        let saved = || self.memory()?.weight.map(|weight| weight.0);
        measure(&self.weight, saved)
    }

    /// Cubic metres of `count` of them; nothing where a side is not known.
    pub(super) fn cubic_metres(&self, count: u32) -> Option<Decimal> {
        let saved = |side: fn(&SavedItem) -> Option<Centimetres>| {
            move || self.memory().and_then(side).map(|side| side.0)
        };
        let length = measure(&self.length, saved(|saved| saved.length))?;
        let width = measure(&self.width, saved(|saved| saved.width))?;
        let height = measure(&self.height, saved(|saved| saved.height))?;
        let cubic_centimetres = length.checked_mul(width)?.checked_mul(height)?;
        cubic_centimetres
            .checked_mul(Decimal::from(count))?
            .checked_div(Decimal::from(1_000_000))
    }
}

/// What was said is `true` or `"no"`; `false` is what drafts of before say where nobody said anything.
fn read_said<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Said {
        Flag(bool),
        Word(String),
    }
    Ok(match Option::<Said>::deserialize(from)? {
        Some(Said::Flag(true)) => Some(true),
        Some(Said::Word(word)) if word == NO => Some(false),
        _ => None,
    })
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference to the field"
)]
fn write_said<S: Serializer>(said: &Option<bool>, to: S) -> Result<S::Ok, S::Error> {
    match said {
        Some(false) => to.serialize_str(NO),
        said => to.serialize_bool(said.is_some()),
    }
}

const NO: &str = "no";

/// A typed measure, or the saved one where nothing is typed.
fn measure(typed: &str, saved: impl Fn() -> Option<Decimal>) -> Option<Decimal> {
    if typed.trim().is_empty() {
        return saved();
    }
    number::positive(typed)
}
