//! Tells a barcode scan into the goods from typing: a scan is faster than any person types,
//! and ends with Enter.
//!
//! A scanner acts as a keyboard and types into whichever cell has the focus. The line is kept as it was
//! before, until the text is known to be a scan or not, so that it can be restored.

use egui::{Event, Key, Modifiers, Ui};

use draft::GoodsLine;
use widgets::pacer;

/// Maximum time between two frames of one scan. A slow screen takes a tenth of a second for each frame.
const GAP_SECONDS: f64 = 0.12;
/// Minimum speed of a scan. Most scanners send more than 100 characters a second, the slowest about 30; fast
/// typists reach about 12.
const MIN_CHARACTERS_PER_SECOND: f64 = 25.0;
const MIN_CHARACTERS: usize = 4;
/// Minimum length of a scan of digits only, because a shorter number may be a quantity or a weight.
const MIN_DIGITS: usize = 6;

/// Collects the text that was typed since the last pause.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    text: String,
    began: f64,
    last: f64,
    before: Option<(usize, GoodsLine)>,
}

/// A scan, with the line that it was typed into as it was before.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) text: String,
    /// The index of the line, and the line as it was.
    pub(super) before: Option<(usize, GoodsLine)>,
}

impl Scanner {
    /// Reads the input of a frame before its cells are drawn. Returns a scan if Enter ends one in this frame.
    pub(super) fn watch(&mut self, ui: &Ui, line: usize, goods: &[GoodsLine]) -> Option<Scan> {
        let now = ui.input(|input| input.time);
        let burst = pacer::in_a_burst(ui.ctx());
        if !burst && now - self.last > GAP_SECONDS {
            self.text.clear();
        }
        let mut entered = false;
        ui.input(|input| {
            for event in &input.events {
                match event {
                    Event::Text(text) => {
                        if self.text.is_empty() {
                            self.began = now;
                            self.before = goods.get(line).map(|held| (line, held.clone()));
                        }
                        self.text.push_str(text);
                        self.last = now;
                    }
                    Event::Key {
                        key: Key::Enter,
                        pressed: true,
                        modifiers,
                        ..
                    } if modifiers.is_none() => entered = true,
                    Event::Key {
                        key: Key::Tab | Key::Backspace | Key::Delete | Key::Escape,
                        pressed: true,
                        ..
                    }
                    | Event::Paste(_)
                    | Event::PointerButton { .. } => self.text.clear(),
                    _ => {}
                }
            }
        });
        if !entered {
            return None;
        }
        let took = if burst { self.last } else { now } - self.began;
        let text = std::mem::take(&mut self.text);
        let before = self.before.take();
        is_a_scan(text.trim(), took).then(|| Scan {
            text: text.trim().to_owned(),
            before,
        })
    }
}

/// Consumes the Enter that ended a scan, so that the focus stays in its cell.
pub(super) fn take_enter(ui: &Ui) {
    ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
}

fn is_a_scan(text: &str, seconds: f64) -> bool {
    let count = text.chars().count();
    let figure = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let least = if text.chars().all(figure) {
        MIN_DIGITS
    } else {
        MIN_CHARACTERS
    };
    let fast = count as f64 >= seconds * MIN_CHARACTERS_PER_SECOND;
    count >= least && fast
}

#[cfg(test)]
mod tests {
    use super::is_a_scan;

    #[test]
    fn a_scanner_is_faster_than_a_person_and_a_quantity_is_no_scan() {
        for (text, seconds, scanned) in [
            ("HR-20", 0.03, true),
            ("HR-20", 0.6, false),
            ("9312345678907", 0.2, true),
            ("9312345678907", 1.3, false),
            ("12.5", 0.0, false),
            ("117", 0.0, false),
            ("", 0.0, false),
        ] {
            assert_eq!(is_a_scan(text, seconds), scanned, "{text} in {seconds} s");
        }
    }
}
