//! The filter of lists and searches: the words that a consignment must match, such as `tweed`, `to:"kings park"` and
//! `dg:yes`. Text is folded: case, accents and punctuation are ignored, both in the consignments and in the typed
//! words.

use memchr::memmem::Finder;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::ViewedList;
use super::consignment_row::ListField;
use super::list_field::FieldValue;

#[derive(Debug, Clone)]
pub struct FilterWord {
    /// The field that the word is limited to, if any.
    pub field: Option<ListField>,
    /// The text to find, never empty: folded, or as typed in lower case if the field is a figure.
    pub text: String,
    /// The text as typed, in lower case, if it has digits and folding has changed it: `31.5`, `15:30`. A word without
    /// a field is also searched in this form, in numbers and times.
    pub figures: Option<String>,
    finder: Finder<'static>,
    figure_finder: Option<Finder<'static>>,
}

impl FilterWord {
    /// Returns the word; `None` if neither letters nor digits were typed.
    fn new(field: Option<ListField>, typed: &str) -> Option<Self> {
        let folded = folded(typed);
        let typed = typed.trim().to_lowercase().replace(char::is_control, " ");
        if folded.is_empty() {
            return None;
        }
        let is_figure = field.is_some_and(ListField::is_figure);
        let has_digits = typed.bytes().any(|byte| byte.is_ascii_digit());
        let figures = (field.is_none() && has_digits && typed != folded).then(|| typed.clone());
        let text = if is_figure { typed } else { folded };
        Some(Self {
            field,
            finder: Finder::new(&text).into_owned(),
            figure_finder: figures.as_ref().map(|text| Finder::new(text).into_owned()),
            text,
            figures,
        })
    }

    /// Finds the text in folded bytes.
    pub fn find(&self, bytes: &[u8]) -> Option<usize> {
        self.finder.find(bytes)
    }

    /// Finds the figures as typed.
    pub fn find_figures(&self, bytes: &[u8]) -> Option<usize> {
        self.figure_finder.as_ref()?.find(bytes)
    }

    /// Returns whether the word asks for consignments that have the mark of its field. "No" and its beginning
    /// "n" ask for consignments without the mark; every other text asks for consignments with it.
    pub fn wants_mark(&self) -> bool {
        !"no".starts_with(&self.text)
    }

    /// Returns whether the value of the field that the word is limited to matches.
    pub(super) fn matches_field(&self, field: ListField, value: &FieldValue<'_>) -> bool {
        if field.is_mark() {
            return (*value == FieldValue::Mark(true)) == self.wants_mark();
        }
        let mut text = String::new();
        field.write_filter_text(value, &mut text);
        self.find(text.as_bytes()).is_some()
    }
}

/// Returns the words of a list's filter, the longest first, because it leaves the fewest
/// rows for the other words.
pub fn parse_filter(filter: &str, list: ViewedList) -> Vec<FilterWord> {
    let mut words: Vec<FilterWord> = tokens(filter)
        .into_iter()
        .filter_map(|token| word(token, list))
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.text.len()));
    words
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
            c if c.is_whitespace() && !in_quotes => {
                tokens.push((std::mem::take(&mut token), quoted_from.take()));
            }
            c => token.push(c),
        }
    }
    tokens.push((token, quoted_from));
    tokens
}

fn word((token, quoted_from): (String, Option<usize>), list: ViewedList) -> Option<FilterWord> {
    let named = token
        .split_once(':')
        .filter(|(name, _)| quoted_from.is_none_or(|from| from > name.len()))
        .and_then(|(name, text)| Some((list.filter_field(&name.to_lowercase())?, text)));
    match named {
        Some((field, text)) => FilterWord::new(Some(field), text),
        None => FilterWord::new(None, &token),
    }
}

/// Appends the folded `text` to `out`: letters and digits only, words separated by single spaces.
pub fn fold_into(out: &mut String, text: &str) {
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

/// Returns the folded `text`.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    fold_into(&mut out, text);
    out
}
