//! Customs: contents on every item of an international consignment, and their required fields.

use draft::{ContentsField, ContentsLine, Draft, Field};

use super::{context, export, good, rules, set, warnings};

const fn at(field: ContentsField) -> Field {
    Field::Contents(0, 0, field)
}

fn inside(draft: &mut Draft, change: fn(&mut ContentsLine)) {
    export(draft);
    change(&mut draft.goods[0].contents[0]);
}

rules! {
    every_item_of_an_international_consignment_has_contents: [
        (|d| { export(d); d.goods[0].contents.clear(); }, Field::Customs(0), "Add the contents"),
        (
            |d| { export(d); let mut line = d.goods[0].clone(); line.contents.clear(); d.goods.push(line); },
            Field::Customs(1),
            "Add the contents",
        ),
    ],
    contents_say_what_and_how_many: [
        (|d| inside(d, |c| set(&mut c.description, " ")), at(ContentsField::Description), "Enter a description"),
        (|d| inside(d, |c| set(&mut c.quantity, "")), at(ContentsField::Quantity), "units in one item"),
        (|d| inside(d, |c| set(&mut c.quantity, "0")), at(ContentsField::Quantity), "greater than 0"),
        (|d| inside(d, |c| set(&mut c.quantity, "-1")), at(ContentsField::Quantity), "minus"),
        (|d| inside(d, |c| set(&mut c.quantity, "2.5")), at(ContentsField::Quantity), "whole"),
        (|d| inside(d, |c| set(&mut c.quantity, "1000001")), at(ContentsField::Quantity), "At most"),
    ],
    a_purpose_is_a_known_classification: [
        (|d| inside(d, |c| set(&mut c.purpose, "")), at(ContentsField::Purpose), "reason for sending"),
    ],
    a_country_of_manufacture_is_one_of_the_list: [
        (|d| inside(d, |c| set(&mut c.country, "")), at(ContentsField::Country), "country of origin"),
        (|d| inside(d, |c| set(&mut c.country, "ZZZ")), at(ContentsField::Country), "from the list"),
    ],
    a_dollar_value_is_given_in_cents_at_most: [
        (|d| inside(d, |c| set(&mut c.value, "")), at(ContentsField::Value), "Australian dollars"),
        (|d| inside(d, |c| set(&mut c.value, "-0.5")), at(ContentsField::Value), "minus"),
        (|d| inside(d, |c| set(&mut c.value, "1.234")), at(ContentsField::Value), "two decimals"),
        (|d| inside(d, |c| set(&mut c.value, "$5")), at(ContentsField::Value), "Enter a number"),
        (|d| inside(d, |c| set(&mut c.value, "1000000001")), at(ContentsField::Value), "At most"),
    ],
    a_harmonised_code_has_6_to_12_digits: [
        (|d| inside(d, |c| set(&mut c.harmonised_code, "84249")), at(ContentsField::HarmonisedCode), "6 to 12"),
        (
            |d| inside(d, |c| set(&mut c.harmonised_code, "1234567890123")),
            at(ContentsField::HarmonisedCode),
            "6 to 12",
        ),
        (|d| inside(d, |c| set(&mut c.harmonised_code, "8424-90")), at(ContentsField::HarmonisedCode), "6 to 12"),
        (|d| inside(d, |c| set(&mut c.harmonised_code, "8424..90")), at(ContentsField::HarmonisedCode), "6 to 12"),
    ],
    text_for_customs_stands_on_one_line_with_nothing_hidden: [
        (|d| inside(d, |c| set(&mut c.description, "a\nb")), at(ContentsField::Description), "line break"),
        (|d| inside(d, |c| c.description = "x".repeat(201)), at(ContentsField::Description), "At most 200"),
        (|d| inside(d, |c| set(&mut c.reference1, "a\tb")), at(ContentsField::Reference1), "tab"),
        (|d| inside(d, |c| c.reference2 = "x".repeat(51)), at(ContentsField::Reference2), "At most 50"),
        (|d| inside(d, |c| set(&mut c.reference3, "a\u{202d}b")), at(ContentsField::Reference3), "reverse text"),
        (|d| inside(d, |c| set(&mut c.marks, "a\u{0}b")), at(ContentsField::Marks), "can't be printed"),
        (|d| inside(d, |c| set(&mut c.part_number, "a\u{200b}b")), at(ContentsField::PartNumber), "hidden"),
    ],
}

#[test]
fn contents_are_compared_with_the_items_and_unknown_purposes_go_as_typed() {
    let mut draft = good();
    export(&mut draft);
    set(&mut draft.goods[0].quantity, "2");
    set(&mut draft.goods[0].contents[0].purpose, "Exhibition");
    let mut more = draft.goods[0].contents[0].clone();
    for line in [&mut draft.goods[0].contents[0], &mut more] {
        set(&mut line.quantity, "1");
    }
    draft.goods[0].contents.push(more);
    let check = draft.check(&context());
    assert_eq!(warnings(&check, Field::Customs(0)).len(), 1, "1 + 1 in 2");
    assert_eq!(warnings(&check, at(ContentsField::Purpose)).len(), 1);
    let request = check.request().expect("warnings block nothing");
    let sent = &request.items[0].consignment_item_contents[0];
    assert_eq!(sent.purpose.as_deref(), Some("Exhibition"));
}
