//! Proofs of delivery: their list, and the documents themselves ("Operation rules", 6).

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

/// Documents unpacked of one answer.
const MOST_DOCUMENTS: usize = 400;

/// Bytes unpacked of one answer: a ZIP of a megabyte can hold a gigabyte of nothing.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// How an entry of a ZIP's directory begins.
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";

/// Entries of directories, those of archives inside included: more are not even read, whatever the ZIP says that it holds.
const MOST_ENTRIES: usize = 16_000;

/// Characters of a name that are kept: enough to tell which file it is.
const LONGEST_NAME: usize = 255;

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

/// Which document each listed file is, as far as that is certain: by its name, else by being all that is left:
/// archives keep no order.
pub fn told_apart(listed: &[Attachment], documents: &[Document]) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..documents.len()).collect();
    let mut found: Vec<Option<usize>> = vec![None; listed.len()];
    for (file, place) in listed.iter().zip(&mut found) {
        let mut called = { left.iter() }.filter(|at| documents[**at].is_called(&file.file_name));
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
    /// Nothing for what is not saved: a web page, a program.
    pub fn saved_as(&self, consignment_number: &str, nth: usize) -> Option<String> {
        let parts = ["POD", consignment_number, &nth.to_string()];
        Some(file_name(&parts, self.kind.ending()?))
    }

    /// Whether its name in the archive is that of this file, folders left aside.
    pub fn is_called(&self, file_name: &str) -> bool {
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

    /// Whether its name holds this number as a whole: `MS123` is not in `MS1234`.
    pub fn names(&self, number: &str) -> bool {
        let Some(name) = &self.name else { return false };
        let (name, number) = (name.to_lowercase(), number.to_lowercase());
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !number.is_empty()
            && name.match_indices(&number).any(|(at, found)| {
                !is_part(name[..at].chars().next_back())
                    && !is_part(name[at + found.len()..].chars().next())
            })
    }

    /// The documents of an answer: one as it is, or all that a ZIP holds.
    pub fn of_answer(bytes: Vec<u8>) -> Result<Vec<Self>, DocumentError> {
        Self::of_answers([bytes])
    }

    /// The documents of an answer of several files; what one of them takes, the others have no more.
    pub fn of_answers(
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
                return Err(DocumentError::TooMuch);
            }
        }
        Ok(documents)
    }

    fn new(name: Option<String>, bytes: Vec<u8>) -> Self {
        Self {
            name,
            kind: DocumentKind::of(&bytes),
            bytes,
        }
    }
}

/// Adds what the archive holds, as far as `left` bytes take it. An archive inside it stays what it is.
fn unpack(
    archive: &[u8],
    documents: &mut Vec<Document>,
    left: &mut u64,
) -> Result<(), DocumentError> {
    use std::io::Read as _;

    let broken = |_unreadable| DocumentError::Broken;
    // Counted before anything is believed of it: a directory is read whole.
    let entries = memchr::memmem::find_iter(archive, DIRECTORY_ENTRY);
    if entries.take(MOST_ENTRIES + 1).count() > MOST_ENTRIES {
        return Err(DocumentError::TooMuch);
    }
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(broken)?;
    if archive.len() > MOST_DOCUMENTS {
        return Err(DocumentError::TooMuch);
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
        // One byte more than is left tells too much from just enough.
        let read = entry.by_ref().take(*left + 1).read_to_end(&mut bytes);
        read.map_err(|_unreadable| DocumentError::Broken)?;
        *left = left
            .checked_sub(bytes.len() as u64)
            .ok_or(DocumentError::TooMuch)?;
        documents.push(Document::new(name, bytes));
    }
    if documents.len() == before {
        return Err(DocumentError::Empty);
    }
    Ok(())
}
