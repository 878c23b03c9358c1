//! Parses the filter into words, all of which a row must match: `tweed`, `to:"kings park"`, `dg:yes`.

use memchr::memmem::Finder;

use super::super::columns::Col;
use super::fold::folded;

/// A word of the filter.
#[derive(Debug)]
pub(super) struct FilterWord {
    /// The column that the word is limited to, if any.
    pub(super) col: Option<Col>,
    /// The folded text to find; never empty.
    pub(super) text: String,
    pub(super) finder: Finder<'static>,
}

impl FilterWord {
    fn new(col: Option<Col>, text: String) -> Self {
        let finder = Finder::new(text.as_bytes()).into_owned();
        Self { col, text, finder }
    }

    /// Returns whether the word asks for rows that have the mark of its column. "No" and its beginning "n"
    /// ask for rows without the mark; every other text asks for rows with it.
    pub(super) fn wants_mark(&self) -> bool {
        !"no".starts_with(&self.text)
    }

    /// Returns whether every row that matches this word also matches `other`.
    fn implies(&self, other: &Self) -> bool {
        if self.col.is_some_and(Col::is_mark) || other.col.is_some_and(Col::is_mark) {
            return self.col == other.col && self.text == other.text;
        }
        (other.col.is_none() || other.col == self.col) && self.text.contains(&other.text)
    }
}

/// Returns the words of a filter, the longest first, because it leaves the fewest rows for the others.
pub(super) fn parse_filter(filter: &str) -> Vec<FilterWord> {
    let mut words: Vec<FilterWord> = tokens(&folded(filter))
        .into_iter()
        .filter_map(word)
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.text.len()));
    words
}

/// Returns whether every row that matches `now` also matches `before`: then only the earlier results need
/// to be checked.
pub(super) fn narrows(before: &[FilterWord], now: &[FilterWord]) -> bool {
    before
        .iter()
        .all(|old| now.iter().any(|new| new.implies(old)))
}

/// Splits a filter at spaces outside quotation marks; each part has the position of its first quotation mark.
fn tokens(filter: &str) -> Vec<(String, Option<usize>)> {
    let mut tokens = Vec::new();
    let mut token = String::new();
    let mut quoted_from = None;
    let mut in_quotes = false;
    for c in filter.chars() {
        match c {
            '"' => {
                in_quotes = !in_quotes;
                quoted_from.get_or_insert(token.len());
            }
            ' ' if !in_quotes => tokens.push((std::mem::take(&mut token), quoted_from.take())),
            c => token.push(c),
        }
    }
    tokens.push((token, quoted_from));
    tokens
}

fn word((token, quoted_from): (String, Option<usize>)) -> Option<FilterWord> {
    let named = token
        .find(':')
        .filter(|at| quoted_from.is_none_or(|from| from > *at))
        .and_then(|at| Some((Col::from_filter_word(&token[..at])?, &token[at + 1..])));
    let (col, text) = named.map_or((None, token.as_str()), |(col, text)| (Some(col), text));
    let text = text.trim();
    (!text.is_empty()).then(|| FilterWord::new(col, text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Col, narrows, parse_filter};

    fn read(filter: &str) -> Vec<(Option<Col>, String)> {
        parse_filter(filter)
            .into_iter()
            .map(|word| (word.col, word.text))
            .collect()
    }

    #[test]
    fn a_filter_is_read_as_words_and_columns() {
        let word = |col, text: &str| (col, text.to_owned());
        assert_eq!(read("  "), []);
        assert_eq!(
            read("Vic carrier:Southern"),
            [word(Some(Col::Carrier), "southern"), word(None, "vic")]
        );
        assert_eq!(
            read("to:\"Kings Park\""),
            [word(Some(Col::To), "kings park")]
        );
        assert_eq!(read("\"to: park"), [word(None, "to: park")]);
        assert_eq!(read("15:30"), [word(None, "15:30")]);
        // Nothing is typed after the column's name yet.
        assert_eq!(read("carrier:"), []);
        assert_eq!(read("ref2:a ref:b").len(), 2);
    }

    #[test]
    fn only_what_is_narrower_is_looked_for_among_the_last() {
        let narrow = |before: &str, now: &str| narrows(&parse_filter(before), &parse_filter(now));
        assert!(narrow("b", "ba"));
        assert!(narrow("ba", "ba vic"));
        assert!(narrow("so", "carrier:south"));
        assert!(!narrow("ba", "b"));
        assert!(!narrow("carrier:so", "south"));
        assert!(!narrow("dg:n", "dg:no dg:nope"));
        assert!(narrow("", "x"));
    }
}
