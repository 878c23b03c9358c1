//! Builds the lines of goods: direct items, or saved items with overriding values.

use super::{Purpose, RequestBuilder};
use crate::field::{Field, GoodsField};
use crate::number::{self, MOST};
use crate::text;
use crate::{GoodsLine, ItemSource};
use shipping::{
    Centimetres, CompanyItemId, ItemReference, ItemRequest, ItemType, Kilograms, Quantity,
};

/// The maximum number of pieces in a new consignment, because each has a label and a barcode. An edited
/// consignment may already have more.
const MOST_PIECES: u32 = 1_000;

impl<'a> RequestBuilder<'a> {
    pub(super) fn items(&mut self) -> Vec<ItemRequest> {
        let draft = self.draft;
        let lines = match self.purpose {
            Purpose::Send => draft.goods.as_slice(),
            Purpose::Save => typed(&draft.goods),
        };
        if lines.is_empty() {
            self.missing(Field::AllGoods, "Add at least one goods line");
        }
        let items = lines.iter().enumerate();
        let items = items.map(|(index, line)| self.item(index, line)).collect();
        if self.pieces > self.most_pieces() {
            let words = format!(
                "A consignment can have at most 1,000 pieces: this one has {}",
                self.pieces
            );
            self.error(Field::AllGoods, words);
        }
        items
    }

    const fn most_pieces(&self) -> u32 {
        if self.draft.edits.is_some() {
            MOST
        } else {
            MOST_PIECES
        }
    }

    fn item(&mut self, index: usize, line: &'a GoodsLine) -> ItemRequest {
        let at = |field| Field::Goods(index, field);
        let company_item_id = self.saved_id(index, line);
        let item_type = self.item_type(index, line);
        let name = self.own_or_saved(line, at(GoodsField::Name), "Enter a description");
        let sku = match line.source {
            ItemSource::Sku => {
                self.required(at(GoodsField::Sku), "Enter the SKU of the saved item")
            }
            _ => self.text(at(GoodsField::Sku)),
        };
        let quantity = self.quantity(index, line);
        let mut measure = |field, words: &str| {
            if line.is_saved() {
                self.optional(at(field), number::read_positive)
            } else {
                self.number(at(field), number::read_positive, words)
            }
        };
        let weight = measure(GoodsField::Weight, "Enter the weight of one in kg");
        let length = measure(GoodsField::Length, "Enter the length in cm");
        let width = measure(GoodsField::Width, "Enter the width in cm");
        let height = measure(GoodsField::Height, "Enter the height in cm");
        let spaces = self.optional(at(GoodsField::Spaces), number::read_from_zero);
        ItemRequest {
            company_item_id,
            item_type,
            name,
            sku,
            quantity,
            weight: weight.map(Kilograms),
            length: length.map(Centimetres),
            width: width.map(Centimetres),
            height: height.map(Centimetres),
            pallet_spaces: spaces.map(Quantity),
            consignment_item_dg_items: self.dangerous(index, line),
            consignment_item_contents: self.contents(index, line),
            consignment_item_references: self.item_references(index, line),
            ..ItemRequest::default()
        }
    }

    fn saved_id(&mut self, index: usize, line: &GoodsLine) -> Option<CompanyItemId> {
        if line.source != ItemSource::Id {
            return None;
        }
        let field = Field::Goods(index, GoodsField::SavedId);
        if self.is_blank(field) {
            self.missing(field, "Enter the id of the saved item");
            return None;
        }
        let saved = line.remembered_item().and_then(|saved| saved.company);
        if self.belongs_to_other_company(saved) {
            self.error(field, "This saved item belongs to another company");
        }
        let id = self.id(field, "A saved item's id is a whole number");
        id.map(CompanyItemId::new)
    }

    fn item_type(&mut self, index: usize, line: &GoodsLine) -> Option<String> {
        let field = Field::Goods(index, GoodsField::Type);
        let words = "Choose a packaging type";
        let typed = line.item_type.trim();
        if !typed.is_empty() && !ItemType::NAMES.contains(&typed) {
            self.error(field, words);
            return None;
        }
        self.own_or_saved(line, field, words)
    }

    /// Reads a text that is optional for a saved item, because the saved item provides it.
    fn own_or_saved(&mut self, line: &GoodsLine, field: Field, words: &str) -> Option<String> {
        if line.is_saved() {
            self.text(field)
        } else {
            self.required(field, words)
        }
    }

    fn quantity(&mut self, index: usize, line: &GoodsLine) -> Option<u32> {
        let field = Field::Goods(index, GoodsField::Quantity);
        let most = self.most_pieces();
        let read = |text: &str| number::read_count(text, most);
        let quantity = if line.is_saved() {
            self.optional(field, read)
        } else {
            self.number(field, read, "Enter a quantity of 1 or more")
        };
        let saved = || line.count().unwrap_or(1);
        self.pieces = self.pieces.saturating_add(quantity.unwrap_or_else(saved));
        quantity
    }

    /// Reads the delegated references: one for each piece, and none used twice.
    fn item_references(&mut self, index: usize, line: &'a GoodsLine) -> Vec<ItemReference> {
        let field = Field::Goods(index, GoodsField::References);
        let most = MOST_PIECES as usize;
        let references: Vec<&str> = line.references().take(most + 1).collect();
        if references.len() > most {
            self.error(field, "At most 1,000 references");
            return Vec::new();
        }
        let wanted = line.count().and_then(|count| usize::try_from(count).ok());
        if let Some(wanted) = wanted.filter(|_| !references.is_empty())
            && wanted != references.len()
        {
            let words = format!(
                "Enter one reference for each piece: {} for {}",
                text::counted(references.len(), "reference"),
                text::counted(wanted, "piece")
            );
            self.error(field, words);
        }
        let faults = references.iter().filter_map(|reference| {
            let twice = || format!("{reference} is used twice");
            text::text_problem(reference, field.max_chars())
                .or_else(|| (!self.references.insert(reference)).then(twice))
        });
        // All references are read, so that later lines are compared with them too.
        let faults: Vec<String> = faults.collect();
        if let Some(first) = faults.into_iter().next() {
            self.error(field, first);
        }
        let sent = references.into_iter().map(|text| ItemReference {
            carrier_item_reference: text.to_owned(),
        });
        sent.collect()
    }
}

/// Returns the lines without the untouched lines at the end; a new draft starts with one.
fn typed(lines: &[GoodsLine]) -> &[GoodsLine] {
    let untouched = GoodsLine::default();
    let last = lines.iter().rposition(|line| *line != untouched);
    last.and_then(|last| lines.get(..=last)).unwrap_or_default()
}
