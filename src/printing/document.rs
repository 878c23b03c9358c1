//! Lays out documents of our own as A4 PDFs: header, facts, tables, notes and signature boxes.
//!
//! Our fonts are embedded in the file. Each page has the header, its number and the number of pages, and a
//! page break never splits a table row.

pub use super::canvas::DrawnPdf;
use super::canvas::{Canvas, CanvasError, Drawing, Fonts, PageSize, Style};

/// The width and height of A4 in points.
const PAGE: (f32, f32) = (595.28, 841.89);
const MARGIN: f32 = 42.0;
const RIGHT: f32 = PAGE.0 - MARGIN;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
/// The footer starts below this line.
const BOTTOM: f32 = PAGE.1 - 56.0;

const TEXT: f32 = 8.5;
const LINE: f32 = 11.0;
const PAD: f32 = 4.0;
const BLACK: u8 = 0;
const MUTED: u8 = 95;
const RULE: u8 = 190;
const SHADE: u8 = 238;

const BOX: f32 = 74.0;

/// The footnote of a document with characters that our fonts lack.
const LACKING: &str = "? stands for a character that can't be printed";

#[derive(Debug, Clone, PartialEq, Default)]
pub struct DocumentContent {
    /// The kind of document, for example `Manifest`.
    pub title: String,
    /// The document's number, in large type opposite the title.
    pub reference: String,
    /// A warning word in a box beside the title, such as `Test`; empty for none.
    pub stamp: String,
    /// Names and values that apply to the whole document, laid out in two columns.
    pub facts: Vec<(&'static str, String)>,
    pub tables: Vec<Table>,
    /// Sentences below the tables.
    pub notes: Vec<String>,
    /// The people who sign, with one box for each.
    pub signatures: Vec<String>,
    /// The text at the foot of each page, left of the page number.
    pub foot: String,
}

/// A table. A table without columns is not drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The heading above the table; empty for none.
    pub title: String,
    pub columns: Vec<Column>,
    /// The rows, with one text for each column.
    pub rows: Vec<Vec<String>>,
    /// The last row, in bold; empty for none.
    pub totals: Vec<String>,
    /// The minimum height of a row in lines of text, to leave room for handwriting.
    pub least_row_lines: usize,
    /// The text shown if the table has no rows; empty for none.
    pub empty_text: &'static str,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    title: &'static str,
    weight: f32,
    kind: ColumnKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Ordinary text, wrapped to two lines if necessary.
    Words,
    /// Numbers and references in a monospaced font.
    Code,
    /// Right-aligned figures.
    Figures,
}

/// A column of a table of records: heading, share of the table's width, kind, and a function for a record's text.
pub type RecordColumn<'a, R> = (&'static str, f32, ColumnKind, &'a dyn Fn(&R) -> String);

impl Table {
    /// Makes a table with a row for each record.
    pub fn of<R>(records: &[R], columns: &[RecordColumn<'_, R>]) -> Self {
        let row = |record| columns.iter().map(|(.., text)| text(record)).collect();
        let columns = columns.iter().map(|(title, weight, kind, _)| Column {
            title,
            weight: *weight,
            kind: *kind,
        });
        Self {
            columns: columns.collect(),
            rows: records.iter().map(row).collect(),
            ..Self::default()
        }
    }
}

pub fn pdf(content: &DocumentContent) -> Result<DrawnPdf, CanvasError> {
    let mut drawing = Drawing::new(&content.title)?;
    let pages = pages(content, &drawing.fonts);
    let size = PageSize {
        points: PAGE,
        unit: 1.0,
        origin: (0.0, 0.0),
    };
    for (marks, number) in pages.iter().zip(1..) {
        drawing.page(size, |canvas| {
            for mark in marks {
                mark(canvas);
            }
            let (y, number) = (PAGE.1 - MARGIN, format!("Page {number} of {}", pages.len()));
            canvas.grey = MUTED;
            canvas.text(MARGIN, y, &content.foot, Style::Regular, 8.0);
            canvas.text_right(RIGHT, y, &number, Style::Regular, 8.0);
            canvas.grey = BLACK;
            if canvas.fonts.missing_letters().is_some() {
                canvas.text(40.0, PAGE.1 - 12.0, LACKING, Style::Regular, 7.0);
            }
        })?;
    }
    drawing.finish()
}

/// A function that draws something on a page. Nothing is drawn before the whole document is laid out, because each
/// page shows the number of pages.
type Mark = Box<dyn Fn(&mut Canvas<'_, '_>)>;

/// A column with its left and right edge.
type PlacedColumn<'a> = (&'a Column, f32, f32);

/// Lays out all pages, first page first.
fn pages(content: &DocumentContent, fonts: &Fonts) -> Vec<Vec<Mark>> {
    let mut layout = Layout {
        content,
        fonts,
        pages: Vec::new(),
        y: 0.0,
    };
    layout.start_page();
    layout.facts();
    for table in &content.tables {
        layout.table(table);
    }
    layout.notes();
    layout.signatures();
    layout.pages
}

struct Layout<'a> {
    content: &'a DocumentContent,
    fonts: &'a Fonts,
    pages: Vec<Vec<Mark>>,
    /// The vertical position of the next mark on the current page.
    y: f32,
}

impl Layout<'_> {
    fn mark(&mut self, grey: u8, draw: impl Fn(&mut Canvas<'_, '_>) + 'static) {
        if let Some(page) = self.pages.last_mut() {
            page.push(Box::new(move |canvas| {
                canvas.grey = grey;
                draw(canvas);
            }));
        }
    }

    fn text(&mut self, left: f32, y: f32, text: &str, style: Style, size: f32, grey: u8) {
        let text = text.to_owned();
        self.mark(grey, move |canvas| canvas.text(left, y, &text, style, size));
    }

    fn text_right(&mut self, right: f32, y: f32, text: &str, style: Style, size: f32) {
        let text = text.to_owned();
        self.mark(BLACK, move |canvas| {
            canvas.text_right(right, y, &text, style, size);
        });
    }

    fn block(&mut self, left: f32, width: f32, height: f32, grey: u8) {
        let block = (left, self.y, width, height);
        self.mark(grey, move |canvas| canvas.fill_rects([block]));
    }

    fn frame(&mut self, left: f32, top: f32, width: f32, height: f32, grey: u8) {
        self.mark(grey, move |canvas| {
            canvas.frame(left, top, width, height, 0.8);
        });
    }

    /// Starts a new page if the current page has less room than `height`. Returns whether a new page was started.
    fn make_room(&mut self, height: f32) -> bool {
        let is_full = self.y + height > BOTTOM;
        if is_full {
            self.start_page();
        }
        is_full
    }

    /// Starts a new page with its header, which is larger on the first page.
    fn start_page(&mut self) {
        let first = self.pages.is_empty();
        self.pages.push(Vec::new());
        let content = self.content;
        let (size, reference) = if first { (20.0, 15.0) } else { (11.0, 11.0) };
        let baseline = MARGIN + size * 0.8;
        self.text(MARGIN, baseline, &content.title, Style::Bold, size, BLACK);
        self.text_right(RIGHT, baseline, &content.reference, Style::Bold, reference);
        if !content.stamp.is_empty() {
            let width = self.fonts.width(&content.title, Style::Bold, size);
            let words = self.fonts.width(&content.stamp, Style::Bold, 9.0);
            let left = MARGIN + width + 12.0;
            self.frame(left, baseline - 11.0, words + 12.0, 15.0, BLACK);
            self.text(
                left + 6.0,
                baseline,
                &content.stamp,
                Style::Bold,
                9.0,
                BLACK,
            );
        }
        self.y = baseline + 9.0;
        self.block(MARGIN, WIDTH, 1.2, BLACK);
        self.y += 12.0;
    }

    /// Draws the facts in two columns. The taller of two neighbours decides where the next row starts.
    fn facts(&mut self) {
        let half = WIDTH / 2.0;
        let room = half - 100.0;
        for pair in self.content.facts.chunks(2) {
            let mut lines = 1;
            for ((name, value), left) in pair.iter().zip([MARGIN, MARGIN + half]) {
                let mut y = self.y + TEXT;
                self.text(left, y, name, Style::Regular, TEXT, MUTED);
                let rows = self.fonts.wrapped(value, Style::Bold, 9.0, room, 4);
                lines = lines.max(rows.len());
                for text in rows {
                    self.text(left + 88.0, y, &text, Style::Bold, 9.0, BLACK);
                    y += LINE;
                }
            }
            self.y += lines as f32 * LINE + 3.0;
        }
        self.y += 8.0;
    }

    /// Draws a table. The column headings are repeated on every page, and a page break never splits a row.
    fn table(&mut self, table: &Table) {
        if table.columns.is_empty() {
            return;
        }
        let mut left = MARGIN;
        let whole: f32 = table.columns.iter().map(|column| column.weight).sum();
        let mut columns = Vec::with_capacity(table.columns.len());
        for column in &table.columns {
            let right = left + WIDTH * column.weight / whole.max(f32::EPSILON);
            columns.push((column, left + PAD, right - PAD));
            left = right;
        }
        if !table.title.is_empty() {
            // The heading must be on the same page as the column headings and the first row.
            let lines = table.least_row_lines.max(2) as f32 + 2.0;
            self.make_room(lines * LINE + 24.0);
            self.text(
                MARGIN,
                self.y + 10.0,
                &table.title,
                Style::Bold,
                11.0,
                BLACK,
            );
            self.y += 17.0;
        }
        if table.rows.is_empty() && !table.empty_text.is_empty() {
            self.text(
                MARGIN,
                self.y + TEXT,
                table.empty_text,
                Style::Regular,
                9.0,
                MUTED,
            );
            self.y += LINE + 12.0;
            return;
        }
        self.table_head(&columns);
        for row in &table.rows {
            self.row(&columns, row, false, table.least_row_lines);
        }
        if !table.totals.is_empty() {
            self.row(&columns, &table.totals, true, 1);
        }
        self.y += 10.0;
    }

    fn table_head(&mut self, columns: &[PlacedColumn<'_>]) {
        let height = LINE + 2.0 * PAD;
        self.block(MARGIN, WIDTH, height, SHADE);
        let baseline = self.y + PAD + TEXT;
        for column in columns {
            self.cell(column, baseline, column.0.title, Style::Bold, 8.0);
        }
        self.y += height;
    }

    /// Draws a row, on a new page with the column headings if it does not fit on the current page.
    fn row(
        &mut self,
        columns: &[PlacedColumn<'_>],
        texts: &[String],
        is_total: bool,
        least_lines: usize,
    ) {
        let fonts = self.fonts;
        let plain = if is_total {
            Style::Bold
        } else {
            Style::Regular
        };
        let wrap = |(text, (column, left, right)): (&String, &PlacedColumn<'_>)| {
            let (style, size, lines) = match column.kind {
                ColumnKind::Words => (plain, TEXT, 2),
                // The monospaced font looks larger than the other fonts at the same size.
                ColumnKind::Code => (Style::Mono, 7.8, 2),
                ColumnKind::Figures => (plain, TEXT, 1),
            };
            let lines = fonts.wrapped(text, style, size, right - left, lines);
            (style, size, lines)
        };
        let cells: Vec<_> = texts.iter().zip(columns).map(wrap).collect();
        let lines = cells.iter().map(|(.., lines)| lines.len()).max();
        let lines = lines.unwrap_or(1).max(least_lines).max(1);
        let height = lines as f32 * LINE + 2.0 * PAD - 1.0;
        if self.make_room(height) {
            self.table_head(columns);
        }
        if is_total {
            self.block(MARGIN, WIDTH, 1.0, BLACK);
        }
        for ((style, size, lines), column) in cells.iter().zip(columns) {
            let mut y = self.y + PAD + TEXT;
            for text in lines {
                self.cell(column, y, text, *style, *size);
                y += LINE;
            }
        }
        self.y += height;
        if !is_total {
            self.block(MARGIN, WIDTH, 0.4, RULE);
        }
    }

    fn cell(
        &mut self,
        (column, left, right): &PlacedColumn<'_>,
        y: f32,
        text: &str,
        style: Style,
        size: f32,
    ) {
        if column.kind == ColumnKind::Figures {
            self.text_right(*right, y, text, style, size);
        } else {
            self.text(*left, y, text, style, size, BLACK);
        }
    }

    fn notes(&mut self) {
        for note in &self.content.notes {
            for line in self.fonts.wrapped(note, Style::Regular, 9.0, WIDTH, 6) {
                self.make_room(12.0);
                self.text(MARGIN, self.y + 9.0, &line, Style::Regular, 9.0, BLACK);
                self.y += 12.0;
            }
            self.y += 4.0;
        }
        self.y += 6.0;
    }

    /// Draws all signature boxes side by side on one page.
    fn signatures(&mut self) {
        let count = self.content.signatures.len();
        if count == 0 {
            return;
        }
        self.make_room(BOX);
        let gap = 14.0;
        let width = (WIDTH - gap * (count - 1) as f32) / count as f32;
        let (top, line) = (self.y, self.y + BOX - 22.0);
        let date = if count > 2 { "Date" } else { "Date and time" };
        for (at, who) in self.content.signatures.iter().enumerate() {
            let left = MARGIN + at as f32 * (width + gap);
            self.frame(left, top, width, BOX, MUTED);
            self.text(left + 8.0, top + 14.0, who, Style::Bold, 9.0, BLACK);
            self.y = line;
            for (part, start, share) in [
                ("Name", 0.0, 0.36),
                ("Signature", 0.36, 0.36),
                (date, 0.72, 0.28),
            ] {
                let from = left + 8.0 + start * (width - 16.0);
                self.block(from, share * (width - 16.0) - 6.0, 0.6, MUTED);
                self.text(from, line + 10.0, part, Style::Regular, 7.0, MUTED);
            }
        }
        self.y = top + BOX;
    }
}
