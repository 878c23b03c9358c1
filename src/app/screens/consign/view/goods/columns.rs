//! The columns of the goods, with their positions in wide and narrow rows.

use egui::{Rect, Sense, Stroke, Ui, pos2, vec2};

use draft::GoodsField;
use widgets::text;
use widgets::tokens::{palette, size};

/// Field, name, short title, and width in points in wide and in narrow rows. The name's width of 0 means the
/// remaining space.
const COLUMNS: [Column; 9] = [
    Column::new(GoodsField::Type, "Type", "Type", 104.0, 84.0),
    Column::new(GoodsField::Name, "Name", "Name", 0.0, 0.0),
    Column::new(GoodsField::Sku, "SKU", "SKU", 124.0, 84.0),
    Column::new(GoodsField::Quantity, "Qty", "Qty", 48.0, 38.0),
    Column::new(GoodsField::Weight, "Each kg", "kg", 64.0, 54.0),
    Column::new(GoodsField::Length, "L cm", "L cm", 50.0, 42.0),
    Column::new(GoodsField::Width, "W cm", "W cm", 50.0, 42.0),
    Column::new(GoodsField::Height, "H cm", "H cm", 50.0, 42.0),
    Column::new(GoodsField::Spaces, "Spaces", "Sp.", 60.0, 36.0),
];
/// Below this width the narrow layout is used.
const NARROW_POINTS: f32 = 740.0;
const GAP: f32 = 4.0;
const EDGE: f32 = 10.0;
/// Height of a row, in points. All rows are equally high, so that rows out of sight need not be drawn.
pub(super) const ROW: f32 = 36.0;

#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) field: GoodsField,
    pub(super) name: &'static str,
    short: &'static str,
    wide: f32,
    little: f32,
}

impl Column {
    const fn new(
        field: GoodsField,
        name: &'static str,
        short: &'static str,
        wide: f32,
        little: f32,
    ) -> Self {
        Self {
            field,
            name,
            short,
            wide,
            little,
        }
    }

    /// Returns true for numbers, which are right-aligned.
    pub(super) const fn is_number(self) -> bool {
        !matches!(
            self.field,
            GoodsField::Type | GoodsField::Name | GoodsField::Sku
        )
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
        let own = |column: &Column| if narrow { column.little } else { column.wide };
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

    /// Returns the cells of a row, each with its column.
    pub(super) fn cells(&self, row: Rect) -> impl Iterator<Item = (Rect, Column)> {
        self.cells.iter().zip(COLUMNS).map(move |(cell, column)| {
            let (left, width) = *cell;
            let rect = Rect::from_min_size(
                pos2(row.left() + left, row.top()),
                vec2(width, row.height()),
            );
            (rect, column)
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
    for (cell, column) in places.cells(rect) {
        let title = if places.narrow {
            column.short
        } else {
            column.name
        };
        let galley = text::plain(ui, title, text::small_strong_font(), p.muted);
        let x = if column.is_number() {
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
