//! Files that arrive instead of a proof, with the message for each and the part that is saved.

use std::io::Cursor;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::proofs::{photo, proof, zipped};
use super::bombs::{colours_bomb, huge_jpeg, png, text_bomb};
use crate::print::hostile::endless_form;
use crate::support::wire::{Fault, answer};

/// How it comes.
pub(super) enum Comes {
    /// As it is.
    File(Vec<u8>),
    /// In an archive, under this name.
    Zipped(String, Vec<u8>),
    /// As this whole answer.
    Answer(Fault),
}

/// A file that is not what it should be.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) comes: Comes,
    /// What it is shown as, or words of what is said.
    pub(super) says: Result<&'static str, &'static str>,
    /// What is saved of it.
    pub(super) saves: Vec<String>,
}

type Row = (
    &'static str,
    Comes,
    Result<&'static str, &'static str>,
    &'static [&'static str],
);

const PDF: &[&str] = &["POD-MS7-1.pdf"];
const JPG: &[&str] = &["POD-MS7-1.jpg"];
const PNG: &[&str] = &["POD-MS7-1.png"];
const BIN: &[&str] = &["POD-MS7-1.bin"];
const NONE: &[&str] = &[];

pub(super) fn all() -> Vec<Case> {
    let rows = [
        wrong_kinds(),
        names(),
        archives(),
        broken(),
        bombs(),
        answers(),
    ];
    let case = |(name, comes, says, saves): Row| Case {
        name,
        comes,
        says,
        saves: saves.iter().map(|name| (*name).to_owned()).collect(),
    };
    rows.into_iter().flatten().map(case).collect()
}

fn called(name: &str, bytes: impl Into<Vec<u8>>) -> Comes {
    Comes::Zipped(name.to_owned(), bytes.into())
}

fn wrong_kinds() -> Vec<Row> {
    let script =
        "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>x()</script></svg>";
    vec![
        (
            "a web page called .pdf",
            called("MS7-POD.pdf", "<!DOCTYPE html><script>x()</script>"),
            Err("web page"),
            NONE,
        ),
        (
            "a bare web page",
            Comes::File(b"<html>Sign in</html>".to_vec()),
            Err("web page"),
            NONE,
        ),
        (
            "a PDF called .jpg",
            called("MS7-POD.jpg", proof(1)),
            Ok("PDF, 1 page"),
            PDF,
        ),
        (
            "a photograph called .pdf",
            called("MS7-POD.pdf", photo(40, 30)),
            Ok("JPEG image"),
            JPG,
        ),
        (
            "a drawing with a script",
            called("MS7-POD.svg", script),
            Err("SVG drawing"),
            BIN,
        ),
        (
            "a program called .pdf",
            called("MS7-POD.pdf", "MZ\u{90}\0\u{3}"),
            Err("program"),
            NONE,
        ),
        (
            "a shell script",
            called("MS7-POD.pdf", "#!/bin/sh\ntouch /tmp/evil\n"),
            Err("program"),
            NONE,
        ),
        (
            "a text processor's file",
            called("MS7-POD.doc", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec()),
            Err("Office"),
            BIN,
        ),
        (
            "plain text",
            called("MS7-POD.txt", "signed"),
            Err("an unknown file type"),
            BIN,
        ),
    ]
}

fn names() -> Vec<Row> {
    let named = |name: &str| called(name, proof(1));
    vec![
        (
            "a path upwards",
            named("../../.bashrc"),
            Ok("PDF, 1 page"),
            PDF,
        ),
        (
            "a path from the root",
            named("/etc/cron.d/evil"),
            Ok("PDF, 1 page"),
            PDF,
        ),
        (
            "a path of Windows",
            named("C:\\Windows\\System32\\evil.dll"),
            Ok("PDF, 1 page"),
            PDF,
        ),
        ("a device of Windows", named("CON"), Ok("PDF, 1 page"), PDF),
        (
            "a device with an ending",
            named("NUL.pdf"),
            Ok("PDF, 1 page"),
            PDF,
        ),
        (
            "a name with a NUL",
            named("a\0b.pdf"),
            Ok("PDF, 1 page"),
            PDF,
        ),
        (
            "300 characters",
            named(&"x".repeat(300)),
            Ok("PDF, 1 page"),
            PDF,
        ),
        (
            "a name that turns around",
            named("fdp.\u{202E}exe.evil"),
            Ok("PDF, 1 page"),
            PDF,
        ),
    ]
}

fn archives() -> Vec<Row> {
    let zeros = vec![0; 66 * 1024 * 1024];
    let bomb = zipped(&[("MS7-POD.pdf", &zeros)]);
    let mut many = ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..16_001 {
        let name = format!("{at}.pdf");
        many.start_file(name, SimpleFileOptions::default())
            .expect("an entry");
    }
    let many = many.finish().expect("an archive").into_inner();
    let mut few = Vec::new();
    for at in 0..500 {
        few.push((format!("{at}.pdf"), b"%PDF-".to_vec()));
    }
    let few: Vec<_> = few
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    let mut locked = zipped(&[("MS7-POD.pdf", &proof(1))]);
    for (mark, flags) in [(&b"PK\x03\x04"[..], 6), (&b"PK\x01\x02"[..], 8)] {
        let at = locked
            .windows(4)
            .position(|at| at == mark)
            .expect("a header");
        locked[at + flags] |= 1;
    }
    let nested = zipped(&[("inner.zip", &bomb)]);
    vec![
        (
            "an archive of 66 MiB of nothing",
            Comes::File(bomb),
            Err("64 MiB"),
            NONE,
        ),
        (
            "an archive in an archive",
            Comes::File(nested),
            Err("an archive"),
            BIN,
        ),
        (
            "an archive of 16,001 entries",
            Comes::File(many),
            Err("400 documents"),
            NONE,
        ),
        (
            "an archive of 500 entries",
            Comes::File(zipped(&few)),
            Err("400 documents"),
            NONE,
        ),
        (
            "a locked archive",
            Comes::File(locked),
            Err("needs a password"),
            NONE,
        ),
        (
            "an empty archive",
            Comes::File(zipped(&[])),
            Err("no document"),
            NONE,
        ),
    ]
}

fn cut(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() / 2].to_vec()
}

fn broken() -> Vec<Row> {
    let archive = zipped(&[("MS7-POD.pdf", &proof(1))]);
    vec![
        (
            "half a PDF",
            Comes::File(cut(&proof(1))),
            Err("its end is missing"),
            PDF,
        ),
        (
            "half a photograph's head",
            Comes::File(photo(40, 30)[..20].to_vec()),
            Err("This file is"),
            JPG,
        ),
        (
            "half an archive",
            Comes::File(cut(&archive)),
            Err("can't be opened"),
            NONE,
        ),
        (
            "half a PNG",
            Comes::File(cut(&png(64, 64, &[]))),
            Err("This file is"),
            PNG,
        ),
        (
            "no more than a mark",
            Comes::File(b"%PDF-1.7".to_vec()),
            Err("its end is missing"),
            PDF,
        ),
    ]
}

fn bombs() -> Vec<Row> {
    vec![
        (
            "forms doubled thirty times",
            Comes::File(endless_form()),
            Err("to open and was stopped"),
            PDF,
        ),
        (
            "a PNG of 60,000 × 60,000",
            Comes::File(png(60_000, 60_000, &[])),
            Err("too large to show"),
            PNG,
        ),
        (
            "a JPEG of 60,000 × 60,000",
            Comes::File(huge_jpeg()),
            Err("too large to show"),
            JPG,
        ),
        (
            "a PNG with a text that grows",
            Comes::File(png(64, 64, &text_bomb())),
            Ok("PNG image"),
            PNG,
        ),
        (
            "a PNG with colours that grow",
            Comes::File(png(64, 64, &colours_bomb())),
            Ok("PNG image"),
            PNG,
        ),
    ]
}

fn answers() -> Vec<Row> {
    let refusal = r#"{"object":null,"errors":[{"validationType":1,"memberNames":["ids"],"errorMessage":"No attachments were found"}]}"#;
    vec![
        (
            "a refusal",
            Comes::Answer(answer("200 OK", "application/json", refusal)),
            Err("No attachments were found"),
            NONE,
        ),
        (
            "a token that is refused",
            Comes::Answer(answer("401 Unauthorized", "text/plain", "")),
            Err("token"),
            NONE,
        ),
        (
            "nothing",
            Comes::Answer(answer("200 OK", "application/pdf", "")),
            Err("no document"),
            NONE,
        ),
        (
            "a fault",
            Comes::Answer(answer("500 Internal Server Error", "text/plain", "oh")),
            Err("has a problem (HTTP 500)"),
            NONE,
        ),
        (
            "a connection that ends",
            Comes::Answer(Fault::LoseRequest),
            Err("connection was lost"),
            NONE,
        ),
    ]
}
