//! Proof-of-delivery files: their list, and the documents themselves.

use std::io::Cursor;

use thiserror::Error;
use zip::ZipArchive;

use super::lenient::lenient_records;
use super::sanitize::file_name;
use super::time::LocalTime;
use super::values::AttachmentId;

/// The largest number of documents unpacked from one answer.
const MOST_DOCUMENTS: usize = 400;

/// The largest number of bytes unpacked from one answer: a ZIP of one megabyte can expand to a gigabyte.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The signature of an entry in a ZIP's central directory.
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";

/// The largest number of central directory entries, including entries of nested archives. An answer with more
/// is refused before the ZIP is opened, whatever count its header claims.
const MOST_ENTRIES: usize = 16_000;

/// How many characters of a document's name are kept: enough to recognise the file.
const LONGEST_NAME: usize = 255;

lenient_records! {
    /// A file of a consignment, as the service lists it. The service chooses `file_name`, so never use it
    /// as a path.
    pub struct Attachment {
        pub id: AttachmentId,
        pub file_name: String,
        /// When the file was added; the time zone is unknown.
        pub date_added: Option<LocalTime>,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The name that the service gave, if any. Never use it as a path.
    pub name: Option<String>,
    pub kind: DocumentKind,
    pub bytes: Vec<u8>,
}

/// Returns the index of the document for each listed file, as far as that is certain. A file is matched by its name;
/// if one file and one document remain, they are matched. Positions are ignored, because archives keep no order.
pub fn match_documents(listed: &[Attachment], documents: &[Document]) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..documents.len()).collect();
    let mut found: Vec<Option<usize>> = vec![None; listed.len()];
    for (file, place) in listed.iter().zip(&mut found) {
        let mut called =
            { left.iter() }.filter(|at| documents[**at].has_file_name(&file.file_name));
        if let (Some(at), None) = (called.next().copied(), called.next()) {
            *place = Some(at);
            left.retain(|other| *other != at);
        }
    }
    let mut open = found.iter_mut().filter(|place| place.is_none());
    if let (Some(place), None, [at]) = (open.next(), open.next(), left.as_slice()) {
        *place = Some(*at);
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DocumentError {
    #[error("the service sent no documents")]
    Empty,
    #[error("the service's ZIP file can't be opened")]
    Broken,
    #[error("the service's ZIP file is too large: more than 400 documents or 64 MiB")]
    TooLarge,
    #[error("the service's ZIP file needs a password")]
    Locked,
}

impl Document {
    /// Returns the file name for saving the `nth` proof of this consignment, like `POD-MS123-2.pdf`. The
    /// extension follows the detected kind, not the service's name. Returns `None` for kinds that are never
    /// saved: web pages and programs.
    pub fn save_name(&self, consignment_number: &str, nth: usize) -> Option<String> {
        let parts = ["POD", consignment_number, &nth.to_string()];
        Some(file_name(&parts, self.kind.ending()?))
    }

    /// Returns whether the document's name in the archive equals this file name, ignoring folders.
    pub fn has_file_name(&self, file_name: &str) -> bool {
        let last = |path: &str| {
            path.rsplit(['/', '\\'])
                .next()
                .unwrap_or_default()
                .to_lowercase()
        };
        let wanted = last(file_name);
        !wanted.is_empty()
            && self
                .name
                .as_deref()
                .is_some_and(|name| last(name) == wanted)
    }

    /// Returns whether the document's name contains this number as a whole: `MS1234` does not
    /// contain `MS123`.
    pub fn name_contains(&self, number: &str) -> bool {
        let Some(name) = &self.name else { return false };
        let (name, number) = (name.to_lowercase(), number.to_lowercase());
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !number.is_empty()
            && name.match_indices(&number).any(|(at, found)| {
                !is_part(name[..at].chars().next_back())
                    && !is_part(name[at + found.len()..].chars().next())
            })
    }

    /// Reads the documents of an answer: the answer itself, or all files in a ZIP.
    pub fn from_response(bytes: Vec<u8>) -> Result<Vec<Self>, DocumentError> {
        Self::from_responses([bytes])
    }

    /// Reads the documents of an answer of several files, which share one byte limit.
    pub fn from_responses(
        files: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Vec<Self>, DocumentError> {
        let (mut documents, mut left) = (Vec::new(), MOST_BYTES);
        for bytes in files {
            match bytes.as_slice() {
                [] => return Err(DocumentError::Empty),
                [b'P', b'K', 3 | 5, 4 | 6, ..] => unpack(&bytes, &mut documents, &mut left)?,
                _ => documents.push(Self::new(None, bytes)),
            }
            if documents.len() > MOST_DOCUMENTS {
                return Err(DocumentError::TooLarge);
            }
        }
        Ok(documents)
    }

    fn new(name: Option<String>, bytes: Vec<u8>) -> Self {
        Self {
            name,
            kind: DocumentKind::from_bytes(&bytes),
            bytes,
        }
    }
}

/// Unpacks the archive into `documents`, at most `left` bytes. Nested archives stay packed.
fn unpack(
    archive: &[u8],
    documents: &mut Vec<Document>,
    left: &mut u64,
) -> Result<(), DocumentError> {
    use std::io::Read as _;

    let broken = |_unreadable| DocumentError::Broken;
    // Count the entries before opening the archive, because `ZipArchive` reads the whole directory.
    let entries = memchr::memmem::find_iter(archive, DIRECTORY_ENTRY);
    if entries.take(MOST_ENTRIES + 1).count() > MOST_ENTRIES {
        return Err(DocumentError::TooLarge);
    }
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(broken)?;
    if archive.len() > MOST_DOCUMENTS {
        return Err(DocumentError::TooLarge);
    }
    let before = documents.len();
    for index in 0..archive.len() {
        let mut entry = match archive.by_index(index) {
            Err(zip::result::ZipError::UnsupportedArchive(
                zip::result::ZipError::PASSWORD_REQUIRED,
            )) => return Err(DocumentError::Locked),
            other => other.map_err(broken)?,
        };
        if entry.is_dir() {
            continue;
        }
        let name = entry.name().ok();
        let name = name.map(|name| name.chars().take(LONGEST_NAME).collect());
        let mut bytes = Vec::new();
        // Reading one byte beyond the limit shows whether the entry is too large or just fits.
        let read = entry.by_ref().take(*left + 1).read_to_end(&mut bytes);
        read.map_err(|_unreadable| DocumentError::Broken)?;
        *left = left
            .checked_sub(bytes.len() as u64)
            .ok_or(DocumentError::TooLarge)?;
        documents.push(Document::new(name, bytes));
    }
    if documents.len() == before {
        return Err(DocumentError::Empty);
    }
    Ok(())
}

/// The kind of a document, detected from its first bytes, because its name and its media type can be wrong.
///
/// Invariant: an extension that other programs open is kept only for kinds that cannot contain anything
/// executable. Web pages and programs are never written to disk.
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

/// How many bytes from the start are searched for a marker that may have other bytes before it.
const OPENING: usize = 1_024;

impl DocumentKind {
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

    /// Returns the article, the name for the screen, and the extension to save with. No program runs files
    /// with that extension; it is `None` for kinds that are not saved.
    const fn description(self) -> (&'static str, &'static str, Option<&'static str>) {
        match self {
            Self::Pdf => ("a", "PDF", Some("pdf")),
            Self::Jpeg => ("a", "JPEG image", Some("jpg")),
            Self::Png => ("a", "PNG image", Some("png")),
            Self::Gif => ("a", "GIF image", Some("gif")),
            Self::Tiff => ("a", "TIFF image", Some("tif")),
            Self::WebP => ("a", "WebP image", Some("webp")),
            Self::Svg => ("an", "SVG drawing", Some("bin")),
            Self::WebPage => ("a", "web page", None),
            Self::Program => ("a", "program", None),
            Self::Office => ("an", "Office file", Some("bin")),
            Self::Archive => ("an", "archive", Some("bin")),
            Self::Other => ("an", "unknown file type", Some("bin")),
        }
    }

    pub const fn label(self) -> &'static str {
        self.description().1
    }

    /// Returns the name with its article: `a PDF`, `an Office file`.
    pub fn with_article(self) -> String {
        let (article, label, _) = self.description();
        format!("{article} {label}")
    }

    pub const fn ending(self) -> Option<&'static str> {
        self.description().2
    }
}

/// Returns whether the first bytes contain `mark`, ignoring ASCII case.
fn has(bytes: &[u8], mark: &[u8]) -> bool {
    let opening = &bytes[..bytes.len().min(OPENING)];
    { opening.windows(mark.len()) }.any(|window| window.eq_ignore_ascii_case(mark))
}
