//! Lists that are to leave the bench: which rows, which columns, what is in a cell.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::DateTime;
use rust_decimal::Decimal;

use crate::shipping::{CompanyId, ConsignmentId};
use crate::work::{Thresholds, TrackScope};

/// A list to be exported, with the columns that are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct ListOut {
    /// What it is called; the file is called so too.
    pub name: String,
    /// Spreadsheet or text.
    pub form: OutForm,
    /// Where its rows come from.
    pub rows: OutRows,
}

/// What kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutForm {
    /// A workbook: numbers are numbers, dates are dates.
    #[default]
    Xlsx,
    /// Comma-separated text, guarded against formulas.
    Csv,
}

/// The rows of a list to be exported.
#[derive(Debug, Clone, PartialEq)]
pub enum OutRows {
    /// As the screen has them: heads, then cells.
    Cells(Arc<OutTable>),
    /// What is followed: these, with these columns.
    Followed {
        /// Which, in their order.
        ids: Arc<[ConsignmentId]>,
        /// By the words that columns are known by.
        columns: Vec<String>,
    },
    /// All that somebody has to look at, however many the board lists: the worst first.
    InNeed {
        /// Of what.
        scope: TrackScope,
        /// From when on something counts as wrong.
        thresholds: Thresholds,
        /// So many were counted.
        count: usize,
        /// By the words that columns are known by; `what` and `since` are why somebody has to look at one.
        columns: Vec<String>,
    },
}

impl OutRows {
    /// How many.
    pub fn count(&self) -> usize {
        match self {
            Self::Cells(table) => table.rows.len(),
            Self::Followed { ids, .. } => ids.len(),
            Self::InNeed { count, .. } => *count,
        }
    }
}

/// A list as a screen shows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OutTable {
    /// Heads.
    pub heads: Vec<String>,
    /// Cells, row by row.
    pub rows: Vec<Vec<OutCell>>,
}

/// A cell of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum OutCell {
    /// Text; may be empty.
    Text(String),
    /// A number, exact.
    Number(Decimal),
    /// A wall-clock time.
    Time(DateTime),
}

/// What is known beside the rows.
#[derive(Debug, Clone, Default)]
pub struct OutKnown {
    /// Companies by their names.
    pub companies: HashMap<CompanyId, String>,
    /// The bench's zone (IANA): moments are written on its clocks.
    pub zone: String,
}
