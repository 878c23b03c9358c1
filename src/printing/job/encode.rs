//! Encodes verified bitmaps in the printer's language.

use std::sync::Arc;

use super::super::page::{Bitmap, Page};
use super::super::profile::{Destination, Language, PrinterProfile};
use super::super::{epl, image_pages, tspl, zpl};

/// Returns the bytes of all pages and the end of each page in them. A PDF is passed on unchanged. The pages
/// of a PDF or of a page image cannot be separated.
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
            // The printer's resolution, even for a page that was rendered at a smaller scale.
            let scale = profile.dots_per_mm;
            let bytes = match profile.destination {
                // Every driverless printer accepts PWG raster; few accept PNG.
                Destination::Ipp(_) => image_pages::encode_raster(&bitmaps, scale),
                _ => image_pages::encode(&bitmaps, scale),
            };
            (bytes.into(), Vec::new())
        }
    }
}
