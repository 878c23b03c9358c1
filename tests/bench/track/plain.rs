//! The baseline: plain SQL over the same columns of the same file.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, params};

pub(crate) struct Plain(Connection);

const DAY_MS: i64 = 86_400_000;

impl Plain {
    pub(crate) fn open(path: &Path) -> Self {
        let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let db = db.expect("a store");
        db.pragma_update(None, "cache_size", -16_000)
            .expect("a cache");
        Self(db)
    }

    /// The newest 5,000 rows that hold each word somewhere.
    pub(crate) fn search(&self, typed: &str) -> usize {
        let columns = [
            "number",
            "carrier_number",
            "reference",
            "reference2",
            "\"to\"",
            "to_place_suburb",
            "to_place_postcode",
            "\"from\"",
        ];
        let words: Vec<String> = typed
            .split_whitespace()
            .map(|word| format!("%{word}%"))
            .collect();
        let condition = |at: usize| {
            let any: Vec<String> = columns
                .iter()
                .map(|one| format!("{one} LIKE ?{}", at + 1))
                .collect();
            format!("({})", any.join(" OR "))
        };
        let all: Vec<String> = (0..words.len()).map(condition).collect();
        let sql = format!(
            "SELECT id FROM shown WHERE {} ORDER BY id DESC LIMIT 5000",
            all.join(" AND ")
        );
        let mut search = self.0.prepare(&sql).expect("a query");
        let found = search.query_map(rusqlite::params_from_iter(words), |row| {
            row.get::<_, i64>(0)
        });
        found.expect("rows").count()
    }

    /// Queries the board's metrics, one by one: by status, carrier, company and age; due, late, not
    /// collected, not scanned; on time by carrier and day; the median; the worst rows.
    pub(crate) fn board(&self, now: Timestamp) {
        let now = now.as_millisecond();
        let since = now - 14 * DAY_MS;
        let scope = "(changed >= ?2 OR despatch_at >= ?2 OR ended IS NULL)";
        for sql in [
            format!("SELECT status, count(*), ?1 FROM tracked WHERE {scope} GROUP BY status"),
            format!("SELECT carrier, count(*), ?1 FROM tracked WHERE {scope} GROUP BY carrier"),
            format!("SELECT company, count(*), ?1 FROM tracked WHERE {scope} GROUP BY company"),
            format!(
                "SELECT (?1 - despatch_at) / 86400000 AS days, count(*) FROM tracked
                 WHERE ended IS NULL AND {scope} GROUP BY days"
            ),
            format!(
                "SELECT sum(eta_at < ?1), sum(scanned < ?1 - 172800000), sum(booked < ?1 - 86400000)
                 FROM tracked WHERE ended IS NULL AND {scope}"
            ),
            format!(
                "SELECT carrier, eta_day, sum(ended <= eta_at), sum(ended > eta_at) FROM tracked
                 WHERE eta_at BETWEEN ?2 AND ?1 AND {scope} GROUP BY carrier, eta_day"
            ),
            format!(
                "SELECT ended - despatch_at AS took FROM tracked
                 WHERE ended IS NOT NULL AND ?1 > 0 AND {scope} ORDER BY took"
            ),
            format!(
                "SELECT id, eta_at FROM tracked WHERE ended IS NULL AND eta_at < ?1 AND {scope}
                 ORDER BY eta_at LIMIT 1000"
            ),
        ] {
            let mut figures = self.0.prepare(&sql).expect("a query");
            let mut rows = figures.query(params![now, since]).expect("rows");
            while rows.next().expect("a row").is_some() {}
        }
    }
}
