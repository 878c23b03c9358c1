//! Bursts of input: a whole barcode within one frame, as a scanner sends it.

use egui::{Event, ImeEvent, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use widgets::field::{Field, OnEnter};

use super::bench;
use crate::support::keyboard::{burst, chord, keys, type_at_once, type_keys, typed};

#[derive(Default)]
struct Form {
    first: String,
    second: String,
    scan: String,
    scanned: Vec<String>,
    held: Vec<(Modifiers, bool)>,
}

fn form() -> Harness<'static, Form> {
    let mut harness = bench([400.0, 300.0], Form::default(), |ui, form: &mut Form| {
        Field::new("First", &mut form.first).show(ui);
        Field::new("Second", &mut form.second).show(ui);
        let scan = Field::new("Scan", &mut form.scan)
            .on_enter(OnEnter::Stay)
            .show(ui);
        if scan.entered {
            form.scanned.push(std::mem::take(&mut form.scan));
        }
        let state = ui.input(|input| (input.modifiers, input.key_down(Key::K)));
        if form.held.last() != Some(&state) {
            form.held.push(state);
        }
    });
    harness.run();
    harness
}

fn focus(harness: &mut Harness<'_, Form>, tabs: usize) {
    for _ in 0..tabs {
        type_keys(harness, "<Tab>");
    }
}

fn fields<'a>(harness: &'a Harness<'_, Form>) -> (&'a str, &'a str) {
    (&harness.state().first, &harness.state().second)
}

#[test]
fn what_follows_a_key_in_the_same_frame_lands_where_the_key_leads() {
    for (case, tabs, typed, expected) in [
        ("Tab goes on", 1, "abc<Tab>def", ("abc", "def")),
        (
            "Shift+Tab goes back",
            2,
            "def<Shift+Tab>abc",
            ("abc", "def"),
        ),
        (
            "Enter goes on",
            1,
            "so-48213<Enter>dock 4",
            ("so-48213", "dock 4"),
        ),
    ] {
        let mut harness = form();
        focus(&mut harness, tabs);
        type_at_once(&mut harness, typed);
        assert_eq!(fields(&harness), expected, "{case}");
    }
}

#[test]
fn two_scans_in_one_frame_are_two_scans() {
    let mut harness = form();
    focus(&mut harness, 3);
    type_at_once(&mut harness, "ms200431<Enter>ms200430<Enter>");
    assert_eq!(harness.state().scanned, ["ms200431", "ms200430"]);
    assert_eq!(harness.state().scan, "");
}

#[test]
fn ten_scans_in_one_frame_keep_their_order() {
    let mut harness = form();
    focus(&mut harness, 3);
    let expected: Vec<String> = (0..10).map(|n| format!("pc{n}")).collect();
    type_at_once(&mut harness, &(expected.join("<Enter>") + "<Enter>"));
    assert_eq!(harness.state().scanned, expected);
}

#[test]
fn modifiers_and_key_ups_stay_in_step_with_the_keys() {
    let mut harness = form();
    focus(&mut harness, 1);
    burst(
        &mut harness,
        [typed("a"), chord(Modifiers::CTRL, Key::K), typed("b")].concat(),
    );
    let state = harness.state();
    assert_eq!(state.first, "ab");
    let (last_modifiers, last_down) = *state.held.last().expect("a frame was drawn");
    let together = state
        .held
        .iter()
        .any(|(modifiers, down)| modifiers.ctrl && *down);
    assert!(together, "Ctrl and K were never seen together");
    assert!(
        last_modifiers.is_none() && !last_down,
        "something is still held"
    );
}

#[test]
fn an_input_method_commits_into_the_field_that_it_was_begun_in() {
    let mut harness = form();
    focus(&mut harness, 1);
    let compose = |text: &str| {
        Event::Ime(ImeEvent::Preedit {
            text: text.to_owned(),
            active_range_chars: None,
        })
    };
    let commit = Event::Ime(ImeEvent::Commit("māo".to_owned()));
    let composed = vec![compose("ma"), compose("mao"), commit];
    burst(&mut harness, [composed, keys("<Tab>x")].concat());
    assert_eq!(fields(&harness), ("māo", "x"));
}

#[test]
fn a_click_between_two_texts_divides_them() {
    let mut harness = form();
    focus(&mut harness, 1);
    let pos = harness.get_by_label("Second").rect().center();
    let button = egui::PointerButton::Primary;
    let click = |pressed| Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let clicked = vec![Event::PointerMoved(pos), click(true), click(false)];
    burst(&mut harness, [typed("abc"), clicked, typed("def")].concat());
    assert_eq!(fields(&harness), ("abc", "def"));
}
