//! A print job in two steps: [`prepare`] makes the bytes and the previews, [`send`] hands bytes over.
//!
//! Between the two the caller stores the payload, so that nothing is ever sent that could not be sent again, and a reprint
//! is the same bytes. `send` therefore takes a [`Payload`], which the store can give back, and nothing else of `prepare`.

mod encode;
mod fitting;
mod options;
mod prepare;
mod send;
mod socket;
mod spool;

pub use prepare::{PrepareError, Prepared, Shown, Shrunk, prepare, prepare_nevertheless};
pub use send::{Handed, SendError, send};

use std::num::NonZeroU8;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::page::Pages;
use super::profile::Language;

/// What goes to the printer, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// What the bytes are.
    pub language: Language,
    /// The document itself, or one label after the other in the printer's language.
    pub bytes: Arc<[u8]>,
    /// How many of each page. What is raw has it in its bytes already.
    pub copies: NonZeroU8,
    /// Which pages of a PDF; of dots there are no others.
    pub pages: Pages,
    /// Where each page ends in the bytes, where a page can be had alone.
    pub page_ends: Vec<usize>,
}

impl Payload {
    /// The bytes of each page; all of them where a page can't be had alone.
    pub fn each_page(&self) -> impl Iterator<Item = &[u8]> {
        let ends = match self.page_ends.as_slice() {
            [] => vec![self.bytes.len()],
            ends => ends.to_vec(),
        };
        let begins = std::iter::once(0).chain(ends.clone());
        let pages = begins.zip(ends);
        pages.filter_map(|(begin, end)| self.bytes.get(begin..end))
    }

    /// SHA-256 of the bytes, in 64 lower-case hexadecimal digits.
    pub fn sha256(&self) -> String {
        sha256(&self.bytes)
    }
}

/// SHA-256 in 64 lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _written = write!(hex, "{byte:02x}");
    }
    hex
}
