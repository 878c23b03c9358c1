//! Faults outside the body: cut short, late, or not HTTP.

use std::time::Duration;

use super::{CANARY, LATE, Reply, bytes, raw};
use crate::support::wire::Then;

pub(super) fn cut_or_late() -> Vec<Reply> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    let begun = format!(r#"{{"note":"{CANARY}","object":{{"id":7,"#);
    let whole = r#"{"object":{"id":7},"errors":null}"#;
    vec![
        bytes("silence", "", Then::Hang(LATE)),
        bytes("half a head, then silence", head, Then::Hang(LATE)),
        bytes(
            "half a body, then silence",
            format!("{head}content-length: 500\r\n\r\n{begun}"),
            Then::Hang(LATE),
        ),
        bytes(
            "a byte now and then",
            format!("{head}content-length: 5000\r\n\r\n{begun}"),
            Then::Drip(b' ', Duration::from_millis(50)),
        ),
        bytes(
            "a head that drips",
            "HTTP/1.1 200 OK\r\nx-slow: ",
            Then::Drip(b'a', Duration::from_millis(50)),
        ),
        raw(
            "an end within the body",
            format!("{head}content-length: 500\r\n\r\n{begun}"),
        ),
        raw(
            "an end within the body, without a length",
            format!("{head}\r\n{begun}"),
        ),
        raw(
            "the body ends before its envelope says so",
            format!("{head}content-length: 32\r\n\r\n{whole}"),
        ),
        raw(
            "an end within a chunk",
            format!("{head}transfer-encoding: chunked\r\n\r\nff\r\n{begun}"),
        ),
    ]
}

pub(super) fn no_http() -> Vec<Reply> {
    let body = r#"{"object":{"id":7,"consignmentNumber":"MS7"},"errors":null}"#;
    let lines = "HTTP/1.1 200 OK\r\n";
    let headers = format!("x-note: {CANARY}\r\n").repeat(5_000);
    let chunked = format!("{lines}transfer-encoding: chunked\r\n\r\n");
    vec![
        raw("the body alone", body),
        raw("HTTP/0.9", format!("{CANARY}\n")),
        raw("another protocol", "SSH-2.0-OpenSSH_9.6\r\n"),
        raw("TLS", vec![0x15, 3, 1, 0, 2, 2, 40]),
        raw("zeros", vec![0; 4096]),
        raw(
            "a status of four digits",
            format!("HTTP/1.1 2000 OK\r\n\r\n{body}"),
        ),
        raw(
            "a version that is none",
            format!("HTTP/9.9 200 OK\r\n\r\n{body}"),
        ),
        raw(
            "five thousand headers",
            format!("{lines}{headers}\r\n{body}"),
        ),
        raw(
            "a header of a mebibyte",
            format!("{lines}x: {}\r\n\r\n{body}", "a".repeat(1 << 20)),
        ),
        raw(
            "a length below nothing",
            format!("{lines}content-length: -1\r\n\r\n{body}"),
        ),
        raw(
            "two lengths",
            format!("{lines}content-length: 5\r\ncontent-length: 60\r\n\r\n{body}"),
        ),
        raw(
            "a chunk whose length is none",
            format!("{chunked}xyz\r\n{body}\r\n0\r\n\r\n"),
        ),
        raw(
            "a chunk longer than anything",
            format!("{chunked}fffffffffffffffff\r\n{body}"),
        ),
        raw(
            "only beginnings",
            "HTTP/1.1 100 Continue\r\n\r\n".repeat(200),
        ),
        raw(
            "another protocol from here on",
            format!(
                "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n{body}"
            ),
        ),
    ]
}
