//! Dangerous goods: the lookup's entry, packaging types, amounts, class 3, technical names, Hazchem, New
//! Zealand, stored goods.

use std::sync::Arc;

use draft::{DgField, DgLine, Draft, Field};
use shipping::{DgClass, PackingGroup, UnLookupEntry, UnNumber};

use super::{context, dangerous, good, new_zealand, rules, saved_item, set, spirits};

const fn at(field: DgField) -> Field {
    Field::Dg(0, 0, field)
}

fn stored(draft: &mut Draft, id: &str, amount: &str) {
    dangerous(draft, |good| {
        *good = DgLine {
            stored: id.to_owned(),
            amount: amount.to_owned(),
            ..DgLine::default()
        };
    });
}

fn acid(good: &mut DgLine) {
    set(&mut good.un_number, "1830");
    good.class = Some(DgClass::Corrosive);
    good.flash_point.clear();
}

rules! {
    dangerous_goods_are_declared_by_the_clerk: [
        (|d| d.goods[0].dangerous.push(spirits()), Field::Declaration, "Declare"),
        (
            |d| { d.goods[0] = saved_item("MS-12"); d.goods[0].saved_dangerous = Some(true); },
            Field::Declaration,
            "Declare",
        ),
    ],
    a_un_number_has_four_digits_and_is_known: [
        (|d| d.goods[0].dangerous.push(DgLine::default()), at(DgField::UnNumber), "Enter the UN number"),
        (|d| dangerous(d, |g| set(&mut g.un_number, "ethanol")), at(DgField::UnNumber), "four digits"),
        (|d| dangerous(d, |g| set(&mut g.un_number, "-170")), at(DgField::UnNumber), "four digits"),
        (|d| dangerous(d, |g| set(&mut g.un_number, "11700")), at(DgField::UnNumber), "four digits"),
        (|d| dangerous(d, |g| set(&mut g.un_number, "9999")), at(DgField::UnNumber), "UN 9999 is not known"),
        (|d| dangerous(d, |g| set(&mut g.un_number, "0")), at(DgField::UnNumber), "UN 0000 is not known"),
        (|d| dangerous(d, |g| set(&mut g.un_number, "3599")), at(DgField::UnNumber), "UN 3599 is not known"),
    ],
    number_packing_group_and_class_are_one_entry_of_the_lookup: [
        (|d| dangerous(d, |g| g.packing_group = None), at(DgField::PackingGroup), "Pick the packing group"),
        (
            |d| dangerous(d, |g| g.packing_group = Some(PackingGroup::I)),
            at(DgField::PackingGroup),
            "UN 1170 has the packing group II or III",
        ),
        (
            |d| dangerous(d, |g| g.class = Some(DgClass::Corrosive)),
            at(DgField::Class),
            "UN 1170 belongs to class 3",
        ),
        (
            |d| dangerous(d, |g| g.sub_classes = vec![DgClass::Toxic]),
            at(DgField::Class),
            "no subsidiary class 6.1",
        ),
    ],
    a_container_type_and_a_number_of_containers_are_given: [
        (|d| dangerous(d, |g| g.container = None), at(DgField::Container), "Choose the packaging type"),
        (|d| dangerous(d, |g| g.containers.clear()), at(DgField::Containers), "in each package"),
        (|d| dangerous(d, |g| set(&mut g.containers, "0")), at(DgField::Containers), "greater than 0"),
        (|d| dangerous(d, |g| set(&mut g.containers, "1.5")), at(DgField::Containers), "whole"),
        (|d| dangerous(d, |g| set(&mut g.containers, "-1")), at(DgField::Containers), "minus"),
        (|d| dangerous(d, |g| set(&mut g.containers, "1000001")), at(DgField::Containers), "At most"),
    ],
    an_amount_above_zero_is_given: [
        (|d| dangerous(d, |g| g.amount.clear()), at(DgField::Amount), "Enter the amount"),
        (|d| dangerous(d, |g| set(&mut g.amount, "0")), at(DgField::Amount), "greater than 0"),
        (|d| dangerous(d, |g| set(&mut g.amount, "-5")), at(DgField::Amount), "minus"),
        (|d| dangerous(d, |g| set(&mut g.amount, "1,000")), at(DgField::Amount), "comma before three digits"),
        (|d| dangerous(d, |g| set(&mut g.amount, "5 kg")), at(DgField::Amount), "Enter a number"),
        (|d| dangerous(d, |g| set(&mut g.amount, "1000001")), at(DgField::Amount), "At most"),
    ],
    class_3_needs_a_flash_point: [
        (|d| dangerous(d, |g| g.flash_point.clear()), at(DgField::FlashPoint), "class 3 requires"),
        // The lookup says which class it is, also where none was picked.
        (
            |d| dangerous(d, |g| { g.flash_point.clear(); g.class = None; }),
            at(DgField::FlashPoint),
            "class 3 requires",
        ),
        (|d| dangerous(d, |g| set(&mut g.flash_point, "warm")), at(DgField::FlashPoint), "Enter a number"),
        (|d| dangerous(d, |g| set(&mut g.flash_point, "-300")), at(DgField::FlashPoint), "Enter a number"),
        (|d| dangerous(d, |g| set(&mut g.flash_point, "1001")), at(DgField::FlashPoint), "At most 1,000"),
    ],
    a_technical_name_is_given_where_the_classification_asks_for_it: [
        (|d| dangerous(d, |g| set(&mut g.un_number, "1993")), at(DgField::TechnicalName), "technical"),
        (
            |d| dangerous(d, |g| { set(&mut g.un_number, "1993"); set(&mut g.technical_name, " ; "); }),
            at(DgField::TechnicalName),
            "Enter the technical name",
        ),
        // A number that was not asked about: what the entry said when it was picked counts.
        (
            |d| dangerous(d, |g| { set(&mut g.un_number, "1987"); g.requires_technical_name = true; }),
            at(DgField::TechnicalName),
            "technical",
        ),
        (
            |d| dangerous(d, |g| g.technical_name = "x".repeat(201)),
            at(DgField::TechnicalName),
            "At most 200",
        ),
    ],
    a_hazchem_code_is_one_of_the_list: [
        (|d| dangerous(d, |g| set(&mut g.hazchem, "9Z")), at(DgField::Hazchem), "from the list"),
        (|d| dangerous(d, |g| set(&mut g.hazchem, "2ye")), at(DgField::Hazchem), "from the list"),
        (|d| dangerous(d, |g| set(&mut g.hazchem, "dot-2Y")), at(DgField::Hazchem), "from the list"),
    ],
    new_zealand_needs_hazchem_and_flash_point: [
        (
            |d| { new_zealand(d); dangerous(d, |g| g.hazchem.clear()); },
            at(DgField::Hazchem),
            "New Zealand",
        ),
        (
            |d| { new_zealand(d); dangerous(d, |g| { acid(g); set(&mut g.hazchem, "2P"); }); },
            at(DgField::FlashPoint),
            "New Zealand",
        ),
    ],
    a_stored_good_is_named_by_its_id: [
        (|d| stored(d, "spirits", ""), at(DgField::Stored), "whole number"),
        (|d| stored(d, "-9001", ""), at(DgField::Stored), "whole number"),
        (|d| stored(d, "9001", "0"), at(DgField::Amount), "greater than 0"),
        (|d| stored(d, "9001", "lots"), at(DgField::Amount), "Enter a number"),
    ],
}

#[test]
fn class_and_subsidiary_classes_are_never_those_of_two_entries() {
    let entry = |group: u8, class: u8, sub: u8, name: &str| -> UnLookupEntry {
        serde_json::from_value(serde_json::json!({
            "unNumber": 1700, "packingGroup": group, "class": {"classType": class},
            "subClasses": [{"classType": sub}], "name": name,
        }))
        .expect("an entry")
    };
    let mut context = context();
    let number = UnNumber::new(1700).expect("in use");
    let entries = vec![
        entry(1, 14, 9, "First"),
        entry(2, 5, 11, "Second"),
        entry(2, 11, 5, "Third"),
    ];
    Arc::make_mut(&mut context.un_numbers).insert(number, entries);
    let sent = |group: PackingGroup, class: Option<DgClass>| {
        let mut draft = good();
        dangerous(&mut draft, |good| {
            set(&mut good.un_number, "UN 1700");
            good.packing_group = Some(group);
            good.class = class;
        });
        draft.declare(true);
        let check = draft.check(&context);
        let errors: Vec<_> = check.errors().map(|problem| problem.field).collect();
        let good = check.request().map(|request| {
            let good = &request.items[0].consignment_item_dg_items[0];
            (good.dg_class_type, good.sub_dg_class_types.clone())
        });
        (errors, good)
    };
    let (corrosive, toxic) = (DgClass::Corrosive, DgClass::Toxic);
    let one = (Some(corrosive), vec![DgClass::Oxidizing]);
    assert_eq!(sent(PackingGroup::I, None), (vec![], Some(one)));
    assert_eq!(
        sent(PackingGroup::II, None),
        (vec![at(DgField::Class)], None),
        "several fit"
    );
    let third = (Some(toxic), vec![DgClass::FlammableLiquid]);
    assert_eq!(sent(PackingGroup::II, Some(toxic)), (vec![], Some(third)));
}
