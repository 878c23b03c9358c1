//! Text as it is searched: no case, no accents, no signs between letters, whatever a clerk types or leaves out.
//!
//! What always holds: what is asked of the index is made of letters and digits only, so nothing that is typed can be a
//! mistake in its language.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::row::Tracked;

/// How many letters of a text go into the index together.
const TOGETHER: usize = 3;

/// Marks a whole number in the index; no letter and no digit.
const WHOLE: char = '§';

/// Words that the index is asked for at the most, and parts of each; the rows that it finds are looked at for all of it.
const MOST_WORDS: usize = 8;
const MOST_PARTS: usize = 3;

/// Puts the folded `text` at the end of `out`: letters and digits, words apart by single spaces.
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

/// Folded, without the spaces, too: how a whole number is compared.
pub(super) fn whole(number: &str) -> String {
    let mut folded = String::with_capacity(number.len());
    fold_into(&mut folded, number);
    folded.retain(|c| c != ' ');
    folded
}

/// All that a row is found by, a line each: its tracking token, which is found whole only, then its four numbers and
/// references, then names and the place.
pub(super) fn text_of(row: &Tracked, out: &mut String) {
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

/// How many lines of a text are numbers that are looked for whole.
const NUMBERS: usize = 5;

/// The whole numbers of a text.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    let lines = text
        .split('\n')
        .take(NUMBERS)
        .filter(|line| !line.is_empty());
    lines.map(|line| line.replace(' ', ""))
}

/// True where one of the whole numbers of a text is this.
pub(super) fn is_called(text: &str, whole: &str) -> bool {
    numbers(text).any(|number| number == whole)
}

/// What goes into the index for a text: at each letter of each word, this and the two that follow; and the numbers, whole.
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

/// The part of a text that words are looked for in.
fn searched(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, searched)| searched)
}

/// Words that are looked for; all must hold, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words(Vec<String>);

impl Words {
    pub(super) fn read(typed: &str) -> Self {
        let mut folded = String::with_capacity(typed.len());
        fold_into(&mut folded, typed);
        Self(folded.split_ascii_whitespace().map(str::to_owned).collect())
    }

    /// Nothing is looked for: all rows hold.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True where a text holds them all.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let text = searched(text);
        self.0.iter().all(|word| text.contains(word.as_str()))
    }

    /// The one word, where it may be a tracking token.
    pub(super) fn token(&self) -> Option<&str> {
        match self.0.as_slice() {
            [only] if only.len() >= 8 => Some(only),
            _ => None,
        }
    }

    /// What the index is asked for: rows that hold the words are among what it answers. Without the words of one letter or
    /// two where `short` is not set; nothing where none is left.
    pub(super) fn asked(&self, short: bool) -> Option<String> {
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

/// What the index is asked for to find a whole number.
pub(super) fn asked_whole(whole: &str) -> String {
    format!("\"{WHOLE}{whole}\"")
}

/// Folded: how texts are put in order.
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(&mut folded, text);
    folded
}
