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

/// The keys by name, for writing.
#[derive(Debug, Default)]
pub(super) struct NameKeys {
    carriers: HashMap<Option<i64>, HashMap<String, i64>>,
    statuses: HashMap<Option<i64>, HashMap<String, i64>>,
    count: [usize; 2],
    text: String,
}

impl NameKeys {
    pub(super) fn load(db: &Connection) -> Result<Self, JournalError> {
        let mut keys = Self::default();
        let mut all = db.prepare("SELECT key, kind, id, text FROM names")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let kind = kind_of(row.get(1)?);
            keys.learn(kind, row.get(2)?, row.get(3)?, row.get(0)?);
        }
        Ok(keys)
    }

    pub(super) fn carrier(
        &mut self,
        db: &Connection,
        id: Option<CarrierId>,
        name: &str,
    ) -> Result<i64, JournalError> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text.push_str(name);
        self.key(db, NameKind::Carrier, id.map(CarrierId::get), text)
    }

    pub(super) fn status(&mut self, db: &Connection, status: &Status) -> Result<i64, JournalError> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text.push_str(&status.name);
        text.push(BETWEEN);
        text.push_str(&status.description);
        self.key(db, NameKind::Status, Some(status.id.get()), text)
    }

    fn key(
        &mut self,
        db: &Connection,
        kind: NameKind,
        id: Option<i64>,
        mut text: String,
    ) -> Result<i64, JournalError> {
        if self.count[kind as usize] >= MOST && self.known(kind, id, &text).is_none() {
            text.clear();
        }
        let known = self.known(kind, id, &text);
        let key = if let Some(key) = known {
            key
        } else {
            let sql = "INSERT INTO names (kind, id, text) VALUES (?1, ?2, ?3)";
            db.execute(sql, params![kind as i64, id, text])?;
            let key = db.last_insert_rowid();
            self.learn(kind, id, text.clone(), key);
            key
        };
        self.text = text;
        Ok(key)
    }

    fn known(&self, kind: NameKind, id: Option<i64>, text: &str) -> Option<i64> {
        let names = match kind {
            NameKind::Carrier => &self.carriers,
            NameKind::Status => &self.statuses,
        };
        names.get(&id)?.get(text).copied()
    }

    fn learn(&mut self, kind: NameKind, id: Option<i64>, text: String, key: i64) {
        let names = match kind {
            NameKind::Carrier => &mut self.carriers,
            NameKind::Status => &mut self.statuses,
        };
        names.entry(id).or_default().insert(text, key);
        self.count[kind as usize] += 1;
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
