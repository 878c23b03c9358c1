//! CSV files: UTF-8 with a byte order mark for Excel, and line ends as in RFC 4180.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use super::{ExportCell, RowWriter};
use crate::EngineError;
use shipping::escape_formula;

/// The byte order mark. Without it, Excel does not read the file as UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// An open CSV file.
pub(super) struct CsvFile(csv::Writer<BufWriter<File>>);

impl CsvFile {
    pub(super) fn create(path: &Path) -> Result<Self, EngineError> {
        let begun = File::create(path).map(BufWriter::new).and_then(|mut file| {
            file.write_all(MARK)?;
            Ok(file)
        });
        let file = begun.map_err(|error| EngineError::Save(error.kind()))?;
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
            written.map_err(failed)?;
        }
        self.0.write_record(None::<&[u8]>).map_err(failed)
    }

    fn finish(self: Box<Self>) -> Result<(), EngineError> {
        let kept = |error: std::io::Error| EngineError::Save(error.kind());
        let buffered = { self.0.into_inner() }.map_err(|error| kept(error.into_error()))?;
        let file = { buffered.into_inner() }.map_err(|error| kept(error.into_error()))?;
        file.sync_all().map_err(kept)
    }
}

fn failed(error: csv::Error) -> EngineError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => EngineError::Save(error.kind()),
        _ => EngineError::Internal,
    }
}
