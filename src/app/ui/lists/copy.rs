//! Copying rows of a list as tab-separated text for a spreadsheet.

use std::borrow::Cow;

use super::ListColumn;
use shipping::escape_formula;

/// Returns a line of column names and a line for each row, with tabs between the cells.
pub(crate) fn rows<'a, C: ListColumn, R>(
    rows: impl IntoIterator<Item = R>,
    columns: &[C],
    mut cell: impl FnMut(&R, C) -> Cow<'a, str>,
) -> String {
    let heads: Vec<&str> = columns.iter().map(|col| col.entry().name).collect();
    let mut table = heads.join("\t");
    for one in rows {
        table.push('\n');
        for (at, col) in columns.iter().enumerate() {
            if at > 0 {
                table.push('\t');
            }
            push_guarded(&mut table, &cell(&one, *col));
        }
    }
    table
}

/// Appends a cell as one line, and guards text that a spreadsheet would run as a formula: cells may contain
/// text from strangers.
fn push_guarded(out: &mut String, cell: &str) {
    let single = |c: char| if c.is_control() { ' ' } else { c };
    out.extend(escape_formula(cell).chars().map(single));
}

#[cfg(test)]
mod tests {
    use super::push_guarded;

    #[test]
    fn a_cell_is_one_line_and_no_formula() {
        for (cell, guarded) in [
            ("Tweed Marine", "Tweed Marine"),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("-2+3", "'-2+3"),
            ("@a", "'@a"),
            ("a\tb\nc", "a b c"),
            ("\t=1", "' =1"),
        ] {
            let mut out = String::new();
            push_guarded(&mut out, cell);
            assert_eq!(out, guarded);
        }
    }
}
