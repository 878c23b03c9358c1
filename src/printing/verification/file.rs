//! Checks that a PDF is complete, as far as this can be seen without rendering it.
//!
//! Reads only the last bytes of the file and a few bytes at the offset they point to, so a hostile file costs
//! no more time than a good one.

use super::super::page::Page;
use super::VerificationError;

/// How many bytes at the end of the file may hold `startxref`. `%%EOF` was already checked before rendering.
const TAIL: usize = 2_048;

/// How many bytes at the start of the file may hold `%PDF-`; some programs count offsets from there.
const OPENING: usize = 1_024;

/// Checks that the file contains as many pages as its page tree announces. The PDF reader silently leaves out
/// pages that it cannot find.
pub(super) fn all_pages_there(pages: &[Page]) -> Result<(), VerificationError> {
    match pages.first() {
        Some(page) if page.announced_page_count > page.page_count => {
            Err(VerificationError::PagesMissing {
                found: page.page_count,
                says: page.announced_page_count,
            })
        }
        _ => Ok(()),
    }
}

/// Checks that `startxref` points to a cross-reference table (`xref`) or to an object that holds one
/// (`7 0 obj`).
pub(super) fn contents_found(pdf: &[u8]) -> Result<(), VerificationError> {
    let opening = find(&pdf[..pdf.len().min(OPENING)], b"%PDF-").unwrap_or(0);
    let at = last_startxref(pdf).ok_or(VerificationError::Damaged)?;
    // The offset counts from the first byte, or from `%PDF-` if other bytes precede it.
    let found = [Some(at), at.checked_add(opening)]
        .into_iter()
        .flatten()
        .any(|at| pdf.get(at..).is_some_and(opens_contents));
    if found {
        Ok(())
    } else {
        Err(VerificationError::Damaged)
    }
}

/// Returns the number after the last `startxref`.
fn last_startxref(pdf: &[u8]) -> Option<usize> {
    const WORD: &[u8] = b"startxref";
    let end = pdf
        .iter()
        .rposition(|byte| !byte.is_ascii_whitespace() && *byte != 0)?
        + 1;
    let tail = &pdf[end.saturating_sub(TAIL)..end];
    let at = tail.windows(WORD.len()).rposition(|word| word == WORD)?;
    let number = tail[at + WORD.len()..].trim_ascii_start();
    let (number, _) = whole_number(number)?;
    Some(number)
}

/// Returns whether a cross-reference table or an object starts here.
fn opens_contents(bytes: &[u8]) -> bool {
    let bytes = bytes[..bytes.len().min(64)].trim_ascii_start();
    if bytes.starts_with(b"xref") {
        return true;
    }
    let object = whole_number(bytes)
        .and_then(|(_, rest)| whole_number(rest.trim_ascii_start()))
        .map(|(_, rest)| rest.trim_ascii_start());
    object.is_some_and(|rest| rest.starts_with(b"obj"))
}

fn whole_number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (number, rest) = bytes.split_at(digits);
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some((number, rest))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
