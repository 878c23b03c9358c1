//! Lines of goods with their customs contents: either typed, or saved items with typed values that override
//! the saved values.
//!
//! For a saved item, only typed values are sent. Remembered values are used only for hints and totals.

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::dg_line::DgLine;
use super::field::{GoodsField, RecordField as _};
use super::{Draft, Weighing, number, text};
use shipping::{Centimetres, CompanyId, CompanyItemId, CubicMetres, Dollars, ItemType, Kilograms};

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

/// A saved item as far as the bench knows it. The service has no list of saved items, so the bench remembers them
/// from answers about consignments that used them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedItem {
    pub id: Option<CompanyItemId>,
    pub company: Option<CompanyId>,
    pub sku: String,
    pub name: String,
    /// The packaging kind, by name.
    pub item_type: String,
    pub quantity: Option<u32>,
    pub weight: Option<Kilograms>,
    pub length: Option<Centimetres>,
    pub width: Option<Centimetres>,
    pub height: Option<Centimetres>,
    /// Whether the item contains dangerous goods, if an answer of the service said so.
    pub dangerous: Option<bool>,
}

impl SavedItem {
    /// Returns the weight or a dimension of one piece.
    pub(super) fn measure(&self, field: GoodsField) -> Option<Decimal> {
        match field {
            GoodsField::Weight => self.weight.map(|weight| weight.0),
            GoodsField::Length => self.length.map(|length| length.0),
            GoodsField::Width => self.width.map(|width| width.0),
            GoodsField::Height => self.height.map(|height| height.0),
            _ => None,
        }
    }
}

/// A line of goods, as typed. Weight and dimensions are for one piece. An empty field of a saved item means
/// the saved value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GoodsLine {
    pub source: ItemSource,
    /// The values of the saved item that the bench remembers.
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
    /// The evidence of a weight that was read from a scale. Use [`Self::weighing`], which compares it with `weight`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighed: Option<Weighing>,
    /// In centimetres, like width and height.
    pub length: String,
    pub width: String,
    pub height: String,
    /// Pallet spaces. If empty, the service counts them from quantity and kind.
    pub spaces: String,
    /// Delegated references, separated by white space: one for each piece, or no references.
    pub references: String,
    pub dangerous: Vec<DgLine>,
    pub contents: Vec<ContentsLine>,
    /// The index of the item in the editable form, if the draft edits a consignment.
    pub of_item: Option<usize>,
}

/// The only carrier-specific option that the service's documentation names. The form has a checkbox for it.
pub const DUTIES: &str = "AreDutiesPaidByRecipient";

/// The purposes that may be sent as `purpose`. The documentation of the service's interface names only three
/// and gives no complete list.
pub const PURPOSES: &[&str] = &["Sale", "Gift", "Return", "Sample", "Repair", "Personal"];

/// A kind of goods inside an item, for customs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentsLine {
    pub description: String,
    /// Identifies the goods, or their invoice or order.
    pub reference1: String,
    pub reference2: String,
    pub reference3: String,
    pub marks: String,
    pub part_number: String,
    /// Physical units inside one item; differs from the item's own quantity.
    pub quantity: String,
    /// The harmonised customs tariff code.
    pub harmonised_code: String,
    /// The reason for sending: `Sale`, `Gift` …
    pub purpose: String,
    /// The country of manufacture, by name or code as typed.
    pub country: String,
    /// The commercial value in Australian dollars.
    pub value: String,
}

impl ContentsLine {
    /// Returns whether the entry was added but never filled in.
    pub(super) fn is_untouched(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanOutcome {
    /// The quantity of the line at this index went up by one.
    CountedUp(usize),
    /// A line was added at this index.
    Added(usize),
    /// The line at this index has the SKU, but its quantity is not a number that can be increased.
    QuantityNotANumber(usize),
    /// The bench knows no item with this SKU.
    Unknown,
}

/// The fields that a saved item provides values for.
pub const SAVED_FIELDS: [GoodsField; 7] = [
    GoodsField::Type,
    GoodsField::Name,
    GoodsField::Quantity,
    GoodsField::Weight,
    GoodsField::Length,
    GoodsField::Width,
    GoodsField::Height,
];

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
            weighed: None,
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
    pub fn references(&self) -> impl Iterator<Item = &str> {
        text::reference_list(&self.references)
    }

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

    fn typed(&self, field: GoodsField) -> &str {
        field.text(self).trim()
    }

    /// Returns the remembered values of the line's saved item.
    pub(super) fn remembered_item(&self) -> Option<&SavedItem> {
        self.saved.as_ref().filter(|_| self.is_saved())
    }

    /// Returns the quantity, typed or saved; `None` if neither can be read.
    pub fn count(&self) -> Option<u32> {
        if self.typed(GoodsField::Quantity).is_empty() {
            return self.remembered_item()?.quantity;
        }
        number::count(&self.quantity)
    }

    /// Returns the packaging kind, typed or saved.
    pub fn kind(&self) -> &str {
        match (self.typed(GoodsField::Type), self.remembered_item()) {
            ("", Some(saved)) => &saved.item_type,
            (typed, _) => typed,
        }
    }

    /// Returns the weight or a dimension of one piece, typed or saved.
    pub(super) fn measure(&self, field: GoodsField) -> Option<Decimal> {
        if self.typed(field).is_empty() {
            return self.remembered_item()?.measure(field);
        }
        number::positive(field.text(self))
    }

    /// Returns the cubic metres of `count` pieces; `None` if a dimension is unknown.
    fn cubic_metres(&self, count: u32) -> Option<Decimal> {
        let length = self.measure(GoodsField::Length)?;
        let width = self.measure(GoodsField::Width)?;
        let height = self.measure(GoodsField::Height)?;
        let cubic_centimetres = length.checked_mul(width)?.checked_mul(height)?;
        cubic_centimetres
            .checked_mul(Decimal::from(count))?
            .checked_div(Decimal::from(1_000_000))
    }

    /// Returns the pallet spaces of `count` pieces: as typed, or else by the packaging kind.
    fn pallet_spaces(&self, count: u32) -> Decimal {
        match number::read_from_zero(&self.spaces) {
            Ok(spaces) => spaces,
            Err(_) if ItemType::takes_space(self.kind()) => Decimal::from(count),
            Err(_) => Decimal::ZERO,
        }
    }

    /// Returns the total units inside one item and the total declared value.
    pub fn customs_totals(&self) -> (u32, Dollars) {
        let mut sum = (0_u32, Dollars::ZERO);
        for inside in &self.contents {
            let units = number::count(&inside.quantity).unwrap_or(0);
            sum.0 = sum.0.saturating_add(units);
            let value = number::read(&inside.value).unwrap_or_default();
            sum.1.0 = sum.1.0.saturating_add(value);
        }
        sum
    }

    /// Turns the line into a known saved item. Typed measures are dropped; a typed quantity is kept.
    pub fn use_saved_item(&mut self, item: &SavedItem) {
        // A statement about another item's dangerous goods does not apply to this item.
        if !(self.is_saved() && self.matches_item(item)) {
            self.saved_dangerous = None;
        }
        for field in SAVED_FIELDS {
            let replaces_default = self.typed(field) == "1" && item.quantity.is_some();
            if field != GoodsField::Quantity || replaces_default {
                field.set_text(self, String::new());
            }
        }
        self.source = if item.sku.is_empty() {
            ItemSource::Id
        } else {
            ItemSource::Sku
        };
        self.item_id = item.id.map(|id| id.to_string()).unwrap_or_default();
        self.sku.clone_from(&item.sku);
        self.saved = Some(item.clone());
    }

    /// Turns the line into a saved item by the typed SKU or id, even if the bench does not know the item, because the
    /// service knows it.
    pub fn set_source(&mut self, source: ItemSource, items: &[SavedItem]) {
        if !self.is_saved() && source != ItemSource::Direct {
            // The default packaging kind was not typed, so it must not override the saved one.
            self.item_type.clear();
        }
        self.source = source;
        self.attach_remembered_item(items);
    }

    /// Attaches the remembered item that matches the line's SKU or id.
    pub fn attach_remembered_item(&mut self, items: &[SavedItem]) {
        let known = items.iter().find(|item| self.matches_item(item)).cloned();
        let before = self.saved.take();
        self.saved = known.or_else(|| before.filter(|before| self.matches_item(before)));
    }

    /// Returns whether the line's SKU or id is this item's.
    fn matches_item(&self, item: &SavedItem) -> bool {
        let (sku, id) = (self.sku.trim(), self.item_id.trim());
        match self.source {
            ItemSource::Direct => false,
            ItemSource::Sku => is_same_sku(&item.sku, sku),
            ItemSource::Id => item.id.is_some_and(|known| known.to_string() == id),
        }
    }

    /// Turns a saved item into a direct line with the remembered values as if typed.
    pub fn convert_to_direct(&mut self) {
        for field in SAVED_FIELDS {
            if self.typed(field).is_empty()
                && let Some(saved) = self.saved_value(field)
            {
                field.set_text(self, saved);
            }
        }
        if self.item_type.trim().is_empty() {
            self.item_type = Self::default().item_type;
        }
        if self.quantity.trim().is_empty() {
            self.quantity = Self::default().quantity;
        }
        self.source = ItemSource::Direct;
        self.saved = None;
        self.item_id.clear();
        self.saved_dangerous = None;
    }

    /// Returns the saved value of a field as text; `None` if unknown.
    pub fn saved_value(&self, field: GoodsField) -> Option<String> {
        let saved = self.remembered_item()?;
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        match field {
            GoodsField::Type => text(&saved.item_type),
            GoodsField::Name => text(&saved.name),
            GoodsField::Quantity => saved.quantity.map(|count| count.to_string()),
            _ => { saved.measure(field) }.map(|measure| measure.normalize().to_string()),
        }
    }

    /// Returns whether the typed value of a field replaces a different saved value.
    pub fn overrides(&self, field: GoodsField) -> bool {
        let typed = self.typed(field);
        if !self.is_saved() || !SAVED_FIELDS.contains(&field) || typed.is_empty() {
            return false;
        }
        let Some(saved) = self.saved_value(field) else {
            // Every line has a quantity, so the typed quantity overrides only a saved quantity that is known.
            return field != GoodsField::Quantity;
        };
        let same = match (number::read(typed), number::read(&saved)) {
            (Ok(typed), Ok(saved)) => typed == saved,
            _ => typed == saved,
        };
        !same
    }

    pub fn clear_overrides(&mut self) {
        for field in SAVED_FIELDS {
            if self.overrides(field) {
                field.set_text(self, String::new());
            }
        }
    }
}

/// Reads a statement: `true` or `"no"`. Plain `false` means no statement, because older drafts stored `false` when
/// there was no statement.
fn read_saved_dangerous<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    Ok(match Option::<Value>::deserialize(from)? {
        Some(Value::Bool(true)) => Some(true),
        Some(Value::String(word)) if word == NO => Some(false),
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GoodsTotals {
    pub pieces: u32,
    pub weight: Kilograms,
    pub volume: CubicMetres,
    /// The weight that carriers charge for bulky goods: 250 kg for each cubic metre, the usual factor on Australian
    /// roads. A carrier may use another factor, which is then included in its price.
    pub cubic_weight: Kilograms,
    /// Pallet spaces: as typed, or else one for each piece of a kind that takes floor space.
    pub spaces: Decimal,
}

const KILOGRAMS_A_CUBIC_METRE: u32 = 250;

impl GoodsTotals {
    /// Adds up the values that can be read: typed values, or saved values where nothing is typed.
    pub(super) fn of(lines: &[GoodsLine]) -> Self {
        let mut sum = Self::default();
        for line in lines {
            let count = line.count().unwrap_or(0);
            sum.pieces = sum.pieces.saturating_add(count);
            let add = |sum: &mut Decimal, more: Option<Decimal>| {
                *sum = sum.saturating_add(more.unwrap_or_default());
            };
            let weight = line.measure(GoodsField::Weight);
            let weight = weight.map(|weight| weight.saturating_mul(count.into()));
            add(&mut sum.weight.0, weight);
            add(&mut sum.volume.0, line.cubic_metres(count));
            add(&mut sum.spaces, Some(line.pallet_spaces(count)));
        }
        let cubic = Decimal::from(KILOGRAMS_A_CUBIC_METRE);
        sum.cubic_weight = Kilograms(sum.volume.0.saturating_mul(cubic));
        sum
    }
}

impl Draft {
    /// Attaches remembered items to all lines with saved items. Lines of an edited consignment stay as the
    /// service sent them, because its form contains their values.
    pub fn recall(&mut self, items: &[SavedItem]) {
        if self.edits.is_some() {
            return;
        }
        for line in self.goods.iter_mut().filter(|line| line.is_saved()) {
            line.attach_remembered_item(items);
        }
    }

    /// Counts one scanned piece of this SKU: increases its line's quantity, or fills an untouched line, or adds a
    /// line. An SKU that is neither in a line nor in `items` is unknown.
    pub fn scan(&mut self, sku: &str, items: &[SavedItem]) -> ScanOutcome {
        let sku = sku.trim();
        let holds = |line: &GoodsLine| is_same_sku(&line.sku, sku);
        if let Some(at) = self.goods.iter().rposition(holds) {
            let line = &mut self.goods[at];
            let Some(count) = line.count().and_then(|count| count.checked_add(1)) else {
                return ScanOutcome::QuantityNotANumber(at);
            };
            line.quantity = count.to_string();
            return ScanOutcome::CountedUp(at);
        }
        let Some(item) = items.iter().find(|item| is_same_sku(&item.sku, sku)) else {
            return ScanOutcome::Unknown;
        };
        let blank = GoodsLine::default();
        let at = if let Some(at) = self.goods.iter().rposition(|line| *line == blank) {
            at
        } else {
            self.goods.push(blank);
            self.goods.len() - 1
        };
        self.goods[at].use_saved_item(item);
        "1".clone_into(&mut self.goods[at].quantity);
        ScanOutcome::Added(at)
    }
}

/// Compares SKUs without case, because scanners and people may write an SKU in different case.
pub(super) fn is_same_sku(known: &str, sku: &str) -> bool {
    !sku.is_empty() && known.trim().eq_ignore_ascii_case(sku)
}
