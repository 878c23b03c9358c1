//! Text fields with the label above, the error below and the unit inside. A field edits
//! text; callers parse numbers.
//!
//! Every field is 30 points high. Assistive technology gets the label as its name and the error as its
//! description. A field that gets the focus by keyboard selects its text, so that typing replaces it.

pub(super) mod box_parts;
mod limit;
mod secret;

use egui::{
    Align2, EventFilter, FontSelection, Frame, Id, Key, Margin, Modifiers, Response, Shape,
    TextBuffer, TextEdit, Ui, text::CCursorRange, vec2,
};

use super::key_cap::{self, CapColors};
use super::tokens::{palette, size};
use super::{Icon, text};
pub use box_parts::show_error;
use box_parts::{describe, focus_next, frame, labelled};
use secret::Masked;

/// Effect of the Enter key in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnEnter {
    /// Moves the focus to the next field, as Tab does, because scanners end with Enter.
    #[default]
    Next,
    /// Keeps the focus in this field, for a box that takes one scan after the other.
    Stay,
}

#[must_use = "call show"]
pub struct Field<'a> {
    label: &'a str,
    text: &'a mut String,
    id: Option<Id>,
    hint: &'a str,
    unit: &'a str,
    error: Option<&'a str>,
    icon: Option<Icon>,
    key: Option<&'a str>,
    mono: bool,
    right: bool,
    password: bool,
    labelled: bool,
    spoken: Option<&'a str>,
    calm: bool,
    wrong: bool,
    elsewhere: Option<&'a str>,
    keeps_text: bool,
    limit: usize,
    on_enter: OnEnter,
    filter: EventFilter,
}

/// Result of drawing a field in this frame.
#[derive(Debug)]
pub struct FieldResponse {
    /// Response of the text box.
    pub response: Response,
    /// Whether Enter was pressed in the field.
    pub entered: bool,
}

impl FieldResponse {
    /// Returns whether the text changed in this frame.
    pub fn changed(&self) -> bool {
        self.response.changed()
    }
}

impl<'a> Field<'a> {
    pub fn new(label: &'a str, text: &'a mut String) -> Self {
        Self {
            label,
            text,
            id: None,
            hint: "",
            unit: "",
            error: None,
            icon: None,
            key: None,
            mono: false,
            right: false,
            password: false,
            labelled: true,
            spoken: None,
            calm: false,
            wrong: false,
            elsewhere: None,
            keeps_text: false,
            limit: 2_000,
            on_enter: OnEnter::default(),
            filter: EventFilter {
                horizontal_arrows: true,
                vertical_arrows: true,
                ..EventFilter::default()
            },
        }
    }

    /// Aligns the text to the right, before the unit, and limits it to 32 characters, for numbers.
    pub fn number(mut self) -> Self {
        self.right = true;
        self.limit = 32;
        self
    }

    /// Sets the name for screen readers, for fields that their label alone does not tell apart.
    pub fn accessible_name(mut self, name: &'a str) -> Self {
        self.spoken = Some(name);
        self
    }

    /// Hides the border until the field is hovered, focused or invalid, for fields in rows.
    pub fn borderless(mut self) -> Self {
        self.calm = true;
        self
    }

    /// Marks the field as invalid without showing an error text.
    pub fn invalid(mut self, wrong: bool) -> Self {
        self.wrong = wrong;
        self
    }

    /// Marks the field as invalid if there is an error, and gives the error to screen readers only, because
    /// the caller shows it in another place. For fields in rows.
    pub fn error_shown_elsewhere(mut self, error: Option<&'a str>) -> Self {
        self.wrong = error.is_some();
        self.elsewhere = error;
        self
    }

    /// Puts the cursor after the text when the field gets the focus by keyboard, instead of selecting the
    /// text. For lists that are scanned into.
    pub fn cursor_at_end(mut self) -> Self {
        self.keeps_text = true;
        self
    }

    /// Sets the id, so that a problem shown elsewhere can move the focus here.
    pub fn id(mut self, id: Id) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets the text that is shown while the field is empty.
    pub fn hint(mut self, hint: &'a str) -> Self {
        self.hint = hint;
        self
    }

    /// Sets the text at the end of the box: a unit or a time zone.
    pub fn unit(mut self, unit: &'a str) -> Self {
        self.unit = unit;
        self
    }

    /// Sets the error, which is shown below the box and read out with the field.
    pub fn error(mut self, error: Option<&'a str>) -> Self {
        self.error = error;
        self
    }

    /// Adds an icon before the text.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// Adds the cap of the key that moves the focus here.
    pub fn key(mut self, key: &'a str) -> Self {
        self.key = Some(key);
        self
    }

    /// Uses the monospace font, for ids and references.
    pub fn mono(mut self) -> Self {
        self.mono = true;
        self
    }

    /// Shows dots instead of the text.
    pub fn password(mut self) -> Self {
        self.password = true;
        self
    }

    /// Sets the maximum number of characters. Text typed or pasted beyond it is cut off, and
    /// a warning says so.
    pub fn limit(mut self, characters: usize) -> Self {
        self.limit = characters;
        self
    }

    /// Keeps the label as the name for screen readers but doesn't show it, for fields in tables or
    /// beside a clear icon.
    pub fn hide_label(mut self) -> Self {
        self.labelled = false;
        self
    }

    pub fn on_enter(mut self, on_enter: OnEnter) -> Self {
        self.on_enter = on_enter;
        self
    }

    /// Lets the field keep the focus on Escape, while a list is open that Escape closes.
    pub(super) fn keep_escape(mut self, keep: bool) -> Self {
        self.filter.escape = keep;
        self
    }

    /// Returns the id that the field gets in `ui`.
    pub fn id_in(&self, ui: &Ui) -> Id {
        self.id
            .unwrap_or_else(|| ui.make_persistent_id(("field", self.label)))
    }

    /// Draws the field as wide as the available space.
    pub fn show(mut self, ui: &mut Ui) -> FieldResponse {
        self.draw(ui)
    }

    /// Draws the field, and returns also its text after this frame's input.
    pub(super) fn show_with_text(mut self, ui: &mut Ui) -> (FieldResponse, &'a str) {
        let shown = self.draw(ui);
        (shown, self.text)
    }

    fn draw(&mut self, ui: &mut Ui) -> FieldResponse {
        let id = self.id_in(ui);
        let (label, is_hidden) = (self.label, !self.labelled);
        let (spoken, error) = (self.spoken, self.error);
        let mut entered = false;
        let response = labelled(ui, id, label, is_hidden, spoken, error, |ui| {
            let coming = limit::PendingInput::before(ui, id, self.text);
            entered = self.take_enter(ui, id);
            let response = self.edit(ui, id);
            coming.after(ui, &response, self.text, self.limit, !is_hidden);
            if let Some(error) = self.elsewhere {
                describe(ui, &response, error);
            }
            response
        });
        FieldResponse { response, entered }
    }

    /// Returns whether Enter is pressed in the field, and consumes the key.
    fn take_enter(&self, ui: &Ui, id: Id) -> bool {
        let entered = ui.memory(|memory| memory.has_focus(id))
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        if entered && self.on_enter == OnEnter::Next {
            focus_next(ui);
        }
        entered
    }

    fn edit(&mut self, ui: &mut Ui, id: Id) -> Response {
        let p = palette(ui);
        let behind = ui.painter().add(Shape::Noop);
        let cap = self.key.map_or(0.0, |key| key_cap::width(ui, key) + 8.0);
        let had_focus = ui.memory(|memory| memory.has_focus(id));
        let mut masked;
        let buffer: &mut dyn TextBuffer = if self.password {
            masked = Masked::new(self.text);
            &mut masked
        } else {
            &mut *self.text
        };
        let font = if self.mono {
            text::mono_font()
        } else {
            text::body_font()
        };
        let align = if self.right {
            Align2::RIGHT_CENTER
        } else {
            Align2::LEFT_CENTER
        };
        let mut edit = TextEdit::singleline(buffer)
            .id(id)
            .frame(Frame::new().inner_margin(margin(cap)))
            .font(FontSelection::FontId(font))
            .text_color(if ui.is_enabled() { p.text } else { p.muted })
            .hint_text(self.hint.to_owned())
            .password(self.password)
            .char_limit(self.limit)
            .align(align)
            .desired_width(ui.available_width())
            .min_size(vec2(0.0, size::FIELD))
            .event_filter(self.filter);
        if let Some(icon) = self.icon {
            edit = edit.prefix(text::icon(icon, size::ICON).color(p.muted));
        }
        if !self.unit.is_empty() {
            edit = edit.suffix(text::body(self.unit).color(p.muted));
        }
        let mut response = edit.show(ui).response.response;
        if self.password && (had_focus || response.changed()) {
            secret::wipe_input(ui);
        }
        response.rect.set_height(size::FIELD);
        if response.gained_focus() {
            // Tab can move the focus to a field that is scrolled out of view.
            ui.scroll_to_rect(response.rect, None);
            if !ui.input(|input| input.pointer.any_down() || input.pointer.any_released()) {
                select(ui.ctx(), id, self.keeps_text);
            }
        }
        let wrong = self.wrong || self.error.is_some();
        let frame = frame(ui, &response, wrong, self.calm);
        ui.painter().set(behind, frame);
        if let Some(key) = self.key {
            let at = response.rect.right_center() - vec2(cap, 0.0);
            key_cap::paint(ui, ui.painter(), at, key, CapColors::plain(ui));
        }
        response
    }
}

/// Returns the margin at the sides of the text, with room for a key cap of width `cap` after it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a key cap is some dozens of points wide"
)]
const fn margin(cap: f32) -> Margin {
    Margin {
        left: 9,
        right: 9 + cap as i8,
        top: 0,
        bottom: 0,
    }
}

/// Puts the cursor at the end of a field's text, for a field whose text was just filled in.
pub fn cursor_to_end(ctx: &egui::Context, id: Id) {
    select(ctx, id, true);
}

/// Selects all of a field's text or, with `at_end`, puts the cursor after it.
fn select(ctx: &egui::Context, id: Id, at_end: bool) {
    if let Some(mut state) = TextEdit::load_state(ctx, id) {
        let end = egui::text::CCursor::new(usize::MAX / 2);
        let start = if at_end {
            end
        } else {
            egui::text::CCursor::default()
        };
        state
            .cursor
            .set_char_range(Some(CCursorRange::two(start, end)));
        state.store(ctx, id);
    }
}
