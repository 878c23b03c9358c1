//! Renders a page in colour at the size of a screen.
//!
//! Invariant: no side has more than [`LONGEST`] dots, whatever size the page claims to have.

use std::sync::Arc;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::{RenderCache, RenderSettings};

use super::{Rasteriser, dots, no_such, open, size_mm};
use crate::picture::{LONGEST, Picture};
use crate::renderer::RenderError;

/// The highest resolution of a page on the screen: 150 dots per inch, in dots per point.
const FINEST: f64 = 150.0 / 72.0;

impl Rasteriser {
    /// Renders one page (`index` from 0). Scripts and links of the document are ignored; only its
    /// marks are drawn.
    pub(crate) fn picture(
        &mut self,
        pdf: Arc<Vec<u8>>,
        index: usize,
    ) -> Result<Picture, RenderError> {
        let pdf = open(pdf)?;
        let all = pdf.pages();
        let page = { all.get(index) }.ok_or_else(|| no_such(index, all.len()))?;
        let (width, height) = page.render_dimensions();
        let (width, height) = (f64::from(width), f64::from(height));
        let zoom = (f64::from(LONGEST) / width.max(height).max(1.0)).min(FINEST);
        let size = dots(width * zoom, height * zoom, size_mm(page))?;
        let settings = InterpreterSettings::default();
        let cache = RenderCache::new();
        let smooth = RenderSettings::default();
        self.paint(page, (size, zoom), &settings, &cache, smooth);
        let rgba = self.pixels.data_as_u8_slice();
        let rgb: Vec<u8> = { rgba.as_chunks::<4>().0.iter() }
            .flat_map(|dot| [dot[0], dot[1], dot[2]])
            .collect();
        let size = (size.0.into(), size.1.into());
        Picture::new(size, rgb, (index, all.len())).ok_or(RenderError::Unreadable)
    }
}
