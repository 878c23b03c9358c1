//! The cells of the lists: as drawn, as copied and as exported.

use std::borrow::Cow;

use jiff::civil::DateTime;

use crate::state::{
    ConsignmentRow, ExportCell, FieldValue, LabelState, ListField, Shared, UnmanifestedRow,
};
use crate::ui::format::time_or_day;
use shipping::{Company, ConsignmentId, LocalTime, escape_formula};
use widgets::icons;
use widgets::table::Cell;
use widgets::tokens::palette;

/// A consignment in a list.
pub(crate) trait ListRow {
    fn id(&self) -> ConsignmentId;
    /// Returns the value of a field; missing if the window has to add it.
    fn field(&self, field: ListField) -> FieldValue<'_>;
}

impl ListRow for UnmanifestedRow {
    fn id(&self) -> ConsignmentId {
        self.id
    }

    fn field(&self, field: ListField) -> FieldValue<'_> {
        self.field(field)
    }
}

impl ListRow for ConsignmentRow {
    fn id(&self) -> ConsignmentId {
        self.id
    }

    fn field(&self, field: ListField) -> FieldValue<'_> {
        self.field(field)
    }
}

/// Returns the value of a field, with what only the window knows.
fn value<'a>(row: &'a impl ListRow, field: ListField, shared: &'a Shared) -> FieldValue<'a> {
    match field {
        ListField::OnHold => FieldValue::Mark(shared.dispatch.on_hold.contains(&row.id())),
        ListField::Label => FieldValue::text(label_text(shared.labels.state(row.id()))),
        ListField::Company => {
            let FieldValue::Count(id) = row.field(field) else {
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
    row: &'a impl ListRow,
    field: ListField,
    shared: &'a Shared,
) -> Cow<'a, str> {
    field.text(value(row, field, shared), &shared.session.zone)
}

/// Returns the cell of an exported list.
pub(crate) fn export_cell(row: &impl ListRow, field: ListField, shared: &Shared) -> ExportCell {
    ExportCell::of(field, value(row, field, shared), &shared.session.zone)
}

/// Returns rows as tab-separated text for a spreadsheet: a line of column names and a line for each row.
pub(crate) fn copied_rows<'a, R: ListRow + 'a>(
    rows: impl IntoIterator<Item = &'a R>,
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
    row: &impl ListRow,
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

/// Returns the text for a label's state in the Label column; the filter matches the same text.
pub(crate) const fn label_text(state: &LabelState) -> &'static str {
    match state {
        LabelState::InQueue(_) => "in queue",
        LabelState::Sent(_) => "sent",
        LabelState::Printed(_) => "printed",
        LabelState::Waiting => "waiting",
        LabelState::Stale => "changed",
        LabelState::Printing => "printing",
        LabelState::AtService(_) => "by service",
        LabelState::FailedVerification(_) => "check",
        LabelState::Failed(_) => "not sent",
        LabelState::Uncertain(_) => "look",
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
