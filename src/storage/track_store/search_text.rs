//! The search texts of the store's rows, and the queries to their index.
//!
//! Invariant: a query to the index contains only letters and digits, so that no typed text can be a syntax
//! error in SQLite's query language.

use super::row::ConsignmentRow;
use crate::list_field::ListField;
use crate::list_filter::{FilterWord, fold_into, folded};

/// Number of letters that are indexed together.
const TOGETHER: usize = 3;

/// Marks a whole number in the index. Must be neither a letter nor a digit.
const WHOLE: char = '§';

/// Most words in a query to the index, and most parts of each. The rows found are compared with the
/// full text anyway.
const MOST_WORDS: usize = 8;
const MOST_PARTS: usize = 3;

/// The fields of a search text, a line for each, after the line of the tracking token. Numbers come first.
const FIELDS: [ListField; 8] = [
    ListField::Number,
    ListField::CarrierNumber,
    ListField::Reference,
    ListField::Reference2,
    ListField::To,
    ListField::Suburb,
    ListField::Postcode,
    ListField::From,
];

/// Folds a number and removes its spaces, so that whole numbers can be compared.
pub(super) fn fold_number(number: &str) -> String {
    folded(number).replace(' ', "")
}

/// Builds the search text of a row, with one line for each value: first the tracking token, which is found
/// only if given whole, then the numbers and references, then the names and the place.
pub(super) fn text_of(row: &ConsignmentRow, out: &mut String) {
    out.clear();
    fold_into(out, &row.tracking_token);
    for field in FIELDS {
        out.push('\n');
        field.write_filter_text(&row.field(field), out);
    }
}

/// Number of lines in a search text that can be found as whole numbers.
const NUMBERS: usize = 5;

/// Returns the whole numbers of a search text.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    let lines = text
        .split('\n')
        .take(NUMBERS)
        .filter(|line| !line.is_empty());
    lines.map(|line| line.replace(' ', ""))
}

/// Returns true if `whole` equals any number of a search text.
pub(super) fn has_number(text: &str, whole: &str) -> bool {
    numbers(text).any(|number| number == whole)
}

/// Builds the index terms of a search text: the whole numbers, and each letter of each word with the two
/// letters after it.
pub(super) fn terms_of(text: &str, out: &mut String) {
    out.clear();
    for number in numbers(text) {
        out.push(WHOLE);
        out.push_str(&number);
        out.push(' ');
    }
    for word in searched(text).split_ascii_whitespace() {
        for (at, _) in word.char_indices() {
            let rest = &word[at..];
            let end = rest.char_indices().nth(TOGETHER);
            out.push_str(end.map_or(rest, |(end, _)| &rest[..end]));
            out.push(' ');
        }
    }
}

/// Returns the part of a search text that words are looked for in, which is all but the token.
fn searched(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, searched)| searched)
}

/// The words of a search that are found in the search text. A row must contain all of them, in any order.
#[derive(Debug)]
pub(super) struct TextWords<'a>(Vec<(&'a FilterWord, Option<usize>)>);

impl<'a> TextWords<'a> {
    /// Separates the words of a filter into words that are found in the search text, and words that are
    /// limited to a field that is not in it.
    pub(super) fn separate(words: &'a [FilterWord]) -> (Self, Vec<(ListField, &'a FilterWord)>) {
        let (mut in_text, mut others) = (Vec::new(), Vec::new());
        for word in words {
            let line = word.field.map(|field| (field, line_of(field)));
            match line {
                None => in_text.push((word, None)),
                Some((_, Some(line))) => in_text.push((word, Some(line))),
                Some((field, None)) => others.push((field, word)),
            }
        }
        (Self(in_text), others)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a search text contains all words, each in its line if it has one.
    pub(super) fn match_text(&self, text: &str) -> bool {
        let text = searched(text);
        self.0.iter().all(|(word, line)| {
            let part = match line {
                Some(line) => text.split('\n').nth(*line).unwrap_or_default(),
                None => text,
            };
            word.find(part.as_bytes()).is_some()
        })
    }

    /// Returns the only word, if it may be a tracking token.
    pub(super) fn token(&self) -> Option<&str> {
        match self.0.as_slice() {
            [(only, None)] if only.text.len() >= 8 && !only.text.contains(' ') => Some(&only.text),
            _ => None,
        }
    }

    /// Builds a query whose result contains all rows with these words, and possibly others. Words of one or
    /// two letters are left out unless `short` is true. Returns `None` if no word is left.
    pub(super) fn index_query(&self, short: bool) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let words = self.0.iter().flat_map(|(word, _)| word.text.split(' '));
        for word in words.take(MOST_WORDS) {
            let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
            if starts.len() < TOGETHER {
                if short {
                    parts.push(format!("\"{word}\" *"));
                }
                continue;
            }
            let last = starts.len() - TOGETHER;
            let firsts = (0..last).step_by(TOGETHER).take(MOST_PARTS - 1);
            for first in firsts.chain([last]) {
                let end = starts.get(first + TOGETHER).copied().unwrap_or(word.len());
                parts.push(format!("\"{}\"", &word[starts[first]..end]));
            }
        }
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }
}

/// Returns the field's line in the searched part of a search text.
fn line_of(field: ListField) -> Option<usize> {
    FIELDS.iter().position(|known| *known == field)
}

/// Builds the query for a whole number.
pub(super) fn asked_whole(whole: &str) -> String {
    format!("\"{WHOLE}{whole}\"")
}
