//! Goods lines: scanned, saved items and text typed over them, moving and undo, and very long lists.

use app::state::{Command, ConsignCommand};
use draft::{Draft, GoodsLine, ItemSource};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::goods_desk::{Clerk, line, with};
use crate::journeys::screens::LOOKS;
use crate::support::keyboard::click_containing;

#[test]
fn a_scan_adds_a_line_and_scans_of_the_same_count_it_up() {
    let mut clerk = Clerk::at(Draft::default());
    clerk
        .go_to_goods()
        .scans("hr-20")
        .scans("HR-20")
        .scans("PM-40");
    let held: Vec<_> = clerk
        .draft()
        .goods
        .iter()
        .map(|line| (line.source, line.sku.as_str(), line.quantity.as_str()))
        .collect();
    assert_eq!(
        held,
        [
            (ItemSource::Sku, "HR-20", "2"),
            (ItemSource::Sku, "PM-40", "1")
        ]
    );
}

#[test]
fn a_scan_counts_up_a_typed_line_whichever_cell_it_lands_in() {
    let mut clerk = Clerk::at(with(vec![line("Widgets", "W-1234", "2", "9")]));
    // Type, name, SKU, quantity and kg: what stood there stands there still.
    clerk.go_to_goods().keys("<Tab*3>").scans("W-1234");
    assert_eq!(clerk.line(0).quantity, "3");
    assert_eq!(clerk.line(0).weight, "9");
    clerk.keys("<Shift+Tab>").scans("W-1234");
    assert_eq!(clerk.line(0).quantity, "4");
    assert_eq!(clerk.draft().goods.len(), 1);
}

#[test]
fn a_scan_of_nothing_known_says_so_and_changes_nothing() {
    let mut clerk = Clerk::at(with(vec![line("Widgets", "W-1", "2", "9")]));
    clerk.go_to_goods().keys("<Tab*2>").scans("ZZ-9999");
    assert_eq!(*clerk.line(0), line("Widgets", "W-1", "2", "9"));
    let unknown = ConsignCommand::UnknownScan("ZZ-9999".to_owned());
    assert_eq!(clerk.window.state().asked, [Command::Consign(unknown)]);
}

#[test]
fn a_scan_that_cannot_be_counted_says_so() {
    let mut clerk = Clerk::at(with(vec![line("Widgets", "W-1234", "some", "9")]));
    clerk.go_to_goods().keys("<Tab>").scans("W-1234");
    let uncounted = ConsignCommand::UncountedScan("W-1234".to_owned(), 0);
    assert_eq!(clerk.window.state().asked, [Command::Consign(uncounted)]);
    assert_eq!(clerk.line(0).quantity, "some");
    clerk.window.state_mut().shared.consign.not_counted = Some(("W-1234".to_owned(), 0));
    clerk.window.run();
    assert!(clerk.sees("Seen"));
}

#[test]
fn a_send_without_prices_leads_to_where_a_route_is_chosen() {
    let mut draft = Draft::default();
    crate::support::desk::fill(&mut draft, "SO-1");
    draft.from = draft.to.clone();
    draft.company = Some(shipping::CompanyId::new(1));
    draft.routing = draft::Routing::Unchosen;
    let mut clerk = Clerk::at(draft);
    clerk.go_to_goods().keys("<Ctrl+Enter>");
    assert_eq!(clerk.focus().as_deref(), Some("Cheapest"));
}

#[test]
fn what_a_person_types_is_no_scan() {
    let mut clerk = Clerk::at(Draft::default());
    clerk.go_to_goods().keys("HR-20<Enter>");
    assert_eq!(clerk.line(0).name, "HR-20");
    assert_eq!(clerk.line(0).source, ItemSource::Direct);
}

#[test]
fn a_quantity_in_one_go_is_no_scan() {
    for typed in ["12.5", "117"] {
        let mut clerk = Clerk::at(Draft::default());
        clerk.go_to_goods().scans(typed);
        assert_eq!(clerk.line(0).name, typed);
    }
}

#[test]
fn a_known_sku_that_is_typed_makes_the_line_a_saved_item() {
    let mut clerk = Clerk::at(Draft::default());
    clerk.go_to_goods().keys("<Tab>pm-40<Tab>");
    let saved = clerk.line(0);
    assert_eq!(saved.source, ItemSource::Sku);
    assert_eq!(saved.sku, "PM-40");
    assert_eq!(saved.kind(), "Pallet");
    assert_eq!((saved.weight.as_str(), saved.item_type.as_str()), ("", ""));
}

#[test]
fn an_override_is_marked_and_taken_back() {
    let mut clerk = Clerk::at(Draft::default());
    clerk.go_to_goods().keys("<Tab>hr-20<Tab>");
    clerk.keys("3<Tab>14,5");
    assert!(clerk.sees("Line 1: Each kg, overrides 12 kg"));
    assert!(clerk.sees("Line 1: 2 saved values overridden"));
    clerk.keys("<Ctrl+Z>");
    assert!(clerk.sees("Line 1: Each kg"));
    assert_eq!(clerk.line(0).weight, "");
    assert_eq!(clerk.line(0).quantity, "3");
    clerk.keys("<Ctrl+Y>");
    assert_eq!(clerk.line(0).weight, "14,5");
    clerk
        .clicks("More for line 1")
        .clicks("Restore the saved values");
    let line = clerk.line(0);
    assert_eq!([&*line.weight, &*line.quantity], ["", ""]);
}

#[test]
fn a_sku_that_nobody_knows_is_the_lines_own_or_the_services_by_one_key() {
    let mut clerk = Clerk::at(Draft::default());
    clerk.go_to_goods().keys("<Tab>new-1<Tab>");
    assert_eq!(clerk.line(0).source, ItemSource::Direct);
    assert!(clerk.sees("Saved item at the service"));
    clerk.keys("<Ctrl+B>");
    assert_eq!(clerk.line(0).source, ItemSource::Sku);
    assert_eq!(clerk.line(0).item_type, "");
    assert!(!clerk.sees("Saved item at the service"));
    clerk.keys("<Ctrl+B>");
    assert_eq!(clerk.line(0).source, ItemSource::Direct);
    let line = clerk.line(0);
    assert_eq!([&*line.item_type, &*line.quantity], ["Carton", "1"]);
}

#[test]
fn a_saved_item_is_named_by_its_id_through_the_menu() {
    let mut clerk = Clerk::at(Draft::default());
    clerk
        .clicks("More for line 1")
        .clicks("Saved item by its id");
    clerk.keys("502<Tab>");
    let saved = clerk.line(0);
    assert_eq!(
        (saved.source, saved.item_id.as_str()),
        (ItemSource::Sku, "502")
    );
    assert_eq!(saved.kind(), "Pallet");
}

#[test]
fn lines_are_duplicated_moved_and_all_of_it_is_taken_back() {
    let first = with(vec![line("One", "", "1", "5"), line("Two", "", "2", "6")]);
    let mut clerk = Clerk::at(first.clone());
    clerk.go_to_goods().keys("<Ctrl+Shift+D>");
    clerk.keys("<Alt+Down>");
    let names = |clerk: &Clerk| -> Vec<String> {
        clerk
            .draft()
            .goods
            .iter()
            .map(|line| line.name.clone())
            .collect()
    };
    assert_eq!(names(&clerk), ["One", "Two", "One"]);
    clerk.keys("Three");
    assert_eq!(names(&clerk), ["One", "Two", "Three"]);
    clerk.keys("<Ctrl+Shift+L>");
    assert_eq!(names(&clerk), ["One", "Two"]);
    for wanted in [
        vec!["One", "Two", "Three"],
        vec!["One", "Two", "One"],
        vec!["One", "One", "Two"],
        vec!["One", "Two"],
    ] {
        clerk.keys("<Ctrl+Z>");
        assert_eq!(names(&clerk), wanted);
    }
    clerk.keys("<Ctrl+Y>");
    assert_eq!(names(&clerk), ["One", "One", "Two"]);
}

#[test]
fn a_line_that_moves_takes_its_problems_along() {
    let lines = vec![line("One", "", "1", ""), line("Two", "", "2", "6")];
    let mut clerk = Clerk::at(with(lines));
    clerk.window.get_by_label("Line 1: Each kg").focus();
    clerk.window.run();
    clerk.keys("<Tab>");
    assert!(clerk.sees("Line 1, kg: Enter the weight of one in kg"));
    clerk.go_to_goods().keys("<Alt+Down>");
    assert_eq!(clerk.line(1).name, "One");
    assert!(clerk.sees("Line 2, kg: Enter the weight of one in kg"));
    assert!(!clerk.sees("Line 1, kg: Enter the weight of one in kg"));
}

#[test]
fn text_outside_the_goods_keeps_its_own_undo() {
    let mut clerk = Clerk::at(with(vec![line("One", "", "1", "5")]));
    clerk.go_to_goods().keys("Changed");
    clerk.keys("<Alt+2>aroha<Ctrl+Z>");
    assert_eq!(clerk.line(0).name, "Changed");
}

fn many() -> Draft {
    let lines = (1..=200).map(|at| line(&format!("Item {at}"), &format!("IT-{at:04}"), "1", "5"));
    let mut draft = with(lines.collect());
    draft.goods[149].weight.clear();
    draft
}

#[test]
fn tab_goes_on_through_lines_that_were_never_in_sight() {
    let mut clerk = Clerk::at(many());
    click_containing(&mut clerk.window, "Line 150, kg");
    for (modifiers, ends) in [(Modifiers::NONE, 158), (Modifiers::SHIFT, 146)] {
        let mut reached = Vec::new();
        while reached.last() != Some(&ends) {
            assert!(reached.len() < 200, "Tab got stuck: {reached:?}");
            clerk.window.key_press_modifiers(modifiers, Key::Tab);
            clerk.window.step();
            clerk.window.step();
            let focus = clerk.focus().expect("something has the focus");
            let number: String = focus.chars().filter(char::is_ascii_digit).collect();
            reached.push(number.parse::<i32>().expect("a line's number"));
        }
        let steps = reached.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(steps.max() <= Some(1), "{reached:?}");
    }
}

#[test]
fn a_problem_out_of_sight_is_scrolled_to() {
    let mut clerk = Clerk::at(many());
    clerk.window.state_mut().editing.show_all = true;
    clerk.window.run();
    assert!(!clerk.sees("Line 150: Each kg"));
    click_containing(&mut clerk.window, "Line 150, kg");
    assert_eq!(clerk.focus().as_deref(), Some("Line 150: Each kg"));
    clerk.keys("7");
    assert_eq!(clerk.line(149).weight, "7");
    let rect = clerk.window.get_by_label("Line 150: Each kg").rect();
    assert!(rect.top() > 0.0 && rect.bottom() < 900.0, "{rect:?}");
}

#[test]
fn a_saved_items_line_is_drawn_in_both_themes_and_small() {
    for (theme, size, word) in LOOKS {
        let goods = vec![
            line("Drip irrigation kit", "DR-7", "2", "7.5"),
            GoodsLine::default(),
            GoodsLine::default(),
        ];
        let mut clerk = Clerk::in_window(with(goods), size, theme);
        clerk
            .go_to_goods()
            .scans("PM-40")
            .scans("HR-20")
            .scans("HR-20");
        clerk.go_to_goods().keys("<Tab>");
        clerk.keys("<Ctrl+L><Tab*2>hr");
        clerk.looks(&format!("goods-offer-{word}"), &["HR-20", "HR-50"]);
        clerk.keys("x-9<Tab>");
        clerk.window.state_mut().editing.draft.goods[1].weight = "431".to_owned();
        clerk.window.run();
        clerk.looks(
            &format!("goods-saved-{word}"),
            &["Line 2: Each kg, overrides 12 kg"],
        );
        clerk.clicks("More for line 2");
        clerk.looks(&format!("goods-menu-{word}"), &["Restore the saved values"]);
    }
}
