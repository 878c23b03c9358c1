//! Reads a CSV text into rows of cells. Detects the delimiter, accepts rows of different lengths, and
//! confines an unclosed quote to its own row. Also writes the file of rejected rows: each row with its original
//! cells, and a last column with the reason.
//!
//! Rejected cells are written exactly as they were read, even if a spreadsheet would read a cell as a formula:
//! otherwise the file could not be corrected and imported again. Apart from the reasons, all cells are from the
//! clerk's own file. No reason starts with a character that starts a formula.

use csv::{ReaderBuilder, StringRecord};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::column::column_for_header;
use super::{MOST_BYTES, MOST_COLUMNS, MOST_ROWS, SheetError};

/// Limits how much text is read again because of unclosed quotes, as a multiple of the file's length.
const MOST_READ_AGAIN: usize = 20;

const DELIMITERS: [(char, &str); 3] = [(',', "commas"), (';', "semicolons"), ('\t', "tabs")];

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The line of the file in which the row starts, from 1.
    pub line: usize,
    /// The unchanged cells.
    pub cells: Vec<String>,
    /// Whether the row contains a quote that is never closed.
    pub open_quote: bool,
}

/// The cells of an order file, not interpreted yet. Blank rows are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    pub headers: Vec<String>,
    pub rows: Vec<Row>,
    /// The character between cells.
    pub delimiter: char,
    /// The encoding and delimiter for the screen, like "UTF-8, semicolons".
    pub format_label: String,
}

impl Sheet {
    /// Reads a file of at most [`MOST_BYTES`].
    pub fn read(bytes: &[u8]) -> Result<Self, SheetError> {
        let (text, encoding) = decode(bytes)?;
        let (text, told) = declared_delimiter(&text);
        let delimiter = told.map_or_else(|| delimiter(text), Ok)?;
        let mut rows = rows(text, delimiter)?;
        if rows.is_empty() {
            return Err(SheetError::Empty);
        }
        let mut headers = rows.remove(0).cells;
        if headers.len() < 2 {
            return Err(SheetError::OneColumn);
        }
        remove_reason_columns(&mut headers, &mut rows);
        if rows.is_empty() {
            return Err(SheetError::Empty);
        }
        let between = DELIMITERS.iter().find(|(known, _)| *known == delimiter);
        let between = between.map_or("another delimiter", |(_, words)| words);
        Ok(Self {
            headers,
            rows,
            delimiter,
            format_label: format!("{encoding}, {between}"),
        })
    }

    /// Returns a cell; empty text if the row is shorter.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        let row = self.rows.get(row);
        row.and_then(|row| row.cells.get(column))
            .map_or("", String::as_str)
    }

    /// Returns whether a row has text beyond the last named column.
    pub(super) fn is_too_long(&self, row: usize) -> bool {
        let named = self.headers.iter().rposition(|name| !blank(name));
        let beyond = named.map_or(0, |last| last + 1);
        let mut cells = self.rows[row].cells.iter().skip(beyond);
        cells.any(|cell| !blank(cell))
    }
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Reads a delimiter from a first line like `sep=;`, which some spreadsheet programs write.
fn declared_delimiter(text: &str) -> (&str, Option<char>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let told = first.trim_end_matches('\r').strip_prefix("sep=");
    let told = told.and_then(|told| told.chars().next().filter(|_| told.len() == 1));
    match told.filter(|told| DELIMITERS.iter().any(|(known, _)| known == told)) {
        Some(told) => (rest, Some(told)),
        None => (text, None),
    }
}

/// Returns the delimiter that splits the header into the most known names. Among equal delimiters, the total number
/// of names decides.
fn delimiter(text: &str) -> Result<char, SheetError> {
    let head = text.trim_start_matches(['\r', '\n']);
    let counted = DELIMITERS.iter().rev().map(|(delimiter, _)| {
        let cells = first_record(head, *delimiter);
        let is_known = |cell: &&String| column_for_header(cell).is_some() || is_reason(cell);
        let known = cells.iter().filter(is_known).count();
        ((known, cells.len()), *delimiter)
    });
    // `max_by_key` returns the last of equal entries, which is the comma.
    let (found, delimiter) = counted
        .max_by_key(|(found, _)| *found)
        .ok_or(SheetError::OneColumn)?;
    match found.1 {
        0 => Err(SheetError::Empty),
        1 => Err(SheetError::OneColumn),
        _ => Ok(delimiter),
    }
}

/// Returns the cells of the first row; at most one more than a file may have.
fn first_record(text: &str, delimiter: char) -> Vec<String> {
    let mut record = StringRecord::new();
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .delimiter(u8::try_from(delimiter).unwrap_or(b','))
        .from_reader(text.as_bytes());
    // A record that cannot be read has no cells.
    let _read = reader.read_record(&mut record);
    let cells = record.iter().take(MOST_COLUMNS + 1);
    cells.map(str::to_owned).collect()
}

/// Returns all rows that are not blank, including the header.
fn rows(text: &str, delimiter: char) -> Result<Vec<Row>, SheetError> {
    let ends_lines = if text.contains('\n') { '\n' } else { '\r' };
    let (mut rows, mut rest, mut line, mut again) = (Vec::new(), text, 1, 0);
    while !rest.is_empty() {
        let end = end_of_row(rest, delimiter);
        let (own, next) = rest.split_at(end.unwrap_or_else(|unclosed| unclosed.line_end));
        let cells = match end {
            Ok(_) => first_record(own, delimiter),
            Err(unclosed) => {
                again += unclosed.read;
                own.split(delimiter).map(str::to_owned).collect()
            }
        };
        if again > MOST_READ_AGAIN * text.len() {
            return Err(SheetError::Quotes);
        }
        if cells.len() > MOST_COLUMNS {
            return Err(SheetError::TooManyColumns);
        }
        if rows.len() > MOST_ROWS {
            return Err(SheetError::TooManyRows);
        }
        if cells.iter().any(|cell| !blank(cell)) {
            rows.push(Row {
                line,
                cells,
                open_quote: end.is_err(),
            });
        }
        line += own.matches(ends_lines).count();
        rest = next;
    }
    Ok(rows)
}

/// A quote that is never closed.
#[derive(Clone, Copy)]
struct UnclosedQuote {
    /// Where the line with the quote ends.
    line_end: usize,
    /// How many bytes were read before the quote was known to be unclosed.
    read: usize,
}

/// Returns the position after the first row of the text and its line ending. Fails if a quote is never closed. Also
/// fails if a quoted cell continues over a line break and text directly follows its closing quote: that quote is
/// then probably the opening quote of a later cell.
fn end_of_row(text: &str, delimiter: char) -> Result<usize, UnclosedQuote> {
    enum At {
        Start,
        Plain,
        Quoted(usize),
        Closed(usize),
    }
    let unclosed = |open: usize, read: usize| {
        let line_end = text[open..].find(['\r', '\n']);
        let line_end = line_end.map_or(text.len(), |end| open + end);
        Err(UnclosedQuote { line_end, read })
    };
    let (mut state, mut in_lines) = (At::Start, false);
    for (at, letter) in text.char_indices() {
        let ends_line = matches!(letter, '\r' | '\n');
        state = match state {
            At::Start if letter == '"' => At::Quoted(at),
            At::Quoted(open) if letter == '"' => At::Closed(open),
            At::Quoted(open) => {
                in_lines |= ends_line;
                At::Quoted(open)
            }
            // Two quotes inside a quoted cell stand for one quote.
            At::Closed(open) if letter == '"' => At::Quoted(open),
            _ if ends_line => return Ok(at + 1),
            _ if letter == delimiter => At::Start,
            At::Closed(open) if in_lines => return unclosed(open, at),
            _ => At::Plain,
        };
    }
    match state {
        At::Quoted(open) => unclosed(open, text.len()),
        _ => Ok(text.len()),
    }
}

/// Removes the reason column that an earlier import added.
fn remove_reason_columns(headers: &mut Vec<String>, rows: &mut [Row]) {
    while let Some(at) = headers.iter().position(|name| is_reason(name)) {
        headers.remove(at);
        for row in &mut *rows {
            if at < row.cells.len() {
                row.cells.remove(at);
            }
        }
    }
}

/// Decodes a file: UTF-8 or UTF-16 if marked or valid, otherwise Windows-1252. Returns the text without its byte
/// order mark, and the name of its encoding.
fn decode(bytes: &[u8]) -> Result<(String, &'static str), SheetError> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(SheetError::TooLarge);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(SheetError::Workbook);
    }
    let encoding = match Encoding::for_bom(bytes) {
        Some((marked, _)) => marked,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    let control = |letter: char| letter.is_control() && !matches!(letter, '\t' | '\r' | '\n');
    if text.contains(control) {
        return Err(SheetError::NotText);
    }
    let name = if encoding == UTF_8 {
        "UTF-8"
    } else if encoding == WINDOWS_1252 {
        "Windows-1252"
    } else {
        "UTF-16"
    };
    Ok((text.into_owned(), name))
}

const REASON: &str = "Why it came back";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// The index among the sheet's rows.
    pub row: usize,
    /// The problem with the row or with its order.
    pub reason: String,
}

fn is_reason(header: &str) -> bool {
    header.trim().eq_ignore_ascii_case(REASON)
}

/// Writes the file of rejected rows in UTF-8 with a byte order mark, which spreadsheet programs need, and with the
/// original delimiter. If reading would detect another delimiter, a `sep=` line is added.
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
