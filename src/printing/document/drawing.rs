//! Wraps and measures text, and draws pages of marks as a PDF. All lengths are in points from the
//! top left corner.

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::TextDirection;

use super::super::fonts::{DrawnPdf, Fonts, Style};
use super::DocumentError;

/// The width and height of A4.
pub(super) const PAGE: (f32, f32) = (595.28, 841.89);

/// Something drawn on a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    /// A line of text, left-aligned at `at` on its baseline; `grey` runs from 0 (black) to 255 (white).
    Text {
        at: (f32, f32),
        text: String,
        style: Style,
        size: f32,
        grey: u8,
    },
    /// A filled rectangle: left, top, width and height, then its grey.
    Block((f32, f32, f32, f32), u8),
    /// An outlined rectangle: left, top, width and height, then its grey.
    Frame((f32, f32, f32, f32), u8),
}

/// The footnote of a document with characters that our fonts lack.
const LACKING: &str = "? stands for a character that can't be printed";

impl Fonts {
    /// Wraps the text at spaces into at most `lines` lines, and shortens the last line if necessary.
    pub(super) fn wrapped(
        &self,
        text: &str,
        style: Style,
        size: f32,
        room: f32,
        lines: usize,
    ) -> Vec<String> {
        let text = self.printable(text, style);
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
            rows.push(self.shortened(row, style, size, room));
        }
        let rest = words.collect::<Vec<_>>().join(" ");
        if !rest.is_empty() {
            rows.push(self.shortened(rest, style, size, room));
        }
        rows
    }

    fn shortened(&self, text: String, style: Style, size: f32, room: f32) -> String {
        if self.width(&text, style, size) <= room {
            return text;
        }
        let letters: Vec<char> = text.chars().collect();
        let cut = |count: usize| {
            let kept: String = letters[..count].iter().collect();
            format!("{}…", kept.trim_end())
        };
        // A shorter text is narrower in almost all cases, so a binary search finds the longest one that fits.
        let counts: Vec<usize> = (0..letters.len()).collect();
        let fitting = counts.partition_point(|count| self.width(&cut(*count), style, size) <= room);
        fitting.checked_sub(1).map_or_else(String::new, cut)
    }
}

/// Draws pages of marks as a PDF.
pub(super) fn draw(
    pages: &[Vec<Mark>],
    fonts: &Fonts,
    title: &str,
) -> Result<DrawnPdf, DocumentError> {
    let mut document = Document::new();
    document.set_metadata(Metadata::new().title(title.to_owned()));
    for marks in pages {
        let settings = PageSettings::from_wh(PAGE.0, PAGE.1).ok_or(DocumentError::Pdf)?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for mark in marks {
            draw_mark(&mut surface, fonts, mark);
        }
        if fonts.missing_letters().is_some() {
            draw_mark(&mut surface, fonts, &lacking());
        }
        surface.finish();
        page.finish();
    }
    let pdf = document.finish().map_err(|_error| DocumentError::Pdf)?;
    let missing_letters = fonts.missing_letters();
    Ok(DrawnPdf {
        pdf,
        missing_letters,
    })
}

fn lacking() -> Mark {
    Mark::Text {
        at: (40.0, PAGE.1 - 12.0),
        text: LACKING.to_owned(),
        style: Style::Regular,
        size: 7.0,
        grey: 0,
    }
}

fn draw_mark(surface: &mut Surface<'_>, fonts: &Fonts, mark: &Mark) {
    match mark {
        Mark::Text {
            at,
            text,
            style,
            size,
            grey,
        } => {
            surface.set_stroke(None);
            surface.set_fill(Some(filled(*grey)));
            let font = fonts.font(*style);
            let start = Point::from_xy(at.0, at.1);
            let text = fonts.printable(text, *style);
            surface.draw_text(start, font, *size, &text, false, TextDirection::LeftToRight);
        }
        Mark::Block(rect, grey) => {
            surface.set_stroke(None);
            surface.set_fill(Some(filled(*grey)));
            rectangle(surface, *rect);
        }
        Mark::Frame(rect, grey) => {
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke {
                paint: luma::Color::new(*grey).into(),
                width: 0.8,
                ..Stroke::default()
            }));
            rectangle(surface, *rect);
        }
    }
}

fn filled(grey: u8) -> Fill {
    Fill {
        paint: luma::Color::new(grey).into(),
        ..Fill::default()
    }
}

fn rectangle(surface: &mut Surface<'_>, (left, top, width, height): (f32, f32, f32, f32)) {
    let mut path = PathBuilder::new();
    if let Some(rect) = Rect::from_xywh(left, top, width, height) {
        path.push_rect(rect);
    }
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}
