//! The driver's photo: a drawing of the pieces in front of a door, with a plate that says that this
//! is practice.

use std::io::Cursor;
use std::sync::Arc;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use printing::canvas::{Canvas, Drawing, PageSize, Style};

use super::{Proof, ProofError};
use crate::catalogue::Catalogue;
use crate::label::POINTS_PER_DOT;

/// The picture, rendered at two pixels for each point.
const PICTURE: PageSize = PageSize {
    points: (320.0, 240.0),
    unit: POINTS_PER_DOT,
    origin: (0.0, 0.0),
};
const PIXELS_PER_POINT: f32 = 2.0;
/// The size in dots.
const WIDTH: f32 = 903.0;
const HEIGHT: f32 = 677.0;
const QUALITY: u8 = 80;
/// The maximum number of boxes that fit in front of the door.
const MOST_BOXES: i64 = 6;

const WALL: [u8; 3] = [188, 176, 160];
const GROUND: [u8; 3] = [126, 124, 120];
const DOOR: [u8; 3] = [58, 84, 78];
const PANEL: [u8; 3] = [72, 101, 94];
const HANDLE: [u8; 3] = [212, 190, 120];
const BOX: [u8; 3] = [182, 140, 94];
const SIDE: [u8; 3] = [150, 112, 72];
const TAPE: [u8; 3] = [214, 190, 150];
const PLATE: [u8; 3] = [255, 255, 255];

pub(super) fn draw(catalogue: &Catalogue, proof: &Proof<'_>) -> Result<Vec<u8>, ProofError> {
    let consignment = &proof.tracked.consignment;
    let number = consignment.number();
    let mut drawing = Drawing::new(&format!("{number} photo"))?;
    drawing.page(PICTURE, |pen| {
        scene(pen, consignment.job.pieces());
        plate(pen, &number, &proof.local_time(catalogue));
    })?;
    to_jpeg(drawing.finish()?.pdf)
}

/// Renders the drawing as a JPEG.
fn to_jpeg(pdf: Vec<u8>) -> Result<Vec<u8>, ProofError> {
    let pdf = Pdf::new(Arc::new(pdf)).map_err(|_unreadable| ProofError::Picture)?;
    let page = pdf.pages().first().ok_or(ProofError::Picture)?;
    let size = PixmapSettings {
        x_scale: PIXELS_PER_POINT,
        y_scale: PIXELS_PER_POINT,
        bg_color: WHITE,
    };
    let (cache, render_settings) = (RenderCache::new(), RenderSettings::default());
    let interpreter = InterpreterSettings::default();
    let pixels = render(page, &cache, &interpreter, &render_settings, &size);
    // Nothing is transparent, so the premultiplied colours equal the plain colours.
    let plain = pixels.data_as_u8_slice().chunks_exact(4);
    let plain: Vec<u8> = plain
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
        .collect();
    let mut file = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut file, QUALITY).write_image(
        &plain,
        pixels.width().into(),
        pixels.height().into(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(file.into_inner())
}

fn scene(pen: &mut Canvas<'_, '_>, pieces: i64) {
    pen.fill_coloured_rect(WALL, (0.0, 0.0, WIDTH, HEIGHT));
    pen.fill_coloured_rect(GROUND, (0.0, 520.0, WIDTH, HEIGHT - 520.0));
    pen.fill_coloured_rect(DOOR, (560.0, 120.0, 240.0, 400.0));
    pen.fill_coloured_rect(PANEL, (590.0, 150.0, 180.0, 150.0));
    pen.fill_coloured_rect(PANEL, (590.0, 330.0, 180.0, 160.0));
    pen.fill_coloured_rect(HANDLE, (575.0, 315.0, 14.0, 40.0));
    // Boxes in rows of three, from the bottom up.
    for (place, _) in (0..pieces.min(MOST_BOXES)).enumerate() {
        let (row, column) = ((place / 3) as f32, (place % 3) as f32);
        let (left, top) = (70.0 + column * 160.0 + row * 20.0, 460.0 - row * 110.0);
        pen.fill_coloured_rect(BOX, (left, top, 130.0, 110.0));
        pen.fill_coloured_rect(SIDE, (left + 130.0, top + 8.0, 18.0, 102.0));
        pen.fill_coloured_rect(TAPE, (left + 56.0, top, 18.0, 110.0));
    }
}

fn plate(pen: &mut Canvas<'_, '_>, number: &str, time: &str) {
    pen.fill_coloured_rect(PLATE, (40.0, 30.0, 480.0, 150.0));
    pen.frame(40.0, 30.0, 480.0, 150.0, 4.0);
    pen.text(64.0, 84.0, "PRACTICE PHOTO", Style::Bold, 48.0);
    pen.text(64.0, 124.0, number, Style::Mono, 32.0);
    pen.text(64.0, 162.0, time, Style::Regular, 28.0);
}
