//! Lists to export: their rows, columns and cells.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::DateTime;
use rust_decimal::Decimal;

use crate::shipping::{CompanyId, ConsignmentId};
use crate::work::{Thresholds, TrackScope};

/// A list to export, with the columns that are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct ListOut {
    /// The title of the list, from which the file is named.
    pub name: String,
    pub form: OutForm,
    pub rows: OutRows,
}

/// The file format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutForm {
    /// An Excel workbook, in which numbers are numbers and dates are dates.
    #[default]
    Xlsx,
    /// Comma-separated text, protected against formulas.
    Csv,
}

/// The rows of a list to export.
#[derive(Debug, Clone, PartialEq)]
pub enum OutRows {
    /// Cells as the screen has them.
    Cells(Arc<OutTable>),
    /// Tracked consignments, read from the store.
    Followed {
        /// The rows in their order.
        ids: Arc<[ConsignmentId]>,
        /// Identifiers of the columns.
        columns: Vec<String>,
    },
    /// All consignments that need attention, the worst first, including those that the board does not list.
    InNeed {
        scope: TrackScope,
        thresholds: Thresholds,
        /// How many the board counted.
        count: usize,
        /// Identifiers of the columns; `what` and `since` describe the exception.
        columns: Vec<String>,
    },
}

impl OutRows {
    /// Returns the number of rows.
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
    /// The column headings.
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

/// Data for the cells that is not in the rows.
#[derive(Debug, Clone, Default)]
pub struct OutKnown {
    pub companies: HashMap<CompanyId, String>,
    /// The bench's time zone (IANA), in which times are written.
    pub zone: String,
}
