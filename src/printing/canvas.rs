//! The canvas for all PDFs that we draw: our documents and test labels, and the labels and proofs of delivery of the
//! practice service. Text is measured with the shaper that draws it.
//!
//! Coordinates run to the right and down from a page's origin, in the page's own unit.

use std::cell::RefCell;

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{Path, PathBuilder, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use rustybuzz::{Face, UnicodeBuffer};

const REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular.otf");
const BOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-SemiBold.otf");
const MONO: &[u8] = include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf");

/// The maximum number of characters drawn from one text.
const LETTERS: usize = 600;

/// The maximum number of missing characters named on the screen; the rest are only counted.
const NAMED: usize = 12;

#[derive(Debug, thiserror::Error)]
pub enum CanvasError {
    #[error("a font that comes with Packbench can't be read")]
    Font,
    #[error("a page can't be that large")]
    Page,
    #[error("the PDF can't be written: {0}")]
    Pdf(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnPdf {
    pub pdf: Vec<u8>,
    /// A message to the clerk that names the characters missing from the font; `None` if there are none.
    pub missing_letters: Option<String>,
}

/// A position: the distances to the right of the origin and below the origin.
pub type Point = (f32, f32);
/// Left, top, width and height.
pub type Rectangle = (f32, f32, f32, f32);

/// The size of a page and the coordinates on it.
#[derive(Debug, Clone, Copy)]
pub struct PageSize {
    /// Width and height in points.
    pub points: (f32, f32),
    /// Points in one unit of the coordinates.
    pub unit: f32,
    /// The position of the origin, in units from the top left corner of the page.
    pub origin: Point,
}

/// A PDF to which pages are being added.
pub struct Drawing {
    document: Document,
    pub fonts: Fonts,
}

impl Drawing {
    pub fn new(title: &str) -> Result<Self, CanvasError> {
        let mut document = Document::new();
        document.set_metadata(Metadata::new().title(title.to_owned()));
        let fonts = Fonts::load().ok_or(CanvasError::Font)?;
        Ok(Self { document, fonts })
    }

    /// Adds a page and calls `draw` to draw on the page. The first colour is black.
    pub fn page<T>(
        &mut self,
        size: PageSize,
        draw: impl FnOnce(&mut Canvas<'_, '_>) -> T,
    ) -> Result<T, CanvasError> {
        let (width, height) = size.points;
        let settings = PageSettings::from_wh(width, height).ok_or(CanvasError::Page)?;
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        surface.push_transform(&Transform::from_scale(size.unit, size.unit));
        surface.push_transform(&Transform::from_translate(size.origin.0, size.origin.1));
        let drawn = draw(&mut Canvas {
            surface: &mut surface,
            fonts: &self.fonts,
            grey: 0,
        });
        surface.pop();
        surface.pop();
        surface.finish();
        page.finish();
        Ok(drawn)
    }

    pub fn finish(self) -> Result<DrawnPdf, CanvasError> {
        let unwritten = |error| CanvasError::Pdf(format!("{error:?}"));
        Ok(DrawnPdf {
            pdf: self.document.finish().map_err(unwritten)?,
            missing_letters: self.fonts.missing_letters(),
        })
    }
}

pub struct Canvas<'p, 's> {
    surface: &'p mut Surface<'s>,
    pub fonts: &'p Fonts,
    /// The grey of everything that is drawn next, from 0 (black) to 255 (white).
    pub grey: u8,
}

impl Canvas<'_, '_> {
    pub fn fill_rect(&mut self, left: f32, top: f32, width: f32, height: f32) {
        self.fill_rects([(left, top, width, height)]);
    }

    /// Fills rectangles as one shape.
    pub fn fill_rects(&mut self, blocks: impl IntoIterator<Item = Rectangle>) {
        let mut path = PathBuilder::new();
        for (left, top, width, height) in blocks {
            if let Some(rect) = Rect::from_xywh(left, top, width, height) {
                path.push_rect(rect);
            }
        }
        if let Some(path) = path.finish() {
            self.set_fill();
            self.surface.draw_path(&path);
        }
    }

    fn set_fill(&mut self) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill {
            paint: luma::Color::new(self.grey).into(),
            ..Fill::default()
        }));
    }

    fn outline(&mut self, path: Option<Path>, width: f32) {
        if let Some(path) = path {
            self.surface.set_fill(None);
            self.surface.set_stroke(Some(Stroke {
                paint: luma::Color::new(self.grey).into(),
                width,
                ..Stroke::default()
            }));
            self.surface.draw_path(&path);
        }
    }

    /// Draws the outline inside the edges of the rectangle, so that the outline stays on the grid of dots.
    pub fn frame(&mut self, left: f32, top: f32, width: f32, height: f32, line: f32) {
        self.fill_rects([
            (left, top, width, line),
            (left, top + height - line, width, line),
            (left, top + line, line, height - 2.0 * line),
            (left + width - line, top + line, line, height - 2.0 * line),
        ]);
    }

    /// Draws the outline of a square that stands on its corner.
    pub fn diamond(&mut self, (x, y): Point, half: f32, line: f32) {
        let mut path = PathBuilder::new();
        path.move_to(x, y - half);
        path.line_to(x + half, y);
        path.line_to(x, y + half);
        path.line_to(x - half, y);
        path.close();
        self.outline(path.finish(), line);
    }

    /// Draws one line of text that begins at `left` and stands on `baseline`.
    pub fn text(&mut self, left: f32, baseline: f32, text: &str, style: Style, size: f32) {
        self.set_fill();
        let start = krilla::geom::Point::from_xy(left, baseline);
        let font = self.fonts.of(style).font.clone();
        let text = self.fonts.printable(text, style);
        let direction = TextDirection::LeftToRight;
        self.surface
            .draw_text(start, font, size, &text, false, direction);
    }

    pub fn text_right(&mut self, right: f32, baseline: f32, text: &str, style: Style, size: f32) {
        let left = right - self.fonts.width(text, style, size);
        self.text(left, baseline, text, style, size);
    }

    pub fn text_centred(
        &mut self,
        centre: f32,
        baseline: f32,
        text: &str,
        style: Style,
        size: f32,
    ) {
        let left = centre - self.fonts.width(text, style, size) / 2.0;
        self.text(left, baseline, text, style, size);
    }

    /// Draws one line of text from `left`, with the size and text that [`Fonts::fitted`] finds for the room.
    pub fn text_fitted(
        &mut self,
        (left, baseline): Point,
        text: &str,
        style: Style,
        (most, least): (f32, f32),
        room: f32,
    ) {
        let (text, size) = self.fonts.fitted(text, style, most, least, room);
        self.text(left, baseline, &text, style, size);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Regular,
    Bold,
    Mono,
}

/// One font in two forms: for drawing and for measuring.
struct Typeface {
    font: Font,
    face: Face<'static>,
}

/// The fonts, and the characters found missing so far.
pub struct Fonts {
    /// In the order of [`Style`].
    faces: [Typeface; 3],
    missing: RefCell<Vec<char>>,
}

impl Fonts {
    fn load() -> Option<Self> {
        let typeface = |data: &'static [u8]| {
            let font = Font::new(data.into(), 0)?;
            let face = Face::from_slice(data, 0)?;
            Some(Typeface { font, face })
        };
        Some(Self {
            faces: [typeface(REGULAR)?, typeface(BOLD)?, typeface(MONO)?],
            missing: RefCell::default(),
        })
    }

    fn of(&self, style: Style) -> &Typeface {
        &self.faces[style as usize]
    }

    /// Replaces each character that the font lacks by a question mark instead of an empty box, and records
    /// it as missing.
    fn printable(&self, text: &str, style: Style) -> String {
        let face = &self.of(style).face;
        let letter = |letter: char| match letter {
            letter if letter.is_whitespace() => Some(' '),
            letter if face.glyph_index(letter).is_some() => Some(letter),
            letter if is_invisible(letter) => None,
            letter => {
                let mut missing = self.missing.borrow_mut();
                if !missing.contains(&letter) {
                    missing.push(letter);
                }
                Some('?')
            }
        };
        text.chars().take(LETTERS).filter_map(letter).collect()
    }

    /// Returns a message to the clerk that names the characters found missing so far; `None` if
    /// there are none.
    pub(super) fn missing_letters(&self) -> Option<String> {
        let missing = self.missing.borrow();
        if missing.is_empty() {
            return None;
        }
        let named: Vec<String> = missing.iter().take(NAMED).map(char::to_string).collect();
        let named = named.join(" ");
        let more = match missing.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!(
            "These characters can't be printed: {named}{more} (each is printed as ?)"
        ))
    }

    pub fn width(&self, text: &str, style: Style, size: f32) -> f32 {
        let face = &self.of(style).face;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&self.printable(text, style));
        let shaped = rustybuzz::shape(face, &[], buffer);
        let units = shaped.glyph_positions().iter();
        let units: i32 = units.map(|position| position.x_advance).sum();
        units as f32 * size / face.units_per_em() as f32
    }

    /// Returns the text with the largest size from `most` down to `least` at which it fits. Shortens the text
    /// if it is too wide even at `least`.
    pub fn fitted(
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
        (self.shortened(text.to_owned(), style, least, room), least)
    }

    /// Breaks the text at spaces into at most `lines` lines of this size, and shortens lines that are still
    /// too wide.
    pub fn wrapped(
        &self,
        text: &str,
        style: Style,
        size: f32,
        room: f32,
        lines: usize,
    ) -> Vec<String> {
        let text = self.printable(text, style);
        let mut rows: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let is_last = rows.len() >= lines;
            let Some(row) = rows.last_mut() else {
                rows.push(word.to_owned());
                continue;
            };
            let longer = format!("{row} {word}");
            if is_last || self.width(&longer, style, size) <= room {
                *row = longer;
            } else {
                rows.push(word.to_owned());
            }
        }
        let rows = rows.into_iter();
        rows.map(|row| self.shortened(row, style, size, room))
            .collect()
    }

    fn shortened(&self, text: String, style: Style, size: f32, room: f32) -> String {
        if self.width(&text, style, size) <= room {
            return text;
        }
        let letters: Vec<char> = text.chars().take(LETTERS).collect();
        let cut = |count: usize| {
            let kept: String = letters[..count].iter().collect();
            format!("{}…", kept.trim_end())
        };
        // A shorter text is narrower in almost all cases, so a binary search finds the longest text that
        // fits.
        let counts: Vec<usize> = (0..letters.len()).collect();
        let fitting = counts.partition_point(|count| self.width(&cut(*count), style, size) <= room);
        fitting.checked_sub(1).map_or_else(String::new, cut)
    }
}

/// Returns whether a character only controls how other characters are drawn, such as the joiner inside an emoji.
const fn is_invisible(letter: char) -> bool {
    letter.is_ascii_control()
        || matches!(letter,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0020}'..='\u{e007f}')
}
