//! Places the parts of a document on its pages, from the top down.
//!
//! Invariant: a part is placed only after its height is known, so parts never overlap or leave the page.

use super::{Column, ColumnKind, DocumentContent, Table};
use crate::canvas::{Canvas, Fonts, Style, code_128};

/// The distance of the content from the edges of the page. Only the footnote about missing characters is lower.
pub(super) const MARGIN: f32 = 42.0;
/// The distance between the last line of the footer and the content above.
const ABOVE_FOOT: f32 = 14.0;

const TEXT: f32 = 8.5;
pub(super) const SMALL: f32 = 8.0;
const LINE: f32 = 11.0;
const PAD: f32 = 4.0;
/// The horizontal gap between two texts that are side by side.
const GAP: f32 = 16.0;
pub(super) const BLACK: u8 = 0;
pub(super) const MUTED: u8 = 95;
const RULE: u8 = 190;
const SHADE: u8 = 238;

const BOX: f32 = 74.0;

/// The most width and height of the logo: 40 × 16 mm.
const LOGO: (f32, f32) = (113.4, 45.4);

/// The height of the bar code: 10 mm.
const BARS: f32 = 28.0;
/// The width of a module of the bar code: 0.35 mm, and 0.19 mm at least, the narrowest that scanners read reliably.
const MODULE: f32 = 1.0;
const LEAST_MODULE: f32 = 0.54;

/// The most lines of a text in the header or the footer, which need most of each page for the content.
const REPEATED_LINES: usize = 8;

/// A function that draws something on a page. Nothing is drawn before the whole document is laid out, because each
/// page shows the number of pages.
type Mark = Box<dyn Fn(&mut Canvas<'_, '_>)>;

/// A column with its left and right edge.
type PlacedColumn<'a> = (&'a Column, f32, f32);

/// Lines of text of one size and style.
struct TextLines {
    lines: Vec<String>,
    style: Style,
    size: f32,
}

/// Lays out all pages, first page first.
pub(super) fn pages(content: &DocumentContent, fonts: &Fonts) -> Vec<Vec<Mark>> {
    let (page_width, page_height) = content.paper.points();
    let width = page_width - 2.0 * MARGIN;
    let foot = repeated_lines(fonts, &content.foot, Style::Regular, SMALL, width - 90.0);
    let foot_height = foot.len().saturating_sub(1) as f32 * 10.0;
    let mut layout = Layout {
        content,
        fonts,
        width,
        right: page_width - MARGIN,
        bottom: page_height - MARGIN - ABOVE_FOOT - foot_height,
        foot,
        pages: Vec::new(),
        y: 0.0,
        top: 0.0,
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
    /// The width between the margins.
    width: f32,
    /// The right margin.
    right: f32,
    /// The footer starts below this line.
    bottom: f32,
    foot: Vec<String>,
    pages: Vec<Vec<Mark>>,
    /// The vertical position of the next mark on the current page.
    y: f32,
    /// Where the content of the current page began.
    top: f32,
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
        // A page without content has as much room as any other.
        let is_full = self.y + height > self.bottom && self.y > self.top;
        if is_full {
            self.start_page();
        }
        is_full
    }

    /// Returns how many of `most` lines fit on the current page: at least one, as each page has room for one.
    fn lines_that_fit(&self, most: usize, height: impl Fn(usize) -> f32) -> usize {
        let fitting = (2..=most).take_while(|lines| self.y + height(*lines) <= self.bottom);
        fitting.last().unwrap_or(1)
    }

    /// Starts a new page with its header and the text of its footer.
    fn start_page(&mut self) {
        self.pages.push(Vec::new());
        self.header();
        self.block(MARGIN, self.width, 1.2, BLACK);
        self.y += 12.0;
        self.top = self.y;
        let foot = self.foot.clone();
        let mut y = self.bottom + ABOVE_FOOT;
        for line in foot {
            self.text(MARGIN, y, &line, Style::Regular, SMALL, MUTED);
            y += 10.0;
        }
    }

    /// Draws title and reference, which are larger on the first page. There, the logo is above the title, the
    /// letterhead above the reference, and the bar code below.
    fn header(&mut self) {
        let content = self.content;
        let is_first = self.pages.len() == 1;
        let (size, reference_size) = if is_first { (20.0, 15.0) } else { (11.0, 11.0) };
        let half = (self.width - GAP) / 2.0;
        let (mut left_y, mut right_y, mut right_width) = (MARGIN, MARGIN, 0.0_f32);
        if is_first {
            (right_y, right_width) = self.letterhead(half);
            if let Some(logo) = &content.logo {
                let (width, height) = logo.fitted(LOGO);
                let logo = logo.clone();
                self.mark(BLACK, move |canvas| {
                    canvas.logo(&logo, (MARGIN, MARGIN, width, height));
                });
                left_y += height + 8.0;
            }
        }
        right_y += size * 0.8;
        let reference = &content.reference;
        for line in repeated_lines(self.fonts, reference, Style::Bold, reference_size, half) {
            let width = self.fonts.width(&line, Style::Bold, reference_size);
            right_width = right_width.max(width);
            self.text_right(self.right, right_y, &line, Style::Bold, reference_size);
            right_y += reference_size * 1.2;
        }
        right_y -= reference_size * 1.2;
        if is_first && !content.code.is_empty() {
            let (bottom, width) = self.bar_code(right_y + 8.0, half);
            (right_y, right_width) = (bottom, right_width.max(width));
        }
        let room = self.width - right_width - GAP;
        self.y = self.title(left_y + size * 0.8, size, room).max(right_y) + 9.0;
    }

    /// Draws the title and the stamp. Returns the last baseline.
    fn title(&mut self, mut baseline: f32, size: f32, room: f32) -> f32 {
        let content = self.content;
        let mut left = MARGIN;
        let lines = repeated_lines(self.fonts, &content.title, Style::Bold, size, room);
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                baseline += size * 1.2;
            }
            self.text(MARGIN, baseline, line, Style::Bold, size, BLACK);
            left = MARGIN + self.fonts.width(line, Style::Bold, size) + 12.0;
        }
        if !content.stamp.is_empty() {
            let width = self.fonts.width(&content.stamp, Style::Bold, 9.0) + 12.0;
            if left + width > MARGIN + room {
                left = MARGIN;
                baseline += 20.0;
            }
            self.frame(left, baseline - 11.0, width, 15.0, BLACK);
            let stamp = &content.stamp;
            self.text(left + 6.0, baseline, stamp, Style::Bold, 9.0, BLACK);
        }
        baseline
    }

    /// Draws the customer's address at the right margin. Returns its bottom and its width.
    fn letterhead(&mut self, room: f32) -> (f32, f32) {
        let letterhead = self.content.letterhead.iter();
        let lines = letterhead.flat_map(|line| self.fonts.lines(line, Style::Regular, SMALL, room));
        let lines: Vec<_> = lines.collect();
        let widths = lines.iter();
        let widths = widths.map(|line| self.fonts.width(line, Style::Regular, SMALL));
        let width = widths.fold(0.0, f32::max);
        let mut y = MARGIN;
        for line in &lines {
            let left = self.right - width;
            self.text(left, y + SMALL * 0.8, line, Style::Regular, SMALL, BLACK);
            y += 10.0;
        }
        (if lines.is_empty() { y } else { y + 6.0 }, width)
    }

    /// Draws the bar code at the right margin with its text below, or the text alone if the bars would be too narrow
    /// for a scanner. Returns the last baseline and the width.
    fn bar_code(&mut self, top: f32, room: f32) -> (f32, f32) {
        let code = &self.content.code;
        let bars = code_128(code).unwrap_or_default();
        let start = bars.iter().position(|is_black| *is_black);
        let end = bars.iter().rposition(|is_black| *is_black);
        let bars = start
            .zip(end)
            .map(|(start, end)| bars[start..=end].to_vec());
        let bars = bars.unwrap_or_default();
        let module = (room / bars.len().max(1) as f32).min(MODULE);
        let mut width = module * bars.len() as f32;
        let mut baseline = top + SMALL;
        if module >= LEAST_MODULE && !bars.is_empty() {
            let left = self.right - width;
            self.mark(BLACK, move |canvas| {
                canvas.bars((left, top), &bars, module, BARS);
            });
            baseline += BARS + 2.0;
        } else {
            width = 0.0;
        }
        let lines = repeated_lines(self.fonts, code, Style::Mono, SMALL, room);
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                baseline += 10.0;
            }
            width = width.max(self.fonts.width(line, Style::Mono, SMALL));
            self.text_right(self.right, baseline, line, Style::Mono, SMALL);
        }
        (baseline, width)
    }

    /// Draws the facts in two columns. The taller of two neighbours decides where the next row starts.
    fn facts(&mut self) {
        let half = self.width / 2.0;
        let names = self.content.facts.iter();
        let names = names.map(|(name, _)| self.fonts.width(name, Style::Regular, TEXT));
        let name_width = names.fold(80.0, f32::max).min(half / 2.0);
        let value_left = name_width + 8.0;
        for pair in self.content.facts.chunks(2) {
            let mut texts = Vec::new();
            for ((name, value), left) in pair.iter().zip([MARGIN, MARGIN + half]) {
                let names = self.fonts.lines(name, Style::Regular, TEXT, name_width);
                let room = half - value_left - GAP;
                let values = self.fonts.lines(value, Style::Bold, 9.0, room);
                texts.push((left, names, Style::Regular, TEXT, MUTED));
                texts.push((left + value_left, values, Style::Bold, 9.0, BLACK));
            }
            let lines = texts.iter().map(|(_, lines, ..)| lines.len()).max();
            let lines = lines.unwrap_or_default().max(1);
            let height = lines as f32 * LINE;
            if height <= self.bottom - self.top {
                self.make_room(height);
            }
            let mut done = 0;
            while done < lines {
                self.make_room(LINE);
                let count = self.lines_that_fit(lines - done, |lines| lines as f32 * LINE);
                for (left, lines, style, size, grey) in &texts {
                    let mut y = self.y + TEXT;
                    for line in lines.iter().skip(done).take(count) {
                        self.text(*left, y, line, *style, *size, *grey);
                        y += LINE;
                    }
                }
                self.y += count as f32 * LINE;
                done += count;
            }
            self.y += 3.0;
        }
        self.y += 8.0;
    }

    /// Draws a table. The column headings are repeated on every page, and a page break splits only a row that is
    /// longer than a page.
    fn table(&mut self, table: &Table) {
        if table.columns.is_empty() {
            return;
        }
        let mut left = MARGIN;
        let whole: f32 = table.columns.iter().map(|column| column.weight).sum();
        let mut columns = Vec::with_capacity(table.columns.len());
        for column in &table.columns {
            let right = left + self.width * column.weight / whole.max(f32::EPSILON);
            columns.push((column, left + PAD, right - PAD));
            left = right;
        }
        if !table.title.is_empty() {
            let title = &table.title;
            let titles = self.fonts.lines(title, Style::Bold, 11.0, self.width);
            // The heading must be on the same page as the column headings and the first row.
            let lines = table.least_row_lines.max(2) as f32 + 2.0;
            self.make_room(lines * LINE + 24.0 + 14.0 * titles.len() as f32);
            for title in titles {
                self.make_room(14.0);
                self.text(MARGIN, self.y + 10.0, &title, Style::Bold, 11.0, BLACK);
                self.y += 14.0;
            }
            self.y += 3.0;
        }
        if table.rows.is_empty() && !table.empty_text.is_empty() {
            self.paragraph(table.empty_text, MUTED);
            self.y += 8.0;
            return;
        }
        let head = self.table_head_cells(&columns);
        self.make_room(2.0 * LINE + height_of(&head));
        self.table_head(&columns, &head);
        for row in &table.rows {
            self.row((&columns, &head), row, false, table.least_row_lines);
        }
        if !table.totals.is_empty() {
            self.row((&columns, &head), &table.totals, true, 1);
        }
        self.y += 10.0;
    }

    fn table_head_cells(&self, columns: &[PlacedColumn<'_>]) -> Vec<TextLines> {
        let titles = columns.iter().map(|(column, left, right)| TextLines {
            lines: { self.fonts }.lines(column.title, Style::Bold, SMALL, right - left),
            style: Style::Bold,
            size: SMALL,
        });
        titles.collect()
    }

    fn table_head(&mut self, columns: &[PlacedColumn<'_>], head: &[TextLines]) {
        let height = height_of(head);
        self.block(MARGIN, self.width, height, SHADE);
        self.cells(columns, head, 0..usize::MAX);
        self.y += height;
    }

    /// Draws a row, on a new page with the column headings if it does not fit on the current page.
    fn row(
        &mut self,
        (columns, head): (&[PlacedColumn<'_>], &[TextLines]),
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
            let (style, size) = match column.kind {
                ColumnKind::Words | ColumnKind::Figures => (plain, TEXT),
                // The monospaced font looks larger than the other fonts at the same size.
                ColumnKind::Code => (Style::Mono, 7.8),
            };
            let lines = fonts.lines(text, style, size, right - left);
            TextLines { lines, style, size }
        };
        let cells: Vec<_> = texts.iter().zip(columns).map(wrap).collect();
        let lines = most_lines(&cells).max(least_lines);
        let next_page = |layout: &mut Self| {
            layout.start_page();
            layout.table_head(columns, head);
        };
        let height = row_height(lines);
        if self.y + height > self.bottom && height <= self.bottom - self.top - height_of(head) {
            next_page(self);
        }
        if is_total {
            self.block(MARGIN, self.width, 1.0, BLACK);
        }
        let mut done = 0;
        while done < lines {
            // Each page has room for a line below the column headings.
            let is_fresh = self.y <= self.top + height_of(head);
            if self.y + row_height(1) > self.bottom && !is_fresh {
                next_page(self);
            }
            let count = self.lines_that_fit(lines - done, row_height);
            self.cells(columns, &cells, done..done + count);
            self.y += row_height(count);
            done += count;
        }
        if !is_total {
            self.block(MARGIN, self.width, 0.4, RULE);
        }
    }

    /// Draws some lines of each cell of a row.
    fn cells(
        &mut self,
        columns: &[PlacedColumn<'_>],
        cells: &[TextLines],
        lines: std::ops::Range<usize>,
    ) {
        for (cell, (column, left, right)) in cells.iter().zip(columns) {
            let mut y = self.y + PAD + TEXT;
            let shown = cell.lines.iter().skip(lines.start).take(lines.len());
            for text in shown {
                if column.kind == ColumnKind::Figures {
                    self.text_right(*right, y, text, cell.style, cell.size);
                } else {
                    self.text(*left, y, text, cell.style, cell.size, BLACK);
                }
                y += LINE;
            }
        }
    }

    fn notes(&mut self) {
        for note in &self.content.notes {
            self.paragraph(note, BLACK);
            self.y += 4.0;
        }
        self.y += 6.0;
    }

    fn paragraph(&mut self, text: &str, grey: u8) {
        for line in self.fonts.lines(text, Style::Regular, 9.0, self.width) {
            self.make_room(12.0);
            self.text(MARGIN, self.y + 9.0, &line, Style::Regular, 9.0, grey);
            self.y += 12.0;
        }
    }

    /// Draws the signature boxes, two side by side.
    fn signatures(&mut self) {
        let across = self.content.signatures.len().min(2);
        let gap = 14.0;
        let width = (self.width - gap * across.saturating_sub(1) as f32) / across.max(1) as f32;
        for pair in self.content.signatures.chunks(2) {
            let names = pair.iter();
            let names = names.map(|who| self.fonts.lines(who, Style::Bold, 9.0, width - 16.0));
            let names: Vec<_> = names.collect();
            let lines = names.iter().map(Vec::len).max().unwrap_or_default();
            let height = BOX + lines.saturating_sub(1) as f32 * LINE;
            self.make_room(height);
            let (top, line) = (self.y, self.y + height - 22.0);
            let mut left = MARGIN;
            for who in names {
                self.frame(left, top, width, height, MUTED);
                let mut baseline = top + 14.0;
                for text in who {
                    self.text(left + 8.0, baseline, &text, Style::Bold, 9.0, BLACK);
                    baseline += LINE;
                }
                self.y = line;
                for (part, start, share) in [
                    ("Name", 0.0, 0.36),
                    ("Signature", 0.36, 0.36),
                    ("Date and time", 0.72, 0.28),
                ] {
                    let from = left + 8.0 + start * (width - 16.0);
                    self.block(from, share * (width - 16.0) - 6.0, 0.6, MUTED);
                    self.text(from, line + 10.0, part, Style::Regular, 7.0, MUTED);
                }
                left += width + gap;
            }
            self.y = top + height + gap;
        }
    }
}

/// Breaks a text of the header or the footer into lines. Only such a text may be cut, after [`REPEATED_LINES`].
fn repeated_lines(fonts: &Fonts, text: &str, style: Style, size: f32, room: f32) -> Vec<String> {
    let mut lines = fonts.lines(text, style, size, room);
    if lines.len() > REPEATED_LINES {
        lines.truncate(REPEATED_LINES);
        if let Some(last) = lines.last_mut() {
            last.pop();
            last.push('…');
        }
    }
    lines
}

fn most_lines(cells: &[TextLines]) -> usize {
    let lines = cells.iter().map(|cell| cell.lines.len());
    lines.max().unwrap_or_default().max(1)
}

fn row_height(lines: usize) -> f32 {
    lines as f32 * LINE + 2.0 * PAD - 1.0
}

/// Returns the height of the column headings.
fn height_of(head: &[TextLines]) -> f32 {
    row_height(most_lines(head)) + 1.0
}
