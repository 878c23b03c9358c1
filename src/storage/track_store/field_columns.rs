//! The fields of rows in the store's tables, read one by one for filters, and for many rows at a time to sort by
//! them.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _};

use super::columns::local;
use super::names::Names;
use crate::JournalError;
use crate::filter_texts::SortKey;
use crate::list_field::{FieldValue, ListField};
use crate::list_filter::FilterWord;
use jiff::Timestamp;
use shipping::ConsignmentId;

/// If more than one row in this many is requested, all rows are read in one query.
const IN_ONE_GO: usize = 16;

/// Rows between two checks whether the request was cancelled.
const A_STRIDE: usize = 4_096;

/// Reads the value of a field from its column.
pub(super) fn read<'a>(
    field: ListField,
    value: ValueRef<'a>,
    names: &'a Names,
) -> rusqlite::Result<FieldValue<'a>> {
    Ok(match (field, value) {
        (ListField::Carrier, ValueRef::Integer(key)) => {
            { names.carrier(key) }.map_or(FieldValue::Missing, |(_, name)| FieldValue::text(name))
        }
        (ListField::Status, ValueRef::Integer(key)) => { names.status(key) }
            .map_or(FieldValue::Missing, |one| {
                FieldValue::Text(one.label().into())
            }),
        (ListField::Despatch | ListField::Eta, ValueRef::Integer(millis)) => {
            FieldValue::time(local(Some(millis)))
        }
        (ListField::Changed | ListField::Scanned, ValueRef::Integer(millis)) => {
            FieldValue::moment(Timestamp::from_millisecond(millis).ok())
        }
        (ListField::Weight | ListField::Volume | ListField::Price, text @ ValueRef::Text(_)) => {
            FieldValue::amount(text.as_str()?.parse().ok())
        }
        (field, ValueRef::Integer(mark)) if field.is_mark() => FieldValue::Mark(mark != 0),
        (_, ValueRef::Integer(count)) => FieldValue::Count(count),
        (_, text @ ValueRef::Text(_)) => FieldValue::text(text.as_str()?),
        _ => FieldValue::Missing,
    })
}

/// Returns whether a row matches a word that is limited to a field.
pub(super) fn matches(
    db: &Connection,
    names: &Names,
    id: ConsignmentId,
    (field, word): (ListField, &FilterWord),
) -> rusqlite::Result<bool> {
    let Some((table, column)) = field.entry().stored else {
        return Ok(false);
    };
    let sql = format!("SELECT {column} FROM {table} WHERE id = ?1");
    let mut one = db.prepare_cached(&sql)?;
    let found = one.query_row([id.get()], |row| {
        Ok(word.matches_field(field, &read(field, row.get_ref(0)?, names)?))
    });
    Ok(found.optional()?.unwrap_or_default())
}

/// Returns the sort keys of these rows, in their order. `ids` must be ascending. If the request is cancelled,
/// returns early with fewer keys.
pub(super) fn sort_keys(
    db: &Connection,
    names: &Names,
    by: ListField,
    ids: &[ConsignmentId],
    stale: &dyn Fn() -> bool,
) -> Result<Vec<SortKey>, JournalError> {
    let Some((table, column)) = by.entry().stored else {
        return Ok(vec![SortKey::Unknown; ids.len()]);
    };
    let key = |value: ValueRef<'_>| Ok(read(by, value, names)?.sort_key());
    let all: i64 = db.query_row("SELECT count(*) FROM tracked", [], |row| row.get(0))?;
    let mut keys = Vec::with_capacity(ids.len());
    if ids.len() < usize::try_from(all).unwrap_or_default() / IN_ONE_GO {
        let sql = format!("SELECT {column} FROM {table} WHERE id = ?1");
        let mut one = db.prepare_cached(&sql)?;
        for id in ids {
            let found = one.query_row([id.get()], |row| key(row.get_ref(0)?));
            keys.push(found.optional()?.unwrap_or(SortKey::Unknown));
            if keys.len().is_multiple_of(A_STRIDE) && stale() {
                break;
            }
        }
        return Ok(keys);
    }
    let sql = format!("SELECT id, {column} FROM {table} ORDER BY id");
    let mut all = db.prepare_cached(&sql)?;
    let mut rows = all.query([])?;
    while keys.len() < ids.len()
        && let Some(row) = rows.next()?
    {
        let id: i64 = row.get(0)?;
        while ids.get(keys.len()).is_some_and(|wanted| wanted.get() < id) {
            keys.push(SortKey::Unknown);
        }
        if ids.get(keys.len()).is_some_and(|wanted| wanted.get() == id) {
            keys.push(key(row.get_ref(1)?)?);
            if keys.len().is_multiple_of(A_STRIDE) && stale() {
                return Ok(keys);
            }
        }
    }
    keys.resize(ids.len(), SortKey::Unknown);
    Ok(keys)
}
