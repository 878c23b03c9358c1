//! What is done to lines of goods as a whole: a line becomes a saved item and comes back, and a scanned SKU counts.
//!
//! What always holds: what is sent of a saved item is what is typed beside it; what the bench remembers of it is for hints
//! and totals. Nothing here knows how a line is drawn.

use super::field::GoodsField;
use super::goods::{GoodsLine, ItemSource, SavedItem};
use super::{Draft, number};

/// What a scan did to the goods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scanned {
    /// This line's quantity went up by one.
    CountedUp(usize),
    /// This line is new.
    Added(usize),
    /// This line holds it, but what stands in its quantity cannot be counted up.
    NoCount(usize),
    /// Nothing that the bench knows is called so.
    Unknown,
}

/// The fields that a saved item has values for.
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
    /// Becomes a saved item that the bench knows: measures typed before go, and a quantity that was typed stays.
    pub fn take_saved(&mut self, item: &SavedItem) {
        let typed = std::mem::take(self);
        // What the clerk said of another item does not hold for this one.
        let same = typed.is_saved() && typed.names(item);
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

    /// Becomes a saved item by the SKU that is typed, or by an id: the service knows it, whether the bench does or not.
    pub fn trust(&mut self, source: ItemSource, items: &[SavedItem]) {
        if !self.is_saved() && source != ItemSource::Direct {
            // The kind that every line begins with was not typed.
            self.item_type.clear();
        }
        self.source = source;
        self.recall(items);
    }

    /// Remembers what the bench knows of the item that the line names now.
    pub fn recall(&mut self, items: &[SavedItem]) {
        let known = items.iter().find(|item| self.names(item)).cloned();
        let before = self.saved.take();
        self.saved = known.or_else(|| before.filter(|before| self.names(before)));
    }

    /// True where the line stands for this saved item.
    fn names(&self, item: &SavedItem) -> bool {
        let (sku, id) = (self.sku.trim(), self.item_id.trim());
        match self.source {
            ItemSource::Direct => false,
            ItemSource::Sku => is_called(&item.sku, sku),
            ItemSource::Id => item.id.is_some_and(|known| known.to_string() == id),
        }
    }

    /// Stops being a saved item: what is known of it stands in the line as if it had been typed.
    pub fn type_out(&mut self) {
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

    /// What is saved for a field, as it would be typed; nothing where that is not known.
    pub fn saved_value(&self, field: GoodsField) -> Option<String> {
        let saved = self.saved.as_ref().filter(|_| self.is_saved())?;
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let size = |length: Option<crate::shipping::Centimetres>| {
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

    /// True where what is typed in a field goes before what is saved.
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
            // How many there are is said of every line, and changes nothing that is saved.
            return field != GoodsField::Quantity;
        };
        let same = match (number::read(typed), number::read(&saved)) {
            (Ok(typed), Ok(saved)) => typed == saved,
            _ => typed == saved,
        };
        !same
    }

    /// What is typed over a saved item goes, and the saved values hold again.
    pub fn back_to_saved(&mut self) {
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
    /// Remembers what the bench knows of the saved items in its lines. Lines of a consignment that is changed stay as they
    /// came: its form says what is in them.
    pub fn recall(&mut self, items: &[SavedItem]) {
        if self.edits.is_some() {
            return;
        }
        for line in self.goods.iter_mut().filter(|line| line.is_saved()) {
            line.recall(items);
        }
    }

    /// One piece of this SKU was scanned: its line counts up, or it gets a line, in place of one that nothing was typed
    /// into. What is in no line and not among `items` is not known.
    pub fn scan(&mut self, sku: &str, items: &[SavedItem]) -> Scanned {
        let sku = sku.trim();
        let holds = |line: &GoodsLine| is_called(&line.sku, sku);
        if let Some(at) = self.goods.iter().rposition(holds) {
            let line = &mut self.goods[at];
            let Some(count) = line.count().and_then(|count| count.checked_add(1)) else {
                return Scanned::NoCount(at);
            };
            line.quantity = count.to_string();
            return Scanned::CountedUp(at);
        }
        let Some(item) = items.iter().find(|item| is_called(&item.sku, sku)) else {
            return Scanned::Unknown;
        };
        let blank = GoodsLine::default();
        let at = if let Some(at) = self.goods.iter().rposition(|line| *line == blank) {
            at
        } else {
            self.goods.push(blank);
            self.goods.len() - 1
        };
        self.goods[at].take_saved(item);
        "1".clone_into(&mut self.goods[at].quantity);
        Scanned::Added(at)
    }
}

/// SKUs are told apart without regard to case: scanners and people differ in it.
fn is_called(known: &str, sku: &str) -> bool {
    !sku.is_empty() && known.trim().eq_ignore_ascii_case(sku)
}
