//! Checks the goods of a request: items given in full, or saved items with fields that override them, and the
//! customs contents of international goods.

use std::collections::HashSet;

use rust_decimal::Decimal;

use super::{OperationVariant, RuleContext, dangerous_goods};
use crate::catalogue::{SavedItem, catalogue};
use crate::consignment::{CustomsContent, Line};
use crate::wire::{
    ConsignmentRequest, ContentsRequest, FieldsWithin, ItemRequest, Measures, Refusals, completed,
};

/// The maximum number of pieces in one consignment. Each piece has a label and a barcode. The API has no limit, but
/// without one a typing mistake could request a billion labels.
const MOST_PIECES: i64 = 1_000;
/// Upper limit for kilograms, centimetres and pallet spaces, higher than for any real goods.
const MAX_MEASURE: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

pub(super) const NEEDS_COMPLEX: &str = "Dangerous goods need the operation with complex items";

const CONTENTS_REQUIRED: &str = "International routes require that customs information be provided for all items. Please specify the contents on each item";

/// Result of reading the items of a request.
pub(super) struct CheckedItems {
    /// The valid items. Errors in invalid items are recorded as refusals.
    pub(super) lines: Vec<Line>,
    /// Whether dangerous goods were sent, valid or not.
    pub(super) dangerous: bool,
}

pub(super) fn lines(
    context: &RuleContext,
    order: &ConsignmentRequest,
    international: bool,
    new_zealand: bool,
    refusals: &mut Refusals,
) -> CheckedItems {
    let items = order.items.as_deref().unwrap_or_default();
    if items.is_empty() {
        refusals.add("items", "Items are required");
    }
    let mut sent = items.iter().map(|item| &item.consignment_item_contents);
    if international && sent.any(|contents| contents.iter().flatten().next().is_none()) {
        refusals.add_general(CONTENTS_REQUIRED);
    }
    let (mut lines, mut dangerous) = (Vec::new(), false);
    let mut references = HashSet::new();
    for (index, sent) in items.iter().enumerate() {
        let fields = &mut refusals.within(format!("items[{index}]"));
        let (item, mut line) = match find_saved(context, sent) {
            Ok(saved) => {
                let mut item = sent.clone();
                if let Some(saved) = saved {
                    item = completed(sent, &saved.item);
                    item.company_item_id = Some(saved.id);
                }
                let line = line(context, &item, saved, fields);
                (item, line)
            }
            Err((name, message)) => {
                fields.refuse(name, message);
                (sent.clone(), None)
            }
        };
        let goods = item.consignment_item_dg_items.as_deref();
        let goods = goods.unwrap_or_default();
        dangerous |= !goods.is_empty();
        let goods = if !goods.is_empty() && context.form == OperationVariant::Simple {
            fields.refuse("consignmentItemDgItems", NEEDS_COMPLEX);
            Vec::new()
        } else {
            dangerous_goods::goods(context, goods, new_zealand, fields)
        };
        // Contents of domestic items are ignored.
        let contents = item.consignment_item_contents.iter().flatten();
        let contents = contents.filter(|_| international).enumerate();
        let contents = contents.filter_map(|(position, sent)| content(position, sent, fields));
        let contents = contents.collect();
        if let Some(line) = &mut line {
            let mut own = line.references.iter();
            if let Some(twice) = own.find(|text| !references.insert((*text).clone())) {
                let message = format!("{twice} is used twice");
                fields.refuse("consignmentItemReferences", message);
            }
            (line.goods, line.contents) = (goods, contents);
        }
        lines.extend(line);
    }
    let quantities = lines.iter().map(|line| line.quantity);
    if quantities.fold(0, i64::saturating_add) > MOST_PIECES {
        let message = format!("A consignment holds at most {MOST_PIECES} pieces");
        refusals.add("items", message);
    }
    CheckedItems { lines, dangerous }
}

/// Finds the saved item by id or by SKU. The error is the name of the wrong field and a message. An item with its own
/// type or measures may also have a SKU that no saved item has.
fn find_saved(
    context: &RuleContext,
    item: &ItemRequest,
) -> Result<Option<&'static SavedItem>, (&'static str, String)> {
    let own = catalogue().items.iter();
    let mut own = own.filter(|saved| saved.company_id == context.company.id);
    if let Some(id) = item.company_item_id {
        let found = own.find(|saved| saved.id == id).map(Some);
        return found.ok_or_else(|| ("companyItemId", format!("Saved item {id} is not known")));
    }
    let Some(sku) = item.sku.as_deref() else {
        return Ok(None);
    };
    let is_same = |known: &String| known.eq_ignore_ascii_case(sku);
    let found = own.find(|saved| saved.item.sku.as_ref().is_some_and(is_same));
    let only_a_sku =
        item.item_type.is_none() && item.measures.weight.is_none() && item.standard_item.is_none();
    if found.is_none() && only_a_sku {
        return Err(("sku", format!("No saved item has the SKU {sku}")));
    }
    Ok(found)
}

fn line(
    context: &RuleContext,
    item: &ItemRequest,
    saved: Option<&SavedItem>,
    fields: &mut FieldsWithin<'_>,
) -> Option<Line> {
    let sent = item.item_type.as_deref();
    let item_type = sent.and_then(|sent| catalogue().values.item_type(sent));
    let message = match sent {
        Some(sent) => format!("Item type {sent} is not known"),
        None => "Item type is required".to_owned(),
    };
    fields.need(item_type, "itemType", &message);
    if item.name.is_none() && context.purpose.is_whole() {
        fields.refuse("name", "Item name is required");
    }
    let quantity = item.quantity.filter(|quantity| *quantity > 0);
    let message = "Item quantity is required and must be greater than 0";
    fields.need(quantity, "quantity", message);
    let measures = measures(context, item, saved, fields);
    let spaces = item.pallet_spaces.unwrap_or_default();
    if spaces.is_sign_negative() {
        fields.refuse("palletSpaces", "Pallet spaces cannot be negative");
    } else if spaces > MAX_MEASURE {
        let message = format!("Pallet spaces cannot be more than {MAX_MEASURE}");
        fields.refuse("palletSpaces", message);
    }
    let references = references(context, item, quantity.unwrap_or_default(), fields);
    let [weight, length, width, height] = measures?;
    Some(Line {
        number: 0,
        stackable: None,
        company_item_id: item.company_item_id,
        item_type: item_type?.to_owned(),
        name: item.name.clone().unwrap_or_default(),
        sku: item.sku.clone(),
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

/// Returns the weight (kilograms), length, width and height (centimetres). The complex operation has them
/// in `standardItem`, the simple one in the item itself. On the complex operation, values that override a
/// saved item are read from both places.
fn measures(
    context: &RuleContext,
    item: &ItemRequest,
    saved: Option<&SavedItem>,
    fields: &mut FieldsWithin<'_>,
) -> Option<[Decimal; 4]> {
    let complex = context.form == OperationVariant::Complex;
    let nested = item.standard_item.as_ref().filter(|_| complex);
    let flat = Some(&item.measures).filter(|_| !complex || saved.is_some());
    let kept = saved.map(|saved| &saved.item.measures);
    let mut measure = |name: &str, of: fn(&Measures) -> Option<Decimal>| {
        let sent = nested.and_then(of).or_else(|| flat.and_then(of));
        let sent = sent.or_else(|| kept.and_then(of));
        let positive = sent.filter(|value| *value > Decimal::ZERO);
        let message = format!("Item {name} is required and must be greater than 0");
        let value = fields.need(positive, name, &message)?;
        let message = format!("Item {name} cannot be more than {MAX_MEASURE}");
        fields.need(
            Some(value).filter(|value| *value <= MAX_MEASURE),
            name,
            &message,
        )
    };
    let weight = measure("weight", |measures| measures.weight);
    let length = measure("length", |measures| measures.length);
    let width = measure("width", |measures| measures.width);
    let height = measure("height", |measures| measures.height);
    Some([weight?, length?, width?, height?])
}

/// Returns the item references from the shipper: one for each unit of quantity, in a form that a barcode
/// can hold.
fn references(
    context: &RuleContext,
    item: &ItemRequest,
    quantity: i64,
    fields: &mut FieldsWithin<'_>,
) -> Vec<String> {
    if context.form == OperationVariant::Simple {
        return Vec::new();
    }
    let sent = item.consignment_item_references.iter().flatten();
    let sent = sent.map(|sent| sent.carrier_item_reference.trim().to_owned());
    let references: Vec<String> = sent.collect();
    let field = "consignmentItemReferences";
    if !references.is_empty() && i64::try_from(references.len()) != Ok(quantity) {
        let message = "One carrier item reference is required for each unit of quantity";
        fields.refuse(field, message);
    } else if let Some(wrong) = references.iter().find(|text| !is_carrier_format(text)) {
        let format = "4 to 20 letters and digits";
        let message = format!("{wrong} is not in the carrier's format: {format}");
        fields.refuse(field, message);
    }
    references
}

/// Returns whether the text fits the carriers' barcodes. The longest, 20 characters, still fits an A6 label at three
/// dots per module.
fn is_carrier_format(reference: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    (4..=20).contains(&reference.len()) && reference.bytes().all(fits)
}

fn content(
    position: usize,
    sent: &ContentsRequest,
    fields: &mut FieldsWithin<'_>,
) -> Option<CustomsContent> {
    let mut fields = fields.within(&format!("consignmentItemContents[{position}]"));
    let message = "Contents description is required";
    let description = fields.need(sent.description.clone(), "description", message);
    let quantity = sent.quantity.filter(|quantity| *quantity > 0);
    let message = "Contents quantity is required and must be greater than 0";
    let quantity = fields.need(quantity, "quantity", message);
    let said = sent.purpose.as_deref().unwrap_or_default();
    let mut purposes = catalogue().values.purposes.iter();
    let purpose = purposes.find(|known| known.eq_ignore_ascii_case(said));
    let message = "Contents purpose must be a known classification";
    let purpose = fields.need(purpose, "purpose", message);
    let country = sent.country_of_manufacture_code.clone();
    let country = country.filter(|code| code.len() == 3);
    let message = "Country of manufacture must be a three-letter code";
    let country = fields.need(country, "countryOfManufactureCode", message);
    let value = sent.dollar_value.filter(|value| !value.is_sign_negative());
    let value = fields.need(value, "dollarValue", "Contents dollar value is required");
    Some(CustomsContent {
        description: description?,
        references: [&sent.reference1, &sent.reference2, &sent.reference3].map(Clone::clone),
        marks_and_numbers: sent.ci_marks_and_numbers.clone(),
        part_number: sent.part_number.clone(),
        quantity: quantity?,
        harmonized_code: sent.harmonized_code.clone(),
        purpose: purpose?.clone(),
        country_of_manufacture: country?,
        dollar_value: value?,
    })
}
