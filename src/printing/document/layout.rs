//! Lays out a document: header, facts, tables, notes and signature boxes, then the footers once the page
//! count is known.

mod table;

use super::super::fonts::{Fonts, Style};
use super::DocumentContent;
use super::drawing::{Mark, PAGE};

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

/// Returns the marks of all pages, first page first.
pub(super) fn pages(paper: &DocumentContent, fonts: &Fonts) -> Vec<Vec<Mark>> {
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
        let text = text.to_owned();
        self.mark(Mark::Text {
            at,
            text,
            style,
            size,
            grey,
        });
    }

    fn text_right(&mut self, right: f32, y: f32, text: &str, style: Style, size: f32) {
        let text = self.fonts.printable(text, style);
        let left = right - self.fonts.width(&text, style, size);
        self.text((left, y), &text, style, size, BLACK);
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
            let top = baseline - 11.0;
            self.mark(Mark::Frame((left, top, words + 12.0, 15.0), BLACK));
            self.text(
                (left + 6.0, baseline),
                &paper.stamp,
                Style::Bold,
                9.0,
                BLACK,
            );
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
                page.push(Mark::Text {
                    at: (left, y),
                    text,
                    style: Style::Regular,
                    size: 8.0,
                    grey: MUTED,
                });
            }
        }
    }
}
