//! Names of carriers and statuses. Each is stored once, and rows refer to it by a key.
//!
//! Invariant: every key in a row exists in the table `names`. The number of names of each kind is limited.

use std::collections::HashMap;

use rusqlite::{Connection, Transaction, params};

use crate::Result;
use crate::sql_types::{first_row, run};
use shipping::{CarrierId, Status, StatusId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum NameKind {
    Carrier,
    Status,
}

/// Most names stored of each kind. Above that, only ids are stored.
const MOST: i64 = 20_000;

/// Separates a status's name from its description.
const BETWEEN: char = '\u{1f}';

/// The keys of names, for writing in one transaction.
pub(super) struct NameKeys<'a> {
    tx: &'a Transaction<'a>,
    /// The keys that the transaction has used, by kind, id and text of the name.
    known: HashMap<(NameKind, Option<i64>, String), i64>,
}

impl<'a> NameKeys<'a> {
    pub(super) fn new(tx: &'a Transaction<'a>) -> Self {
        Self {
            tx,
            known: HashMap::new(),
        }
    }

    pub(super) fn carrier(&mut self, id: Option<CarrierId>, name: &str) -> Result<i64> {
        self.key((NameKind::Carrier, id.map(CarrierId::get), name.to_owned()))
    }

    pub(super) fn status(&mut self, status: &Status) -> Result<i64> {
        let text = format!("{}{BETWEEN}{}", status.name, status.description);
        self.key((NameKind::Status, Some(status.id.get()), text))
    }

    /// Returns the key of a name, and stores the name if it is new. Above the limit, stores only its id.
    fn key(&mut self, name: (NameKind, Option<i64>, String)) -> Result<i64> {
        if let Some(key) = self.known.get(&name) {
            return Ok(*key);
        }
        let (kind, id, text) = &name;
        let key = match self.stored_key(*kind, *id, text)? {
            Some(key) => key,
            None if self.is_full(*kind)? => match self.stored_key(*kind, *id, "")? {
                Some(key) => key,
                None => self.insert(*kind, *id, "")?,
            },
            None => self.insert(*kind, *id, text)?,
        };
        self.known.insert(name, key);
        Ok(key)
    }

    fn is_full(&self, kind: NameKind) -> Result<bool> {
        let sql = "SELECT count(*) FROM names WHERE kind = ?1";
        let count: i64 = self.tx.query_row(sql, [kind as i64], |row| row.get(0))?;
        Ok(count >= MOST)
    }

    fn stored_key(&self, kind: NameKind, id: Option<i64>, text: &str) -> Result<Option<i64>> {
        let sql = "SELECT key FROM names WHERE kind = ?1 AND id IS ?2 AND text = ?3";
        first_row(self.tx, sql, params![kind as i64, id, text], |row| {
            row.get(0)
        })
    }

    fn insert(&self, kind: NameKind, id: Option<i64>, text: &str) -> Result<i64> {
        let sql = "INSERT INTO names (kind, id, text) VALUES (?1, ?2, ?3)";
        run(self.tx, sql, params![kind as i64, id, text])?;
        Ok(self.tx.last_insert_rowid())
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
    pub(super) fn catch_up(&mut self, db: &Connection) -> Result<()> {
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
