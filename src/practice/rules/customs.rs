//! Checks the customs contents of international goods.

use super::item_member;
use crate::consignment::CustomsContent;
use crate::wire::{ContentsRequest, ItemRequest, Refusal, Refusals};

pub(super) const CONTENTS_REQUIRED: &str = "International routes require that customs information be provided for all items. Please specify the contents on each item";

/// Reasons for sending that the practice service accepts, in any case of the letters.
const PURPOSES: [&str; 6] = ["Sale", "Gift", "Return", "Sample", "Repair", "Personal"];

/// Reads the contents of one item. Contents of domestic items are ignored.
pub(super) fn contents(
    index: usize,
    item: &ItemRequest,
    international: bool,
    refusals: &mut Refusals,
) -> Vec<CustomsContent> {
    let sent = item
        .consignment_item_contents
        .as_deref()
        .unwrap_or_default();
    let sent = if international { sent } else { &[] };
    sent.iter()
        .enumerate()
        .filter_map(|(position, contents)| content(index, position, contents, refusals))
        .collect()
}

fn content(
    index: usize,
    position: usize,
    sent: &ContentsRequest,
    refusals: &mut Refusals,
) -> Option<CustomsContent> {
    let field = |name: &str| {
        item_member(
            index,
            &format!("consignmentItemContents[{position}].{name}"),
        )
    };
    let refusal = |name: &str, wording: &str| Refusal::new(field(name), wording);
    let description = refusals.keep(
        sent.description
            .clone()
            .ok_or_else(|| refusal("description", "Contents description is required")),
    );
    let quantity = sent.quantity.filter(|quantity| *quantity > 0);
    let quantity = refusals.keep(quantity.ok_or_else(|| {
        refusal(
            "quantity",
            "Contents quantity is required and must be greater than 0",
        )
    }));
    let said = sent.purpose.as_deref().unwrap_or_default();
    let purpose = PURPOSES
        .iter()
        .find(|known| known.eq_ignore_ascii_case(said));
    let purpose = refusals.keep(
        purpose
            .ok_or_else(|| refusal("purpose", "Contents purpose must be a known classification")),
    );
    let country = sent
        .country_of_manufacture_code
        .clone()
        .filter(|code| code.len() == 3);
    let country = refusals.keep(country.ok_or_else(|| {
        refusal(
            "countryOfManufactureCode",
            "Country of manufacture must be a three-letter code",
        )
    }));
    let value = sent.dollar_value.filter(|value| !value.is_sign_negative());
    let value = refusals
        .keep(value.ok_or_else(|| refusal("dollarValue", "Contents dollar value is required")));
    Some(CustomsContent {
        description: description?,
        references: [
            sent.reference1.clone(),
            sent.reference2.clone(),
            sent.reference3.clone(),
        ],
        marks_and_numbers: sent.ci_marks_and_numbers.clone(),
        part_number: sent.part_number.clone(),
        quantity: quantity?,
        harmonized_code: sent.harmonized_code.clone(),
        purpose: (*purpose?).to_owned(),
        country_of_manufacture: country?,
        dollar_value: value?,
    })
}
