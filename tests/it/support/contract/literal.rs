//! The notation of literals, and comparing recorded messages with them.
//!
//! A literal is JSON. Text in angle brackets stands for a value that the literal cannot know: `"<moment>"`,
//! `"<text>"`, `"<integer>"`, `"<decimal>"`, `"<boolean>"`, `"<uuid>"`, `"<base64>"`, `"<id>"`,
//! `"<anything>"`. With a name, as in `"<id:made>"`, the first value is remembered and later ones must equal
//! it. A member `"name?"` is not in the interface: another service may lack it. A member `"name|null"` may be
//! null there. A last member `"...": "..."`, or a last element `"..."`, allows more to follow. A word behind a
//! dollar sign, as in `$RECEIVER`, stands for members that many literals share.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::civil::DateTime;

use super::Json;

/// What has been bound to names so far.
pub(crate) type Known = BTreeMap<String, Json>;

/// How closely an answer is held against its literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closeness {
    /// To the last digit, and nothing more than is there.
    Exact,
    /// What the interface names is there, and of the same kind. Values stay out of the differences: they are a customer's.
    Shape,
}

const MORE: &str = "...";

/// Holds `actual` against `literal`; binds names. Gives the differences, each with its path.
pub(crate) fn differences(
    literal: &Json,
    actual: &Json,
    closeness: Closeness,
    known: &mut Known,
) -> Vec<String> {
    let mut comparison = Comparison {
        closeness,
        known,
        found: Vec::new(),
    };
    comparison.value(literal, actual, "");
    comparison.found
}

/// The literal with every name's value in its place.
///
/// # Panics
/// Where a name is not bound: what is sent must be known.
pub(crate) fn filled(literal: &Json, known: &Known) -> Json {
    match literal {
        Json::Text(text) => match placeholder(text) {
            Some((_, Some(name))) => {
                let value = known.get(name).cloned();
                value.unwrap_or_else(|| panic!("nothing is known as `{name}`"))
            }
            _ => literal.clone(),
        },
        Json::Array(elements) => Json::Array(
            elements
                .iter()
                .map(|element| filled(element, known))
                .collect(),
        ),
        Json::Object(members) => {
            let members = members.iter();
            Json::Object(
                members
                    .map(|(name, value)| (name.clone(), filled(value, known)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

/// `id` and `made` of `<id:made>`.
fn placeholder(text: &str) -> Option<(&str, Option<&str>)> {
    let inside = text.strip_prefix('<')?.strip_suffix('>')?;
    Some(match inside.split_once(':') {
        Some((kind, name)) => (kind, Some(name)),
        None => (inside, None),
    })
}

struct Comparison<'a> {
    closeness: Closeness,
    known: &'a mut Known,
    found: Vec<String>,
}

impl Comparison<'_> {
    fn value(&mut self, literal: &Json, actual: &Json, path: &str) {
        match (literal, actual) {
            (Json::Text(text), _) if placeholder(text).is_some() => {
                let (kind, name) = placeholder(text).expect("just seen");
                self.placeholder(kind, name, actual, path);
            }
            (Json::Object(expected), Json::Object(_)) => self.members(expected, actual, path),
            (Json::Array(expected), Json::Array(came)) => self.elements(expected, came, path),
            (Json::Null, _) if self.closeness == Closeness::Shape => {}
            _ => {
                let same = match self.closeness {
                    Closeness::Exact => literal == actual,
                    Closeness::Shape => literal.kind() == actual.kind(),
                };
                if !same {
                    self.differs(path, &literal.to_string(), literal.kind(), actual);
                }
            }
        }
    }

    fn members(&mut self, expected: &[(String, Json)], actual: &Json, path: &str) {
        let mut named = Vec::new();
        let mut more = self.closeness == Closeness::Shape;
        for (written, literal) in expected {
            if written == MORE {
                more = true;
                continue;
            }
            let (name, nullable) = stripped(written, "|null");
            let (name, optional) = stripped(name, "?");
            named.push(name);
            let inside = format!("{path}.{name}");
            let elsewhere = self.closeness == Closeness::Shape;
            match actual.get(name) {
                None if elsewhere && optional => {}
                None => self.found.push(format!("{inside} is missing")),
                Some(Json::Null) if elsewhere && (optional || nullable) => {}
                Some(value) => self.value(literal, value, &inside),
            }
        }
        let Json::Object(came) = actual else { return };
        for (name, _) in came.iter().filter(|_| !more) {
            if !named.contains(&name.as_str()) {
                self.found
                    .push(format!("{path}.{name} should not be there"));
            }
        }
    }

    fn elements(&mut self, expected: &[Json], came: &[Json], path: &str) {
        let is_more = |literal: &Json| literal.as_text() == Some(MORE);
        let more = expected.last().is_some_and(is_more);
        let expected = &expected[..expected.len() - usize::from(more)];
        if self.closeness == Closeness::Shape {
            // Each is of the kind of the first one.
            for (index, value) in came.iter().enumerate().filter(|_| !expected.is_empty()) {
                self.value(&expected[0], value, &format!("{path}[{index}]"));
            }
            return;
        }
        if came.len() < expected.len() || (came.len() > expected.len() && !more) {
            let lengths = format!("{} elements expected, {} came", expected.len(), came.len());
            self.found.push(format!("{path}: {lengths}"));
        }
        for (index, (literal, value)) in expected.iter().zip(came).enumerate() {
            self.value(literal, value, &format!("{path}[{index}]"));
        }
    }

    fn placeholder(&mut self, kind: &str, name: Option<&str>, actual: &Json, path: &str) {
        if !is_a(kind, actual, self.closeness) {
            self.differs(path, &format!("<{kind}>"), kind, actual);
            return;
        }
        let Some(name) = name else { return };
        match self.known.get(name) {
            None => {
                self.known.insert(name.to_owned(), actual.clone());
            }
            Some(bound) if same(bound, actual) => {}
            Some(bound) => {
                let expected = format!("{bound} (`{name}`)");
                self.differs(path, &expected, &format!("the same `{name}`"), actual);
            }
        }
    }

    fn differs(&mut self, path: &str, exact: &str, kind: &str, actual: &Json) {
        self.found.push(match self.closeness {
            Closeness::Exact => format!("{path}: {exact} expected, {actual} came"),
            Closeness::Shape => format!("{path}: {kind} expected, {} came", actual.kind()),
        });
    }
}

fn stripped<'a>(name: &'a str, mark: &str) -> (&'a str, bool) {
    match name.strip_suffix(mark) {
        Some(name) => (name, true),
        None => (name, false),
    }
}

/// The same id is the same as text too.
fn same(bound: &Json, actual: &Json) -> bool {
    let numbers = (bound.as_whole(), actual.as_whole());
    bound == actual || matches!(numbers, (Some(left), Some(right)) if left == right)
}

fn is_a(kind: &str, actual: &Json, closeness: Closeness) -> bool {
    let text = actual.as_text();
    match kind {
        // Live services send ids as text, too.
        "id" if closeness == Closeness::Shape => actual.as_whole().is_some(),
        "id" => matches!(actual, Json::Number(_)) && actual.as_whole().is_some_and(|id| id > 0),
        "integer" => matches!(actual, Json::Number(number) if number.is_integer()),
        "decimal" => matches!(actual, Json::Number(_)),
        "boolean" => matches!(actual, Json::Bool(_)),
        "text" => text.is_some(),
        "moment" => text.is_some_and(is_moment),
        "uuid" => text.is_some_and(is_uuid),
        "base64" => text.is_some_and(|text| STANDARD.decode(text).is_ok()),
        "anything" => true,
        other => panic!("`<{other}>` is not in the notation"),
    }
}

fn is_moment(text: &str) -> bool {
    text.trim_end_matches('Z').parse::<DateTime>().is_ok()
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    let digits = |c: char| c == '-' || c.is_ascii_hexdigit();
    parts == [8, 4, 4, 4, 12] && text.chars().all(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(literal: &str, actual: &str, closeness: Closeness) -> Vec<String> {
        let read = |text| Json::read(text).expect("JSON");
        differences(&read(literal), &read(actual), closeness, &mut Known::new())
    }

    #[test]
    fn exactly_means_every_digit_every_member_and_nothing_more() {
        let literal = r#"{ "a": 1.50, "b": [{ "c": null }], "id": "<id:x>", "same": "<id:x>" }"#;
        let exact = |actual| against(literal, actual, Closeness::Exact);
        assert!(exact(r#"{ "same": 4, "id": 4, "b": [{ "c": null }], "a": 1.5 }"#).is_empty());
        assert_eq!(
            exact(r#"{ "a": 1.51, "b": [{}, 1], "id": 4, "same": 5, "more": 0 }"#),
            [
                ".a: 1.50 expected, 1.51 came",
                ".b: 1 elements expected, 2 came",
                ".b[0].c is missing",
                ".same: 4 (`x`) expected, 5 came",
                ".more should not be there"
            ]
        );
        let open = r#"{ "a": ["x", "..."], "...": "..." }"#;
        assert!(against(open, r#"{ "a": ["x", "y"], "b": 1 }"#, Closeness::Exact).is_empty());
        assert_eq!(
            against(open, r#"{ "a": [] }"#, Closeness::Exact),
            [".a: 1 elements expected, 0 came"]
        );
    }

    #[test]
    fn a_shape_has_names_and_kinds_and_shows_no_value() {
        let literal = r#"{ "id": "<id>", "name": "Road", "own?": 1, "sent|null": "<moment>", "items": [{ "sku": "A" }] }"#;
        let shape = |actual| against(literal, actual, Closeness::Shape);
        let other = r#"{ "id": "77", "name": "Sea", "sent": null, "items": [], "new": true }"#;
        assert!(shape(other).is_empty());
        assert_eq!(
            shape(r#"{ "id": 1, "name": 5, "items": [{ "sku": "B" }, { "sku": 7 }] }"#),
            [
                ".name: text expected, a number came",
                ".sent is missing",
                ".items[1].sku: text expected, a number came"
            ]
        );
    }

    #[test]
    fn what_is_sent_has_every_name_filled() {
        let literal = Json::read(r#"{ "ids": ["<id:made>"] }"#).expect("JSON");
        let known = Known::from([("made".to_owned(), Json::Number(200_001.into()))]);
        assert_eq!(filled(&literal, &known).to_string(), r#"{"ids":[200001]}"#);
    }
}
