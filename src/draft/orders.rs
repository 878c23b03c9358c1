//! A file of orders: from the bytes of a CSV file to drafts, and back to a file of what could not be taken.
//!
//! What always holds: every row that holds anything ends in exactly one draft or comes back with its reason; a row that comes
//! back has its cells as they were; no bytes make it panic or work without end.
//! What it must not know: where the file lies, the store, the window.

mod column;
mod fill;
mod map;
mod rejected;
mod sheet;
mod take;
mod text;

use thiserror::Error;

pub use column::Column;
pub use map::{Mapping, guess};
pub use rejected::{Rejected, rejected_file};
pub use sheet::{Row, Sheet};
pub use take::{Checked, Known, Order, OrderTerms, Repeat, check};

/// The largest file, in bytes.
pub const MOST_BYTES: u64 = 10 * 1024 * 1024;

/// The most orders in one file.
pub const MOST_ORDERS: usize = 5_000;

/// The most rows in one file.
pub const MOST_ROWS: usize = 50_000;

/// The most columns in one file.
pub const MOST_COLUMNS: usize = 200;

/// A file to begin with: its header and an invented order of two lines of goods.
pub const TEMPLATE: &str = include_str!("../../assets/orders-template.csv");

/// Why a file is no file of orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SheetError {
    /// More than [`MOST_BYTES`].
    #[error("the file is larger than 10 MB")]
    TooLarge,
    /// Nothing in it, or nothing below its header.
    #[error("there are no orders in the file")]
    Empty,
    /// A workbook of a spreadsheet program.
    #[error("this is a workbook, not a CSV file")]
    Workbook,
    /// Not text.
    #[error("this is not a text file")]
    NotText,
    /// No comma, semicolon or tab in its header.
    #[error("the first row has one column only")]
    OneColumn,
    /// More than [`MOST_COLUMNS`].
    #[error("the file has more than 200 columns")]
    TooManyColumns,
    /// More than [`MOST_ROWS`].
    #[error("the file has more than 50,000 rows")]
    TooManyRows,
    /// More than [`MOST_ORDERS`].
    #[error("the file has {0} orders, and 5,000 are the limit")]
    TooManyOrders(usize),
    /// One quote after the other is opened and never closed.
    #[error("quotes are opened and never closed in many rows")]
    Quotes,
}

impl SheetError {
    /// What to do about it.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::TooLarge | Self::TooManyRows | Self::TooManyOrders(_) => {
                "Split it into smaller files; nothing was taken"
            }
            Self::Empty => "Choose a file with a header and a row for each order or line of goods",
            Self::Workbook => "Save it as CSV in the spreadsheet program, then choose that file",
            Self::NotText => "Save the orders as CSV, then choose that file",
            Self::OneColumn => "Separate the columns by commas, semicolons or tabs",
            Self::TooManyColumns => "Keep the columns of the template",
            Self::Quotes => "Save it again as CSV; nothing was taken",
        }
    }
}
