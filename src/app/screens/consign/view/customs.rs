//! The customs sub-form below a goods line: the contents, their values and the totals.

mod row;

use std::collections::HashSet;

use egui::{Align, Frame, Layout, Margin, Ui};
use rust_decimal::Decimal;

use super::form::Form;
use super::id;
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use draft::{ContentsField, ContentsLine, Draft, Field, GoodsLine};
use widgets::button::Button;
use widgets::card::rule;
use widgets::modal::consume_escape;
use widgets::tokens::palette;
use widgets::{icons, text};

/// State of the customs sub-form that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct CustomsState {
    /// Contents whose rarely used fields are unfolded, as (goods line, index).
    unfolded: HashSet<(usize, usize)>,
}

impl CustomsState {
    /// Folds all fields, because the goods lines were removed, inserted or moved and the indices are stale.
    pub(super) fn forget(&mut self) {
        self.unfolded.clear();
    }

    /// Unfolds the rarely used fields if `field` is one of them.
    pub(super) fn unfold(&mut self, line: usize, at: usize, field: ContentsField) {
        if row::RARE.iter().any(|(rare, ..)| *rare == field) {
            self.unfolded.insert((line, at));
        }
    }
}

/// Adds an empty contents row if the line has none.
pub(super) fn add_first_row(draft: &mut Draft, line: usize) {
    if let Some(goods) = draft.goods.get_mut(line)
        && goods.contents.is_empty()
    {
        goods.contents.push(ContentsLine::default());
    }
}

/// Adds an empty contents row and returns its first field.
pub(super) fn add_row(draft: &mut Draft, line: usize) -> Field {
    let contents = &mut draft.goods[line].contents;
    contents.push(ContentsLine::default());
    Field::Contents(line, contents.len() - 1, ContentsField::Description)
}

/// Removes contents rows that nothing was typed into. Returns true if any was removed.
pub(super) fn remove_empty_rows(draft: &mut Draft, line: usize) -> bool {
    let Some(goods) = draft.goods.get_mut(line) else {
        return false;
    };
    let before = goods.contents.len();
    goods.contents.retain(is_typed);
    goods.contents.len() != before
}

/// Draws the sub-form. Returns true if it is to be closed.
pub(super) fn panel(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    line: usize,
    state: &mut CustomsState,
) -> bool {
    let p = palette(ui);
    let escapes = super::goods::can_take_escape(ui, context);
    let frame = Frame::new().fill(p.raised).inner_margin(Margin::same(14));
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 8.0;
        let mut closes = head(ui, form, line);
        if !form.draft.is_international() {
            let words = "Customs details are sent only for international consignments, so these won't be sent";
            ui.add(egui::Label::new(text::small(words).color(p.muted)).wrap());
        }
        let mut removed = None;
        for at in 0..form.draft.goods[line].contents.len() {
            if at > 0 {
                rule(ui);
            }
            ui.push_id(at, |ui| {
                if row::show(ui, form, line, at, &mut state.unfolded) {
                    removed = Some(at);
                }
            });
        }
        if let Some(at) = removed {
            form.draft.goods[line].contents.remove(at);
            form.touched
                .retain(|field| !matches!(field, Field::Contents(of, ..) if *of == line));
            state.forget();
            closes |= form.draft.goods[line].contents.is_empty();
        }
        foot(ui, form, line);
        closes | (escapes && consume_escape(ui))
    });
    shown.inner
}

fn head(ui: &mut Ui, form: &mut Form<'_>, line: usize) -> bool {
    let p = palette(ui);
    let mut closes = false;
    ui.horizontal(|ui| {
        text::decorative_icon(ui, icons::ICON_PUBLIC, 18.0, p.accent);
        ui.label(text::strong(format!("Customs for line {}", line + 1)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            closes = ui.add(Button::quiet("Close").key("Esc").small()).clicked();
            let key = Action::AddSubRow.key();
            let button = Button::quiet("Add contents").icon(icons::ICON_ADD);
            if ui.add(button.key(&key).small()).clicked() {
                *form.focus_widget = Some(id(add_row(form.draft, line)));
            }
            let goods = &form.draft.goods[line];
            let words = text::body(goods.name.trim()).color(p.muted);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(words).truncate());
            });
        });
    });
    closes
}

/// Draws the buttons that copy contents between lines, and the totals.
fn foot(ui: &mut Ui, form: &mut Form<'_>, line: usize) {
    let p = palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let goods = &mut form.draft.goods;
        if line > 0 && goods[line - 1].contents.iter().any(is_typed) {
            let copy = Button::quiet("Copy from line above").icon(icons::ICON_CONTENT_COPY);
            if ui.add(copy.small()).clicked() {
                goods[line].contents = goods[line - 1].contents.clone();
                let first = Field::Contents(line, 0, ContentsField::Description);
                *form.focus_widget = Some(id(first));
            }
        }
        if goods.len() > 1 && goods[line].contents.iter().any(is_typed) {
            let copy = Button::quiet("Copy to all lines").icon(icons::ICON_CONTENT_COPY);
            if ui.add(copy.small()).clicked() {
                let contents = goods[line].contents.clone();
                for other in goods.iter_mut() {
                    other.contents.clone_from(&contents);
                }
            }
        }
        let words = totals(&form.draft.goods, line);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(egui::Label::new(text::small(words).color(p.muted)).truncate());
        });
    });
}

fn is_typed(contents: &ContentsLine) -> bool {
    *contents != ContentsLine::default()
}

/// Formats the units and value declared for this line, and the value of all lines.
fn totals(goods: &[GoodsLine], line: usize) -> String {
    let (units, value) = goods[line].customs_totals();
    let value = value.0;
    let pieces = goods[line].count().unwrap_or(0);
    let all = goods.iter().fold(Decimal::ZERO, |sum, line| {
        let pieces = Decimal::from(line.count().unwrap_or(0));
        sum.saturating_add(line.customs_totals().1.0.saturating_mul(pieces))
    });
    let units = counted(units as usize, "unit", "units");
    let pieces = counted(pieces as usize, "item", "items");
    format!("{units} and {value:.2} AUD in each of {pieces} · {all:.2} AUD in all lines")
}
