//! Enums of one word as text in a column, and times as milliseconds.

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Params};

/// Makes an enum that is stored as its variant's name.
macro_rules! word {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            const fn word(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),+ }
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.word().into())
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

/// Runs a statement that is run again and again: it is read by SQLite once.
pub(super) fn run(db: &Connection, sql: &str, with: impl Params) -> rusqlite::Result<usize> {
    db.prepare_cached(sql)?.execute(with)
}

/// A moment in a column.
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
