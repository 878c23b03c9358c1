//! The folded texts of all rows in one buffer, which the filter searches.
//!
//! Invariant: the text of a row is its fields in the order of the columns. Each field begins with its marker
//! byte, so that no match reaches into the next field or row. Rows that the previous list had
//! too keep their text; the texts of other rows are built in batches and appended.

use std::sync::{Arc, LazyLock};

use memchr::memchr;

use crate::state::{ListField, UnmanifestedList, UnmanifestedRow, ViewedList};
use storage::{FilterWord, LIST_FIELDS};

/// Stands for the missing text of a row, or the missing row of a text.
const NONE: u32 = u32::MAX;
/// All texts are built again once the number of texts without a row exceeds this, plus a quarter of the
/// remaining texts.
const LITTER: usize = 1_000;

/// The folded texts of the rows of a list.
#[derive(Debug, Default)]
pub(super) struct RowTexts {
    list: UnmanifestedList,
    text: String,
    /// Offset of each text in the buffer; a text ends where the next text begins.
    starts: Vec<u32>,
    /// The row of each text, or `NONE`.
    rows: Vec<u32>,
    /// The text of each row, or `NONE`.
    texts: Vec<u32>,
    /// Rows without a text, in reverse order: the next row to read is the last element.
    unread: Vec<u32>,
}

/// The marker byte of each field: a control character, counted from 1 in the order of the fields, or 0 for a field that
/// Dispatch doesn't have.
static MARKS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut marks = vec![0; LIST_FIELDS.len()];
    for (mark, field) in (1..b' ').zip(ViewedList::Dispatch.fields()) {
        marks[field as usize] = mark;
    }
    marks
});

/// Returns the marker byte that a field begins with. Every byte of the fields' texts is greater.
fn mark(field: ListField) -> u8 {
    MARKS[field as usize]
}

impl RowTexts {
    /// Switches to another list; rows that both lists share keep their texts.
    pub(super) fn adopt(&mut self, list: &UnmanifestedList) {
        let old = std::mem::replace(&mut self.list, list.clone());
        let (was, now) = (old.rows(), list.rows());
        let known = std::mem::take(&mut self.texts);
        let mut at = 0;
        // Both lists are sorted newest first, so one pass is enough.
        let text_of = |one: &Arc<UnmanifestedRow>| {
            while was
                .get(at)
                .is_some_and(|other| !Arc::ptr_eq(other, one) && other.id > one.id)
            {
                at += 1;
            }
            let same = |other: &Arc<UnmanifestedRow>| Arc::ptr_eq(other, one) || other == one;
            if !was.get(at).is_some_and(same) {
                return NONE;
            }
            at += 1;
            known[at - 1]
        };
        self.texts = now.iter().map(text_of).collect();
        self.link_rows();
    }

    /// Works out which row each text belongs to and which rows have no text. Drops all texts if too many of
    /// them belong to no row.
    fn link_rows(&mut self) {
        let read = self.texts.iter().filter(|text| **text != NONE).count();
        if self.starts.len() > read + read / 4 + LITTER {
            self.text = String::new();
            self.starts = Vec::new();
            self.texts.fill(NONE);
        }
        self.rows.clear();
        self.rows.resize(self.starts.len(), NONE);
        self.unread.clear();
        for (row, text) in (0u32..).zip(&self.texts) {
            match self.rows.get_mut(*text as usize) {
                Some(place) => *place = row,
                None => self.unread.push(row),
            }
        }
        self.unread.reverse();
    }

    /// Returns whether every row has a text.
    pub(super) fn is_read(&self) -> bool {
        self.unread.is_empty()
    }

    /// Builds the texts of up to `most` rows.
    pub(super) fn read(&mut self, most: usize) {
        if self.is_read() {
            return;
        }
        for _ in 0..most {
            let Some(row) = self.unread.pop() else { break };
            let one = &self.list.rows()[row as usize];
            // Offsets have 32 bits: rows beyond 4 GB of text (over 20 million rows) are just not found.
            let place = u32::try_from(self.text.len()).unwrap_or(NONE);
            self.texts[row as usize] = u32::try_from(self.starts.len()).unwrap_or(NONE);
            self.starts.push(place);
            self.rows.push(row);
            for field in ViewedList::Dispatch.fields() {
                let begin = self.text.len();
                self.text.push(char::from(mark(field)));
                field.write_filter_text(&one.field(field), &mut self.text);
                if self.text.len() == begin + 1 {
                    self.text.pop();
                }
            }
        }
        if self.is_read() {
            self.text.shrink_to_fit();
            self.starts.shrink_to_fit();
        }
    }

    /// Returns the folded text of a row's field; empty if there is none.
    pub(super) fn field(&self, row: u32, field: ListField) -> &str {
        let bytes = self.bytes(self.texts[row as usize] as usize);
        let Some(mark) = memchr(mark(field), bytes) else {
            return "";
        };
        let rest = &bytes[mark + 1..];
        let end = { rest.iter() }.position(|byte| *byte < b' ');
        std::str::from_utf8(&rest[..end.unwrap_or(rest.len())]).unwrap_or_default()
    }

    /// Returns whether the text of a row matches a word.
    pub(super) fn holds(&self, row: usize, word: &FilterWord) -> bool {
        holds(self.bytes(self.texts[row] as usize), word)
    }

    /// Calls `hit` for every row whose text matches a word, in no particular order.
    pub(super) fn find(&self, word: &FilterWord, mut hit: impl FnMut(u32)) {
        if word.field.is_some_and(ListField::is_mark) {
            for (text, row) in self
                .rows
                .iter()
                .enumerate()
                .filter(|(_, row)| **row != NONE)
            {
                if holds(self.bytes(text), word) {
                    hit(*row);
                }
            }
            return;
        }
        self.scan(word, |bytes| word.find(bytes), &mut hit);
        if word.figures.is_some() {
            self.scan(word, |bytes| word.find_figures(bytes), &mut hit);
        }
    }

    /// Calls `hit` for every row with a place that `find` finds, if the row's text matches the word.
    fn scan(
        &self,
        word: &FilterWord,
        find: impl Fn(&[u8]) -> Option<usize>,
        hit: &mut impl FnMut(u32),
    ) {
        let bytes = self.text.as_bytes();
        let (mut text, mut at) = (0, 0);
        while let Some(found) = find(&bytes[at..]) {
            let place = at + found;
            while self.end(text) <= place {
                text += 1;
            }
            at = self.end(text);
            let row = self.rows[text];
            if row != NONE && (word.field.is_none() || holds(self.bytes(text), word)) {
                hit(row);
            }
        }
    }

    fn end(&self, text: usize) -> usize {
        let next = self.starts.get(text + 1);
        next.map_or(self.text.len(), |start| *start as usize)
    }

    fn bytes(&self, text: usize) -> &[u8] {
        let Some(start) = self.starts.get(text) else {
            return &[];
        };
        &self.text.as_bytes()[*start as usize..self.end(text)]
    }
}

/// Returns whether the text of a row matches a word, within the word's field if it has one.
fn holds(bytes: &[u8], word: &FilterWord) -> bool {
    let Some(field) = word.field else {
        return word.find(bytes).is_some() || word.find_figures(bytes).is_some();
    };
    let begin = memchr(mark(field), bytes);
    if field.is_mark() {
        return begin.is_some() == word.wants_mark();
    }
    let Some(begin) = begin else { return false };
    let rest = &bytes[begin + 1..];
    let Some(found) = word.find(rest) else {
        return false;
    };
    rest[..found].iter().all(|byte| *byte >= b' ')
}
