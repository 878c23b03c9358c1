//! Files with a broken structure, and valid ones with an unusual structure.

use std::fmt::Write as _;

use super::{ONE, TWO};
use crate::support::labels::{A6, a6, face, file, one_page, pdf, pdf_with, stream};

/// What each is, its bytes, and what may be said of it: `Printed`, or the words of the refusal.
pub(super) type Case = (&'static str, Vec<u8>, &'static [&'static str]);

const PRINTED: &[&str] = &["Printed"];
const NO_PDF: &[&str] = &["Not a PDF"];
const INCOMPLETE: &[&str] = &["Incomplete file"];
const UNREADABLE: &[&str] = &["Unreadable file"];
const BLANK: &[&str] = &["Blank page"];
const DAMAGED: &[&str] = &["File damaged"];
const TOO_LARGE: &[&str] = &["Page too large"];

fn good() -> Vec<u8> {
    a6(&[ONE])
}

fn part(of: u64, out_of: u64) -> Vec<u8> {
    let whole = good();
    let cut = whole.len() as u64 * of / out_of;
    whole[..usize::try_from(cut).unwrap()].to_vec()
}

fn before(word: &str) -> Vec<u8> {
    let whole = good();
    let at = whole
        .windows(word.len())
        .rposition(|window| window == word.as_bytes());
    whole[..at.unwrap()].to_vec()
}

/// As it came over the wire, or did not.
#[rustfmt::skip]
pub(super) fn transfers() -> Vec<Case> {
    let with_end = |mut bytes: Vec<u8>| {
        bytes.extend(b"\n%%EOF\n");
        bytes
    };
    let mut hole = good();
    let middle = hole.len() / 2;
    hole.drain(middle..middle + 700);
    let mut padded = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    padded.extend(good());
    padded.extend([0; 3_000]);
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend([7; 900]);
    vec![
        ("nothing at all", Vec::new(), NO_PDF),
        ("a page of HTML", b"<html><body>Sign in</body></html>".to_vec(), NO_PDF),
        ("an image", png, NO_PDF),
        ("ZPL", b"^XA^FO0,0^FDhello^FS^XZ".to_vec(), NO_PDF),
        ("an archive", b"PK\x03\x04\x14\0\0\0\x08\0label.pdf".to_vec(), NO_PDF),
        ("an error in JSON", br#"{"errors":["no label"]}"#.to_vec(), NO_PDF),
        ("the first line alone", b"%PDF-1.7\n".to_vec(), INCOMPLETE),
        ("a tenth", part(1, 10), INCOMPLETE),
        ("a quarter", part(1, 4), INCOMPLETE),
        ("a half", part(1, 2), INCOMPLETE),
        ("three quarters", part(3, 4), INCOMPLETE),
        ("all but the table of contents", before("xref\n0"), INCOMPLETE),
        ("all but the trailer", before("trailer"), INCOMPLETE),
        ("all but the last line", before("%%EOF"), INCOMPLETE),
        ("a half, closed by somebody's repair", with_end(part(1, 2)), DAMAGED),
        ("without its trailer, closed", with_end(before("trailer")), DAMAGED),
        ("a hole in the middle", hole, DAMAGED),
        ("the two ends alone", b"%PDF-1.7\n%%EOF\n".to_vec(), UNREADABLE),
        ("bytes before and after", padded, PRINTED),
    ]
}

/// A document of one page with that content, and a page tree of this.
fn tree(tree: &str, page: &str) -> Vec<u8> {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        tree.as_bytes().to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        format!(
            "<< /Type /Page /Parent 2 0 R {page} /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        .into_bytes(),
        stream("", face(ONE, 1, 1).as_bytes()),
    ];
    file(&objects, "")
}

fn boxed(page: &str) -> Vec<u8> {
    tree("<< /Type /Pages /Kids [4 0 R] /Count 1 >>", page)
}

/// Page trees and their boxes.
#[rustfmt::skip]
pub(super) fn pages() -> Vec<Case> {
    const BOX: &str = "/MediaBox [0 0 297.638 419.528]";
    let mut deep = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
    ];
    for at in 4..5_000 {
        deep.push(format!("<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>").into_bytes());
    }
    let many = vec![String::from("0 0 200 200 re f"); 10_000];
    let kids = |kids: &str, count: &str| {
        tree(
            &format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"),
            BOX,
        )
    };
    vec![
        ("no pages", kids("", "0"), UNREADABLE),
        ("kids that are not there", kids("90 0 R 91 0 R", "2"), UNREADABLE),
        ("a tree that is its own kid", kids("2 0 R 2 0 R", "2"), UNREADABLE),
        ("a tree 5,000 deep and no page", file(&deep, ""), UNREADABLE),
        ("10,000 pages", pdf(A6, &many), &["Too many pages"]),
        ("fewer pages than it says", kids("4 0 R", "3"), &["Pages missing"]),
        ("a count below nothing", kids("4 0 R", "-1"), PRINTED),
        ("a count that is a word", kids("4 0 R", "/Many"), PRINTED),
        ("25 metres square", boxed("/MediaBox [0 0 72000 72000]"), TOO_LARGE),
        ("a number beyond all numbers", boxed("/MediaBox [0 0 1e39 1e39]"), UNREADABLE),
        ("not numbers", boxed("/MediaBox [0 0 nan inf]"), UNREADABLE),
        ("a twentieth of a millimetre", boxed("/MediaBox [0 0 0.15 0.15]"), BLANK),
        ("no width", boxed("/MediaBox [10 0 10 400]"), BLANK),
        ("corners the other way round", boxed("/MediaBox [297.638 419.528 0 0]"), PRINTED),
        ("no box", boxed(""), PRINTED),
        ("a unit of a kilometre", boxed(&format!("{BOX} /UserUnit 1000000000")), PRINTED),
        ("a quarter turn", boxed(&format!("{BOX} /Rotate 90")), PRINTED),
        ("a half turn", boxed(&format!("{BOX} /Rotate 180")), PRINTED),
        ("three quarters back", boxed(&format!("{BOX} /Rotate -270")), PRINTED),
        ("a turn that there is not", boxed(&format!("{BOX} /Rotate 45")), PRINTED),
        ("a smaller box around the label", boxed(&format!("{BOX} /CropBox [10 10 290 410]")), PRINTED),
        ("a box through the bars", boxed(&format!("{BOX} /CropBox [0 0 40 419]")), &["Unreadable barcode"]),
        ("a box elsewhere", boxed(&format!("{BOX} /CropBox [900 900 990 990]")), BLANK),
    ]
}

/// Tables of contents, lengths and updates.
#[rustfmt::skip]
pub(super) fn contents() -> Vec<Case> {
    let label = good();
    let plain = String::from_utf8(label[15..].to_vec()).unwrap();
    let open = &label[..15];
    let remade = |tail: String| [open, tail.as_bytes()].concat();
    let looped = remade(plain.replace("/Root 1 0 R", &format!("/Root 1 0 R /Prev {}", 99_999)));
    vec![
        ("entries that point nowhere", remade(plain.replace(" 00000 n", " 00000 f")), PRINTED),
        ("a table before this one that is not there", looped, PRINTED),
        ("a stream of two gigabytes, it says", with_length("2147483000"), &["Printed", "Blank page"]),
        ("a stream shorter than nothing", with_length("-5"), &["Printed", "Blank page"]),
        ("a table of contents in a loop", in_a_loop(), PRINTED),
        ("a table of itself, as a stream", stream_of_itself(), UNREADABLE),
        ("objects in a stream of themselves", objects_of_themselves(), UNREADABLE),
        ("an update with the same label", updated(&label, ONE), PRINTED),
        ("an update with somebody else's", updated(&label, "PKB000099999"), &["Wrong barcode"]),
        ("the same label twice", a6(&[ONE, ONE]), &["Duplicate label"]),
        ("somebody else's label", a6(&["PKB000099999"]), &["Wrong barcode"]),
        ("no content", one_page("", ""), BLANK),
        ("both labels, and a script, a program and a file", active(), PRINTED),
    ]
}

/// The label with a length of its content that is not so; everything else is where it should be.
fn with_length(length: &str) -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 297.638 419.528] /Contents 5 0 R \
                /Resources << /Font << /F1 3 0 R >> >> >>";
    let content = format!(
        "<< /Length {length} >>\nstream\n{}\nendstream",
        face(ONE, 1, 1)
    );
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        page.as_bytes().to_vec(),
        content.into_bytes(),
    ];
    file(&objects, "")
}

fn in_a_loop() -> Vec<u8> {
    let mut looped = good();
    let update = looped.len();
    looped.extend(
        format!(
            "xref\n0 0\ntrailer\n<< /Size 7 /Root 1 0 R /Prev {update} >>\nstartxref\n{update}\n%%EOF\n"
        )
        .bytes(),
    );
    looped
}

fn stream_of_itself() -> Vec<u8> {
    let mut pdf = b"%PDF-1.7\n".to_vec();
    let at = pdf.len();
    let entries = format!("/Type /XRef /Size 3 /W [1 2 1] /Root 1 0 R /Prev {at} /Index [0 3]");
    pdf.extend(b"9 0 obj\n");
    pdf.extend(stream(&entries, &[2, 0, 9, 0, 2, 0, 9, 1, 2, 0, 9, 2]));
    pdf.extend(format!("\nendobj\nstartxref\n{at}\n%%EOF\n").bytes());
    pdf
}

fn objects_of_themselves() -> Vec<u8> {
    let mut pdf = b"%PDF-1.7\n".to_vec();
    let holder = pdf.len();
    pdf.extend(b"4 0 obj\n");
    pdf.extend(stream(
        "/Type /ObjStm /N 3 /First 15 /Extends 4 0 R",
        b"1 0 2 9 4 18   << /A 4 0 R >> << >> << >>",
    ));
    pdf.extend(b"\nendobj\n");
    let at = pdf.len();
    pdf.extend(b"5 0 obj\n");
    let [high, low] = u16::try_from(holder).unwrap().to_be_bytes();
    let rows = [
        [0, 0, 0, 0],
        [2, 0, 4, 0],
        [2, 0, 4, 1],
        [0, 0, 0, 0],
        [2, 0, 4, 2],
        [1, high, low, 0],
    ];
    pdf.extend(stream(
        "/Type /XRef /Size 6 /W [1 2 1] /Root 1 0 R",
        &rows.concat(),
    ));
    pdf.extend(format!("\nendobj\nstartxref\n{at}\n%%EOF\n").bytes());
    pdf
}

/// An incremental update: the content of the page once more, behind the end.
fn updated(label: &[u8], reference: &str) -> Vec<u8> {
    let previous = label.windows(6).rposition(|at| at == b"xref\n0").unwrap();
    let mut pdf = label.to_vec();
    let at = pdf.len();
    pdf.extend(b"5 0 obj\n");
    pdf.extend(stream("", face(reference, 1, 1).as_bytes()));
    pdf.extend(b"\nendobj\n");
    let table = pdf.len();
    let mut end = String::new();
    let _ = write!(
        end,
        "xref\n5 1\n{at:010} 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev {previous} >>\nstartxref\n{table}\n%%EOF\n"
    );
    pdf.extend(end.bytes());
    pdf
}

/// A PDF with every action that a document can request of a reader. None is ever executed; a test checks that
/// the file does not appear.
pub(super) fn active() -> Vec<u8> {
    let action = format!(
        "<< /Type /Action /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) >> /Unix << /F (touch {MARK}) >> \
         /Next << /S /JavaScript /JS (app.alert\\(1\\)) >> >>"
    );
    let entries = "/AA << /O 6 0 R >> /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 300 400] /A 6 0 R >>]";
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 297.638 419.528] /Contents 5 0 R {entries} \
         /Resources << /Font << /F1 3 0 R >> >> >>"
    );
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /Names << /EmbeddedFiles << /Names [(a.exe) 7 0 R] >> >> >>"
            .to_vec(),
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        page.into_bytes(),
        stream("", face(ONE, 1, 1).as_bytes()),
        action.into_bytes(),
        b"<< /Type /Filespec /F (a.exe) /EF << /F 8 0 R >> >>".to_vec(),
        stream("/Type /EmbeddedFile", b"MZ"),
    ];
    file(&objects, "")
}

/// What [`active`] asks to be made.
pub(super) const MARK: &str = "/tmp/packbench-was-here";

/// What is on the page and cannot be scanned, and what can.
#[rustfmt::skip]
pub(super) fn faces() -> Vec<Case> {
    let around =
        |before: &str, after: &str| one_page("", &format!("{before}{}{after}", face(ONE, 1, 1)));
    let no_font = face(ONE, 1, 1).replace("/F1", "/F9");
    let rubbish = stream("/Length1 300", &[0x5a; 300]);
    let font = "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Bad /FirstChar 0 /LastChar 1 /Widths [500 500] \
                /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Bad /Flags 4 /FontFile2 4 0 R >> >>";
    vec![
        ("pale grey", around("0.85 g ", ""), BLANK),
        ("white", around("1 g ", ""), BLANK),
        ("white on black", around("0 0 298 420 re f 1 g ", ""), &["Black page"]),
        ("ink all over", around("", "0 g 0 0 298 420 re f"), &["Black page"]),
        ("half as large", around("0.5 0 0 0.5 0 0 cm ", ""), PRINTED),
        ("a fifth as large", around("0.2 0 0 0.2 0 0 cm ", ""), &["Unreadable barcode"]),
        ("in mirror writing", around("-1 0 0 1 297.638 0 cm ", ""), PRINTED),
        ("a font that is not there", one_page("", &no_font), PRINTED),
        (
            "a font of rubbish",
            {
                let content = format!("{}BT /F2 20 Tf 20 200 Td (AB) Tj ET", face(ONE, 1, 1));
                pdf_with(A6, &[content], "", &[rubbish, font.as_bytes().to_vec()])
            },
            PRINTED,
        ),
        ("letters of a kilometre", around("BT /F1 1e9 Tf 0 0 Td (W) Tj ET ", ""), PRINTED),
        ("operators that there are not", around("/What do if else ", ""), PRINTED),
        ("numbers beyond all numbers", around("99999999999999999999999999999999999999999 w 1e400 0 m ", ""), BLANK),
        ("more restored than saved", around(&"Q ".repeat(5_000), ""), PRINTED),
        ("two pieces, right", a6(&[ONE, TWO]), PRINTED),
    ]
}
