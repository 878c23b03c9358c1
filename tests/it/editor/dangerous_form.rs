//! Dangerous goods by keyboard, in field order: number, entry, amount.

use draft::{DgLine, Draft};
use egui_kittest::kittest::Queryable as _;
use shipping::{ContainerType, DgClass, PackingGroup};

use super::goods_desk::{Clerk, line, with};
use crate::journeys::screens::LOOKS;

fn goods() -> Draft {
    with(vec![
        line("Spirits", "MS-12", "3", "11.5"),
        line("Thinner", "TH-4", "1", "8"),
    ])
}

fn clerk() -> Clerk {
    let mut clerk = Clerk::at(goods());
    clerk.go_to_goods().keys("<Ctrl+D>");
    clerk
}

#[test]
fn an_entry_that_is_alone_is_taken_by_itself_and_whole() {
    let mut clerk = clerk();
    clerk.keys("1993");
    let good = &clerk.line(0).dangerous[0];
    assert_eq!(good.shipping_name, "Flammable liquid, N.O.S.");
    assert_eq!(good.class, Some(DgClass::FlammableLiquid));
    assert_eq!(good.packing_group, Some(PackingGroup::I));
    assert_eq!(good.sub_classes, [DgClass::Toxic]);
    assert!(good.requires_technical_name);
    assert!(clerk.sees("Technical name"));
    assert!(clerk.sees("Flash point"));
    assert!(!clerk.sees("Packing group"), "not to be typed apart");
}

#[test]
fn one_of_several_entries_is_picked_and_sets_all_of_it() {
    let mut clerk = clerk();
    clerk.keys("1170");
    assert_eq!(clerk.line(0).dangerous[0].class, None);
    clerk.keys("<Down*2><Enter>");
    let good = &clerk.line(0).dangerous[0];
    assert_eq!(good.shipping_name, "Ethanol solution");
    assert_eq!(
        (good.class, good.packing_group),
        (Some(DgClass::FlammableLiquid), Some(PackingGroup::III))
    );
    // Or from the list beside the number.
    clerk.keys("<Shift+Tab>eth");
    assert_eq!(
        clerk.focus().as_deref(),
        Some("Line 1, DG item 1: Shipping name, class and packing group")
    );
    assert_eq!(
        clerk.line(0).dangerous[0].packing_group,
        Some(PackingGroup::II)
    );
}

#[test]
fn another_number_forgets_the_entry_of_the_one_before() {
    let mut clerk = clerk();
    clerk.keys("1230<Tab><Shift+Tab>");
    assert_eq!(clerk.line(0).dangerous[0].shipping_name, "Methanol");
    clerk.keys("2014");
    let good = &clerk.line(0).dangerous[0];
    assert_eq!(
        (good.shipping_name.as_str(), good.class, good.packing_group),
        ("", None, None)
    );
    assert!(good.sub_classes.is_empty());
}

#[test]
fn class_and_group_are_typed_only_while_the_lookup_is_away() {
    let mut clerk = clerk();
    clerk.keys("2014");
    assert!(clerk.sees("Class") && clerk.sees("Packing group"));
    clerk.keys("<Tab>5.1<Tab>ii");
    let good = &clerk.line(0).dangerous[0];
    assert_eq!(
        (good.class, good.packing_group),
        (Some(DgClass::Oxidizing), Some(PackingGroup::II))
    );
    clerk.keys("<Shift+Tab*2>3500");
    assert!(!clerk.sees("Class"));
    assert!(clerk.sees("The service doesn't list UN 3500: check the number"));
}

#[test]
fn a_whole_good_is_typed_by_keyboard_in_the_order_of_the_form() {
    let mut clerk = clerk();
    let texts = ["1230", "bottle", "12", "6", "l", "2we"];
    clerk.fills(&texts).keys("11");
    let good = &clerk.line(0).dangerous[0];
    assert_eq!(good.container, Some(ContainerType::Bottle));
    assert_eq!(
        (good.containers.as_str(), good.amount.as_str(), good.litres),
        ("12", "6", true)
    );
    assert_eq!(
        (good.hazchem.as_str(), good.flash_point.as_str()),
        ("2WE", "11")
    );
    assert!(
        clerk
            .window
            .query_by_label_contains("12 in each of 3 cartons")
            .is_some()
    );
}

#[test]
fn a_stored_good_is_its_id_and_its_amount() {
    let mut clerk = clerk();
    clerk.clicks("Use saved DG");
    clerk.keys("77<Tab>2,5");
    let good = &clerk.line(0).dangerous[0];
    assert_eq!((good.stored.as_str(), good.amount.as_str()), ("77", "2,5"));
    assert!(!clerk.sees("UN number"));
    clerk.clicks("Enter all details");
    assert!(clerk.sees("UN number"));
}

#[test]
fn a_good_is_copied_to_other_lines() {
    let mut clerk = clerk();
    clerk.keys("1230");
    clerk.clicks("Copy to").clicks("All other lines (1)");
    assert_eq!(clerk.line(1).dangerous, clerk.line(0).dangerous);
}

#[test]
fn a_good_that_nothing_was_typed_into_is_none_once_escape_closes_the_form() {
    let mut clerk = clerk();
    clerk.keys("1230").clicks("Add DG item");
    assert_eq!(clerk.line(0).dangerous.len(), 2);
    clerk.keys("<Esc>");
    assert!(!clerk.sees("UN number"));
    assert_eq!(clerk.line(0).dangerous.len(), 1);
    assert_eq!(clerk.focus().as_deref(), Some("Line 1: Name"));
    clerk.keys("<Ctrl+Z>");
    assert!(
        !clerk.draft().has_dangerous_goods(),
        "nor once it is taken back"
    );
    clerk.keys("<Ctrl+Y>");
    assert_eq!(clerk.line(0).dangerous.len(), 1);
}

#[test]
fn a_line_that_is_duplicated_or_left_with_an_empty_form_holds_no_dangerous_goods() {
    let mut clerk = clerk();
    clerk.keys("<Ctrl+Shift+D>");
    assert_eq!(clerk.draft().goods.len(), 3);
    assert!(!clerk.draft().has_dangerous_goods());
    clerk.go_to_goods().keys("<Ctrl+D><Ctrl+N>");
    assert!(!clerk.draft().has_dangerous_goods());
}

#[test]
fn escape_in_the_list_of_actions_leaves_the_form_open() {
    let mut clerk = clerk();
    clerk.keys("1230<Ctrl+K><Esc>");
    assert!(clerk.sees("UN number"));
    clerk.keys("<Esc>");
    assert!(!clerk.sees("UN number"));
}

#[test]
fn an_entry_that_came_by_itself_is_taken_back_with_its_number() {
    let mut clerk = clerk();
    clerk.keys("1230<Tab>");
    assert_eq!(clerk.line(0).dangerous[0].shipping_name, "Methanol");
    let filled = clerk.draft().goods.clone();
    clerk.keys("<Ctrl+Z>");
    assert!(
        clerk
            .line(0)
            .dangerous
            .iter()
            .all(|good| good.shipping_name.is_empty()),
        "{:?}",
        clerk.line(0).dangerous
    );
    clerk.keys("<Ctrl+Y>");
    assert_eq!(clerk.draft().goods, filled);
}

#[test]
fn a_saved_item_may_hold_dangerous_goods_of_its_own() {
    let mut clerk = Clerk::at(Draft::default());
    clerk.go_to_goods().scans("HR-20").keys("<Ctrl+D>");
    clerk.clicks("The saved item already includes dangerous goods");
    clerk.keys("<Esc>");
    assert!(clerk.line(0).saved_item_has_dangerous_goods());
    assert!(clerk.draft().has_dangerous_goods());
    assert!(clerk.line(0).dangerous.is_empty());
}

#[test]
fn the_form_is_drawn_in_both_themes_and_small() {
    for (theme, size, word) in LOOKS {
        let mut draft = goods();
        draft.goods[0].dangerous.push(DgLine {
            un_number: "1993".to_owned(),
            container: Some(ContainerType::Bottle),
            containers: "12".to_owned(),
            amount: "12".to_owned(),
            litres: true,
            flash_point: "33".to_owned(),
            ..DgLine::default()
        });
        let mut clerk = Clerk::in_window(draft, size, theme);
        clerk.go_to_goods().keys("<Ctrl+D>");
        clerk.looks(
            &format!("goods-dangerous-{word}"),
            &["1993", "Flash point", "Add DG item"],
        );
        clerk.clicks("Add DG item").keys("1170");
        clerk.looks(&format!("goods-entries-{word}"), &["Ethanol solution"]);
    }
}
