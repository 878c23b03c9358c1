//! Bad input in every field: whatever is typed or pasted, nothing crashes, and either that field shows a
//! problem or the request is clean.

mod model;
mod pasted;
mod view;
mod window;

use std::collections::HashSet;

use draft::{Check, Field};
use serde_json::Value;

/// The longest text that any field may send.
const LONGEST: usize = 254;

/// How a text comes into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Typed,
    Pasted,
}

/// A text that no field was made for.
struct Bad {
    what: &'static str,
    way: Way,
    text: String,
}

fn typed(what: &'static str, text: impl Into<String>) -> Bad {
    let way = Way::Typed;
    let text = text.into();
    Bad { what, way, text }
}

fn pasted(what: &'static str, text: impl Into<String>) -> Bad {
    Bad {
        way: Way::Pasted,
        ..typed(what, text)
    }
}

fn lengths() -> Vec<Bad> {
    vec![
        typed("10,000 letters", "x".repeat(10_000)),
        pasted("10,000 figures", "9".repeat(10_000)),
        pasted("10,000 lines", "a line, and another\n".repeat(10_000)),
        pasted(
            "10,000 marks on one letter",
            format!("e{}", "\u{301}".repeat(10_000)),
        ),
    ]
}

fn characters() -> Vec<Bad> {
    vec![
        pasted("control characters", "a\u{0}b\u{7}\u{1b}[31m\u{7f}\u{9f}"),
        typed("emoji and wrong characters", "📦🚚👨‍👩‍👧~`^|\\{}§¤"),
        pasted("right to left", "مخزن ٣"),
        pasted("text turned around", "abc\u{202e}gnp.exe\u{202c}\u{2066}x"),
        typed("a line break", "one\ntwo"),
        pasted("two lines", "one\r\ntwo"),
        pasted("hidden characters", "\u{feff}a\u{200b}b\tc\u{2028}d\u{85}"),
        typed("blanks alone", " \u{a0}\u{3000} "),
    ]
}

fn numbers() -> Vec<Bad> {
    vec![
        typed("below zero", "-5"),
        typed("zero", "0"),
        typed("huge", "99999999999999999999999999999"),
        typed("no number", "-inf 1e999 NaN"),
        typed("full width figures", "１２"),
        typed("too fine", "0.00000000000000000001"),
    ]
}

fn words() -> Vec<Bad> {
    vec![
        typed("a time that the clocks skip", "2027-10-03 02:30"),
        pasted("SQL", "'; DROP TABLE drafts; --"),
        pasted("HTML", "<script>alert(1)</script>&amp;"),
    ]
}

/// More of the same, for where a text costs little.
fn more() -> Vec<Bad> {
    vec![
        typed("infinite", "-inf"),
        typed("an exponent", "1e999"),
        typed("not a number", "NaN"),
        typed("no date", "2026-02-31 25:61"),
        pasted("JSON", r#"{"a": [null, "\u0000"]}"#),
        typed("a path", "../../etc/passwd%00"),
        pasted("line breaks of their own", "one\u{2028}two\u{85}"),
    ]
}

/// What does not belong into any text that is sent.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{feff}')
}

/// Each text within a value.
fn texts(value: &Value, each: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(values) => values.iter().for_each(|value| texts(value, each)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, each)),
        _ => {}
    }
}

/// Says what is wrong with what the check would send; nothing where it is clean, or blocked at a field.
fn unclean(check: &Check) -> Option<String> {
    let request = check.request()?;
    let sent = serde_json::to_value(request).expect("a request is JSON");
    let mut wrong = None;
    texts(&sent, &mut |text| {
        let long = text.chars().count() > LONGEST;
        let around = text.trim() != text || text.is_empty();
        if long || around || text.chars().any(is_hidden) {
            wrong.get_or_insert_with(|| format!("{text:.80?} would be sent"));
        }
    });
    wrong
}

/// The fields at which something blocks sending.
fn blocked(check: &Check) -> HashSet<Field> {
    check.errors().map(|problem| problem.field).collect()
}
