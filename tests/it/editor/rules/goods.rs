//! Goods lines: required fields, typed numbers, saved items, and delegated references.

use draft::{Draft, Field, GoodsField, GoodsLine, ItemSource};

use super::{rules, saved_item, set};

const fn at(field: GoodsField) -> Field {
    Field::Goods(0, field)
}

fn by_id(draft: &mut Draft, id: &str) {
    draft.goods[0] = GoodsLine {
        source: ItemSource::Id,
        item_id: id.to_owned(),
        ..saved_item("")
    };
}

fn line(draft: &mut Draft, quantity: &str, references: &str) {
    set(&mut draft.goods[0].quantity, quantity);
    set(&mut draft.goods[0].references, references);
}

rules! {
    a_consignment_holds_at_least_one_line: [
        (|d| d.goods.clear(), Field::AllGoods, "at least one goods line"),
    ],
    a_direct_line_says_what_it_is: [
        (|d| set(&mut d.goods[0].item_type, ""), at(GoodsField::Type), "packaging type"),
        (|d| set(&mut d.goods[0].item_type, "Sack"), at(GoodsField::Type), "packaging type"),
        (|d| set(&mut d.goods[0].name, " "), at(GoodsField::Name), "Enter a description"),
        (|d| set(&mut d.goods[0].quantity, ""), at(GoodsField::Quantity), "quantity of 1 or more"),
        (|d| set(&mut d.goods[0].weight, ""), at(GoodsField::Weight), "weight of one in kg"),
        (|d| set(&mut d.goods[0].length, ""), at(GoodsField::Length), "length in cm"),
        (|d| set(&mut d.goods[0].width, ""), at(GoodsField::Width), "width in cm"),
        (|d| set(&mut d.goods[0].height, ""), at(GoodsField::Height), "height in cm"),
    ],
    a_quantity_is_whole_and_above_zero: [
        (|d| set(&mut d.goods[0].quantity, "0"), at(GoodsField::Quantity), "greater than 0"),
        (|d| set(&mut d.goods[0].quantity, "-2"), at(GoodsField::Quantity), "without a minus"),
        (|d| set(&mut d.goods[0].quantity, "1.5"), at(GoodsField::Quantity), "whole number"),
        (|d| set(&mut d.goods[0].quantity, "1,5"), at(GoodsField::Quantity), "whole number"),
        (|d| set(&mut d.goods[0].quantity, "two"), at(GoodsField::Quantity), "Enter a number"),
        (|d| set(&mut d.goods[0].quantity, "９"), at(GoodsField::Quantity), "Enter a number"),
        (|d| set(&mut d.goods[0].quantity, "1001"), at(GoodsField::Quantity), "At most 1,000"),
        (|d| d.goods[0].quantity = "9".repeat(10_000), at(GoodsField::Quantity), "At most"),
    ],
    a_measure_is_a_number_above_zero: [
        (|d| set(&mut d.goods[0].weight, "-1"), at(GoodsField::Weight), "without a minus"),
        (|d| set(&mut d.goods[0].weight, "0"), at(GoodsField::Weight), "greater than 0"),
        (|d| set(&mut d.goods[0].weight, "0.000"), at(GoodsField::Weight), "greater than 0"),
        (|d| set(&mut d.goods[0].weight, "1000000.5"), at(GoodsField::Weight), "At most 1,000,000"),
        (|d| set(&mut d.goods[0].weight, "1,000"), at(GoodsField::Weight), "comma before three digits"),
        (|d| set(&mut d.goods[0].length, "1.2,3"), at(GoodsField::Length), "Enter a number"),
        (|d| set(&mut d.goods[0].width, "1e3"), at(GoodsField::Width), "Enter a number"),
        (|d| set(&mut d.goods[0].height, "4\n0"), at(GoodsField::Height), "Enter a number"),
        (|d| set(&mut d.goods[0].height, "1.2345678"), at(GoodsField::Height), "decimals"),
        (|d| set(&mut d.goods[0].height, "😀"), at(GoodsField::Height), "Enter a number"),
    ],
    pallet_spaces_are_numbers_or_left_to_be_counted: [
        (|d| set(&mut d.goods[0].spaces, "-1"), at(GoodsField::Spaces), "minus"),
        (|d| set(&mut d.goods[0].spaces, "some"), at(GoodsField::Spaces), "Enter a number"),
        (|d| set(&mut d.goods[0].spaces, "1000001"), at(GoodsField::Spaces), "At most 1,000,000"),
    ],
    a_consignment_holds_at_most_a_thousand_pieces: [
        (
            |d| { set(&mut d.goods[0].quantity, "600"); let line = d.goods[0].clone(); d.goods.push(line); },
            Field::AllGoods,
            "this one has 1200",
        ),
    ],
    a_saved_item_is_named_by_its_sku_or_its_id: [
        (|d| d.goods[0] = saved_item(" "), at(GoodsField::Sku), "SKU"),
        (|d| by_id(d, ""), at(GoodsField::SavedId), "id of the saved item"),
        (|d| by_id(d, "HR-20"), at(GoodsField::SavedId), "whole number"),
        (|d| by_id(d, "0"), at(GoodsField::SavedId), "whole number"),
        (|d| by_id(d, "99999999999999999999"), at(GoodsField::SavedId), "whole number"),
    ],
    what_overrides_a_saved_item_can_be_read: [
        (
            |d| { d.goods[0] = saved_item("HR-20"); set(&mut d.goods[0].weight, "heavy"); },
            at(GoodsField::Weight),
            "Enter a number",
        ),
        (
            |d| { d.goods[0] = saved_item("HR-20"); set(&mut d.goods[0].quantity, "0"); },
            at(GoodsField::Quantity),
            "greater than 0",
        ),
        (
            |d| { d.goods[0] = saved_item("HR-20"); set(&mut d.goods[0].item_type, "Sack"); },
            at(GoodsField::Type),
            "packaging type",
        ),
    ],
    there_is_one_reference_for_each_unit: [
        (|d| line(d, "2", "SCX00001"), at(GoodsField::References), "1 reference for 2 pieces"),
        (|d| line(d, "1", "SCX00001 SCX00002"), at(GoodsField::References), "2 references for 1 piece"),
        (
            |d| d.goods[0].references = "SCX00001\n".repeat(10_000),
            at(GoodsField::References),
            "At most 1,000",
        ),
    ],
    each_reference_is_one_pieces: [
        (|d| line(d, "2", "SCX00001,SCX00001"), at(GoodsField::References), "SCX00001 is used twice"),
        (
            |d| {
                line(d, "1", "SCX00001");
                let line = d.goods[0].clone();
                d.goods.push(line);
            },
            Field::Goods(1, GoodsField::References),
            "used twice",
        ),
        (|d| line(d, "1", "a\u{202e}b"), at(GoodsField::References), "reverse text"),
        (|d| { line(d, "1", ""); d.goods[0].references = "1".repeat(51); }, at(GoodsField::References), "At most 50"),
    ],
    text_of_goods_stands_on_one_line_with_nothing_hidden: [
        (|d| set(&mut d.goods[0].name, "a\nb"), at(GoodsField::Name), "line break"),
        (|d| d.goods[0].name = "x".repeat(101), at(GoodsField::Name), "At most 100"),
        (|d| set(&mut d.goods[0].sku, "HR\u{200b}20"), at(GoodsField::Sku), "hidden"),
        (|d| d.goods[0].sku = "x".repeat(51), at(GoodsField::Sku), "At most 50"),
    ],
}
