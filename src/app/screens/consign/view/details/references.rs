//! The delegated references of the goods: one for each piece, scanned one after another or pasted as a list.
//!
//! Only visible lines are drawn. A reference that is already there is reported and not added again.

use std::collections::HashSet;

use egui::{Align, Label, Layout, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};

use super::super::form::{FieldOptions, Form};
use super::super::id;
use super::heading;
use draft::{Draft, Field, GoodsField, GoodsLine, reference_list};
use widgets::badge::Badge;
use widgets::field;
use widgets::text;
use widgets::tokens::{Tone, palette, size};

const ROW: f32 = 36.0;
/// Number of lines that are visible at once.
const IN_SIGHT: usize = 5;

/// State of the list that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct ReferencesState {
    /// Message about the last scan; empty if there is none.
    message: String,
    /// The line to scroll to.
    pub(super) scroll_to: Option<usize>,
}

/// Returns the references field of the next line that has fewer references than pieces.
///
/// Searches from `line` to the end, then from the beginning. If no line lacks references, returns `line`.
pub(in crate::screens::consign::view) fn next_incomplete(draft: &Draft, line: usize) -> Field {
    let short = |line: &GoodsLine| pieces(line).is_some_and(|of| line.references().count() < of);
    let mut lacking = draft
        .goods
        .iter()
        .enumerate()
        .filter(|(_, line)| short(line));
    let first = lacking.clone().next();
    let next = lacking.find(|(at, _)| *at >= line).or(first);
    Field::Goods(next.map_or(line, |(at, _)| at), GoodsField::References)
}

/// Returns the number of pieces of a line, if its quantity is known.
fn pieces(line: &GoodsLine) -> Option<usize> {
    line.count()?.try_into().ok()
}

pub(super) fn show(ui: &mut Ui, form: &mut Form<'_>, state: &mut ReferencesState) {
    heading(
        ui,
        "Item references, one per piece: scan them or paste a list",
    );
    let lines = form.draft.goods.len();
    let height = ROW * f32::from(u8::try_from(lines.min(IN_SIGHT)).unwrap_or(u8::MAX));
    let mut area = ScrollArea::vertical()
        .id_salt("references")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, true]);
    let led_to = state.scroll_to.take();
    if let Some(line) = led_to {
        area = area.vertical_scroll_offset(top_of(line.saturating_sub(1)));
    }
    let shown = area.show_viewport(ui, |ui, seen| {
        ui.set_height(top_of(lines));
        let origin = ui.min_rect().min;
        // One more row is drawn at both ends, because Tab and Shift+Tab only reach rows that are drawn.
        for line in 0..lines {
            let top = top_of(line);
            if top + 2.0 * ROW < seen.top() || top - ROW > seen.bottom() {
                continue;
            }
            let rect = Rect::from_min_size(
                pos2(origin.x, origin.y + top),
                vec2(ui.available_width(), ROW),
            );
            let builder = UiBuilder::new().max_rect(rect).id_salt(("line", line));
            row(&mut ui.new_child(builder), form, state, line);
        }
    });
    if led_to.is_some() {
        ui.scroll_to_rect(shown.inner_rect, None);
    }
    if !state.message.is_empty() {
        let words = text::small(&state.message).color(palette(ui).warning);
        let shown = ui.add(Label::new(words).wrap());
        ui.ctx().accesskit_node_builder(shown.id, |node| {
            node.set_live(egui::accesskit::Live::Polite);
        });
    }
}

fn top_of(line: usize) -> f32 {
    line as f32 * ROW
}

fn row(ui: &mut Ui, form: &mut Form<'_>, state: &mut ReferencesState, line: usize) {
    let rect = ui.max_rect();
    let name_width = (rect.width() * 0.28).min(240.0);
    let count_width = 76.0;
    let part = |left: f32, right: f32| {
        let (left, right) = (rect.left() + left, rect.left() + right);
        Rect::from_min_max(
            pos2(left, rect.top() + 3.0),
            pos2(right, rect.bottom() - 3.0),
        )
    };
    let goods = &form.draft.goods[line];
    let words = format!("{} {}", line + 1, goods.name.trim());
    let (count, of) = (goods.references().count(), pieces(goods));
    let mut cell = |rect, layout| ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    let mut name = cell(part(0.0, name_width), Layout::left_to_right(Align::Center));
    name.add(Label::new(text::body(words)).truncate());
    let end = part(rect.width() - count_width, rect.width() - 4.0);
    counter(
        &mut cell(end, Layout::right_to_left(Align::Center)),
        count,
        of,
    );
    let middle = part(name_width + size::GRID, rect.width() - count_width);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(middle));
    scanned(&mut ui, form, state, line, count);
}

fn counter(ui: &mut Ui, count: usize, of: Option<usize>) {
    let (tone, words) = match (count, of) {
        (0, Some(of)) => (Tone::Neutral, format!("0 of {of}")),
        (count, Some(of)) if count == of => (Tone::Ok, format!("{count} of {of}")),
        (count, Some(of)) => (Tone::Warning, format!("{count} of {of}")),
        (count, None) => (Tone::Neutral, count.to_string()),
    };
    let name = format!("References: {words}");
    Badge::new(tone, &words).name(&name).show(ui);
}

/// Draws the field that references are scanned into. Enter ends a reference and waits for the next reference,
/// or moves on once the line has all its references.
fn scanned(
    ui: &mut Ui,
    form: &mut Form<'_>,
    state: &mut ReferencesState,
    line: usize,
    count: usize,
) {
    let here = Field::Goods(line, GoodsField::References);
    let options = FieldOptions {
        scans: true,
        ..FieldOptions::default()
    };
    let shown = form.text_with(ui, here, options);
    if shown.changed() {
        state.message.clear();
    }
    let is_done = shown.entered || shown.response.lost_focus();
    if is_done && let Some(message) = remove_duplicates(&mut form.draft.goods, line) {
        state.message = message;
    }
    if shown.entered {
        set_apart(&mut form.draft.goods[line].references);
        field::cursor_to_end(ui.ctx(), id(here));
        let goods = &form.draft.goods[line];
        let (now, of) = (goods.references().count(), pieces(goods));
        let nothing_new = now == count && state.message.is_empty() && now == 0;
        if of.is_some_and(|of| now >= of) || nothing_new {
            // After the last line the focus leaves the list.
            let next = line + 1;
            if next < form.draft.goods.len() {
                state.scroll_to = Some(next);
                form.focus_field(ui, Field::Goods(next, GoodsField::References));
            } else {
                form.focus_field(ui, Field::Goods(0, GoodsField::Name));
            }
        }
    }
    if let Some(error) = form.error(here) {
        shown.response.on_hover_text(error);
    }
}

/// Removes references that are already in the goods. Returns a message about the last duplicate, if there is one.
fn remove_duplicates(goods: &mut [GoodsLine], line: usize) -> Option<String> {
    let typed = std::mem::take(&mut goods[line].references);
    let mut known: HashSet<&str> = goods.iter().flat_map(GoodsLine::references).collect();
    let list = reference_list(&typed);
    let (new, duplicates): (Vec<_>, Vec<_>) = list.partition(|reference| known.insert(*reference));
    let last = duplicates.last();
    let message = last.map(|one| format!("{one} is already in the list, so it wasn't added again"));
    // Without duplicates the text stays exactly as typed.
    goods[line].references = match &message {
        None => typed,
        Some(_) => new
            .into_iter()
            .flat_map(|reference| [reference, " "])
            .collect(),
    };
    message
}

/// Appends a space, so that the next scan does not run into this reference.
fn set_apart(references: &mut String) {
    if !references.is_empty() && !references.ends_with(char::is_whitespace) {
        references.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(references: &str) -> GoodsLine {
        GoodsLine {
            references: references.to_owned(),
            ..GoodsLine::default()
        }
    }

    #[test]
    fn a_list_is_taken_apart_and_what_is_in_it_twice_is_told() {
        let mut goods = [line("A1"), line("B1,B2;B1  A1\tB3")];
        let told = remove_duplicates(&mut goods, 1);
        assert_eq!(goods[1].references, "B1 B2 B3 ");
        let wanted = "A1 is already in the list, so it wasn't added again";
        assert_eq!(told.as_deref(), Some(wanted));
        assert_eq!(remove_duplicates(&mut goods, 1), None);
        assert_eq!(goods[1].references, "B1 B2 B3 ");
    }

    #[test]
    fn a_list_that_needs_nothing_stays_as_it_was_typed() {
        let mut goods = [line("a\nb")];
        assert_eq!(remove_duplicates(&mut goods, 0), None);
        assert_eq!(goods[0].references, "a\nb");
        set_apart(&mut goods[0].references);
        assert_eq!(goods[0].references, "a\nb ");
    }
}
