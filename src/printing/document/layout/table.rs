//! Draws a table. The column headings are repeated on every page, and a page break never splits a row.

use super::super::drawing::Mark;
use super::super::{Column, ColumnKind, Table};
use super::{BLACK, BOTTOM, LINE, MARGIN, MUTED, PAD, RULE, SHADE, Sheet, TEXT, WIDTH};
use crate::fonts::Style;

/// The cells of a row: the style and the lines of each.
type Cells = Vec<(Style, Vec<String>)>;

/// The left and right edge of each column.
type Edges = Vec<(f32, f32)>;

impl Sheet<'_> {
    pub(super) fn table(&mut self, table: &Table) {
        if table.columns.is_empty() {
            return;
        }
        let edges = edges(&table.columns);
        self.title(table);
        if table.rows.is_empty() && !table.empty_text.is_empty() {
            self.text(
                (MARGIN, self.y + TEXT),
                &table.empty_text,
                Style::Regular,
                9.0,
                MUTED,
            );
            self.y += LINE + 12.0;
            return;
        }
        self.table_head(table, &edges);
        for row in &table.rows {
            let cells = self.cells(table, &edges, (row, Style::Regular));
            let height = height(&cells, table.least_row_lines);
            self.ensure_room(table, &edges, height);
            self.row(table, &edges, &cells);
            self.y += height;
            self.mark(Mark::Block((MARGIN, self.y, WIDTH, 0.4), RULE));
        }
        if !table.totals.is_empty() {
            let cells = self.cells(table, &edges, (&table.totals, Style::Bold));
            let height = height(&cells, 1);
            self.ensure_room(table, &edges, height);
            self.mark(Mark::Block((MARGIN, self.y, WIDTH, 1.0), BLACK));
            self.row(table, &edges, &cells);
            self.y += height;
        }
        self.y += 10.0;
    }

    /// Draws the heading, on a new page if the column headings and one row would not fit below it.
    fn title(&mut self, table: &Table) {
        if table.title.is_empty() {
            return;
        }
        let lines = table.least_row_lines.max(2) as f32 + 2.0;
        if self.y + lines * LINE + 24.0 > BOTTOM {
            self.start_page();
        }
        self.text(
            (MARGIN, self.y + 10.0),
            &table.title,
            Style::Bold,
            11.0,
            BLACK,
        );
        self.y += 17.0;
    }

    /// Starts a new page with the column headings if `height` does not fit on the current page.
    fn ensure_room(&mut self, table: &Table, edges: &Edges, height: f32) {
        if self.y + height > BOTTOM {
            self.start_page();
            self.table_head(table, edges);
        }
    }

    fn table_head(&mut self, table: &Table, edges: &Edges) {
        let height = LINE + 2.0 * PAD;
        self.mark(Mark::Block((MARGIN, self.y, WIDTH, height), SHADE));
        let baseline = self.y + PAD + TEXT;
        for (column, (left, right)) in table.columns.iter().zip(edges) {
            if column.kind == ColumnKind::Figures {
                self.text_right(*right, baseline, &column.title, Style::Bold, 8.0);
            } else {
                self.text((*left, baseline), &column.title, Style::Bold, 8.0, BLACK);
            }
        }
        self.y += height;
    }

    /// Wraps each cell of a row into lines.
    fn cells(&self, table: &Table, edges: &Edges, (row, plain): (&[String], Style)) -> Cells {
        let cell = |(text, (column, edges)): (&String, (&Column, &(f32, f32)))| {
            let (style, lines) = match column.kind {
                ColumnKind::Words => (plain, 2),
                ColumnKind::Code => (Style::Mono, 2),
                ColumnKind::Figures => (plain, 1),
            };
            let room = edges.1 - edges.0;
            let lines = { self.fonts }.wrapped(text, style, size_of(style), room, lines);
            (style, lines)
        };
        let columns = table.columns.iter().zip(edges);
        row.iter().zip(columns).map(cell).collect()
    }

    fn row(&mut self, table: &Table, edges: &Edges, cells: &Cells) {
        let top = self.y + PAD + TEXT;
        for ((style, lines), (column, (left, right))) in
            cells.iter().zip(table.columns.iter().zip(edges))
        {
            for (row, text) in lines.iter().enumerate() {
                let y = top + row as f32 * LINE;
                if column.kind == ColumnKind::Figures {
                    self.text_right(*right, y, text, *style, size_of(*style));
                } else {
                    self.text((*left, y), text, *style, size_of(*style), BLACK);
                }
            }
        }
    }
}

fn edges(columns: &[Column]) -> Edges {
    let whole: f32 = columns.iter().map(|column| column.weight).sum();
    let mut left = MARGIN;
    let mut edges = Vec::with_capacity(columns.len());
    for column in columns {
        let right = left + WIDTH * column.weight / whole.max(f32::EPSILON);
        edges.push((left + PAD, right - PAD));
        left = right;
    }
    edges
}

/// The monospaced font looks larger than the others at the same size.
const fn size_of(style: Style) -> f32 {
    match style {
        Style::Mono => 7.8,
        Style::Regular | Style::Bold => TEXT,
    }
}

fn height(cells: &Cells, least: usize) -> f32 {
    let lines = cells.iter().map(|(_, lines)| lines.len()).max();
    lines.unwrap_or(1).max(least).max(1) as f32 * LINE + 2.0 * PAD - 1.0
}
