//! Pictures of the editor's rarer states, in both themes and in a small window, for a person to look at.

use std::sync::Arc;

use app::state::Editing;
use draft::{AddressMode, CustomValueLine, Receiver};
use egui::Event;
use egui_kittest::Harness;

use crate::journeys::kit::picture_showing;
use crate::journeys::screens::{Desk, LOOKS, data, desk};
use crate::support::keyboard::{burst, type_keys};

fn each(
    name: &str,
    of: impl Fn() -> Editing,
    act: impl Fn(&mut Harness<'_, Desk>),
    texts: &[&str],
) {
    for (theme, size, word) in LOOKS {
        let mut shared = data::shared();
        shared.catalogue.receivers = Arc::new(vec![Receiver {
            name: "Tweed Valley Nursery".to_owned(),
            contact: "A. Silva".to_owned(),
            place: "Murwillumbah NSW 2484".to_owned(),
            ..Receiver::default()
        }]);
        let mut harness = desk(size, 1.0, theme, Desk::new(shared, of()));
        act(&mut harness);
        picture_showing(&mut harness, &format!("editor-{name}-{word}"), texts);
    }
}

#[test]
fn unfolded_options_are_drawn() {
    let filled = || {
        let mut editing = data::editing();
        let draft = &mut editing.draft;
        draft.custom_values.push(CustomValueLine {
            name: "AreDutiesPaidByRecipient".to_owned(),
            value: "true".to_owned(),
        });
        draft.goods[0].references = "SCX000001 SCX000002 ".to_owned();
        editing
    };
    each(
        "options",
        filled,
        |harness| type_keys(harness, "<Alt+R>"),
        &["References: 2 of 2", "AreDutiesPaidByRecipient"],
    );
}

#[test]
fn an_address_abroad_is_drawn() {
    let abroad = || {
        let mut editing = data::editing();
        let side = &mut editing.draft.to;
        "Fiji".clone_into(&mut side.country);
        "Suva".clone_into(&mut side.city);
        "Level 2".clone_into(&mut side.line2);
        editing
    };
    each("abroad", abroad, |_| {}, &["Suva", "Level 2"]);
}

#[test]
fn whom_the_bench_knows_is_drawn_as_it_is_looked_for() {
    let blank = || {
        let mut editing = Editing::default();
        editing.draft.to.mode = AddressMode::Saved;
        editing
    };
    each(
        "receivers",
        blank,
        |harness| {
            type_keys(harness, "<Alt+2>tweed");
        },
        &["Tweed Marine", "Tweed Valley Nursery"],
    );
}

#[test]
fn a_pasted_address_is_drawn() {
    let block = "Ballarat Farm & Garden\nAttn: J. Okafor\n8 Creswick Road\nBallarat Central VIC 3350\n\
        03 5550 0199\nRing before noon\n";
    each(
        "pasted",
        Editing::default,
        |harness| {
            type_keys(harness, "<Alt+2>");
            burst(harness, vec![Event::Paste(block.to_owned())]);
        },
        &["Receiver as pasted", "8 Creswick Road"],
    );
}
