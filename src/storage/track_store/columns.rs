//! Reads and writes the columns of rows, and defines how the values of each member type are stored and shown. Times
//! are stored in milliseconds, amounts with all their digits except zeros at the end.

use std::fmt;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rusqlite::types::{FromSql as _, FromSqlResult, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row, params_from_iter};
use rust_decimal::Decimal;

use super::TrackReader;
use super::names::Names;
use super::summary::eta_day;
use crate::Result;
use crate::consignment_row::{ConsignmentRow, ListField};
use crate::filter_texts::SortKey;
use crate::list_field::{FieldKind, FieldValue};
use crate::list_filter::FilterWord;
use crate::sql_types::{Millis, run};
use shipping::{
    CarrierServiceId, CompanyId, ConsignmentId, CubicMetres, Dollars, Kilograms, LocalTime,
    Location, ManifestId, Status,
};

/// A table of the store. Values for metrics and values shown in a list are in separate tables, so that each query
/// reads only what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreTable {
    Tracked,
    Shown,
    /// A column of `tracked` with a key of the table `names`; see [`if_stored`].
    Names,
}

impl fmt::Display for StoreTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tracked | Self::Names => "tracked",
            Self::Shown => "shown",
        })
    }
}

/// Leaves out members whose values are stored in the table `names`, because no code can be derived for them.
macro_rules! if_stored {
    (Names $($code:tt)*) => {};
    ($table:ident $($code:tt)*) => { $($code)* };
}
pub(crate) use if_stored;

/// A column of a member. Names are quoted, because some of them are SQL keywords.
pub(crate) struct StoredColumn {
    table: StoreTable,
    quoted: String,
    /// The type in SQL.
    kind: &'static str,
}

impl StoredColumn {
    /// Adds the columns of a member.
    pub(crate) fn add<T: StoredMember>(
        columns: &mut Vec<Self>,
        table: StoreTable,
        member: &'static str,
    ) {
        let stored = T::COLUMNS.iter().map(|(part, kind)| Self {
            table,
            quoted: format!("\"{member}{part}\""),
            kind,
        });
        columns.extend(stored);
    }

    /// Returns the definition of the table's columns of members, such as `"pieces" INTEGER NOT NULL, …`.
    pub(super) fn definitions(table: StoreTable) -> String {
        let columns = ConsignmentRow::columns().into_iter();
        let columns = columns.filter(|column| column.table == table);
        let columns = columns.map(|column| format!(",\n    {} {}", column.quoted, column.kind));
        columns.collect()
    }
}

/// A member of a row with columns of its own.
pub(crate) trait StoredMember: Sized {
    /// For each column, the suffix that its name adds to the member's name, and its type in SQL.
    const COLUMNS: &'static [(&'static str, &'static str)];

    fn write<'a>(&'a self, values: &mut Vec<ToSqlOutput<'a>>);

    fn read(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Self>;
}

/// A member of a row, or a part of a member, that lists show.
pub(crate) trait ListValue {
    const KIND: FieldKind;

    fn list_value(&self) -> FieldValue<'_>;
}

/// Reads the columns of a row one after the other.
pub(crate) struct ColumnReader<'a> {
    row: &'a Row<'a>,
    next: usize,
}

impl ColumnReader<'_> {
    fn next(&mut self) -> rusqlite::Result<ValueRef<'_>> {
        self.next += 1;
        self.row.get_ref(self.next - 1)
    }
}

/// Defines how members of a type are stored in one column and shown: the type in SQL, the conversions to and from a
/// value of SQLite, the kind of the field, and the value that lists show.
macro_rules! one_column {
    ($($type:ty: $sql:literal, $write:expr, $read:expr, $kind:expr, $shown:expr;)+) => {$(
        impl StoredMember for $type {
            const COLUMNS: &'static [(&'static str, &'static str)] = &[("", $sql)];

            fn write<'a>(&'a self, values: &mut Vec<ToSqlOutput<'a>>) {
                let write: fn(&'a Self) -> ToSqlOutput<'a> = $write;
                values.push(write(self));
            }

            fn read(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Self> {
                let read: fn(ValueRef<'_>) -> FromSqlResult<Self> = $read;
                Ok(read(columns.next()?)?)
            }
        }

        impl ListValue for $type {
            const KIND: FieldKind = $kind;

            fn list_value(&self) -> FieldValue<'_> {
                let shown: fn(&Self) -> FieldValue<'_> = $shown;
                shown(self)
            }
        }
    )+};
}

one_column! {
    String: "TEXT NOT NULL",
        |text| text.as_str().into(), Self::column_result,
        FieldKind::Text, |text| FieldValue::text(text);
    i64: "INTEGER NOT NULL",
        |count| (*count).into(), Self::column_result,
        FieldKind::Count, |count| FieldValue::Count(*count);
    bool: "INTEGER NOT NULL",
        |mark| (*mark).into(), Self::column_result,
        FieldKind::Mark, |mark| FieldValue::Mark(*mark);
    Option<bool>: "INTEGER",
        |mark| owned(*mark), Self::column_result,
        FieldKind::Mark, |mark| mark.map_or(FieldValue::Missing, FieldValue::Mark);
    Option<CompanyId>: "INTEGER",
        |id| owned(id.map(CompanyId::get)), |id| id_in(id, CompanyId::new),
        FieldKind::Id, |id| id.map_or(FieldValue::Missing, |id| FieldValue::Id(id.get()));
    Option<ManifestId>: "INTEGER",
        |id| owned(id.map(ManifestId::get)), |id| id_in(id, ManifestId::new),
        FieldKind::Id, |id| id.map_or(FieldValue::Missing, |id| FieldValue::Id(id.get()));
    Option<CarrierServiceId>: "INTEGER",
        |id| owned(id.map(CarrierServiceId::get)), |id| id_in(id, CarrierServiceId::new),
        FieldKind::Id, |id| id.map_or(FieldValue::Missing, |id| FieldValue::Id(id.get()));
    Option<Timestamp>: "INTEGER",
        |at| owned(at.map(Timestamp::as_millisecond)),
        |at| Ok(Option::<Millis>::column_result(at)?.map(|at| at.0)),
        FieldKind::Moment, |at| FieldValue::moment(*at);
    Option<LocalTime>: "INTEGER",
        |at| owned(at.and_then(civil)), |at| Ok(local(Option::column_result(at)?)),
        FieldKind::Time, |at| FieldValue::time(*at);
    Option<Kilograms>: "TEXT",
        |weight| amount(weight.map(|weight| weight.0)), |weight| amount_in(weight, Kilograms),
        FieldKind::Amount(1), |weight| FieldValue::amount(weight.map(|weight| weight.0));
    Option<CubicMetres>: "TEXT",
        |volume| amount(volume.map(|volume| volume.0)), |volume| amount_in(volume, CubicMetres),
        FieldKind::Amount(3), |volume| FieldValue::amount(volume.map(|volume| volume.0));
    Option<Dollars>: "TEXT",
        |price| amount(price.map(|price| price.0)), |price| amount_in(price, Dollars),
        FieldKind::Amount(2), |price| FieldValue::amount(price.map(|price| price.0));
}

impl StoredMember for Location {
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("_id", "INTEGER"),
        ("_suburb", "TEXT NOT NULL"),
        ("_postcode", "TEXT NOT NULL"),
        ("_state", "TEXT NOT NULL"),
        ("_time_zone", "TEXT NOT NULL"),
        ("_country", "TEXT NOT NULL"),
    ];

    fn write<'a>(&'a self, values: &mut Vec<ToSqlOutput<'a>>) {
        values.push(owned(self.id));
        let texts = [
            &self.suburb,
            &self.postcode,
            &self.state,
            &self.time_zone,
            &self.country,
        ];
        values.extend(texts.map(|text| text.as_str().into()));
    }

    fn read(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: Option::column_result(columns.next()?)?,
            suburb: String::read(columns)?,
            postcode: String::read(columns)?,
            state: String::read(columns)?,
            time_zone: String::read(columns)?,
            country: String::read(columns)?,
        })
    }
}

impl ListValue for Status {
    const KIND: FieldKind = FieldKind::Text;

    fn list_value(&self) -> FieldValue<'_> {
        FieldValue::Text(self.label().into())
    }
}

fn owned<'a>(value: impl Into<Value>) -> ToSqlOutput<'a> {
    ToSqlOutput::Owned(value.into())
}

fn id_in<T>(value: ValueRef<'_>, id: fn(i64) -> T) -> FromSqlResult<Option<T>> {
    Ok(Option::column_result(value)?.map(id))
}

/// Converts an amount to text without zeros at its end: `21.50` and `21.5` are one amount.
fn amount<'a>(amount: Option<Decimal>) -> ToSqlOutput<'a> {
    owned(amount.map(|amount| amount.normalize().to_string()))
}

fn amount_in<T>(value: ValueRef<'_>, amount: fn(Decimal) -> T) -> FromSqlResult<Option<T>> {
    let text = value.as_str_or_null()?;
    Ok(text.and_then(|text| text.parse().ok()).map(amount))
}

/// Converts a wall-clock time to milliseconds as if it were UTC.
fn civil(at: LocalTime) -> Option<i64> {
    let moment = TimeZone::UTC.to_timestamp(at.0).ok()?;
    Some(moment.as_millisecond())
}

fn local(millis: Option<i64>) -> Option<LocalTime> {
    let moment = Timestamp::from_millisecond(millis?).ok()?;
    let civil: DateTime = TimeZone::UTC.to_datetime(moment);
    Some(LocalTime(civil))
}

/// The columns of `tracked` that are not columns of a member: the keys of the carrier's and the status's names, and
/// the day of the ETA.
const TRACKED_BESIDE: [&str; 3] = ["carrier", "status", "eta_day"];

static PUT_TRACKED: LazyLock<String> = LazyLock::new(|| upsert(StoreTable::Tracked));
static PUT_SHOWN: LazyLock<String> = LazyLock::new(|| upsert(StoreTable::Shown));

/// Builds a statement that inserts a row, or updates it if any column differs; an equal row is not written.
/// The last value for `tracked` is `seen`, the time when an answer last had the row. A row is not written if
/// only `seen` differs.
fn upsert(table: StoreTable) -> String {
    let members = ConsignmentRow::columns().into_iter();
    let members = members.filter(|column| column.table == table);
    let members = members.map(|column| column.quoted);
    let (beside, seen) = match table {
        StoreTable::Tracked | StoreTable::Names => (&TRACKED_BESIDE[..], ", seen = excluded.seen"),
        StoreTable::Shown => (&[][..], ""),
    };
    let columns: Vec<String> = { beside.iter() }
        .map(ToString::to_string)
        .chain(members)
        .collect();
    let listed = |prefix: &str| {
        let named: Vec<_> = columns
            .iter()
            .map(|name| format!("{prefix}{name}"))
            .collect();
        named.join(", ")
    };
    let (names, new, old) = (
        listed(""),
        listed("excluded."),
        listed(&format!("{table}.")),
    );
    let (last, places) = if seen.is_empty() {
        ("", columns.len())
    } else {
        (", seen", columns.len() + 1)
    };
    let places = ", ?".repeat(places);
    format!(
        "INSERT INTO {table} (id, {names}{last}) VALUES (?{places})
         ON CONFLICT (id) DO UPDATE SET ({names}) = ({new}){seen} WHERE ({old}) IS NOT ({new})"
    )
}

/// Saves the columns of `tracked`, if any of them differs from the stored row. Returns true if the row was written.
pub(super) fn put_tracked(
    db: &Connection,
    row: &ConsignmentRow,
    (carrier, status): (i64, i64),
    now: Timestamp,
) -> Result<bool> {
    let day = eta_day(row);
    let mut values = vec![row.id.get().into(), carrier.into(), status.into()];
    values.push(owned((day != 0).then_some(day)));
    values.extend(row.column_values(StoreTable::Tracked));
    values.push(now.as_millisecond().into());
    Ok(run(db, &PUT_TRACKED, params_from_iter(values))? > 0)
}

/// Saves the columns of `shown`, if any of them differs from the stored row. Returns true if the row was written.
pub(super) fn put_shown(db: &Connection, row: &ConsignmentRow) -> Result<bool> {
    let mut values = vec![row.id.get().into()];
    values.extend(row.column_values(StoreTable::Shown));
    Ok(run(db, &PUT_SHOWN, params_from_iter(values))? > 0)
}

/// Selects a row by its id.
static ROW: LazyLock<String> = LazyLock::new(|| {
    let members = ConsignmentRow::columns().into_iter();
    let members = members.map(|column| format!(", {}.{}", column.table, column.quoted));
    format!(
        "SELECT tracked.carrier, tracked.status{}
         FROM tracked JOIN shown ON shown.id = tracked.id WHERE tracked.id = ?1",
        members.collect::<String>()
    )
});

/// If more than one row in this many is requested, all rows are read in one query.
const IN_ONE_GO: usize = 16;

/// Rows between two checks whether the request was cancelled.
const A_STRIDE: usize = 4_096;

impl TrackReader {
    /// Returns the rows of these consignments, in the order of `ids`. Leaves out consignments that are not tracked.
    pub fn rows(&self, ids: &[ConsignmentId]) -> Result<Vec<ConsignmentRow>> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let mut one = self.db.prepare_cached(&ROW)?;
        let mut rows = Vec::with_capacity(ids.len());
        for id in ids {
            let row = one.query_row([id.get()], |row| {
                let mut read = ConsignmentRow::empty(*id);
                (read.carrier_id, read.carrier) =
                    { names.carrier(row.get(0)?).cloned() }.unwrap_or_default();
                read.status = { names.status(row.get(1)?).cloned() }.unwrap_or_default();
                read.read_columns(&mut ColumnReader { row, next: 2 })?;
                Ok(read)
            });
            rows.extend(row.optional()?);
        }
        Ok(rows)
    }

    /// Returns the sort keys of `ids`, which must be ascending, for a field. Returns fewer keys once nobody
    /// waits for them.
    pub fn sort_keys(
        &self,
        by: ListField,
        ids: &[ConsignmentId],
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<SortKey>> {
        let tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let (Some(one), Some(all)) = (field_query(by, BY_ID), field_query(by, "ORDER BY id"))
        else {
            return Ok(vec![SortKey::Unknown; ids.len()]);
        };
        let key = |row: &Row<'_>| Ok(field_value(by, row.get_ref(1)?, &names)?.sort_key());
        let count: i64 = tx.query_row("SELECT count(*) FROM tracked", [], |row| row.get(0))?;
        let mut keys = Vec::with_capacity(ids.len());
        if ids.len() < usize::try_from(count).unwrap_or_default() / IN_ONE_GO {
            let mut one = tx.prepare_cached(&one)?;
            for id in ids {
                let found = one.query_row([id.get()], key);
                keys.push(found.optional()?.unwrap_or(SortKey::Unknown));
                if keys.len().is_multiple_of(A_STRIDE) && is_cancelled() {
                    break;
                }
            }
            return Ok(keys);
        }
        let mut all = tx.prepare_cached(&all)?;
        let mut rows = all.query([])?;
        while keys.len() < ids.len()
            && let Some(row) = rows.next()?
        {
            let id: i64 = row.get(0)?;
            while ids.get(keys.len()).is_some_and(|wanted| wanted.get() < id) {
                keys.push(SortKey::Unknown);
            }
            if ids.get(keys.len()).is_some_and(|wanted| wanted.get() == id) {
                keys.push(key(row)?);
                if keys.len().is_multiple_of(A_STRIDE) && is_cancelled() {
                    return Ok(keys);
                }
            }
        }
        keys.resize(ids.len(), SortKey::Unknown);
        Ok(keys)
    }
}

/// Converts a field's column to the field's value.
pub(super) fn field_value<'a>(
    field: ListField,
    value: ValueRef<'a>,
    names: &'a Names,
) -> rusqlite::Result<FieldValue<'a>> {
    Ok(match (field.entry().kind, value) {
        (_, ValueRef::Integer(key)) if field == ListField::Carrier => {
            { names.carrier(key) }.map_or(FieldValue::Missing, |(_, name)| FieldValue::text(name))
        }
        (_, ValueRef::Integer(key)) if field == ListField::Status => { names.status(key) }
            .map_or(FieldValue::Missing, |one| {
                FieldValue::Text(one.label().into())
            }),
        (FieldKind::Time, ValueRef::Integer(millis)) => FieldValue::time(local(Some(millis))),
        (FieldKind::Moment, ValueRef::Integer(millis)) => {
            FieldValue::moment(Timestamp::from_millisecond(millis).ok())
        }
        (FieldKind::Amount(_), ValueRef::Text(_)) => {
            FieldValue::amount(value.as_str()?.parse().ok())
        }
        (FieldKind::Mark, ValueRef::Integer(mark)) => FieldValue::Mark(mark != 0),
        (FieldKind::Id, ValueRef::Integer(id)) => FieldValue::Id(id),
        (FieldKind::Count, ValueRef::Integer(count)) => FieldValue::Count(count),
        (FieldKind::Text, ValueRef::Text(_)) => FieldValue::text(value.as_str()?),
        _ => FieldValue::Missing,
    })
}

/// Returns the query for a field's column of all rows, or of one row; `None` for a field that is not in the store.
pub(super) fn field_query(field: ListField, rest: &str) -> Option<String> {
    let (table, column) = field.entry().stored?;
    Some(format!("SELECT id, \"{column}\" FROM {table} {rest}"))
}

const BY_ID: &str = "WHERE id = ?1";

/// Returns whether a row matches a word that is limited to a field.
pub(super) fn matches(
    db: &Connection,
    names: &Names,
    id: ConsignmentId,
    (field, word): (ListField, &FilterWord),
) -> rusqlite::Result<bool> {
    let Some(sql) = field_query(field, BY_ID) else {
        return Ok(false);
    };
    let found = db.prepare_cached(&sql)?.query_row([id.get()], |row| {
        Ok(word.matches_field(field, &field_value(field, row.get_ref(1)?, names)?))
    });
    Ok(found.optional()?.unwrap_or_default())
}
