//! Exports lists as CSV files or Excel workbooks. A file is written under a temporary name and gets its own
//! name when it is complete. Text that people typed is never written as a formula. Rows are read and written
//! some hundred at a time, however long the list.

mod columns;
mod csv_file;
mod list;
mod part_file;
mod workbook;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::EngineContext;
use super::remote::Fetch;
use super::{EngineError, JobControl, Reads};
pub use columns::is_export_column;
pub use list::{ExportCell, ExportContext, ExportFormat, ExportRows, ExportTable, ListExport};
use part_file::PartFile;
use shipping::{ConsignmentId, file_name};
use storage::{JournalError, TrackReader};

/// Rows that are read or written at a time.
const AT_ONCE: usize = 500;

/// A file that takes rows one after the other.
trait RowWriter {
    fn row(&mut self, cells: &[ExportCell]) -> Result<(), EngineError>;
    fn finish(self: Box<Self>) -> Result<(), EngineError>;
}

impl Reads {
    /// Exports a list to the typed path, which must not exist yet, or to the path that the clerk chooses in a
    /// dialog. Returns the path; `None` if the clerk cancelled the dialog or stopped the export.
    pub fn export(
        &self,
        list: ListExport,
        known: ExportContext,
        typed: Option<PathBuf>,
        ticket: JobControl,
    ) -> Fetch<Option<PathBuf>> {
        self.local(move |bench| async move {
            workbook::check_row_count(list.form, list.rows.count())?;
            let (path, agreed) = match typed {
                Some(path) => (path, false),
                None => match ask(&list).await {
                    Some(path) => (path, true),
                    None => return Ok(None),
                },
            };
            let place = PartFile::new(&path, agreed)?;
            let out = ExportRun {
                list,
                place,
                ticket,
            };
            let written = match out.list.rows.clone() {
                ExportRows::Cells(table) => {
                    let job = move || write_cells(&out, &table);
                    let done = tokio::task::spawn_blocking(job).await;
                    done.map_err(|_panicked| EngineError::Internal)??
                }
                ExportRows::Tracked { ids, columns } => {
                    let columns = columns::Columns::of(&columns, known, &[]);
                    bench.write_tracked(out, ids, columns).await?
                }
                ExportRows::NeedsAttention {
                    scope,
                    thresholds,
                    columns,
                    ..
                } => {
                    let rows = bench.in_need(scope, thresholds).await?;
                    let ids = rows.iter().map(|row| row.id).collect();
                    let columns = columns::Columns::of(&columns, known, &rows);
                    bench.write_tracked(out, ids, columns).await?
                }
            };
            Ok(written.then_some(path))
        })
    }
}

/// An export in progress.
struct ExportRun {
    list: ListExport,
    place: PartFile,
    ticket: JobControl,
}

impl EngineContext {
    async fn write_tracked(
        &self,
        out: ExportRun,
        ids: Arc<[ConsignmentId]>,
        columns: columns::Columns,
    ) -> Result<bool, EngineError> {
        // The inner result is for errors of the file, the outer one for errors of the store.
        let job = move |reader: &TrackReader| Ok(write_followed(&out, (&ids, &columns), reader));
        self.track.read(job).await?
    }
}

async fn ask(list: &ListExport) -> Option<PathBuf> {
    let (ending, kind) = match list.form {
        ExportFormat::Xlsx => ("xlsx", "Workbook"),
        ExportFormat::Csv => ("csv", "Comma-separated text"),
    };
    let name = list.name.split_whitespace().collect::<Vec<_>>();
    let dialog = rfd::AsyncFileDialog::new()
        .set_title("Export the list")
        .set_file_name(file_name(&name, ending))
        .add_filter(kind, &[ending]);
    Some(dialog.save_file().await?.path().to_owned())
}

fn sheet(list: &ListExport, rows: usize, part: &Path) -> Result<Box<dyn RowWriter>, EngineError> {
    workbook::check_row_count(list.form, rows)?;
    Ok(match list.form {
        ExportFormat::Csv => Box::new(csv_file::CsvFile::create(part)?),
        ExportFormat::Xlsx => Box::new(workbook::XlsxFile::create(part, &list.name, rows)?),
    })
}

/// Returns false if the export was stopped.
fn write_cells(out: &ExportRun, table: &ExportTable) -> Result<bool, EngineError> {
    let ExportRun {
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
    place.commit()?;
    Ok(true)
}

fn write_followed(
    out: &ExportRun,
    (ids, columns): (&[ConsignmentId], &columns::Columns),
    reader: &TrackReader,
) -> Result<bool, EngineError> {
    let ExportRun {
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
            .map_err(|error: JournalError| EngineError::Journal(error))?;
        for row in &rows {
            sheet.row(&columns.cells(row))?;
        }
        ticket.add(some.len());
    }
    sheet.finish()?;
    place.commit()?;
    Ok(true)
}

fn heads(heads: &[String]) -> Vec<ExportCell> {
    heads.iter().cloned().map(ExportCell::Text).collect()
}
