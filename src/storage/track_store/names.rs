//! Names of carriers and statuses. Each is stored once, and rows refer to it by a key.
//!
//! Invariant: every key in a row exists in the table `names`. The number of names of each kind is limited.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use crate::JournalError;
use shipping::{CarrierId, Status, StatusId};

/// The kind of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum NameKind {
    Carrier,
    Status,
}

/// Most names stored of each kind. Above that, only ids are stored.
const MOST: usize = 20_000;

/// Separates a status's name from its description.
const BETWEEN: char = '\u{1f}';

/// The keys by kind, id and text of a name, for writing.
#[derive(Debug, Default)]
pub(super) struct NameKeys {
    keys: HashMap<(NameKind, Option<i64>, String), i64>,
    count: [usize; 2],
}

impl NameKeys {
    pub(super) fn load(db: &Connection) -> Result<Self, JournalError> {
        let mut keys = Self::default();
        let mut all = db.prepare("SELECT key, kind, id, text FROM names")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let name = (kind_of(row.get(1)?), row.get(2)?, row.get(3)?);
            keys.insert(name, row.get(0)?);
        }
        Ok(keys)
    }

    pub(super) fn carrier(
        &mut self,
        db: &Connection,
        id: Option<CarrierId>,
        name: &str,
    ) -> Result<i64, JournalError> {
        let id = id.map(CarrierId::get);
        self.key(db, (NameKind::Carrier, id, name.to_owned()))
    }

    pub(super) fn status(&mut self, db: &Connection, status: &Status) -> Result<i64, JournalError> {
        let text = format!("{}{BETWEEN}{}", status.name, status.description);
        self.key(db, (NameKind::Status, Some(status.id.get()), text))
    }

    /// Returns the key of a name, which is stored if it is new. Above the limit, only its id is.
    fn key(
        &mut self,
        db: &Connection,
        mut name: (NameKind, Option<i64>, String),
    ) -> Result<i64, JournalError> {
        if self.count[name.0 as usize] >= MOST && !self.keys.contains_key(&name) {
            name.2.clear();
        }
        if let Some(key) = self.keys.get(&name) {
            return Ok(*key);
        }
        let sql = "INSERT INTO names (kind, id, text) VALUES (?1, ?2, ?3)";
        db.execute(sql, params![name.0 as i64, name.1, name.2])?;
        let key = db.last_insert_rowid();
        self.insert(name, key);
        Ok(key)
    }

    fn insert(&mut self, name: (NameKind, Option<i64>, String), key: i64) {
        self.count[name.0 as usize] += 1;
        self.keys.insert(name, key);
    }
}

fn kind_of(kind: i64) -> NameKind {
    if kind == NameKind::Status as i64 {
        NameKind::Status
    } else {
        NameKind::Carrier
    }
}

/// The names by key, for reading.
#[derive(Debug, Clone, Default)]
pub struct Names {
    carriers: HashMap<i64, (Option<CarrierId>, String)>,
    statuses: HashMap<i64, Status>,
    newest: i64,
}

impl Names {
    /// Reads the names added since the last call.
    pub(super) fn catch_up(&mut self, db: &Connection) -> Result<(), JournalError> {
        let mut all = db.prepare_cached("SELECT key, kind, id, text FROM names WHERE key > ?1")?;
        let mut rows = all.query([self.newest])?;
        while let Some(row) = rows.next()? {
            let (key, id, text): (i64, Option<i64>, String) =
                (row.get(0)?, row.get(2)?, row.get(3)?);
            match kind_of(row.get(1)?) {
                NameKind::Carrier => {
                    self.carriers.insert(key, (id.map(CarrierId::new), text));
                }
                NameKind::Status => {
                    let (name, description) = text.split_once(BETWEEN).unwrap_or_default();
                    let status = Status {
                        id: StatusId::new(id.unwrap_or_default()),
                        name: name.to_owned(),
                        description: description.to_owned(),
                    };
                    self.statuses.insert(key, status);
                }
            }
            self.newest = self.newest.max(key);
        }
        Ok(())
    }

    pub(super) fn carrier(&self, key: i64) -> Option<&(Option<CarrierId>, String)> {
        self.carriers.get(&key)
    }

    pub(super) fn status(&self, key: i64) -> Option<&Status> {
        self.statuses.get(&key)
    }

    /// Returns the newest name of each carrier.
    pub fn carriers(&self) -> HashMap<Option<CarrierId>, &str> {
        let mut keys: Vec<_> = self.carriers.iter().collect();
        keys.sort_unstable_by_key(|(key, _)| **key);
        let names = keys.into_iter().map(|(_, (id, name))| (*id, name.as_str()));
        names.collect()
    }

    /// Returns the newest name of each status.
    pub fn statuses(&self) -> HashMap<StatusId, &Status> {
        let mut keys: Vec<_> = self.statuses.iter().collect();
        keys.sort_unstable_by_key(|(key, _)| **key);
        keys.into_iter().map(|(_, one)| (one.id, one)).collect()
    }
}
