//! The fonts of all PDFs that we draw: finds the font of each character, shapes text, measures it and breaks it into
//! lines.
//!
//! Our own fonts cover Latin, Greek and Cyrillic. Other characters are drawn in fonts of the system, and a character
//! that no font has is drawn as a question mark. Text is measured by the glyphs that are drawn.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use egui_system_font_provider::SystemFontProvider;
use epaint::text::{FallbackRequest, FontData, FontFamily, FontProvider as _};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::ttf_parser::Permissions;
use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer, script};
use unicode_bidi::{BidiClass, Level, ParagraphBidiInfo, bidi_class};
use unicode_segmentation::UnicodeSegmentation as _;

pub(super) const REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular.otf");
const BOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-SemiBold.otf");
const MONO: &[u8] = include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf");

/// The maximum number of characters of a text that may be shortened.
const LETTERS: usize = 600;

/// The longest text and the most texts of a document whose glyphs are kept, so that text that is measured and then
/// drawn is shaped once.
const KEPT_BYTES: usize = 100;
const KEPT_TEXTS: usize = 10_000;

/// The maximum number of missing characters named on the screen; the rest are only counted.
const NAMED: usize = 12;

/// Invisible characters that give a line its direction.
const LEFT_TO_RIGHT_MARK: char = '\u{200e}';
const RIGHT_TO_LEFT_MARK: char = '\u{200f}';

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Regular,
    Bold,
    Mono,
}

/// One font in two forms: for drawing and for shaping.
struct Typeface {
    font: Font,
    face: Face<'static>,
    /// The rules of the font for each direction and script, since finding them takes longer than to shape a word.
    plans: Mutex<HashMap<(Direction, Script), Arc<ShapePlan>>>,
}

impl Typeface {
    fn new(data: &'static [u8], index: u32) -> Option<Self> {
        let font = Font::new(data.into(), index)?;
        let face = Face::from_slice(data, index)?;
        let plans = Mutex::default();
        Some(Self { font, face, plans })
    }

    /// Returns the font, unless its maker forbids to embed it in a document.
    fn of_system(data: FontData) -> Option<&'static Self> {
        let index = data.index;
        // The program keeps each font that it has used until it ends.
        let bytes: &'static FontData = Box::leak(Box::new(data));
        let typeface = Self::new(bytes.bytes(), index)?;
        let may_be_embedded = typeface.face.permissions() != Some(Permissions::Restricted);
        may_be_embedded.then(|| &*Box::leak(Box::new(typeface)))
    }

    fn plan(&self, direction: Direction, script: Script) -> Arc<ShapePlan> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plans.entry((direction, script)).or_insert_with(|| {
            let script = (script != script::UNKNOWN).then_some(script);
            Arc::new(ShapePlan::new(&self.face, direction, script, None, &[]))
        });
        Arc::clone(plan)
    }

    fn has(&self, letter: char) -> bool {
        self.face.glyph_index(letter).is_some()
    }
}

/// Our own fonts, in the order of [`Style`].
static OWN: LazyLock<Option<[Typeface; 3]>> = LazyLock::new(|| {
    Some([
        Typeface::new(REGULAR, 0)?,
        Typeface::new(BOLD, 0)?,
        Typeface::new(MONO, 0)?,
    ])
});

/// The fonts of the system. Listing them takes hundreds of milliseconds, so they are listed for the first character
/// that our own fonts lack.
static SYSTEM: LazyLock<SystemFonts> = LazyLock::new(|| SystemFonts {
    provider: SystemFontProvider::new(),
    found: Mutex::default(),
});

struct SystemFonts {
    provider: SystemFontProvider,
    found: Mutex<FoundFonts>,
}

#[derive(Default)]
struct FoundFonts {
    by_letter: HashMap<char, Option<&'static Typeface>>,
    by_name: HashMap<String, Option<&'static Typeface>>,
}

impl SystemFonts {
    /// Returns a font that has the character; `None` if there is no such font.
    fn typeface(&self, letter: char) -> Option<&'static Typeface> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(typeface) = found.by_letter.get(&letter) {
            return *typeface;
        }
        let found_font = self.provider.font_for(&FallbackRequest {
            cluster: letter.encode_utf8(&mut [0; 4]),
            family: &FontFamily::Proportional,
        });
        let typeface = found_font.and_then(|font| {
            let of_name = found.by_name.entry(font.name);
            *of_name.or_insert_with(|| Typeface::of_system(font.data))
        });
        let typeface = typeface.filter(|typeface| typeface.has(letter));
        found.by_letter.insert(letter, typeface);
        typeface
    }
}

/// A part of a line in one font and one direction.
pub(super) struct Run {
    typeface: &'static Typeface,
    /// The text, first character first even if it runs from right to left.
    pub(super) text: String,
    /// The glyphs from left to right.
    pub(super) glyphs: Vec<KrillaGlyph>,
    /// The width in units of the font.
    units: i32,
}

impl Run {
    fn shape(typeface: &'static Typeface, text: String, is_right_to_left: bool) -> Self {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        buffer.guess_segment_properties();
        let direction = if is_right_to_left {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        };
        buffer.set_direction(direction);
        let plan = typeface.plan(direction, buffer.script());
        let shaped = rustybuzz::shape_with_plan(&typeface.face, &plan, buffer);
        let glyphs = || shaped.glyph_infos().iter().zip(shaped.glyph_positions());
        // A glyph stands for the text up to the start of the next cluster.
        let mut starts: Vec<u32> = glyphs().map(|(glyph, _)| glyph.cluster).collect();
        starts.sort_unstable();
        let end = |start: u32| {
            let next = starts.partition_point(|other| *other <= start);
            starts.get(next).map_or(text.len(), |next| *next as usize)
        };
        let em = typeface.font.units_per_em();
        let share = |units: i32| units as f32 / em;
        let drawn = glyphs().map(|(glyph, at)| KrillaGlyph {
            glyph_id: GlyphId::new(glyph.glyph_id),
            text_range: glyph.cluster as usize..end(glyph.cluster),
            x_advance: share(at.x_advance),
            x_offset: share(at.x_offset),
            y_offset: share(at.y_offset),
            y_advance: share(at.y_advance),
            location: None,
        });
        Self {
            glyphs: drawn.collect(),
            units: glyphs().map(|(_, at)| at.x_advance).sum(),
            typeface,
            text,
        }
    }

    pub(super) fn font(&self) -> Font {
        self.typeface.font.clone()
    }

    pub(super) fn width(&self, size: f32) -> f32 {
        self.units as f32 * size / self.typeface.font.units_per_em()
    }
}

/// The fonts, and the characters found missing so far.
pub struct Fonts {
    own: &'static [Typeface; 3],
    missing: RefCell<Vec<char>>,
    /// The glyphs of short texts, by style.
    kept: RefCell<[HashMap<String, Rc<[Run]>>; 3]>,
}

impl Fonts {
    pub(super) fn load() -> Option<Self> {
        Some(Self {
            own: OWN.as_ref()?,
            missing: RefCell::default(),
            kept: RefCell::default(),
        })
    }

    /// Returns the parts of one line of text, from left to right.
    pub(super) fn runs(&self, text: &str, style: Style) -> Rc<[Run]> {
        if let Some(runs) = self.kept.borrow()[style as usize].get(text) {
            return Rc::clone(runs);
        }
        let runs: Rc<[Run]> = self.shape(text, style).into();
        let kept = &mut self.kept.borrow_mut()[style as usize];
        if text.len() <= KEPT_BYTES && kept.len() < KEPT_TEXTS {
            kept.insert(text.to_owned(), Rc::clone(&runs));
        }
        runs
    }

    fn shape(&self, text: &str, style: Style) -> Vec<Run> {
        let own = &self.own[style as usize];
        let letters = text.chars().filter_map(|letter| match letter {
            letter if letter.is_whitespace() => Some(' '),
            letter => (!letter.is_ascii_control()).then_some(letter),
        });
        let text: String = letters.collect();
        if covers(own, &text) {
            return vec![own_run(own, &text, false)];
        }
        let level = if is_right_to_left(&text) {
            Level::rtl()
        } else {
            Level::ltr()
        };
        let bidi = ParagraphBidiInfo::new(&text, Some(level));
        let (levels, stretches) = bidi.visual_runs(0..text.len());
        let mut runs = Vec::new();
        for stretch in stretches {
            let is_right_to_left = levels[stretch.start].is_rtl();
            let mut parts = self.parts(&text[stretch], own);
            if is_right_to_left {
                parts.reverse();
            }
            runs.extend(parts.into_iter().map(|(typeface, part)| {
                if std::ptr::eq(typeface, own) {
                    own_run(own, &part, is_right_to_left)
                } else {
                    Run::shape(typeface, part, is_right_to_left)
                }
            }));
        }
        runs
    }

    /// Splits text of one direction into parts, each with the font that draws it. A letter and its marks stay in
    /// one font if any font has all of them.
    fn parts(&self, text: &str, own: &'static Typeface) -> Vec<(&'static Typeface, String)> {
        let mut parts: Vec<(&'static Typeface, String)> = Vec::new();
        let mut add = |typeface: &'static Typeface, text: &str| match parts.last_mut() {
            Some((last, part)) if std::ptr::eq(*last, typeface) => part.push_str(text),
            _ => parts.push((typeface, text.to_owned())),
        };
        for cluster in text.graphemes(true) {
            let mut lacking = cluster.chars().filter(|letter| !may_draw(own, *letter));
            let typeface = match lacking.next() {
                None => Some(own),
                Some(letter) => SYSTEM
                    .typeface(letter)
                    .filter(|typeface| covers(typeface, cluster)),
            };
            if let Some(typeface) = typeface {
                add(typeface, cluster);
                continue;
            }
            for letter in cluster.chars() {
                let text = letter.encode_utf8(&mut [0; 4]).to_owned();
                if may_draw(own, letter) {
                    add(own, &text);
                } else if let Some(typeface) = SYSTEM.typeface(letter) {
                    add(typeface, &text);
                } else {
                    self.remember_missing(letter);
                    add(own, "?");
                }
            }
        }
        parts
    }

    fn remember_missing(&self, letter: char) {
        let mut missing = self.missing.borrow_mut();
        if !missing.contains(&letter) {
            missing.push(letter);
        }
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
        let runs = self.runs(text, style);
        runs.iter().map(|run| run.width(size)).sum()
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
    /// too wide. Use [`Self::lines`] for text that must not be cut.
    pub fn wrapped(
        &self,
        text: &str,
        style: Style,
        size: f32,
        room: f32,
        lines: usize,
    ) -> Vec<String> {
        let text: String = text.chars().take(LETTERS).collect();
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

    /// Breaks the text into as many lines as it needs: at spaces, and inside words that are wider than `room`.
    /// Returns no lines for a blank text.
    pub fn lines(&self, text: &str, style: Style, size: f32, room: f32) -> Vec<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        if words.is_empty() || self.width(&text, style, size) <= room {
            return words.first().map(|_| text).into_iter().collect();
        }
        let mut lines: Vec<String> = Vec::new();
        for mut word in words {
            if let Some(line) = lines.last_mut() {
                let longer = format!("{line} {word}");
                if self.width(&longer, style, size) <= room {
                    *line = longer;
                    continue;
                }
            }
            while !word.is_empty() {
                let (line, rest) = self.split_to_fit(word, style, size, room);
                lines.push(line.to_owned());
                word = rest;
            }
        }
        let is_whole_right_to_left = is_right_to_left(&text);
        let mark = if is_whole_right_to_left {
            RIGHT_TO_LEFT_MARK
        } else {
            LEFT_TO_RIGHT_MARK
        };
        let others = lines.iter_mut();
        for line in others.filter(|line| is_right_to_left(line) != is_whole_right_to_left) {
            line.insert(0, mark);
        }
        lines
    }

    /// Splits a word after the last letter that fits, but at least after the first letter.
    fn split_to_fit<'a>(
        &self,
        word: &'a str,
        style: Style,
        size: f32,
        room: f32,
    ) -> (&'a str, &'a str) {
        let fits = |end: &usize| self.width(&word[..*end], style, size) <= room;
        let mut letters = word.grapheme_indices(true);
        let mut ends = Vec::new();
        // Long words are measured in growing parts, because only their start matters.
        loop {
            let before = ends.len();
            let next = letters.by_ref().take(before.max(32));
            ends.extend(next.map(|(at, letter)| at + letter.len()));
            if ends.len() == before || !ends.last().is_some_and(fits) {
                break;
            }
        }
        let count = ends.partition_point(fits).max(1);
        word.split_at(ends.get(count - 1).copied().unwrap_or(word.len()))
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

/// Returns whether a line is read from right to left: if it starts with a mark of direction as the mark says, otherwise
/// as most of its letters are.
fn is_right_to_left(line: &str) -> bool {
    let count = |classes: &[BidiClass]| {
        let letters = line.chars();
        letters
            .filter(|letter| classes.contains(&bidi_class(*letter)))
            .count()
    };
    match line.chars().next() {
        Some(LEFT_TO_RIGHT_MARK) => false,
        Some(RIGHT_TO_LEFT_MARK) => true,
        _ => count(&[BidiClass::R, BidiClass::AL]) > count(&[BidiClass::L]),
    }
}

/// Shapes text in one of our own fonts. Invisible characters that the font lacks are left out.
fn own_run(own: &'static Typeface, text: &str, is_right_to_left: bool) -> Run {
    let text = text.chars().filter(|letter| own.has(*letter)).collect();
    Run::shape(own, text, is_right_to_left)
}

fn covers(typeface: &Typeface, text: &str) -> bool {
    text.chars().all(|letter| may_draw(typeface, letter))
}

/// Returns whether the font has the character, or the character is invisible.
fn may_draw(typeface: &Typeface, letter: char) -> bool {
    typeface.has(letter) || is_invisible(letter)
}

/// Returns whether a character only controls how other characters are drawn, such as the joiner inside an emoji.
const fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0020}'..='\u{e007f}')
}
