//! Imports orders from a CSV file: reads its bytes into drafts, and writes a file of the rejected rows.
//!
//! Invariants: every row that is not blank ends either in exactly one draft or in the rejected file with its
//! reason, and its cells are unchanged there. No input causes a panic or unbounded work.

mod check;
mod column;
mod fill;
mod sheet;

use thiserror::Error;

pub use check::{CheckedOrders, Duplicate, ExistingOrders, Order, OrderTerms, check_orders};
pub use column::{Column, Mapping, guess_mapping};
pub use sheet::{RejectedRow, Row, Sheet, rejected_file};

pub const MOST_BYTES: u64 = 10 * 1024 * 1024;

pub const MOST_ORDERS: usize = 5_000;

pub const MOST_ROWS: usize = 50_000;

pub const MOST_COLUMNS: usize = 200;

/// A sample file for the clerk: the header and an invented order with two lines of goods.
pub const TEMPLATE: &str = include_str!("../../assets/orders-template.csv");

/// The reason why a file cannot be imported as orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SheetError {
    /// Larger than [`MOST_BYTES`].
    #[error("the file is larger than 10 MB")]
    TooLarge,
    /// The file is empty, or has only a header.
    #[error("there are no orders in the file")]
    Empty,
    /// A spreadsheet program's own format, such as XLSX.
    #[error("this is a workbook, not a CSV file")]
    Workbook,
    #[error("this is not a text file")]
    NotText,
    /// The header has no comma, semicolon or tab.
    #[error("the first row has one column only")]
    OneColumn,
    /// More than [`MOST_COLUMNS`].
    #[error("the file has more than 200 columns")]
    TooManyColumns,
    /// More than [`MOST_ROWS`].
    #[error("the file has more than 50,000 rows")]
    TooManyRows,
    /// More than [`MOST_ORDERS`].
    #[error("the file has {0} orders; the limit is 5,000")]
    TooManyOrders(usize),
    /// Reading again because of the many unclosed quotes would take too long.
    #[error("many rows have an opening quote without a closing quote")]
    Quotes,
}

impl SheetError {
    /// Returns what the clerk should do.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::TooLarge | Self::TooManyRows | Self::TooManyOrders(_) => {
                "Split it into smaller files. Nothing was imported"
            }
            Self::Empty => "Choose a file with a header and a row for each order or goods line",
            Self::Workbook => "Save it as CSV in the spreadsheet program, then choose that file",
            Self::NotText => "Save the orders as CSV, then choose that file",
            Self::OneColumn => "Save it again with columns separated by commas, semicolons or tabs",
            Self::TooManyColumns => "Use only the columns of the template",
            Self::Quotes => "Save it again as CSV. Nothing was imported",
        }
    }
}
