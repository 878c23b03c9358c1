//! The widgets by themselves: how each behaves, and pictures of all of them in both themes.

mod contrast;
mod dialogs;
mod fields;
mod gallery;
mod holding;
mod idle;
mod pacing;
mod tables;
mod type_ahead;

use egui::ThemePreference;
pub(crate) use egui::accesskit::Role;
use egui_kittest::{Harness, HarnessBuilder};
use widgets::pacer::Pacer;
use widgets::theme;

/// A harness with the program's fonts, style and input pacer.
pub(crate) fn bench<'a, S: 'a>(
    size: [f32; 2],
    choice: ThemePreference,
    state: S,
    mut draw: impl FnMut(&mut egui::Ui, &mut S) + 'a,
) -> Harness<'a, S> {
    let mut ready = false;
    HarnessBuilder::default()
        .with_size(size)
        .with_max_steps(60)
        .build_ui_state(
            move |ui, state| {
                if !ready {
                    theme::install(ui.ctx(), choice);
                    ui.ctx().add_plugin(Pacer::default());
                    ready = true;
                    // Fonts are there from the next frame on.
                    return;
                }
                draw(ui, state);
            },
            state,
        )
}

/// Saves a picture of the screen for a person to look at.
pub(crate) fn picture<S>(harness: &mut Harness<'_, S>, name: &str) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pictures");
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    let image = harness.render().expect("a renderer, be it in software");
    image
        .save(folder.join(format!("{name}.png")))
        .expect("the picture can be written");
}

/// What has the focus, as a screen reader says it.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself is not general enough for the query"
)]
pub(crate) fn focused<S>(window: &Harness<'_, S>) -> Option<String> {
    use egui_kittest::kittest::{NodeT as _, Queryable as _};
    let mut nodes = window.query_all_by(|node| node.is_focused());
    nodes.find_map(|node| node.accesskit_node().label())
}

/// Text as a keyboard or a scanner sends it: key down, text, key up, for each character.
pub(crate) fn typed(text: &str) -> Vec<egui::Event> {
    text.chars()
        .flat_map(|c| {
            let key = egui::Key::from_name(&c.to_uppercase().to_string());
            let down = key.map(|key| key_event(key, true));
            let up = key.map(|key| key_event(key, false));
            down.into_iter()
                .chain([egui::Event::Text(c.to_string())])
                .chain(up)
        })
        .collect()
}

/// A key press and its release.
pub(crate) fn pressed(key: egui::Key) -> Vec<egui::Event> {
    vec![key_event(key, true), key_event(key, false)]
}

/// A key with modifiers, as the window system sends them.
pub(crate) fn chord(modifiers: egui::Modifiers, key: egui::Key) -> Vec<egui::Event> {
    let event = |pressed| egui::Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers,
    };
    vec![
        egui::Event::ModifiersChanged(modifiers),
        event(true),
        event(false),
        egui::Event::ModifiersChanged(egui::Modifiers::NONE),
    ]
}

fn key_event(key: egui::Key, pressed: bool) -> egui::Event {
    egui::Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    }
}

/// Puts all of these events into one frame, as a burst arrives, and runs until nothing more is asked for.
pub(crate) fn burst<S>(
    harness: &mut Harness<'_, S>,
    events: impl IntoIterator<Item = egui::Event>,
) {
    harness.input_mut().events.extend(events);
    harness.run();
}
