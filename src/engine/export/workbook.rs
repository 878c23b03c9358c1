//! Excel workbooks with one sheet. The header row is frozen and has filters. Numbers and times keep their types.
//! Text is always stored as text, so a text that begins with "=" does not become a formula.

use std::path::Path;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use rust_xlsxwriter::{Format, FormatAlign, Workbook, Worksheet, XlsxError};

use super::{ExportCell, ExportFormat, RowWriter};
use crate::EngineError;

/// The most rows of a sheet, including the head.
const MOST_ROWS: usize = 1_048_576;

const LONGEST_TEXT: usize = 32_767;

const LONGEST_NAME: usize = 31;

/// Rows that are measured for the column widths.
const MEASURED: u32 = 300;

/// Refuses a list that has more rows than a sheet can hold.
pub(super) fn check_row_count(form: ExportFormat, rows: usize) -> Result<(), EngineError> {
    if form == ExportFormat::Xlsx && rows >= MOST_ROWS {
        return Err(EngineError::TooManyRows { rows });
    }
    Ok(())
}

/// A workbook that is being written. Rows go to the disk one by one.
pub(super) struct XlsxFile {
    workbook: Workbook,
    file: std::fs::File,
    next: u32,
    rows: u32,
    widths: Vec<usize>,
    head: Format,
    time: Format,
}

impl XlsxFile {
    pub(super) fn create(path: &Path, name: &str, rows: usize) -> Result<Self, EngineError> {
        let file = std::fs::File::create(path)?;
        let mut workbook = Workbook::new();
        // Rows that are not written yet are in an unnamed temporary file in the same folder, not in the system's
        // shared folder.
        let folder = path.parent().unwrap_or(path);
        workbook.set_tempdir(folder)?;
        let sheet = workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name(sheet_name(name))?;
        sheet.set_freeze_panes(1, 0)?;
        Ok(Self {
            workbook,
            file,
            next: 0,
            rows: u32::try_from(rows).unwrap_or(u32::MAX),
            widths: Vec::new(),
            head: Format::new().set_bold().set_align(FormatAlign::Left),
            time: Format::new().set_num_format("yyyy-mm-dd hh:mm"),
        })
    }

    fn measure(&mut self, cells: &[ExportCell]) {
        if self.next > MEASURED {
            return;
        }
        self.widths.resize(self.widths.len().max(cells.len()), 0);
        for (width, cell) in self.widths.iter_mut().zip(cells) {
            let length = match cell {
                ExportCell::Text(text) => text.chars().take(80).count(),
                ExportCell::Number(number) => number.to_string().len(),
                ExportCell::Time(_) => 16,
            };
            *width = length.max(*width);
        }
    }
}

impl RowWriter for XlsxFile {
    fn row(&mut self, cells: &[ExportCell]) -> Result<(), EngineError> {
        self.measure(cells);
        let sheet = self.workbook.worksheet_from_index(0)?;
        for (column, cell) in (0..).zip(cells) {
            let at = (self.next, column);
            let format = if self.next == 0 {
                &self.head
            } else {
                &self.time
            };
            write(sheet, at, cell, format)?;
        }
        self.next += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), EngineError> {
        let sheet = self.workbook.worksheet_from_index(0)?;
        let last = u16::try_from(self.widths.len()).unwrap_or(u16::MAX).max(1) - 1;
        sheet.autofilter(0, 0, self.rows.max(1), last)?;
        for (column, width) in (0..).zip(&self.widths) {
            // Room for the arrow of the filter.
            let width = (*width + 3).clamp(7, 60) as f64;
            sheet.set_column_width(column, width)?;
        }
        Ok(self.workbook.save_to_writer(&mut self.file)?)
    }
}

/// Writes a cell. `format` is for the head in the first row, and for times in all other rows.
fn write(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &ExportCell,
    format: &Format,
) -> Result<(), XlsxError> {
    match cell {
        ExportCell::Text(text) if text.is_empty() => Ok(()),
        ExportCell::Text(text) if row == 0 => {
            sheet.write_string_with_format(row, column, cut(text), format)?;
            Ok(())
        }
        ExportCell::Text(text) => sheet.write_string(row, column, cut(text)).map(drop),
        ExportCell::Number(number) => match exact(*number) {
            Some(number) => sheet.write_number(row, column, number).map(drop),
            None => sheet
                .write_string(row, column, number.to_string())
                .map(drop),
        },
        ExportCell::Time(at) => {
            let written = sheet.write_datetime_with_format(row, column, *at, format);
            match written {
                // Workbooks have no dates before 1900.
                Err(XlsxError::DateTimeRangeError(_)) => {
                    let text = at.strftime("%Y-%m-%d %H:%M").to_string();
                    sheet.write_string(row, column, text).map(drop)
                }
                written => written.map(drop),
            }
        }
    }
}

/// Returns the number as a workbook stores it; `None` if that changes its value.
fn exact(number: Decimal) -> Option<f64> {
    let float = number.to_f64()?;
    let back: Decimal = float.to_string().parse().ok()?;
    (back == number).then_some(float)
}

fn cut(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST_TEXT).map(|(at, _)| at);
    &text[..end.unwrap_or(text.len())]
}

/// Removes characters that the name of a sheet must not contain.
fn sheet_name(name: &str) -> String {
    let plain =
        |c: &char| !c.is_control() && !matches!(c, '[' | ']' | ':' | '*' | '?' | '/' | '\\' | '\'');
    let name: String = name.chars().filter(plain).take(LONGEST_NAME).collect();
    let name = name.trim();
    if name.is_empty() { "List" } else { name }.to_owned()
}

impl From<XlsxError> for EngineError {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(error) => error.into(),
            error => {
                tracing::error!(%error, "a workbook could not be made");
                Self::Internal
            }
        }
    }
}
