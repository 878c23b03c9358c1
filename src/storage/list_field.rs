//! The fields of a consignment that lists show: their names in views, filters and exports, and the values that a stored
//! consignment has for them.
//!
//! Invariant: the key of a field never changes, because saved views contain it.

use std::borrow::Cow;
use std::fmt::Write as _;

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::ViewedList;
use super::list_filter::fold_into;
use super::track_store::ConsignmentRow;
use shipping::LocalTime;

/// Defines `ListField` and `LIST_FIELDS`: variant, key, second word in filters, name, lists that have the field as a
/// column, and where the store has it.
macro_rules! list_fields {
    ($($field:ident $key:literal $alias:literal $name:literal $lists:ident $stored:expr;)+) => {
        /// A field of a consignment, which is a column of a list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ListField {
            $($field),+
        }

        /// All fields. `ListField` has the same order, and lists offer their columns in this order.
        pub static LIST_FIELDS: &[ListFieldEntry] = &[$(ListFieldEntry {
            field: ListField::$field,
            key: $key,
            alias: $alias,
            name: $name,
            lists: $lists,
            stored: $stored,
        }),+];
    };
}

/// The names of a field, the lists that show it, and its place in the store.
#[derive(Debug)]
pub struct ListFieldEntry {
    pub field: ListField,
    /// Identifies the field in saved views, and in filters: `carrier:southern`.
    pub key: &'static str,
    /// A second word for the field in filters; may be empty.
    pub alias: &'static str,
    /// The name in dialogs, and the heading of the column in copies and exports.
    pub name: &'static str,
    /// The lists that have the field as a column.
    lists: &'static [ViewedList],
    /// The table and the column in the store of consignments.
    pub(super) stored: Option<(&'static str, &'static str)>,
}

const BOTH: &[ViewedList] = &[ViewedList::Dispatch, ViewedList::Track];
const DISPATCH: &[ViewedList] = &[ViewedList::Dispatch];
const TRACK: &[ViewedList] = &[ViewedList::Track];
const NEITHER: &[ViewedList] = &[];

list_fields! {
    Number "number" "no" "Number" BOTH Some(("shown", "number"));
    Status "status" "" "Status" TRACK Some(("tracked", "status"));
    Reference "reference" "ref" "Reference" BOTH Some(("shown", "reference"));
    Reference2 "reference-2" "ref2" "Second reference" BOTH Some(("shown", "reference2"));
    CarrierNumber "carrier-number" "con" "Carrier con. number" BOTH Some(("shown", "carrier_number"));
    To "to" "receiver" "Receiver" BOTH Some(("shown", "to_name"));
    Suburb "suburb" "town" "Suburb" BOTH Some(("shown", "to_suburb"));
    State "state" "" "State" BOTH Some(("shown", "to_state"));
    Postcode "postcode" "zip" "Postcode" BOTH Some(("shown", "to_postcode"));
    Country "country" "" "Country" BOTH Some(("shown", "to_country"));
    From "from" "sender" "Sender" BOTH Some(("shown", "from_name"));
    Carrier "carrier" "" "Carrier" BOTH Some(("tracked", "carrier"));
    Service "service" "" "Service" BOTH Some(("shown", "service"));
    Company "company" "" "Company" TRACK Some(("tracked", "company"));
    Pieces "pieces" "pcs" "Pieces" BOTH Some(("shown", "pieces"));
    Weight "kg" "weight" "kg" BOTH Some(("shown", "weight"));
    Volume "m3" "volume" "m³" BOTH Some(("shown", "volume"));
    Price "price" "" "Price (inc GST)" BOTH Some(("shown", "price"));
    Despatch "despatch" "leaves" "Despatch" BOTH Some(("shown", "despatch_local_ms"));
    Eta "eta" "arrives" "ETA" BOTH Some(("shown", "eta_local_ms"));
    Changed "changed" "" "Last change" TRACK Some(("tracked", "changed_ms"));
    Scanned "scanned" "" "Last scan" TRACK Some(("tracked", "scanned_ms"));
    Dangerous "dg" "dangerous" "Dangerous goods" BOTH Some(("shown", "dangerous"));
    International "international" "abroad" "International" BOTH Some(("shown", "international"));
    OnHold "held" "" "On hold" DISPATCH None;
    Label "label" "printed" "Label" DISPATCH None;
    Important "important" "" "Important" BOTH Some(("shown", "important"));
    Files "files" "" "Files" TRACK Some(("shown", "attachments"));
    Manifest "manifest" "" "Manifest" TRACK Some(("shown", "manifest"));
    // In exports of what needs attention: the exception, and when it began.
    Exception "what" "" "What" NEITHER None;
    Since "since" "" "Since" NEITHER None;
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ListOrder {
    pub column: ListField,
    /// Largest or newest first.
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
    pub const fn is_mark(self) -> bool {
        matches!(
            self,
            Self::Dangerous | Self::International | Self::OnHold | Self::Important
        )
    }

    /// Returns whether the field is written in digits with signs between them that mean something, such as
    /// `31.5` and `15:30`.
    pub const fn is_figure(self) -> bool {
        matches!(
            self,
            Self::Pieces
                | Self::Weight
                | Self::Volume
                | Self::Price
                | Self::Despatch
                | Self::Eta
                | Self::Files
                | Self::Manifest
        )
    }

    /// Returns the number of digits after the point.
    const fn decimals(self) -> usize {
        match self {
            Self::Weight => 1,
            Self::Volume => 3,
            _ => 2,
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
            FieldValue::Count(count) => write!(out, "{count}"),
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

    /// Returns the text of a value for copying. The text can be understood without the cells beside it, and is the same
    /// in every list. `zone` is the bench's time zone (IANA).
    pub fn text<'a>(self, value: FieldValue<'a>, zone: &str) -> Cow<'a, str> {
        match value {
            FieldValue::Text(text) => text,
            FieldValue::Count(count) => count.to_string().into(),
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

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldValue<'a> {
    /// Not known, or not a field of this consignment.
    Missing,
    /// May be empty.
    Text(Cow<'a, str>),
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
    /// Returns the value of a field; [`FieldValue::Missing`] for fields that are not in the store. A company
    /// is its id.
    pub fn field(&self, field: ListField) -> FieldValue<'_> {
        let count = |count: Option<i64>| count.map_or(FieldValue::Missing, FieldValue::Count);
        match field {
            ListField::Number => FieldValue::text(&self.number),
            ListField::Reference => FieldValue::text(&self.reference),
            ListField::Reference2 => FieldValue::text(&self.reference2),
            ListField::CarrierNumber => FieldValue::text(&self.carrier_number),
            ListField::Status => FieldValue::Text(self.status.label().into()),
            ListField::To => FieldValue::text(&self.to),
            ListField::Suburb => FieldValue::text(&self.to_place.suburb),
            ListField::State => FieldValue::text(&self.to_place.state),
            ListField::Postcode => FieldValue::text(&self.to_place.postcode),
            ListField::Country => FieldValue::text(&self.to_place.country),
            ListField::From => FieldValue::text(&self.from),
            ListField::Carrier => FieldValue::text(&self.carrier),
            ListField::Service => FieldValue::text(&self.service),
            ListField::Company => count(self.company.map(shipping::CompanyId::get)),
            ListField::Pieces => FieldValue::Count(self.pieces),
            ListField::Weight => FieldValue::amount(self.weight.map(|weight| weight.0)),
            ListField::Volume => FieldValue::amount(self.volume.map(|volume| volume.0)),
            ListField::Price => FieldValue::amount(self.price.map(|price| price.0)),
            ListField::Despatch => FieldValue::time(self.despatch),
            ListField::Eta => FieldValue::time(self.eta),
            ListField::Changed => FieldValue::moment(self.changed),
            ListField::Scanned => FieldValue::moment(self.scanned),
            ListField::Dangerous => self.dangerous.map_or(FieldValue::Missing, FieldValue::Mark),
            ListField::International => FieldValue::Mark(self.international),
            ListField::Important => FieldValue::Mark(self.important),
            ListField::Files => FieldValue::Count(self.attachments),
            ListField::Manifest => count(self.manifest.map(shipping::ManifestId::get)),
            ListField::OnHold | ListField::Label | ListField::Exception | ListField::Since => {
                FieldValue::Missing
            }
        }
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
        // The names of companies are not in the store, and these times are shown in the bench's zone.
        let unknown = [ListField::Company, ListField::Changed, ListField::Scanned];
        let field = self.fields().find(is_named)?;
        (!unknown.contains(&field)).then_some(field)
    }

    /// Returns the column that a saved view calls `key`.
    pub fn field_of_key(self, key: &str) -> Option<ListField> {
        self.fields().find(|field| field.key() == key)
    }
}

#[cfg(test)]
mod tests {
    use super::LIST_FIELDS;

    #[test]
    fn no_word_stands_for_two_fields() {
        let mut words: Vec<_> = { LIST_FIELDS.iter() }
            .flat_map(|entry| [entry.key, entry.alias])
            .filter(|word| !word.is_empty())
            .collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
