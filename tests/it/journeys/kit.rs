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

/// A harness with the program's fonts, light style and input pacer.
pub(crate) fn bench<'a, S: 'a>(
    size: [f32; 2],
    state: S,
    draw: impl FnMut(&mut egui::Ui, &mut S) + 'a,
) -> Harness<'a, S> {
    bench_in(ThemePreference::Light, size, state, draw)
}

/// The same in this theme.
fn bench_in<'a, S: 'a>(
    choice: ThemePreference,
    size: [f32; 2],
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

/// Saves a picture on which each of these texts stands: as a widget's label or value, whole within the window.
#[track_caller]
pub(crate) fn picture_showing<S>(harness: &mut Harness<'_, S>, name: &str, texts: &[&str]) {
    use egui_kittest::kittest::{NodeT as _, Queryable as _};
    let window = harness.ctx.content_rect().expand(1.0);
    let seen: Vec<String> = harness
        .query_all_by(|_| true)
        .filter(|node| node.accesskit_node().raw_bounds().is_some())
        .filter(|node| window.contains_rect(node.rect()))
        .flat_map(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()]
        })
        .flatten()
        .collect();
    for text in texts {
        let is_seen = seen.iter().any(|seen| seen.contains(text));
        assert!(is_seen, "{name} does not show {text:?}, but {seen:?}");
    }
    picture(harness, name);
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
