//! A print job in two steps: [`prepare()`] makes the bytes and the previews, [`send()`] sends the bytes.
//!
//! The caller stores the payload between the two steps. So everything that is sent can be sent again, and a reprint
//! sends the same bytes. For this reason `send` needs only a [`Payload`], which the caller can load from its store.

mod prepare;
mod send;
mod socket;
#[cfg(target_os = "linux")]
mod unacknowledged;

pub use prepare::{
    PagePreview, PrepareError, Prepared, ShrinkWarning, prepare, prepare_despite_problem,
};
pub use send::{SendError, SendReceipt, send};

use std::num::NonZeroU8;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::languages::Encoder;
use super::page::PageSelection;
use super::profile::Language;

/// The complete data for the printer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    pub language: Language,
    /// The document itself, or one label after another in the printer's language.
    pub bytes: Arc<[u8]>,
    /// The number of copies of each page.
    pub copies: NonZeroU8,
    /// The pages of a PDF to print. Other languages contain only the pages to print.
    pub pages: PageSelection,
    /// The end of each page in `bytes`; empty if the pages cannot be separated.
    pub page_ends: Vec<usize>,
}

impl Payload {
    /// Returns the bytes of each page, or all bytes at once if the pages cannot be separated.
    fn each_page(&self) -> impl Iterator<Item = &[u8]> {
        let ends = match self.page_ends.as_slice() {
            [] => vec![self.bytes.len()],
            ends => ends.to_vec(),
        };
        let begins = std::iter::once(0).chain(ends.clone());
        let pages = begins.zip(ends);
        pages.filter_map(|(begin, end)| self.bytes.get(begin..end))
    }

    /// Returns how many copies the receiver of the bytes has to make. Bytes in a printer's own language already
    /// contain the number of copies.
    fn copies_to_make(&self) -> u8 {
        if self.language.is_raw() {
            1
        } else {
            self.copies.get()
        }
    }

    /// Returns whether only some pages of the document in `bytes` are to be printed.
    fn is_part_of_document(&self) -> bool {
        matches!(self.language.encoder(), Encoder::Document) && self.pages != PageSelection::All
    }

    pub fn sha256(&self) -> String {
        sha256(&self.bytes)
    }
}

/// Returns the SHA-256 digest as 64 lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits: Vec<_> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}
