//! Imports orders from a CSV or JSON file: reads its bytes, groups rows into orders by reference, checks each order as
//! a draft, detects orders that already exist, and writes a file of the rejected rows.
//!
//! Invariants: every row that is not blank becomes part of exactly one draft, or is in the rejected file with its
//! reason and unchanged cells. No input causes a panic or unbounded work.

mod column;
mod fill;
mod json;
mod sheet;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::preset::StatedOptions;
use crate::{CheckContext, Draft, Field, Party, Preset, Problem, Routing, SavedItem};
use column::column_for_field;
use fill::{Faults, fill};
use shipping::{CompanyId, CompanyLocation};

pub use column::{Column, Mapping, guess_mapping, template};
pub use json::JsonOrders;
pub use sheet::{RejectedRow, Row, Sheet, rejected_file};

pub const MOST_BYTES: u64 = 10 * 1024 * 1024;

pub const MOST_ORDERS: usize = 5_000;

pub const MOST_ROWS: usize = 50_000;

pub const MOST_COLUMNS: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SheetError {
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
    #[error("the file has more than 200 columns")]
    TooManyColumns,
    #[error("the file has more than 50,000 rows")]
    TooManyRows,
    #[error("the file has {0} orders; the limit is 5,000")]
    TooManyOrders(usize),
    /// Reading again because of the many unclosed quotes would take too long.
    #[error("many rows have an opening quote without a closing quote")]
    Quotes,
    #[error("this is not valid JSON: see line {line}")]
    NotJson { line: usize },
    #[error("the file is neither an order nor a list of orders")]
    NotObjects,
}

impl SheetError {
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
            Self::NotJson { .. } => "Correct the file. Nothing was imported",
            Self::NotObjects => "Write each order as an object, with the service's names of fields",
        }
    }
}

/// The settings that apply to every order of a file.
#[derive(Debug, Clone)]
pub struct OrderTerms {
    pub company: Option<CompanyId>,
    /// The sender of orders that do not name a sender.
    pub from: Party,
    /// The carrier choice of orders without one: cheapest, fastest, or not chosen yet.
    pub routing: Routing,
    /// Fills what an order does not say: its options and its carrier choice.
    pub preset: Option<Preset>,
    /// The saved locations that the bench knows.
    pub locations: Vec<CompanyLocation>,
    /// The saved items that the bench knows.
    pub items: Arc<Vec<SavedItem>>,
    pub check: CheckContext,
}

impl OrderTerms {
    /// Fills in what an order does not say.
    fn complete(&self, draft: &mut Draft, stated: &StatedOptions) {
        if let Some(preset) = &self.preset {
            preset.complete(draft, stated);
        }
        if draft.routing == Routing::Unchosen {
            draft.routing = self.routing.clone();
        }
    }
}

/// The existing orders, for detecting duplicates.
#[derive(Debug, Clone, Default)]
pub struct ExistingOrders {
    /// The references of drafts, in lower case.
    pub drafts: HashSet<String>,
    /// The references of sent consignments, in lower case, each with the consignment number.
    pub sent: HashMap<String, String>,
    /// Digests of orders that were imported before.
    pub imported: HashSet<String>,
}

/// The reason why an order counts as a duplicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Duplicate {
    /// A draft has the same reference.
    Draft,
    /// A consignment with the same reference was sent. Contains its number, or empty text if unknown.
    Sent(String),
    /// An order with identical cells was imported before.
    Imported,
    /// Another bench has imported the order. Contains the bench, and its clerk.
    OnOtherBench(String),
    /// Another bench may have imported the order: their database can't be asked.
    PerhapsOnOtherBench,
}

impl Duplicate {
    /// Describes where the order is: `sent as MS200001`.
    pub fn description(&self) -> String {
        match self {
            Self::Sent(number) if number.is_empty() => "sent".to_owned(),
            Self::Sent(number) => format!("sent as {number}"),
            Self::Draft => "a draft".to_owned(),
            Self::Imported => "imported before".to_owned(),
            Self::OnOtherBench(bench) => format!("imported {bench}"),
            Self::PerhapsOnOtherBench => {
                "perhaps imported on another bench: the workgroup is not connected".to_owned()
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub draft: Draft,
    pub rows: Vec<usize>,
    /// A digest of all cells, for recognising the order in a later import.
    pub digest: String,
    /// Set if the order already exists; then it is imported only if the clerk confirms that.
    pub duplicate: Option<Duplicate>,
}

/// The result of checking a file: every row is either in an order or rejected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckedOrders {
    /// The orders that can be imported, in the order of the file.
    pub orders: Vec<Order>,
    /// The rejected rows, in the order of the file.
    pub rejected: Vec<RejectedRow>,
    /// The number of orders that the rejected rows belong to.
    pub rejected_orders: usize,
}

/// Checks every order of a file. Calls `progress` with the number of rows done.
pub fn check_orders(
    sheet: &Sheet,
    mapping: &Mapping,
    terms: &OrderTerms,
    known: &ExistingOrders,
    progress: &dyn Fn(usize),
) -> Result<CheckedOrders, SheetError> {
    let orders = group_by_reference(sheet, mapping);
    if orders.len() > MOST_ORDERS {
        return Err(SheetError::TooManyOrders(orders.len()));
    }
    let (mut checked, mut done) = (CheckedOrders::default(), 0);
    for rows in orders {
        done += rows.len();
        let (draft, mut faults) = fill(sheet, mapping, &rows, terms);
        if faults.is_empty() {
            faults = draft_faults(&draft, &rows, terms);
        }
        if faults.is_empty() {
            let digest = digest(sheet, &rows);
            checked.orders.push(Order {
                duplicate: known.find_duplicate(&draft.reference1, &digest),
                draft,
                rows,
                digest,
            });
        } else {
            checked.rejected_orders += 1;
            checked.rejected.extend(reject_rows(sheet, &rows, &faults));
        }
        progress(done);
    }
    checked.rejected.sort_by_key(|one| one.row);
    Ok(checked)
}

/// Groups rows by reference, in the order of first appearance. A row without a reference is a separate order.
fn group_by_reference(sheet: &Sheet, mapping: &Mapping) -> Vec<Vec<usize>> {
    let reference = Some(Column::Text(Field::Reference1));
    let at = mapping.iter().position(|column| *column == reference);
    let mut orders: IndexMap<(String, usize), Vec<usize>> = IndexMap::new();
    for row in 0..sheet.rows.len() {
        let reference = at.map_or("", |at| sheet.cell(row, at));
        let reference = reference.trim().to_lowercase();
        let alone = if reference.is_empty() || sheet.rows[row].open_quote {
            row + 1
        } else {
            0
        };
        orders.entry((reference, alone)).or_default().push(row);
    }
    orders.into_values().collect()
}

/// Returns the errors of a draft, each at its row. Values that the clerk chooses later are not errors here.
fn draft_faults(draft: &Draft, rows: &[usize], terms: &OrderTerms) -> Faults {
    let check = draft.check(&terms.check);
    let errors = check
        .errors()
        .filter(|problem| !is_chosen_later(draft, problem));
    errors
        .map(|problem| {
            let line = problem.field.line().unwrap_or(0);
            let row = rows.get(line).or(rows.first()).copied().unwrap_or_default();
            let words = match column_for_field(problem.field) {
                Some(column) => format!("{}: {}", column.name(), problem.message),
                None => problem.message.clone(),
            };
            (row, words)
        })
        .collect()
}

/// Returns whether the problem is a choice that the clerk makes after the import.
fn is_chosen_later(draft: &Draft, problem: &Problem) -> bool {
    match problem.field {
        Field::Route => draft.routing == Routing::Unchosen,
        // A file cannot declare dangerous goods; the clerk does that later.
        Field::Declaration => true,
        _ => false,
    }
}

/// Rejects every row of an order. Rows without a fault refer to the faulty line.
fn reject_rows(sheet: &Sheet, rows: &[usize], faults: &[(usize, String)]) -> Vec<RejectedRow> {
    let first = faults.first().map_or(0, |(row, _)| *row);
    let reason = |row: usize| {
        let own = faults.iter().filter(|(of, _)| *of == row);
        let own: Vec<_> = own.map(|(_, words)| words.as_str()).collect();
        if own.is_empty() {
            let line = sheet.rows[first].line;
            format!("Rejected because of line {line}, which is part of the same order")
        } else {
            own.join("; ")
        }
    };
    let rejected = rows.iter().map(|row| RejectedRow {
        row: *row,
        reason: reason(*row),
    });
    rejected.collect()
}

fn digest(sheet: &Sheet, rows: &[usize]) -> String {
    let mut text = String::new();
    for row in rows {
        let row = &sheet.rows[*row];
        let end = row.cells.iter().rposition(|cell| !cell.trim().is_empty());
        for cell in &row.cells[..end.map_or(0, |last| last + 1)] {
            text.push_str(cell.trim());
            text.push('\x1f');
        }
        text.push('\x1e');
    }
    digest_of(&text)
}

fn digest_of(text: &str) -> String {
    let digest = Sha256::digest(text);
    let digits: Vec<_> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

impl ExistingOrders {
    /// Adds an order that is imported now.
    pub fn add(&mut self, order: &Order) {
        let reference = order.draft.reference1.trim().to_lowercase();
        if !reference.is_empty() {
            self.drafts.insert(reference);
        }
        self.imported.insert(order.digest.clone());
    }

    fn find_duplicate(&self, reference: &str, digest: &str) -> Option<Duplicate> {
        let reference = reference.trim().to_lowercase();
        if !reference.is_empty() {
            if let Some(number) = self.sent.get(&reference) {
                return Some(Duplicate::Sent(number.clone()));
            }
            if self.drafts.contains(&reference) {
                return Some(Duplicate::Draft);
            }
        }
        self.imported
            .contains(digest)
            .then_some(Duplicate::Imported)
    }
}
