//! Renders PDFs to bitmaps in the current process.
//!
//! A crafted file can make this code hang or exhaust the memory, so the program calls it only in the child process of
//! [`super::renderer`]. Sizes are checked before memory for the dots is allocated. Edges are not smoothed, because a
//! thermal printer prints only black dots: a dot is black if more than half of it is covered. Only pictures for the
//! screen ([`Rasteriser::picture`]) are smooth and in colour.

use std::sync::Arc;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_syntax::object::Dict;
use hayro::hayro_syntax::object::dict::keys::{COUNT, PAGES};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};

use super::page::{Bitmap, LONGEST_SIDE_DOTS, MOST_DOTS, Page, PageSelection, Scale};
use super::picture::{LONGEST, Picture};
use super::renderer::RenderError;

/// The highest resolution of a page on the screen: 150 dots per inch, in dots per point.
const FINEST: f64 = 150.0 / 72.0;

/// The number of bytes at the end of the file in which `%%EOF` must be. PDF readers usually search as many.
const TAIL: usize = 1_024;

/// The number of bytes at the start of the file in which `%PDF-` must be. Some programs count offsets from `%PDF-`.
const OPENING: usize = 1_024;

/// The maximum number of pages rendered in one request. A consignment has at most a few hundred items.
const MOST_PAGES: usize = 500;

/// Renders one page (`index` from 0). Used in the child process, in benchmarks, and for PDFs that we made ourselves.
pub fn render_in_process(
    pdf: Arc<Vec<u8>>,
    index: usize,
    scale: Scale,
) -> Result<Page, RenderError> {
    let mut drawn = None;
    Rasteriser::default().each_page(pdf, PageSelection::single(index), scale, &mut |page| {
        drawn = Some(page);
        true
    })?;
    drawn.ok_or(RenderError::Unreadable)
}

/// The buffers of the rasteriser, reused from one document to the next.
pub(super) struct Rasteriser {
    context: RenderContext,
    pixels: Pixmap,
    resources: Resources,
}

impl Default for Rasteriser {
    fn default() -> Self {
        Self {
            context: RenderContext::new(1, 1),
            pixels: Pixmap::new(1, 1),
            resources: Resources::default(),
        }
    }
}

impl Rasteriser {
    /// Renders pages one after another and passes each to `each`, which returns whether to continue.
    pub(super) fn each_page(
        &mut self,
        pdf: Arc<Vec<u8>>,
        pages: PageSelection,
        scale: Scale,
        each: &mut dyn FnMut(Page) -> bool,
    ) -> Result<(), RenderError> {
        let pdf = open(pdf)?;
        let all = pdf.pages();
        let (first, count) = match pages {
            PageSelection::All => (0, all.len()),
            PageSelection::From { first, count } => (first, count),
        };
        if count > MOST_PAGES {
            return Err(RenderError::TooManyPages {
                page_count: count,
                most: MOST_PAGES,
            });
        }
        let pages_said = announced_page_count(&pdf);
        let cache = RenderCache::new();
        if first >= all.len() {
            return Err(no_such(first, all.len()));
        }
        for index in first..first.saturating_add(count) {
            let page = { all.get(index) }.ok_or_else(|| no_such(index, all.len()))?;
            let (bitmap, size_mm) = self.draw(page, scale, &cache)?;
            if !each(Page {
                bitmap,
                index,
                page_count: all.len(),
                announced_page_count: pages_said,
                size_mm,
                scale,
            }) {
                break;
            }
        }
        Ok(())
    }

    fn draw<'a>(
        &mut self,
        page: &'a PdfPage<'a>,
        scale: Scale,
        cache: &RenderCache<'a>,
    ) -> Result<(Bitmap, (f64, f64)), RenderError> {
        // Hinting would take a third of the time and improve little at these sizes. Other PDF rasterisers
        // don't hint either.
        let crisp = RenderSettings {
            aliasing_threshold: Some(127),
            hinting: false,
            ..RenderSettings::default()
        };
        let zoom = scale.dots_per_point();
        let (width, height) = self.paint(page, zoom, cache, crisp)?;
        let rows = pack(self.pixels.data_as_u8_slice(), usize::from(width));
        let bitmap = Bitmap::from_packed(width.into(), height.into(), rows);
        Ok((bitmap.ok_or(RenderError::Unreadable)?, size_mm(page)))
    }

    /// Renders one page (`index` from 0) in colour at the size of a screen. Scripts and links of the document are
    /// ignored; only its marks are drawn.
    ///
    /// Invariant: no side has more than [`LONGEST`] dots, whatever size the page claims to have.
    pub(super) fn picture(
        &mut self,
        pdf: Arc<Vec<u8>>,
        index: usize,
    ) -> Result<Picture, RenderError> {
        let pdf = open(pdf)?;
        let all = pdf.pages();
        let page = { all.get(index) }.ok_or_else(|| no_such(index, all.len()))?;
        let (width, height) = page.render_dimensions();
        let longest = f64::from(width.max(height)).max(1.0);
        let zoom = (f64::from(LONGEST) / longest).min(FINEST);
        let smooth = RenderSettings::default();
        let (width, height) = self.paint(page, zoom, &RenderCache::new(), smooth)?;
        let rgba = self.pixels.data_as_u8_slice().as_chunks::<4>().0.iter();
        let rgb = rgba.flat_map(|dot| [dot[0], dot[1], dot[2]]).collect();
        let size = (width.into(), height.into());
        Picture::new(size, rgb, (index, all.len())).ok_or(RenderError::Unreadable)
    }

    /// Paints the page into `pixels`, on white. Returns its size in dots.
    fn paint<'a>(
        &mut self,
        page: &'a PdfPage<'a>,
        zoom: f64,
        cache: &RenderCache<'a>,
        how: RenderSettings,
    ) -> Result<(u16, u16), RenderError> {
        let (width, height) = page.render_dimensions();
        let (width, height) = (f64::from(width) * zoom, f64::from(height) * zoom);
        let (width, height) = dots(width, height, size_mm(page))?;
        self.context.reset_and_resize(width, height);
        self.pixels.resize(width, height);
        let to_dots = Affine::scale(zoom) * page.initial_transform(true).to_kurbo();
        let settings = InterpreterSettings::default();
        render_into(page, cache, &settings, &how, &mut self.context, to_dots);
        self.context.flush();
        let on_white = RasterizerSettings {
            target_init: TargetInit::Clear(WHITE),
            ..RasterizerSettings::default()
        };
        self.context
            .render_with(&mut self.pixels, &mut self.resources, on_white);
        Ok((width, height))
    }
}

/// Opens a document that has at least one page.
fn open(pdf: Arc<Vec<u8>>) -> Result<Pdf, RenderError> {
    check_ends(&pdf)?;
    let pdf = Pdf::new(pdf).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => RenderError::Password,
        LoadPdfError::Decryption(_) | LoadPdfError::Invalid => RenderError::Unreadable,
    })?;
    if pdf.pages().is_empty() {
        return Err(RenderError::Unreadable);
    }
    Ok(pdf)
}

/// Returns the error for a missing page; `index` counts from 0.
fn no_such(index: usize, page_count: usize) -> RenderError {
    RenderError::NoSuchPage {
        page: index.saturating_add(1),
        page_count,
    }
}

/// Returns the width and height of the paper in millimetres.
fn size_mm(page: &PdfPage<'_>) -> (f64, f64) {
    let (width, height) = page.render_dimensions();
    // The size is rounded to hundredths. Nobody measures paper more precisely, and such numbers pass through JSON
    // unchanged.
    let mm = |points: f32| (f64::from(points) * 2540.0 / 72.0).round() / 100.0;
    (mm(width), mm(height))
}

/// Returns `/Count` of the root of the page tree; 0 if it is missing.
fn announced_page_count(pdf: &Pdf) -> usize {
    let root: Option<Dict<'_>> = pdf.xref().get(pdf.xref().root_id());
    let tree = root.and_then(|root| root.get::<Dict<'_>>(PAGES));
    let count = tree.and_then(|tree| tree.get::<i32>(COUNT));
    usize::try_from(count.unwrap_or(0)).unwrap_or(0)
}

/// Checks both ends of the file before any parser reads it.
fn check_ends(pdf: &[u8]) -> Result<(), RenderError> {
    if opening(pdf).is_none() {
        return Err(RenderError::NotAPdf);
    }
    let pdf = without_padding(pdf);
    let tail = &pdf[pdf.len().saturating_sub(TAIL)..];
    if !tail.windows(5).any(|window| window == b"%%EOF") {
        return Err(RenderError::Truncated);
    }
    Ok(())
}

/// Returns the position of `%PDF-` near the start of the file.
pub(super) fn opening(pdf: &[u8]) -> Option<usize> {
    let start = &pdf[..pdf.len().min(OPENING)];
    start.windows(5).position(|window| window == b"%PDF-")
}

/// Returns the file without the line ends or zeros at its end, with which some services pad files.
pub(super) fn without_padding(pdf: &[u8]) -> &[u8] {
    let is_content = |byte: &u8| !byte.is_ascii_whitespace() && *byte != 0;
    let end = pdf.iter().rposition(is_content).map_or(0, |last| last + 1);
    &pdf[..end]
}

/// Returns the page's size in whole dots, or an error if the page is too large.
fn dots(
    width: f64,
    height: f64,
    (width_mm, height_mm): (f64, f64),
) -> Result<(u16, u16), RenderError> {
    let (width, height) = (width.round().max(1.0), height.round().max(1.0));
    let longest = f64::from(LONGEST_SIDE_DOTS);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, and compared with its limits"
    )]
    if width <= longest && height <= longest && width * height <= MOST_DOTS as f64 {
        Ok((width as u16, height as u16))
    } else {
        Err(RenderError::PageTooLarge {
            width_mm: width_mm as u64,
            height_mm: height_mm as u64,
        })
    }
}

/// Packs four bytes per dot into one bit per dot: black if the luma is below one half.
fn pack(rgba: &[u8], width: usize) -> Vec<u8> {
    let mut rows = Vec::with_capacity(width.div_ceil(8) * (rgba.len() / (width * 4).max(1)));
    for row in rgba.chunks_exact(width * 4) {
        let (whole, rest) = row.as_chunks::<32>();
        // Most of a label is white, so eight white dots are packed without computing their luma.
        let is_white = |eight: &[u8; 32]| *eight == WHITE_DOTS;
        rows.extend({ whole.iter() }.map(|eight| if is_white(eight) { 0 } else { octet(eight) }));
        if !rest.is_empty() {
            rows.push(octet(rest));
        }
    }
    rows
}

const WHITE_DOTS: [u8; 32] = [0xff; 32];

/// Packs up to eight dots into one byte, the first in the highest bit.
fn octet(rgba: &[u8]) -> u8 {
    let mut byte = 0;
    for (at, dot) in rgba.as_chunks::<4>().0.iter().enumerate() {
        // The luma weights of Rec. 601 in 8 bits; 77 + 150 + 29 is 256.
        let luma = u32::from(dot[0]) * 77 + u32::from(dot[1]) * 150 + u32::from(dot[2]) * 29;
        byte |= u8::from(luma < 128 * 256) << (7 - at);
    }
    byte
}
