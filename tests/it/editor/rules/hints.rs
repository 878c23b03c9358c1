//! Warnings that do not prevent sending, and the texts and totals that the form shows.

use app::state::ProblemList;
use draft::{
    AddressField, ContentsField, DgField, DgLine, Draft, Field, GoodsField, GoodsLine, ItemSource,
    Party, Preset, Problem, SavedItem,
};
use rust_decimal::Decimal;
use shipping::{
    Centimetres, CompanyItemId, CompanyLocation, ContainerType, DgClass, Dollars, Kilograms,
    PackingGroup, Question,
};

use super::{
    check, context, dangerous, export, good, new_zealand, saved_item, set, spirits, warnings,
};

const fn dg(field: DgField) -> Field {
    Field::Dg(0, 0, field)
}

fn oxidiser() -> DgLine {
    DgLine {
        un_number: "1495".to_owned(),
        class: Some(DgClass::Oxidizing),
        container: Some(ContainerType::Drum),
        hazchem: "1Y".to_owned(),
        flash_point: String::new(),
        ..spirits()
    }
}

fn nitric_acid() -> DgLine {
    DgLine {
        un_number: "2031".to_owned(),
        class: Some(DgClass::Corrosive),
        sub_classes: vec![DgClass::Oxidizing],
        flash_point: String::new(),
        hazchem: "2P".to_owned(),
        ..spirits()
    }
}

#[test]
fn a_draft_with_nothing_to_look_at_has_no_problem_at_all() {
    assert_eq!(check(|_| ()).problems, []);
    assert_eq!(check(|draft| dangerous(draft, |_| ())).problems, []);
    assert_eq!(check(export).problems, []);
    let nz = check(|draft| {
        new_zealand(draft);
        dangerous(draft, |_| ());
    });
    assert_eq!(nz.problems, []);
}

#[test]
fn a_flash_point_outside_its_packing_group_is_a_warning_and_no_more() {
    for (group, point, fits) in [
        (PackingGroup::II, "22.9", true),
        (PackingGroup::II, "23", false),
        (PackingGroup::III, "23", true),
        (PackingGroup::III, "60", true),
        (PackingGroup::III, "60.5", false),
        (PackingGroup::III, "-5", false),
    ] {
        let check = check(|draft| {
            dangerous(draft, |good| {
                good.packing_group = Some(group);
                set(&mut good.flash_point, point);
            });
        });
        assert!(check.passes(), "{point}");
        let told = warnings(&check, dg(DgField::FlashPoint));
        assert_eq!(told.is_empty(), fits, "{group:?} {point}: {told:?}");
    }
}

#[test]
fn hazchem_is_recommended_in_australia_and_no_more() {
    let check = check(|draft| dangerous(draft, |good| good.hazchem.clear()));
    assert!(check.passes());
    assert_eq!(warnings(&check, dg(DgField::Hazchem)).len(), 1);
}

#[test]
fn cartons_counted_in_a_carton_are_worth_a_look_and_on_a_pallet_they_are_not() {
    let told = |kind: &str, count: &str| {
        let check = check(|draft| {
            set(&mut draft.goods[0].item_type, kind);
            dangerous(draft, |good| {
                good.container = Some(ContainerType::Carton);
                set(&mut good.containers, count);
            });
        });
        assert!(check.passes());
        warnings(&check, dg(DgField::Containers)).join("")
    };
    assert_eq!(told("Carton", "1"), "");
    assert_eq!(told("Pallet", "12"), "");
    assert!(told("Carton", "12").contains("Enter 1"));
    assert!(
        told("Carton", "2").contains("not in all 2"),
        "there are two of them"
    );
}

#[test]
fn incompatible_classes_are_named_within_a_pack_and_across_lines_once_each() {
    let check = check(|draft| {
        dangerous(draft, |_| ());
        draft.goods[0].dangerous.push(oxidiser());
        let mut second = draft.goods[0].clone();
        second.dangerous = vec![oxidiser(), oxidiser()];
        draft.goods.push(second);
        draft.declare(true);
    });
    assert!(check.passes(), "{:?}", check.problems);
    assert_eq!(
        warnings(&check, Field::Dg(0, 1, DgField::Class)),
        ["Class 5.1 and class 3 must not be packed together"]
    );
    assert_eq!(
        warnings(&check, Field::Dg(1, 0, DgField::Class)),
        ["Class 5.1 and class 3 (line 1) must travel separately"]
    );
    assert_eq!(warnings(&check, Field::Dg(1, 1, DgField::Class)), [""; 0]);
}

#[test]
fn a_goods_own_subsidiary_risk_is_not_set_against_itself_and_counts_against_others() {
    let alone = check(|draft| {
        dangerous(draft, |good| *good = nitric_acid());
    });
    assert_eq!(alone.problems, []);
    let beside = check(|draft| {
        dangerous(draft, |good| *good = nitric_acid());
        let mut second = draft.goods[0].clone();
        second.dangerous = vec![spirits()];
        draft.goods.push(second);
    });
    assert_eq!(
        warnings(&beside, Field::Dg(1, 0, DgField::Class)),
        ["Class 3 and class 5.1 (line 1) must travel separately"]
    );
}

#[test]
fn what_harms_food_is_told_of_beside_food() {
    let check = check(|draft| {
        dangerous(draft, |good| *good = nitric_acid());
        let mut second = draft.goods[0].clone();
        second.dangerous.clear();
        set(&mut second.name, "Apples, 40 boxes");
        draft.goods.push(second);
    });
    assert!(check.passes());
    assert_eq!(
        warnings(&check, dg(DgField::Class)),
        ["Class 8 must not travel with food: apple in line 2"]
    );
}

#[test]
fn food_is_found_by_whole_words() {
    for (name, found) in [
        ("Plain flour, 12 x 1 kg", Some("flour")),
        ("APPLES", Some("apple")),
        ("Hex nuts M8", None),
        ("Ricefield posters", None),
        ("Teak boards", None),
        ("Hose reels, 20 m", None),
    ] {
        let check = check(|draft| {
            dangerous(draft, |good| *good = nitric_acid());
            set(&mut draft.goods[0].name, name);
        });
        let told = warnings(&check, dg(DgField::Class)).concat();
        let food = found.map(|food| format!("Class 8 must not travel with food: {food} in line 1"));
        assert_eq!(told, food.unwrap_or_default(), "{name}");
    }
}

#[test]
fn customs_are_worth_a_look_where_a_code_a_value_or_the_units_look_wrong() {
    let at = |field| Field::Contents(0, 0, field);
    let check = check(|draft| {
        export(draft);
        let inside = &mut draft.goods[0].contents[0];
        inside.harmonised_code.clear();
        set(&mut inside.value, "0");
        set(&mut inside.quantity, "2");
    });
    assert!(check.passes(), "{:?}", check.problems);
    assert!(warnings(&check, at(ContentsField::HarmonisedCode))[0].contains("HS code"));
    assert!(warnings(&check, at(ContentsField::Value))[0].contains("gifts"));
    assert!(warnings(&check, at(ContentsField::Quantity))[0].contains("4 in total"));
}

fn remembered() -> SavedItem {
    SavedItem {
        id: Some(CompanyItemId::new(8003)),
        company: None,
        sku: "PM-40".to_owned(),
        name: "Potting mix, 40 bags".to_owned(),
        item_type: "Pallet".to_owned(),
        quantity: Some(2),
        weight: Some(Kilograms(Decimal::new(4200, 1))),
        length: Some(Centimetres(Decimal::from(100))),
        width: Some(Centimetres(Decimal::from(100))),
        height: Some(Centimetres(Decimal::from(50))),
        dangerous: None,
    }
}

#[test]
fn saved_values_are_shown_counted_and_overridden_one_by_one() {
    let mut draft = good();
    draft.goods[0] = GoodsLine {
        saved: Some(remembered()),
        ..saved_item("PM-40")
    };
    let line = &mut draft.goods[0];
    assert_eq!(line.saved_value(GoodsField::Weight).as_deref(), Some("420"));
    assert_eq!(
        line.saved_value(GoodsField::Type).as_deref(),
        Some("Pallet")
    );
    assert!(!line.overrides(GoodsField::Sku), "it names the item");
    set(&mut line.weight, "400");
    assert!(line.overrides(GoodsField::Weight));
    assert!(!line.overrides(GoodsField::Height));
    let sum = draft.totals();
    assert_eq!((sum.pieces, sum.spaces), (2, Decimal::TWO));
    assert_eq!(sum.weight.0, Decimal::from(800));
    assert_eq!(sum.volume.0, Decimal::ONE);
    assert_eq!(sum.cubic_weight.0, Decimal::from(250));
    draft.goods[0].source = ItemSource::Direct;
    assert_eq!(draft.goods[0].saved_value(GoodsField::Height), None);
    assert!(!draft.goods[0].overrides(GoodsField::Weight));
    set(&mut draft.goods[0].spaces, "0");
    assert_eq!(draft.totals().spaces, Decimal::ZERO, "what is typed counts");
}

#[test]
fn customs_totals_are_summed_as_far_as_they_can_be_read() {
    let mut draft = good();
    export(&mut draft);
    let mut more = draft.goods[0].contents[0].clone();
    set(&mut more.quantity, "3");
    set(&mut more.value, "10,50");
    draft.goods[0].contents.push(more);
    draft.goods[0].contents.push(draft::ContentsLine::default());
    let totals = draft.goods[0].customs_totals();
    assert_eq!(totals, (4, Dollars(Decimal::new(10000, 2))));
}

#[test]
fn a_saved_item_that_brings_dangerous_goods_along_counts_as_dangerous() {
    let mut draft = good();
    draft.goods[0] = GoodsLine {
        saved: Some(SavedItem {
            dangerous: Some(true),
            ..remembered()
        }),
        ..saved_item("MS-12")
    };
    assert!(draft.has_dangerous_goods());
    draft.declare(true);
    let check = draft.check(&context());
    let request = check.request().expect("a request");
    assert_eq!(request.dgs_declaration, Some(true));
    assert!(request.is_complex());
}

#[test]
fn what_is_remembered_of_one_saved_item_does_not_stick_to_the_next() {
    let known = |sku: &str, dangerous: bool| SavedItem {
        id: None,
        sku: sku.to_owned(),
        dangerous: Some(dangerous),
        ..remembered()
    };
    let items = [known("HR-2", true), known("HR-20", false)];
    let mut line = GoodsLine::default();
    line.use_saved_item(&items[0]);
    assert!(line.has_dangerous_goods());
    line.use_saved_item(&items[1]);
    assert!(!line.has_dangerous_goods(), "another was picked");
    for (typed, dangerous) in [("HR-2", true), ("HR-20", false)] {
        set(&mut line.sku, typed);
        line.attach_remembered_item(&items);
        assert_eq!(line.has_dangerous_goods(), dangerous, "{typed}");
    }
}

#[test]
fn the_clerks_word_on_a_saved_item_goes_before_what_is_remembered_and_is_kept() {
    let mut line = GoodsLine {
        saved: Some(SavedItem {
            dangerous: Some(true),
            ..remembered()
        }),
        ..saved_item("MS-12")
    };
    assert!(line.has_dangerous_goods());
    line.saved_dangerous = Some(false);
    assert!(!line.has_dangerous_goods());
    for said in [None, Some(true), Some(false)] {
        line.saved_dangerous = said;
        let kept = serde_json::to_string(&line).expect("written");
        let read: GoodsLine = serde_json::from_str(&kept).expect("read");
        assert_eq!(read.saved_dangerous, said);
    }
    let old = |said: bool| -> GoodsLine {
        serde_json::from_value(serde_json::json!({"saved_dangerous": said})).expect("read")
    };
    assert_eq!(old(false).saved_dangerous, None, "nobody said anything");
    assert_eq!(old(true).saved_dangerous, Some(true));
}

#[test]
fn what_is_known_of_saved_items_is_recalled_whoever_named_them() {
    let dangerous = SavedItem {
        sku: "MS-12".to_owned(),
        dangerous: Some(true),
        ..remembered()
    };
    let mut draft = good();
    draft.goods = vec![saved_item("ms-12"), saved_item("XX-1")];
    draft.recall(std::slice::from_ref(&dangerous));
    assert_eq!(draft.goods[0].saved.as_ref(), Some(&dangerous));
    assert_eq!(draft.goods[1].saved, None);
    assert!(draft.has_dangerous_goods());
    draft.recall(&[]);
    assert!(draft.has_dangerous_goods(), "what was known stays known");
    let mut draft = good();
    let preset = Preset {
        goods: vec![saved_item("MS-12")],
        ..Preset::default()
    };
    preset.apply_to(&mut draft, &[dangerous]);
    assert!(draft.has_dangerous_goods());
}

#[test]
fn what_is_declared_is_the_goods_as_they_were_then() {
    type Change = fn(&mut Draft);
    let mut draft = good();
    dangerous(&mut draft, |_| ());
    assert!(draft.is_declared());
    let declared = draft.clone();
    let changes: [(&str, Change); 4] = [
        ("another number", |draft| {
            set(&mut draft.goods[0].dangerous[0].un_number, "1993");
        }),
        ("another amount", |draft| {
            set(&mut draft.goods[0].dangerous[0].amount, "13");
        }),
        ("another good", |draft| {
            draft.goods[0].dangerous.push(spirits());
        }),
        ("a saved item with some", |draft| {
            let mut line = saved_item("MS-12");
            line.saved_dangerous = Some(true);
            draft.goods.push(line);
        }),
    ];
    for (words, change) in changes {
        let mut draft = declared.clone();
        change(&mut draft);
        assert!(!draft.is_declared(), "{words}");
        let check = draft.check(&context());
        assert!(
            check
                .errors()
                .any(|problem| problem.field == Field::Declaration),
            "{words}"
        );
        draft.goods = declared.goods.clone();
        assert!(draft.is_declared(), "{words}, and taken back");
    }
    let mut draft = declared.clone();
    draft.goods[0].dangerous[0].shipping_name = "ETHANOL".to_owned();
    set(&mut draft.goods[0].dangerous[0].un_number, "UN1170");
    set(&mut draft.goods[0].quantity, "5");
    assert!(draft.is_declared(), "nothing of the goods themselves");
}

#[test]
fn authority_to_leave_and_abbreviations_that_nobody_knows_are_worth_a_look() {
    let check_of = |change: fn(&mut Draft)| check(change);
    let leave = |draft: &mut Draft| {
        draft.questions.insert(Question::AuthorityToLeave);
    };
    let told = check_of(leave);
    assert_eq!(warnings(&told, Field::Questions).len(), 1);
    assert!(told.passes());
    let abbreviated = |draft: &mut Draft| {
        draft.from = Party {
            abbreviation: "FJSUV".to_owned(),
            ..Party::default()
        };
    };
    let field = Field::From(AddressField::Saved);
    assert!(warnings(&check_of(abbreviated), field).is_empty());
    let mut draft = good();
    export(&mut draft);
    abbreviated(&mut draft);
    assert_eq!(warnings(&draft.check(&context()), field).len(), 1);
    let known: CompanyLocation = serde_json::from_value(serde_json::json!({
        "id": 7009, "name": "Suva", "abbreviation": "fjsuv",
        "location": {"suburb": "Suva", "postcode": "", "country": "FJI"},
    }))
    .expect("a location");
    draft.from.resolve_abbreviation(&[known]);
    assert!(draft.from.is_abroad() && draft.from.abbreviation.is_empty());
}

#[test]
fn what_blocks_sending_comes_before_what_is_worth_a_look() {
    let own = [
        Problem::warning(Field::Reference1, ""),
        Problem::error(Field::Despatch, ""),
        Problem::warning(Field::Staff, ""),
        Problem::error(Field::Route, ""),
    ];
    let list = ProblemList::new(&own, &[]);
    let order: Vec<Field> = list.by_severity().map(|problem| problem.field).collect();
    let wanted = [
        Field::Despatch,
        Field::Route,
        Field::Reference1,
        Field::Staff,
    ];
    assert_eq!(order, wanted);
}
