//! The warning that typed or pasted text exceeded a field's limit. It stays until the field's text changes,
//! so that text is never cut off silently.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::text_edit::TextEditState;
use egui::{Event, Frame, Id, Margin, Popup, RectAlign, Response, Stroke, Ui};

use super::super::tokens::{palette, palette_for, size};
use super::box_parts::show_live;

/// Input of this frame that is about to go into a field.
pub(super) struct PendingInput {
    /// Number of characters typed or pasted, and number of existing characters that
    /// stay (those not selected).
    characters: Option<(usize, usize)>,
}

/// Hash of the text that remained in the field when input was cut off.
#[derive(Debug, Clone, Copy)]
struct CutMark(u64);

impl PendingInput {
    /// Counts this frame's input. Call before the field is drawn.
    pub(super) fn before(ui: &Ui, id: Id, text: &str) -> Self {
        let focused = ui.memory(|memory| memory.has_focus(id));
        let typed = ui.input(|input| {
            let typed = input.events.iter().map(|event| match event {
                Event::Paste(text) | Event::Text(text) if focused => text.chars().count(),
                Event::MiddleClickPaste { text, .. } => text.chars().count(),
                _ => 0,
            });
            typed.sum::<usize>()
        });
        let characters = (typed > 0).then(|| {
            let all = text.chars().count();
            let selected = TextEditState::load(ui.ctx(), id)
                .and_then(|state| state.cursor.char_range())
                .map_or(0, |range| {
                    let [from, to] = range.sorted_cursors().map(|at| at.index.0.min(all));
                    to - from
                });
            (typed, all - selected)
        });
        Self { characters }
    }

    /// Shows the warning if input was cut off: below the field or, without room for it, in a popup while the
    /// field has the focus.
    pub(super) fn after(
        self,
        ui: &mut Ui,
        response: &Response,
        text: &str,
        limit: usize,
        has_room: bool,
    ) {
        let id = response.id.with("cut");
        let fits = self
            .characters
            .is_none_or(|(typed, kept)| typed + kept <= limit);
        if !fits && text.chars().count() >= limit {
            ui.data_mut(|data| data.insert_temp(id, CutMark(stamp(text))));
        }
        let Some(CutMark(cut)) = ui.data(|data| data.get_temp(id)) else {
            return;
        };
        if cut != stamp(text) {
            ui.data_mut(|data| data.remove::<CutMark>(id));
            return;
        }
        let words = format!("Too long: cut to {limit} characters");
        if has_room {
            show_live(ui, &words, palette(ui).warning);
        } else if response.has_focus() {
            show_popup(response, &words);
        }
        ui.ctx()
            .accesskit_node_builder(response.id, |node| node.set_description(words));
    }
}

fn show_popup(response: &Response, words: &str) {
    let p = palette_for(response.ctx.global_style().visuals.dark_mode);
    Popup::from_response(response)
        .id(response.id.with("cut words"))
        .open(true)
        .align(RectAlign::BOTTOM_START)
        .gap(2.0)
        .frame(
            Frame::new()
                .fill(p.surface)
                .stroke(Stroke::new(1.0, p.warning))
                .corner_radius(size::FIELD_RADIUS)
                .inner_margin(Margin::symmetric(8, 4)),
        )
        .show(|ui| show_live(ui, words, p.warning));
}

fn stamp(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
