//! Operations on lines of goods: switching between direct and saved items, and counting scanned SKUs.
//!
//! Of a saved item, only typed values are sent. Remembered values serve for hints and totals.

use super::field::GoodsField;
use super::goods::{GoodsLine, ItemSource, SavedItem};
use super::{Draft, number};

/// The effect of a scan on the goods.
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

impl GoodsLine {
    /// Turns the line into a known saved item. Typed measures are dropped; a typed quantity is kept.
    pub fn use_saved_item(&mut self, item: &SavedItem) {
        let typed = std::mem::take(self);
        // A statement about another item's dangerous goods does not apply to this item.
        let same = typed.is_saved() && typed.matches_item(item);
        let quantity = if typed.quantity.trim() == "1" && item.quantity.is_some() {
            String::new()
        } else {
            typed.quantity
        };
        *self = Self {
            source: if item.sku.is_empty() {
                ItemSource::Id
            } else {
                ItemSource::Sku
            },
            item_id: item.id.map(|id| id.to_string()).unwrap_or_default(),
            sku: item.sku.clone(),
            saved_dangerous: typed.saved_dangerous.filter(|_| same),
            saved: Some(item.clone()),
            item_type: String::new(),
            quantity,
            spaces: typed.spaces,
            references: typed.references,
            dangerous: typed.dangerous,
            contents: typed.contents,
            ..Self::default()
        };
    }

    /// Turns the line into a saved item by the typed SKU or id, even if the bench does not know the item; the
    /// service does.
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
            if let Some(saved) = self.saved_value(field)
                && let Some(slot) = self.slot(field)
                && slot.trim().is_empty()
            {
                *slot = saved;
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
        let saved = self.saved.as_ref().filter(|_| self.is_saved())?;
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let size = |length: Option<shipping::Centimetres>| {
            length.map(|length| length.0.normalize().to_string())
        };
        match field {
            GoodsField::Type => text(&saved.item_type),
            GoodsField::Name => text(&saved.name),
            GoodsField::Quantity => saved.quantity.map(|count| count.to_string()),
            GoodsField::Weight => saved.weight.map(|weight| weight.0.normalize().to_string()),
            GoodsField::Length => size(saved.length),
            GoodsField::Width => size(saved.width),
            GoodsField::Height => size(saved.height),
            _ => None,
        }
    }

    /// Returns whether the typed value of a field replaces a different saved one.
    pub fn overrides(&self, field: GoodsField) -> bool {
        if !self.is_saved() {
            return false;
        }
        let typed = match field {
            GoodsField::Type => &self.item_type,
            GoodsField::Name => &self.name,
            GoodsField::Quantity => &self.quantity,
            GoodsField::Weight => &self.weight,
            GoodsField::Length => &self.length,
            GoodsField::Width => &self.width,
            GoodsField::Height => &self.height,
            _ => return false,
        };
        let typed = typed.trim();
        if typed.is_empty() {
            return false;
        }
        let Some(saved) = self.saved_value(field) else {
            // Every line has a quantity, so it only overrides a saved quantity that is known.
            return field != GoodsField::Quantity;
        };
        let same = match (number::read(typed), number::read(&saved)) {
            (Ok(typed), Ok(saved)) => typed == saved,
            _ => typed == saved,
        };
        !same
    }

    /// Clears all overriding values, so that the saved values apply again.
    pub fn clear_overrides(&mut self) {
        for field in SAVED_FIELDS {
            if self.overrides(field)
                && let Some(slot) = self.slot(field)
            {
                slot.clear();
            }
        }
    }

    const fn slot(&mut self, field: GoodsField) -> Option<&mut String> {
        Some(match field {
            GoodsField::Type => &mut self.item_type,
            GoodsField::Name => &mut self.name,
            GoodsField::Quantity => &mut self.quantity,
            GoodsField::Weight => &mut self.weight,
            GoodsField::Length => &mut self.length,
            GoodsField::Width => &mut self.width,
            GoodsField::Height => &mut self.height,
            _ => return None,
        })
    }
}

impl Draft {
    /// Attaches remembered items to all lines with saved items. Lines of an edited consignment stay as they
    /// came, because its form contains their values.
    pub fn recall(&mut self, items: &[SavedItem]) {
        if self.edits.is_some() {
            return;
        }
        for line in self.goods.iter_mut().filter(|line| line.is_saved()) {
            line.attach_remembered_item(items);
        }
    }

    /// Counts one scanned piece of this SKU: increases its line's quantity, or adds a line in place of an
    /// untouched one. An SKU that is neither in a line nor in `items` is unknown.
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

/// Compares SKUs without case, because scanners and people differ in it.
fn is_same_sku(known: &str, sku: &str) -> bool {
    !sku.is_empty() && known.trim().eq_ignore_ascii_case(sku)
}
