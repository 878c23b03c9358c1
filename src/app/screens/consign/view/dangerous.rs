//! The dangerous goods sub-form below a goods line.
//!
//! Invariant: UN number, shipping name, packing group and classes come together from one entry of the
//! service's lookup. Class and packing group are typed separately only while the lookup is not available.

mod dg_item;
mod entry;
mod packaging;

use std::collections::HashMap;
use std::collections::HashSet;

use egui::{Align, Frame, Layout, Margin, Ui};

use super::form::Form;
use super::id;
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::{DgField, DgLine, Draft, Field};
use shipping::{DgClass, UnLookupEntry, UnNumber};
use widgets::badge::dangerous_mark;
use widgets::button::Button;
use widgets::card::rule;
use widgets::checkbox::checkbox;
use widgets::modal::consume_escape;
use widgets::tokens::palette;
use widgets::{icons, text};

/// State of the dangerous goods sub-form that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct DangerousState {
    /// The DG item, as (goods line, index), that the clerk switched to a saved DG item whose id
    /// is not typed yet.
    stored: Option<(usize, usize)>,
    /// DG items whose rarely used fields are unfolded, as (goods line, index).
    unfolded: HashSet<(usize, usize)>,
}

impl DangerousState {
    /// Resets the state, because the goods lines were removed, inserted or moved and the indices are stale.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Shows all fields of a DG item.
    pub(super) fn unfold(&mut self, line: usize, good: usize) {
        self.unfolded.insert((line, good));
    }
}

/// Adds an empty DG item if the line has none.
pub(super) fn add_first_item(draft: &mut Draft, line: usize) {
    if let Some(goods) = draft.goods.get_mut(line)
        && goods.dangerous.is_empty()
    {
        goods.dangerous.push(DgLine::default());
    }
}

/// Removes DG items that nothing was typed into. Returns true if any was removed.
pub(super) fn remove_empty_items(draft: &mut Draft, line: usize) -> bool {
    let Some(goods) = draft.goods.get_mut(line) else {
        return false;
    };
    let before = goods.dangerous.len();
    goods.dangerous.retain(|good| *good != DgLine::default());
    goods.dangerous.len() != before
}

/// Adds an empty DG item and returns its first field.
pub(super) fn add_item(draft: &mut Draft, line: usize) -> Field {
    let goods = &mut draft.goods[line].dangerous;
    goods.push(DgLine::default());
    Field::Dg(line, goods.len() - 1, DgField::UnNumber)
}

/// Returns the first field of the sub-form.
pub(super) fn first_field(draft: &Draft, line: usize) -> Field {
    let stored = draft.goods[line]
        .dangerous
        .first()
        .is_some_and(|good| !good.stored.trim().is_empty());
    let first = if stored {
        DgField::Stored
    } else {
        DgField::UnNumber
    };
    Field::Dg(line, 0, first)
}

/// Applies the lookup entries that leave no choice, once the service has returned them. Returns true if any
/// was applied.
pub(super) fn apply_only_entries(
    draft: &mut Draft,
    un_numbers: &HashMap<UnNumber, Vec<UnLookupEntry>>,
) -> bool {
    let mut settled = false;
    for good in draft.goods.iter_mut().flat_map(|line| &mut line.dangerous) {
        settled |= entry::apply_only_entry(good, un_numbers);
    }
    settled
}

/// Draws the sub-form. Returns true if it is to be closed.
pub(super) fn panel(
    ui: &mut Ui,
    context: &mut Context<'_>,
    form: &mut Form<'_>,
    line: usize,
    state: &mut DangerousState,
) -> bool {
    let p = palette(ui);
    let escapes = super::goods::can_take_escape(ui, context);
    let frame = Frame::new().fill(p.raised).inner_margin(Margin::same(14));
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 8.0;
        let mut closes = head(ui, form, line);
        let mut removed = None;
        for at in 0..form.draft.goods[line].dangerous.len() {
            if at > 0 {
                rule(ui);
            }
            ui.push_id(at, |ui| {
                let mut good = dg_item::DgItemForm {
                    form,
                    line,
                    at,
                    un_numbers: &context.shared.un_numbers,
                };
                if good.show(ui, state) {
                    removed = Some(at);
                }
            });
        }
        if let Some(at) = removed {
            form.draft.goods[line].dangerous.remove(at);
            form.touched
                .retain(|field| !matches!(field, Field::Dg(of, ..) if *of == line));
            state.forget();
            closes |= form.draft.goods[line].dangerous.is_empty();
        }
        closes | (escapes && consume_escape(ui))
    });
    shown.inner
}

fn head(ui: &mut Ui, form: &mut Form<'_>, line: usize) -> bool {
    let p = palette(ui);
    let mut closes = false;
    ui.horizontal(|ui| {
        dangerous_mark(ui);
        ui.label(text::strong(format!(
            "Dangerous goods in line {}",
            line + 1
        )));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            closes = ui.add(Button::quiet("Close").key("Esc").small()).clicked();
            let key = Action::AddSubRow.key();
            let button = Button::quiet("Add DG item").icon(icons::ICON_ADD);
            if ui.add(button.key(&key).small()).clicked() {
                *form.focus_widget = Some(id(add_item(form.draft, line)));
            }
            let classes: Vec<&str> = form.draft.goods[line]
                .dangerous
                .iter()
                .filter_map(|good| good.class.map(DgClass::label))
                .collect();
            let classes = text::body(classes.join(", ")).color(p.muted);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(classes).truncate());
            });
        });
    });
    if form.draft.goods[line].is_saved() {
        let goods = &mut form.draft.goods[line];
        let mut own = goods.saved_item_has_dangerous_goods();
        checkbox(
            ui,
            &mut own,
            "The saved item already includes dangerous goods",
        );
        if own != goods.saved_item_has_dangerous_goods() {
            goods.saved_dangerous = Some(own);
        }
    }
    closes
}
