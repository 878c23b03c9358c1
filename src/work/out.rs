//! Lists that leave the bench as files: comma-separated text, or a workbook.
//!
//! What always holds: a file is written beside its place and gets its name once it is whole, so that none is ever half there;
//! what people typed is text in it, never a formula; rows are fetched and written some hundred at a time, of a million as of
//! ten.
//! What it must not know: what a list looks like on its screen.

mod beside;
mod csv_file;
mod followed;
mod workbook;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::DateTime;
use rust_decimal::Decimal;

use super::bench::Bench;
use super::remote::Fetch;
use super::{Reads, Thresholds, Ticket, TrackScope, WorkError};
use crate::journal::{JournalError, TrackReader};
use crate::shipping::{CompanyId, ConsignmentId, file_name};
use beside::Beside;

/// Rows fetched at once.
const AT_ONCE: usize = 500;

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

/// A file that rows go into, one after the other.
trait Sheet {
    fn row(&mut self, cells: &[OutCell]) -> Result<(), WorkError>;
    fn finish(self: Box<Self>) -> Result<(), WorkError>;
}

impl Reads {
    /// Saves a list at the typed path, where nothing else is, else where the clerk says in a dialog; answers where. Nothing
    /// where they thought better of it, or stopped it.
    pub fn export(
        &self,
        list: ListOut,
        known: OutKnown,
        typed: Option<PathBuf>,
        ticket: Ticket,
    ) -> Fetch<Option<PathBuf>> {
        self.local(move |bench| async move {
            workbook::must_fit(list.form, list.rows.count())?;
            let (path, agreed) = match typed {
                Some(path) => (path, false),
                None => match ask(&list).await {
                    Some(path) => (path, true),
                    None => return Ok(None),
                },
            };
            let place = Beside::new(&path, agreed)?;
            let out = Out {
                list,
                place,
                ticket,
            };
            let written = match out.list.rows.clone() {
                OutRows::Cells(table) => {
                    let job = move || write_cells(&out, &table);
                    let done = tokio::task::spawn_blocking(job).await;
                    done.map_err(|_panicked| WorkError::Internal)??
                }
                OutRows::Followed { ids, columns } => {
                    let columns = followed::Columns::of(&columns, known, &[]);
                    bench.write_followed(out, ids, columns).await?
                }
                OutRows::InNeed {
                    scope,
                    thresholds,
                    columns,
                    ..
                } => {
                    let rows = bench.in_need(scope, thresholds).await?;
                    let ids = rows.iter().map(|row| row.id).collect();
                    let columns = followed::Columns::of(&columns, known, &rows);
                    bench.write_followed(out, ids, columns).await?
                }
            };
            Ok(written.then_some(path))
        })
    }
}

/// A list on its way to its place.
struct Out {
    list: ListOut,
    place: Beside,
    ticket: Ticket,
}

impl Bench {
    async fn write_followed(
        &self,
        out: Out,
        ids: Arc<[ConsignmentId]>,
        columns: followed::Columns,
    ) -> Result<bool, WorkError> {
        // What fails is the file, not the store.
        let job = move |reader: &TrackReader| Ok(write_followed(&out, (&ids, &columns), reader));
        self.track.read(job).await?
    }
}

async fn ask(list: &ListOut) -> Option<PathBuf> {
    let (ending, kind) = match list.form {
        OutForm::Xlsx => ("xlsx", "Workbook"),
        OutForm::Csv => ("csv", "Comma-separated text"),
    };
    let name = list.name.split_whitespace().collect::<Vec<_>>();
    let dialog = rfd::AsyncFileDialog::new()
        .set_title("Export the list")
        .set_file_name(file_name(&name, ending))
        .add_filter(kind, &[ending]);
    Some(dialog.save_file().await?.path().to_owned())
}

fn sheet(list: &ListOut, rows: usize, part: &Path) -> Result<Box<dyn Sheet>, WorkError> {
    workbook::must_fit(list.form, rows)?;
    Ok(match list.form {
        OutForm::Csv => Box::new(csv_file::CsvFile::create(part)?),
        OutForm::Xlsx => Box::new(workbook::XlsxFile::create(part, &list.name, rows)?),
    })
}

/// False where it was stopped.
fn write_cells(out: &Out, table: &OutTable) -> Result<bool, WorkError> {
    let Out {
        list,
        place,
        ticket,
    } = out;
    let mut sheet = sheet(list, list.rows.count(), place.part())?;
    sheet.row(&heads(&table.heads))?;
    for rows in table.rows.chunks(AT_ONCE) {
        if ticket.is_stopped() {
            return Ok(false);
        }
        for row in rows {
            sheet.row(row)?;
        }
        ticket.add(rows.len());
    }
    sheet.finish()?;
    place.keep()?;
    Ok(true)
}

fn write_followed(
    out: &Out,
    (ids, columns): (&[ConsignmentId], &followed::Columns),
    reader: &TrackReader,
) -> Result<bool, WorkError> {
    let Out {
        list,
        place,
        ticket,
    } = out;
    let mut sheet = sheet(list, ids.len(), place.part())?;
    sheet.row(&heads(&columns.heads()))?;
    for some in ids.chunks(AT_ONCE) {
        if ticket.is_stopped() {
            return Ok(false);
        }
        let rows = reader
            .rows(some)
            .map_err(|error: JournalError| WorkError::Journal(error))?;
        for row in &rows {
            sheet.row(&columns.cells(row))?;
        }
        ticket.add(some.len());
    }
    sheet.finish()?;
    place.keep()?;
    Ok(true)
}

fn heads(heads: &[String]) -> Vec<OutCell> {
    heads.iter().cloned().map(OutCell::Text).collect()
}
