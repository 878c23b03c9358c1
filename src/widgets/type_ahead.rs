//! A text field that shows suggestions while the clerk types.
//!
//! Up and Down mark an item, Enter picks it and moves to the next field, Tab picks it too, and Escape closes the
//! list. With [`TypeAhead::free_text`], Enter and Tab pick only an item that was marked by an arrow key or typed
//! exactly, so that a new receiver never turns into an old receiver whose name starts with the same letters.

use egui::{Key, Modifiers, Ui};

use super::field::{Field, FieldResponse, focus_next};
use super::picker::{self, PickerItem};

#[must_use = "call show"]
pub struct TypeAhead<'a> {
    field: Field<'a>,
    free_text: bool,
    sources: Option<u64>,
}

/// Result of drawing a [`TypeAhead`] in this frame.
#[derive(Debug)]
pub struct TypeAheadResponse {
    pub field: FieldResponse,
    /// Index of the item picked among the suggestions. The caller puts its text into the field.
    pub picked: Option<usize>,
    /// The picked item.
    pub item: Option<PickerItem>,
}

#[derive(Debug, Clone, Default)]
struct TypeAheadState {
    open: bool,
    marked: Option<usize>,
    /// True if an arrow key marked the item. Otherwise the item is the first item, or equals the typed text.
    chosen: bool,
    /// Items shown in the last frame, which the clerk saw when pressing a key.
    offered: Vec<PickerItem>,
    /// Text and stamp of the sources that `offered` was made for.
    asked: Option<(String, u64)>,
}

impl TypeAheadState {
    /// Returns the item that is marked before an arrow is pressed, which is the item that Enter would pick.
    /// In an empty field no item is marked, so that the first press of Down marks the first item.
    fn first_mark(&self, free_text: bool, text: &str) -> Option<usize> {
        if text.trim().is_empty() || self.offered.is_empty() {
            None
        } else if free_text {
            self.offered.iter().position(|item| item.exact)
        } else {
            Some(0)
        }
    }

    /// Returns the item that Enter or Tab would pick.
    fn pick(&self, free_text: bool) -> Option<usize> {
        let exact = || self.offered.iter().position(|item| item.exact);
        match self.marked {
            Some(marked) if self.chosen || !free_text => Some(marked),
            _ => exact(),
        }
        .filter(|at| self.open && *at < self.offered.len())
    }
}

impl<'a> TypeAhead<'a> {
    /// Adds suggestions to a field.
    pub fn new(field: Field<'a>) -> Self {
        Self {
            field,
            free_text: false,
            sources: None,
        }
    }

    setters! {
        /// Accepts any text, not only the suggestions.
        pub fn free_text(self) { self.free_text = true }
        /// Keeps the suggestions until the text or the stamp of their sources changes. For lists that are
        /// slow to search.
        pub fn sources(self, stamp: u64) { self.sources = Some(stamp) }
    }

    /// Draws the field. `offer` returns at most a dozen suggestions for the text after this frame's input,
    /// the best first.
    pub fn show(
        self,
        ui: &mut Ui,
        offer: impl FnOnce(&str) -> Vec<PickerItem>,
    ) -> TypeAheadResponse {
        let id = self.field.id_in(ui);
        let mut state: TypeAheadState = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let focused = ui.memory(|memory| memory.has_focus(id));
        let mut picked = if focused {
            keys(ui, &mut state, self.free_text)
        } else {
            None
        };
        let moved = picked.is_none() && state.chosen;

        let (field, text) = self.field.keep_escape(state.open).show_with_text(ui);
        if field.changed() {
            state = TypeAheadState {
                open: true,
                ..TypeAheadState::default()
            };
        }
        let on_list = picker::pointer_on(ui, id);
        state.open &= field.response.has_focus() || (on_list && state.open);
        state.open &= picked.is_none();
        if state.open {
            let asked = self.sources.map(|stamp| (text.to_owned(), stamp));
            if asked.is_none() || asked != state.asked {
                state.offered = offer(text);
                state.asked = asked;
            }
            if state.marked.is_none() {
                state.marked = state.first_mark(self.free_text, text);
            }
            if !state.offered.is_empty() {
                let pressed = picker::popup(&field.response, &state.offered, state.marked, moved);
                if pressed.is_some() {
                    picked = pressed;
                    state.open = false;
                    field.response.request_focus();
                }
            }
        }
        let item = picked.and_then(|picked| state.offered.get(picked).cloned());
        if !state.open {
            state = TypeAheadState::default();
        }
        ui.data_mut(|data| data.insert_temp(id, state));
        TypeAheadResponse {
            field,
            picked,
            item,
        }
    }
}

/// Consumes the keys of the list before the field sees them, and returns the index of the picked item.
fn keys(ui: &Ui, state: &mut TypeAheadState, free_text: bool) -> Option<usize> {
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    for (key, down) in [(Key::ArrowDown, true), (Key::ArrowUp, false)] {
        if pressed(key) {
            if state.open {
                state.marked = picker::step(state.marked, state.offered.len(), down);
                state.chosen = true;
            } else {
                *state = TypeAheadState {
                    open: true,
                    marked: Some(0),
                    chosen: true,
                    ..TypeAheadState::default()
                };
            }
        }
    }
    if !state.open {
        return None;
    }
    if pressed(Key::Escape) {
        state.open = false;
        return None;
    }
    let picked = state.pick(free_text)?;
    if pressed(Key::Enter) {
        focus_next(ui);
        return Some(picked);
    }
    // egui already moves the focus on Tab, so Tab is not consumed.
    ui.input(|input| input.key_pressed(Key::Tab) && input.modifiers.is_none())
        .then_some(picked)
}
