//! The button that must be held down.

use egui::{Event, Key, KeyboardShortcut, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use widgets::hold_button::HoldButton;

use super::bench;
use crate::support::keyboard::{click, key_event, type_keys};

const WORDS: &str = "Hold to book 2 groups";

fn hold() -> Harness<'static, u32> {
    let shortcut = KeyboardShortcut::new(Modifiers::CTRL, Key::Enter);
    let mut harness = bench([400.0, 200.0], 0, move |ui, booked: &mut u32| {
        if HoldButton::new(WORDS).shortcut(shortcut).show(ui).completed {
            *booked += 1;
        }
    });
    harness.run();
    harness
}

#[test]
fn a_press_that_is_let_go_at_once_books_nothing() {
    let mut harness = hold();
    type_keys(&mut harness, "<Tab><Enter><Space>");
    click(&mut harness, WORDS);
    assert_eq!(*harness.state(), 0);
}

#[test]
fn one_hold_books_once_however_long_it_is() {
    let mut harness = hold();
    type_keys(&mut harness, "<Tab>");
    harness
        .input_mut()
        .events
        .push(key_event(Modifiers::NONE, Key::Enter, true));
    harness.run_steps(400);
    harness
        .input_mut()
        .events
        .push(key_event(Modifiers::NONE, Key::Enter, false));
    harness.run();
    assert_eq!(*harness.state(), 1);
}

#[test]
fn its_shortcut_can_be_held_from_anywhere() {
    let mut harness = hold();
    harness
        .input_mut()
        .events
        .push(Event::ModifiersChanged(Modifiers::CTRL));
    harness
        .input_mut()
        .events
        .push(key_event(Modifiers::CTRL, Key::Enter, true));
    harness.run_steps(200);
    assert_eq!(*harness.state(), 1);
}

#[test]
fn the_pointer_can_hold_it_too() {
    let mut harness = hold();
    let at = harness.get_by_label(WORDS).rect().center();
    harness.hover_at(at);
    harness.drag_at(at);
    harness.run_steps(200);
    harness.drop_at(at);
    harness.run();
    assert_eq!(*harness.state(), 1);
}
