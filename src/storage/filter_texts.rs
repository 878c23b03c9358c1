//! The texts and the sort keys of a list's rows. A filter searches the texts, which contain every column of each row,
//! in memory.
//!
//! Invariant: the text of a row consists of its fields' texts, in the order of the columns. Each field's text begins
//! with the field's marker byte, so that no match reaches into the next field or row.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use jiff::civil::DateTime;
use memchr::memchr;
use rust_decimal::prelude::ToPrimitive as _;

use super::list_field::{FieldValue, ListOrder};
use super::list_filter::{FilterWord, folded};
use super::{ConsignmentRow, LIST_FIELDS, ListField, ViewedList};
use shipping::ConsignmentId;

/// The text by which the filter finds rows on hold.
const ON_HOLD_TEXT: &str = "on hold";

/// Values of rows that only the window knows and that are not in the store: labels and holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WindowMarks {
    /// The label of every row that is not in `labels`.
    pub usual_label: LabelMark,
    pub labels: HashMap<ConsignmentId, LabelMark>,
    pub on_hold: Arc<HashSet<ConsignmentId>>,
}

/// The state of a label as a list shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LabelMark {
    pub text: &'static str,
    /// Position of the state when rows are sorted. States that need attention come first.
    pub sort_position: u8,
}

impl WindowMarks {
    fn label(&self, id: ConsignmentId) -> LabelMark {
        { self.labels.get(&id).copied() }.unwrap_or(self.usual_label)
    }

    /// Returns the value of a field that only the window knows; `None` for a field of the store.
    pub fn field(&self, id: ConsignmentId, field: ListField) -> Option<FieldValue<'static>> {
        match field {
            ListField::OnHold => Some(FieldValue::Mark(self.on_hold.contains(&id))),
            ListField::Label => Some(FieldValue::text(self.label(id).text)),
            _ => None,
        }
    }

    /// Returns the sort key of a field that only the window knows; `None` for a field of the store.
    pub fn sort_key(&self, id: ConsignmentId, field: ListField) -> Option<SortKey> {
        match field {
            ListField::Label => Some(SortKey::Number(self.label(id).sort_position.into())),
            field => self.field(id, field).map(|value| value.sort_key()),
        }
    }

    /// Returns whether a word without a field matches the row's label or its hold. The usual label matches only with
    /// the column's name, as in `label:waiting`, because most rows have it and a half-typed receiver's name must not
    /// match all of them.
    fn match_word(&self, id: ConsignmentId, word: &FilterWord) -> bool {
        let by_label = self.labels.get(&id);
        by_label.is_some_and(|label| label.text.contains(&word.text))
            || (ON_HOLD_TEXT.contains(&word.text) && self.on_hold.contains(&id))
    }
}

/// A sort key. Rows whose value is not known come last in either direction.
#[derive(Debug, Clone, PartialEq, PartialOrd)]
pub enum SortKey {
    Text(Box<str>),
    Number(f64),
    Unknown,
}

impl FieldValue<'_> {
    pub fn sort_key(&self) -> SortKey {
        let number = |number: Option<f64>| number.map_or(SortKey::Unknown, SortKey::Number);
        match self {
            Self::Text(text) if text.is_empty() => SortKey::Unknown,
            Self::Text(text) => SortKey::Text(folded(text).into()),
            Self::Count(number) | Self::Id(number) => SortKey::Number(*number as f64),
            Self::Amount(amount) => number(amount.to_f64()),
            Self::Moment(at) => SortKey::Number(at.as_millisecond() as f64),
            Self::Time(at) => SortKey::Number(at.0.duration_since(DateTime::ZERO).as_secs_f64()),
            Self::Mark(true) => SortKey::Number(0.0),
            Self::Mark(false) | Self::Missing => SortKey::Unknown,
        }
    }
}

/// Returns the ids in the order of their keys. In both directions, rows with an unknown value come last. Equal rows
/// are newest first if `newest_first` is true, otherwise oldest first.
pub fn sorted_by_key(
    mut rows: Vec<(SortKey, ConsignmentId)>,
    descending: bool,
    newest_first: bool,
) -> Vec<ConsignmentId> {
    rows.sort_unstable_by(|(one, first), (other, second)| {
        let by_key = one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal);
        let by_key = if descending { by_key.reverse() } else { by_key };
        let is_unknown = |key: &SortKey| *key == SortKey::Unknown;
        let by_age = if newest_first {
            second.cmp(first)
        } else {
            first.cmp(second)
        };
        (is_unknown(one).cmp(&is_unknown(other)))
            .then(by_key)
            .then(by_age)
    });
    rows.into_iter().map(|(_, id)| id).collect()
}

/// Sorts rows, which must be given newest first. `stored` is called with the ids, oldest first, and returns their
/// sort keys for a field of the store.
pub fn put_in_order<E>(
    mut ids: Vec<ConsignmentId>,
    order: ListOrder,
    marks: &WindowMarks,
    stored: impl FnOnce(&[ConsignmentId]) -> Result<Vec<SortKey>, E>,
) -> Result<Vec<ConsignmentId>, E> {
    let mark = |id: &ConsignmentId| marks.sort_key(*id, order.column);
    if order.column == ListField::Number && order.descending {
        return Ok(ids);
    }
    ids.reverse();
    if order.column == ListField::Number {
        return Ok(ids);
    }
    let keys = match ids.iter().map(mark).collect() {
        Some(keys) => keys,
        None => stored(&ids)?,
    };
    let rows = keys.into_iter().zip(ids).collect();
    Ok(sorted_by_key(rows, order.descending, true))
}

/// The texts of a list's rows, the newest row first.
#[derive(Debug, Default)]
pub struct FilterTexts {
    ids: Vec<ConsignmentId>,
    text: String,
    /// The position in `text` where each row ends.
    ends: Vec<usize>,
}

/// The marker byte of each field: a control character, counted from 1 in the order of the fields, or 0 for a field
/// that Dispatch doesn't have.
static MARKS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut marks = vec![0; LIST_FIELDS.len()];
    for (mark, field) in (1..b' ').zip(ViewedList::Dispatch.fields()) {
        marks[field as usize] = mark;
    }
    marks
});

/// Returns the marker byte that a field begins with. Every byte of the fields' texts is greater.
fn mark(field: ListField) -> u8 {
    MARKS[field as usize]
}

impl FilterTexts {
    /// Returns the rows, newest first.
    pub fn ids(&self) -> &[ConsignmentId] {
        &self.ids
    }

    /// Returns the position of a row.
    pub fn place(&self, id: ConsignmentId) -> Option<usize> {
        self.ids.binary_search_by(|one| id.cmp(one)).ok()
    }

    /// Adds a row, which must be older than all rows added before.
    pub fn push(&mut self, row: &ConsignmentRow) {
        for field in ViewedList::Dispatch.fields() {
            let begin = self.text.len();
            self.text.push(char::from(mark(field)));
            field.write_filter_text(&row.field(field), &mut self.text);
            if self.text.len() == begin + 1 {
                self.text.pop();
            }
        }
        self.ids.push(row.id);
        self.ends.push(self.text.len());
    }

    /// Copies a row from `other`. The row must be older than all rows added before.
    pub fn push_known(&mut self, other: &Self, row: usize) {
        self.text
            .push_str(&other.text[other.begin(row)..other.ends[row]]);
        self.ids.push(other.ids[row]);
        self.ends.push(self.text.len());
    }

    /// Frees memory that is kept for further rows.
    pub fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Returns the rows that match all words, newest first.
    pub fn find(&self, words: &[FilterWord], marks: &WindowMarks) -> Vec<ConsignmentId> {
        let Some((first, others)) = words.split_first() else {
            return self.ids.clone();
        };
        let matches = |row: &usize| others.iter().all(|word| self.matches(*row, word, marks));
        let found = self.rows_with(first, marks).into_iter().filter(matches);
        found.map(|row| self.ids[row]).collect()
    }

    /// Returns the positions of the rows that match a word, in ascending order.
    fn rows_with(&self, word: &FilterWord, marks: &WindowMarks) -> Vec<usize> {
        let is_in_text = match word.field {
            None => word.figures.is_none(),
            Some(ListField::Label) => false,
            Some(field) => !field.is_mark(),
        };
        if !is_in_text {
            let all = 0..self.ids.len();
            return all.filter(|row| self.matches(*row, word, marks)).collect();
        }
        let mut rows = self.scan(word);
        if word.field.is_none() {
            let marked = marks.labels.keys().chain(marks.on_hold.iter());
            let marked = marked.filter(|id| marks.match_word(**id, word));
            let by_text = rows.len();
            rows.extend(marked.filter_map(|id| self.place(*id)));
            if rows.len() > by_text {
                rows.sort_unstable();
                rows.dedup();
            }
        }
        rows
    }

    /// Returns the positions of the rows whose text matches a word. Searches all texts at once, which is faster than
    /// row by row.
    fn scan(&self, word: &FilterWord) -> Vec<usize> {
        let (bytes, mut rows) = (self.text.as_bytes(), Vec::new());
        let (mut row, mut at) = (0, 0);
        while let Some(found) = word.find(&bytes[at..]) {
            while self.ends[row] <= at + found {
                row += 1;
            }
            at = self.ends[row];
            if word.field.is_none() || holds(self.bytes(row), word) {
                rows.push(row);
            }
        }
        rows
    }

    fn matches(&self, row: usize, word: &FilterWord, marks: &WindowMarks) -> bool {
        let id = self.ids[row];
        match word.field {
            Some(ListField::OnHold) => marks.on_hold.contains(&id) == word.wants_mark(),
            Some(ListField::Label) => marks.label(id).text.contains(&word.text),
            Some(_) => holds(self.bytes(row), word),
            None => holds(self.bytes(row), word) || marks.match_word(id, word),
        }
    }

    fn begin(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    fn bytes(&self, row: usize) -> &[u8] {
        &self.text.as_bytes()[self.begin(row)..self.ends[row]]
    }
}

/// Returns whether the text of a row matches a word, within the word's field if it has one.
fn holds(bytes: &[u8], word: &FilterWord) -> bool {
    let Some(field) = word.field else {
        return word.find(bytes).is_some() || word.find_figures(bytes).is_some();
    };
    let begin = memchr(mark(field), bytes);
    if field.is_mark() {
        return begin.is_some() == word.wants_mark();
    }
    let Some(begin) = begin else { return false };
    let rest = &bytes[begin + 1..];
    let found = word.find(rest);
    found.is_some_and(|found| rest[..found].iter().all(|byte| *byte >= b' '))
}
