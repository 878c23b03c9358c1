//! Checked dots in the printer's language.

use std::sync::Arc;

use super::super::page::{Bitmap, Page};
use super::super::profile::{Destination, Language, PrinterProfile};
use super::super::{epl, image_pages, tspl, zpl};

/// The bytes for all pages. A PDF goes as it came.
pub(super) fn encode(pdf: &Arc<[u8]>, pages: &[Page], profile: &PrinterProfile) -> Arc<[u8]> {
    let each = |label: &dyn Fn(&Bitmap) -> Vec<u8>| -> Arc<[u8]> {
        pages.iter().flat_map(|page| label(&page.bitmap)).collect()
    };
    match profile.language {
        Language::Pdf => Arc::clone(pdf),
        Language::Zpl => each(&|bitmap| zpl::encode_copies(bitmap, profile.copies)),
        Language::Tspl => each(&|bitmap| tspl::encode(bitmap, profile)),
        Language::Epl => each(&|bitmap| epl::encode(bitmap, profile)),
        Language::PageImage => {
            let bitmaps: Vec<&Bitmap> = pages.iter().map(|page| &page.bitmap).collect();
            // A page that was drawn smaller is still burnt by the printer's own dots.
            let scale = profile.dots_per_mm;
            match profile.destination {
                // Every printer without a driver takes raster; few take PNG.
                Destination::Ipp(_) => image_pages::encode_raster(&bitmaps, scale),
                _ => image_pages::encode(&bitmaps, scale),
            }
            .into()
        }
    }
}
