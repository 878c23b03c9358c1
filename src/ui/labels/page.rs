//! A page of a label as textures: whole where it is small enough, else an overview and the part in view.
//!
//! What always holds: what is shown at one dot a pixel and above are the very dots that are burnt; however large the page
//! is, no more than two textures of it are held, each of a bounded size.

use egui::{ColorImage, Rect, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2};

use super::super::kit::tokens::{INK, PAPER, UNTINTED};
use crate::state::Preview;

/// The longest side of a part in view, in dots.
const LONGEST_PART: usize = 2_048;

/// What the graphics card has of the page that is shown.
#[derive(Default)]
pub(super) struct Page {
    of: Option<Preview>,
    whole: Option<TextureHandle>,
    part: Option<(Part, TextureHandle)>,
}

/// A part of a page, in dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Part {
    const fn fits(&self) -> bool {
        self.right - self.left <= LONGEST_PART && self.bottom - self.top <= LONGEST_PART
    }

    const fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }
}

impl Page {
    /// Draws the page on `paper`, of which `seen` is in view. `zoom` is pixels a dot.
    pub(super) fn paint(&mut self, ui: &Ui, preview: &Preview, paper: Rect, seen: Rect, zoom: f32) {
        if !self.is_of(preview) {
            *self = Self {
                of: Some(preview.clone()),
                ..Self::default()
            };
        }
        let painter = ui.painter().with_clip_rect(seen);
        painter.rect_filled(paper, 0.0, PAPER);
        let everything = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let is_coarse = { preview.overview.as_ref() }
            .is_some_and(|overview| zoom * overview.factor as f32 > 1.5);
        let seen = seen.intersect(paper);
        let dots = part_in(preview, paper, seen);
        if is_coarse && seen.is_positive() && dots.fits() {
            let (part, texture) = self.part(ui, preview, dots);
            let dot = paper.width() / preview.width as f32;
            let at = paper.min + vec2(part.left as f32, part.top as f32) * dot;
            let size = vec2(
                (part.right - part.left) as f32,
                (part.bottom - part.top) as f32,
            );
            let place = Rect::from_min_size(at, size * dot);
            painter.image(texture.id(), place, everything, UNTINTED);
        } else {
            let texture = self.whole(ui, preview);
            painter.image(texture.id(), paper, everything, UNTINTED);
        }
    }

    fn is_of(&self, preview: &Preview) -> bool {
        self.of.as_ref().is_some_and(|of| {
            (of.consignment, of.page, of.size) == (preview.consignment, preview.page, preview.size)
                && std::sync::Arc::ptr_eq(&of.dots, &preview.dots)
        })
    }

    /// The page as a texture, made when it is another page.
    fn whole(&mut self, ui: &Ui, preview: &Preview) -> TextureHandle {
        let make = || {
            // Shrunk it is smoothed, enlarged the dots stay dots.
            let options = TextureOptions {
                minification: egui::TextureFilter::Linear,
                ..TextureOptions::NEAREST
            }
            .with_mipmap_mode(Some(egui::TextureFilter::Linear));
            ui.ctx().load_texture("label", image(preview), options)
        };
        self.whole.get_or_insert_with(make).clone()
    }

    /// These dots as a texture, made when other ones come into view.
    fn part(&mut self, ui: &Ui, preview: &Preview, seen: Part) -> (Part, TextureHandle) {
        if let Some((part, texture)) = &self.part
            && part.holds(&seen)
        {
            return (*part, texture.clone());
        }
        let part = with_margin(preview, seen);
        let texture =
            ui.ctx()
                .load_texture("label part", dots(preview, part), TextureOptions::NEAREST);
        self.part = Some((part, texture.clone()));
        (part, texture)
    }
}

/// The dots in view.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the page, and rounded outwards"
)]
fn part_in(preview: &Preview, paper: Rect, seen: Rect) -> Part {
    let (across, down) = (preview.width as usize, preview.height as usize);
    let scale = vec2(preview.width as f32, preview.height as f32) / paper.size();
    let first: Vec2 = (seen.min - paper.min) * scale;
    let last: Vec2 = (seen.max - paper.min) * scale;
    let left = (first.x.floor().max(0.0) as usize).min(across.saturating_sub(1));
    let top = (first.y.floor().max(0.0) as usize).min(down.saturating_sub(1));
    Part {
        left,
        top,
        right: (last.x.ceil().max(0.0) as usize).clamp(left + 1, across.max(left + 1)),
        bottom: (last.y.ceil().max(0.0) as usize).clamp(top + 1, down.max(top + 1)),
    }
}

/// Somewhat more than is seen, so that a small move needs no other texture.
fn with_margin(preview: &Preview, seen: Part) -> Part {
    let margin = |from: usize, to: usize| {
        let size = to - from;
        (size / 4).min((LONGEST_PART - size.min(LONGEST_PART)) / 2)
    };
    let (x, y) = (margin(seen.left, seen.right), margin(seen.top, seen.bottom));
    Part {
        left: seen.left.saturating_sub(x),
        top: seen.top.saturating_sub(y),
        right: (seen.right + x).min(preview.width as usize),
        bottom: (seen.bottom + y).min(preview.height as usize),
    }
}

/// The page as an image: all of its dots, or its overview.
fn image(preview: &Preview) -> ColorImage {
    let Some(overview) = &preview.overview else {
        let whole = Part {
            left: 0,
            top: 0,
            right: preview.width as usize,
            bottom: preview.height as usize,
        };
        return dots(preview, whole);
    };
    let shades: Vec<_> = (0..=255_u8)
        .map(|grey| INK.lerp_to_gamma(PAPER, f32::from(grey) / 255.0))
        .collect();
    let pixels = overview.greys.iter().map(|grey| shades[usize::from(*grey)]);
    let size = [overview.width as usize, overview.height as usize];
    ColorImage::new(size, pixels.collect())
}

fn dots(preview: &Preview, part: Part) -> ColorImage {
    let stride = (preview.width as usize).div_ceil(8);
    let dot = |x: usize, y: usize| {
        let byte = preview.dots.get(y * stride + x / 8).copied();
        if byte.unwrap_or_default() >> (7 - x % 8) & 1 == 1 {
            INK
        } else {
            PAPER
        }
    };
    let pixels = (part.top..part.bottom)
        .flat_map(|y| (part.left..part.right).map(move |x| (x, y)))
        .map(|(x, y)| dot(x, y))
        .collect();
    ColorImage::new([part.right - part.left, part.bottom - part.top], pixels)
}
