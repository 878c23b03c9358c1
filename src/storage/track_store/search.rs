//! The search in the store: the search texts of its rows, their index, and the queries. Rows are indexed some time
//! after they are written, in small steps. A word that is limited to a field without a line in the search text is
//! compared with that field, in each row that matches the other words.
//!
//! Invariants: rows that are not indexed yet are searched one by one, so that a search finds everything written
//! before the search began. Each row that the index returns is compared with its present text, so that outdated index
//! entries never give a result. A query to the index contains only letters and digits, so that no typed text can be a
//! syntax error in SQLite's query language.

use std::sync::LazyLock;

use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};

use super::names::Names;
use super::{TrackReader, TrackStore, columns};
use crate::consignment_row::{ConsignmentRow, LIST_FIELDS, ListField};
use crate::list_field::FreeSearch;
use crate::list_filter::{FilterWord, fold_into, folded, parse_filter};
use crate::{Result, ViewedList};
use shipping::ConsignmentId;

/// Number of rows that a search reads in order before it uses the index. If many rows match, the index would return
/// nearly all rows, and reading a row by its id costs six times as much as reading in order.
const PROBED: usize = 2_000;

/// If at least one in this many rows matches, reading in order finds enough results sooner than the index does.
const DENSE: usize = 16;

/// Number of rows from the index after which, if few of them match, the query is repeated with the short words too.
const IN_VAIN: usize = 1_000;

/// Rows between two checks whether the search was cancelled.
const A_STRIDE: usize = 1_024;

/// Number of letters that are indexed together.
const TOGETHER: usize = 3;

/// Marks a complete number or reference in the index. Must not be a letter or a digit.
const WHOLE: char = '§';

/// Maximum number of words in a query to the index, and of parts of each word. The rows found are compared with the
/// full text anyway.
const MOST_WORDS: usize = 8;
const MOST_PARTS: usize = 3;

/// The fields of a search text, a line for each, after the line of the tracking token. Numbers come first.
pub(super) static SEARCHED: LazyLock<Vec<ListField>> = LazyLock::new(|| {
    let of = |search| {
        LIST_FIELDS
            .iter()
            .filter(move |entry| entry.search == search)
    };
    let entries = of(FreeSearch::Number).chain(of(FreeSearch::Words));
    entries.map(|entry| entry.field).collect()
});

pub struct SearchRequest<'a> {
    /// The words that a row must match.
    pub words: &'a [FilterWord],
    /// Maximum number of rows to return.
    pub most: usize,
    /// Returns true for ids that may be in the result.
    pub is_wanted: &'a dyn Fn(ConsignmentId) -> bool,
    /// Returns true once nobody waits for the result.
    pub is_cancelled: &'a dyn Fn() -> bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The matching rows, newest first.
    pub ids: Vec<ConsignmentId>,
    /// True if there are more matches.
    pub more: bool,
}

/// Builds the search text of a row, with one line for each value: first the tracking token, which is found only if
/// the complete token is typed, then the numbers and references, then the names and the place.
pub(super) fn text_of(row: &ConsignmentRow, out: &mut String) {
    out.clear();
    fold_into(out, &row.tracking_token);
    for field in SEARCHED.iter() {
        out.push('\n');
        field.write_filter_text(&row.field(*field), out);
    }
}

/// Returns the complete numbers of a search text: the token, the numbers and the references.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    let is_number = |field: &&ListField| field.entry().search == FreeSearch::Number;
    let count = 1 + SEARCHED.iter().filter(is_number).count();
    let lines = { text.split('\n') }
        .take(count)
        .filter(|line| !line.is_empty());
    lines.map(|line| line.replace(' ', ""))
}

/// Builds the index terms of a search text: the complete numbers, and each letter of each word with the two letters
/// after it.
fn terms_of(text: &str, out: &mut String) {
    out.clear();
    for number in numbers(text) {
        out.push(WHOLE);
        out.push_str(&number);
        out.push(' ');
    }
    for word in searched(text).split_ascii_whitespace() {
        for (at, _) in word.char_indices() {
            let rest = &word[at..];
            let end = rest.char_indices().nth(TOGETHER);
            out.push_str(end.map_or(rest, |(end, _)| &rest[..end]));
            out.push(' ');
        }
    }
}

/// Returns the part of a search text in which words are searched: everything except the token.
fn searched(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, searched)| searched)
}

impl TrackStore {
    /// Adds up to `most` waiting rows to the search index. Returns how many. A search finds waiting rows too,
    /// but more slowly.
    pub fn index(&mut self, most: u32) -> Result<usize> {
        let tx = self.own.db.transaction()?;
        let mut filled = 0;
        {
            let waiting: Vec<(i64, bool)> = {
                let mut some =
                    tx.prepare_cached("SELECT id, was FROM pending ORDER BY id LIMIT ?1")?;
                let rows = some.query_map([most], |row| Ok((row.get(0)?, row.get(1)?)))?;
                rows.collect::<rusqlite::Result<_>>()?
            };
            let mut text_of = tx.prepare_cached("SELECT text FROM texts WHERE id = ?1")?;
            let mut drop = tx.prepare_cached("DELETE FROM found WHERE rowid = ?1")?;
            let mut add = tx.prepare_cached("INSERT INTO found (rowid, terms) VALUES (?1, ?2)")?;
            let mut done = tx.prepare_cached("DELETE FROM pending WHERE id = ?1")?;
            let mut terms = String::new();
            for (id, was) in waiting {
                if was {
                    drop.execute([id])?;
                }
                let text = text_of.query_row([id], |row| {
                    terms_of(row.get_ref(0)?.as_str()?, &mut terms);
                    Ok(())
                });
                if text.optional()?.is_some() {
                    add.execute(params![id, terms])?;
                }
                done.execute([id])?;
                filled += 1;
            }
        }
        tx.commit()?;
        Ok(filled)
    }

    /// Returns how many rows wait to be indexed.
    pub fn unindexed(&self) -> Result<usize> {
        let sql = "SELECT count(*) FROM pending";
        let waiting: i64 = self.own.db.query_row(sql, [], |row| row.get(0))?;
        Ok(usize::try_from(waiting).unwrap_or_default())
    }
}

impl TrackReader {
    /// Finds consignments whose numbers, references, names and suburb contain every word of a filter, or whose
    /// tracking token is the only word. Words that name a field are searched only in that field. Returns at most
    /// `most`, newest first.
    pub fn search(&self, filter: &str, most: usize) -> Result<Vec<ConsignmentId>> {
        let search = SearchRequest {
            words: &parse_filter(filter, ViewedList::Track),
            most,
            is_wanted: &|_| true,
            is_cancelled: &|| false,
        };
        Ok(self.find(&search)?.ids)
    }

    /// Finds the consignments that match all words, newest first; all consignments if there are no words. All queries
    /// of a search read the same state of the file.
    pub fn find(&self, request: &SearchRequest<'_>) -> Result<SearchResult> {
        let tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let mut search = Search {
            db: &tx,
            names: &names,
            request,
            in_text: Vec::new(),
            by_field: Vec::new(),
        };
        for word in request.words {
            let line = |field| SEARCHED.iter().position(|known| *known == field);
            match word.field.map(|field| (field, line(field))) {
                None => search.in_text.push((word, None)),
                Some((_, Some(line))) => search.in_text.push((word, Some(line))),
                Some((field, None)) => search.by_field.push((field, word)),
            }
        }
        if search.in_text.is_empty() {
            return search.by_fields();
        }
        let found = match search.probe()? {
            Some(found) => found,
            None => search.look_up()?,
        };
        match search.token() {
            Some(token) => Ok(merged(
                found,
                find_by_number(&tx, token, request)?,
                request.most,
            )),
            None => Ok(found),
        }
    }

    /// Finds consignments with exactly this number, reference or token, ignoring case. Returns at most a
    /// thousand, newest first.
    pub fn find_by_number(&self, number: &str) -> Result<Vec<ConsignmentId>> {
        let whole = folded(number).replace(' ', "");
        if whole.is_empty() {
            return Ok(Vec::new());
        }
        let search = SearchRequest {
            words: &[],
            most: 1_000,
            is_wanted: &|_| true,
            is_cancelled: &|| false,
        };
        let tx = self.db.unchecked_transaction()?;
        let found = find_by_number(&self.db, &whole, &search)?;
        drop(tx);
        // Numbers that differ only in accents or punctuation fold to one text, but are not equal.
        let wanted = number.trim().to_lowercase();
        let rows = self.rows(&found.ids)?;
        let same = rows.iter().filter(|row| {
            let mut numbers = row.numbers();
            numbers.any(|number| number.trim().to_lowercase() == wanted)
        });
        Ok(same.map(|row| row.id).collect())
    }
}

/// Finds the rows with this number, reference or token, which must be complete and folded; newest first.
fn find_by_number(
    db: &Connection,
    whole: &str,
    request: &SearchRequest<'_>,
) -> Result<SearchResult> {
    let is_called = |_, text: &str| Ok(numbers(text).any(|number| number == whole));
    let waiting = among_waiting(db, request, is_called)?;
    let asked = format!("\"{WHOLE}{whole}\"");
    let indexed = query_index(db, &asked, request, usize::MAX, is_called)?.unwrap_or_default();
    Ok(merged(waiting, indexed, request.most))
}

/// A search in progress.
struct Search<'a> {
    db: &'a Connection,
    names: &'a Names,
    request: &'a SearchRequest<'a>,
    /// The words to find in the search text, each with the number of its line if the word is limited to a field.
    in_text: Vec<(&'a FilterWord, Option<usize>)>,
    /// The words that are compared with a field of the row.
    by_field: Vec<(ListField, &'a FilterWord)>,
}

impl Search<'_> {
    /// Returns whether a row with this search text matches all words.
    fn matches(&self, id: ConsignmentId, text: &str) -> rusqlite::Result<bool> {
        let text = searched(text);
        let matches_text = self.in_text.iter().all(|(word, line)| {
            let part = match line {
                Some(line) => text.split('\n').nth(*line).unwrap_or_default(),
                None => text,
            };
            word.find(part.as_bytes()).is_some()
        });
        Ok(matches_text && self.fields_match(&self.by_field, id)?)
    }

    fn fields_match(
        &self,
        words: &[(ListField, &FilterWord)],
        id: ConsignmentId,
    ) -> rusqlite::Result<bool> {
        for (field, word) in words {
            if !columns::matches(self.db, self.names, id, (*field, word))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds matches by fields alone: reads the column of the first field, from the newest row on.
    fn by_fields(&self) -> Result<SearchResult> {
        let Some(((field, word), others)) = self.by_field.split_first() else {
            let sql = "SELECT id FROM tracked ORDER BY id DESC";
            return scan(self.db, (sql, []), self.request, |_, _| Ok(true));
        };
        let Some(sql) = columns::field_query(*field, "ORDER BY id DESC") else {
            return Ok(SearchResult::default());
        };
        scan(self.db, (sql.as_str(), []), self.request, |id, row| {
            let value = columns::field_value(*field, row.get_ref(1)?, self.names)?;
            Ok(word.matches_field(*field, &value) && self.fields_match(others, id)?)
        })
    }

    /// Reads rows from the newest on, as long as many of them match. Returns `None` if few do.
    fn probe(&self) -> Result<Option<SearchResult>> {
        let sql = "SELECT id, text FROM texts ORDER BY id DESC";
        let gives_up =
            |seen: usize, found: usize| seen.is_multiple_of(PROBED) && found < seen / DENSE;
        scan_until(self.db, (sql, []), self.request, gives_up, |id, row| {
            self.matches(id, text_in(row)?)
        })
    }

    /// Finds the matching rows with the index.
    fn look_up(&self) -> Result<SearchResult> {
        let matches = |id, text: &str| self.matches(id, text);
        let waiting = among_waiting(self.db, self.request, matches)?;
        let indexed = match self.by_index(false)? {
            Some(found) => found,
            None => self.by_index(true)?.unwrap_or_default(),
        };
        Ok(merged(waiting, indexed, self.request.most))
    }

    /// Finds matches with the index. Returns `None` if the query must be repeated with the short words.
    fn by_index(&self, short: bool) -> Result<Option<SearchResult>> {
        let Some(asked) = self.index_query(short) else {
            return Ok(None);
        };
        let closer = !short && self.index_query(true).as_ref() != Some(&asked);
        let in_vain = if closer { IN_VAIN } else { usize::MAX };
        let matches = |id, text: &str| self.matches(id, text);
        query_index(self.db, &asked, self.request, in_vain, matches)
    }

    /// Returns the word of the search, if it is the only one and may be a tracking token.
    fn token(&self) -> Option<&str> {
        match self.in_text.as_slice() {
            [(only, None)] if only.text.len() >= 8 && !only.text.contains(' ') => {
                self.by_field.is_empty().then_some(&only.text)
            }
            _ => None,
        }
    }

    /// Builds a query whose result contains all rows with the words of the text, and possibly others. Words of one or
    /// two letters are left out unless `short` is true. Returns `None` if no word is left.
    fn index_query(&self, short: bool) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let words = self
            .in_text
            .iter()
            .flat_map(|(word, _)| word.text.split(' '));
        for word in words.take(MOST_WORDS) {
            let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
            if starts.len() < TOGETHER {
                if short {
                    parts.push(format!("\"{word}\" *"));
                }
                continue;
            }
            let last = starts.len() - TOGETHER;
            let firsts = (0..last).step_by(TOGETHER).take(MOST_PARTS - 1);
            for first in firsts.chain([last]) {
                let end = starts.get(first + TOGETHER).copied().unwrap_or(word.len());
                parts.push(format!("\"{}\"", &word[starts[first]..end]));
            }
        }
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }
}

/// Reads rows whose first column is their id, newest first, and returns the matching rows, until there are enough.
fn scan(
    db: &Connection,
    query: (&str, impl Params),
    request: &SearchRequest<'_>,
    matches: impl FnMut(ConsignmentId, &Row<'_>) -> rusqlite::Result<bool>,
) -> Result<SearchResult> {
    let found = scan_until(db, query, request, |_, _| false, matches)?;
    Ok(found.unwrap_or_default())
}

/// Like [`scan`], but returns `None` once `gives_up` returns true. Its arguments are the count of rows read and the
/// count of matches.
fn scan_until(
    db: &Connection,
    (sql, with): (&str, impl Params),
    request: &SearchRequest<'_>,
    gives_up: impl Fn(usize, usize) -> bool,
    mut matches: impl FnMut(ConsignmentId, &Row<'_>) -> rusqlite::Result<bool>,
) -> Result<Option<SearchResult>> {
    let mut all = db.prepare_cached(sql)?;
    let (mut rows, mut found, mut seen) = (all.query(with)?, SearchResult::default(), 0_usize);
    while let Some(row) = rows.next()? {
        let id = ConsignmentId::new(row.get(0)?);
        if (request.is_wanted)(id) && matches(id, row)? {
            found.more = found.ids.len() >= request.most;
            if found.more {
                break;
            }
            found.ids.push(id);
        }
        seen += 1;
        if seen.is_multiple_of(A_STRIDE) && (request.is_cancelled)() {
            break;
        }
        if gives_up(seen, found.ids.len()) {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

fn text_in<'a>(row: &'a Row<'_>) -> rusqlite::Result<&'a str> {
    Ok(row.get_ref(1)?.as_str()?)
}

/// Finds matches among the rows that wait to be indexed.
fn among_waiting(
    db: &Connection,
    request: &SearchRequest<'_>,
    matches: impl Fn(ConsignmentId, &str) -> rusqlite::Result<bool>,
) -> Result<SearchResult> {
    let sql = "SELECT texts.id, texts.text FROM pending JOIN texts ON texts.id = pending.id
               ORDER BY pending.id DESC";
    scan(db, (sql, []), request, |id, row| matches(id, text_in(row)?))
}

/// Finds matches among the rows that the index returns. Returns `None` if too few of them match.
fn query_index(
    db: &Connection,
    asked: &str,
    request: &SearchRequest<'_>,
    in_vain: usize,
    matches: impl Fn(ConsignmentId, &str) -> rusqlite::Result<bool>,
) -> Result<Option<SearchResult>> {
    let sql = "SELECT rowid FROM found WHERE found MATCH ?1 ORDER BY rowid DESC";
    let mut text_of = db.prepare_cached("SELECT id, text FROM texts WHERE id = ?1")?;
    let gives_up = |seen: usize, found: usize| seen >= in_vain && found < seen / DENSE;
    scan_until(db, (sql, [asked]), request, gives_up, |id, _| {
        let found = text_of.query_row([id.get()], |row| matches(id, text_in(row)?));
        Ok(found.optional()?.unwrap_or_default())
    })
}

/// Merges two results, newest first and without duplicates.
fn merged(one: SearchResult, other: SearchResult, most: usize) -> SearchResult {
    if one.ids.is_empty() && !one.more {
        return other;
    }
    let mut ids = one.ids;
    ids.extend(other.ids);
    ids.sort_unstable_by(|one, other| other.cmp(one));
    ids.dedup();
    let more = one.more || other.more || ids.len() > most;
    ids.truncate(most);
    SearchResult { ids, more }
}
