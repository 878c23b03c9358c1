//! Lists to export: their rows, columns and cells.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::DateTime;
use rust_decimal::Decimal;

use crate::{Thresholds, TrackScope};
use shipping::{CompanyId, ConsignmentId};
use storage::{ListField, WindowMarks};

/// A list to export, with the columns that are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct ListExport {
    /// The title of the list, from which the file is named.
    pub name: String,
    pub form: ExportFormat,
    pub rows: ExportRows,
}

/// The file format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExportFormat {
    /// An Excel workbook, in which numbers are numbers and dates are dates.
    #[default]
    Xlsx,
    /// Comma-separated text, protected against formulas.
    Csv,
}

/// The rows of a list to export.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportRows {
    /// Cells as the screen has them.
    Cells(Arc<ExportTable>),
    /// Tracked consignments, read from the store.
    Tracked {
        /// The rows in their order.
        ids: Arc<[ConsignmentId]>,
        columns: Vec<ListField>,
    },
    /// All consignments that need attention, the most severe first, including consignments that the board
    /// does not list.
    NeedsAttention {
        scope: TrackScope,
        thresholds: Thresholds,
        /// How many the board counted.
        count: usize,
        columns: Vec<ListField>,
    },
}

impl ExportRows {
    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        match self {
            Self::Cells(table) => table.rows.len(),
            Self::Tracked { ids, .. } => ids.len(),
            Self::NeedsAttention { count, .. } => *count,
        }
    }
}

/// A list as a screen shows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExportTable {
    /// The column headings.
    pub heads: Vec<String>,
    /// Cells, row by row.
    pub rows: Vec<Vec<ExportCell>>,
}

/// A cell of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportCell {
    /// Text; may be empty.
    Text(String),
    /// A number, exact.
    Number(Decimal),
    /// A wall-clock time.
    Time(DateTime),
}

/// Data for the cells that is not in the rows.
#[derive(Debug, Clone, Default)]
pub struct ExportContext {
    pub companies: HashMap<CompanyId, String>,
    pub marks: Arc<WindowMarks>,
    /// The bench's time zone (IANA), in which times are written.
    pub zone: String,
}
