//! Folds text for the search: case, accents and punctuation are ignored, in the rows and in what
//! the clerk types.
//!
//! Invariant: a query to the index contains only letters and digits, so that no typed text can be a syntax
//! error in SQLite's query language.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::row::ConsignmentRow;

/// Number of letters that are indexed together.
const TOGETHER: usize = 3;

/// Marks a whole number in the index. Must be neither a letter nor a digit.
const WHOLE: char = '§';

/// Most words in a query to the index, and most parts of each. The rows found are compared with the
/// full text anyway.
const MOST_WORDS: usize = 8;
const MOST_PARTS: usize = 3;

/// Appends the folded `text` to `out`: letters and digits only, words separated by single spaces.
fn fold_into(out: &mut String, text: &str) {
    let mut gap = false;
    let start = out.len();
    let mut put = |out: &mut String, c: char| {
        if c.is_alphanumeric() {
            if std::mem::take(&mut gap) && out.len() > start {
                out.push(' ');
            }
            out.push(c);
        } else if c.is_whitespace() || c.is_control() {
            gap = true;
        }
    };
    if text.is_ascii() {
        for byte in text.bytes() {
            put(out, char::from(byte.to_ascii_lowercase()));
        }
        return;
    }
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' | 'ẞ' => "ss".chars().for_each(|c| put(out, c)),
            'æ' | 'Æ' => "ae".chars().for_each(|c| put(out, c)),
            'œ' | 'Œ' => "oe".chars().for_each(|c| put(out, c)),
            'ø' | 'Ø' => put(out, 'o'),
            'đ' | 'Đ' => put(out, 'd'),
            'ł' | 'Ł' => put(out, 'l'),
            c => c.to_lowercase().for_each(|c| put(out, c)),
        }
    }
}

/// Folds a number and removes its spaces, so that whole numbers can be compared.
pub(super) fn fold_number(number: &str) -> String {
    let mut folded = String::with_capacity(number.len());
    fold_into(&mut folded, number);
    folded.retain(|c| c != ' ');
    folded
}

/// Builds the search text of a row, with one line for each value: first the tracking token, which is found
/// only if given whole, then the four numbers and references, then the names and the place.
pub(super) fn text_of(row: &ConsignmentRow, out: &mut String) {
    out.clear();
    let lines = [
        &row.tracking_token,
        &row.number,
        &row.carrier_number,
        &row.reference,
        &row.reference2,
        &row.to,
        &row.to_place.suburb,
        &row.to_place.postcode,
        &row.from,
    ];
    for (at, line) in lines.into_iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        fold_into(out, line);
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

/// Returns true if `whole` is one of the whole numbers of a search text.
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

/// The words of a search. A row must contain all of them, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SearchWords(Vec<String>);

impl SearchWords {
    pub(super) fn read(typed: &str) -> Self {
        let mut folded = String::with_capacity(typed.len());
        fold_into(&mut folded, typed);
        Self(folded.split_ascii_whitespace().map(str::to_owned).collect())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a search text contains all words.
    pub(super) fn match_text(&self, text: &str) -> bool {
        let text = searched(text);
        self.0.iter().all(|word| text.contains(word.as_str()))
    }

    /// Returns the only word, if it may be a tracking token.
    pub(super) fn token(&self) -> Option<&str> {
        match self.0.as_slice() {
            [only] if only.len() >= 8 => Some(only),
            _ => None,
        }
    }

    /// Builds a query whose result contains all rows with these words, and possibly others. Words of one or
    /// two letters are left out unless `short` is true. Returns `None` if no word is left.
    pub(super) fn index_query(&self, short: bool) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for word in self.0.iter().take(MOST_WORDS) {
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

/// Builds the query for a whole number.
pub(super) fn asked_whole(whole: &str) -> String {
    format!("\"{WHOLE}{whole}\"")
}

/// Folds a text for sorting.
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(&mut folded, text);
    folded
}
