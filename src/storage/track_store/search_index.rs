//! The search in the store, and its index. Rows are indexed some time after they are written, in small steps.
//! The index has the search texts; words that are limited to another field are compared with that field of each
//! row that the other words leave.
//!
//! Invariants: rows that are not indexed yet are searched one by one, so that a search knows everything
//! written before it began. Each row that the index returns is compared with its present text, so that
//! outdated index entries never give a result.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::field_columns;
use super::names::Names;
use super::search_text::{self, TextWords};
use crate::JournalError;
use crate::list_field::ListField;
use crate::list_filter::FilterWord;
use shipping::ConsignmentId;

/// Rows that a search reads in their order before it uses the index, which would return nearly all rows if
/// many match. Reading in order costs a sixth of reading a row by its id.
const PROBED: usize = 2_000;

/// If at least one in this many rows matches, reading on finds enough results sooner than the index does.
const DENSE: usize = 16;

/// Rows that the index may return without a match before it is asked again with the short words too.
const IN_VAIN: usize = 1_000;

/// Rows between two checks whether the search was cancelled.
const A_STRIDE: usize = 1_024;

/// A search for rows.
pub struct SearchRequest<'a> {
    /// The words that a row must match.
    pub words: &'a [FilterWord],
    /// Most rows to return.
    pub most: usize,
    /// Returns true for ids that may be in the result.
    pub is_wanted: &'a dyn Fn(ConsignmentId) -> bool,
    /// Returns true once nobody waits for the result.
    pub is_cancelled: &'a dyn Fn() -> bool,
}

/// The result of a search.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The matching rows, newest first.
    pub ids: Vec<ConsignmentId>,
    /// True if there are more matches.
    pub more: bool,
}

impl SearchResult {
    /// Adds a row. Returns true if there was no more room.
    fn add(&mut self, id: ConsignmentId, most: usize) -> bool {
        self.more = self.ids.len() >= most;
        if !self.more {
            self.ids.push(id);
        }
        self.more
    }
}

/// Indexes up to `most` waiting rows. Returns how many.
pub(super) fn fill(db: &mut Connection, most: u32) -> Result<usize, JournalError> {
    let tx = db.transaction()?;
    let mut filled = 0;
    {
        let waiting: Vec<(i64, bool)> = {
            let mut some = tx.prepare_cached("SELECT id, was FROM pending ORDER BY id LIMIT ?1")?;
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
                search_text::terms_of(row.get_ref(0)?.as_str()?, &mut terms);
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

/// A search in progress.
struct Search<'a> {
    db: &'a Connection,
    names: &'a Names,
    request: &'a SearchRequest<'a>,
    text: TextWords<'a>,
    /// The words that are compared with a field of the row.
    by_field: Vec<(ListField, &'a FilterWord)>,
}

/// Finds the rows that match all words, newest first; all rows if there are no words. The caller begins a
/// transaction, so that all queries see one state of the file.
pub(super) fn search(
    db: &Connection,
    names: &Names,
    request: &SearchRequest<'_>,
) -> Result<SearchResult, JournalError> {
    if request.words.is_empty() {
        return newest(db, request);
    }
    let (text, by_field) = TextWords::separate(request.words);
    let search = Search {
        db,
        names,
        request,
        text,
        by_field,
    };
    if search.text.is_empty() {
        return search.by_fields();
    }
    let found = match search.probe()? {
        Some(found) => found,
        None => search.look_up()?,
    };
    let Some(token) = search.text.token().filter(|_| search.by_field.is_empty()) else {
        return Ok(found);
    };
    Ok(merged(
        found,
        find_by_number(db, token, request)?,
        request.most,
    ))
}

/// Finds the rows with this number, reference or token, given whole and folded; newest first.
pub(super) fn find_by_number(
    db: &Connection,
    whole: &str,
    search: &SearchRequest<'_>,
) -> Result<SearchResult, JournalError> {
    let is_called = |_, text: &str| Ok(search_text::has_number(text, whole));
    let waiting = among_waiting(db, search, is_called)?;
    let asked = search_text::asked_whole(whole);
    let indexed = query_index(db, &asked, search, usize::MAX, is_called)?.unwrap_or_default();
    Ok(merged(waiting, indexed, search.most))
}

fn newest(db: &Connection, search: &SearchRequest<'_>) -> Result<SearchResult, JournalError> {
    let mut all = db.prepare_cached("SELECT id FROM tracked ORDER BY id DESC")?;
    let (mut rows, mut found, mut seen) = (all.query([])?, SearchResult::default(), 0);
    while let Some(row) = rows.next()? {
        let id = ConsignmentId::new(row.get(0)?);
        if (search.is_wanted)(id) && found.add(id, search.most) || is_stale(search, &mut seen) {
            break;
        }
    }
    Ok(found)
}

impl Search<'_> {
    /// Returns whether a row with this search text matches all words.
    fn matches(&self, id: ConsignmentId, text: &str) -> rusqlite::Result<bool> {
        Ok(self.text.match_text(text) && self.fields_match(&self.by_field, id)?)
    }

    fn fields_match(
        &self,
        words: &[(ListField, &FilterWord)],
        id: ConsignmentId,
    ) -> rusqlite::Result<bool> {
        for (field, word) in words {
            if !field_columns::matches(self.db, self.names, id, (*field, word))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds matches by fields alone: reads the column of the first field, from the newest row on.
    fn by_fields(&self) -> Result<SearchResult, JournalError> {
        let (search, mut found, mut seen) = (self.request, SearchResult::default(), 0);
        let Some(((field, word), others)) = self.by_field.split_first() else {
            return Ok(found);
        };
        let Some((table, column)) = field.entry().stored else {
            return Ok(found);
        };
        let sql = format!("SELECT id, {column} FROM {table} ORDER BY id DESC");
        let mut all = self.db.prepare_cached(&sql)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let id = ConsignmentId::new(row.get(0)?);
            let value = field_columns::read(*field, row.get_ref(1)?, self.names)?;
            let holds = (search.is_wanted)(id)
                && word.matches_field(*field, &value)
                && self.fields_match(others, id)?;
            if holds && found.add(id, search.most) || is_stale(search, &mut seen) {
                break;
            }
        }
        Ok(found)
    }

    /// Reads rows from the newest on, as long as many of them match. Returns `None` if few do.
    fn probe(&self) -> Result<Option<SearchResult>, JournalError> {
        let search = self.request;
        let mut all = { self.db }.prepare_cached("SELECT id, text FROM texts ORDER BY id DESC")?;
        let (mut rows, mut found, mut seen) = (all.query([])?, SearchResult::default(), 0);
        while let Some(row) = rows.next()? {
            let id = ConsignmentId::new(row.get(0)?);
            let holds = (search.is_wanted)(id) && self.matches(id, text_in(row)?)?;
            if holds && found.add(id, search.most) || is_stale(search, &mut seen) {
                break;
            }
            if seen.is_multiple_of(PROBED) && found.ids.len() < seen / DENSE {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// Finds the matching rows with the index.
    fn look_up(&self) -> Result<SearchResult, JournalError> {
        let matches = |id, text: &str| self.matches(id, text);
        let waiting = among_waiting(self.db, self.request, matches)?;
        let indexed = match self.by_index(false)? {
            Some(found) => found,
            None => self.by_index(true)?.unwrap_or_default(),
        };
        Ok(merged(waiting, indexed, self.request.most))
    }

    /// Finds matches with the index. Returns `None` if the query must be repeated with the short words.
    fn by_index(&self, short: bool) -> Result<Option<SearchResult>, JournalError> {
        let Some(asked) = self.text.index_query(short) else {
            return Ok(None);
        };
        let closer = !short && self.text.index_query(true).as_ref() != Some(&asked);
        let in_vain = if closer { IN_VAIN } else { usize::MAX };
        let matches = |id, text: &str| self.matches(id, text);
        query_index(self.db, &asked, self.request, in_vain, matches)
    }
}

fn text_in<'a>(row: &'a Row<'_>) -> rusqlite::Result<&'a str> {
    Ok(row.get_ref(1)?.as_str()?)
}

/// Finds matches among the rows that wait to be indexed.
fn among_waiting(
    db: &Connection,
    search: &SearchRequest<'_>,
    matches: impl Fn(ConsignmentId, &str) -> rusqlite::Result<bool>,
) -> Result<SearchResult, JournalError> {
    let sql = "SELECT texts.id, texts.text FROM pending JOIN texts ON texts.id = pending.id
               ORDER BY pending.id DESC";
    let mut waiting = db.prepare_cached(sql)?;
    let (mut rows, mut found, mut seen) = (waiting.query([])?, SearchResult::default(), 0);
    while let Some(row) = rows.next()? {
        let id = ConsignmentId::new(row.get(0)?);
        let holds = (search.is_wanted)(id) && matches(id, text_in(row)?)?;
        if holds && found.add(id, search.most) || is_stale(search, &mut seen) {
            break;
        }
    }
    Ok(found)
}

/// Finds matches among the rows that the index returns. Returns `None` if too few of them match.
fn query_index(
    db: &Connection,
    asked: &str,
    search: &SearchRequest<'_>,
    in_vain: usize,
    matches: impl Fn(ConsignmentId, &str) -> rusqlite::Result<bool>,
) -> Result<Option<SearchResult>, JournalError> {
    let sql = "SELECT rowid FROM found WHERE found MATCH ?1 ORDER BY rowid DESC";
    let mut named = db.prepare_cached(sql)?;
    let mut text_of = db.prepare_cached("SELECT id, text FROM texts WHERE id = ?1")?;
    let (mut rows, mut found, mut seen) = (named.query([asked])?, SearchResult::default(), 0);
    while let Some(row) = rows.next()? {
        let id = ConsignmentId::new(row.get(0)?);
        let text_matches = |row: &Row<'_>| matches(id, text_in(row)?);
        let holds =
            (search.is_wanted)(id) && { text_of.query_row([id.get()], text_matches).optional()? }
                .unwrap_or_default();
        if holds && found.add(id, search.most) || is_stale(search, &mut seen) {
            break;
        }
        if seen >= in_vain && found.ids.len() < seen / DENSE {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// Counts a row, and checks from time to time whether the search was cancelled.
fn is_stale(search: &SearchRequest<'_>, seen: &mut usize) -> bool {
    *seen += 1;
    seen.is_multiple_of(A_STRIDE) && (search.is_cancelled)()
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
