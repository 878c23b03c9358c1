//! Draws a page of a label as textures: all of it if it is small enough, else an overview and the part in
//! view.
//!
//! Invariant: at a zoom of one pixel a dot and above, exactly the dots that are printed are shown. However
//! large the page is, at most two textures of it are kept, each of a bounded size.

use egui::{ColorImage, Pos2, Rect, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2};

use crate::state::Preview;
use widgets::tokens::{INK, PAPER, UNTINTED};

/// Maximum width and height of the texture for the part in view, in dots.
const LONGEST_PART: f32 = 2_048.0;

/// Textures of the page that is shown.
#[derive(Default)]
pub(super) struct PageTextures {
    of: Option<Preview>,
    whole: Option<TextureHandle>,
    /// A part of the page, in dots.
    part: Option<(Rect, TextureHandle)>,
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
        let page = page(preview);
        let (seen, dot) = (seen.intersect(paper), paper.width() / page.width());
        let to_dots = |at: Pos2| (at - paper.min) / dot;
        // The part in view, rounded outwards to whole dots.
        let first = to_dots(seen.min).floor().to_pos2();
        let last = to_dots(seen.max).ceil().to_pos2();
        let dots = Rect::from_min_max(first, last).intersect(page);
        if is_coarse && dots.is_positive() && dots.size().max_elem() <= LONGEST_PART {
            let (part, texture) = self.part(ui, preview, dots);
            let at = paper.min + part.min.to_vec2() * dot;
            let place = Rect::from_min_size(at, part.size() * dot);
            painter.image(texture.id(), place, everything, UNTINTED);
        } else {
            let texture = self.whole(ui, preview);
            painter.image(texture.id(), paper, everything, UNTINTED);
        }
    }

    /// Returns whether a page was drawn.
    pub(super) const fn is_drawn(&self) -> bool {
        self.of.is_some()
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
    /// cover it. A margin around the part makes a small move need no other texture.
    fn part(&mut self, ui: &Ui, preview: &Preview, seen: Rect) -> (Rect, TextureHandle) {
        if let Some((part, texture)) = &self.part
            && part.contains_rect(seen)
        {
            return (*part, texture.clone());
        }
        let room = Vec2::splat(LONGEST_PART) - seen.size();
        let margin = (seen.size() / 4.0).min(room / 2.0).floor();
        let part = seen.expand2(margin).intersect(page(preview));
        let options = TextureOptions::NEAREST;
        let texture = { ui.ctx() }.load_texture("label part", dots(preview, part), options);
        self.part = Some((part, texture.clone()));
        (part, texture)
    }
}

/// Returns the rectangle of the whole page, in dots.
fn page(preview: &Preview) -> Rect {
    let size = vec2(preview.width as f32, preview.height as f32);
    Rect::from_min_size(Pos2::ZERO, size)
}

/// Returns an image of the page: its overview if it has one, else all of its dots.
fn image(preview: &Preview) -> ColorImage {
    let Some(overview) = &preview.overview else {
        return dots(preview, page(preview));
    };
    let shades: Vec<_> = (0..=255_u8)
        .map(|grey| INK.lerp_to_gamma(PAPER, f32::from(grey) / 255.0))
        .collect();
    let pixels = overview.greys.iter().map(|grey| shades[usize::from(*grey)]);
    let size = [overview.width as usize, overview.height as usize];
    ColorImage::new(size, pixels.collect())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole dots within the page"
)]
fn dots(preview: &Preview, part: Rect) -> ColorImage {
    let [left, top, right, bottom] =
        [part.left(), part.top(), part.right(), part.bottom()].map(|dot| dot as usize);
    let pixels = (top..bottom)
        .flat_map(|y| (left..right).map(move |x| (x, y)))
        .map(|(x, y)| if preview.is_ink(x, y) { INK } else { PAPER })
        .collect();
    ColorImage::new([right - left, bottom - top], pixels)
}
