//! Text fields with the label above, the error below and the unit inside. A field edits
//! text; callers parse numbers.
//!
//! Every field is 30 points high. The label is the field's name for assistive technology, and the error is its
//! description. A field that gets the focus by keyboard selects its text, so that typing replaces the text.
//! Drop-downs have the same frame, label and error as text fields.

use std::any::TypeId;
use std::ops::Range;

use egui::epaint::RectShape;
use egui::text::{CCursor, CCursorRange, CharIndex};
use egui::{
    Align2, Color32, CornerRadius, Event, EventFilter, FocusDirection, FontSelection, Frame, Id,
    ImeEvent, Key, Label, Margin, Modifiers, Popup, RectAlign, Response, Sense, Shape, Stroke,
    StrokeKind, TextBuffer, TextEdit, Ui, vec2,
};
use secrecy::zeroize::Zeroize as _;

use super::tokens::{CLEAR, palette, size};
use super::{Icon, key_cap, paint, text};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnEnter {
    /// Moves the focus to the next field, as Tab does, because scanners end with Enter.
    #[default]
    Next,
    /// Keeps the focus in this field, so that it takes one scan after the other.
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
    is_label_hidden: bool,
    spoken: Option<&'a str>,
    borderless: bool,
    invalid: bool,
    error_elsewhere: Option<&'a str>,
    keeps_text: bool,
    limit: usize,
    on_enter: OnEnter,
    lines: usize,
    filter: EventFilter,
}

#[derive(Debug)]
pub struct FieldResponse {
    pub response: Response,
    pub entered: bool,
}

impl FieldResponse {
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
            is_label_hidden: false,
            spoken: None,
            borderless: false,
            invalid: false,
            error_elsewhere: None,
            keeps_text: false,
            limit: 2_000,
            on_enter: OnEnter::default(),
            lines: 1,
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
        self.limit(32)
    }

    setters! {
        /// Sets the name for screen readers, for fields that have the same label as other fields.
        pub fn accessible_name(self, name: &'a str) { self.spoken = Some(name) }
        /// Hides the border until the field is hovered, focused or invalid, for fields in rows.
        pub fn borderless(self) { self.borderless = true }
        /// Marks the field as invalid without showing an error text.
        pub fn invalid(self, invalid: bool) { self.invalid = invalid }
        /// Marks the field as invalid if there is an error, and gives the error to screen readers only, because the
        /// caller shows the error in another place. For fields in rows.
        pub fn error_shown_elsewhere(self, error: Option<&'a str>) { self.error_elsewhere = error }
        /// Puts the cursor after the text when the field gets the focus by keyboard, instead of selecting the text.
        /// For fields into which a list is scanned.
        pub fn cursor_at_end(self) { self.keeps_text = true }
        /// Sets the id, so that a problem shown elsewhere can move the focus here.
        pub fn id(self, id: Id) { self.id = Some(id) }
        /// Sets the text that is shown while the field is empty.
        pub fn hint(self, hint: &'a str) { self.hint = hint }
        /// Sets the text at the end of the box: a unit or a time zone.
        pub fn unit(self, unit: &'a str) { self.unit = unit }
        /// Sets the error, which is shown below the box and read out with the field.
        pub fn error(self, error: Option<&'a str>) { self.error = error }
        pub fn icon(self, icon: Icon) { self.icon = Some(icon) }
        /// Adds the cap of the key that moves the focus here.
        pub fn key(self, key: &'a str) { self.key = Some(key) }
        /// Uses the monospace font, for ids and references.
        pub fn mono(self) { self.mono = true }
        /// Shows dots instead of the text.
        pub fn password(self) { self.password = true }
        /// Sets the maximum number of characters. Text typed or pasted beyond it is cut off, and a warning says so.
        pub fn limit(self, characters: usize) { self.limit = characters }
        /// Keeps the label as the name for screen readers but doesn't show it, for fields in tables or
        /// beside a clear icon.
        pub fn hide_label(self) { self.is_label_hidden = true }
        pub fn on_enter(self, on_enter: OnEnter) { self.on_enter = on_enter }
        /// Shows this number of lines, and lets Enter start a new line.
        pub fn lines(self, lines: usize) { self.lines = lines }
        /// Keeps the focus in the field on Escape, because Escape closes a list that is open.
        pub(super) fn keep_escape(self, keep: bool) { self.filter.escape = keep }
    }

    /// Returns the id that the field gets in `ui`.
    pub fn id_in(&self, ui: &Ui) -> Id {
        self.id
            .unwrap_or_else(|| ui.make_persistent_id(("field", self.label)))
    }

    /// Draws the field as wide as the available space.
    pub fn show(self, ui: &mut Ui) -> FieldResponse {
        self.show_with_text(ui).0
    }

    /// Draws the field, and also returns its text after this frame's input.
    pub(super) fn show_with_text(mut self, ui: &mut Ui) -> (FieldResponse, &'a str) {
        let id = self.id_in(ui);
        let (label, is_hidden) = (self.label, self.is_label_hidden);
        let (spoken, error) = (self.spoken, self.error);
        let mut entered = false;
        let response = labelled(ui, id, label, is_hidden, spoken, error, |ui| {
            let wanted = length_with_input(ui, id, self.text);
            entered = self.take_enter(ui, id);
            let response = self.edit(ui, id);
            warn_if_cut(ui, &response, self.text, wanted, self.limit, !is_hidden);
            if let Some(error) = self.error_elsewhere {
                describe_error(ui, &response, error);
            }
            response
        });
        (FieldResponse { response, entered }, self.text)
    }

    /// Returns whether Enter is pressed in the field. Consumes the key. With [`OnEnter::Next`], moves the focus.
    fn take_enter(&self, ui: &Ui, id: Id) -> bool {
        let entered = self.lines == 1
            && ui.memory(|memory| memory.has_focus(id))
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
            masked = MaskedText::new(self.text);
            &mut masked
        } else {
            &mut *self.text
        };
        let font = if self.mono {
            text::mono_font()
        } else {
            text::body_font()
        };
        let align = if self.lines > 1 {
            Align2::LEFT_TOP
        } else if self.right {
            Align2::RIGHT_CENTER
        } else {
            Align2::LEFT_CENTER
        };
        let edit = if self.lines > 1 {
            TextEdit::multiline(buffer).desired_rows(self.lines)
        } else {
            TextEdit::singleline(buffer)
        };
        let mut edit = edit
            .id(id)
            .frame(Frame::new().inner_margin(margin(cap, self.lines)))
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
            wipe_input(ui);
        }
        if self.lines == 1 {
            response.rect.set_height(size::FIELD);
        }
        if response.gained_focus() {
            // Tab can move the focus to a field that is scrolled out of view.
            ui.scroll_to_rect(response.rect, None);
            if !ui.input(|input| input.pointer.any_down() || input.pointer.any_released()) {
                select(ui.ctx(), id, self.keeps_text);
            }
        }
        let invalid = self.invalid || self.error.or(self.error_elsewhere).is_some();
        let frame = frame(ui, &response, invalid, self.borderless);
        ui.painter().set(behind, frame);
        if let Some(key) = self.key {
            let at = response.rect.right_center() - vec2(cap, 0.0);
            key_cap::paint(ui, ui.painter(), at, key);
        }
        response
    }
}

/// Returns the margin around the text, with room for a key cap of width `cap` after it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a key cap is some dozens of points wide"
)]
const fn margin(cap: f32, lines: usize) -> Margin {
    let edge = if lines > 1 { 6 } else { 0 };
    Margin {
        left: 9,
        right: 9 + cap as i8,
        top: edge,
        bottom: edge,
    }
}

/// Puts the cursor at the end of a field's text, for a field whose text was just filled in.
pub fn cursor_to_end(ctx: &egui::Context, id: Id) {
    select(ctx, id, true);
}

/// Selects all of a field's text, so that typing replaces a text that was just filled in.
pub fn select_all(ctx: &egui::Context, id: Id) {
    select(ctx, id, false);
}

/// Selects all of a field's text or, with `at_end`, puts the cursor after it.
fn select(ctx: &egui::Context, id: Id, at_end: bool) {
    if let Some(mut state) = TextEdit::load_state(ctx, id) {
        let end = CCursor::new(usize::MAX / 2);
        let start = if at_end { end } else { CCursor::default() };
        let range = CCursorRange::two(start, end);
        state.cursor.set_char_range(Some(range));
        state.store(ctx, id);
    }
}

/// Moves the focus to the next widget, as Tab would. Call before the box that has the focus is drawn.
pub(super) fn focus_next(ui: &Ui) {
    ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
}

/// Returns the frame of a text field or a drop-down. A borderless box has no border until it is hovered, focused
/// or invalid.
pub(super) fn frame(ui: &Ui, response: &Response, invalid: bool, borderless: bool) -> Shape {
    let p = palette(ui);
    let (focused, enabled) = (response.has_focus(), ui.is_enabled());
    let stroke = if focused {
        Stroke::new(2.0, if invalid { p.bad } else { p.accent })
    } else if invalid {
        Stroke::new(1.0, p.bad)
    } else if !enabled {
        Stroke::new(1.0, p.border)
    } else if response.hovered() {
        Stroke::new(1.0, p.muted)
    } else if borderless {
        Stroke::NONE
    } else {
        Stroke::new(1.0, p.strong_border)
    };
    let fill = if borderless && !focused {
        CLEAR
    } else if enabled {
        p.surface
    } else {
        p.head
    };
    let radius = CornerRadius::same(size::FIELD_RADIUS);
    RectShape::new(response.rect, radius, fill, stroke, StrokeKind::Inside).into()
}

/// Draws a box with its label above, unless it is hidden, and its error below. Screen readers get
/// `accessible_name` in place of the label.
pub(super) fn labelled(
    ui: &mut Ui,
    target: Id,
    label: &str,
    is_hidden: bool,
    accessible_name: Option<&str>,
    error: Option<&str>,
    draw: impl FnOnce(&mut Ui) -> Response,
) -> Response {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        let label_id = (!is_hidden).then(|| field_label(ui, label, target));
        let response = draw(ui);
        let response = match (label_id, accessible_name) {
            (Some(label_id), None) => response.labelled_by(label_id),
            (_, name) => response.accessible_name(name.unwrap_or(label)),
        };
        if let Some(error) = error {
            show_error(ui, &response, error);
        }
        response
    })
    .inner
}

/// Draws the label above a box. A click on the label moves the focus to `target`.
fn field_label(ui: &mut Ui, label: &str, target: Id) -> Id {
    let words = text::small(label).font(text::label_font());
    let words = Label::new(words.color(palette(ui).muted));
    let response = ui.add(words.truncate().sense(Sense::CLICK));
    if response.clicked() {
        ui.memory_mut(|memory| memory.request_focus(target));
    }
    response.id
}

/// Draws an error below a widget, and gives it to screen readers.
pub fn show_error(ui: &mut Ui, response: &Response, error: &str) {
    show_live(ui, error, palette(ui).bad);
    describe_error(ui, response, error);
}

/// Draws a small text below a box. Screen readers read the text without a change of the focus.
fn show_live(ui: &mut Ui, words: &str, ink: Color32) {
    ui.spacing_mut().item_spacing.y = 3.0;
    let shown = ui.add(Label::new(text::small(words).color(ink)).wrap());
    ui.ctx().accesskit_node_builder(shown.id, |node| {
        node.set_live(egui::accesskit::Live::Polite);
    });
}

/// Marks a box as invalid for screen readers, with the error as its description.
fn describe_error(ui: &Ui, response: &Response, error: &str) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(error);
        node.set_invalid(egui::accesskit::Invalid::True);
    });
}

/// Returns how many characters the field would have without its limit after this frame's input; `None` if nothing is
/// typed or pasted. Call before the field is drawn.
fn length_with_input(ui: &Ui, id: Id, text: &str) -> Option<usize> {
    let focused = ui.memory(|memory| memory.has_focus(id));
    let typed: usize = ui.input(|input| {
        let typed = input.events.iter().map(|event| match event {
            Event::Paste(text) | Event::Text(text) if focused => text.chars().count(),
            Event::MiddleClickPaste { text, .. } => text.chars().count(),
            _ => 0,
        });
        typed.sum()
    });
    if typed == 0 {
        return None;
    }
    let all = text.chars().count();
    let state = TextEdit::load_state(ui.ctx(), id);
    let range = state.and_then(|state| state.cursor.char_range());
    let selected = range.map_or(0, |range| {
        let [from, to] = range.sorted_cursors().map(|at| at.index.0.min(all));
        to - from
    });
    Some(all - selected + typed)
}

/// Warns that text of `wanted` characters was cut off, until the field's text changes, so that text is never cut off
/// silently. The warning is below the field or, without room for it, in a popup while the field has the focus.
fn warn_if_cut(
    ui: &mut Ui,
    response: &Response,
    text: &str,
    wanted: Option<usize>,
    limit: usize,
    has_room: bool,
) {
    let (id, hash) = (response.id.with("cut"), egui::util::hash(text));
    if wanted.is_some_and(|wanted| wanted > limit) && text.chars().count() >= limit {
        ui.data_mut(|data| data.insert_temp(id, hash));
    }
    let Some(cut) = ui.data(|data| data.get_temp::<u64>(id)) else {
        return;
    };
    if cut != hash {
        ui.data_mut(|data| data.remove::<u64>(id));
        return;
    }
    let words = format!("Too long: cut to {limit} characters");
    if has_room {
        show_live(ui, &words, palette(ui).warning);
    } else if response.has_focus() {
        let p = paint::palette_behind(response);
        Popup::from_response(response)
            .id(response.id.with("cut words"))
            .open(true)
            .align(RectAlign::BOTTOM_START)
            .gap(2.0)
            .frame(
                paint::frame(p.surface, p.warning, size::FIELD_RADIUS)
                    .inner_margin(Margin::symmetric(8, 4)),
            )
            .show(|ui| show_live(ui, &words, p.warning));
    }
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_description(words));
}

/// Text buffer that egui edits without reading the text. egui copies the text of a field several times in each
/// frame (to undo, to compare, to lay it out) and wipes none of the copies. Therefore egui gets only dots, and typed
/// or pasted text is wiped from the frame's input.
struct MaskedText<'a> {
    text: &'a mut String,
    dots: String,
}

impl<'a> MaskedText<'a> {
    fn new(text: &'a mut String) -> Self {
        let dots = dots(text);
        Self { text, dots }
    }
}

fn dots(text: &str) -> String {
    "•".repeat(text.chars().count())
}

impl TextBuffer for MaskedText<'_> {
    fn is_mutable(&self) -> bool {
        true
    }

    fn as_str(&self) -> &str {
        &self.dots
    }

    fn insert_text(&mut self, text: &str, at: CharIndex) -> usize {
        let count = self.text.insert_text(text, at);
        self.dots = dots(self.text);
        count
    }

    fn delete_char_range(&mut self, range: Range<CharIndex>) {
        self.text.delete_char_range(range);
        self.dots = dots(self.text);
    }

    /// Does nothing, because undo and redo would replace the secret with dots.
    fn replace_with(&mut self, _dots: &str) {}

    fn type_id(&self) -> TypeId {
        TypeId::of::<MaskedText<'static>>()
    }
}

/// Wipes the text typed or pasted in this frame. Call after the focused field has been drawn.
fn wipe_input(ui: &Ui) {
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
