//! Exports lists as CSV files or Excel workbooks. A file is written under a temporary name and gets its own
//! name when it is complete. Text that people typed is never written as a formula. Rows are read and written
//! some hundred at a time, however long the list.

mod beside;
mod csv_file;
mod followed;
mod list;
mod workbook;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bench::Bench;
use super::remote::Fetch;
use super::{Reads, Ticket, WorkError};
use crate::journal::{JournalError, TrackReader};
use crate::shipping::{ConsignmentId, file_name};
use beside::Beside;
pub use list::{ListOut, OutCell, OutForm, OutKnown, OutRows, OutTable};

/// Rows that are read or written at a time.
const AT_ONCE: usize = 500;

/// A file that takes rows one after the other.
trait Sheet {
    fn row(&mut self, cells: &[OutCell]) -> Result<(), WorkError>;
    fn finish(self: Box<Self>) -> Result<(), WorkError>;
}

impl Reads {
    /// Exports a list to the typed path, which must not exist yet, or to the path that the clerk chooses in a
    /// dialog. Returns the path; `None` if the clerk cancelled the dialog or stopped the export.
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

/// An export in progress.
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
        // The inner result is for errors of the file, the outer one for errors of the store.
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

/// Returns false if the export was stopped.
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
