//! The fields of a consignment that lists show: their values, and the texts by which filters find them.

use std::borrow::Cow;
use std::fmt::Write as _;

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::ViewedList;
use super::consignment_row::{ConsignmentRow, LIST_FIELDS, ListField, ListFieldEntry};
use super::list_filter::fold_into;
use super::track_store::columns::ListValue;
use shipping::LocalTime;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    Text,
    /// A number that is not used in calculations.
    Id,
    Count,
    /// A number with this many digits after the decimal point.
    Amount(usize),
    Time,
    Moment,
    /// A mark that a consignment has or lacks.
    Mark,
}

/// Returns the kind of a member's values.
pub(super) const fn kind_of<T: ListValue>(_member: fn(&ConsignmentRow) -> &T) -> FieldKind {
    T::KIND
}

/// Whether Track finds the text of a field without the column's name, as Dispatch does for all of its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FreeSearch {
    /// Yes: by its words, and as a complete number or reference.
    Number,
    Words,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ListOrder {
    pub column: ListField,
    /// True if the largest or newest value comes first.
    pub descending: bool,
}

impl Default for ListOrder {
    /// Returns the order with the newest consignments first.
    fn default() -> Self {
        Self {
            column: ListField::Number,
            descending: true,
        }
    }
}

impl ListField {
    pub fn entry(self) -> &'static ListFieldEntry {
        &LIST_FIELDS[self as usize]
    }

    pub fn key(self) -> &'static str {
        self.entry().key
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns whether the field is a mark that a consignment has or lacks.
    pub(super) fn is_mark(self) -> bool {
        self.entry().kind == FieldKind::Mark
    }

    /// Returns whether the field is a number to calculate with.
    pub fn is_amount(self) -> bool {
        matches!(self.entry().kind, FieldKind::Count | FieldKind::Amount(_))
    }

    /// Returns whether the field's values are numbers or times. Punctuation has a meaning in them, as in
    /// `31.5` and `15:30`.
    pub(super) fn is_figure(self) -> bool {
        !matches!(self.entry().kind, FieldKind::Text | FieldKind::Mark)
    }

    /// Returns the number of digits after the point.
    fn decimals(self) -> usize {
        match self.entry().kind {
            FieldKind::Amount(decimals) => decimals,
            _ => 0,
        }
    }

    /// Appends the text by which a filter finds a value of this field.
    pub fn write_filter_text(self, value: &FieldValue<'_>, out: &mut String) {
        // Writing into a string can't fail.
        let _ = match value {
            FieldValue::Text(text) => {
                fold_into(out, text);
                Ok(())
            }
            FieldValue::Count(number) | FieldValue::Id(number) => write!(out, "{number}"),
            FieldValue::Amount(amount) => write!(out, "{amount:.*}", self.decimals()),
            FieldValue::Time(LocalTime(at)) => {
                let month = MONTHS[usize::from(at.month().unsigned_abs() - 1)];
                write!(
                    out,
                    "{} {month} {:02}:{:02}",
                    at.day(),
                    at.hour(),
                    at.minute()
                )
            }
            FieldValue::Mark(true) => {
                out.push_str(self.key());
                Ok(())
            }
            FieldValue::Mark(false) | FieldValue::Moment(_) | FieldValue::Missing => Ok(()),
        };
    }

    /// Returns the text of a value for copying. The text can be understood without the cells beside it, and is the
    /// same in every list. `zone` is the bench's time zone (IANA).
    pub fn text<'a>(self, value: FieldValue<'a>, zone: &str) -> Cow<'a, str> {
        match value {
            FieldValue::Text(text) => text,
            FieldValue::Count(number) | FieldValue::Id(number) => number.to_string().into(),
            FieldValue::Amount(amount) if self == Self::Price => format!("${amount:.2}").into(),
            FieldValue::Amount(amount) => format!("{amount:.*}", self.decimals()).into(),
            FieldValue::Time(at) => at.0.strftime("%Y-%m-%d %H:%M").to_string().into(),
            FieldValue::Moment(at) => {
                let at = LocalTime::at(at, zone).0;
                at.strftime("%Y-%m-%d %H:%M").to_string().into()
            }
            FieldValue::Mark(true) => "yes".into(),
            FieldValue::Mark(false) | FieldValue::Missing => "".into(),
        }
    }
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

#[derive(Debug, Clone, PartialEq)]
pub enum FieldValue<'a> {
    /// Not known, or not a field of this consignment.
    Missing,
    /// May be empty.
    Text(Cow<'a, str>),
    Id(i64),
    Count(i64),
    Amount(Decimal),
    /// A wall-clock time in the time zone of the place that it belongs to.
    Time(LocalTime),
    Moment(Timestamp),
    Mark(bool),
}

impl<'a> FieldValue<'a> {
    pub fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    pub fn amount(amount: Option<Decimal>) -> Self {
        amount.map_or(Self::Missing, Self::Amount)
    }

    pub fn time(at: Option<LocalTime>) -> Self {
        at.map_or(Self::Missing, Self::Time)
    }

    pub fn moment(at: Option<Timestamp>) -> Self {
        at.map_or(Self::Missing, Self::Moment)
    }
}

impl ConsignmentRow {
    /// Returns the value of a field; [`FieldValue::Missing`] for fields that are not in the store. The value of a
    /// company is its id.
    pub fn field(&self, field: ListField) -> FieldValue<'_> {
        (field.entry().value)(self)
    }
}

impl ViewedList {
    /// Returns the list's columns, in the order in which they are offered.
    pub fn fields(self) -> impl Iterator<Item = ListField> {
        let entries = LIST_FIELDS.iter();
        let own = entries.filter(move |entry| entry.lists.contains(&self));
        own.map(|entry| entry.field)
    }

    /// Returns the field that a word stands for in this list's filter, such as `carrier` in `carrier:…`. The
    /// word must be in lower case.
    pub(super) fn filter_field(self, word: &str) -> Option<ListField> {
        let is_named = |field: &ListField| {
            let entry = field.entry();
            !word.is_empty() && (entry.key == word || entry.alias == word)
        };
        let field = self.fields().find(is_named)?;
        // Neither kind of field can be searched: company names are not in the store, and moments depend on the
        // bench's zone.
        let is_unknown = field == ListField::Company || field.entry().kind == FieldKind::Moment;
        (!is_unknown).then_some(field)
    }

    /// Returns the column that a saved view calls `key`.
    pub fn field_of_key(self, key: &str) -> Option<ListField> {
        self.fields().find(|field| field.key() == key)
    }
}
