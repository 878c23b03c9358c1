//! Exports lists as CSV files or Excel workbooks. A file is written under a temporary name and gets its own
//! name when it is complete. Text that people typed is never written as a formula. Rows are read and written
//! some hundred at a time, however long the list.

mod csv_file;
mod list;
mod part_file;
mod workbook;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::EngineContext;
use super::remote::Fetch;
use super::{EngineError, Exception, JobControl, Reads};
use jiff::Timestamp;
pub use list::{ExportCell, ExportContext, ExportFormat, ExportRows, ExportTable, ListExport};
use part_file::PartFile;
use shipping::{ConsignmentId, LocalTime, file_name};
use storage::{ConsignmentRow, FieldValue, ListField, TrackReader};

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
                    let job = move || {
                        let heads = table.heads.iter().map(String::as_str);
                        let cells = |some: Range<usize>| Ok(table.rows[some].to_vec());
                        write(&out, heads, table.rows.len(), cells)
                    };
                    let done = tokio::task::spawn_blocking(job).await;
                    done.map_err(|_panicked| EngineError::Internal)??
                }
                ExportRows::Tracked { ids, columns } => {
                    let cells = TrackedCells {
                        columns,
                        known,
                        exceptions: HashMap::new(),
                    };
                    bench.write_tracked(out, ids, cells).await?
                }
                ExportRows::NeedsAttention {
                    scope,
                    thresholds,
                    columns,
                    ..
                } => {
                    let rows = bench.in_need(scope, thresholds).await?;
                    let ids = rows.iter().map(|row| row.id).collect();
                    let exceptions =
                        { rows.iter() }.map(|row| (row.id, (row.exception, row.since)));
                    let cells = TrackedCells {
                        columns,
                        known,
                        exceptions: exceptions.collect(),
                    };
                    bench.write_tracked(out, ids, cells).await?
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
        cells: TrackedCells,
    ) -> Result<bool, EngineError> {
        // The inner result is for errors of the file, the outer one for errors of the store.
        let job = move |reader: &TrackReader| {
            let heads = cells.columns.iter().map(|column| column.name());
            let some = |some: Range<usize>| {
                let rows = reader.rows(&ids[some]).map_err(EngineError::Journal)?;
                Ok(rows.iter().map(|row| cells.of(row)).collect())
            };
            Ok(write(&out, heads, ids.len(), some))
        };
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

/// Writes a list, of which `cells` returns some rows at a time. Returns false if the export was stopped.
fn write<'a>(
    out: &ExportRun,
    heads: impl Iterator<Item = &'a str>,
    rows: usize,
    cells: impl Fn(Range<usize>) -> Result<Vec<Vec<ExportCell>>, EngineError>,
) -> Result<bool, EngineError> {
    let mut sheet = sheet(&out.list, rows, out.place.part())?;
    let heads: Vec<_> = heads
        .map(|head| ExportCell::Text(head.to_owned()))
        .collect();
    sheet.row(&heads)?;
    for first in (0..rows).step_by(AT_ONCE) {
        if out.ticket.is_stopped() {
            return Ok(false);
        }
        let some = first..rows.min(first + AT_ONCE);
        for row in cells(some.clone())? {
            sheet.row(&row)?;
        }
        out.ticket.add(some.len());
    }
    sheet.finish()?;
    out.place.commit()?;
    Ok(true)
}

/// Makes the cells of tracked consignments.
struct TrackedCells {
    columns: Vec<ListField>,
    known: ExportContext,
    /// The exception of each consignment that has one, and since when.
    exceptions: HashMap<ConsignmentId, (Exception, Timestamp)>,
}

impl TrackedCells {
    fn of(&self, row: &ConsignmentRow) -> Vec<ExportCell> {
        let exception = self.exceptions.get(&row.id);
        let cell = |column: &ListField| {
            let value = match column {
                ListField::Company => {
                    let name = row.company.and_then(|id| self.known.companies.get(&id));
                    name.map_or_else(|| row.field(*column), |name| FieldValue::text(name))
                }
                ListField::Exception => exception.map_or(FieldValue::Missing, |(what, _)| {
                    FieldValue::text(what.label())
                }),
                ListField::Since => FieldValue::moment(exception.map(|(_, since)| *since)),
                column => { self.known.marks.field(row.id, *column) }
                    .unwrap_or_else(|| row.field(*column)),
            };
            ExportCell::of(*column, value, &self.known.zone)
        };
        self.columns.iter().map(cell).collect()
    }
}

impl ExportCell {
    /// Returns the cell of a field: numbers and times keep their type, and everything else becomes the text
    /// that is copied. `zone` is the bench's time zone (IANA).
    pub fn of(field: ListField, value: FieldValue<'_>, zone: &str) -> Self {
        match value {
            FieldValue::Count(count) => Self::Number(count.into()),
            FieldValue::Amount(amount) => Self::Number(amount),
            FieldValue::Time(at) => Self::Time(at.0),
            FieldValue::Moment(at) => Self::Time(LocalTime::at(at, zone).0),
            value => Self::Text(field.text(value, zone).into_owned()),
        }
    }
}
