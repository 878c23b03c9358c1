//! The cells of the lists, as they are drawn and as they are copied.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::civil::DateTime;

use crate::state::{ConsignmentRow, FieldValue, ListField, Shared};
use crate::ui::format::time_or_day;
use shipping::{Company, LocalTime, escape_formula};
use widgets::icons;
use widgets::table::{Cell, Column};
use widgets::tokens::palette;

/// Returns the value of a field, including values that a stored row does not have: hold, label and company name.
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

/// Returns the text of a cell for copying. Other columns don't affect the text.
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

/// Draws a cell. Adds the state to a suburb, and the service to a carrier, if `columns` does not contain these. `now`
/// is the present time at the bench.
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

/// Returns a field as a column of the table. A column grows into the remaining width by its weight.
pub(crate) fn column(field: ListField) -> Column {
    let (title, width, weight) = match field {
        ListField::Number => ("Number", 80.0, 0.0),
        ListField::Reference => ("Reference", 88.0, 0.0),
        ListField::Reference2 => ("Reference 2", 100.0, 0.0),
        ListField::CarrierNumber => ("Carrier con. no.", 110.0, 0.0),
        ListField::Status => ("Status", 150.0, 1.0),
        ListField::To => ("To", 156.0, 3.0),
        ListField::Suburb => ("Suburb", 100.0, 2.0),
        ListField::State => ("State", 56.0, 0.0),
        ListField::Postcode => ("Postcode", 76.0, 0.0),
        ListField::Country => ("Country", 66.0, 0.0),
        ListField::From => ("From", 140.0, 2.0),
        ListField::Carrier => ("Carrier", 172.0, 2.0),
        ListField::Service => ("Service", 90.0, 1.0),
        ListField::Company => ("Company", 120.0, 1.0),
        ListField::Pieces => ("Pcs", 42.0, 0.0),
        ListField::Weight => ("kg", 58.0, 0.0),
        ListField::Volume => ("m³", 62.0, 0.0),
        ListField::Price => ("Price", 72.0, 0.0),
        ListField::Despatch => ("Despatch", 76.0, 0.0),
        // Track adds how late the consignment is.
        ListField::Eta => ("ETA", 122.0, 0.0),
        ListField::Changed => ("Changed", 76.0, 0.0),
        ListField::Scanned => ("Last scan", 82.0, 0.0),
        ListField::Dangerous => ("DG", 36.0, 0.0),
        ListField::International => ("Intl", 46.0, 0.0),
        ListField::OnHold => ("Hold", 50.0, 0.0),
        ListField::Label => ("Label", 80.0, 0.0),
        ListField::Important => ("Imp.", 48.0, 0.0),
        ListField::Files => ("Files", 48.0, 0.0),
        ListField::Manifest => ("Manifest", 80.0, 0.0),
        ListField::Exception => ("What", 120.0, 1.0),
        ListField::Since => ("Since", 76.0, 0.0),
    };
    let column = Column::new(title, width).key(field.key()).grow(weight);
    if field.is_amount() {
        column.right()
    } else {
        column
    }
}

/// Width class of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum ListWidth {
    Narrow,
    Wide,
    Widest,
}

impl ListWidth {
    /// Returns the width class of a list with a width in points.
    pub(crate) fn of(points: f32) -> Self {
        match points {
            _ if points < 760.0 => Self::Narrow,
            _ if points < 1_280.0 => Self::Wide,
            _ => Self::Widest,
        }
    }
}
