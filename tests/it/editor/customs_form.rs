//! Customs data, typed beside the goods line.

use app::state::ThemeChoice;
use draft::{AddressMode, Draft};
use egui_kittest::kittest::Queryable as _;

use super::goods_desk::{Clerk, line, with};
use crate::journeys::screens::LOOKS;

fn export() -> Draft {
    let mut draft = with(vec![
        line("Hose reels", "HR-20", "2", "9"),
        line("Fittings", "FT-1", "1", "3"),
    ]);
    draft.to.mode = AddressMode::Full;
    draft.to.country = String::from("New Zealand");
    draft
}

fn fill(clerk: &mut Clerk) {
    let texts = ["Garden hose reels", "4", "240,50", "gift", "Australia"];
    clerk.fills(&texts).keys("3917.39");
}

#[test]
fn contents_are_typed_by_keyboard() {
    let mut clerk = Clerk::at(export());
    clerk.go_to_goods().keys("<Ctrl+I>");
    fill(&mut clerk);
    let contents = &clerk.line(0).contents[0];
    let typed = [
        &contents.description,
        &contents.quantity,
        &contents.value,
        &contents.purpose,
        &contents.country,
        &contents.harmonised_code,
    ];
    let wanted = [
        "Garden hose reels",
        "4",
        "240,50",
        "Gift",
        "Australia",
        "3917.39",
    ];
    assert!(
        typed
            .iter()
            .zip(wanted)
            .all(|(typed, wanted)| typed.eq_ignore_ascii_case(wanted)),
        "{typed:?}"
    );
    let totals = "4 units and 240.50 AUD in each of 2 items · 481.00 AUD in all lines";
    assert!(clerk.window.query_by_label(totals).is_some());
    clerk.keys("<Esc>");
    assert!(!clerk.sees("HS code"));
}

#[test]
fn contents_are_copied_from_the_line_above_and_to_all() {
    let mut clerk = Clerk::in_window(export(), [1440.0, 1300.0], ThemeChoice::Light);
    clerk.go_to_goods().keys("<Ctrl+I>");
    fill(&mut clerk);
    clerk
        .keys("<Esc>")
        .clicks("Customs for line 2")
        .clicks("Copy from line above");
    assert_eq!(clerk.line(1).contents, clerk.line(0).contents);
    clerk.keys("Brass fittings").clicks("Copy to all lines");
    assert_eq!(clerk.line(0).contents[0].description, "Brass fittings");
}

#[test]
fn contents_that_nothing_was_typed_into_are_none() {
    let mut clerk = Clerk::at(export());
    clerk.go_to_goods().keys("<Ctrl+I*2>");
    assert!(clerk.line(0).contents.is_empty());
}

#[test]
fn inside_the_country_customs_are_not_asked_for() {
    let clerk = Clerk::at(Draft::default());
    assert!(!clerk.sees("Customs for line 1"));
}

#[test]
fn the_form_is_drawn_in_both_themes_and_small() {
    for (theme, size, word) in LOOKS {
        let mut clerk = Clerk::in_window(export(), size, theme);
        clerk.go_to_goods().keys("<Ctrl+I>");
        fill(&mut clerk);
        clerk.clicks("References, marks, part number");
        clerk.looks(
            &format!("goods-customs-{word}"),
            &["HS code", "Country of origin", "Part number"],
        );
    }
}
