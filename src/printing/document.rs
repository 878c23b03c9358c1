//! Lays out documents of our own as A4 PDFs: header, facts, tables, notes and signature boxes.
//!
//! Our fonts are embedded in the file. Each page has the header, its number and the number of pages, and a
//! page break never splits a table row.

pub use super::canvas::DrawnPdf;
use super::canvas::{CanvasError, Drawing, Fonts, PageSize, Rectangle, Style};

/// The width and height of A4.
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

/// The height of a signature box.
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
    pub facts: Vec<(String, String)>,
    pub tables: Vec<Table>,
    /// Sentences below the tables.
    pub notes: Vec<String>,
    /// The people who sign, with one box for each.
    pub signatures: Vec<String>,
    /// The text at the foot of each page, left of the page number.
    pub foot: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The heading above the table; empty for none.
    pub title: String,
    /// The columns; a table without columns is not drawn.
    pub columns: Vec<Column>,
    /// The rows, with one text for each column.
    pub rows: Vec<Vec<String>>,
    /// The last row, in bold; empty for none.
    pub totals: Vec<String>,
    /// The minimum height of a row in lines of text, to leave room for handwriting.
    pub least_row_lines: usize,
    /// The text shown if the table has no rows; empty for none.
    pub empty_text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub title: String,
    /// The column's share of the table's width.
    pub weight: f32,
    pub kind: ColumnKind,
}

/// How the texts of a column are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Ordinary text, wrapped to two lines if necessary.
    Words,
    /// Numbers and references in a monospaced font.
    Code,
    /// Right-aligned figures.
    Figures,
}

pub fn pdf(paper: &DocumentContent) -> Result<DrawnPdf, CanvasError> {
    let mut drawing = Drawing::new(&paper.title)?;
    let pages = pages(paper, &drawing.fonts);
    let size = PageSize {
        points: PAGE,
        unit: 1.0,
        origin: (0.0, 0.0),
    };
    for marks in &pages {
        drawing.page(size, |canvas| {
            for mark in marks {
                match mark {
                    Mark::Text((left, baseline), text, style, size, grey) => {
                        canvas.grey = *grey;
                        canvas.text(*left, *baseline, text, *style, *size);
                    }
                    Mark::Block(rect, grey) => {
                        canvas.grey = *grey;
                        canvas.fill_rects([*rect]);
                    }
                    Mark::Frame((left, top, width, height), grey) => {
                        canvas.grey = *grey;
                        canvas.frame(*left, *top, *width, *height, 0.8);
                    }
                }
            }
            canvas.grey = BLACK;
            if canvas.fonts.missing_letters().is_some() {
                canvas.text(40.0, PAGE.1 - 12.0, LACKING, Style::Regular, 7.0);
            }
        })?;
    }
    drawing.finish()
}

/// Something drawn on a page; the last value is its grey.
enum Mark {
    /// The start of the baseline, the text, its style and its size.
    Text((f32, f32), String, Style, f32, u8),
    Block(Rectangle, u8),
    Frame(Rectangle, u8),
}

/// A column with its left and right edge.
type PlacedColumn<'a> = (&'a Column, f32, f32);

/// Returns the marks of all pages, first page first.
fn pages(paper: &DocumentContent, fonts: &Fonts) -> Vec<Vec<Mark>> {
    let mut sheet = Sheet {
        paper,
        fonts,
        pages: Vec::new(),
        y: 0.0,
    };
    sheet.start_page();
    sheet.facts();
    for table in &paper.tables {
        sheet.table(table);
    }
    sheet.notes();
    sheet.signatures();
    sheet.footers();
    sheet.pages
}

struct Sheet<'a> {
    paper: &'a DocumentContent,
    fonts: &'a Fonts,
    pages: Vec<Vec<Mark>>,
    /// The vertical position of the next mark on the current page.
    y: f32,
}

impl Sheet<'_> {
    fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    fn text(&mut self, at: (f32, f32), text: &str, style: Style, size: f32, grey: u8) {
        self.mark(Mark::Text(at, text.to_owned(), style, size, grey));
    }

    fn text_right(&mut self, right: f32, y: f32, text: &str, style: Style, size: f32) {
        let left = right - self.fonts.width(text, style, size);
        self.text((left, y), text, style, size, BLACK);
    }

    /// Starts a new page with its header, which is larger on the first page.
    fn start_page(&mut self) {
        let first = self.pages.is_empty();
        self.pages.push(Vec::new());
        let paper = self.paper;
        let size = if first { 20.0 } else { 11.0 };
        let baseline = MARGIN + size * 0.8;
        self.text((MARGIN, baseline), &paper.title, Style::Bold, size, BLACK);
        let reference = if first { 15.0 } else { 11.0 };
        self.text_right(RIGHT, baseline, &paper.reference, Style::Bold, reference);
        if !paper.stamp.is_empty() {
            let width = self.fonts.width(&paper.title, Style::Bold, size);
            let words = self.fonts.width(&paper.stamp, Style::Bold, 9.0);
            let left = MARGIN + width + 12.0;
            let (at, top) = ((left + 6.0, baseline), baseline - 11.0);
            self.mark(Mark::Frame((left, top, words + 12.0, 15.0), BLACK));
            self.text(at, &paper.stamp, Style::Bold, 9.0, BLACK);
        }
        self.y = baseline + 9.0;
        self.mark(Mark::Block((MARGIN, self.y, WIDTH, 1.2), BLACK));
        self.y += 12.0;
    }

    /// Draws the facts in two columns. The taller of two neighbours decides where the next row starts.
    fn facts(&mut self) {
        let half = WIDTH / 2.0;
        let room = half - 100.0;
        for pair in self.paper.facts.chunks(2) {
            let mut lines = 1;
            for (at, (name, value)) in pair.iter().enumerate() {
                let left = MARGIN + if at == 0 { 0.0 } else { half };
                let y = self.y + TEXT;
                self.text((left, y), name, Style::Regular, TEXT, MUTED);
                let rows = self.fonts.wrapped(value, Style::Bold, 9.0, room, 4);
                lines = lines.max(rows.len());
                for (row, text) in rows.iter().enumerate() {
                    let y = y + row as f32 * LINE;
                    self.text((left + 88.0, y), text, Style::Bold, 9.0, BLACK);
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
        self.title(table);
        if table.rows.is_empty() && !table.empty_text.is_empty() {
            let at = (MARGIN, self.y + TEXT);
            self.text(at, &table.empty_text, Style::Regular, 9.0, MUTED);
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

    /// Draws the heading, on a new page if the column headings and one row would not fit below it.
    fn title(&mut self, table: &Table) {
        if table.title.is_empty() {
            return;
        }
        let lines = table.least_row_lines.max(2) as f32 + 2.0;
        if self.y + lines * LINE + 24.0 > BOTTOM {
            self.start_page();
        }
        let at = (MARGIN, self.y + 10.0);
        self.text(at, &table.title, Style::Bold, 11.0, BLACK);
        self.y += 17.0;
    }

    fn table_head(&mut self, columns: &[PlacedColumn<'_>]) {
        let height = LINE + 2.0 * PAD;
        self.mark(Mark::Block((MARGIN, self.y, WIDTH, height), SHADE));
        let baseline = self.y + PAD + TEXT;
        for column in columns {
            self.cell(column, baseline, &column.0.title, Style::Bold, 8.0);
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
            let (style, lines) = match column.kind {
                ColumnKind::Words => (plain, 2),
                ColumnKind::Code => (Style::Mono, 2),
                ColumnKind::Figures => (plain, 1),
            };
            let lines = fonts.wrapped(text, style, size_of(style), right - left, lines);
            (style, lines)
        };
        let cells: Vec<_> = texts.iter().zip(columns).map(wrap).collect();
        let lines = cells.iter().map(|(_, lines)| lines.len()).max();
        let lines = lines.unwrap_or(1).max(least_lines).max(1);
        let height = lines as f32 * LINE + 2.0 * PAD - 1.0;
        if self.y + height > BOTTOM {
            self.start_page();
            self.table_head(columns);
        }
        if is_total {
            self.mark(Mark::Block((MARGIN, self.y, WIDTH, 1.0), BLACK));
        }
        let top = self.y + PAD + TEXT;
        for ((style, lines), column) in cells.iter().zip(columns) {
            for (at, text) in lines.iter().enumerate() {
                let y = top + at as f32 * LINE;
                self.cell(column, y, text, *style, size_of(*style));
            }
        }
        self.y += height;
        if !is_total {
            self.mark(Mark::Block((MARGIN, self.y, WIDTH, 0.4), RULE));
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
            self.text((*left, y), text, style, size, BLACK);
        }
    }

    fn notes(&mut self) {
        for note in &self.paper.notes {
            for line in self.fonts.wrapped(note, Style::Regular, 9.0, WIDTH, 6) {
                if self.y + 12.0 > BOTTOM {
                    self.start_page();
                }
                self.text((MARGIN, self.y + 9.0), &line, Style::Regular, 9.0, BLACK);
                self.y += 12.0;
            }
            self.y += 4.0;
        }
        self.y += 6.0;
    }

    /// Draws all signature boxes side by side on one page.
    fn signatures(&mut self) {
        let count = self.paper.signatures.len();
        if count == 0 {
            return;
        }
        if self.y + BOX > BOTTOM {
            self.start_page();
        }
        let gap = 14.0;
        let width = (WIDTH - gap * (count - 1) as f32) / count as f32;
        for (at, who) in self.paper.signatures.iter().enumerate() {
            let left = MARGIN + at as f32 * (width + gap);
            self.mark(Mark::Frame((left, self.y, width, BOX), MUTED));
            self.text((left + 8.0, self.y + 14.0), who, Style::Bold, 9.0, BLACK);
            let line = self.y + BOX - 22.0;
            for (part, start, share) in [
                ("Name", 0.0, 0.36),
                ("Signature", 0.36, 0.36),
                ("Date and time", 0.72, 0.28),
            ] {
                let from = left + 8.0 + start * (width - 16.0);
                let room = share * (width - 16.0) - 6.0;
                self.mark(Mark::Block((from, line, room, 0.6), MUTED));
                self.text((from, line + 10.0), part, Style::Regular, 7.0, MUTED);
            }
        }
        self.y += BOX;
    }

    /// Draws the footers. Runs last, because each footer shows the total number of pages.
    fn footers(&mut self) {
        let of = self.pages.len();
        for (at, page) in self.pages.iter_mut().enumerate() {
            let y = PAGE.1 - MARGIN;
            let number = format!("Page {} of {of}", at + 1);
            let width = self.fonts.width(&number, Style::Regular, 8.0);
            for (left, text) in [(MARGIN, self.paper.foot.clone()), (RIGHT - width, number)] {
                page.push(Mark::Text((left, y), text, Style::Regular, 8.0, MUTED));
            }
        }
    }
}

/// The monospaced font looks larger than the other fonts at the same size.
const fn size_of(style: Style) -> f32 {
    match style {
        Style::Mono => 7.8,
        Style::Regular | Style::Bold => TEXT,
    }
}
