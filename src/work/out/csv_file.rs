//! CSV files: UTF-8 with a byte order mark for Excel, and line ends as in RFC 4180.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use super::{OutCell, Sheet};
use crate::shipping::no_formula;
use crate::work::WorkError;

/// The byte order mark. Without it, Excel does not read the file as UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// An open CSV file.
pub(super) struct CsvFile(csv::Writer<BufWriter<File>>);

impl CsvFile {
    pub(super) fn create(path: &Path) -> Result<Self, WorkError> {
        let begun = File::create(path).map(BufWriter::new).and_then(|mut file| {
            file.write_all(MARK)?;
            Ok(file)
        });
        let file = begun.map_err(|error| WorkError::Save(error.kind()))?;
        let mut builder = csv::WriterBuilder::new();
        builder.terminator(csv::Terminator::CRLF);
        Ok(Self(builder.from_writer(file)))
    }
}

impl Sheet for CsvFile {
    fn row(&mut self, cells: &[OutCell]) -> Result<(), WorkError> {
        for cell in cells {
            let written = match cell {
                OutCell::Text(text) => self.0.write_field(no_formula(text).as_bytes()),
                OutCell::Number(number) => self.0.write_field(number.to_string()),
                OutCell::Time(at) => {
                    let text = at.strftime("%Y-%m-%d %H:%M").to_string();
                    self.0.write_field(text)
                }
            };
            written.map_err(failed)?;
        }
        self.0.write_record(None::<&[u8]>).map_err(failed)
    }

    fn finish(self: Box<Self>) -> Result<(), WorkError> {
        let kept = |error: std::io::Error| WorkError::Save(error.kind());
        let buffered = { self.0.into_inner() }.map_err(|error| kept(error.into_error()))?;
        let file = { buffered.into_inner() }.map_err(|error| kept(error.into_error()))?;
        file.sync_all().map_err(kept)
    }
}

fn failed(error: csv::Error) -> WorkError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => WorkError::Save(error.kind()),
        _ => WorkError::Internal,
    }
}
