//! Checked dots in the printer's language.

use std::sync::Arc;

use super::super::page::{Bitmap, Page};
use super::super::profile::{Destination, Language, PrinterProfile};
use super::super::{epl, image_pages, tspl, zpl};

/// The bytes for all pages, and where each page ends in them. A PDF goes as it came; it and a picture are in one piece.
pub(super) fn encode(
    pdf: &Arc<[u8]>,
    pages: &[Page],
    profile: &PrinterProfile,
) -> (Arc<[u8]>, Vec<usize>) {
    let each = |label: &dyn Fn(&Bitmap) -> Vec<u8>| {
        let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(pages.len()));
        for page in pages {
            bytes.extend(label(&page.bitmap));
            ends.push(bytes.len());
        }
        (Arc::from(bytes), ends)
    };
    match profile.language {
        Language::Pdf => (Arc::clone(pdf), Vec::new()),
        Language::Zpl => each(&|bitmap| zpl::encode_copies(bitmap, profile.copies)),
        Language::Tspl => each(&|bitmap| tspl::encode(bitmap, profile)),
        Language::Epl => each(&|bitmap| epl::encode(bitmap, profile)),
        Language::PageImage => {
            let bitmaps: Vec<&Bitmap> = pages.iter().map(|page| &page.bitmap).collect();
            // A page that was drawn smaller is still burnt by the printer's own dots.
            let scale = profile.dots_per_mm;
            let bytes = match profile.destination {
                // Every printer without a driver takes raster; few take PNG.
                Destination::Ipp(_) => image_pages::encode_raster(&bitmaps, scale),
                _ => image_pages::encode(&bitmaps, scale),
            };
            (bytes.into(), Vec::new())
        }
    }
}
