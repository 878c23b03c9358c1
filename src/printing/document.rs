//! Lays out documents of our own as PDFs: header, facts, tables, notes and signature boxes.
//!
//! The fonts are embedded in the file. Each page has the header, its number and the number of pages. Text is never
//! cut: it takes as many lines and pages as it needs, and only a table row that is longer than a page is split.

mod layout;

pub use super::canvas::DrawnPdf;
use super::canvas::{CanvasError, Drawing, PageSize, Style};
pub use super::logo::{Logo, LogoError};
use layout::{BLACK, MARGIN, MUTED, SMALL};

/// The footnote of a document with characters that our fonts lack.
const LACKING: &str = "? stands for a character that can't be printed";

#[derive(Debug, Clone, Copy, Default)]
pub enum DocumentPaper {
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl DocumentPaper {
    /// Returns the width and height in points.
    const fn points(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct DocumentContent {
    pub paper: DocumentPaper,
    /// Drawn at the top left of the first page.
    pub logo: Option<Logo>,
    /// The lines of the customer's own address, at the top right of the first page.
    pub letterhead: Vec<String>,
    /// The kind of document, for example `Manifest`.
    pub title: String,
    /// The document's number, in large type opposite the title.
    pub reference: String,
    /// The text of a Code 128 bar code below the reference on the first page; empty for none.
    pub code: String,
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
    /// Ordinary text.
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
    let pages = layout::pages(content, &drawing.fonts);
    let points = content.paper.points();
    let size = PageSize {
        points,
        unit: 1.0,
        origin: (0.0, 0.0),
    };
    for (marks, number) in pages.iter().zip(1..) {
        drawing.page(size, |canvas| {
            for mark in marks {
                mark(canvas);
            }
            let (y, number) = (
                points.1 - MARGIN,
                format!("Page {number} of {}", pages.len()),
            );
            canvas.grey = MUTED;
            canvas.text_right(points.0 - MARGIN, y, &number, Style::Regular, SMALL);
            canvas.grey = BLACK;
            if canvas.fonts.missing_letters().is_some() {
                canvas.text(MARGIN, y + 12.0, LACKING, Style::Regular, 7.0);
            }
        })?;
    }
    drawing.finish()
}
