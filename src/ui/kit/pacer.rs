//! The input pacer: one focus-moving key to a frame.
//!
//! A scanner types twenty characters and Enter within a few milliseconds, so several scans and a Tab can arrive before one
//! frame. egui decides who has the focus once in a frame, and would then put all of the text into one field or lose it.
//! The pacer gives each key or click that may move the focus a frame of its own, holds back whatever came after it, and
//! asks for frames for as long as something waits.
//!
//! Invariants: events keep their order and none is dropped, so that key-ups, modifiers and input methods stay right (egui 0.37
//! carries the modifiers as events too); only the repeats of a key that completed a hold are ([`ignore_until_released`]).
//! When nothing waits, no frame is asked for.

use std::collections::VecDeque;

use egui::{Context, Event, Key, Modifiers, Plugin, RawInput, ViewportId};

/// Add it once with [`egui::Context::add_plugin`].
#[derive(Debug, Default)]
pub struct Pacer {
    waiting: VecDeque<Event>,
    /// The last frame moved the focus: whatever it set off (a command run between frames, a dialog that closes) still has
    /// to happen before text may follow.
    unsettled: bool,
}

fn burst_id() -> egui::Id {
    egui::Id::unique("input pacer's burst")
}

/// Did this frame's input arrive in one go with that of the frame before? A person is never that quick, a scanner is.
pub fn in_a_burst(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(burst_id())).unwrap_or(false)
}

fn ignored_id() -> egui::Id {
    egui::Id::unique("the key that the input pacer ignores")
}

/// Ignores the repeats of a key that is down until it is released: a key that was held to confirm must not go on to what is
/// shown next.
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
        // What still waits when more comes was sent in one go with what went before it.
        let in_a_burst = !self.waiting.is_empty();
        self.waiting.extend(input.events.drain(..));
        if let Some(key) = ctx.data(|data| data.get_temp::<Key>(ignored_id()))
            && self.drop_repeats(key)
        {
            ctx.data_mut(|data| data.remove::<Key>(ignored_id()));
        }
        // A frame may take a second pass to settle its layout: what it was given it has had.
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
    /// Drops what a key that is still down sends. True once it was released.
    fn drop_repeats(&mut self, ignored: Key) -> bool {
        let mut released = false;
        self.waiting.retain(|event| match event {
            _ if released => true,
            Event::Key { key, pressed, .. } if *key == ignored => {
                released = !pressed;
                released
            }
            Event::Text(text) => !(ignored == Key::Space && text == " "),
            // Its release goes to another window.
            Event::WindowFocused(false) => {
                released = true;
                true
            }
            _ => true,
        });
        released
    }

    /// What the coming frame may see.
    fn next_batch(&mut self) -> Vec<Event> {
        let unsettled = std::mem::take(&mut self.unsettled);
        match self.waiting.front() {
            Some(event) if unsettled && is_typing(event) => Vec::new(),
            Some(event) if moves_focus(event) => {
                self.unsettled = true;
                // Alt and a digit types the digit too: whoever takes the key takes its text, so they stay together.
                let typed = with_alt(event) && matches!(self.waiting.get(1), Some(Event::Text(_)));
                self.waiting.drain(..if typed { 2 } else { 1 }).collect()
            }
            _ => {
                let until = self
                    .waiting
                    .iter()
                    .position(|event| moves_focus(event) || (unsettled && is_typing(event)));
                self.waiting
                    .drain(..until.unwrap_or(self.waiting.len()))
                    .collect()
            }
        }
    }
}

/// May the focus be elsewhere after this event?
fn moves_focus(event: &Event) -> bool {
    match event {
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => {
            matches!(
                key,
                Key::Tab | Key::Enter | Key::Escape | Key::ArrowUp | Key::ArrowDown
            ) || is_function(*key)
                || is_shortcut(*modifiers)
        }
        Event::PointerButton { .. } | Event::AccessKitActionRequest(_) => true,
        _ => false,
    }
}

/// Does this event put text where the focus is?
fn is_typing(event: &Event) -> bool {
    matches!(
        event,
        Event::Text(_) | Event::Paste(_) | Event::Ime(_) | Event::Key { pressed: true, .. }
    ) && !moves_focus(event)
}

fn with_alt(event: &Event) -> bool {
    matches!(event, Event::Key { modifiers, .. } if modifiers.alt && !modifiers.ctrl)
}

fn is_shortcut(modifiers: Modifiers) -> bool {
    modifiers.ctrl || modifiers.alt || modifiers.command || modifiers.mac_cmd
}

fn is_function(key: Key) -> bool {
    (Key::F1..=Key::F35).contains(&key)
}
