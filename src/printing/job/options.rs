//! The options that go with a job to a queue or a driverless printer: document format, copies,
//! pages and paper.

use super::super::image_pages;
use super::super::page::PageSelection;
use super::super::profile::{Language, Media};
use super::Payload;

/// The most that an image may differ from a paper size to be printed on it, in millimetres.
const NEAR_MM: f64 = 2.0;

/// Returns the options for a queue. A printer's own language is marked as raw, since a driver would print its
/// source as text.
pub(super) fn options(payload: &Payload) -> Vec<(String, String)> {
    let pair = |key: &str, value: String| (key.to_owned(), value);
    let mut options = vec![pair("document-format", format_of(payload).to_owned())];
    if payload.language.is_raw() {
        return options;
    }
    if payload.copies.get() > 1 {
        options.push(pair("copies", payload.copies.to_string()));
    }
    match payload.language {
        Language::Pdf => {
            if let PageSelection::From { first, count } = payload.pages {
                let last = first + count.max(1);
                options.push(pair("page-ranges", format!("{}-{last}", first + 1)));
            }
        }
        Language::PageImage => {
            if let Some(size) = image_pages::size(&payload.bytes) {
                // At the image's own resolution nothing is scaled, so bars keep their width.
                options.push(pair("ppi", size.dots_per_inch.to_string()));
                options.extend(media_keyword(payload).map(|paper| pair("media", paper.to_owned())));
            }
        }
        Language::Zpl | Language::Tspl | Language::Epl => {}
    }
    options
}

/// The MIME type of the payload.
pub(super) fn format_of(payload: &Payload) -> &'static str {
    match payload.language {
        Language::Pdf => "application/pdf",
        Language::PageImage => image_pages::mime_type(&payload.bytes).unwrap_or(image_pages::PNG),
        Language::Zpl | Language::Tspl | Language::Epl => "application/vnd.cups-raw",
    }
}

/// The name that print services use for the paper of a page image.
pub(super) fn media_keyword(payload: &Payload) -> Option<&'static str> {
    let is_picture = payload.language == Language::PageImage;
    let size = image_pages::size(&payload.bytes).filter(|_| is_picture)?;
    paper(size.mm())
}

fn paper((width, height): (f64, f64)) -> Option<&'static str> {
    let near = |media: &Media| {
        let size = media.size_mm();
        (size.0 - width).abs() <= NEAR_MM && (size.1 - height).abs() <= NEAR_MM
    };
    Media::ALL.into_iter().find(near).map(Media::keyword)
}
