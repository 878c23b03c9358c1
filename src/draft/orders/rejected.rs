//! The file of what could not be taken: each row with its cells as they were, and a last column that says why.
//!
//! A cell goes out exactly as it came in, also one that a spreadsheet program would take for a formula: changed, it could not
//! be mended and imported again, and the file holds nothing that the clerk's own did not. The reasons are our own words; none
//! begins with a sign that makes a formula.

use super::Sheet;

/// The header of the last column.
const REASON: &str = "Why it came back";

/// A row that could not be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Its index among the sheet's rows.
    pub row: usize,
    /// What is wrong with it, or with its order.
    pub reason: String,
}

pub(super) fn is_reason(header: &str) -> bool {
    header.trim().eq_ignore_ascii_case(REASON)
}

/// The file, in UTF-8 with its mark (spreadsheet programs ask for it), delimited as the original was. Where that could be
/// taken for another delimiter, the first line says it.
pub fn rejected_file(sheet: &Sheet, rejected: &[Rejected]) -> Vec<u8> {
    let file = file(sheet, rejected, "");
    match Sheet::read(&file) {
        Ok(again) if again.delimiter == sheet.delimiter => file,
        _ => self::file(sheet, rejected, &format!("sep={}\n", sheet.delimiter)),
    }
}

fn file(sheet: &Sheet, rejected: &[Rejected], first: &str) -> Vec<u8> {
    let cells = |rejected: &Rejected| &sheet.rows[rejected.row].cells;
    let widest = rejected.iter().map(|one| cells(one).len()).max();
    let width = sheet.headers.len().max(widest.unwrap_or(0));
    let mut file = csv::WriterBuilder::new()
        .delimiter(u8::try_from(sheet.delimiter).unwrap_or(b','))
        .from_writer(format!("\u{feff}{first}").into_bytes());
    let mut write = |cells: &[String], last: &str| {
        let padding = std::iter::repeat_n("", width.saturating_sub(cells.len()));
        let row = cells.iter().map(String::as_str).chain(padding);
        // Into memory: nothing can fail.
        let _written = file.write_record(row.chain([last]));
    };
    write(&sheet.headers, REASON);
    for one in rejected {
        write(cells(one), &one.reason);
    }
    file.into_inner().unwrap_or_default()
}
