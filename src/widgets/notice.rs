//! The notice bar: what happened, what to do about it, and details that can be unfolded.
//!
//! A notice never disappears automatically; it stays until the clerk has dealt with it.

use egui::{Align, Id, Label, Layout, Margin, Response, Ui};

use super::button::Button;
use super::tokens::{Tone, palette, size};
use super::{Icon, icons, paint, text};

/// Width in points below which the buttons move below the text.
const NARROW: f32 = 340.0;

/// A notice with a headline, and optional advice, details and buttons.
#[derive(Debug, Clone, Default)]
#[must_use = "call show"]
pub struct NoticeBar<'a> {
    tone: Tone,
    headline: &'a str,
    what_to_do: &'a str,
    detail: &'a str,
    action: Option<&'a str>,
    dismissable: bool,
}

#[derive(Debug, Default)]
pub struct NoticeResponse {
    pub acted: bool,
    pub dismissed: bool,
}

impl<'a> NoticeBar<'a> {
    pub fn new(tone: Tone, headline: &'a str) -> Self {
        Self {
            tone,
            headline,
            ..Self::default()
        }
    }

    setters! {
        /// Sets the advice below the headline; an empty text adds none.
        pub fn what_to_do(self, text: &'a str) { self.what_to_do = text }
        /// Sets the details that a button unfolds; an empty text adds none.
        pub fn detail(self, text: &'a str) { self.detail = text }
        pub fn action(self, text: &'a str) { self.action = Some(text) }
        pub fn dismissable(self) { self.dismissable = true }
    }

    /// Draws the notice as wide as the available space.
    pub fn show(self, ui: &mut Ui) -> NoticeResponse {
        let p = palette(ui);
        let ink = self.tone.ink(p);
        let unfold = ui.make_persistent_id(("notice", self.headline));
        let mut pressed = NoticeResponse::default();
        let shown = paint::frame(self.tone.weak(p), ink, size::BUTTON_RADIUS)
            .inner_margin(Margin::symmetric(12, 9))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing.y = 2.0;
                if ui.available_width() < NARROW && self.has_buttons() {
                    ui.horizontal_top(|ui| {
                        text::decorative_icon(ui, icon_of(self.tone), size::ICON, ink);
                        ui.vertical(|ui| self.words(ui, unfold));
                    });
                    ui.add_space(4.0);
                    ui.horizontal(|ui| self.buttons(ui, unfold, &mut pressed));
                    return;
                }
                ui.horizontal_top(|ui| {
                    text::decorative_icon(ui, icon_of(self.tone), size::ICON, ink);
                    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                        self.buttons(ui, unfold, &mut pressed);
                        ui.with_layout(Layout::top_down(Align::Min), |ui| self.words(ui, unfold));
                    });
                });
            });
        announce(ui, &shown.response, self.headline);
        pressed
    }

    /// Returns whether there are buttons other than the close button, which is small enough for any width.
    const fn has_buttons(&self) -> bool {
        self.action.is_some() || !self.detail.is_empty()
    }

    fn buttons(&self, ui: &mut Ui, unfold: Id, pressed: &mut NoticeResponse) {
        if self.dismissable {
            pressed.dismissed = ui
                .add(Button::icon_only(icons::ICON_CLOSE, "Dismiss").small())
                .clicked();
        }
        if let Some(action) = self.action {
            pressed.acted = ui.add(Button::new(action).small()).clicked();
        }
        if !self.detail.is_empty() {
            let open = is_unfolded(ui, unfold);
            let word = if open { "Less" } else { "Detail" };
            if ui.add(Button::quiet(word).small()).clicked() {
                ui.data_mut(|data| data.insert_temp(unfold, !open));
            }
        }
    }

    fn words(&self, ui: &mut Ui, unfold: Id) {
        let p = palette(ui);
        ui.add(Label::new(text::strong(self.headline).color(self.tone.ink(p))).wrap());
        if !self.what_to_do.is_empty() {
            ui.add(Label::new(text::body(self.what_to_do).color(p.text)).wrap());
        }
        if !self.detail.is_empty() && is_unfolded(ui, unfold) {
            let detail = text::mono(self.detail).size(size::SMALL).color(p.text);
            ui.add(Label::new(detail).wrap().selectable(true));
        }
    }
}

/// Returns the icon that goes with a tone.
pub fn icon_of(tone: Tone) -> Icon {
    match tone {
        Tone::Ok => icons::ICON_CHECK_CIRCLE,
        Tone::Warning => icons::ICON_WARNING,
        Tone::Bad => icons::ICON_ERROR,
        Tone::Unknown => icons::ICON_HELP,
        Tone::Neutral | Tone::Accent => icons::ICON_INFO,
    }
}

fn is_unfolded(ui: &Ui, id: Id) -> bool {
    ui.data(|data| data.get_temp(id)).unwrap_or(false)
}

/// Makes screen readers read `words` without a change of the focus.
pub fn announce(ui: &Ui, response: &Response, words: &str) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(egui::accesskit::Role::Status);
        node.set_live(egui::accesskit::Live::Polite);
        node.set_label(words);
    });
}
