//! Readers of printer languages, each written from its specification, and texts and drawings by other programs.

#![expect(clippy::unwrap_used, reason = "a test may end by panicking")]

use std::process::Command;

use printing::page::Bitmap;

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

/// The text of a PDF, laid out as on its pages.
pub(crate) fn pdf_text(pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.pdf");
    std::fs::write(&file, pdf).expect("a file");
    let read = Command::new("pdftotext")
        .args(["-layout"])
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

/// A label as labelize draws it, on paper as large as `like`.
pub(crate) fn labelized(label: &labelize::LabelInfo, like: &Bitmap) -> Bitmap {
    let size = labelize::DrawerOptions {
        label_width_mm: f64::from(like.width()) / 8.0,
        label_height_mm: f64::from(like.height()) / 8.0,
        dpmm: 8,
        ..labelize::DrawerOptions::default()
    };
    let mut png = Vec::new();
    labelize::Renderer::new()
        .draw_label_as_png(label, &mut png, size)
        .unwrap();
    let image = image::load_from_memory(&png).unwrap().to_luma8();
    let stride = image.width().div_ceil(8) as usize;
    let mut rows = vec![0_u8; stride * image.height() as usize];
    for (x, y, _) in image
        .enumerate_pixels()
        .filter(|(_, _, luma)| luma.0[0] < 128)
    {
        rows[y as usize * stride + (x / 8) as usize] |= 0x80 >> (x % 8);
    }
    Bitmap::from_packed(image.width(), image.height(), rows).unwrap()
}
