//! The cells of the lists: as drawn and as copied.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::civil::DateTime;

use crate::state::{ConsignmentRow, FieldValue, ListField, Shared};
use crate::ui::format::time_or_day;
use shipping::{Company, LocalTime, escape_formula};
use widgets::icons;
use widgets::table::Cell;
use widgets::tokens::palette;

/// Returns the value of a field, with what only the window knows.
fn value<'a>(row: &'a ConsignmentRow, field: ListField, shared: &'a Shared) -> FieldValue<'a> {
    match field {
        ListField::OnHold => FieldValue::Mark(shared.dispatch.on_hold.contains(&row.id)),
        ListField::Label => FieldValue::text(shared.labels.state(row.id).mark().text),
        ListField::Company => {
            let FieldValue::Id(id) = row.field(field) else {
                return FieldValue::Missing;
            };
            let mut all = shared.catalogue.companies.value().into_iter().flatten();
            match all.find(|company| company.id.get() == id) {
                Some(company) => FieldValue::text(Company::label(company)),
                None => FieldValue::Text(id.to_string().into()),
            }
        }
        field => row.field(field),
    }
}

/// Returns the text of a cell for copying, complete without its neighbours.
pub(crate) fn text<'a>(
    row: &'a ConsignmentRow,
    field: ListField,
    shared: &'a Shared,
) -> Cow<'a, str> {
    field.text(value(row, field, shared), &shared.session.zone)
}

/// Returns rows as tab-separated text for a spreadsheet: a line of column names and a line for each row.
pub(super) fn copied_rows(
    rows: &[Arc<ConsignmentRow>],
    columns: &[ListField],
    shared: &Shared,
) -> String {
    let heads: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    let mut table = heads.join("\t");
    for row in rows {
        table.push('\n');
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                table.push('\t');
            }
            push_guarded(&mut table, &text(row, *column, shared));
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

/// Draws a cell. A suburb includes its state, and a carrier the service, if these have no column of their own.
/// `now` is the present time at the bench.
pub(crate) fn draw(
    cell: &mut Cell<'_>,
    row: &ConsignmentRow,
    field: ListField,
    columns: &[ListField],
    shared: &Shared,
    now: DateTime,
) {
    let value = value(row, field, shared);
    match (field, &value) {
        (
            ListField::Number
            | ListField::Reference
            | ListField::Reference2
            | ListField::CarrierNumber
            | ListField::Manifest,
            _,
        ) => cell.mono(&field.text(value, &shared.session.zone)),
        (ListField::Dangerous, FieldValue::Mark(true)) => cell.dangerous(),
        (ListField::International, FieldValue::Mark(true)) => {
            let ink = palette(cell.ui()).muted;
            cell.icon(icons::ICON_PUBLIC, ink);
        }
        (ListField::Important, FieldValue::Mark(true)) => {
            let ink = palette(cell.ui()).warning;
            cell.icon(icons::ICON_PRIORITY_HIGH, ink);
        }
        (ListField::Files, FieldValue::Count(0)) | (_, FieldValue::Mark(_)) => {}
        (_, FieldValue::Time(at)) => cell.text(&time_or_day(*at, now)),
        (_, FieldValue::Moment(at)) => {
            cell.text(&time_or_day(LocalTime::at(*at, &shared.session.zone), now));
        }
        (
            ListField::Suburb
            | ListField::State
            | ListField::Postcode
            | ListField::Country
            | ListField::From
            | ListField::Service
            | ListField::Company,
            _,
        ) => cell.muted(&field.text(value, &shared.session.zone)),
        _ => cell.text(&field.text(value, &shared.session.zone)),
    }
    let beside = match field {
        ListField::Suburb => ListField::State,
        ListField::Carrier => ListField::Service,
        _ => return,
    };
    if !columns.contains(&beside) {
        cell.muted(&text(row, beside, shared));
    }
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
