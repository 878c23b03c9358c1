//! Proof-of-delivery files: their list, and the documents themselves.

mod kind;

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use zip::ZipArchive;

use super::file_name::file_name;
use super::ids::AttachmentId;
use super::lenient;
use super::time::LocalTime;
pub use kind::DocumentKind;

/// The largest number of documents unpacked from one answer.
const MOST_DOCUMENTS: usize = 400;

/// The largest number of bytes unpacked from one answer: a ZIP of one megabyte can expand to a gigabyte.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The signature of an entry in a ZIP's central directory.
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";

/// The largest number of central directory entries, including those of nested archives. An answer with more
/// is refused before the ZIP is opened, whatever count its header claims.
const MOST_ENTRIES: usize = 16_000;

/// How many characters of a document's name are kept: enough to tell which file it is.
const LONGEST_NAME: usize = 255;

/// A file of a consignment, as the service lists it. The service chooses `file_name`, so never use it
/// as a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    pub id: AttachmentId,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub file_name: String,
    /// When the file was added; the time zone is unknown.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub date_added: Option<LocalTime>,
}

/// A fetched document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The name that the service gave, if any. Never use it as a path.
    pub name: Option<String>,
    pub kind: DocumentKind,
    pub bytes: Vec<u8>,
}

/// Returns the index of the document for each listed file, as far as that is certain. A file is matched by
/// its name; the last unmatched file gets the last unmatched document. Position proves nothing, because
/// archives keep no order.
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

/// Why documents cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DocumentError {
    /// The answer was empty.
    #[error("the service sent no documents")]
    Empty,
    /// The ZIP cannot be opened.
    #[error("the service's ZIP file can't be opened")]
    Broken,
    /// The ZIP holds more than we unpack.
    #[error("the service's ZIP file is too large: more than 400 documents or 64 MiB")]
    TooLarge,
    /// The ZIP has a password.
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

    /// Reads the documents of an answer: the answer itself, or everything in a ZIP.
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
