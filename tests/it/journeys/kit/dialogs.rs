//! Dialogs and the command palette.

use egui_kittest::kittest::Queryable as _;
use widgets::button::Button;
use widgets::command_palette::{self, PaletteEntry};
use widgets::field::Field;
use widgets::icons;
use widgets::modal::Modal;

use super::{Role, bench};
use crate::support::keyboard::{type_at_once, type_keys};

#[derive(Default)]
struct State {
    behind: String,
    inside: String,
    open: bool,
    palette: command_palette::PaletteState,
    picked: Option<usize>,
}

#[test]
fn a_dialog_takes_the_focus_and_gives_it_back() {
    let mut harness = bench([600.0, 400.0], State::default(), |ui, state: &mut State| {
        Field::new("Behind", &mut state.behind).show(ui);
        let inside = &mut state.inside;
        Modal::new("ask", "Cancel MS200431").show(ui, &mut state.open, |ui, _| {
            Field::new("Reason", inside).show(ui);
        });
    });
    harness.run();
    type_keys(&mut harness, "<Tab>");
    harness.state_mut().open = true;
    harness.run();
    type_keys(&mut harness, "why");
    assert_eq!(
        (
            harness.state().behind.as_str(),
            harness.state().inside.as_str()
        ),
        ("", "why")
    );
    type_at_once(&mut harness, "<Esc>back");
    assert!(!harness.state().open, "Escape leaves it open");
    assert_eq!(
        (
            harness.state().behind.as_str(),
            harness.state().inside.as_str()
        ),
        ("back", "why")
    );
}

#[test]
fn the_key_that_opens_a_dialog_answers_nothing_in_it_however_often_it_is_opened() {
    let mut harness = bench([600.0, 400.0], State::default(), |ui, state: &mut State| {
        if ui.add(Button::new("Remove…")).clicked() {
            state.open = true;
        }
        let inside = &mut state.inside;
        Modal::new("ask", "Remove it?").show(ui, &mut state.open, |ui, open| {
            if ui.add(Button::new("Yes")).clicked() {
                inside.push('y');
                *open = false;
            }
        });
    });
    harness.run();
    type_keys(&mut harness, "<Tab>");
    for times in 1..=3 {
        type_keys(&mut harness, "<Enter>");
        assert!(harness.state().open, "time {times}: Enter answered at once");
        type_keys(&mut harness, "<Enter>");
        assert!(!harness.state().open);
        assert_eq!(harness.state().inside.len(), times);
    }
}

pub(super) const ENTRIES: [PaletteEntry<'static>; 3] = [
    PaletteEntry {
        name: "Consign",
        icon: icons::ICON_EDIT_SQUARE,
        key: "F2",
        tooltip: "Enter a consignment",
    },
    PaletteEntry {
        name: "Book groups",
        icon: icons::ICON_LOCAL_SHIPPING,
        key: "Ctrl ↵",
        tooltip: "Hand over to the carrier",
    },
    PaletteEntry {
        name: "Print labels",
        icon: icons::ICON_PRINT,
        key: "Ctrl P",
        tooltip: "Send to the label printer",
    },
];

#[test]
fn the_palette_finds_an_action_by_a_part_of_its_name_and_does_it_on_enter() {
    let mut harness = bench([800.0, 500.0], State::default(), |ui, state: &mut State| {
        if let Some(picked) =
            command_palette::show(ui, &mut state.open, &mut state.palette, &ENTRIES)
        {
            state.picked = Some(picked);
        }
    });
    harness.state_mut().open = true;
    harness.run();
    assert_eq!(harness.get_all_by_role(Role::ListBoxOption).count(), 3);
    type_at_once(&mut harness, "carrier<Enter>");
    assert_eq!(harness.state().picked, Some(1));
    assert!(!harness.state().open);
    harness.state_mut().open = true;
    harness.run();
    type_at_once(&mut harness, "<Down*2><Enter>");
    assert_eq!(
        harness.state().picked,
        Some(2),
        "the query of last time is forgotten, the arrows mark"
    );
}
