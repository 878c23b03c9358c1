//! Checks the goods of a request: items given in full, or saved items with fields that override them, and the
//! customs contents of international goods.

use std::collections::HashSet;

use rust_decimal::Decimal;

use super::{OperationVariant, RuleContext, dangerous_goods, item_member};
use crate::catalogue::SavedItem;
use crate::consignment::{CustomsContent, DangerousGood, Line};
use crate::wire::{
    ConsignmentRequest, ContentsRequest, DangerousGoodRequest, ItemRequest, Refusal, Refusals,
};

/// Most pieces of one consignment. Each piece has a label and a barcode. The API has no limit, but without
/// one a typing mistake could request a billion labels.
const MOST_PIECES: i64 = 1_000;
/// Upper limit for kilograms, centimetres and pallet spaces: more than anything that is carried has.
const MAX_MEASURE: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

pub(super) const NEEDS_COMPLEX: &str = "Dangerous goods need the operation with complex items";

const CONTENTS_REQUIRED: &str = "International routes require that customs information be provided for all items. Please specify the contents on each item";

/// Reasons for sending that the practice service accepts, in any case of the letters.
const PURPOSES: [&str; 6] = ["Sale", "Gift", "Return", "Sample", "Repair", "Personal"];

/// Packaging types by number.
#[rustfmt::skip]
const ITEM_TYPES: [(i64, &str); 28] = [
    (1, "Carton"), (2, "Skid"), (3, "Pallet"), (4, "Crate"), (5, "Satchel"), (6, "Roll"),
    (7, "Panel"), (8, "Bag"), (9, "Tube"), (10, "Stillage"), (11, "Envelope"), (12, "Pack"),
    (13, "Rails"), (14, "TimberLoose"), (15, "Combined"), (16, "TimberPack"), (17, "Pipe"),
    (22, "Bundle"), (23, "Case"), (26, "IBC"), (30, "Trolley"), (32, "Drum"), (39, "Tray"),
    (52, "Item"), (54, "JiffyBag"), (58, "Flatpack"), (63, "Length"), (75, "Bottle"),
];

/// Result of reading the items of a request.
pub(super) struct CheckedItems {
    /// The valid items. Errors in invalid items are recorded as refusals.
    pub(super) lines: Vec<Line>,
    /// Whether dangerous goods were sent, valid or not.
    pub(super) dangerous: bool,
}

pub(super) fn lines(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    international: bool,
    new_zealand: bool,
    refusals: &mut Refusals,
) -> CheckedItems {
    let items = order.items.as_deref().unwrap_or_default();
    if items.is_empty() {
        refusals.add("items", "Items are required");
    }
    let mut sent = items
        .iter()
        .map(|item| item.consignment_item_contents.as_deref());
    if international && sent.any(|contents| contents.unwrap_or_default().is_empty()) {
        refusals.whole(CONTENTS_REQUIRED);
    }
    let (mut lines, mut dangerous) = (Vec::new(), false);
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let mut reader = ItemReader {
            context,
            index,
            item,
            saved: None,
            refusals,
        };
        let line = reader.line();
        let sent = reader.dangerous_goods();
        dangerous |= !sent.is_empty();
        let goods = reader.goods(&sent, new_zealand);
        let contents = contents(index, item, international, refusals);
        if let Some(line) = &line {
            used_once(index, line, &mut seen, refusals);
        }
        lines.extend(line.map(|line| Line {
            goods,
            contents,
            ..line
        }));
    }
    let quantities = lines.iter().map(|line| line.quantity);
    if quantities.fold(0, i64::saturating_add) > MOST_PIECES {
        let message = format!("A consignment holds at most {MOST_PIECES} pieces");
        refusals.add("items", message);
    }
    CheckedItems { lines, dangerous }
}

/// Refuses a reference that is used for more than one piece.
fn used_once(index: usize, line: &Line, seen: &mut HashSet<String>, refusals: &mut Refusals) {
    let mut references = line.references.iter();
    if let Some(twice) = references.find(|text| !seen.insert((*text).clone())) {
        let field = item_member(index, "consignmentItemReferences");
        refusals.add(field, format!("{twice} is used twice"));
    }
}

struct ItemReader<'a, 'r> {
    context: &'a RuleContext<'a>,
    index: usize,
    item: &'a ItemRequest,
    saved: Option<&'a SavedItem>,
    refusals: &'r mut Refusals,
}

impl<'a> ItemReader<'a, '_> {
    fn line(&mut self) -> Option<Line> {
        let found = self.find_saved();
        self.saved = self.refusals.keep(found)?;
        let (item, saved) = (self.item, self.saved);
        let item_type = self.item_type();
        let saved_name = || saved.map(|saved| saved.name.clone());
        let name = item.name.clone().or_else(saved_name);
        if name.is_none() && self.context.purpose.is_whole() {
            self.refuse("name", "Item name is required");
        }
        let saved_sku = || saved.map(|saved| saved.sku.clone());
        let quantity = self.quantity();
        let measures = self.measures();
        self.check_spaces();
        let references = self.references(quantity.unwrap_or_default());
        let [weight, length, width, height] = measures?;
        Some(Line {
            number: 0,
            stackable: None,
            company_item_id: saved.map(|saved| saved.id),
            item_type: item_type?,
            name: name.unwrap_or_default(),
            sku: item.sku.clone().or_else(saved_sku),
            quantity: quantity?,
            weight,
            length,
            width,
            height,
            pallet_spaces: item.pallet_spaces,
            goods: Vec::new(),
            contents: Vec::new(),
            references,
        })
    }

    /// Finds the saved item by id or by SKU. An item with its own type or measures may also have a SKU that
    /// no saved item has.
    fn find_saved(&self) -> Result<Option<&'a SavedItem>, Refusal> {
        let member = |name: &str| item_member(self.index, name);
        let own = self.context.catalogue.items.iter();
        let mut own = own.filter(|saved| saved.company_id == self.context.company.id);
        if let Some(id) = self.item.company_item_id {
            let found = own.find(|saved| saved.id == id).map(Some);
            let message = || format!("Saved item {id} is not known");
            return found.ok_or_else(|| Refusal::new(member("companyItemId"), message()));
        }
        let Some(sku) = self.item.sku.as_deref() else {
            return Ok(None);
        };
        let found = own.find(|saved| saved.sku.eq_ignore_ascii_case(sku));
        let only_a_sku = self.item.item_type.is_none()
            && self.item.weight.is_none()
            && self.item.standard_item.is_none();
        if found.is_none() && only_a_sku {
            let message = format!("No saved item has the SKU {sku}");
            return Err(Refusal::new(member("sku"), message));
        }
        Ok(found)
    }

    /// Returns the name of the packaging type, which can be sent as a number.
    fn item_type(&mut self) -> Option<String> {
        let Some(sent) = self.item.item_type.as_deref() else {
            let kept = self.saved.map(|saved| saved.item_type.clone());
            if kept.is_none() {
                self.refuse("itemType", "Item type is required");
            }
            return kept;
        };
        let found = packaging(sent).map(str::to_owned);
        if found.is_none() {
            self.refuse("itemType", format!("Item type {sent} is not known"));
        }
        found
    }

    fn quantity(&mut self) -> Option<i64> {
        let saved = self.saved.map(|saved| saved.quantity);
        let positive = self
            .item
            .quantity
            .or(saved)
            .filter(|quantity| *quantity > 0);
        if positive.is_none() {
            let wording = "Item quantity is required and must be greater than 0";
            self.refuse("quantity", wording);
        }
        positive
    }

    fn check_spaces(&mut self) {
        let spaces = self.item.pallet_spaces.unwrap_or_default();
        if spaces.is_sign_negative() {
            self.refuse("palletSpaces", "Pallet spaces cannot be negative");
        } else if spaces > MAX_MEASURE {
            let wording = format!("Pallet spaces cannot be more than {MAX_MEASURE}");
            self.refuse("palletSpaces", wording);
        }
    }

    /// Returns the weight (kilograms), length, width and height (centimetres). The complex operation has them
    /// in `standardItem`, the simple one in the item itself. On the complex operation, values that override a
    /// saved item are read from both places.
    fn measures(&mut self) -> Option<[Decimal; 4]> {
        let (item, complex) = (self.item, self.context.form == OperationVariant::Complex);
        let nested = item.standard_item.as_ref().filter(|_| complex);
        let nested = nested.map_or([None; 4], |nested| {
            [nested.weight, nested.length, nested.width, nested.height]
        });
        let flat = if complex && self.saved.is_none() {
            [None; 4]
        } else {
            [item.weight, item.length, item.width, item.height]
        };
        let kept = self.saved.map_or([None; 4], |saved| {
            [saved.weight, saved.length, saved.width, saved.height].map(Some)
        });
        let mut sent = nested.into_iter().zip(flat).zip(kept);
        let [weight, length, width, height] = ["weight", "length", "width", "height"].map(|name| {
            let ((nested, flat), kept) = sent.next()?;
            self.measure(nested.or(flat).or(kept), name)
        });
        Some([weight?, length?, width?, height?])
    }

    fn measure(&mut self, sent: Option<Decimal>, name: &str) -> Option<Decimal> {
        let positive = sent.filter(|value| *value > Decimal::ZERO);
        if positive.is_none() {
            let wording = format!("Item {name} is required and must be greater than 0");
            self.refuse(name, wording);
        } else if positive.is_some_and(|value| value > MAX_MEASURE) {
            let wording = format!("Item {name} cannot be more than {MAX_MEASURE}");
            self.refuse(name, wording);
        }
        positive.filter(|value| *value <= MAX_MEASURE)
    }

    /// Returns the item references from the shipper: one for each unit of quantity, in a form that a barcode
    /// can hold.
    fn references(&mut self, quantity: i64) -> Vec<String> {
        if self.context.form == OperationVariant::Simple {
            return Vec::new();
        }
        let sent = self.item.consignment_item_references.iter().flatten();
        let sent = sent.map(|sent| sent.carrier_item_reference.trim().to_owned());
        let references: Vec<String> = sent.collect();
        let field = "consignmentItemReferences";
        if !references.is_empty() && i64::try_from(references.len()) != Ok(quantity) {
            let wording = "One carrier item reference is required for each unit of quantity";
            self.refuse(field, wording);
        } else if let Some(wrong) = references.iter().find(|text| !is_carrier_format(text)) {
            let format = "4 to 20 letters and digits";
            let wording = format!("{wrong} is not in the carrier's format: {format}");
            self.refuse(field, wording);
        }
        references
    }

    /// Returns the dangerous goods that were sent, or else the dangerous goods of the saved item.
    fn dangerous_goods(&self) -> Vec<DangerousGoodRequest> {
        let saved = self.saved.into_iter().flat_map(|saved| &saved.goods);
        let stored = |id: &i64| DangerousGoodRequest {
            company_dg_item_id: Some(*id),
            ..DangerousGoodRequest::default()
        };
        let sent = self.item.consignment_item_dg_items.clone();
        sent.unwrap_or_else(|| saved.map(stored).collect())
    }

    fn goods(&mut self, sent: &[DangerousGoodRequest], new_zealand: bool) -> Vec<DangerousGood> {
        if !sent.is_empty() && self.context.form == OperationVariant::Simple {
            self.refuse("consignmentItemDgItems", NEEDS_COMPLEX);
            return Vec::new();
        }
        dangerous_goods::goods(self.context, self.index, sent, new_zealand, self.refusals)
    }

    fn refuse(&mut self, name: &str, wording: impl Into<String>) {
        self.refusals.add(item_member(self.index, name), wording);
    }
}

/// Returns the name of a packaging type that was sent by name or by number.
pub(super) fn packaging(sent: &str) -> Option<&'static str> {
    let number = sent.parse::<i64>().ok();
    let same = |(id, name): &&(i64, &str)| number == Some(*id) || name.eq_ignore_ascii_case(sent);
    ITEM_TYPES.iter().find(same).map(|(_, name)| *name)
}

/// Whether the text fits the carriers' barcodes. The longest, 20 characters, still fits an A6 label at three
/// dots per module.
fn is_carrier_format(reference: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    (4..=20).contains(&reference.len()) && reference.bytes().all(fits)
}

/// Reads the contents of one item. Contents of domestic items are ignored.
fn contents(
    index: usize,
    item: &ItemRequest,
    international: bool,
    refusals: &mut Refusals,
) -> Vec<CustomsContent> {
    let sent = item
        .consignment_item_contents
        .iter()
        .flatten()
        .filter(|_| international);
    let read = |(position, sent)| content(index, position, sent, refusals);
    sent.enumerate().filter_map(read).collect()
}

fn content(
    index: usize,
    position: usize,
    sent: &ContentsRequest,
    refusals: &mut Refusals,
) -> Option<CustomsContent> {
    let mut need = |is_valid: bool, name: &str, wording: &str| {
        if !is_valid {
            let field = item_member(
                index,
                &format!("consignmentItemContents[{position}].{name}"),
            );
            refusals.add(field, wording);
        }
    };
    let description = sent.description.clone();
    need(
        description.is_some(),
        "description",
        "Contents description is required",
    );
    let quantity = sent.quantity.filter(|quantity| *quantity > 0);
    let wording = "Contents quantity is required and must be greater than 0";
    need(quantity.is_some(), "quantity", wording);
    let said = sent.purpose.as_deref().unwrap_or_default();
    let purpose = PURPOSES
        .iter()
        .find(|known| known.eq_ignore_ascii_case(said));
    let wording = "Contents purpose must be a known classification";
    need(purpose.is_some(), "purpose", wording);
    let country = sent
        .country_of_manufacture_code
        .clone()
        .filter(|code| code.len() == 3);
    let wording = "Country of manufacture must be a three-letter code";
    need(country.is_some(), "countryOfManufactureCode", wording);
    let value = sent.dollar_value.filter(|value| !value.is_sign_negative());
    need(
        value.is_some(),
        "dollarValue",
        "Contents dollar value is required",
    );
    Some(CustomsContent {
        description: description?,
        references: [&sent.reference1, &sent.reference2, &sent.reference3].map(Clone::clone),
        marks_and_numbers: sent.ci_marks_and_numbers.clone(),
        part_number: sent.part_number.clone(),
        quantity: quantity?,
        harmonized_code: sent.harmonized_code.clone(),
        purpose: (*purpose?).to_owned(),
        country_of_manufacture: country?,
        dollar_value: value?,
    })
}
