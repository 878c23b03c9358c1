//! Drop-downs, in which the clerk chooses one of a few known options.
//!
//! By keyboard: letters jump to the first option that starts with them, Up and Down move to another option, Space or
//! Alt+Down opens the list, Enter picks and moves the focus to the next field, Escape closes the list.

use egui::{
    Align2, Event, EventFilter, Id, Key, Modifiers, Response, Role, Sense, Ui, WidgetInfo, vec2,
};

use super::field::{focus_next, frame, labelled};
use super::picker::{self, PickerItem};
use super::tokens::{palette, size};
use super::{icons, paint, text};

/// Time in seconds within which typed letters count as one word.
const LETTERS_SECONDS: f64 = 1.0;

#[derive(Debug, Default)]
#[must_use = "call show"]
pub struct Select<'a> {
    label: &'a str,
    current: Option<usize>,
    options: &'a [&'a str],
    id: Option<Id>,
    hint: &'a str,
    error: Option<&'a str>,
    is_label_hidden: bool,
    spoken: Option<&'a str>,
    borderless: bool,
    invalid: bool,
}

#[derive(Debug)]
pub struct SelectResponse {
    pub response: Response,
    /// Index of the option picked; `None` if it is the current option.
    pub picked: Option<usize>,
}

#[derive(Debug, Clone, Default)]
struct SelectState {
    open: bool,
    marked: Option<usize>,
    letters: String,
    lettered_at: f64,
}

impl<'a> Select<'a> {
    /// Creates a drop-down over `options`. `current` is the index of the chosen option.
    pub fn new(label: &'a str, current: Option<usize>, options: &'a [&'a str]) -> Self {
        Self {
            label,
            current,
            options,
            hint: "Pick one",
            ..Self::default()
        }
    }

    setters! {
        /// Sets the id, so that a problem shown elsewhere can move the focus here.
        pub fn id(self, id: Id) { self.id = Some(id) }
        /// Sets the text that is shown while no option is chosen.
        pub fn hint(self, hint: &'a str) { self.hint = hint }
        /// Sets the error, which is shown below the box and read out with the drop-down.
        pub fn error(self, error: Option<&'a str>) { self.error = error }
        /// Keeps the label as the name for screen readers but doesn't show it.
        pub fn hide_label(self) { self.is_label_hidden = true }
        /// Sets the name for screen readers, for drop-downs that have the same label as others.
        pub fn accessible_name(self, name: &'a str) { self.spoken = Some(name) }
        /// Hides the border until the box is hovered, focused or invalid, for drop-downs in rows.
        pub fn borderless(self) { self.borderless = true }
        /// Marks the box as invalid without showing an error text.
        pub fn invalid(self, invalid: bool) { self.invalid = invalid }
    }

    /// Draws the drop-down as wide as the available space.
    pub fn show(self, ui: &mut Ui) -> SelectResponse {
        let id = self
            .id
            .unwrap_or_else(|| ui.make_persistent_id(("select", self.label)));
        let (label, is_hidden) = (self.label, self.is_label_hidden);
        let mut picked = None;
        let response = labelled(ui, id, label, is_hidden, self.spoken, self.error, |ui| {
            self.choose(ui, id, &mut picked)
        });
        SelectResponse {
            response,
            picked: picked.filter(|at| Some(*at) != self.current),
        }
    }

    fn choose(&self, ui: &mut Ui, id: Id, picked: &mut Option<usize>) -> Response {
        let mut state: SelectState = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        if ui.memory(|memory| memory.has_focus(id)) && ui.is_enabled() {
            *picked = self.keys(ui, &mut state);
        }
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::FIELD));
        let response = ui.interact(rect, id, Sense::click());
        if response.clicked_by(egui::PointerButton::Primary) && ui.is_enabled() {
            state.open = !state.open;
            state.marked = self.current;
            response.request_focus();
        }
        if response.gained_focus() {
            ui.scroll_to_rect(rect, None);
        }
        let on_list = picker::pointer_on(ui, id);
        state.open &= response.has_focus() || on_list;
        let filter = EventFilter {
            vertical_arrows: true,
            escape: state.open,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        self.paint(ui, &response, picked.or(self.current));
        if state.open {
            let items = self.options.iter().map(|text| PickerItem::new(*text, ""));
            let items: Vec<PickerItem> = items.collect();
            if let Some(pressed) = picker::popup(&response, &items, state.marked, !on_list) {
                *picked = Some(pressed);
                state.open = false;
                response.request_focus();
            }
        }
        let expanded = state.open;
        let current = picked.or(self.current).and_then(|at| self.options.get(at));
        response.widget_info(|| WidgetInfo {
            current_text_value: current.map(ToString::to_string),
            ..WidgetInfo::new(Role::ComboBox)
        });
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_expanded(expanded));
        ui.data_mut(|data| data.insert_temp(id, state));
        response
    }

    fn keys(&self, ui: &mut Ui, state: &mut SelectState) -> Option<usize> {
        let pressed =
            |ui: &Ui, modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        let by_space = !Self::is_spelling(ui, state) && pressed(ui, Modifiers::NONE, Key::Space);
        if pressed(ui, Modifiers::ALT, Key::ArrowDown) || by_space {
            state.open = !state.open;
            state.marked = self.current;
            return None;
        }
        let typed = self.typed(ui, state);
        for (key, down) in [(Key::ArrowDown, true), (Key::ArrowUp, false)] {
            if pressed(ui, Modifiers::NONE, key) {
                let from = if state.open {
                    state.marked
                } else {
                    self.current
                };
                return Self::mark(state, picker::step(from, self.options.len(), down));
            }
        }
        if state.open && pressed(ui, Modifiers::NONE, Key::Escape) {
            state.open = false;
        }
        if pressed(ui, Modifiers::NONE, Key::Enter) {
            let picked = state.marked.filter(|_| state.open);
            state.open = false;
            focus_next(ui);
            return picked;
        }
        typed.and_then(|typed| Self::mark(state, Some(typed)))
    }

    /// Marks an option if the list is open, or returns it as picked if the list is closed.
    fn mark(state: &mut SelectState, option: Option<usize>) -> Option<usize> {
        if state.open {
            state.marked = option;
            return None;
        }
        option
    }

    /// Returns whether the name of an option is being typed. A space is then part of the name and does not
    /// open the list.
    fn is_spelling(ui: &Ui, state: &SelectState) -> bool {
        let recent =
            |now: f64| !state.letters.is_empty() && now - state.lettered_at <= LETTERS_SECONDS;
        let is_letter = |event: &Event| matches!(event, Event::Text(text) if text != " ");
        ui.input(|input| recent(input.time) || input.events.iter().any(is_letter))
    }

    /// Returns the first option that starts with the typed letters.
    fn typed(&self, ui: &Ui, state: &mut SelectState) -> Option<usize> {
        let (typed, now) = ui.input(|input| {
            let text = input.events.iter().filter_map(|event| match event {
                Event::Text(text) => Some(text.as_str()),
                _ => None,
            });
            (text.collect::<String>(), input.time)
        });
        if typed.is_empty() || (typed == " " && !Self::is_spelling(ui, state)) {
            return None;
        }
        if now - state.lettered_at > LETTERS_SECONDS {
            state.letters.clear();
        }
        state.lettered_at = now;
        state.letters.push_str(&typed.to_lowercase());
        self.options
            .iter()
            .position(|option| option.to_lowercase().starts_with(&state.letters))
    }

    fn paint(&self, ui: &Ui, response: &Response, shown: Option<usize>) {
        let (p, rect, painter) = (palette(ui), response.rect, ui.painter());
        let invalid = self.invalid || self.error.is_some();
        painter.add(frame(ui, response, invalid, self.borderless));
        let (words, ink) = match shown.and_then(|at| self.options.get(at)) {
            Some(option) if ui.is_enabled() => (*option, p.text),
            Some(option) => (*option, p.muted),
            None => (self.hint, p.muted),
        };
        let right = rect.right_center() - vec2(7.0, 0.0);
        let chevron = paint::icon(ui, icons::ICON_KEYBOARD_ARROW_DOWN, size::ICON, p.muted);
        let chevron = paint::text_at(painter, Align2::RIGHT_CENTER, right, chevron);
        let left = rect.left_center() + vec2(9.0, 0.0);
        let words = text::line(ui, text::body(words), chevron.left() - left.x - 2.0, ink);
        paint::text_at(painter, Align2::LEFT_CENTER, left, words);
    }
}
