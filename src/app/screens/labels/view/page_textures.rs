//! Draws a page of a label as textures: all of it if it is small enough, else an overview and the part in
//! view.
//!
//! Invariant: at a zoom of one pixel a dot and above, exactly the dots that are printed are shown. However
//! large the page is, at most two textures of it are kept, each of a bounded size.

use egui::{ColorImage, Rect, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2};

use crate::state::Preview;
use widgets::tokens::{INK, PAPER, UNTINTED};

/// Maximum width and height of the texture for the part in view, in dots.
const LONGEST_PART: usize = 2_048;

/// Textures of the page that is shown.
#[derive(Default)]
pub(super) struct PageTextures {
    of: Option<Preview>,
    whole: Option<TextureHandle>,
    part: Option<(DotRect, TextureHandle)>,
}

/// A part of a page, in dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DotRect {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl DotRect {
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

impl PageTextures {
    /// Draws the page on `paper`, of which `seen` is in view. `zoom` is in pixels per dot.
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
            (of.subject, of.page, of.size) == (preview.subject, preview.page, preview.size)
                && std::sync::Arc::ptr_eq(&of.dots, &preview.dots)
        })
    }

    /// Returns the texture of the whole page or of its overview; creates it on the first call for a page.
    fn whole(&mut self, ui: &Ui, preview: &Preview) -> TextureHandle {
        let make = || {
            // A shrunk page is smoothed; in an enlarged page the dots stay sharp.
            let options = TextureOptions {
                minification: egui::TextureFilter::Linear,
                ..TextureOptions::NEAREST
            }
            .with_mipmap_mode(Some(egui::TextureFilter::Linear));
            ui.ctx().load_texture("label", image(preview), options)
        };
        self.whole.get_or_insert_with(make).clone()
    }

    /// Returns a texture that covers the part in view; creates a new texture if the present texture does not
    /// cover it.
    fn part(&mut self, ui: &Ui, preview: &Preview, seen: DotRect) -> (DotRect, TextureHandle) {
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

/// Returns the part of the page in view, rounded outwards to whole dots.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the page, and rounded outwards"
)]
fn part_in(preview: &Preview, paper: Rect, seen: Rect) -> DotRect {
    let (across, down) = (preview.width as usize, preview.height as usize);
    let scale = vec2(preview.width as f32, preview.height as f32) / paper.size();
    let first: Vec2 = (seen.min - paper.min) * scale;
    let last: Vec2 = (seen.max - paper.min) * scale;
    let left = (first.x.floor().max(0.0) as usize).min(across.saturating_sub(1));
    let top = (first.y.floor().max(0.0) as usize).min(down.saturating_sub(1));
    DotRect {
        left,
        top,
        right: (last.x.ceil().max(0.0) as usize).clamp(left + 1, across.max(left + 1)),
        bottom: (last.y.ceil().max(0.0) as usize).clamp(top + 1, down.max(top + 1)),
    }
}

/// Enlarges a part by a margin, so that a small move needs no other texture.
fn with_margin(preview: &Preview, seen: DotRect) -> DotRect {
    let margin = |from: usize, to: usize| {
        let size = to - from;
        (size / 4).min((LONGEST_PART - size.min(LONGEST_PART)) / 2)
    };
    let (x, y) = (margin(seen.left, seen.right), margin(seen.top, seen.bottom));
    DotRect {
        left: seen.left.saturating_sub(x),
        top: seen.top.saturating_sub(y),
        right: (seen.right + x).min(preview.width as usize),
        bottom: (seen.bottom + y).min(preview.height as usize),
    }
}

/// Returns an image of the page: its overview if it has one, else all of its dots.
fn image(preview: &Preview) -> ColorImage {
    let Some(overview) = &preview.overview else {
        let whole = DotRect {
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

fn dots(preview: &Preview, part: DotRect) -> ColorImage {
    let pixels = (part.top..part.bottom)
        .flat_map(|y| (part.left..part.right).map(move |x| (x, y)))
        .map(|(x, y)| if is_ink(preview, x, y) { INK } else { PAPER })
        .collect();
    ColorImage::new([part.right - part.left, part.bottom - part.top], pixels)
}

/// Returns whether a dot of the page is black.
pub(super) fn is_ink(preview: &Preview, x: usize, y: usize) -> bool {
    let stride = (preview.width as usize).div_ceil(8);
    let byte = preview.dots.get(y * stride + x / 8).copied();
    byte.unwrap_or_default() >> (7 - x % 8) & 1 == 1
}
