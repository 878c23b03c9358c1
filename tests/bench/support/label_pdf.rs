//! A label as carriers make them: vector graphics, a partly embedded font, a Code 128 and a 2-D code.

use std::ops::RangeInclusive;

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use rxing::oned::Code128Writer;
use rxing::qrcode::QRCodeWriter;
use rxing::{BarcodeFormat, Writer};

/// One dot at 8 dots a millimetre, in points.
const DOT: f32 = 72.0 / 25.4 / 8.0;

const FONT: &[u8] = include_bytes!("../../../assets/fonts/Inter-Regular.otf");

/// The reference that the label of that number carries in both its codes.
pub(crate) fn reference(label: usize) -> String {
    format!("PKB{label:010}")
}

/// An A6 document of the labels of these numbers, each with a reference of its own.
pub(crate) fn a6(numbers: RangeInclusive<usize>) -> Vec<u8> {
    let labels = *numbers.end();
    let font = Font::new(FONT.to_vec().into(), 0).expect("our own font");
    let mut document = Document::new();
    for label in numbers {
        let size = PageSettings::from_wh(297.638, 419.528).expect("A6 has a size");
        let mut page = document.start_page_with(size);
        let mut surface = page.surface();
        face(&mut surface, &font, &reference(label), label, labels);
        surface.finish();
        page.finish();
    }
    document.finish().expect("krilla writes what it was given")
}

fn face(surface: &mut Surface<'_>, font: &Font, reference: &str, piece: usize, of: usize) {
    let mut text = |x: f32, y: f32, size: f32, line: &str| {
        surface.draw_text(
            Point::from_xy(x, y),
            font.clone(),
            size,
            line,
            false,
            TextDirection::Auto,
        );
    };
    text(20.0, 32.0, 13.0, "EASTERN ROAD FREIGHT");
    text(205.0, 32.0, 11.0, "OVERNIGHT");
    text(20.0, 56.0, 7.0, "TO");
    text(20.0, 72.0, 12.0, "Harbour Outdoor Supplies");
    text(20.0, 88.0, 12.0, "Receiving dock 3, 118 Example Street");
    text(20.0, 108.0, 16.0, "FREMANTLE WA 6160");
    text(20.0, 128.0, 7.0, "FROM");
    text(
        20.0,
        138.0,
        8.0,
        "Practice Warehouse, 2 Sample Road, MELBOURNE VIC 3000",
    );
    text(
        20.0,
        150.0,
        8.0,
        "Call on arrival. Leave with the storeman, never at the gate.",
    );
    text(20.0, 178.0, 14.0, &format!("Piece {piece} of {of}"));
    text(150.0, 178.0, 10.0, "12.50 kg   0.062 m³");
    text(60.0, 318.0, 11.0, reference);
    text(140.0, 350.0, 9.0, "Reference 1: ORDER-2024-1187");
    text(140.0, 364.0, 9.0, "Reference 2: 7K3QW2ZD");
    surface.set_fill(Some(Fill {
        paint: rgb::Color::new(0, 0, 0).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::NonZero,
    }));
    rectangles(
        surface,
        &[
            (20.0, 42.0, 257.0, 1.2),
            (20.0, 160.0, 257.0, 1.2),
            (20.0, 190.0, 257.0, 1.2),
        ],
    );
    let bars = Code128Writer
        .encode(reference, &BarcodeFormat::CODE_128, 0, 1)
        .expect("plain letters and digits");
    let black = (0..bars.width()).filter(|x| bars.get(*x, 0));
    let bars: Vec<_> = black
        .map(|x| (60.0 * DOT + at(x) * 3.0 * DOT, 205.0, 3.0 * DOT, 100.0))
        .collect();
    rectangles(surface, &bars);
    let code = QRCodeWriter
        .encode(reference, &BarcodeFormat::QR_CODE, 0, 0)
        .expect("a short text");
    let squares = (0..code.height()).flat_map(|y| (0..code.width()).map(move |x| (x, y)));
    let side = 4.0 * DOT;
    let squares = squares.filter(|(x, y)| code.get(*x, *y));
    let squares: Vec<_> = squares
        .map(|(x, y)| (20.0 + at(x) * side, 328.0 + at(y) * side, side, side))
        .collect();
    rectangles(surface, &squares);
}

fn at(module: u32) -> f32 {
    f32::from(u16::try_from(module).expect("a code has some hundreds of modules"))
}

fn rectangles(surface: &mut Surface<'_>, all: &[(f32, f32, f32, f32)]) {
    let mut path = PathBuilder::new();
    for (x, y, width, height) in all {
        path.push_rect(Rect::from_xywh(*x, *y, *width, *height).expect("a rectangle with sides"));
    }
    surface.draw_path(&path.finish().expect("there is one at least"));
}
