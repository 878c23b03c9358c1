//! A button that must be held down, for actions that can't be undone.
//!
//! The clerk holds the button with the pointer, with Space or Enter while the button has the focus, or with its
//! shortcut wherever the focus is. A release before the end does nothing, and one hold counts once. Repaints are
//! requested only during a hold.

use egui::{Key, KeyboardShortcut, Response, Sense, Ui};

use super::button::Button;
use super::{key_cap, pacer};

/// Duration of a hold in seconds: long enough to be deliberate, short enough for frequent use.
const HOLD_SECONDS: f64 = 0.7;

/// A button that acts once it has been held for [`HOLD_SECONDS`].
#[derive(Debug, Clone, Default)]
#[must_use = "call show"]
pub struct HoldButton<'a> {
    text: &'a str,
    shortcut: Option<KeyboardShortcut>,
    secondary: bool,
    destructive: bool,
}

/// Result of drawing a [`HoldButton`] in this frame.
#[derive(Debug)]
pub struct HoldResponse {
    /// Response of the button. Ignore its clicks, because a click is not a complete hold.
    pub response: Response,
    /// True in the one frame in which the hold is complete.
    pub completed: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct HoldProgress {
    since: Option<f64>,
    /// True from the completion of a hold until the button or key is released.
    spent: bool,
}

impl<'a> HoldButton<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    setters! {
        /// Sets a shortcut that can be held wherever the focus is.
        pub fn shortcut(self, shortcut: KeyboardShortcut) { self.shortcut = Some(shortcut) }
        /// Draws a smaller button without the accent colour, for one of several actions on a screen.
        pub fn secondary(self) { self.secondary = true }
        /// Uses the colour of destructive actions.
        pub fn destructive(self) { self.destructive = true }
    }

    /// Draws the button as wide as the available space.
    pub fn show(self, ui: &mut Ui) -> HoldResponse {
        let key = self.shortcut.map(key_cap::label).unwrap_or_default();
        let button = if self.secondary {
            Button::new(self.text)
        } else {
            Button::primary(self.text)
        };
        let mut button = button
            .destructive(self.destructive)
            .key(&key)
            .fill_width(ui);
        let response = button.allocate(ui, Sense::click_and_drag());
        ui.ctx()
            .accesskit_node_builder(response.id, |node| node.set_description("Hold to confirm"));
        let (share, completed) = if ui.is_enabled() {
            self.advance(ui, &response)
        } else {
            (0.0, false)
        };
        if ui.is_rect_visible(response.rect) {
            button.paint(ui, &response, share);
        }
        HoldResponse {
            response,
            completed,
        }
    }

    /// Returns the completed share of the hold (0 to 1), and whether the hold is completed in this frame.
    fn advance(&self, ui: &Ui, response: &Response) -> (f32, bool) {
        let id = response.id.with("hold");
        let mut progress: HoldProgress = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let now = ui.input(|input| input.time);
        // A screen reader can click but not hold, so its click counts as a completed hold.
        let by_reader = ui
            .input(|i| i.has_accesskit_action_request(response.id, egui::accesskit::Action::Click));
        let share = if self.is_held(ui, response, progress.since.is_some()) {
            let since = *progress.since.get_or_insert(now);
            if progress.spent {
                0.0
            } else {
                ((now - since) / HOLD_SECONDS).min(1.0)
            }
        } else {
            progress = HoldProgress::default();
            0.0
        };
        let completed = by_reader || share >= 1.0;
        if completed && let Some(key) = self.key_down(ui) {
            pacer::ignore_until_released(ui.ctx(), key);
        }
        progress.spent |= completed;
        if progress.since.is_some() && !progress.spent {
            ui.ctx().request_repaint();
        }
        ui.data_mut(|data| data.insert_temp(id, progress));
        #[expect(clippy::cast_possible_truncation, reason = "a share between 0 and 1")]
        (share as f32, completed)
    }

    /// Returns the pressed key, which is the shortcut's key, Enter or Space.
    fn key_down(&self, ui: &Ui) -> Option<Key> {
        let shortcut = self.shortcut.map(|shortcut| shortcut.logical_key);
        let mut keys = shortcut.into_iter().chain([Key::Enter, Key::Space]);
        ui.input(|input| keys.find(|key| input.key_down(*key)))
    }

    fn is_held(&self, ui: &Ui, response: &Response, begun: bool) -> bool {
        let by_pointer = response.is_pointer_button_down_on() && response.contains_pointer();
        let focused = response.has_focus();
        ui.input(|input| {
            let by_focus = focused
                && input.modifiers.is_none()
                && (input.key_down(Key::Space) || input.key_down(Key::Enter));
            let by_shortcut = self.shortcut.is_some_and(|shortcut| {
                // Once the hold has begun, the modifier may be released.
                input.key_down(shortcut.logical_key)
                    && (begun || input.modifiers.matches_exact(shortcut.modifiers))
            });
            by_pointer || by_focus || by_shortcut
        })
    }
}
