//! The fonts of the documents and labels that we draw ourselves: text widths, and characters that
//! a font lacks.

use std::cell::RefCell;

use krilla::text::Font;
use rustybuzz::{Face, UnicodeBuffer};

const REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular.otf");
const BOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-SemiBold.otf");
const MONO: &[u8] = include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf");

/// The most characters drawn of a single text.
const LETTERS: usize = 600;

/// The most missing characters named on the screen; the rest are only counted.
const NAMED: usize = 12;

/// A PDF that we drew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnPdf {
    pub pdf: Vec<u8>,
    /// A message to the clerk that names the characters missing from the font; `None` if there are none.
    pub missing_letters: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Regular,
    Bold,
    Mono,
}

struct Typeface {
    font: Font,
    face: Face<'static>,
}

/// The fonts, and the characters found missing so far.
pub(super) struct Fonts {
    /// In the order of [`Style`].
    faces: [Typeface; 3],
    missing: RefCell<Vec<char>>,
}

impl Fonts {
    pub(super) fn load() -> Option<Self> {
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

    pub(super) fn font(&self, style: Style) -> Font {
        self.of(style).font.clone()
    }

    /// Replaces each character that the font lacks by a question mark instead of an empty box, and records
    /// it as missing.
    pub(super) fn printable(&self, text: &str, style: Style) -> String {
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

    pub(super) fn width(&self, text: &str, style: Style, size: f32) -> f32 {
        let face = &self.of(style).face;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        let shaped = rustybuzz::shape(face, &[], buffer);
        let units = shaped.glyph_positions().iter();
        let units: i32 = units.map(|position| position.x_advance).sum();
        units as f32 * size / face.units_per_em() as f32
    }
}

/// Returns whether a character only controls how others are drawn, such as the joiner inside an emoji.
const fn is_invisible(letter: char) -> bool {
    letter.is_ascii_control()
        || matches!(letter,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{Fonts, Style};

    #[test]
    fn letters_that_the_font_lacks_are_named_once_each_and_many_are_counted() {
        let fonts = Fonts::load().expect("the program's own fonts");
        assert_eq!(fonts.printable("Zoë's Kröger", Style::Bold), "Zoë's Kröger");
        assert_eq!(fonts.missing_letters(), None);
        assert_eq!(fonts.printable("仓库 仓", Style::Regular), "?? ?");
        let told = fonts.missing_letters().expect("two letters");
        assert_eq!(
            told,
            "These characters can't be printed: 仓 库 (each is printed as ?)"
        );
        // A man, a joiner and a package: two visible characters.
        assert_eq!(fonts.printable("👨\u{200d}📦", Style::Mono), "??");
        for code in 0x0e01..=0x0e20 {
            let letter = char::from_u32(code).expect("Thai");
            fonts.printable(&letter.to_string(), Style::Mono);
        }
        let told = fonts.missing_letters().expect("many");
        assert!(told.contains(" and 24 more"), "{told}");
    }
}
