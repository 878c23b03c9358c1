//! One row of the goods: the cells, badges and menu of a line.

use std::sync::LazyLock;

use egui::{Align, Id, Layout, Rect, Response, Stroke, Ui, UiBuilder, vec2};

use super::super::form::{FieldOptions, Form};
use super::super::id;
use super::columns::{Column, ColumnLayout, ROW, RowBadges};
use super::line_actions::LineAction;
use super::{Panel, menu, saved_item};
use draft::{Field, GoodsField, GoodsLine, ItemSource, SAVED_FIELDS, SavedItem};
use shipping::ItemType;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::icons;
use widgets::select::Select;
use widgets::tokens::{Tone, palette, size};

/// Item types for a line with a saved item. The first entry keeps the type of the saved item.
static KINDS_OF_SAVED: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let own = std::iter::once("As saved");
    own.chain(ItemType::NAMES.iter().copied()).collect()
});

/// Values that all rows share.
pub(super) struct Rows<'a> {
    pub(super) places: &'a ColumnLayout,
    pub(super) marks: RowBadges,
    pub(super) panel: Option<Panel>,
    /// Saved items that are known on this bench.
    pub(super) items: &'a [SavedItem],
    /// The line that a scan or an undo changed last.
    pub(super) highlighted: Option<usize>,
}

/// The focus in a row, and the action that was requested there, in this frame.
#[derive(Debug, Default)]
pub(super) struct RowResponse {
    pub(super) focused: Option<GoodsField>,
    /// True if any part of the row has the focus.
    pub(super) within: bool,
    /// True if a part of the row has just received the focus.
    pub(super) gained_focus: bool,
    pub(super) action: Option<LineAction>,
}

impl RowResponse {
    fn add(&mut self, response: &Response) {
        self.within |= response.has_focus();
        self.gained_focus |= response.has_focus() && response.gained_focus();
    }
}

impl Rows<'_> {
    /// Draws a row.
    pub(super) fn show(
        &self,
        ui: &mut Ui,
        form: &mut Form<'_>,
        at: usize,
        rect: Rect,
    ) -> RowResponse {
        let p = palette(ui);
        let opened = self.panel.is_some_and(|panel| panel.line() == at);
        if opened || self.highlighted == Some(at) {
            ui.painter().rect_filled(rect, 0.0, p.accent_weak);
            let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
            ui.painter().rect_filled(bar, 0.0, p.accent);
        }
        ui.painter().hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, p.border),
        );
        let mut happened = RowResponse::default();
        for (cell, column) in self.places.cells(rect) {
            let inner = cell.shrink2(vec2(0.0, (ROW - size::FIELD) / 2.0));
            let mut ui = ui.new_child(
                UiBuilder::new()
                    .max_rect(inner)
                    .scope_id(part(at, column.name)),
            );
            let response = self.cell(&mut ui, form, at, column);
            if response.has_focus() {
                happened.focused = Some(column.field);
            }
            happened.add(&response);
        }
        let mut ui = ui.new_child(
            UiBuilder::new()
                .max_rect(self.places.end(rect))
                .scope_id(part(at, "end"))
                .layout(Layout::right_to_left(Align::Center)),
        );
        self.end(&mut ui, form, at, &mut happened);
        happened
    }

    fn cell(&self, ui: &mut Ui, form: &mut Form<'_>, line: usize, column: Column) -> Response {
        let goods = &form.draft.goods[line];
        let field = match (column.field, goods.source) {
            (GoodsField::Sku, ItemSource::Id) => GoodsField::SavedId,
            (field, _) => field,
        };
        let at = Field::Goods(line, field);
        let overrides = goods.overrides(field);
        let label = saved_item::label(goods, line, field, column.name);
        let error = form.error(at);
        let response = match field {
            GoodsField::Type => kind(ui, form, line, &label),
            GoodsField::Sku | GoodsField::SavedId => {
                saved_item::cell(ui, form, line, field, &label, self.items)
            }
            field => {
                let hint = hint(goods, field);
                let look = FieldOptions {
                    hint: &hint,
                    in_row: true,
                    number: column.is_number(),
                    ..FieldOptions::default()
                };
                let shown = form.text(
                    ui,
                    &label,
                    at,
                    |draft| string(&mut draft.goods[line], field),
                    look,
                );
                shown.response
            }
        };
        if overrides {
            saved_item::mark(ui, response.rect);
        }
        let words = error.map_or_else(
            || overrides.then(|| saved_item::tip(&form.draft.goods[line], field)),
            |error| Some(error.to_owned()),
        );
        match words {
            Some(words) => response.on_hover_text(words),
            None => response,
        }
    }

    /// Draws the badges and the menu, from right to left.
    fn end(&self, ui: &mut Ui, form: &mut Form<'_>, at: usize, happened: &mut RowResponse) {
        ui.spacing_mut().item_spacing.x = 2.0;
        let name = format!("More for line {}", at + 1);
        let button = ui.add(Button::icon_only(icons::ICON_MORE_HORIZ, &name).small());
        happened.action = menu::show(&button, form.draft, at);
        happened.add(&button);
        let line = &form.draft.goods[at];
        if self.marks.customs {
            let name = format!("Customs for line {}", at + 1);
            let shown = badge(ui, &name, line.contents.len(), self.places.narrow, false);
            happened.add(&shown);
            if shown.clicked() {
                happened.action = Some(LineAction::Customs);
            }
        }
        let name = format!("Dangerous goods in line {}", at + 1);
        let own = line.dangerous.len() + usize::from(line.saved_item_has_dangerous_goods());
        let shown = badge(ui, &name, own, self.places.narrow, true);
        happened.add(&shown);
        if shown.clicked() {
            happened.action = Some(LineAction::Dangerous);
        }
        let over = SAVED_FIELDS
            .iter()
            .filter(|field| line.overrides(**field))
            .count();
        if over > 0 {
            let word = over.to_string();
            let name = format!("Line {}: {over} saved values overridden", at + 1);
            Badge::new(Tone::Accent, &word)
                .name(&name)
                .show(ui)
                .on_hover_text(&name);
        }
    }
}

/// Draws the button of a sub-form: a badge with the number of entries, or an icon if there are none.
fn badge(ui: &mut Ui, name: &str, count: usize, narrow: bool, dangerous: bool) -> Response {
    let icon = if dangerous {
        icons::ICON_STAT_0
    } else {
        icons::ICON_PUBLIC
    };
    let shown = if count == 0 {
        ui.add(Button::icon_only(icon, name).small())
    } else {
        let word = match (narrow, dangerous, count) {
            (true, ..) => String::new(),
            (false, true, 1) => "DG".to_owned(),
            (false, true, count) => format!("DG {count}"),
            (false, false, count) => count.to_string(),
        };
        let badge = if dangerous {
            Badge::dangerous(&word)
        } else {
            Badge::new(Tone::Accent, &word).icon(icon)
        };
        badge.name(name).show_button(ui)
    };
    shown.on_hover_text(name)
}

/// Returns the id of a part of a row, which stays the same when the rows scroll.
fn part(at: usize, what: &str) -> Id {
    Id::unique(("consign goods row", at, what))
}

fn kind(ui: &mut Ui, form: &mut Form<'_>, line: usize, label: &str) -> Response {
    let at = Field::Goods(line, GoodsField::Type);
    let goods = &form.draft.goods[line];
    let own = usize::from(goods.is_saved());
    let kinds: &[&str] = if goods.is_saved() {
        &KINDS_OF_SAVED
    } else {
        ItemType::NAMES
    };
    let current = ItemType::NAMES
        .iter()
        .position(|kind| *kind == goods.item_type)
        .map(|at| at + own);
    let hint = match goods.saved_value(GoodsField::Type) {
        Some(saved) => saved,
        None if goods.is_saved() => "as saved".to_owned(),
        // A type that the list does not have, as the service returned it.
        None if !goods.item_type.is_empty() => goods.item_type.clone(),
        None => "Pick one".to_owned(),
    };
    let shown = Select::new(label, current, kinds)
        .id(id(at))
        .hint(&hint)
        .hide_label()
        .borderless()
        .invalid(form.error(at).is_some())
        .show(ui);
    form.track_focus(at, &shown.response);
    if let Some(picked) = shown.picked {
        let kind = &mut form.draft.goods[line].item_type;
        match picked.checked_sub(own) {
            Some(at) => ItemType::NAMES[at].clone_into(kind),
            None => kind.clear(),
        }
    }
    shown.response
}

/// Returns the hint of an empty cell: the saved value, or the number of spaces that the service would count.
fn hint(goods: &GoodsLine, field: GoodsField) -> String {
    if field == GoodsField::Spaces {
        let count = goods
            .count()
            .filter(|_| ItemType::takes_space(goods.kind()));
        return count.map(|count| count.to_string()).unwrap_or_default();
    }
    match goods.saved_value(field) {
        Some(saved) => saved,
        None if goods.is_saved() && field != GoodsField::Quantity => "saved".to_owned(),
        None => String::new(),
    }
}

pub(super) const fn string(line: &mut GoodsLine, field: GoodsField) -> &mut String {
    match field {
        GoodsField::Type => &mut line.item_type,
        GoodsField::Name => &mut line.name,
        GoodsField::Sku => &mut line.sku,
        GoodsField::SavedId => &mut line.item_id,
        GoodsField::Quantity => &mut line.quantity,
        GoodsField::Weight => &mut line.weight,
        GoodsField::Length => &mut line.length,
        GoodsField::Width => &mut line.width,
        GoodsField::Height => &mut line.height,
        GoodsField::Spaces => &mut line.spaces,
        GoodsField::References => &mut line.references,
    }
}
