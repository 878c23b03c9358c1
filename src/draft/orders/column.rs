//! The columns of an order file. Most of their names are in the tables of fields in `field.rs`; this file has only
//! the names of columns without a field of their own.
//!
//! The mapping from a file's columns to order columns is guessed from the headers, changed by the clerk, and
//! remembered for files with the same headers.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::Sheet;
use crate::field::{ColumnNames, RecordField as _};
use crate::{AddressField, ConsignmentFlag, ContentsField, Field, GoodsField};
use shipping::Question;

/// A column, by the part of a draft that it fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Column {
    /// A text. For fields of goods and contents, every index is 0.
    Text(Field),
    Question(Question),
    Flag(ConsignmentFlag),
    Routing,
}

const ROUTING: ColumnNames = ColumnNames::new(
    "Service",
    "Service",
    &[
        "route",
        "routing",
        "servicechoice",
        "defaultrouteselection",
        "speed",
        "shippingmethod",
    ],
);

/// The options that have a column, each with other names of its column. The column's own name is the option's label.
const QUESTIONS: [(Question, ColumnNames); 4] = [
    question(
        "AuthorityToLeave",
        Question::AuthorityToLeave,
        &[
            "atl",
            "authoritytoleave",
            "authorisedtoleave",
            "authorizedtoleave",
            "leavesafe",
        ],
    ),
    question(
        "Tailgate",
        Question::Tailgate,
        &["taillift", "tailgaterequired", "hydraulictailgate"],
    ),
    question(
        "Residential",
        Question::Residential,
        &["residentialdelivery", "isresidential", "home"],
    ),
    question("HandUnload", Question::HandUnload, &["handunloadrequired"]),
];

const fn question(
    key: &'static str,
    question: Question,
    others: &'static [&'static str],
) -> (Question, ColumnNames) {
    (question, ColumnNames::new(key, question.label(), others))
}

static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let is_reference = |field: &Field| matches!(field, Field::Reference1 | Field::Reference2);
    let (references, texts): (Vec<_>, Vec<_>) = Field::texts().partition(is_reference);
    let sender = [Field::From(AddressField::Saved)];
    let receiver = AddressField::ALL.iter().map(|field| Field::To(*field));
    let goods = GoodsField::ALL.iter().map(|field| Field::Goods(0, *field));
    let contents = ContentsField::ALL
        .iter()
        .map(|field| Field::Contents(0, 0, *field));
    let has_column = |field: &Field| field.row().column.is_some();
    let text = |fields: &mut dyn Iterator<Item = Field>| -> Vec<Column> {
        fields.filter(has_column).map(Column::Text).collect()
    };
    let options = [Column::Routing].into_iter();
    let options = options.chain(QUESTIONS.map(|(question, _)| Column::Question(question)));
    let options = options.chain(ConsignmentFlag::ALL.iter().copied().map(Column::Flag));
    [
        text(
            &mut references
                .into_iter()
                .chain(sender)
                .chain(receiver)
                .chain(texts),
        ),
        options.collect(),
        text(&mut goods.chain(contents)),
    ]
    .concat()
});

impl Column {
    /// Returns all columns, in the template's order.
    pub fn all() -> &'static [Self] {
        &COLUMNS
    }

    fn names(self) -> ColumnNames {
        let question = |asked| {
            QUESTIONS
                .into_iter()
                .find(|(question, _)| *question == asked)
        };
        let names = match self {
            Self::Text(field) => field.row().column,
            Self::Question(asked) => question(asked).map(|(_, names)| names),
            Self::Flag(flag) => Some(flag.row().column),
            Self::Routing => Some(ROUTING),
        };
        names.unwrap_or(ColumnNames::new("", "", &[]))
    }

    pub fn name(self) -> &'static str {
        self.names().name
    }
}

impl From<Column> for &'static str {
    fn from(column: Column) -> Self {
        column.names().key
    }
}

impl TryFrom<String> for Column {
    type Error = &'static str;

    fn try_from(key: String) -> Result<Self, Self::Error> {
        let mut all = COLUMNS.iter().copied();
        all.find(|column| column.names().key == key)
            .ok_or("not a column of order files")
    }
}

/// Returns a sample file for the clerk: the header, and an invented order with two lines of goods. Columns that the
/// sample lacks are added at the end.
pub fn template() -> String {
    const SAMPLE: &str = include_str!("../../../assets/orders-template.csv");
    let header = SAMPLE.lines().next().unwrap_or_default();
    let is_missing = |name: &&str| header.split(',').all(|known| known != *name);
    let added: Vec<&str> = { COLUMNS.iter() }
        .map(|column| column.name())
        .filter(is_missing)
        .collect();
    let lines = SAMPLE.lines().enumerate().map(|(at, line)| match at {
        0 => [&[line], added.as_slice()].concat().join(",") + "\n",
        _ => line.to_owned() + &",".repeat(added.len()) + "\n",
    });
    lines.collect()
}

/// Folds a header to its lower-case letters and digits, so that `To e-mail` and `to_email` are equal.
pub(super) fn fold_header(header: &str) -> String {
    let letters = header.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the column with this header, by the template's names or other common names.
pub(super) fn column_for_header(header: &str) -> Option<Column> {
    let header = fold_header(header);
    let all = || COLUMNS.iter().copied();
    all()
        .find(|column| fold_header(column.name()) == header)
        .or_else(|| all().find(|column| column.names().others.contains(&header.as_str())))
}

/// Returns the column that a field is filled from.
pub(super) fn column_for_field(field: Field) -> Option<Column> {
    let column = Column::Text(match field.in_line(0) {
        Field::From(_) => Field::From(AddressField::Saved),
        Field::To(AddressField::City) => Field::To(AddressField::Place),
        Field::Goods(_, GoodsField::SavedId) => Field::Goods(0, GoodsField::Sku),
        Field::Customs(_) => Field::Contents(0, 0, ContentsField::Description),
        Field::Contents(_, _, field) => Field::Contents(0, 0, field),
        other => other,
    });
    COLUMNS.contains(&column).then_some(column)
}

/// The order column of each column of the file; `None` for an unused column. Has one entry for each header.
pub type Mapping = Vec<Option<Column>>;

/// Guesses the mapping from the headers. Each order column is used once; the first matching header wins.
pub fn guess_mapping(sheet: &Sheet) -> Mapping {
    let mut taken = Vec::new();
    let guessed = sheet.headers.iter().map(|header| {
        let column = column_for_header(header).filter(|column| !taken.contains(column));
        taken.extend(column);
        column
    });
    guessed.collect()
}

impl Sheet {
    /// Returns a key for the set of headers, independent of their order.
    pub fn headers_key(&self) -> String {
        let mut names = self.names();
        names.retain(|name| !name.is_empty());
        names.sort();
        names.join("\n")
    }

    /// Returns the mapping by header, as it is saved.
    pub fn mapping_to_save(&self, mapping: &Mapping) -> Vec<(String, Option<Column>)> {
        self.names()
            .into_iter()
            .zip(mapping.iter().copied())
            .collect()
    }

    /// Restores the mapping that was saved for a file with the same headers.
    pub fn restore_mapping(&self, known: Vec<(String, Option<Column>)>) -> Mapping {
        let known: HashMap<_, _> = known.into_iter().collect();
        let names = self.names().into_iter();
        names
            .map(|name| known.get(&name).copied().flatten())
            .collect()
    }

    /// Returns a unique name for each header: repeated headers get a number.
    fn names(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let names = self.headers.iter().map(|header| {
            let name = fold_header(header);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            match (*count, name.is_empty()) {
                (1, _) | (_, true) => name,
                (count, false) => format!("{name} {count}"),
            }
        });
        names.collect()
    }
}
