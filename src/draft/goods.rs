//! Lines of goods: either typed, or saved items with typed values that override the saved ones.

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::customs::ContentsLine;
use super::dg_line::DgLine;
use super::field::GoodsField;
use super::{number, reference_list};
use shipping::{Centimetres, CompanyId, CompanyItemId, ItemType, Kilograms};

/// The origin of a line's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum ItemSource {
    /// All values are typed.
    #[default]
    Direct,
    /// A saved item by its SKU; typed values override it.
    Sku,
    /// A saved item by its id; typed values override it.
    Id,
}

/// A saved item as far as the bench knows it. No operation lists saved items, so the bench remembers them
/// from answers about consignments that used them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedItem {
    pub id: Option<CompanyItemId>,
    /// The company that the item belongs to, if known.
    pub company: Option<CompanyId>,
    pub sku: String,
    pub name: String,
    /// The packaging kind, by name.
    pub item_type: String,
    /// The default quantity.
    pub quantity: Option<u32>,
    /// Weight of one piece.
    pub weight: Option<Kilograms>,
    pub length: Option<Centimetres>,
    pub width: Option<Centimetres>,
    pub height: Option<Centimetres>,
    /// Whether the item contains dangerous goods, if an answer told so.
    pub dangerous: Option<bool>,
}

/// A line of goods, as typed. Weight and dimensions are for one piece. An empty field of a saved item means
/// the saved value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GoodsLine {
    pub source: ItemSource,
    /// The bench's knowledge of the saved item.
    pub saved: Option<SavedItem>,
    /// The saved item's id, as typed.
    pub item_id: String,
    /// The clerk's statement whether the saved item contains dangerous goods. `None` means that the
    /// remembered value applies.
    #[serde(
        deserialize_with = "read_saved_dangerous",
        serialize_with = "write_saved_dangerous"
    )]
    pub saved_dangerous: Option<bool>,
    /// The packaging kind, by the name that is sent.
    pub item_type: String,
    pub name: String,
    pub sku: String,
    pub quantity: String,
    /// Kilograms of one piece.
    pub weight: String,
    /// In centimetres, like width and height.
    pub length: String,
    pub width: String,
    pub height: String,
    /// Pallet spaces. If empty, the service counts them from quantity and kind.
    pub spaces: String,
    /// Delegated references, separated by white space: one for each piece, or none.
    pub references: String,
    pub dangerous: Vec<DgLine>,
    /// Customs contents.
    pub contents: Vec<ContentsLine>,
    /// The index of the item in the editable form, if the draft edits a consignment.
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
    /// Returns the delegated references in order.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        reference_list::each(&self.references)
    }

    /// Returns whether the line is a saved item.
    pub fn is_saved(&self) -> bool {
        self.source != ItemSource::Direct
    }

    /// Returns whether the line contains dangerous goods, typed or within its saved item.
    pub fn has_dangerous_goods(&self) -> bool {
        !self.dangerous.is_empty() || self.saved_item_has_dangerous_goods()
    }

    /// Returns whether the saved item contains dangerous goods. The clerk's statement overrides the
    /// remembered value.
    pub fn saved_item_has_dangerous_goods(&self) -> bool {
        let remembered = || self.remembered_item().and_then(|saved| saved.dangerous);
        self.is_saved() && self.saved_dangerous.or_else(remembered).unwrap_or(false)
    }

    /// Returns the typed text of a field, trimmed.
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

    /// Returns the remembered values of the line's saved item.
    pub(super) fn remembered_item(&self) -> Option<&SavedItem> {
        self.saved.as_ref().filter(|_| self.is_saved())
    }

    /// Returns the quantity, typed or saved; `None` if neither can be read.
    pub fn count(&self) -> Option<u32> {
        if self.own(GoodsField::Quantity).is_empty() {
            return self.remembered_item()?.quantity;
        }
        number::count(&self.quantity)
    }

    /// Returns the packaging kind, typed or saved.
    pub fn kind(&self) -> &str {
        match (self.own(GoodsField::Type), self.remembered_item()) {
            ("", Some(saved)) => &saved.item_type,
            (typed, _) => typed,
        }
    }

    /// Returns the kilograms of one piece, typed or saved.
    pub(super) fn one_weight(&self) -> Option<Decimal> {
        let saved = || self.remembered_item()?.weight.map(|weight| weight.0);
        measure(&self.weight, saved)
    }

    /// Returns the cubic metres of `count` pieces; `None` if a dimension is unknown.
    pub(super) fn cubic_metres(&self, count: u32) -> Option<Decimal> {
        let saved = |side: fn(&SavedItem) -> Option<Centimetres>| {
            move || self.remembered_item().and_then(side).map(|side| side.0)
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

/// Reads a statement: `true` or `"no"`. Plain `false` means no statement, because older drafts wrote it in
/// that case.
fn read_saved_dangerous<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StoredFlag {
        Flag(bool),
        Word(String),
    }
    Ok(match Option::<StoredFlag>::deserialize(from)? {
        Some(StoredFlag::Flag(true)) => Some(true),
        Some(StoredFlag::Word(word)) if word == NO => Some(false),
        _ => None,
    })
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference to the field"
)]
fn write_saved_dangerous<S: Serializer>(said: &Option<bool>, to: S) -> Result<S::Ok, S::Error> {
    match said {
        Some(false) => to.serialize_str(NO),
        said => to.serialize_bool(said.is_some()),
    }
}

const NO: &str = "no";

/// Parses a typed measure; a blank text means the saved one.
fn measure(typed: &str, saved: impl Fn() -> Option<Decimal>) -> Option<Decimal> {
    if typed.trim().is_empty() {
        return saved();
    }
    number::positive(typed)
}
