//! Writes the file of rejected rows: each row with its original cells, and a last column with the reason.
//!
//! Cells are written exactly as they came, even if a spreadsheet would read one as a formula: otherwise the
//! file could not be corrected and imported again. The file contains no cell that was not in the clerk's own
//! file. The reasons are our own texts, and none starts with a character that starts a formula.

use super::Sheet;

const REASON: &str = "Why it came back";

/// A rejected row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// The index among the sheet's rows.
    pub row: usize,
    /// The problem with the row or with its order.
    pub reason: String,
}

pub(super) fn is_reason(header: &str) -> bool {
    header.trim().eq_ignore_ascii_case(REASON)
}

/// Writes the file in UTF-8 with a byte order mark, which spreadsheet programs need, and with the original
/// delimiter. If reading would detect another delimiter, a `sep=` line is added.
pub fn rejected_file(sheet: &Sheet, rejected: &[RejectedRow]) -> Vec<u8> {
    let file = file(sheet, rejected, "");
    match Sheet::read(&file) {
        Ok(again) if again.delimiter == sheet.delimiter => file,
        _ => self::file(sheet, rejected, &format!("sep={}\n", sheet.delimiter)),
    }
}

fn file(sheet: &Sheet, rejected: &[RejectedRow], first: &str) -> Vec<u8> {
    let cells = |rejected: &RejectedRow| &sheet.rows[rejected.row].cells;
    let widest = rejected.iter().map(|one| cells(one).len()).max();
    let width = sheet.headers.len().max(widest.unwrap_or(0));
    let mut file = csv::WriterBuilder::new()
        .delimiter(u8::try_from(sheet.delimiter).unwrap_or(b','))
        .from_writer(format!("\u{feff}{first}").into_bytes());
    let mut write = |cells: &[String], last: &str| {
        let padding = std::iter::repeat_n("", width.saturating_sub(cells.len()));
        let row = cells.iter().map(String::as_str).chain(padding);
        // Writing into memory cannot fail.
        let _written = file.write_record(row.chain([last]));
    };
    write(&sheet.headers, REASON);
    for one in rejected {
        write(cells(one), &one.reason);
    }
    file.into_inner().unwrap_or_default()
}
