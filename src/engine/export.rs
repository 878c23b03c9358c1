//! Exports lists as CSV files or Excel workbooks. A file is written under a temporary name and gets its own name when
//! it is complete. Text that people typed is never written as a formula. Rows are read and written some hundred at a
//! time, so that a long list needs little memory.

mod workbook;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::DateTime;
use rust_decimal::Decimal;

use super::context::{EngineContext, blocking};
use super::remote::Fetch;
use super::save::NewFile;
use super::{EngineError, Exception, JobControl, Reads, Thresholds, TrackScope};
use shipping::{CompanyId, ConsignmentId, LocalTime, escape_formula, file_name};
use storage::{ConsignmentRow, FieldValue, ListField, TrackReader, WindowMarks};

/// Rows that are read or written at a time.
const AT_ONCE: usize = 500;

#[derive(Debug, Clone, PartialEq)]
pub struct ListExport {
    /// The title of the list, from which the file is named.
    pub name: String,
    pub form: ExportFormat,
    pub rows: ExportRows,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExportFormat {
    /// An Excel workbook, in which numbers are numbers and dates are dates.
    #[default]
    Xlsx,
    /// Comma-separated text, protected against formulas.
    Csv,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExportRows {
    /// The cells as the screen shows them.
    Cells(Arc<ExportTable>),
    /// Tracked consignments, read from the store.
    Tracked {
        /// The consignments in the order of the rows.
        ids: Arc<[ConsignmentId]>,
        columns: Vec<ListField>,
    },
    /// All consignments that need attention, the most severe first, including consignments that the board
    /// does not list.
    NeedsAttention {
        scope: TrackScope,
        thresholds: Thresholds,
        /// The number of these consignments that the board counted.
        count: usize,
        columns: Vec<ListField>,
    },
}

impl ExportRows {
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
    pub heads: Vec<String>,
    pub rows: Vec<Vec<ExportCell>>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExportCell {
    /// Text; may be empty.
    Text(String),
    /// An exact number.
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
            let file = NewFile::create(&path, agreed)?;
            let rows = list.rows.clone();
            let out = ExportRun {
                list,
                file: file.temporary_path().to_owned(),
                ticket,
            };
            let (ids, columns, exceptions) = match rows {
                ExportRows::Cells(table) => {
                    let job = move || {
                        let heads = table.heads.iter().map(String::as_str);
                        let cells = |some: Range<usize>| Ok(table.rows[some].to_vec());
                        write(&out, heads, table.rows.len(), cells)
                    };
                    let is_written = blocking(job).await?;
                    return finish(is_written, file, path).await;
                }
                ExportRows::Tracked { ids, columns } => (ids, columns, HashMap::new()),
                ExportRows::NeedsAttention {
                    scope,
                    thresholds,
                    columns,
                    ..
                } => {
                    let rows = bench.in_need(scope, thresholds).await?;
                    let ids = rows.iter().map(|row| row.id).collect();
                    let exceptions = rows.iter();
                    let exceptions = exceptions.map(|row| (row.id, (row.exception, row.since)));
                    (ids, columns, exceptions.collect())
                }
            };
            let cells = TrackedCells {
                columns,
                known,
                exceptions,
            };
            let is_written = bench.write_tracked(out, ids, cells).await?;
            finish(is_written, file, path).await
        })
    }
}

/// Gives the complete file its name. An export that was stopped leaves no file.
async fn finish(
    is_written: bool,
    file: NewFile,
    path: PathBuf,
) -> Result<Option<PathBuf>, EngineError> {
    if !is_written {
        return Ok(None);
    }
    blocking(move || file.commit()).await?;
    Ok(Some(path))
}

struct ExportRun {
    list: ListExport,
    /// The temporary file.
    file: PathBuf,
    ticket: JobControl,
}

impl EngineContext {
    async fn write_tracked(
        &self,
        out: ExportRun,
        ids: Arc<[ConsignmentId]>,
        cells: TrackedCells,
    ) -> Result<bool, EngineError> {
        // The inner result is for errors of the file, the outer result for errors of the store.
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

fn sheet(list: &ListExport, rows: usize, path: &Path) -> Result<Box<dyn RowWriter>, EngineError> {
    workbook::check_row_count(list.form, rows)?;
    Ok(match list.form {
        ExportFormat::Csv => Box::new(CsvFile::create(path)?),
        ExportFormat::Xlsx => Box::new(workbook::XlsxFile::create(path, &list.name, rows)?),
    })
}

/// Writes a list. `cells` returns the cells of a range of rows. Returns false if the export was stopped.
fn write<'a>(
    out: &ExportRun,
    heads: impl Iterator<Item = &'a str>,
    rows: usize,
    cells: impl Fn(Range<usize>) -> Result<Vec<Vec<ExportCell>>, EngineError>,
) -> Result<bool, EngineError> {
    let mut sheet = sheet(&out.list, rows, &out.file)?;
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
    Ok(true)
}

/// Makes the cells of tracked consignments.
struct TrackedCells {
    columns: Vec<ListField>,
    known: ExportContext,
    /// The exception of each consignment that has an exception, and the time since which it exists.
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
    /// Returns the cell of a field: numbers and times keep their type, and everything else becomes the text that a
    /// copy to the clipboard has. `zone` is the bench's time zone (IANA).
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

/// The byte order mark. Without it, Excel does not read the file as UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A CSV file: UTF-8 with a byte order mark for Excel, and line ends as in RFC 4180.
struct CsvFile(csv::Writer<BufWriter<File>>);

impl CsvFile {
    fn create(path: &Path) -> Result<Self, EngineError> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(MARK)?;
        let mut builder = csv::WriterBuilder::new();
        builder.terminator(csv::Terminator::CRLF);
        Ok(Self(builder.from_writer(file)))
    }
}

impl RowWriter for CsvFile {
    fn row(&mut self, cells: &[ExportCell]) -> Result<(), EngineError> {
        for cell in cells {
            let written = match cell {
                ExportCell::Text(text) => self.0.write_field(escape_formula(text).as_bytes()),
                ExportCell::Number(number) => self.0.write_field(number.to_string()),
                ExportCell::Time(at) => {
                    let text = at.strftime("%Y-%m-%d %H:%M").to_string();
                    self.0.write_field(text)
                }
            };
            written.map_err(csv_failed)?;
        }
        self.0.write_record(None::<&[u8]>).map_err(csv_failed)
    }

    fn finish(mut self: Box<Self>) -> Result<(), EngineError> {
        Ok(self.0.flush()?)
    }
}

fn csv_failed(error: csv::Error) -> EngineError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        _ => EngineError::Internal,
    }
}
