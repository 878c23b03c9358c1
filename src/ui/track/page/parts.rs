//! What every part of the page is made of: headings, facts with their names, and what can be copied.

use egui::{Label, Ui, vec2};

use crate::ui::kit::button::Button;
use crate::ui::kit::tokens::{Tone, palette, size};
use crate::ui::kit::{card, icons, text};

/// Room for the name of a fact.
const NAME: f32 = 76.0;

/// How long it is said that something was copied, in seconds.
const SAID_SECONDS: f64 = 3.0;

/// What was copied last, said for some seconds.
#[derive(Default)]
pub(in crate::ui::track) struct Copied(Option<(String, f64)>);

impl Copied {
    /// Copies, and says so.
    pub(in crate::ui::track) fn copy(&mut self, ui: &Ui, text: &str) {
        ui.ctx().copy_text(text.to_owned());
        let now = ui.input(|input| input.time);
        self.0 = Some((text.to_owned(), now));
        let until = std::time::Duration::from_secs_f64(SAID_SECONDS);
        ui.ctx().request_repaint_after(until);
    }

    /// What to say of it; nothing once that is some seconds ago.
    pub(in crate::ui::track) fn words(&self, ui: &Ui) -> Option<String> {
        let (text, at) = self.0.as_ref()?;
        let is_fresh = ui.input(|input| input.time) - at < SAID_SECONDS;
        is_fresh.then(|| format!("Copied {text}"))
    }
}

/// A heading after a line across.
pub(super) fn heading(ui: &mut Ui, words: &str) {
    ui.add_space(2.0);
    card::rule(ui);
    ui.label(text::strong(words));
}

/// A fact with its name; nothing where it is empty.
pub(super) fn fact(ui: &mut Ui, name: &str, value: &str) {
    toned(ui, name, value, Tone::Neutral);
}

/// The same, in the colour of what it means.
pub(super) fn toned(ui: &mut Ui, name: &str, value: &str, tone: Tone) {
    if value.is_empty() {
        return;
    }
    let p = palette(ui);
    let ink = if tone == Tone::Neutral {
        p.text
    } else {
        tone.ink(p)
    };
    named(ui, name, |ui| {
        let words = text::body(value).size(size::CELL).color(ink);
        ui.add(Label::new(words).wrap().selectable(true));
    });
}

/// A number that can be copied, with its name; nothing where it is empty.
pub(super) fn number(ui: &mut Ui, name: &str, value: &str, copied: &mut Copied) {
    if value.is_empty() {
        return;
    }
    named(ui, name, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let room = (ui.available_width() - size::BUTTON).max(40.0);
        ui.allocate_ui(vec2(room, size::LINE), |ui| {
            let words = Label::new(text::mono(value)).truncate().selectable(true);
            ui.add(words);
        });
        copy_button(ui, &format!("Copy {}", name.to_lowercase()), value, copied);
    });
}

/// A button that copies.
pub(super) fn copy_button(ui: &mut Ui, name: &str, value: &str, copied: &mut Copied) {
    let button = Button::icon_only(icons::ICON_CONTENT_COPY, name).small();
    if ui.add(button.passed_over()).clicked() {
        copied.copy(ui, value);
    }
}

fn named(ui: &mut Ui, name: &str, value: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        ui.allocate_ui(vec2(NAME, size::LINE), |ui| {
            ui.set_width(NAME);
            ui.add(Label::new(text::small(name).color(palette(ui).muted)).wrap());
        });
        value(ui);
    });
}

/// A line in the second colour.
pub(super) fn line(ui: &mut Ui, words: &str) {
    if !words.is_empty() {
        let words = text::body(words).size(size::CELL).color(palette(ui).muted);
        ui.add(Label::new(words).wrap().selectable(true));
    }
}
