//! PDFs for tests, written by hand, so that each has exactly the defects that its test needs.

#![expect(clippy::unwrap_used, reason = "a test may end by panicking")]

use std::fmt::Write;

use rxing::aztec::AztecWriter;
use rxing::common::BitMatrix;
use rxing::datamatrix::DataMatrixWriter;
use rxing::oned::{Code128Writer, ITFWriter};
use rxing::pdf417::PDF417Writer;
use rxing::qrcode::QRCodeWriter;
use rxing::{BarcodeFormat, Writer};

/// One dot at 8 dots a millimetre, in PDF points.
pub(crate) const DOT: f64 = 72.0 / 25.4 / 8.0;

/// A6 in points.
pub(crate) const A6: (f64, f64) = (297.638, 419.528);

/// An A6 label a reference, with text, a Code 128 of the reference and a QR code.
pub(crate) fn a6(references: &[&str]) -> Vec<u8> {
    let count = references.len();
    let pages: Vec<String> = references
        .iter()
        .enumerate()
        .map(|(at, reference)| face(reference, at + 1, count))
        .collect();
    pdf(A6, &pages)
}

/// The drawing of one label, 40 dots of margin at each side.
pub(crate) fn face(reference: &str, piece: usize, of: usize) -> String {
    let mut face = String::new();
    for (y, size, line) in [
        (390, 14, "Practice Freight"),
        (360, 10, "TO  1 Example Street"),
        (345, 10, "SYDNEY NSW 2000"),
        (320, 8, "FROM  2 Sample Road, MELBOURNE VIC 3000"),
    ] {
        text(&mut face, 20.0, f64::from(y), f64::from(size), line);
    }
    text(
        &mut face,
        20.0,
        290.0,
        12.0,
        &format!("Piece {piece} of {of}"),
    );
    let _ = writeln!(face, "20 280 257 1.5 re f");
    code_128(&mut face, reference, (60.0 * DOT, 140.0), 2.0 * DOT, 90.0);
    text(&mut face, 60.0, 125.0, 10.0, reference);
    qr(&mut face, reference, (60.0 * DOT, 20.0), 4.0 * DOT);
    face
}

/// Text in Helvetica, which every reader of PDF brings along.
pub(crate) fn text(face: &mut String, x: f64, y: f64, size: f64, line: &str) {
    let _ = writeln!(face, "BT /F1 {size} Tf {x:.3} {y:.3} Td ({line}) Tj ET");
}

/// A Code 128 from the lower left corner `at`.
pub(crate) fn code_128(face: &mut String, text: &str, at: (f64, f64), module: f64, height: f64) {
    let code = Code128Writer.encode(text, &BarcodeFormat::CODE_128, 0, 1);
    bars(face, &code.unwrap(), at, (module, height));
}

/// An interleaved 2 of 5 from the lower left corner `at`.
pub(crate) fn itf(face: &mut String, digits: &str, at: (f64, f64), module: f64, height: f64) {
    let code = ITFWriter.encode(digits, &BarcodeFormat::ITF, 0, 1);
    bars(face, &code.unwrap(), at, (module, height));
}

fn bars(face: &mut String, bars: &BitMatrix, at: (f64, f64), (module, height): (f64, f64)) {
    for x in (0..bars.width()).filter(|x| bars.get(*x, 0)) {
        let left = at.0 + f64::from(x) * module;
        let _ = writeln!(face, "{left:.5} {:.5} {module:.5} {height:.5} re", at.1);
    }
    face.push_str("f\n");
}

/// A QR code from the lower left corner `at`.
pub(crate) fn qr(face: &mut String, text: &str, at: (f64, f64), module: f64) {
    squares(
        face,
        (&QRCodeWriter, BarcodeFormat::QR_CODE),
        text,
        at,
        module,
    );
}

/// A Data Matrix from the lower left corner `at`.
pub(crate) fn data_matrix(face: &mut String, text: &str, at: (f64, f64), module: f64) {
    let kind = BarcodeFormat::DATA_MATRIX;
    squares(face, (&DataMatrixWriter, kind), text, at, module);
}

/// A PDF417 from the lower left corner `at`, with its quiet zone.
pub(crate) fn pdf_417(face: &mut String, text: &str, at: (f64, f64), module: f64) {
    squares(
        face,
        (&PDF417Writer, BarcodeFormat::PDF_417),
        text,
        at,
        module,
    );
}

/// An Aztec code from the lower left corner `at`.
pub(crate) fn aztec(face: &mut String, text: &str, at: (f64, f64), module: f64) {
    squares(face, (&AztecWriter, BarcodeFormat::AZTEC), text, at, module);
}

fn squares(
    face: &mut String,
    (writer, kind): (&impl Writer, BarcodeFormat),
    text: &str,
    at: (f64, f64),
    module: f64,
) {
    let code = writer.encode(text, &kind, 0, 0).unwrap();
    for y in 0..code.height() {
        for x in (0..code.width()).filter(|x| code.get(*x, y)) {
            let left = at.0 + f64::from(x) * module;
            let bottom = at.1 + f64::from(code.height() - 1 - y) * module;
            let _ = writeln!(face, "{left:.5} {bottom:.5} {module:.5} {module:.5} re");
        }
    }
    face.push_str("f\n");
}

/// A document of pages of `size` points, each drawn by its content.
pub(crate) fn pdf(size: (f64, f64), contents: &[String]) -> Vec<u8> {
    pdf_with(size, contents, "", &[])
}

/// The same with more `/Resources` entries and more objects, numbered from 4.
pub(crate) fn pdf_with(
    size: (f64, f64),
    contents: &[String],
    resources: &str,
    more: &[Vec<u8>],
) -> Vec<u8> {
    let first_page = 4 + more.len();
    let kids: Vec<String> = (0..contents.len())
        .map(|page| format!("{} 0 R", first_page + 2 * page))
        .collect();
    let kids = kids.join(" ");
    let mut objects: Vec<Vec<u8>> = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!(
            "<< /Type /Pages /Kids [{kids}] /Count {} >>",
            contents.len()
        )
        .into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
    ];
    objects.extend(more.iter().cloned());
    for (page, content) in contents.iter().enumerate() {
        let (width, height) = size;
        let at = first_page + 2 * page + 1;
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {at} 0 R \
                 /Resources << /Font << /F1 3 0 R >> {resources} >> >>"
            )
            .into_bytes(),
        );
        objects.push(stream("", content.as_bytes()));
    }
    file(&objects, "")
}

/// One A6 page with entries of its own, such as `/Rotate 90`.
pub(crate) fn one_page(entries: &str, content: &str) -> Vec<u8> {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 5 0 R {entries} \
         /Resources << /Font << /F1 3 0 R >> >> >>",
        A6.0, A6.1
    );
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        page.into_bytes(),
        stream("", content.as_bytes()),
    ];
    file(&objects, "")
}

/// A stream object with entries beside its length.
pub(crate) fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
    object.extend_from_slice(data);
    object.extend_from_slice(b"\nendstream");
    object
}

/// Objects numbered from 1, with a table and a trailer; the first is the root.
pub(crate) fn file(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut pdf = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut offsets = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        offsets.push(pdf.len());
        pdf.extend(format!("{} 0 obj\n", at + 1).into_bytes());
        pdf.extend_from_slice(object);
        pdf.extend_from_slice(b"\nendobj\n");
    }
    let start = pdf.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(end, "{offset:010} 00000 n ");
    }
    let size = objects.len() + 1;
    let _ = write!(
        end,
        "trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n"
    );
    pdf.extend(end.into_bytes());
    pdf
}
