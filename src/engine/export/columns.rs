//! The columns of exports of tracked consignments. Columns are named by the identifiers of Track's table,
//! which never change. Unknown identifiers are left out.

use std::collections::HashMap;

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::{ExportCell, ExportContext};
use crate::{Exception, ExceptionRow};
use shipping::{ConsignmentId, LocalTime};
use storage::ConsignmentRow;

/// The columns of an export.
pub(super) struct Columns {
    shown: Vec<&'static Column>,
    known: ExportContext,
    wrong: HashMap<ConsignmentId, (Exception, Timestamp)>,
}

struct Column {
    id: &'static str,
    head: &'static str,
    cell: fn(&Columns, &ConsignmentRow) -> ExportCell,
}

macro_rules! columns {
    ($($word:literal $head:literal $cell:expr;)+) => {
        const ALL: &[Column] = &[$(Column { id: $word, head: $head, cell: $cell }),+];
    };
}

columns! {
    "number" "Number" |_, one| text(&one.number);
    "status" "Status" |_, one| text(&one.status.label());
    "to" "Receiver" |_, one| text(&one.to);
    "suburb" "Suburb" |_, one| text(&one.to_place.suburb);
    "state" "State" |_, one| text(&one.to_place.state);
    "postcode" "Postcode" |_, one| text(&one.to_place.postcode);
    "carrier" "Carrier" |_, one| text(&one.carrier);
    "service" "Service" |_, one| text(&one.service);
    "carrier-number" "Carrier's number" |_, one| text(&one.carrier_number);
    "reference" "Reference" |_, one| text(&one.reference);
    "reference-2" "Reference 2" |_, one| text(&one.reference2);
    "from" "Sender" |_, one| text(&one.from);
    "company" "Company" Columns::company;
    "despatch" "Despatch" |_, one| there(one.despatch);
    "eta" "ETA" |_, one| there(one.eta);
    "changed" "Last change" |columns, one| columns.at(one.changed);
    "scanned" "Last scan" |columns, one| columns.at(one.scanned);
    "pieces" "Pieces" |_, one| ExportCell::Number(one.pieces.into());
    "kg" "kg" |_, one| number(one.weight.map(|weight| weight.0));
    "m3" "m³" |_, one| number(one.volume.map(|volume| volume.0));
    "price" "Price (inc GST)" |_, one| number(one.price.map(|price| price.0));
    "dg" "Dangerous goods" |_, one| text(if one.dangerous == Some(true) { "yes" } else { "" });
    "files" "Files" |_, one| ExportCell::Number(one.attachments.into());
    "manifest" "Manifest" |_, one| text(&one.manifest.map(|id| id.to_string()).unwrap_or_default());
    "what" "What" |columns, one| text(columns.wrong.get(&one.id).map_or("", |(what, _)| what.label()));
    "since" "Since" |columns, one| columns.at(columns.wrong.get(&one.id).map(|(_, since)| *since));
}

/// Returns true if exports have a column with this identifier.
pub fn is_export_column(id: &str) -> bool {
    ALL.iter().any(|column| column.id == id)
}

impl Columns {
    /// `words` are the identifiers of the columns; `in_need` has the exception of each consignment
    /// that has one.
    pub(super) fn of(words: &[String], known: ExportContext, in_need: &[ExceptionRow]) -> Self {
        let known_words = |word: &String| ALL.iter().find(|column| column.id == word);
        let wrong = { in_need.iter() }.map(|row| (row.id, (row.exception, row.since)));
        Self {
            shown: words.iter().filter_map(known_words).collect(),
            wrong: wrong.collect(),
            known,
        }
    }

    pub(super) fn heads(&self) -> Vec<String> {
        self.shown
            .iter()
            .map(|column| column.head.to_owned())
            .collect()
    }

    pub(super) fn cells(&self, one: &ConsignmentRow) -> Vec<ExportCell> {
        self.shown
            .iter()
            .map(|column| (column.cell)(self, one))
            .collect()
    }

    fn company(&self, one: &ConsignmentRow) -> ExportCell {
        let name = one.company.and_then(|id| self.known.companies.get(&id));
        let id = one.company.map(|id| id.to_string());
        text(name.map_or_else(|| id.as_deref().unwrap_or_default(), String::as_str))
    }

    /// In the bench's time zone.
    fn at(&self, at: Option<Timestamp>) -> ExportCell {
        at.map_or_else(
            || text(""),
            |at| ExportCell::Time(LocalTime::at(at, &self.known.zone).0),
        )
    }
}

/// In the time zone of its own place.
fn there(at: Option<LocalTime>) -> ExportCell {
    at.map_or_else(|| text(""), |at| ExportCell::Time(at.0))
}

fn number(number: Option<Decimal>) -> ExportCell {
    number.map_or_else(|| text(""), ExportCell::Number)
}

fn text(text: &str) -> ExportCell {
    ExportCell::Text(text.to_owned())
}
