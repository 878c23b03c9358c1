//! The notice bar: what happened, what to do about it, and the detail for whoever asks.
//!
//! It stays where it belongs until it is dealt with: nothing that went wrong vanishes by itself.

use egui::{Align, CornerRadius, Frame, Id, Label, Layout, Margin, Response, Stroke, Ui};

use super::button::Button;
use super::tokens::{Tone, palette, size};
use super::{Icon, icons, text};

/// Where there is less room, in points, buttons stand below the words.
const NARROW: f32 = 340.0;

/// A notice in its place.
#[derive(Debug, Clone)]
#[must_use = "call show"]
pub struct NoticeBar<'a> {
    tone: Tone,
    headline: &'a str,
    what_to_do: &'a str,
    detail: &'a str,
    action: Option<&'a str>,
    dismissable: bool,
}

/// What was pressed.
#[derive(Debug, Default)]
pub struct NoticeResponse {
    /// The action.
    pub acted: bool,
    /// The cross.
    pub dismissed: bool,
}

impl<'a> NoticeBar<'a> {
    /// A notice with its headline.
    pub fn new(tone: Tone, headline: &'a str) -> Self {
        Self {
            tone,
            headline,
            what_to_do: "",
            detail: "",
            action: None,
            dismissable: false,
        }
    }

    /// What to do about it; nothing for an empty text.
    pub fn what_to_do(mut self, text: &'a str) -> Self {
        self.what_to_do = text;
        self
    }

    /// What unfolds for whoever asks; nothing for an empty text.
    pub fn detail(mut self, text: &'a str) -> Self {
        self.detail = text;
        self
    }

    /// With a button.
    pub fn action(mut self, text: &'a str) -> Self {
        self.action = Some(text);
        self
    }

    /// With a cross.
    pub fn dismissable(mut self) -> Self {
        self.dismissable = true;
        self
    }

    /// Draws it as wide as there is room.
    pub fn show(self, ui: &mut Ui) -> NoticeResponse {
        let p = palette(ui);
        let ink = self.tone.ink(p);
        let unfold = ui.make_persistent_id(("notice", self.headline));
        let mut pressed = NoticeResponse::default();
        let shown = Frame::new()
            .fill(self.tone.weak(p))
            .stroke(Stroke::new(1.0, ink))
            .corner_radius(CornerRadius::same(size::BUTTON_RADIUS))
            .inner_margin(Margin::symmetric(12, 9))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing.y = 2.0;
                if ui.available_width() < NARROW && self.has_buttons() {
                    ui.horizontal_top(|ui| {
                        text::mark(ui, icon_of(self.tone), size::ICON, ink);
                        ui.vertical(|ui| self.words(ui, unfold));
                    });
                    ui.add_space(4.0);
                    ui.horizontal(|ui| self.buttons(ui, unfold, &mut pressed));
                    return;
                }
                ui.horizontal_top(|ui| {
                    text::mark(ui, icon_of(self.tone), size::ICON, ink);
                    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                        self.buttons(ui, unfold, &mut pressed);
                        ui.with_layout(Layout::top_down(Align::Min), |ui| self.words(ui, unfold));
                    });
                });
            });
        announce(ui, &shown.response, self.headline);
        pressed
    }

    /// More than the cross, which leaves room for words in any bar.
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

/// The shape that goes with a tone.
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

/// Has a screen reader read it without the focus going there.
pub(in crate::ui) fn announce(ui: &Ui, response: &Response, words: &str) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(egui::accesskit::Role::Status);
        node.set_live(egui::accesskit::Live::Polite);
        node.set_label(words);
    });
}
