//! A PDF canvas in dots of an eighth of a millimetre: filled shapes, and text that is measured with the
//! shaper that draws it. Labels and proofs of delivery are drawn with it.

use krilla::Document;
use krilla::color::{luma, rgb};
use krilla::geom::{Path, PathBuilder, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Paint, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use rustybuzz::{Face, UnicodeBuffer};

const REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular.otf");
const BOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-Bold.otf");
const MONO: &[u8] = include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf");

/// PDF points in a dot: an inch has 72 points and 203.2 dots.
const POINTS_PER_DOT: f32 = 72.0 / 203.2;

/// No row of any label has more letters than this.
const LETTERS_IN_A_ROW: usize = 200;

/// The reason why a page cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub(super) enum CanvasError {
    #[error("an embedded font cannot be read")]
    Font,
    #[error("a page cannot be that large")]
    Page,
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
}

/// Makes a PDF with this title, whose pages `draw` adds.
pub(super) fn pdf<E: From<CanvasError>>(
    title: String,
    draw: impl FnOnce(&mut Document, &Fonts) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let fonts = Fonts::load()?;
    let mut document = Document::new();
    let creator = "Packbench practice service".to_owned();
    document.set_metadata(Metadata::new().title(title).creator(creator));
    draw(&mut document, &fonts)?;
    let unwritten = |error| CanvasError::Pdf(format!("{error:?}"));
    Ok(document.finish().map_err(unwritten)?)
}

/// Adds a page (width and height in points) and draws on it, with the origin at (left, top) in dots.
pub(super) fn draw_page<T>(
    document: &mut Document,
    fonts: &Fonts,
    (width, height): (f32, f32),
    (left, top): (f32, f32),
    draw: impl FnOnce(&mut Canvas<'_, '_>) -> T,
) -> Result<T, CanvasError> {
    let settings = PageSettings::from_wh(width, height).ok_or(CanvasError::Page)?;
    let mut page = document.start_page_with(settings);
    let mut surface = page.surface();
    surface.push_transform(&Transform::from_scale(POINTS_PER_DOT, POINTS_PER_DOT));
    surface.push_transform(&Transform::from_translate(left, top));
    let drawn = draw(&mut Canvas {
        surface: &mut surface,
        fonts,
    });
    surface.pop();
    surface.pop();
    surface.finish();
    page.finish();
    Ok(drawn)
}

/// A position to the right and down from the origin, in dots.
pub(super) type Point = (f32, f32);
/// A cubic Bézier curve: its two control points and its end.
pub(super) type Curve = [Point; 3];

/// Font style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Regular,
    Bold,
    Mono,
}

/// One font in two forms: for drawing and for measuring.
struct Typeface {
    font: Font,
    face: Face<'static>,
}

pub(super) struct Fonts {
    regular: Typeface,
    bold: Typeface,
    mono: Typeface,
}

impl Fonts {
    fn load() -> Result<Self, CanvasError> {
        let typeface = |data: &'static [u8]| -> Result<Typeface, CanvasError> {
            let font = Font::new(data.into(), 0).ok_or(CanvasError::Font)?;
            let face = Face::from_slice(data, 0).ok_or(CanvasError::Font)?;
            Ok(Typeface { font, face })
        };
        Ok(Self {
            regular: typeface(REGULAR)?,
            bold: typeface(BOLD)?,
            mono: typeface(MONO)?,
        })
    }

    fn of(&self, style: Style) -> &Typeface {
        match style {
            Style::Regular => &self.regular,
            Style::Bold => &self.bold,
            Style::Mono => &self.mono,
        }
    }
}

impl Typeface {
    /// Replaces letters that the font lacks by question marks, so that no empty boxes are printed, and line
    /// breaks by spaces.
    fn printable(&self, text: &str) -> String {
        let printed = |letter: char| match self.face.glyph_index(letter) {
            _ if letter.is_whitespace() => ' ',
            Some(_) => letter,
            None => '?',
        };
        text.chars().map(printed).collect()
    }

    fn width(&self, text: &str, size: f32) -> f32 {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        let positions = shaped.glyph_positions().iter();
        let units: i32 = positions.map(|position| position.x_advance).sum();
        units as f32 * size / self.face.units_per_em() as f32
    }
}

/// A canvas for one page. All coordinates are in dots from the label's top left corner.
pub(super) struct Canvas<'p, 's> {
    surface: &'p mut Surface<'s>,
    fonts: &'p Fonts,
}

impl Canvas<'_, '_> {
    /// Fills a rectangle.
    pub(super) fn fill_rect(&mut self, left: f32, top: f32, width: f32, height: f32) {
        self.fill_rects([(left, top, width, height)]);
    }

    /// Fills rectangles (left, top, width, height) as one shape.
    pub(super) fn fill_rects(&mut self, blocks: impl IntoIterator<Item = (f32, f32, f32, f32)>) {
        self.painted(luma::Color::black().into(), blocks);
    }

    /// Fills a rectangle (left, top, width, height) with a colour (red, green, blue).
    pub(super) fn fill_coloured_rect(
        &mut self,
        [red, green, blue]: [u8; 3],
        rectangle: (f32, f32, f32, f32),
    ) {
        self.painted(rgb::Color::new(red, green, blue).into(), [rectangle]);
    }

    fn painted(&mut self, paint: Paint, blocks: impl IntoIterator<Item = (f32, f32, f32, f32)>) {
        let mut path = PathBuilder::new();
        for (left, top, width, height) in blocks {
            if let Some(rect) = Rect::from_xywh(left, top, width, height) {
                path.push_rect(rect);
            }
        }
        if let Some(path) = path.finish() {
            self.fill_with(paint);
            self.surface.draw_path(&path);
        }
    }

    fn fill_with(&mut self, paint: Paint) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill {
            paint,
            ..Fill::default()
        }));
    }

    /// Draws a line from `from` along cubic Bézier curves.
    pub(super) fn stroke(&mut self, from: Point, curves: &[Curve], width: f32) {
        let mut path = PathBuilder::new();
        path.move_to(from.0, from.1);
        for [first, second, end] in curves {
            path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
        }
        self.outline(path.finish(), width);
    }

    fn outline(&mut self, path: Option<Path>, width: f32) {
        if let Some(path) = path {
            self.surface.set_fill(None);
            self.surface.set_stroke(Some(Stroke {
                paint: luma::Color::black().into(),
                width,
                ..Stroke::default()
            }));
            self.surface.draw_path(&path);
        }
    }

    /// Draws the outline of a rectangle inwards, so that it stays on the grid.
    pub(super) fn frame(&mut self, left: f32, top: f32, width: f32, height: f32, line: f32) {
        self.fill_rects([
            (left, top, width, line),
            (left, top + height - line, width, line),
            (left, top + line, line, height - 2.0 * line),
            (left + width - line, top + line, line, height - 2.0 * line),
        ]);
    }

    /// Draws the outline of a square that stands on its corner.
    pub(super) fn diamond(&mut self, centre: (f32, f32), half: f32, line: f32) {
        let (x, y) = centre;
        let mut path = PathBuilder::new();
        path.move_to(x, y - half);
        path.line_to(x + half, y);
        path.line_to(x, y + half);
        path.line_to(x - half, y);
        path.close();
        self.outline(path.finish(), line);
    }

    pub(super) fn width(&self, text: &str, style: Style, size: f32) -> f32 {
        let typeface = self.fonts.of(style);
        typeface.width(&typeface.printable(text), size)
    }

    /// Draws one line of text that begins at `left` and stands on `baseline`.
    pub(super) fn text(&mut self, left: f32, baseline: f32, text: &str, style: Style, size: f32) {
        let typeface = self.fonts.of(style);
        let text = typeface.printable(text);
        self.fill_with(luma::Color::black().into());
        let start = krilla::geom::Point::from_xy(left, baseline);
        let (font, direction) = (typeface.font.clone(), TextDirection::LeftToRight);
        self.surface
            .draw_text(start, font, size, &text, false, direction);
    }

    pub(super) fn text_right(
        &mut self,
        right: f32,
        baseline: f32,
        text: &str,
        style: Style,
        size: f32,
    ) {
        let left = right - self.width(text, style, size);
        self.text(left, baseline, text, style, size);
    }

    pub(super) fn text_centred(
        &mut self,
        centre: f32,
        baseline: f32,
        text: &str,
        style: Style,
        size: f32,
    ) {
        let left = centre - self.width(text, style, size) / 2.0;
        self.text(left, baseline, text, style, size);
    }

    /// Draws one line of text from `left`, with the size and text that [`Self::fitted`] finds for the room.
    pub(super) fn text_fitted(
        &mut self,
        (left, baseline): Point,
        text: &str,
        style: Style,
        (most, least): (f32, f32),
        room: f32,
    ) {
        let (text, size) = self.fitted(text, style, most, least, room);
        self.text(left, baseline, &text, style, size);
    }

    /// Returns the text with the largest size from `most` down to `least` at which it fits. Shortens the text
    /// if it is too wide even at `least`.
    pub(super) fn fitted(
        &self,
        text: &str,
        style: Style,
        most: f32,
        least: f32,
        room: f32,
    ) -> (String, f32) {
        let full = self.width(text, style, most);
        if full <= room {
            return (text.to_owned(), most);
        }
        let size = most * room / full;
        if size >= least {
            return (text.to_owned(), size);
        }
        (self.shortened(text, style, least, room), least)
    }

    /// Breaks the text into at most `lines` lines at this size, at spaces if possible, and shortens the
    /// last line.
    pub(super) fn wrapped(
        &self,
        text: &str,
        style: Style,
        size: f32,
        room: f32,
        lines: usize,
    ) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        let mut words = text.split_whitespace().peekable();
        while rows.len() + 1 < lines && words.peek().is_some() {
            let mut row = String::new();
            while let Some(word) = words.peek() {
                let longer = if row.is_empty() {
                    (*word).to_owned()
                } else {
                    format!("{row} {word}")
                };
                if !row.is_empty() && self.width(&longer, style, size) > room {
                    break;
                }
                row = longer;
                words.next();
            }
            rows.push(self.shortened(&row, style, size, room));
        }
        let rest = words.collect::<Vec<_>>().join(" ");
        if !rest.is_empty() {
            rows.push(self.shortened(&rest, style, size, room));
        }
        rows
    }

    fn shortened(&self, text: &str, style: Style, size: f32, room: f32) -> String {
        if self.width(text, style, size) <= room {
            return text.to_owned();
        }
        // A shorter text is (nearly) always narrower, so a binary search finds the longest prefix that fits.
        let letters: Vec<char> = text.chars().take(LETTERS_IN_A_ROW).collect();
        let cut = |count: usize| {
            let prefix: String = letters[..count].iter().collect();
            format!("{}…", prefix.trim_end())
        };
        let counts: Vec<usize> = (0..letters.len()).collect();
        let fitting = counts.partition_point(|count| self.width(&cut(*count), style, size) <= room);
        fitting.checked_sub(1).map_or_else(String::new, cut)
    }
}
