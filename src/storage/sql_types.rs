//! Conversions for SQLite columns: enums as text, and times as milliseconds since 1970.

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Params};

/// Defines an enum that is stored as the name of its variant.
macro_rules! word {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// All variants.
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

/// Runs a statement that is used often, so that SQLite parses it only once.
pub(super) fn run(db: &Connection, sql: &str, with: impl Params) -> rusqlite::Result<usize> {
    db.prepare_cached(sql)?.execute(with)
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
