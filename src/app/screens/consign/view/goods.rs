//! The card with the goods: a row of fields and badges for each line, with the open sub-form below its line.
//!
//! Rows out of sight are not drawn, except the focused row, its neighbours, and the first and last row, so
//! that Tab reaches every row. Every change of the goods can be undone.

mod dangerous;
mod history;
mod line_actions;
mod row;
mod sub_form;
mod weighing;

use std::ops::Range;

use egui::{Label, Rect, Sense, Ui, pos2, vec2};
use rust_decimal::Decimal;

use super::form::Form;
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, kilograms};
use draft::{Draft, Field, GoodsField, GoodsTotals};
use history::History;
use line_actions::{LineAction, Scanner, override_count};
use row::{ColumnLayout, ROW, RowBadges, RowResponse, Rows};
use sub_form::{SubForm, SubFormState};
use weighing::WeighingState;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::palette;
use widgets::{icons, text};

/// State of the goods that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct GoodsState {
    /// The line that had the focus last.
    pub(super) line: usize,
    /// The focused cell of that line; `None` if no cell has the focus, for example within a sub-form.
    cell: Option<GoodsField>,
    /// True while the focus is in the goods.
    pub(super) focused: bool,
    /// True while the focus is on a row: in a cell, or on a badge or the menu button after the cells.
    row_focused: bool,
    /// The open sub-form.
    sub_form: Option<SubForm>,
    sub_forms: SubFormState,
    /// The sub-form that was drawn last, and its height in points.
    drawn: Option<(SubForm, f32)>,
    /// True if the line is to be scrolled into view.
    scroll_to_line: bool,
    /// The line that a scan or an undo changed, which is highlighted.
    highlighted: Option<usize>,
    history: History,
    scanner: Scanner,
    weighing: WeighingState,
}

impl GoodsState {
    pub(super) fn is_newer_than_deletion(&self) -> bool {
        self.history.is_newer_than_deletion()
    }

    /// Records what changed in the goods since the last frame. Must be called before
    /// anything else changes them.
    pub(super) fn record_changes(&mut self, ui: &Ui, context: &Context<'_>, draft: &mut Draft) {
        let cell = ui.memory(egui::Memory::focused);
        let deleting = context.shared.dispatch.deleting.as_ref();
        self.history.note_deletion(deleting.map(|one| one.at));
        if let Some(at) = self.history.record_changes(&draft.goods, cell)
            && !self.focused
        {
            // The change came from a scan into the field at the top of the window, or from a preset.
            self.highlighted = Some(at);
            self.line = at;
            self.scroll_to_line = true;
        }
        if dangerous::apply_only_entries(draft, &context.shared.catalogue.un_numbers) {
            self.history.merge_into_last(&draft.goods);
        }
        let lines = draft.goods.len();
        self.line = self.line.min(lines.saturating_sub(1));
        self.sub_form = self.sub_form.filter(|open| open.line < lines);
    }
}

/// Returns true for the fields that the goods card draws. References are drawn with the options instead.
const fn is_of_goods(field: Field) -> bool {
    match field {
        Field::Goods(_, cell) => !matches!(cell, GoodsField::References),
        Field::Dg(..) | Field::Customs(_) | Field::Contents(..) => true,
        _ => false,
    }
}

pub(super) fn card(ui: &mut Ui, form: &mut Form<'_>, state: &mut GoodsState) {
    let summary = sum(&form.draft.totals());
    let (key, entry) = (Action::AddLine.key(), Action::AddLine.entry());
    let mut asked = None;
    let card = Card::new("Goods").icon(icons::ICON_PACKAGE_2).flush();
    let shown = card.show(
        ui,
        |ui| {
            let add = Button::new(entry.name).icon(entry.icon).key(&key).small();
            if ui.add(add).on_hover_text(entry.tooltip).clicked() {
                asked = Some((0, LineAction::Add));
            }
            ui.add(Label::new(text::body(&summary).color(palette(ui).muted)).truncate());
        },
        |ui| lines(ui, form, state),
    );
    if let Some(asked) = asked.or(shown.inner) {
        let items = &form.shared.catalogue.items;
        state.perform(items, form.draft, form.focus, asked);
        ui.ctx().request_repaint();
    }
    state.focused =
        !form.is_dialog_open && (state.row_focused || form.focused.is_some_and(is_of_goods));
    if state.focused
        && state.cell.is_none()
        && let Some(sub_form) = state.sub_form
    {
        state.line = sub_form.line;
    }
}

/// Draws the rows with the open sub-form between them. Returns the action that was requested for a line.
fn lines(ui: &mut Ui, form: &mut Form<'_>, state: &mut GoodsState) -> Option<(usize, LineAction)> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let goods = &form.draft.goods;
    let marks = RowBadges {
        customs: form.draft.is_international()
            || goods.iter().any(|line| !line.contents.is_empty()),
        overrides: goods.iter().any(|line| override_count(line) > 0),
    };
    let places = ColumnLayout::of(ui.available_width(), marks);
    row::header(ui, &places);
    let rows = Rows {
        places: &places,
        marks,
        sub_form: state.sub_form,
        items: &form.shared.catalogue.items,
        highlighted: state.highlighted,
    };
    let count = goods.len();
    let open = state.sub_form.map_or(state.line, |open| open.line);
    let split = (open + 1).min(count);
    (state.cell, state.row_focused) = (None, false);
    state.drawn = state.drawn.filter(|_| state.sub_form.is_some());
    let mut asked = some_rows(ui, form, state, &rows, 0..split);
    if state.sub_form.is_none() || state.cell == Some(GoodsField::Weight) {
        state.reading(ui, form, &places);
    }
    if let Some(sub_form) = state.sub_form {
        let shown = ui.push_id(open, |ui| sub_form.show(ui, form, &mut state.sub_forms));
        state.keep_in_sight(ui, sub_form, shown.response.rect);
        if shown.inner {
            asked = Some((open, LineAction::SubForm(sub_form.kind)));
        }
    } else if let Some(line) = form.draft.goods.get(open)
        && row::is_sku_ambiguous(line)
    {
        let chosen = row::sku_choice(ui, line);
        asked = asked.or(chosen.map(|chosen| (open, chosen)));
    }
    asked.or(some_rows(ui, form, state, &rows, split..count))
}

/// Draws a range of rows: the visible rows, and the rows that Tab leads to.
fn some_rows(
    ui: &mut Ui,
    form: &mut Form<'_>,
    state: &mut GoodsState,
    rows: &Rows<'_>,
    range: Range<usize>,
) -> Option<(usize, LineAction)> {
    let height = ROW * range.len() as f32;
    let (whole, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let clip = ui.clip_rect().expand(ROW);
    let (line, last) = (state.line, form.draft.goods.len().saturating_sub(1));
    let mut asked = None;
    for at in range.clone() {
        let top = whole.top() + ROW * (at - range.start) as f32;
        let rect = Rect::from_min_size(pos2(whole.left(), top), vec2(whole.width(), ROW));
        let in_sight = rect.bottom() >= clip.top() && rect.top() <= clip.bottom();
        if !in_sight && at.abs_diff(line) > 1 && at != 0 && at != last {
            continue;
        }
        let happened = rows.show(ui, form, at, rect);
        state.saw(ui, at, rect, &happened);
        asked = asked.or(happened.action.map(|action| (at, action)));
    }
    asked
}

impl GoodsState {
    /// Scrolls a sub-form and its line into view if the sub-form was opened or its height changed, and if there is
    /// room for both.
    fn keep_in_sight(&mut self, ui: &Ui, sub_form: SubForm, rect: Rect) {
        let grew = |height: f32| (height - rect.height()).abs() > 1.0;
        if self
            .drawn
            .is_none_or(|(drawn, height)| drawn != sub_form || grew(height))
        {
            self.drawn = Some((sub_form, rect.height()));
            if rect.height() + ROW < ui.clip_rect().height() {
                let above = rect.min - vec2(0.0, ROW);
                ui.scroll_to_rect(Rect::from_min_max(above, rect.max), None);
            }
        }
    }

    /// Updates focus, highlight and scroll position after a row was drawn.
    fn saw(&mut self, ui: &Ui, at: usize, row: Rect, happened: &RowResponse) {
        self.row_focused |= happened.within;
        if let Some(cell) = happened.focused {
            self.cell = Some(cell);
            self.line = at;
        }
        if happened.gained_focus {
            self.line = at;
            if self.highlighted != Some(at) {
                self.highlighted = None;
            }
        }
        let followed = self.scroll_to_line && at == self.line;
        if followed {
            self.scroll_to_line = false;
        }
        if happened.gained_focus || followed {
            ui.scroll_to_rect(row.expand2(vec2(0.0, ROW)), None);
        }
    }
}

fn sum(summary: &GoodsTotals) -> String {
    let spaces = summary.spaces.normalize();
    let spaces = if spaces.is_zero() {
        String::new()
    } else if spaces == Decimal::ONE {
        " · 1 space".to_owned()
    } else {
        format!(" · {spaces} spaces")
    };
    let volume = summary.volume.0.round_dp(3).normalize();
    let pieces = counted(summary.pieces as usize, "piece", "pieces");
    let (weight, cubic) = (kilograms(summary.weight), kilograms(summary.cubic_weight));
    format!("{pieces} · {weight} kg · {volume} m³ · {cubic} kg cubic{spaces}")
}
