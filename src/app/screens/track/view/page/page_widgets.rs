//! Widgets that the sections of the page share: headings, labelled values and copy buttons.

use egui::{Align, Align2, Label, Layout, Role, Sense, Ui, WidgetInfo, vec2};

use widgets::tokens::{Tone, palette, size};
use widgets::{card, icons, paint, text};

/// Width of a label, in points.
const NAME: f32 = 76.0;

/// Size of the copy icon, in points.
const COPY: f32 = 15.0;

/// How long the confirmation of a copy is shown, in seconds.
const CONFIRMATION_SECONDS: f64 = 3.0;

/// The text that was copied last, and when: shown as a confirmation for some seconds.
#[derive(Default)]
pub(in crate::screens::track::view) struct CopyConfirmation(Option<(String, f64)>);

impl CopyConfirmation {
    /// Copies the text and starts the confirmation.
    pub(in crate::screens::track::view) fn copy(&mut self, ui: &Ui, text: &str) {
        ui.ctx().copy_text(text.to_owned());
        let now = ui.input(|input| input.time);
        self.0 = Some((text.to_owned(), now));
        let until = std::time::Duration::from_secs_f64(CONFIRMATION_SECONDS);
        ui.ctx().request_repaint_after(until);
    }

    /// Returns the confirmation while it is shown.
    pub(in crate::screens::track::view) fn words(&self, ui: &Ui) -> Option<String> {
        let (text, at) = self.0.as_ref()?;
        let is_fresh = ui.input(|input| input.time) - at < CONFIRMATION_SECONDS;
        is_fresh.then(|| format!("Copied {text}"))
    }
}

/// Draws a rule and a heading.
pub(super) fn heading(ui: &mut Ui, words: &str) {
    rule(ui);
    ui.label(text::strong(words));
}

/// Draws a horizontal rule with space around it.
pub(super) fn rule(ui: &mut Ui) {
    ui.add_space(6.0);
    card::rule(ui);
    ui.add_space(3.0);
}

/// Draws labelled values, one below the other; nothing for an empty value.
pub(super) fn facts<T: AsRef<str>>(ui: &mut Ui, facts: &[(&str, T)]) {
    for (name, value) in facts {
        toned(ui, name, value.as_ref(), Tone::Neutral);
    }
}

/// Draws a labelled value in the colour of `tone`; nothing if the value is empty.
pub(super) fn toned(ui: &mut Ui, name: &str, value: &str, tone: Tone) {
    if value.is_empty() {
        return;
    }
    let p = palette(ui);
    let ink = match tone {
        Tone::Neutral => p.text,
        tone => tone.ink(p),
    };
    named(ui, name, |ui| {
        let words = text::body(value).size(size::CELL).color(ink);
        ui.add(Label::new(words).wrap().selectable(true));
    });
}

/// Draws a labelled number with a copy button; nothing if the number is empty.
pub(super) fn number(ui: &mut Ui, name: &str, value: &str, copied: &mut CopyConfirmation) {
    if value.is_empty() {
        return;
    }
    named(ui, name, |ui| {
        let name = format!("Copy {}", name.to_lowercase());
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.set_height(size::LINE);
            copy_button(ui, &name, value, copied);
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                let words = text::mono(value).line_height(Some(size::LINE));
                ui.add(Label::new(words).truncate().selectable(true));
            });
        });
    });
}

/// Draws a button that copies `value`.
pub(super) fn copy_button(ui: &mut Ui, name: &str, value: &str, copied: &mut CopyConfirmation) {
    let p = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(size::LINE, size::LINE), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    let ink = if response.hovered() { p.text } else { p.muted };
    let icon = paint::icon(ui, icons::ICON_CONTENT_COPY, COPY, ink);
    paint::text_at(ui.painter(), Align2::CENTER_CENTER, rect.center(), icon);
    if response.on_hover_text(name).clicked() {
        copied.copy(ui, value);
    }
}

fn named(ui: &mut Ui, name: &str, value: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        ui.allocate_ui(vec2(NAME, size::LINE), |ui| {
            ui.set_width(NAME);
            // The label is as high as a line of the value, so that their baselines match.
            let words = text::small(name).line_height(Some(size::LINE));
            ui.add(Label::new(words.color(palette(ui).muted)).truncate());
        });
        value(ui);
    });
}

/// Draws a line of muted text.
pub(super) fn line(ui: &mut Ui, words: &str) {
    if !words.is_empty() {
        let words = text::body(words).size(size::CELL).color(palette(ui).muted);
        ui.add(Label::new(words).wrap().selectable(true));
    }
}
