//! A test label that shows how a printer prints: rulers on all edges, the width of the print head, the
//! centre, the profile's settings, and a barcode that proves that the print is readable when it is scanned.
//!
//! The label is a PDF that is processed like every other label: rendered, fitted, verified and encoded. It is
//! as wide as the print head and as long as the paper, so the ends of the rulers show where printing ends.

use super::canvas::{Canvas, CanvasError, Drawing, DrawnPdf, PageSize, Style, code_128};
use super::profile::PrinterProfile;

/// The start of every token. No consignment number or article number starts with it.
pub const TOKEN_PREFIX: &str = "PBT";

/// The number of random characters after the prefix: enough that no other test label is mistaken for this label.
const LETTERS: usize = 7;

/// The height of the lowest test label in millimetres.
const LEAST_HEIGHT_MM: f64 = 30.0;

/// Characters that scanners and people don't confuse.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

pub fn token() -> String {
    let letter = |_| char::from(ALPHABET[fastrand::usize(..ALPHABET.len())]);
    TOKEN_PREFIX
        .chars()
        .chain((0..LETTERS).map(letter))
        .collect()
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TestLabelError {
    /// The print head is too narrow for even the narrowest barcode, or the paper is too short.
    #[error("The label is too small for a test label")]
    TooNarrow,
    #[error("The test label could not be drawn")]
    NotDrawn,
}

/// Returns the PDF: one page for this printer. `date` is printed as text, for anyone who finds the label later.
pub fn document(
    profile: &PrinterProfile,
    token: &str,
    date: &str,
) -> Result<DrawnPdf, TestLabelError> {
    let bars = code_128(token).ok_or(TestLabelError::NotDrawn)?;
    let module = module(profile, &bars).ok_or(TestLabelError::TooNarrow)?;
    draw(profile, token, date, (&bars, module)).map_err(|_detail| TestLabelError::NotDrawn)
}

#[expect(clippy::cast_possible_truncation, reason = "dots and millimetres")]
fn draw(
    profile: &PrinterProfile,
    token: &str,
    date: &str,
    (bars, module): (&[bool], f32),
) -> Result<DrawnPdf, CanvasError> {
    let (width, height) = profile.page_dots();
    let scale = profile.dots_per_mm.get();
    let unit = (72.0 / 25.4 / scale) as f32;
    // The length has a hundredth of a point more, so that a renderer that rounds down to whole dots keeps the last
    // dot.
    let length = |dots: u32| dots as f32 * unit + 0.01;
    let page = PageSize {
        points: (length(width), length(height)),
        unit,
        origin: (0.0, 0.0),
    };
    let mut drawing = Drawing::new("Test label")?;
    drawing.page(page, |canvas| {
        let mut label = LabelCanvas {
            canvas,
            width: width as f32,
            height: height as f32,
            scale: scale as f32,
        };
        label.rulers();
        label.head(profile);
        label.cross(profile);
        label.settings_text(profile, date);
        label.code(bars, module, token);
    })?;
    drawing.finish()
}

/// Returns the width of a module in dots: about 0.375 mm, less on a narrow print head; `None` if it would be
/// under two dots, or if the page is too low.
fn module(profile: &PrinterProfile, bars: &[bool]) -> Option<f32> {
    let ((width, height), scale) = (profile.page_dots(), profile.dots_per_mm.get());
    if f64::from(height) < (LEAST_HEIGHT_MM * scale).floor() {
        return None;
    }
    // The code needs a quiet zone of ten modules on each side, and the rulers need 8 mm.
    let modules = bars.len() as f64 + 20.0;
    let room = f64::from(width) - 16.0 * scale;
    let most = (room / modules).floor();
    let module = (0.375 * scale).round().min(most);
    #[expect(clippy::cast_possible_truncation, reason = "a few dots")]
    (module >= 2.0).then_some(module as f32)
}

/// A canvas in units of the printer's dots, so that lines of whole dots are printed as whole dots.
struct LabelCanvas<'c, 'p, 's> {
    canvas: &'c mut Canvas<'p, 's>,
    width: f32,
    height: f32,
    /// Dots per millimetre.
    scale: f32,
}

impl LabelCanvas<'_, '_, '_> {
    /// Converts millimetres to dots.
    fn mm(&self, mm: f32) -> f32 {
        mm * self.scale
    }

    /// Returns the width of a line that is visible at every resolution: a quarter of a millimetre, in whole dots.
    fn line(&self) -> f32 {
        (self.scale / 4.0).round().max(2.0)
    }

    fn text(&mut self, at: (f32, f32), text: &str, style: Style, size: f32) {
        self.canvas.text(at.0, at.1, text, style, size);
    }

    /// Draws rulers from each corner: a tick every millimetre, longer at 5, longest and numbered at 10.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a label has some hundred millimetres"
    )]
    fn rulers(&mut self) {
        let (width, height, line) = (self.width, self.height, self.line());
        let (mut ticks, mut numbers) = (Vec::new(), Vec::new());
        for (along, across) in [(width, false), (height, true)] {
            let last = (along / self.mm(1.0)).floor() as u32;
            for at in 0..=last {
                let place = (self.mm(at as f32)).round().min(along - line);
                let long = self.mm(match at {
                    at if at % 10 == 0 => 4.0,
                    at if at % 5 == 0 => 3.0,
                    _ => 1.5,
                });
                let long = long.round();
                if across {
                    ticks.push((0.0, place, long, line));
                    ticks.push((width - long, place, long, line));
                } else {
                    ticks.push((place, 0.0, line, long));
                    ticks.push((place, height - long, line, long));
                }
                if at % 10 == 0 && at > 0 && at + 5 < last {
                    numbers.push((across, place, at));
                }
            }
        }
        self.canvas.fill_rects(ticks);
        let size = self.mm(2.2);
        for (across, place, at) in numbers {
            let start = if across {
                (self.mm(4.6), place + size * 0.35)
            } else {
                (place - size * 0.5, self.mm(6.6))
            };
            self.text(start, &at.to_string(), Style::Regular, size);
        }
    }

    /// Draws a line over the whole width of the print head, with its length in dots. The line runs down a page that is
    /// turned sideways.
    fn head(&mut self, profile: &PrinterProfile) {
        let is_sideways = profile.page_rotation().is_sideways();
        let (length, place) = if is_sideways {
            (self.height, self.mm(9.0).round())
        } else {
            (self.width, self.mm(12.0).round())
        };
        let (line, tip) = (self.line(), self.mm(1.5).round());
        let parts = [
            (0.0, place, length, line),
            (0.0, place - tip, line, 2.0 * tip),
            (length - line, place - tip, line, 2.0 * tip),
        ];
        self.canvas.fill_rects(parts.map(|(x, y, width, height)| {
            if is_sideways {
                (y, x, height, width)
            } else {
                (x, y, width, height)
            }
        }));
        let dots = profile.printable_dots().0;
        let mm = f64::from(dots) / profile.dots_per_mm.get();
        let words = match profile.head_width_dots {
            Some(_) => format!("Print head {dots} dots, {mm:.1} mm"),
            None => format!("Paper {dots} dots, {mm:.1} mm; print head width not set"),
        };
        let at = (self.mm(10.0), self.mm(11.0));
        self.text(at, &words, Style::Regular, self.mm(3.0));
    }

    /// Draws a cross at the centre of the printable area, with the profile's offset as text.
    fn cross(&mut self, profile: &PrinterProfile) {
        let line = self.line();
        let (x, y) = ((self.width / 2.0).round(), (self.height / 2.0).round());
        let arm = self.mm(6.0).round();
        self.canvas
            .fill_rects([(x - arm, y, 2.0 * arm, line), (x, y - arm, line, 2.0 * arm)]);
        let (right, down) = (profile.offset.x_dots, profile.offset.y_dots);
        let words = format!("Centre. Moved by {right}, {down} dots");
        let at = (x + self.mm(2.0), y - self.mm(2.0));
        self.text(at, &words, Style::Regular, self.mm(2.6));
    }

    /// Returns the top of the barcode.
    fn code_top(&self) -> f32 {
        (self.height * 0.62).round()
    }

    /// Writes the profile's name, its settings and the date, as large as the width allows, as far as there is room
    /// above the barcode.
    fn settings_text(&mut self, profile: &PrinterProfile, date: &str) {
        let left = self.mm(10.0);
        let room = self.width - 2.0 * left;
        let (language, scale) = (profile.language.name(), profile.dots_per_mm.get());
        let lines = [
            format!("{language}, {scale} dots per mm ({:.0} dpi)", scale * 25.4),
            format!("Paper {}", profile.paper_name().replace('×', "x")),
            profile.destination.label(),
            date.to_owned(),
        ];
        let bottom = self.code_top() - self.mm(1.0);
        let mut line = |text: &str, at_mm: f32, style, most_mm: f32| {
            let sizes = (self.mm(most_mm), self.mm(1.5));
            let at = (left, self.mm(at_mm));
            if at.1 <= bottom {
                self.canvas.text_fitted(at, text, style, sizes, room);
            }
        };
        line(&profile.name, 24.0, Style::Bold, 6.0);
        for (at, text) in lines.iter().enumerate() {
            line(text, 31.0 + 5.5 * at as f32, Style::Regular, 3.6);
        }
    }

    /// Draws the barcode in the lower half, with its text and an instruction below if there is room.
    fn code(&mut self, bars: &[bool], module: f32, token: &str) {
        let wide = module * bars.len() as f32;
        let left = ((self.width - wide) / 2.0).round();
        let (top, tall) = (self.code_top(), (self.height * 0.14).round());
        self.canvas.bars((left, top), bars, module, tall);
        let hint = "Scan this code in Packbench";
        for (below_mm, text, style, size_mm) in [
            (5.0, token, Style::Mono, 4.0),
            (10.0, hint, Style::Regular, 3.2),
        ] {
            let baseline = top + tall + self.mm(below_mm);
            if baseline + self.mm(1.0) <= self.height {
                self.text((left, baseline), text, style, self.mm(size_mm));
            }
        }
    }
}
