//! Lays out documents of our own as A4 PDFs: header, facts, tables, notes and signature boxes.
//!
//! Our fonts are embedded in the file. Each page has the header, its number and the number of pages, and a
//! page break never splits a table row.

mod drawing;
mod layout;

use thiserror::Error;

pub use super::fonts::DrawnPdf;
use super::fonts::Fonts;

/// The reason why a document could not be made.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// The fonts that come with the program cannot be read.
    #[error("a font that comes with Packbench can't be read")]
    Font,
    /// The PDF could not be written.
    #[error("the PDF could not be made")]
    Pdf,
}

/// The content of a document.
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

/// A column of a table.
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
    /// Words, wrapped to two lines if necessary.
    Words,
    /// Numbers and references in a monospaced font.
    Code,
    /// Right-aligned figures.
    Figures,
}

/// Returns the document as a PDF.
pub fn pdf(paper: &DocumentContent) -> Result<DrawnPdf, DocumentError> {
    let fonts = Fonts::load().ok_or(DocumentError::Font)?;
    let pages = layout::pages(paper, &fonts);
    drawing::draw(&pages, &fonts, &paper.title)
}
