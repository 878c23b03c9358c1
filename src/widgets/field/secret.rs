//! Editing of a secret. egui copies the text of a field several times in each frame (to undo, to compare, to
//! lay it out) and wipes none of the copies. Therefore egui gets only dots, and typed or pasted text is wiped
//! from the frame's input.

use std::any::TypeId;
use std::ops::Range;

use egui::text::CharIndex;
use egui::{Event, ImeEvent, TextBuffer, Ui};
use secrecy::zeroize::Zeroize as _;

/// Shown in place of each character.
const DOT: &str = "•";

/// Text buffer that egui edits without reading the text.
pub(super) struct Masked<'a> {
    text: &'a mut String,
    dots: String,
}

impl<'a> Masked<'a> {
    pub(super) fn new(text: &'a mut String) -> Self {
        let dots = DOT.repeat(text.chars().count());
        Self { text, dots }
    }
}

impl TextBuffer for Masked<'_> {
    fn is_mutable(&self) -> bool {
        true
    }

    fn as_str(&self) -> &str {
        &self.dots
    }

    fn insert_text(&mut self, text: &str, at: CharIndex) -> usize {
        let count = self.text.insert_text(text, at);
        self.dots = DOT.repeat(self.text.chars().count());
        count
    }

    fn delete_char_range(&mut self, range: Range<CharIndex>) {
        self.text.delete_char_range(range);
        self.dots = DOT.repeat(self.text.chars().count());
    }

    /// Does nothing, because undo and redo would replace the secret with dots.
    fn replace_with(&mut self, _dots: &str) {}

    fn type_id(&self) -> TypeId {
        TypeId::of::<Masked<'static>>()
    }
}

/// Wipes the text typed or pasted in this frame. Call after the focused field has been drawn.
pub(super) fn wipe_input(ui: &Ui) {
    ui.input_mut(|input| {
        let events = input.events.iter_mut().chain(&mut input.raw.events);
        for event in events {
            if let Event::Text(text)
            | Event::Paste(text)
            | Event::MiddleClickPaste { text, .. }
            | Event::Ime(ImeEvent::Commit(text) | ImeEvent::Preedit { text, .. }) = event
            {
                text.zeroize();
            }
        }
    });
}
