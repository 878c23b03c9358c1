//! The input pacer, an egui plugin that gives each key or click that may move the focus a separate frame.
//!
//! A scanner types twenty characters and Enter within a few milliseconds, so several scans and a Tab can arrive
//! before one frame. egui moves the focus only once in a frame, so all of the text would go into one field or be
//! lost. The pacer queues the events that follow such a key or click, and requests repaints until the queue is empty.
//!
//! Invariants: events keep their order and none is dropped, so that key-ups, modifiers and input methods stay right
//! (egui 0.37 sends modifiers as events too). Only repeats of a key that completed a hold are dropped
//! ([`ignore_until_released`]).

use std::collections::VecDeque;

use egui::{Context, Event, Key, Plugin, RawInput, ViewportId};

/// Queue of input events. Add it once with [`egui::Context::add_plugin`].
#[derive(Debug, Default)]
pub struct Pacer {
    waiting: VecDeque<Event>,
    /// True if the last frame may have moved the focus. The effects of that frame (a command run between frames, a
    /// dialog that closes) must happen before the next text is handled.
    unsettled: bool,
}

fn burst_id() -> egui::Id {
    egui::Id::unique("input pacer's burst")
}

/// Returns whether this frame's input arrived together with input of the frame before. This happens only if
/// a scanner types.
pub fn in_a_burst(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(burst_id())).unwrap_or(false)
}

fn ignored_id() -> egui::Id {
    egui::Id::unique("the key that the input pacer ignores")
}

/// Ignores the repeats of a pressed key until it is released, because a key that was held to confirm must not
/// act on the next screen.
pub(super) fn ignore_until_released(ctx: &Context, key: Key) {
    ctx.data_mut(|data| data.insert_temp(ignored_id(), key));
}

impl Plugin for Pacer {
    fn debug_name(&self) -> &'static str {
        "input pacer"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        if input.viewport_id != ViewportId::ROOT {
            return;
        }
        // Events left in the queue arrived together with the events of the frame before.
        let in_a_burst = !self.waiting.is_empty();
        self.waiting.extend(input.events.drain(..));
        if let Some(key) = ctx.data(|data| data.get_temp::<Key>(ignored_id()))
            && self.drop_repeats(key)
        {
            ctx.data_mut(|data| data.remove::<Key>(ignored_id()));
        }
        // A second layout pass of the same frame must not get another batch.
        if ctx.current_pass_index() == 0 {
            input.events = self.next_batch();
            ctx.data_mut(|data| data.insert_temp(burst_id(), in_a_burst));
        }
        if !self.waiting.is_empty() {
            ctx.request_repaint();
        }
    }
}

impl Pacer {
    /// Drops the events of a key that is still down. Returns true once the key was released.
    fn drop_repeats(&mut self, ignored: Key) -> bool {
        let mut released = false;
        self.waiting.retain(|event| match event {
            _ if released => true,
            Event::Key { key, pressed, .. } if *key == ignored => {
                released = !pressed;
                released
            }
            Event::Text(text) => !(ignored == Key::Space && text == " "),
            // The key counts as released, because its release will go to another window.
            Event::WindowFocused(false) => {
                released = true;
                true
            }
            _ => true,
        });
        released
    }

    fn next_batch(&mut self) -> Vec<Event> {
        let unsettled = std::mem::take(&mut self.unsettled);
        match self.waiting.front() {
            Some(event) if unsettled && is_typing(event) => Vec::new(),
            Some(event) if moves_focus(event) => {
                self.unsettled = true;
                // Alt and a digit may also send the digit as text. Both go into one frame, so that the widget
                // which consumes the key can also consume the text.
                let by_alt = matches!(event, Event::Key { modifiers, .. } if modifiers.alt && !modifiers.ctrl);
                let typed = by_alt && matches!(self.waiting.get(1), Some(Event::Text(_)));
                self.waiting.drain(..if typed { 2 } else { 1 }).collect()
            }
            _ => {
                let ends = |event| moves_focus(event) || (unsettled && is_typing(event));
                let end = self.waiting.iter().position(ends);
                let end = end.unwrap_or(self.waiting.len());
                self.waiting.drain(..end).collect()
            }
        }
    }
}

/// Returns whether the focus may move after this event.
fn moves_focus(event: &Event) -> bool {
    match event {
        Event::Key {
            key,
            pressed: true,
            modifiers: held,
            ..
        } => {
            let is_function = (Key::F1..=Key::F35).contains(key);
            matches!(
                key,
                Key::Tab | Key::Enter | Key::Escape | Key::ArrowUp | Key::ArrowDown
            ) || is_function
                || held.ctrl
                || held.alt
                || held.command
                || held.mac_cmd
        }
        Event::PointerButton { .. } | Event::AccessKitActionRequest(_) => true,
        _ => false,
    }
}

/// Returns whether this event types into the focused widget.
fn is_typing(event: &Event) -> bool {
    matches!(
        event,
        Event::Text(_) | Event::Paste(_) | Event::Ime(_) | Event::Key { pressed: true, .. }
    ) && !moves_focus(event)
}
