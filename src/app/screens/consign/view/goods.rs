//! The card with the goods: a row of fields and badges for each line, with the open sub-form below its line.
//!
//! Rows out of sight are not drawn, except the focused row, its neighbours, and the first and last row, so
//! that Tab reaches every row. Every change of the goods can be undone.

mod columns;
mod history;
mod line_actions;
mod line_change;
mod menu;
mod row;
mod saved_item;
mod scan;

use std::ops::Range;

use egui::{Rect, Sense, Ui, pos2, vec2};
use rust_decimal::Decimal;

use super::form::Form;
use super::{customs, dangerous};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, kilograms};
use columns::{ColumnLayout, ROW, RowBadges};
use draft::{Draft, Field, GoodsField, GoodsTotals, SAVED_FIELDS};
use history::{History, Undone};
use line_actions::LineAction;
pub(super) use line_change::LineChange;
use row::{RowResponse, Rows};
use scan::Scanner;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::palette;
use widgets::{icons, text};

/// A sub-form of a goods line, with the index of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Panel {
    Dangerous(usize),
    Customs(usize),
}

impl Panel {
    /// Returns the index of the line.
    const fn line(self) -> usize {
        match self {
            Self::Dangerous(line) | Self::Customs(line) => line,
        }
    }

    /// Returns this kind of sub-form for another line.
    const fn with_line(self, line: usize) -> Self {
        match self {
            Self::Dangerous(_) => Self::Dangerous(line),
            Self::Customs(_) => Self::Customs(line),
        }
    }
}

/// State of the goods that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct GoodsState {
    /// The line that had the focus last.
    line: usize,
    /// The focused cell of that line; `None` if no cell has the focus, for example within a sub-form.
    cell: Option<GoodsField>,
    /// True while the focus is in the goods.
    focused: bool,
    /// True while the focus is on a row: in a cell, or on a badge or the menu button after the cells.
    row_focused: bool,
    /// Line changes that are still to be applied to fields remembered by line index.
    line_changes: Vec<LineChange>,
    panel: Option<Panel>,
    /// The sub-form that was drawn last, and its height in points.
    drawn: Option<(Panel, f32)>,
    /// True if the line is to be scrolled into view.
    scroll_to_line: bool,
    /// The line that a scan or an undo changed, which is highlighted.
    highlighted: Option<usize>,
    history: History,
    scanner: Scanner,
    dangerous: dangerous::DangerousState,
    customs: customs::CustomsState,
}

impl GoodsState {
    /// Returns the line that had the focus last.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    pub(super) const fn has_focus(&self) -> bool {
        self.focused
    }

    pub(super) fn is_newer_than_deletion(&self) -> bool {
        self.history.is_newer_than_deletion()
    }

    /// Records what changed in the goods since the last frame. Must be called before
    /// anything else changes them.
    pub(super) fn record_changes(&mut self, ui: &Ui, context: &Context<'_>, draft: &mut Draft) {
        let cell = ui.memory(egui::Memory::focused);
        let deleting = context.shared.deleting.as_ref();
        self.history.note_deletion(deleting.map(|one| one.at));
        if let Some(at) = self.history.record_changes(&draft.goods, cell)
            && !self.focused
        {
            // The change came from a scan into the field at the top of the window, or from a preset.
            self.highlighted = Some(at);
            self.line = at;
            self.scroll_to_line = true;
        }
        if dangerous::apply_only_entries(draft, &context.shared.un_numbers) {
            self.history.merge_into_last(&draft.goods);
        }
        let lines = draft.goods.len();
        self.line = self.line.min(lines.saturating_sub(1));
        self.panel = self.panel.filter(|panel| panel.line() < lines);
    }
}

/// Returns true for the fields of the goods. References are not among them, because they are
/// drawn with the options.
const fn is_of_goods(field: Field) -> bool {
    match field {
        Field::Goods(_, cell) => !matches!(cell, GoodsField::References),
        Field::Dg(..) | Field::Customs(_) | Field::Contents(..) => true,
        _ => false,
    }
}

/// Returns true if Escape closes the sub-form, because no dialog or list is in front of it. Must be called
/// before the sub-form is drawn.
pub(super) fn can_take_escape(ui: &Ui, context: &Context<'_>) -> bool {
    !context.is_dialog_open && !egui::Popup::is_any_open(ui.ctx())
}

/// Draws the goods.
pub(super) fn card(
    ui: &mut Ui,
    context: &mut Context<'_>,
    form: &mut Form<'_>,
    state: &mut GoodsState,
) {
    let summary = sum(&form.draft.totals());
    let (key, entry) = (Action::AddLine.key(), Action::AddLine.entry());
    let mut deed = None;
    let card = Card::new("Goods").icon(icons::ICON_PACKAGE_2).flush();
    let shown = card.show(
        ui,
        |ui| {
            let add = Button::new(entry.name).icon(entry.icon).key(&key).small();
            if ui.add(add).on_hover_text(entry.tooltip).clicked() {
                deed = Some((0, LineAction::Add));
            }
            ui.add(egui::Label::new(text::body(&summary).color(palette(ui).muted)).truncate());
        },
        |ui| lines(ui, context, form, state),
    );
    if let Some((at, deed)) = deed.or(shown.inner) {
        *form.focus_widget = Some(state.perform(context, form.draft, at, deed));
        ui.ctx().request_repaint();
    }
    state.focused =
        !context.is_dialog_open && (state.row_focused || form.focused.is_some_and(is_of_goods));
    if state.focused
        && state.cell.is_none()
        && let Some(panel) = state.panel
    {
        state.line = panel.line();
    }
}

/// Draws the rows with the open sub-form between them. Returns the action that was requested for a line.
fn lines(
    ui: &mut Ui,
    context: &mut Context<'_>,
    form: &mut Form<'_>,
    state: &mut GoodsState,
) -> Option<(usize, LineAction)> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let goods = &form.draft.goods;
    let marks = RowBadges {
        customs: form.draft.is_international()
            || goods.iter().any(|line| !line.contents.is_empty()),
        overrides: goods
            .iter()
            .any(|line| SAVED_FIELDS.iter().any(|field| line.overrides(*field))),
    };
    let places = ColumnLayout::of(ui.available_width(), marks);
    columns::header(ui, &places);
    let rows = Rows {
        places: &places,
        marks,
        panel: state.panel,
        items: &context.shared.items,
        highlighted: state.highlighted,
    };
    let count = goods.len();
    let open = state.panel.map_or(state.line, Panel::line);
    let split = (open + 1).min(count);
    (state.cell, state.row_focused) = (None, false);
    state.drawn = state.drawn.filter(|_| state.panel.is_some());
    let mut deed = some_rows(ui, form, state, &rows, 0..split);
    match state.panel {
        Some(panel) => {
            let closes = ui.push_id(panel.line(), |ui| match panel {
                Panel::Dangerous(line) => {
                    dangerous::panel(ui, context, form, line, &mut state.dangerous)
                }
                Panel::Customs(line) => customs::panel(ui, context, form, line, &mut state.customs),
            });
            state.keep_in_sight(ui, panel, closes.response.rect);
            if closes.inner {
                deed = Some((
                    panel.line(),
                    match panel {
                        Panel::Dangerous(_) => LineAction::Dangerous,
                        Panel::Customs(_) => LineAction::Customs,
                    },
                ));
            }
        }
        None if form
            .draft
            .goods
            .get(open)
            .is_some_and(saved_item::is_sku_ambiguous) =>
        {
            let chosen = saved_item::sku_choice(ui, &form.draft.goods[open]);
            deed = deed.or(chosen.map(|chosen| (open, chosen)));
        }
        None => {}
    }
    deed.or(some_rows(ui, form, state, &rows, split..count))
}

/// Draws a range of rows: those in sight, and those that Tab leads to.
fn some_rows(
    ui: &mut Ui,
    form: &mut Form<'_>,
    state: &mut GoodsState,
    rows: &Rows<'_>,
    range: Range<usize>,
) -> Option<(usize, LineAction)> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "there are some thousands of rows at most"
    )]
    let height = ROW * range.len() as f32;
    let (whole, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let clip = ui.clip_rect().expand(ROW);
    let (line, last) = (state.line, form.draft.goods.len().saturating_sub(1));
    let mut deed = None;
    for at in range.clone() {
        #[expect(
            clippy::cast_precision_loss,
            reason = "there are some thousands of rows at most"
        )]
        let top = whole.top() + ROW * (at - range.start) as f32;
        let rect = Rect::from_min_size(pos2(whole.left(), top), vec2(whole.width(), ROW));
        let in_sight = rect.bottom() >= clip.top() && rect.top() <= clip.bottom();
        if !in_sight && at.abs_diff(line) > 1 && at != 0 && at != last {
            continue;
        }
        let happened = rows.show(ui, form, at, rect);
        state.saw(ui, at, rect, &happened);
        deed = deed.or(happened.action.map(|deed| (at, deed)));
    }
    deed
}

impl GoodsState {
    /// Scrolls a sub-form that was opened or has grown into view together with its line, if there
    /// is room for both.
    fn keep_in_sight(&mut self, ui: &Ui, panel: Panel, rect: Rect) {
        let grew = |height: f32| (height - rect.height()).abs() > 1.0;
        if self
            .drawn
            .is_none_or(|(drawn, height)| drawn != panel || grew(height))
        {
            self.drawn = Some((panel, rect.height()));
            if rect.height() + ROW < ui.clip_rect().height() {
                let above = rect.min - vec2(0.0, ROW);
                ui.scroll_to_rect(Rect::from_min_max(above, rect.max), None);
            }
        }
    }

    /// Records what happened in a row.
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
