//! The lines of goods: one row of fields a line, with badges, and the sub-form of the line's dangerous goods below.

use egui::{Align, Id, Layout, Rect, Sense, Ui, UiBuilder, pos2, vec2};

use super::super::actions::Action;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::Card;
use super::super::kit::select::Select;
use super::super::kit::tokens::{palette, size};
use super::super::kit::{icons, text};
use super::super::words::{counted, kilograms};
use super::form::{Form, Look};
use super::{dangerous, id};
use crate::draft::{Draft, Field, GoodsField, GoodsLine, Summary};
use crate::shipping::ItemType;

/// The columns: the field, its title, and its width in points where there is room and where there is little (0 for the
/// name: what is left; 0 for another: left out).
const COLUMNS: [(GoodsField, &str, f32, f32); 9] = [
    (GoodsField::Type, "Type", 104.0, 88.0),
    (GoodsField::Name, "Name", 0.0, 0.0),
    (GoodsField::Sku, "SKU", 82.0, 66.0),
    (GoodsField::Quantity, "Qty", 48.0, 42.0),
    (GoodsField::Weight, "Each kg", 64.0, 58.0),
    (GoodsField::Length, "L cm", 50.0, 44.0),
    (GoodsField::Width, "W cm", 50.0, 44.0),
    (GoodsField::Height, "H cm", 50.0, 44.0),
    (GoodsField::Spaces, "Spaces", 60.0, 0.0),
];
/// Below this there is little room.
const NARROW_POINTS: f32 = 740.0;
const GAP: f32 = 4.0;
const EDGE: f32 = 10.0;
const ROW: f32 = 36.0;
/// At the end of a line: dangerous goods, and away with it.
const END: f32 = 94.0;
const END_NARROW: f32 = 66.0;

/// Adds a line; answers where to go on typing.
pub(super) fn add_line(draft: &mut Draft) -> Id {
    draft.goods.push(GoodsLine::default());
    id(Field::Goods(draft.goods.len() - 1, GoodsField::Type))
}

/// Takes a line away; the last one is emptied instead.
pub(super) fn remove_line(draft: &mut Draft, line: usize) {
    if line < draft.goods.len() {
        draft.goods.remove(line);
    }
    if draft.goods.is_empty() {
        draft.goods.push(GoodsLine::default());
    }
}

pub(super) fn card(
    ui: &mut Ui,
    form: &mut Form<'_>,
    line: &mut usize,
    dangerous_of: &mut Option<usize>,
) {
    let summary = sum(&form.draft.summary());
    let mut added = false;
    let key = Action::AddLine.key();
    let entry = Action::AddLine.entry();
    Card::new("Goods").icon(icons::ICON_PACKAGE_2).flush().show(
        ui,
        |ui| {
            let add = Button::new(entry.name).icon(entry.icon).key(&key).small();
            added = ui.add(add).on_hover_text(entry.tooltip).clicked();
            ui.add(egui::Label::new(text::body(&summary).color(palette(ui).muted)).truncate());
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            header(ui);
            let mut removed = None;
            for at in 0..form.draft.goods.len() {
                row(ui, form, at, line, dangerous_of, &mut removed);
            }
            if let Some(at) = removed {
                remove_line(form.draft, at);
                *dangerous_of = None;
            }
            if let Some(at) = *dangerous_of {
                dangerous::panel(ui, form, at, dangerous_of);
            }
        },
    );
    if added {
        let id = add_line(form.draft);
        ui.memory_mut(|memory| memory.request_focus(id));
    }
}

fn sum(summary: &Summary) -> String {
    let spaces = match summary.spaces {
        0 => String::new(),
        spaces => format!(" · {}", counted(spaces as usize, "space", "spaces")),
    };
    let volume = summary.volume.0.round_dp(3).normalize();
    let pieces = counted(summary.pieces as usize, "piece", "pieces");
    format!(
        "{pieces} · {} kg · {volume} m³{spaces}",
        kilograms(summary.weight)
    )
}

/// The cells of a row with their field and title, and what is at its end.
fn cells(row: Rect) -> (Vec<(Rect, GoodsField, &'static str)>, Rect) {
    let narrow = row.width() < NARROW_POINTS;
    let shown = || {
        COLUMNS
            .iter()
            .map(|(field, title, wide, little)| {
                (*field, *title, if narrow { *little } else { *wide })
            })
            .filter(|(field, _, width)| *width > 0.0 || *field == GoodsField::Name)
    };
    let fixed: f32 = shown().map(|(_, _, width)| width + GAP).sum();
    let end = if narrow { END_NARROW } else { END };
    let rest = (row.width() - 2.0 * EDGE - fixed - end).max(90.0);
    let mut x = row.left() + EDGE;
    let cells = shown()
        .map(|(field, title, width)| {
            let width = if field == GoodsField::Name {
                rest
            } else {
                width
            };
            let cell = Rect::from_min_size(pos2(x, row.top()), vec2(width, row.height()));
            x += width + GAP;
            (cell, field, title)
        })
        .collect();
    (
        cells,
        Rect::from_min_max(pos2(x, row.top()), pos2(row.right() - EDGE, row.bottom())),
    )
}

const fn is_number(field: GoodsField) -> bool {
    !matches!(
        field,
        GoodsField::Type | GoodsField::Name | GoodsField::Sku | GoodsField::References
    )
}

fn header(ui: &mut Ui) {
    let p = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, p.head);
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        egui::Stroke::new(1.0, p.border),
    );
    for (cell, field, title) in cells(rect).0 {
        let galley = text::plain(ui, title, text::small_strong_font(), p.muted);
        let x = if is_number(field) {
            cell.right() - 9.0 - galley.size().x
        } else {
            cell.left() + 9.0
        };
        ui.painter().galley(
            pos2(x, cell.center().y - galley.size().y / 2.0),
            galley,
            p.muted,
        );
    }
}

fn row(
    ui: &mut Ui,
    form: &mut Form<'_>,
    at: usize,
    current: &mut usize,
    dangerous_of: &mut Option<usize>,
    removed: &mut Option<usize>,
) {
    let p = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    if *dangerous_of == Some(at) {
        ui.painter().rect_filled(rect, 0.0, p.accent_weak);
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        ui.painter().rect_filled(bar, 0.0, p.accent);
    }
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        egui::Stroke::new(1.0, p.border),
    );
    let (cells, end) = cells(rect);
    for (cell, field, title) in cells {
        let inner = cell.shrink2(vec2(0.0, (ROW - size::FIELD) / 2.0));
        let mut ui = ui.new_child(UiBuilder::new().max_rect(inner).id_salt((at, title)));
        if cell_field(&mut ui, form, at, field, title) {
            *current = at;
        }
    }
    let mut ui = ui.new_child(
        UiBuilder::new()
            .max_rect(end)
            .id_salt((at, "end"))
            .layout(Layout::right_to_left(Align::Center)),
    );
    ui.spacing_mut().item_spacing.x = 2.0;
    let name = format!("Take line {} away", at + 1);
    if ui
        .add(Button::icon_only(icons::ICON_CLOSE, &name).small())
        .clicked()
    {
        *removed = Some(at);
    }
    let goods = &form.draft.goods[at].dangerous;
    let name = format!("Dangerous goods in line {}", at + 1);
    let opened = if goods.is_empty() {
        ui.add(Button::icon_only(icons::ICON_WARNING, &name).small())
            .clicked()
    } else {
        let word = match (end.width() < END, goods.len()) {
            (true, _) => String::new(),
            (false, 1) => "DG".to_owned(),
            (false, count) => format!("DG {count}"),
        };
        Badge::dangerous(&word)
            .name(&name)
            .show_button(&mut ui)
            .on_hover_text(&name)
            .clicked()
    };
    if opened {
        *current = at;
        if *dangerous_of == Some(at) {
            *dangerous_of = None;
        } else {
            dangerous::open(form.draft, at, dangerous_of);
            let first = id(Field::Dg(at, 0, crate::draft::DgField::UnNumber));
            ui.memory_mut(|memory| memory.request_focus(first));
        }
    }
}

/// Answers whether the focus is in it.
fn cell_field(
    ui: &mut Ui,
    form: &mut Form<'_>,
    line: usize,
    field: GoodsField,
    title: &str,
) -> bool {
    let at = Field::Goods(line, field);
    let label = format!("Line {}: {title}", line + 1);
    let error = form.error(at);
    let response = if field == GoodsField::Type {
        let kinds = ItemType::NAMES;
        let current = kinds
            .iter()
            .position(|kind| *kind == form.draft.goods[line].item_type);
        let shown = Select::new(&label, current, kinds)
            .id(id(at))
            .bare()
            .calm()
            .wrong(error.is_some())
            .show(ui);
        if let Some(picked) = shown.picked {
            kinds[picked].clone_into(&mut form.draft.goods[line].item_type);
        }
        form.left(at, &shown.response);
        shown.response
    } else {
        let look = Look {
            in_row: true,
            number: is_number(field),
            mono: field == GoodsField::Sku,
            ..Look::default()
        };
        let shown = form.text(
            ui,
            &label,
            at,
            |draft| string(&mut draft.goods[line], field),
            look,
        );
        shown.response
    };
    let focused = response.has_focus();
    if let Some(error) = error {
        response.on_hover_text(error);
    }
    focused
}

const fn string(line: &mut GoodsLine, field: GoodsField) -> &mut String {
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
