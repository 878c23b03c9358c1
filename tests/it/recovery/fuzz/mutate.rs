//! Nearly valid inputs: real answers of a service, damaged in a few places.

use fastrand::Rng;

/// Values that break readers.
const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1e400",
    "-1e-400",
    "7.5",
    "99999999999999999999",
    "-9223372036854775808",
    "18446744073709551616",
    "\"\"",
    "\" \"",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    "\"2026-02-31T25:61:61\"",
    "\"2026-10-04T02:30:00\"",
    "\"-009999-01-01T00:00:00Z\"",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "NaN",
    "1E+9999",
    "0.1000000000000000055511151231257827",
    "79228162514264337593543950336",
    "\"1,5\"",
    "\"../../x\"",
    "{\"id\":[{}]}",
];

/// Bytes that break readers.
const BYTES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\0",
    b"\xFF",
    b"\xC0\x80",
    b"\xED\xA0\x80",
    b"\xEF\xBB\xBF",
    b"\r\n",
    b"-",
    b"+",
    b"e",
    b"Z",
    b".",
    b"/",
    b"%PDF-",
    b"%%EOF",
    b"PK\x03\x04",
];

/// One input: one of the corpus, damaged one to six times.
pub(super) fn mutated(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = corpus[rng.usize(..corpus.len())].clone();
    for _ in 0..rng.usize(1..=6) {
        damage(rng, corpus, &mut input);
    }
    // A reader's own limits are tried elsewhere.
    input.truncate(1 << 20);
    input
}

fn damage(rng: &mut Rng, corpus: &[Vec<u8>], input: &mut Vec<u8>) {
    if input.is_empty() {
        return input.extend_from_slice(b"0");
    }
    let at = rng.usize(..input.len());
    match rng.u8(..10) {
        0 => input[at] = rng.u8(..),
        1 => input[at] ^= 1 << rng.u8(..8),
        2 => input.truncate(at),
        3 => {
            let end = (at + rng.usize(1..64)).min(input.len());
            drop(input.drain(at..end));
        }
        4 => {
            let piece = BYTES[rng.usize(..BYTES.len())];
            drop(input.splice(at..at, piece.iter().copied()));
        }
        5 => {
            // Duplicated.
            let end = (at + rng.usize(1..256)).min(input.len());
            let piece = input[at..end].to_vec();
            drop(input.splice(at..at, piece));
        }
        6 => {
            // The beginning of this one and the end of another.
            let other = &corpus[rng.usize(..corpus.len())];
            let from = rng.usize(..=other.len());
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
        7 => {
            let deep = [b"[", b"{"][rng.usize(..2)].repeat(rng.usize(1..400));
            drop(input.splice(at..at, deep));
        }
        _ => another_value(rng, input, at),
    }
}

/// Puts a value that breaks readers where a field's own was.
fn another_value(rng: &mut Rng, input: &mut Vec<u8>, at: usize) {
    let Some(colon) = input[at..].iter().position(|byte| *byte == b':') else {
        return;
    };
    let from = at + colon + 1;
    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']');
    let to = input[from..].iter().position(ends).unwrap_or(0) + from;
    let value = VALUES[rng.usize(..VALUES.len())];
    drop(input.splice(from..to, value.bytes()));
}
