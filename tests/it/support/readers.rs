//! Readers of printer languages, each written from its maker's manual and not from our encoders, and of the text of PDFs.

#![expect(clippy::unwrap_used, reason = "a test may end by panicking")]

use std::io::Read as _;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crc::{CRC_16_XMODEM, Crc};
use flate2::read::ZlibDecoder;
use printing::page::Bitmap;

/// Returns the labels of a ZPL job as dots. A label that is printed several times is returned as often.
pub(crate) fn burn(bytes: &[u8]) -> Vec<Bitmap> {
    let labels = zpl(bytes).into_iter();
    let burnt = labels.flat_map(|(label, copies)| std::iter::repeat_n(label, copies as usize));
    burnt.collect()
}

/// The labels of ZPL II: dots, and how often each is printed. Panics at any command that does not place, draw or count
/// one graphic in the corner of the label.
pub(crate) fn zpl(bytes: &[u8]) -> Vec<(Bitmap, u32)> {
    let text = std::str::from_utf8(bytes).unwrap();
    let mut labels = Vec::new();
    let (mut width, mut length, mut image, mut copies) = (0, 0, None, 1);
    for command in text.trim().split('^').skip(1) {
        let (name, parameters) = command.trim_end().split_at(2);
        match name {
            "XA" => (width, length, image, copies) = (0, 0, None, 1),
            "PW" => width = parameters.parse().unwrap(),
            "LL" => length = parameters.parse().unwrap(),
            "LH" | "FO" => assert_eq!(parameters, "0,0", "^{name}"),
            "GF" => image = Some(graphic_field(parameters)),
            // How the printer finds the next label, and how fast it moves.
            "FS" | "MN" | "PR" => {}
            "PQ" => copies = parameters.parse().unwrap(),
            "XZ" => {
                // The printer burns nothing beyond the width and the length of the label.
                let label: Bitmap = image.take().unwrap();
                labels.push((label.part((0, 0), (width, length)).unwrap(), copies));
            }
            other => panic!("^{other} is not among the commands of one graphic"),
        }
    }
    labels
}

/// Reads the parameters of `^GF`: format, bytes sent, bytes of the graphic, bytes in each row, data. The data is in the form
/// `:Z64:`, which is zlib in base64, then the CRC of the base64 text with polynomial 0x1021 and start value 0.
fn graphic_field(parameters: &str) -> Bitmap {
    let parts: Vec<&str> = parameters.splitn(5, ',').collect();
    assert_eq!(parts[0], "A");
    let [sent, size, across] =
        [parts[1], parts[2], parts[3]].map(|part| part.parse::<u32>().unwrap());
    assert_eq!(sent, size);
    let (data, crc) = parts[4]
        .strip_prefix(":Z64:")
        .unwrap()
        .split_once(':')
        .unwrap();
    let expected = Crc::<u16>::new(&CRC_16_XMODEM).checksum(data.as_bytes());
    assert_eq!(u16::from_str_radix(crc, 16).unwrap(), expected);
    let mut dots = Vec::new();
    let packed = STANDARD.decode(data).unwrap();
    let mut decoder = ZlibDecoder::new(packed.as_slice());
    decoder.read_to_end(&mut dots).unwrap();
    assert_eq!(dots.len(), size as usize);
    Bitmap::from_packed(across * 8, size / across, dots).unwrap()
}

/// The labels of TSPL: dots, and how often each is printed.
pub(crate) fn tspl(bytes: &[u8]) -> Vec<(Bitmap, u32)> {
    let mut labels = Vec::new();
    let (mut rest, mut image) = (bytes, None);
    while !rest.is_empty() {
        let (word, _) = until(rest, b" \r");
        if word == b"BITMAP" {
            // BITMAP x,y,bytes across,rows,mode,data
            let (numbers, after) = numbers(&rest[7..], 5);
            assert_eq!((numbers[0], numbers[1], numbers[4]), (0, 0, 0));
            image = Some(take_inverted(&mut rest, numbers[2], numbers[3], after));
            continue;
        }
        if let Some(how_often) = take_line(&mut rest).strip_prefix("PRINT ") {
            let (sets, copies) = how_often.split_once(',').unwrap();
            assert_eq!(sets, "1");
            labels.push((image.take().unwrap(), copies.parse().unwrap()));
        }
    }
    labels
}

/// The labels of EPL2: dots, and how often each is printed.
pub(crate) fn epl(bytes: &[u8]) -> Vec<(Bitmap, u32)> {
    let mut labels = Vec::new();
    let (mut rest, mut image, mut width) = (bytes, None, 0);
    while !rest.is_empty() {
        if rest.starts_with(b"GW") {
            // GWx,y,bytes across,rows,data
            let (numbers, after) = numbers(&rest[2..], 4);
            assert_eq!((numbers[0], numbers[1]), (0, 0));
            image = Some(take_inverted(&mut rest, numbers[2], numbers[3], after));
            continue;
        }
        let line = take_line(&mut rest);
        if let Some(dots) = line.strip_prefix('q') {
            width = dots.parse().unwrap();
        } else if let Some(copies) = line.strip_prefix('P') {
            let label: Bitmap = image.take().unwrap();
            // The buffer is as wide as q says.
            labels.push((
                label.part((0, 0), (width, label.height())).unwrap(),
                copies.parse().unwrap(),
            ));
        }
    }
    labels
}

/// Takes the next line from `rest`, without the blanks around it.
fn take_line<'a>(rest: &mut &'a [u8]) -> &'a str {
    let (line, after) = until(rest, b"\n");
    *rest = after;
    std::str::from_utf8(line).unwrap().trim()
}

fn until<'a>(bytes: &'a [u8], ends: &[u8]) -> (&'a [u8], &'a [u8]) {
    let end = bytes.iter().position(|byte| ends.contains(byte));
    let end = end.unwrap_or(bytes.len() - 1);
    (&bytes[..end], &bytes[end + 1..])
}

fn numbers(mut bytes: &[u8], count: usize) -> (Vec<u32>, &[u8]) {
    let mut numbers = Vec::new();
    for _ in 0..count {
        let (number, after) = until(bytes, b",");
        numbers.push(std::str::from_utf8(number).unwrap().parse().unwrap());
        bytes = after;
    }
    (numbers, bytes)
}

/// Reads a drawing from `bytes`; `rest` is what follows it. Both languages say 0 for a black dot.
fn take_inverted<'a>(rest: &mut &'a [u8], across: u32, rows: u32, bytes: &'a [u8]) -> Bitmap {
    let (data, after) = bytes.split_at((across * rows) as usize);
    *rest = after;
    let dots = data.iter().map(|byte| !byte).collect();
    Bitmap::from_packed(across * 8, rows, dots).unwrap()
}

/// A word on a page of a PDF, with its place in points from the top left corner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PrintedWord {
    pub(crate) text: String,
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// Reads the words of each page of a PDF, in reading order.
pub(crate) fn pdf_words(pdf: &[u8]) -> Vec<Vec<PrintedWord>> {
    let mut pages = Vec::new();
    for line in read_pdf(pdf, "-bbox").lines() {
        if line.trim_start().starts_with("<page ") {
            pages.push(Vec::new());
        }
        let Some((place, text)) = { line.trim().strip_prefix("<word ") }
            .and_then(|word| word.strip_suffix("</word>")?.split_once('>'))
        else {
            continue;
        };
        let number = |name: &str| -> f32 {
            let start = place.split_once(&format!("{name}=\"")).expect("a place").1;
            start
                .split('"')
                .next()
                .expect("a number")
                .parse()
                .expect("a number")
        };
        let text = text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"");
        let word = PrintedWord {
            text: text.replace("&apos;", "'").replace("&amp;", "&"),
            left: number("xMin"),
            top: number("yMin"),
            right: number("xMax"),
            bottom: number("yMax"),
        };
        pages.last_mut().expect("a page").push(word);
    }
    pages
}

/// The text of a PDF, laid out as on its pages.
pub(crate) fn pdf_text(pdf: &[u8]) -> String {
    read_pdf(pdf, "-layout")
}

fn read_pdf(pdf: &[u8], option: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.pdf");
    std::fs::write(&file, pdf).expect("a file");
    let read = Command::new("pdftotext")
        .arg(option)
        .arg(&file)
        .arg("-")
        .output()
        .expect("pdftotext, of poppler-utils");
    assert!(
        read.status.success(),
        "{}",
        String::from_utf8_lossy(&read.stderr)
    );
    String::from_utf8(read.stdout).expect("text")
}
