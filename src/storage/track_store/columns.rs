//! Reads and writes the columns of a row. Times are stored to the millisecond, amounts with all their digits.

use std::fmt::Write as _;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension as _, Row, Statement, params};
use rust_decimal::Decimal;

use super::names::Names;
use super::row::ConsignmentRow;
use super::summary::eta_day;
use crate::JournalError;
use crate::sql_types::Millis;
use shipping::{
    CarrierServiceId, CompanyId, ConsignmentId, CubicMetres, Dollars, Kilograms, LocalTime,
    Location, ManifestId, Status, StatusId,
};

const TRACKED: &[&str] = &[
    "company",
    "carrier",
    "status",
    "despatch_ms",
    "eta_ms",
    "eta_day",
    "changed_ms",
    "scanned_ms",
    "booked_ms",
    "ended_ms",
];

const SHOWN: &[&str] = &[
    "number",
    "carrier_number",
    "reference",
    "reference2",
    "token",
    "service",
    "from_name",
    "from_id",
    "from_suburb",
    "from_postcode",
    "from_state",
    "from_zone",
    "from_country",
    "to_name",
    "to_id",
    "to_suburb",
    "to_postcode",
    "to_state",
    "to_zone",
    "to_country",
    "despatch_local_ms",
    "eta_local_ms",
    "manifest",
    "attachments",
    "pieces",
    "weight",
    "volume",
    "price",
    "dangerous",
    "international",
    "important",
    "is_test",
    "service_id",
];

/// Saves the columns that metrics need, if they differ. The last value is the time when the row was seen.
pub(super) static PUT_TRACKED: LazyLock<String> =
    LazyLock::new(|| upsert("tracked", TRACKED, true));

/// Saves the columns that are shown, if they differ.
pub(super) static PUT_SHOWN: LazyLock<String> = LazyLock::new(|| upsert("shown", SHOWN, false));

/// Selects a row by its id.
pub(super) static ROW: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT tracked.id, {}, {} FROM tracked JOIN shown ON shown.id = tracked.id WHERE tracked.id = ?1",
        TRACKED.join(", "),
        SHOWN.join(", ")
    )
});

/// Builds a statement that inserts a row, or updates it if any column differs; an equal row is not written.
/// `dangerous` keeps its value if the answer did not say.
fn upsert(table: &str, columns: &[&str], seen: bool) -> String {
    let (mut places, mut sets) = (String::from("?1"), Vec::new());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (at, column) in columns.iter().enumerate() {
        let new = match *column {
            "dangerous" => format!("coalesce(excluded.dangerous, {table}.dangerous)"),
            other => format!("excluded.{other}"),
        };
        // Writing to a string cannot fail.
        let _ = write!(places, ", ?{}", at + 2);
        sets.push(format!("{column} = {new}"));
        ours.push(format!("{table}.{column}"));
        theirs.push(new);
    }
    let mut names = columns.join(", ");
    if seen {
        names.push_str(", seen_ms");
        let _ = write!(places, ", ?{}", columns.len() + 2);
        sets.push("seen_ms = excluded.seen_ms".to_owned());
    }
    format!(
        "INSERT INTO {table} (id, {names}) VALUES ({places}) ON CONFLICT (id) DO UPDATE SET {} WHERE ({}) IS NOT ({})",
        sets.join(", "),
        ours.join(", "),
        theirs.join(", ")
    )
}

/// Runs [`PUT_TRACKED`]. Returns true if a row was written.
pub(super) fn put_tracked(
    put: &mut Statement<'_>,
    row: &ConsignmentRow,
    (carrier, status): (i64, i64),
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let day = eta_day(row);
    let wrote = put.execute(params![
        row.id.get(),
        row.company.map(CompanyId::get),
        carrier,
        status,
        row.despatch_at.map(Millis),
        row.eta_at.map(Millis),
        (day != 0).then_some(day),
        row.changed.map(Millis),
        row.scanned.map(Millis),
        row.booked.map(Millis),
        row.ended.map(Millis),
        Millis(now),
    ])?;
    Ok(wrote > 0)
}

/// Runs [`PUT_SHOWN`]. Returns true if a row was written.
pub(super) fn put_shown(put: &mut Statement<'_>, row: &ConsignmentRow) -> rusqlite::Result<bool> {
    let amount = |amount: Option<Decimal>| amount.map(|amount| amount.normalize().to_string());
    let (from, to) = (&row.from_place, &row.to_place);
    let weight = amount(row.weight.map(|weight| weight.0));
    let volume = amount(row.volume.map(|volume| volume.0));
    let price = amount(row.price.map(|price| price.0));
    let (despatch, eta) = (row.despatch.map(civil), row.eta.map(civil));
    let manifest = row.manifest.map(ManifestId::get);
    let service_id = row.service_id.map(CarrierServiceId::get);
    let id = row.id.get();
    let values: [&dyn ToSql; 34] = [
        &id,
        &row.number,
        &row.carrier_number,
        &row.reference,
        &row.reference2,
        &row.tracking_token,
        &row.service,
        &row.from,
        &from.id,
        &from.suburb,
        &from.postcode,
        &from.state,
        &from.time_zone,
        &from.country,
        &row.to,
        &to.id,
        &to.suburb,
        &to.postcode,
        &to.state,
        &to.time_zone,
        &to.country,
        &despatch,
        &eta,
        &manifest,
        &row.attachments,
        &row.pieces,
        &weight,
        &volume,
        &price,
        &row.dangerous,
        &row.international,
        &row.important,
        &row.is_test,
        &service_id,
    ];
    Ok(put.execute(values.as_slice())? > 0)
}

/// Returns the rows of these consignments, in the order of `ids`. Leaves out consignments that are not tracked.
pub(super) fn rows(
    db: &Connection,
    names: &Names,
    ids: &[ConsignmentId],
) -> Result<Vec<ConsignmentRow>, JournalError> {
    let mut one = db.prepare_cached(&ROW)?;
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        let row = one.query_row([id.get()], |row| Ok(read(row, names)));
        if let Some(row) = row.optional()? {
            rows.push(row?);
        }
    }
    Ok(rows)
}

/// Reads a row selected by [`ROW`].
pub(super) fn read(row: &Row<'_>, names: &Names) -> Result<ConsignmentRow, JournalError> {
    let at = |column: usize| -> rusqlite::Result<Option<Timestamp>> {
        Ok(row.get::<_, Option<Millis>>(column)?.map(|at| at.0))
    };
    let amount = |column: usize| -> rusqlite::Result<Option<Decimal>> {
        let text = row.get_ref(column)?.as_str_or_null()?;
        Ok(text.and_then(|text| text.parse().ok()))
    };
    let place = |first: usize| -> rusqlite::Result<Location> {
        Ok(Location {
            id: row.get(first)?,
            suburb: row.get(first + 1)?,
            postcode: row.get(first + 2)?,
            state: row.get(first + 3)?,
            time_zone: row.get(first + 4)?,
            country: row.get(first + 5)?,
        })
    };
    let (carrier_id, carrier) = { names.carrier(row.get(2)?).cloned() }.unwrap_or_default();
    let unknown = || Status {
        id: StatusId::new(0),
        name: String::new(),
        description: String::new(),
    };
    Ok(ConsignmentRow {
        id: ConsignmentId::new(row.get(0)?),
        company: row.get::<_, Option<i64>>(1)?.map(CompanyId::new),
        carrier_id,
        carrier,
        status: { names.status(row.get(3)?).cloned() }.unwrap_or_else(unknown),
        despatch_at: at(4)?,
        eta_at: at(5)?,
        changed: at(7)?,
        scanned: at(8)?,
        booked: at(9)?,
        ended: at(10)?,
        number: row.get(11)?,
        carrier_number: row.get(12)?,
        reference: row.get(13)?,
        reference2: row.get(14)?,
        tracking_token: row.get(15)?,
        service: row.get(16)?,
        from: row.get(17)?,
        from_place: place(18)?,
        to: row.get(24)?,
        to_place: place(25)?,
        despatch: local(row.get(31)?),
        eta: local(row.get(32)?),
        manifest: row.get::<_, Option<i64>>(33)?.map(ManifestId::new),
        attachments: row.get(34)?,
        pieces: row.get(35)?,
        weight: amount(36)?.map(Kilograms),
        volume: amount(37)?.map(CubicMetres),
        price: amount(38)?.map(Dollars),
        dangerous: row.get(39)?,
        international: row.get(40)?,
        important: row.get(41)?,
        is_test: row.get(42)?,
        service_id: row.get::<_, Option<i64>>(43)?.map(CarrierServiceId::new),
    })
}

/// Converts a wall-clock time to milliseconds as if it were UTC.
pub(super) fn civil(at: LocalTime) -> Option<i64> {
    let moment = TimeZone::UTC.to_timestamp(at.0).ok()?;
    Some(moment.as_millisecond())
}

pub(super) fn local(millis: Option<i64>) -> Option<LocalTime> {
    let moment = Timestamp::from_millisecond(millis?).ok()?;
    let civil: DateTime = TimeZone::UTC.to_datetime(moment);
    Some(LocalTime(civil))
}
