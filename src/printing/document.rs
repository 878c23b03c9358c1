//! A paper of our own as PDF: a head, facts, tables over as many pages as they take, notes and boxes to sign in.
//!
//! What always holds: A4; the fonts are the bench's own and inside the file; each page has its head, its number and how many
//! there are; no row is cut by the end of a page. It must not know what the paper is about.

mod ink;
mod layout;

use thiserror::Error;

pub use super::fonts::Drawn;
use super::fonts::Fonts;

/// Why no paper could be made.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// The fonts that come with the program cannot be read.
    #[error("an own font cannot be read")]
    Font,
    /// The file could not be written.
    #[error("the page could not be made")]
    Pdf,
}

/// What is on a paper.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Paper {
    /// What it is: `Manifest`.
    pub title: String,
    /// What it is known by, large beside the title.
    pub reference: String,
    /// A word in a box of its own where it is not to be taken for more: `Test`. Empty otherwise.
    pub mark: String,
    /// What there is to know of all of it, by name; two beside each other.
    pub facts: Vec<(String, String)>,
    /// Its tables, one below the other.
    pub tables: Vec<Table>,
    /// Sentences below the tables.
    pub notes: Vec<String>,
    /// Who signs, a box each.
    pub signatures: Vec<String>,
    /// At the foot of each page, left of its number.
    pub foot: String,
}

/// A table of a paper.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// What it is about, above it; empty where the paper says so.
    pub title: String,
    /// Its columns; a table without any is not drawn.
    pub columns: Vec<Column>,
    /// Its rows, a text a column.
    pub rows: Vec<Vec<String>>,
    /// The last row, in bold.
    pub totals: Vec<String>,
    /// Each row has room for so many lines at least: to write in.
    pub lines: usize,
    /// What is said where it has no rows; empty for nothing.
    pub none: String,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its head.
    pub title: String,
    /// Its share of the width.
    pub weight: f32,
    /// How its texts stand.
    pub kind: ColumnKind,
}

/// How the texts of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Words, over two lines where one is too short.
    Words,
    /// Numbers and references, in letters of one width.
    Code,
    /// Figures at the right end.
    Figures,
}

/// The paper as a PDF.
pub fn pdf(paper: &Paper) -> Result<Drawn, DocumentError> {
    let fonts = Fonts::load().ok_or(DocumentError::Font)?;
    let pages = layout::pages(paper, &fonts);
    ink::draw(&pages, &fonts, &paper.title)
}
