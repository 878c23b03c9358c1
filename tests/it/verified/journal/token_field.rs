//! G. A typed token is only in the field's own text, which is wiped, and in nothing that egui keeps.

use draft::Secret;
use egui::text::CCursorRange;
use egui::{Context, Event, Id, Key, Modifiers, TextEdit};
use egui_kittest::Harness;
use secrecy::ExposeSecret as _;
use widgets::field::Field;

use crate::journeys::kit::bench;
use crate::support::desk::Home;
use crate::support::front::Front;

const TOKEN: &str = "7f3a-9c21-token";

fn field() -> Id {
    Id::unique("a token")
}

fn window() -> Harness<'static, Secret> {
    let draw = |ui: &mut egui::Ui, secret: &mut Secret| {
        let field = Field::new("Token", secret.text_mut()).id(field());
        field.password().show(ui);
    };
    let mut window = bench([400.0, 100.0], Secret::default(), draw);
    window.run_steps(2);
    window
        .ctx
        .memory_mut(|memory| memory.request_focus(field()));
    window.run_steps(2);
    window
}

/// What this frame's input still holds of text.
fn input(context: &Context) -> Vec<String> {
    context.input(|input| {
        let events = input.events.iter().chain(&input.raw.events);
        let texts = events.filter_map(|event| match event {
            Event::Text(text) | Event::Paste(text) => Some(text.clone()),
            _ => None,
        });
        texts.filter(|text| !text.is_empty()).collect()
    })
}

/// All that can be undone in the field.
fn undo(context: &Context) -> Vec<String> {
    let state = TextEdit::load_state(context, field()).expect("it was drawn");
    let mut undoer = state.undoer();
    let mut now = (CCursorRange::default(), "?".to_owned());
    let mut texts = Vec::new();
    while let Some(before) = undoer.undo(&now).cloned() {
        texts.push(before.1.clone());
        now = before;
    }
    texts
}

fn given(window: &Harness<'_, Secret>) -> String {
    let given = window.state().to_secret_string();
    given.map_or_else(String::new, |given| given.expose_secret().to_owned())
}

#[test]
fn g_what_is_pasted_as_a_token_is_in_no_input_and_no_undo_state() {
    let mut window = window();
    window.event(Event::Paste(TOKEN.to_owned()));
    window.step();
    assert_eq!(given(&window), TOKEN);
    assert_eq!(input(&window.ctx), Vec::<String>::new());
    window.event(Event::Text("x".to_owned()));
    window.step();
    assert_eq!(given(&window), format!("{TOKEN}x"));
    assert_eq!(input(&window.ctx), Vec::<String>::new());
    window.run_steps(20);
    for text in undo(&window.ctx) {
        assert!(text.chars().all(|letter| letter == '•'), "{text:?}");
    }
}

#[test]
fn g_a_token_is_edited_as_any_text_and_undo_leaves_it_alone() {
    let mut window = window();
    window.event(Event::Paste("abé-def".to_owned()));
    window.step();
    for _ in 0..4 {
        window.key_press(Key::ArrowLeft);
        window.step();
    }
    window.key_press(Key::Backspace);
    window.step();
    assert_eq!(given(&window), "ab-def");
    window.event(Event::Text("c".to_owned()));
    window.step();
    assert_eq!(given(&window), "abc-def");
    for key in [Key::Z, Key::Y] {
        window.key_press_modifiers(Modifiers::COMMAND, key);
        window.step();
        assert_eq!(given(&window), "abc-def");
    }
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.step();
    window.event(Event::Paste(TOKEN.to_owned()));
    window.step();
    assert_eq!(given(&window), TOKEN);
}

#[test]
fn g_the_token_of_a_new_connection_is_wiped_from_the_frame_that_brought_it() {
    let (home, practice) = Home::with_practice();
    let mut front = Front::start(&home, &practice);
    // To the connection's form, and there to its token.
    front.keys("<Tab><Enter>Depot<Tab><Space><Tab*2>");
    front.text(&practice.base_url());
    front.keys("<Tab>");
    let window = front.widgets();
    window.event(Event::Paste(practice.token().to_owned()));
    window.step();
    assert_eq!(input(&window.ctx), Vec::<String>::new());
    front.test_and_open("Depot");
    let tried = front.shared().settings.connection_test.value();
    assert!(tried.is_none_or(|tried| !tried.draft.has_secrets()));
}
