//! The columns of the goods, with their positions in wide and narrow rows.

use egui::{Align2, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::super::field_table::FieldRow;
use draft::{Field, GoodsField};
use widgets::tokens::{palette, size};
use widgets::{paint, text};

const COLUMNS: [Column; 9] = [
    column(GoodsField::Type, "Type", 104.0, 84.0),
    column(GoodsField::Name, "Name", 0.0, 0.0),
    column(GoodsField::Sku, "SKU", 124.0, 84.0),
    column(GoodsField::Quantity, "Qty", 48.0, 38.0),
    column(GoodsField::Weight, "kg", 64.0, 54.0),
    column(GoodsField::Length, "L cm", 50.0, 42.0),
    column(GoodsField::Width, "W cm", 50.0, 42.0),
    column(GoodsField::Height, "H cm", 50.0, 42.0),
    column(GoodsField::Spaces, "Sp.", 60.0, 36.0),
];
/// Below this width the narrow layout is used.
const NARROW_POINTS: f32 = 740.0;
const GAP: f32 = 4.0;
const EDGE: f32 = 10.0;
/// Height of a row, in points. All rows are equally high, so that rows out of sight need not be drawn.
pub(super) const ROW: f32 = 36.0;

#[derive(Debug, Clone, Copy)]
struct Column {
    field: GoodsField,
    /// Title in the narrow layout.
    short: &'static str,
    /// Width in points in the wide and in the narrow layout. The name's width of 0 means the remaining space.
    wide: f32,
    narrow: f32,
}

const fn column(field: GoodsField, short: &'static str, wide: f32, narrow: f32) -> Column {
    Column {
        field,
        short,
        wide,
        narrow,
    }
}

/// The badges that some row has at its end. All rows reserve room for them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowBadges {
    /// True if the rows have the customs badge.
    pub(super) customs: bool,
    /// True if a row has the badge that counts overridden values.
    pub(super) overrides: bool,
}

/// Positions in a row of a given width.
#[derive(Debug)]
pub(super) struct ColumnLayout {
    cells: [(f32, f32); COLUMNS.len()],
    end: f32,
    right: f32,
    pub(super) narrow: bool,
}

impl ColumnLayout {
    /// Computes the positions for rows that are `width` points wide.
    pub(super) fn of(width: f32, marks: RowBadges) -> Self {
        let narrow = width < NARROW_POINTS;
        let mark = if narrow { 34.0 } else { 46.0 };
        let end = 34.0
            + mark * (1.0 + f32::from(u8::from(marks.customs)))
            + if marks.overrides { 30.0 } else { 0.0 };
        let own = |column: &Column| if narrow { column.narrow } else { column.wide };
        let fixed: f32 = COLUMNS.iter().map(|column| own(column) + GAP).sum();
        let rest = (width - 2.0 * EDGE - fixed - end).max(70.0);
        let mut x = EDGE;
        let cells = std::array::from_fn(|at| {
            let width = match own(&COLUMNS[at]) {
                own if own > 0.0 => own,
                _ => rest,
            };
            let left = x;
            x += width + GAP;
            (left, width)
        });
        Self {
            cells,
            end: x,
            right: width - EDGE,
            narrow,
        }
    }

    /// Returns the cells of a row, each with its field.
    pub(super) fn cells(&self, row: Rect) -> impl Iterator<Item = (Rect, GoodsField)> {
        self.cells.iter().zip(COLUMNS).map(move |(cell, column)| {
            let (left, width) = *cell;
            let corner = pos2(row.left() + left, row.top());
            let rect = Rect::from_min_size(corner, vec2(width, row.height()));
            (rect, column.field)
        })
    }

    /// Returns the rest of a row, for its badges and menu.
    pub(super) fn end(&self, row: Rect) -> Rect {
        Rect::from_min_max(
            pos2(row.left() + self.end, row.top()),
            pos2(row.left() + self.right, row.bottom()),
        )
    }
}

/// Draws the titles above the rows.
pub(super) fn header(ui: &mut Ui, places: &ColumnLayout) {
    let p = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, p.head);
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, p.border),
    );
    for ((cell, field), column) in places.cells(rect).zip(COLUMNS) {
        let row = FieldRow::of(Field::Goods(0, field));
        let title = if places.narrow {
            column.short
        } else {
            row.label
        };
        let galley = text::plain(ui, title, text::small_strong_font(), p.muted);
        let cell = cell.shrink2(vec2(9.0, 0.0));
        if row.number {
            paint::text_at(
                ui.painter(),
                Align2::RIGHT_CENTER,
                cell.right_center(),
                galley,
            );
        } else {
            paint::text_at(
                ui.painter(),
                Align2::LEFT_CENTER,
                cell.left_center(),
                galley,
            );
        }
    }
}
