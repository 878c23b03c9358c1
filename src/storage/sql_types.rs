//! Conversions for SQLite columns: enums as text, and times as milliseconds since 1970.

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Params, Row};
use serde::de::DeserializeOwned;

use crate::Result;

/// Defines an enum that is stored as the name of its variant.
macro_rules! word {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the stored name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),+ }
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                match value.as_str()? {
                    $(stringify!($variant) => Ok(Self::$variant),)+
                    _ => Err(rusqlite::types::FromSqlError::InvalidType),
                }
            }
        }
    };
}
pub(super) use word;

/// Runs a statement and keeps it prepared, so that SQLite parses a frequent statement only once.
pub(super) fn run(db: &Connection, sql: &str, with: impl Params) -> Result<usize> {
    Ok(db.prepare_cached(sql)?.execute(with)?)
}

/// Returns all rows of a query, each converted by `read`.
pub(super) fn rows<T>(
    db: &Connection,
    sql: &str,
    with: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    let mut query = db.prepare_cached(sql)?;
    let rows = query.query_map(with, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Returns the first row of a query, converted by `read`.
pub(super) fn first_row<T>(
    db: &Connection,
    sql: &str,
    with: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    Ok(db.prepare_cached(sql)?.query_row(with, read).optional()?)
}

/// Returns the records whose JSON text is the first column of a query. Records that this version cannot parse
/// are skipped and stay in the file.
pub(super) fn records<T: DeserializeOwned>(
    db: &Connection,
    sql: &str,
    with: impl Params,
) -> Result<Vec<T>> {
    let bodies = rows(db, sql, with, |row| row.get::<_, String>(0))?;
    let parsed = bodies.iter().map(|body| serde_json::from_str(body));
    let parsed = parsed.inspect(|record| {
        if record.is_err() {
            tracing::warn!("a stored record could not be read and stays as it is");
        }
    });
    Ok(parsed.filter_map(Result::ok).collect())
}

/// A time in a column, in milliseconds since 1970.
#[derive(Clone, Copy)]
pub(super) struct Millis(pub(super) Timestamp);

impl ToSql for Millis {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.as_millisecond().into())
    }
}

impl FromSql for Millis {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let moment = Timestamp::from_millisecond(value.as_i64()?);
        moment
            .map(Self)
            .map_err(|_out_of_range| FromSqlError::InvalidType)
    }
}
