//! Proofs of delivery: their list, and the documents themselves ("Operation rules", 6).

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use zip::ZipArchive;

use super::file_name::file_name;
use super::ids::AttachmentId;
use super::lenient;
use super::time::LocalTime;

/// Documents unpacked of one answer.
const MOST_DOCUMENTS: usize = 400;

/// Bytes unpacked of one answer: a ZIP of a megabyte can hold a gigabyte of nothing.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A file of a consignment, as listed. `fileName` is the service's word: never used as a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Its id.
    pub id: AttachmentId,
    /// The service's name for it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub file_name: String,
    /// When it came; no zone is known.
    #[serde(default, deserialize_with = "lenient::or_nothing")]
    pub date_added: Option<LocalTime>,
}

/// What a document is, by its own first bytes: neither its name nor its media type is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// `%PDF-`
    Pdf,
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// Anything else; kept, not shown.
    Other,
}

impl DocumentKind {
    /// What the first bytes say.
    pub fn of(bytes: &[u8]) -> Self {
        match bytes {
            [b'%', b'P', b'D', b'F', b'-', ..] => Self::Pdf,
            [0xFF, 0xD8, 0xFF, ..] => Self::Jpeg,
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Self::Png,
            _ => Self::Other,
        }
    }
}

/// A document that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The service's name for it, where it gave one. Never a path.
    pub name: Option<String>,
    /// What it is.
    pub kind: DocumentKind,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// Why documents cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DocumentError {
    /// Nothing came.
    #[error("the service sent no document")]
    Empty,
    /// A ZIP that cannot be opened.
    #[error("the service's archive of documents is broken")]
    Broken,
    /// A ZIP of more than we unpack.
    #[error("the service's archive holds more than 400 documents or 64 MiB")]
    TooMuch,
    /// A ZIP with a password.
    #[error("the service's archive of documents is locked")]
    Locked,
}

impl Document {
    /// What it is saved as, the `nth` proof of this consignment: `POD-MS123-2.pdf`, by what it is and not by what it is called.
    pub fn saved_as(&self, consignment_number: &str, nth: usize) -> String {
        let extension = match self.kind {
            DocumentKind::Pdf => "pdf",
            DocumentKind::Jpeg => "jpg",
            DocumentKind::Png => "png",
            DocumentKind::Other => "bin",
        };
        file_name(&["POD", consignment_number, &nth.to_string()], extension)
    }

    /// The documents of an answer: one as it is, or all that a ZIP holds.
    pub fn of_answer(bytes: Vec<u8>) -> Result<Vec<Self>, DocumentError> {
        match bytes.as_slice() {
            [] => Err(DocumentError::Empty),
            [b'P', b'K', 3 | 5, 4 | 6, ..] => unpack(&bytes),
            _ => Ok(vec![Self::new(None, bytes)]),
        }
    }

    fn new(name: Option<String>, bytes: Vec<u8>) -> Self {
        Self {
            name,
            kind: DocumentKind::of(&bytes),
            bytes,
        }
    }
}

fn unpack(archive: &[u8]) -> Result<Vec<Document>, DocumentError> {
    use std::io::Read as _;

    let broken = |_unreadable| DocumentError::Broken;
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(broken)?;
    if archive.len() > MOST_DOCUMENTS {
        return Err(DocumentError::TooMuch);
    }
    let mut documents = Vec::new();
    let mut left = MOST_BYTES;
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
        let name = entry.name().map(std::borrow::Cow::into_owned).ok();
        let mut bytes = Vec::new();
        // One byte more than is left tells too much from just enough.
        let read = entry.by_ref().take(left + 1).read_to_end(&mut bytes);
        read.map_err(|_unreadable| DocumentError::Broken)?;
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or(DocumentError::TooMuch)?;
        documents.push(Document::new(name, bytes));
    }
    if documents.is_empty() {
        return Err(DocumentError::Empty);
    }
    Ok(documents)
}
