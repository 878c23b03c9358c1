//! Detects the kind of a document from its first bytes, because neither its name nor its media type can be
//! trusted.
//!
//! Invariant: an extension that other programs open is kept only for kinds that cannot contain anything
//! executable. Web pages and programs are never written to disk.

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// `%PDF-`
    Pdf,
    Jpeg,
    Png,
    /// Saved, not shown.
    Gif,
    /// The usual format of faxes. Saved, not shown.
    Tiff,
    /// Saved, not shown.
    WebP,
    /// A drawing that may contain a script. Saved as bytes, never opened.
    Svg,
    /// HTML, for example an error page sent instead of the file. Neither shown nor saved.
    WebPage,
    /// An executable. Neither shown nor saved.
    Program,
    /// A word processor document or spreadsheet, which may contain macros. Saved as bytes, never opened.
    Office,
    /// An archive inside the answer. Saved as bytes, never opened.
    Archive,
    /// Any other kind. Saved as bytes, never opened.
    Other,
}

/// How many bytes from the start are searched for a marker that need not come first.
const OPENING: usize = 1_024;

impl DocumentKind {
    /// Detects the kind of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match bytes {
            [b'%', b'P', b'D', b'F', b'-', ..] => Self::Pdf,
            [0xFF, 0xD8, 0xFF, ..] => Self::Jpeg,
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Self::Png,
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Self::Gif,
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Self::Tiff,
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Self::WebP,
            [b'M', b'Z', ..]
            | [0x7F, b'E', b'L', b'F', ..]
            | [0xCF | 0xCE, 0xFA, 0xED, 0xFE, ..]
            | [0xFE, 0xED, 0xFA, 0xCE | 0xCF, ..]
            | [0xCA, 0xFE, 0xBA, 0xBE, ..]
            | [b'#', b'!', ..]
            // A Windows shortcut.
            | [0x4C, 0, 0, 0, 1, 0x14, 2, 0, ..] => Self::Program,
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, ..] | [b'{', b'\\', b'r', b't', b'f', ..] => {
                Self::Office
            }
            [b'P', b'K', 3 | 5, 4 | 6, ..] if has(bytes, b"[content_types].xml") => Self::Office,
            [b'P', b'K', 3 | 5, 4 | 6, ..]
            | [0x1F, 0x8B, ..]
            | [b'7', b'z', 0xBC, 0xAF, ..]
            | [b'R', b'a', b'r', b'!', ..] => Self::Archive,
            _ => Self::from_text(bytes),
        }
    }

    /// Detects the kinds that have no fixed first bytes.
    fn from_text(bytes: &[u8]) -> Self {
        let is_marked = |marks: &[&[u8]]| marks.iter().any(|mark| has(bytes, mark));
        if is_marked(&[b"<svg"]) {
            Self::Svg
        } else if is_marked(&[b"<html", b"<!doctype", b"<script", b"<body", b"<head"]) {
            Self::WebPage
        } else {
            Self::Other
        }
    }

    /// Returns the kind's name for the screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Jpeg => "JPEG image",
            Self::Png => "PNG image",
            Self::Gif => "GIF image",
            Self::Tiff => "TIFF image",
            Self::WebP => "WebP image",
            Self::Svg => "SVG drawing",
            Self::WebPage => "web page",
            Self::Program => "program",
            Self::Office => "Office file",
            Self::Archive => "archive",
            Self::Other => "unknown file type",
        }
    }

    /// Returns the name with its article: `a PDF`, `an Office file`.
    pub fn with_article(self) -> String {
        let article = match self {
            Self::Office | Self::Archive | Self::Svg | Self::Other => "an",
            _ => "a",
        };
        format!("{article} {}", self.label())
    }

    /// Returns whether the bench can show this kind.
    pub const fn can_preview(self) -> bool {
        matches!(self, Self::Pdf | Self::Jpeg | Self::Png)
    }

    /// Returns the extension to save with, one that no program runs. Returns `None` for kinds that are
    /// not saved.
    pub const fn ending(self) -> Option<&'static str> {
        Some(match self {
            Self::Pdf => "pdf",
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Tiff => "tif",
            Self::WebP => "webp",
            Self::Svg | Self::Office | Self::Archive | Self::Other => "bin",
            Self::WebPage | Self::Program => return None,
        })
    }
}

/// Returns whether the first bytes contain `mark`, ignoring ASCII case.
fn has(bytes: &[u8], mark: &[u8]) -> bool {
    let opening = &bytes[..bytes.len().min(OPENING)];
    { opening.windows(mark.len()) }.any(|window| window.eq_ignore_ascii_case(mark))
}

#[cfg(test)]
mod tests {
    use super::DocumentKind as Kind;

    #[test]
    fn the_bytes_tell_and_nothing_else() {
        let cases: [(&[u8], Kind); 16] = [
            (b"%PDF-1.7\n", Kind::Pdf),
            (b"\xFF\xD8\xFF\xE0", Kind::Jpeg),
            (b"GIF89a", Kind::Gif),
            (b"II\x2A\x00", Kind::Tiff),
            (b"RIFF\0\0\0\0WEBPVP8 ", Kind::WebP),
            (b"<?xml version='1.0'?><SVG onload='x()'>", Kind::Svg),
            (b"  <!DOCTYPE html><p>Sign in", Kind::WebPage),
            (b"\xEF\xBB\xBF<HTML>", Kind::WebPage),
            (b"MZ\x90\0", Kind::Program),
            (b"\x7FELF\x02", Kind::Program),
            (b"#!/bin/sh\nrm -rf ~", Kind::Program),
            (b"PK\x03\x04......[Content_Types].xml", Kind::Office),
            (b"PK\x03\x04......inner.pdf", Kind::Archive),
            (b"\x1F\x8B\x08", Kind::Archive),
            (b"", Kind::Other),
            (b"Signed by J. Okafor", Kind::Other),
        ];
        for (bytes, kind) in cases {
            assert_eq!(Kind::from_bytes(bytes), kind, "{bytes:?}");
        }
    }

    #[test]
    fn what_can_run_keeps_no_ending_that_runs() {
        for kind in [Kind::Svg, Kind::Office, Kind::Archive, Kind::Other] {
            assert_eq!(kind.ending(), Some("bin"));
        }
        assert_eq!(
            (Kind::WebPage.ending(), Kind::Program.ending()),
            (None, None)
        );
    }
}
