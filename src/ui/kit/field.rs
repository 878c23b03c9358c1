//! Text fields: the label above, the error below, the unit inside.
//!
//! What always holds: 30 points high whatever it holds; named by its label and described by its error for assistive
//! technology; entered by keyboard it selects all of its text, so that typing replaces it; Enter goes on to the next field.
//! What a text means is not known here: a number is text that its caller parses.

mod limit;
pub(super) mod parts;
mod secret;

use egui::{
    Align2, EventFilter, FontSelection, Frame, Id, Key, Margin, Modifiers, Response, Shape,
    TextBuffer, TextEdit, Ui, text::CCursorRange, vec2,
};

use super::tokens::{Palette, palette, size};
use super::{Icon, text};
use parts::{BoxState, describe, field_error, field_label, frame, go_on};
use secret::Masked;

/// What Enter does in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnEnter {
    /// Goes on to the next field, as Tab does: scanners end with Enter.
    #[default]
    Next,
    /// Keeps the focus here: for a box that takes scan after scan.
    Stay,
}

/// A text field.
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

/// What happened to a field in this frame.
#[derive(Debug)]
pub struct FieldResponse {
    /// Of the box that is typed into.
    pub response: Response,
    /// Enter was pressed in it.
    pub entered: bool,
}

impl FieldResponse {
    /// Was its text changed?
    pub fn changed(&self) -> bool {
        self.response.changed()
    }
}

impl<'a> Field<'a> {
    /// A field with its label.
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

    /// A field for a number: figures at the right end, before the unit.
    pub fn number(mut self) -> Self {
        self.right = true;
        self.limit = 32;
        self
    }

    /// What a screen reader calls it, where the label alone does not tell it from others.
    pub fn spoken(mut self, name: &'a str) -> Self {
        self.spoken = Some(name);
        self
    }

    /// No edge until it is used: for fields in rows.
    pub fn calm(mut self) -> Self {
        self.calm = true;
        self
    }

    /// Something is wrong with it that is said elsewhere.
    pub fn wrong(mut self, wrong: bool) -> Self {
        self.wrong = wrong;
        self
    }

    /// What is wrong with it, read out with it and shown elsewhere: for fields in rows.
    pub fn said_elsewhere(mut self, error: Option<&'a str>) -> Self {
        self.wrong = error.is_some();
        self.elsewhere = error;
        self
    }

    /// Entered by keyboard it goes on after its text instead of selecting it: for lists that are scanned into.
    pub fn keeps_text(mut self) -> Self {
        self.keeps_text = true;
        self
    }

    /// A known id, so that a problem elsewhere can lead here.
    pub fn id(mut self, id: Id) -> Self {
        self.id = Some(id);
        self
    }

    /// Shown while it is empty.
    pub fn hint(mut self, hint: &'a str) -> Self {
        self.hint = hint;
        self
    }

    /// After the text, within the box: a unit, a time zone.
    pub fn unit(mut self, unit: &'a str) -> Self {
        self.unit = unit;
        self
    }

    /// What is wrong with it, below the box and read out with it.
    pub fn error(mut self, error: Option<&'a str>) -> Self {
        self.error = error;
        self
    }

    /// With an icon before the text.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// With the cap of the key that leads to it.
    pub fn key(mut self, key: &'a str) -> Self {
        self.key = Some(key);
        self
    }

    /// In the font of ids and references.
    pub fn mono(mut self) -> Self {
        self.mono = true;
        self
    }

    /// Shown as dots.
    pub fn password(mut self) -> Self {
        self.password = true;
        self
    }

    /// At most so many characters; what is typed or pasted beyond that is left out, and that is said.
    pub fn limit(mut self, characters: usize) -> Self {
        self.limit = characters;
        self
    }

    /// Named by its label without showing it: in a table, or where an icon says as much.
    pub fn bare(mut self) -> Self {
        self.labelled = false;
        self
    }

    /// What Enter does.
    pub fn on_enter(mut self, on_enter: OnEnter) -> Self {
        self.on_enter = on_enter;
        self
    }

    /// Keeps Escape, while a list is open that it closes.
    pub(super) fn keep_escape(mut self, keep: bool) -> Self {
        self.filter.escape = keep;
        self
    }

    /// The id that it will have in `ui`.
    pub fn id_in(&self, ui: &Ui) -> Id {
        self.id
            .unwrap_or_else(|| ui.make_persistent_id(("field", self.label)))
    }

    /// Draws it as wide as there is room.
    pub fn show(mut self, ui: &mut Ui) -> FieldResponse {
        self.draw(ui)
    }

    /// Draws it, and answers its text as it is after this frame's typing.
    pub(super) fn show_with_text(mut self, ui: &mut Ui) -> (FieldResponse, &'a str) {
        let shown = self.draw(ui);
        (shown, self.text)
    }

    fn draw(&mut self, ui: &mut Ui) -> FieldResponse {
        let id = self.id_in(ui);
        let (label, error, labelled) = (self.label, self.error, self.labelled);
        let spoken = self.spoken;
        let shown = ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let label_id = labelled.then(|| field_label(ui, label, id));
            let coming = limit::Coming::before(ui, id, self.text);
            let shown = self.edit(ui, id);
            let response = match (label_id, spoken) {
                (Some(label_id), None) => shown.response.labelled_by(label_id),
                (_, spoken) => shown.response.accessible_name(spoken.unwrap_or(label)),
            };
            coming.after(ui, &response, self.text, self.limit, labelled);
            field_error(ui, &response, error);
            if let Some(error) = self.elsewhere {
                describe(ui, &response, error);
            }
            FieldResponse { response, ..shown }
        });
        shown.inner
    }

    fn edit(&mut self, ui: &mut Ui, id: Id) -> FieldResponse {
        let p = palette(ui);
        let behind = ui.painter().add(Shape::Noop);
        let entered = ui.memory(|memory| memory.has_focus(id))
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        if entered && self.on_enter == OnEnter::Next {
            go_on(ui);
        }
        let cap = self
            .key
            .map_or(0.0, |key| super::keys::width(ui, key) + 8.0);
        let enabled = ui.is_enabled();
        let had_focus = ui.memory(|memory| memory.has_focus(id));
        let mut masked;
        let buffer: &mut dyn TextBuffer = if self.password {
            masked = Masked::new(self.text);
            &mut masked
        } else {
            &mut *self.text
        };
        let mut edit = TextEdit::singleline(buffer)
            .id(id)
            .frame(Frame::new().inner_margin(margin(cap)))
            .font(FontSelection::FontId(if self.mono {
                text::mono_font()
            } else {
                text::body_font()
            }))
            .text_color(if enabled { p.text } else { p.muted })
            .hint_text(self.hint.to_owned())
            .password(self.password)
            .char_limit(self.limit)
            .align(if self.right {
                Align2::RIGHT_CENTER
            } else {
                Align2::LEFT_CENTER
            })
            .desired_width(ui.available_width())
            .min_size(vec2(0.0, size::FIELD))
            .event_filter(self.filter);
        edit = dress(edit, self.icon, self.unit, p);
        let mut response = edit.show(ui).response.response;
        if self.password && (had_focus || response.changed()) {
            secret::wipe_input(ui);
        }
        response.rect.set_height(size::FIELD);
        if response.gained_focus() {
            // Tab also leads to what is scrolled out of sight.
            ui.scroll_to_rect(response.rect, None);
            if !ui.input(|input| input.pointer.any_down() || input.pointer.any_released()) {
                select(ui.ctx(), id, self.keeps_text);
            }
        }
        ui.painter().set(
            behind,
            frame(
                p,
                response.rect,
                BoxState {
                    calm: self.calm,
                    ..BoxState::of(&response, enabled, self.wrong || self.error.is_some())
                },
            ),
        );
        if let Some(key) = self.key {
            let at = response.rect.right_center() - vec2(cap, 0.0);
            super::keys::paint(ui, ui.painter(), at, key, super::keys::CapColors::plain(ui));
        }
        FieldResponse { response, entered }
    }
}

/// Room at the sides of the text, and for the key cap after it.
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

/// The icon before the text and the unit after it.
fn dress<'t>(mut edit: TextEdit<'t>, icon: Option<Icon>, unit: &str, p: &Palette) -> TextEdit<'t> {
    if let Some(icon) = icon {
        edit = edit.prefix(text::icon(icon, size::ICON).color(p.muted));
    }
    if !unit.is_empty() {
        edit = edit.suffix(text::body(unit).color(p.muted));
    }
    edit
}

/// Says what is wrong with something that is no field, below it.
pub fn say_error(ui: &mut Ui, response: &Response, error: &str) {
    field_error(ui, response, Some(error));
}

/// Goes on typing after all of a field's text: for one whose text was just put there.
pub fn cursor_to_end(ctx: &egui::Context, id: Id) {
    select(ctx, id, true);
}

/// Selects all of a field's text, as arriving by keyboard does, or none of it at its end.
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
