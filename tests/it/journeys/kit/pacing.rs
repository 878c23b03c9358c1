//! Bursts of input: a whole barcode within one frame, as a scanner sends it.

use egui::ThemePreference;
use egui::{Event, ImeEvent, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use widgets::field::{Field, OnEnter};

use super::{bench, burst, chord, pressed, typed};

#[derive(Default)]
struct Form {
    first: String,
    second: String,
    scan: String,
    scanned: Vec<String>,
    held: Vec<(Modifiers, bool)>,
}

fn form() -> Harness<'static, Form> {
    let mut harness = bench(
        [400.0, 300.0],
        ThemePreference::Light,
        Form::default(),
        |ui, form: &mut Form| {
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
        },
    );
    harness.run();
    harness
}

fn focus(harness: &mut Harness<'_, Form>, tabs: usize) {
    for _ in 0..tabs {
        burst(harness, pressed(Key::Tab));
    }
}

fn fields<'a>(harness: &'a Harness<'_, Form>) -> (&'a str, &'a str) {
    (&harness.state().first, &harness.state().second)
}

#[test]
fn text_before_and_after_a_tab_in_one_frame_lands_in_two_fields() {
    let mut harness = form();
    focus(&mut harness, 1);
    burst(
        &mut harness,
        [typed("abc"), pressed(Key::Tab), typed("def")].concat(),
    );
    assert_eq!(fields(&harness), ("abc", "def"));
}

#[test]
fn text_after_going_back_lands_in_the_field_before() {
    let mut harness = form();
    focus(&mut harness, 2);
    burst(
        &mut harness,
        [
            typed("def"),
            chord(Modifiers::SHIFT, Key::Tab),
            typed("abc"),
        ]
        .concat(),
    );
    assert_eq!(fields(&harness), ("abc", "def"));
}

#[test]
fn enter_goes_on_to_the_next_field_without_losing_what_follows() {
    let mut harness = form();
    focus(&mut harness, 1);
    burst(
        &mut harness,
        [typed("so-48213"), pressed(Key::Enter), typed("dock 4")].concat(),
    );
    assert_eq!(fields(&harness), ("so-48213", "dock 4"));
}

#[test]
fn two_scans_in_one_frame_are_two_scans() {
    let mut harness = form();
    focus(&mut harness, 3);
    let scans = [
        typed("ms200431"),
        pressed(Key::Enter),
        typed("ms200430"),
        pressed(Key::Enter),
    ];
    burst(&mut harness, scans.concat());
    assert_eq!(harness.state().scanned, ["ms200431", "ms200430"]);
    assert_eq!(harness.state().scan, "");
}

#[test]
fn ten_scans_in_one_frame_keep_their_order() {
    let mut harness = form();
    focus(&mut harness, 3);
    let expected: Vec<String> = (0..10).map(|n| format!("pc{n}")).collect();
    let events = expected
        .iter()
        .flat_map(|scan| [typed(scan), pressed(Key::Enter)].concat());
    burst(&mut harness, events.collect::<Vec<_>>());
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
    burst(
        &mut harness,
        [
            vec![compose("ma"), compose("mao"), commit],
            pressed(Key::Tab),
            typed("x"),
        ]
        .concat(),
    );
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
