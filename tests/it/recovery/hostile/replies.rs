//! The hostile replies by name. None of them is the answer of a service that did what it was asked to do.

mod outside;

use std::time::Duration;

use crate::support::wire::{Fault, Then};

/// Stands in every reply where a customer's data could stand.
pub(super) const CANARY: &str = "Jean Okafor";

/// A reply, and what it is.
pub(super) struct Reply {
    pub(super) name: &'static str,
    pub(super) fault: Fault,
}

/// Longer than a call of these tests may take.
const LATE: Duration = Duration::from_secs(3);

fn bytes(name: &'static str, bytes: impl Into<Vec<u8>>, then: Then) -> Reply {
    let bytes: Vec<u8> = bytes.into();
    Reply {
        name,
        fault: Fault::Bytes(bytes.into(), then),
    }
}

fn framed(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

const JSON: &str = "content-type: application/json\r\n";

/// HTTP 200 with this as JSON.
fn json(name: &'static str, body: impl AsRef<[u8]>) -> Reply {
    bytes(name, framed("200 OK", JSON, body.as_ref()), Then::Close)
}

/// Of another kind than JSON.
fn typed(name: &'static str, status: &str, kind: &str, body: &[u8]) -> Reply {
    let headers = format!("content-type: {kind}\r\n");
    bytes(name, framed(status, &headers, body), Then::Close)
}

/// Not even an answer.
fn raw(name: &'static str, text: impl Into<Vec<u8>>) -> Reply {
    bytes(name, text, Then::Close)
}

/// A field of the payload with a value that does not belong there.
fn of_type(name: &'static str, payload: &str) -> Reply {
    json(
        name,
        format!(r#"{{"object":{payload},"errors":null,"note":"{CANARY}"}}"#),
    )
}

pub(super) fn all() -> Vec<Reply> {
    [
        too_much(),
        wrong_shapes(),
        wrong_values(),
        wrong_errors(),
        other_content(),
        other_statuses(),
        outside::cut_or_late(),
        outside::no_http(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn too_much() -> Vec<Reply> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    let opened = format!("{{\"note\":\"{CANARY}\",\"object\":\"");
    let announced = |name: &'static str, length: &str| {
        let started = format!("{head}{length}\r\n{opened}");
        bytes(name, started, Then::Repeat(b' ', 1))
    };
    let endless = |name: &'static str, rest_of_head: &str| {
        let started = format!("{head}{rest_of_head}{opened}");
        bytes(name, started, Then::Repeat(b'x', 40))
    };
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        format!(r#"{{"errors":null,"object":{open}1{close}}}"#)
    };
    vec![
        announced(
            "ten gigabytes are announced",
            "content-length: 10737418240\r\n",
        ),
        announced(
            "more is announced than can be",
            "content-length: 18446744073709551615\r\n",
        ),
        endless("it does not end, and no length is said", "\r\n"),
        endless(
            "a chunk that does not end",
            "transfer-encoding: chunked\r\n\r\n7fffffff\r\n",
        ),
        json("lists in lists, 100,000 deep", deep("[", "]")),
        json("objects in objects, 100,000 deep", deep("{\"a\":", "}")),
        json(
            "deep in a field that nobody knows",
            format!(
                r#"{{"object":[{{"id":1,"later":{}1{}}}],"errors":null}}"#,
                "[".repeat(100_000),
                "]".repeat(100_000)
            ),
        ),
        json(
            "a quarter of a million empty rows",
            format!(
                "{{\"object\":[{}{{}}],\"errors\":null}}",
                "{},".repeat(250_000)
            ),
        ),
        json(
            "one string of a mebibyte",
            format!("{{\"object\":\"{}\"}}", CANARY.repeat(95_000)),
        ),
    ]
}

fn wrong_shapes() -> Vec<Reply> {
    vec![
        json("true alone", "true"),
        json("null alone", "null"),
        json("text alone", format!("\"{CANARY}\"")),
        json("a number alone", "42"),
        json("an empty list alone", "[]"),
        json("an envelope by position", r#"[{"id":7},[],true]"#),
        json("an object of nothing", "{}"),
        json(
            "an object of other things",
            format!(r#"{{"name":"{CANARY}"}}"#),
        ),
        json("an empty envelope", r#"{"object":null,"errors":null}"#),
        json(
            "two objects",
            r#"{"object":{"id":7},"object":{"id":8},"errors":null}"#,
        ),
        json(
            "two ids",
            r#"{"object":{"id":7,"id":8,"consignmentNumber":"MS7"},"errors":null}"#,
        ),
        json(
            "an answer, and then another",
            r#"{"object":{"id":7},"errors":null}{"object":{"id":8},"errors":null}"#,
        ),
        of_type("false for a payload", "false"),
        of_type("text for a payload", "\"Jean Okafor\""),
        of_type("a list of nothing for a payload", "[null]"),
        of_type("a record by position", "[7]"),
        of_type("records by position", "[[7]]"),
        of_type("a record without an id", r#"{"consignmentNumber":"MS7"}"#),
    ]
}

fn wrong_values() -> Vec<Reply> {
    let id = |name, id: &str| of_type(name, &format!(r#"{{"id":{id},"consignmentNumber":"MS7"}}"#));
    vec![
        id("a name for an id", "\"Jean Okafor\""),
        id("null for an id", "null"),
        id("an object for an id", "{\"id\":7}"),
        id("half an id", "7.5"),
        id("an id of twenty digits", "99999999999999999999"),
        id("an id without end", "1e400"),
        id("an id that is no number", "NaN"),
        id("an id that is infinite", "Infinity"),
        id("an id below nothing", "-7"),
        id("an id that is zero", "0"),
        of_type(
            "a name for a time",
            r#"{"id":7,"despatchDateLocal":"Jean Okafor"}"#,
        ),
        of_type(
            "the 31st of February",
            r#"{"id":7,"despatchDateUtc":"2026-02-31T25:61:61"}"#,
        ),
        of_type(
            "a name for a price",
            r#"{"id":7,"consignmentTotal":{"totalSellPrice":"Jean Okafor"}}"#,
        ),
        of_type(
            "a price without end",
            r#"{"id":7,"consignmentTotal":{"totalSellPrice":1e999}}"#,
        ),
        of_type("text for items", r#"{"id":7,"items":"Jean Okafor"}"#),
        of_type("a list for a number", r#"{"id":7,"consignmentNumber":[]}"#),
    ]
}

fn wrong_errors() -> Vec<Reply> {
    vec![
        json(
            "text for errors",
            format!(r#"{{"object":{{"id":7}},"errors":"{CANARY}"}}"#),
        ),
        json(
            "an object for errors",
            r#"{"object":{"id":7},"errors":{"a":1}}"#,
        ),
        json(
            "nothing among the errors",
            r#"{"object":{"id":7},"errors":[null]}"#,
        ),
        json(
            "a number for an error's words",
            r#"{"object":null,"errors":[{"errorMessage":5}]}"#,
        ),
        json("an error without words", r#"{"object":null,"errors":[{}]}"#),
        json(
            "a result and an error",
            r#"{"object":{"id":7,"consignmentNumber":"MS7"},"errors":[{"errorMessage":"Invalid Company ID"}]}"#,
        ),
        json("text for success", r#"{"success":"yes"}"#),
        json(
            "no success, and no errors",
            r#"{"success":false,"errors":[]}"#,
        ),
        json(
            "fifty thousand errors",
            format!(
                "{{\"object\":null,\"errors\":[{}{{}}]}}",
                "{\"errorMessage\":\"x\"},".repeat(45_000)
            ),
        ),
        json(
            "an error of half a mebibyte",
            format!(
                r#"{{"object":null,"errors":[{{"errorMessage":"{}"}}]}}"#,
                "no ".repeat(170_000)
            ),
        ),
    ]
}

fn other_content() -> Vec<Reply> {
    let page = format!("<!DOCTYPE html><html><body>{CANARY}</body></html>");
    let valid = r#"{"object":{"id":7,"consignmentNumber":"MS7"},"errors":null}"#;
    let with_mark = [&[0xEF, 0xBB, 0xBF], valid.as_bytes()].concat();
    let wide: Vec<u8> = valid.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut torn = valid.as_bytes().to_vec();
    torn[30] = 0xFF;
    let gzip = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3].repeat(2000);
    vec![
        typed("a web page", "200 OK", "text/html", page.as_bytes()),
        typed(
            "a web page that says it is JSON",
            "200 OK",
            "application/json",
            page.as_bytes(),
        ),
        typed("plain words", "200 OK", "text/plain", CANARY.as_bytes()),
        typed(
            "a PDF",
            "200 OK",
            "application/pdf",
            b"%PDF-1.7 Jean Okafor",
        ),
        typed(
            "JSON that says it is a page",
            "200 OK",
            "text/html",
            valid.as_bytes(),
        ),
        json("a byte order mark", with_mark),
        json("UTF-16", wide),
        json("a byte that is no text", torn),
        json("nothing", ""),
        bytes(
            "compressed, which nobody asked for",
            framed(
                "200 OK",
                "content-type: application/json\r\ncontent-encoding: gzip\r\n",
                &gzip,
            ),
            Then::Close,
        ),
    ]
}

/// JSON, and more or less than HTTP 200.
fn other_statuses() -> Vec<Reply> {
    let valid = r#"{"object":{"id":7,"consignmentNumber":"MS7"},"errors":null}"#;
    vec![
        typed("no content", "204 No Content", "application/json", b""),
        typed(
            "a part",
            "206 Partial Content",
            "application/json",
            valid.as_bytes(),
        ),
        typed(
            "created",
            "201 Created",
            "application/json",
            valid.as_bytes(),
        ),
        typed(
            "a fault with an envelope",
            "500 Oops",
            "application/json",
            valid.as_bytes(),
        ),
        bytes(
            "elsewhere",
            framed(
                "302 Found",
                "location: http://127.0.0.1:9/\r\n",
                valid.as_bytes(),
            ),
            Then::Close,
        ),
        bytes(
            "elsewhere, with the body",
            framed(
                "308 Permanent Redirect",
                "location: /apiv2/\r\n",
                valid.as_bytes(),
            ),
            Then::Close,
        ),
    ]
}
