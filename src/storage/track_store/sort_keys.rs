//! Sort keys of rows for columns with texts or amounts, read for many rows at a time.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::search_text;
use crate::JournalError;
use shipping::ConsignmentId;

/// A column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortColumn {
    CarrierNumber,
    Reference,
    Reference2,
    To,
    Suburb,
    From,
    Pieces,
    Weight,
    Price,
    Attachments,
}

/// A sort key. Rows whose value is not known come last in either direction.
#[derive(Debug, Clone, PartialEq, PartialOrd)]
pub enum ColumnSortKey {
    Text(Box<str>),
    Number(f64),
    Unknown,
}

/// If more than one row in this many is requested, all rows are read in one query.
const IN_ONE_GO: usize = 16;

/// Rows between two checks whether the request was cancelled.
const A_STRIDE: usize = 4_096;

impl SortColumn {
    const fn column(self) -> &'static str {
        match self {
            Self::CarrierNumber => "carrier_number",
            Self::Reference => "reference",
            Self::Reference2 => "reference2",
            Self::To => "to_name",
            Self::Suburb => "to_suburb",
            Self::From => "from_name",
            Self::Pieces => "pieces",
            Self::Weight => "weight",
            Self::Price => "price",
            Self::Attachments => "attachments",
        }
    }

    fn key(self, row: &Row<'_>, column: usize) -> rusqlite::Result<ColumnSortKey> {
        let is_amount = matches!(self, Self::Weight | Self::Price);
        Ok(match row.get_ref(column)? {
            ValueRef::Integer(number) => ColumnSortKey::Number(number as f64),
            text @ ValueRef::Text(_) if is_amount => text
                .as_str()?
                .parse()
                .map_or(ColumnSortKey::Unknown, ColumnSortKey::Number),
            text @ ValueRef::Text(_) => match text.as_str()? {
                "" => ColumnSortKey::Unknown,
                text => ColumnSortKey::Text(search_text::folded(text).into()),
            },
            _ => ColumnSortKey::Unknown,
        })
    }
}

/// Returns the sort keys of these rows, in their order. `ids` must be ascending. If the request is cancelled,
/// returns early with fewer keys.
pub(super) fn sort_keys(
    db: &Connection,
    by: SortColumn,
    ids: &[ConsignmentId],
    stale: &dyn Fn() -> bool,
) -> Result<Vec<ColumnSortKey>, JournalError> {
    let _tx = db.unchecked_transaction()?;
    let all: i64 = db.query_row("SELECT count(*) FROM tracked", [], |row| row.get(0))?;
    if ids.len() < usize::try_from(all).unwrap_or_default() / IN_ONE_GO {
        one_by_one(db, by, ids, stale)
    } else {
        in_one_go(db, by, ids, stale)
    }
}

fn one_by_one(
    db: &Connection,
    by: SortColumn,
    ids: &[ConsignmentId],
    stale: &dyn Fn() -> bool,
) -> Result<Vec<ColumnSortKey>, JournalError> {
    let sql = format!("SELECT {} FROM shown WHERE id = ?1", by.column());
    let mut one = db.prepare_cached(&sql)?;
    let mut keys = Vec::with_capacity(ids.len());
    for id in ids {
        let key = one.query_row([id.get()], |row| by.key(row, 0));
        keys.push(key.optional()?.unwrap_or(ColumnSortKey::Unknown));
        if keys.len().is_multiple_of(A_STRIDE) && stale() {
            break;
        }
    }
    Ok(keys)
}

fn in_one_go(
    db: &Connection,
    by: SortColumn,
    ids: &[ConsignmentId],
    stale: &dyn Fn() -> bool,
) -> Result<Vec<ColumnSortKey>, JournalError> {
    let sql = format!("SELECT id, {} FROM shown ORDER BY id", by.column());
    let mut all = db.prepare_cached(&sql)?;
    let (mut rows, mut keys) = (all.query([])?, Vec::with_capacity(ids.len()));
    while keys.len() < ids.len()
        && let Some(row) = rows.next()?
    {
        let id: i64 = row.get(0)?;
        while ids.get(keys.len()).is_some_and(|wanted| wanted.get() < id) {
            keys.push(ColumnSortKey::Unknown);
        }
        if ids.get(keys.len()).is_some_and(|wanted| wanted.get() == id) {
            keys.push(by.key(row, 1)?);
            if keys.len().is_multiple_of(A_STRIDE) && stale() {
                return Ok(keys);
            }
        }
    }
    keys.resize(ids.len(), ColumnSortKey::Unknown);
    Ok(keys)
}
