//! The service's side: a practice service whose consignments are created, changed, booked, cancelled and
//! deleted by a seed, directly in its database, while the simulated carriers work.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use jiff::{SignedDuration, Timestamp};
use practice::Clock;
use rusqlite::{Connection, params};

use super::ground::{Ground, start};

/// The service in one run.
pub(in crate::track) struct World {
    pub(in crate::track) rng: Rng,
    /// The service's clock.
    pub(in crate::track) clock: Clock,
    /// The bench's: it may be wrong.
    pub(in crate::track) bench_clock: Clock,
    sql: Connection,
    templates: Vec<(i64, String)>,
    next: i64,
    /// These got a step that is dated hours back: no list of what changed since tells of it.
    pub(in crate::track) dated_back: BTreeSet<i64>,
    /// All are of the first company, and with its first carrier.
    plain: bool,
    /// There are many, and now and then something happens to many at once.
    crowded: bool,
    pub(in crate::track) log: Vec<String>,
}

impl World {
    /// An empty service, its clock at the beginning.
    pub(in crate::track) fn empty(ground: &Ground, seed: u64) -> Self {
        let sql = ground.sql();
        sql.execute_batch(
            "BEGIN; DELETE FROM carriage; DELETE FROM converted; DELETE FROM history; DELETE FROM consignment;
             DELETE FROM manifest; COMMIT;",
        )
        .expect("emptied");
        let mut rng = Rng::with_seed(seed);
        let clock = ground.service.clock().clone();
        clock.set(start());
        let skew =
            SignedDuration::from_mins(rng.choice([0, 0, 0, 0, -290, -3, 7, 170]).unwrap_or(0));
        Self {
            rng,
            clock,
            bench_clock: Clock::fixed(start() + skew),
            sql,
            templates: ground.templates.clone(),
            next: 300_000,
            dated_back: BTreeSet::new(),
            plain: false,
            crowded: false,
            log: Vec::new(),
        }
    }

    /// From now on, all are of the first company, and with its first carrier.
    pub(in crate::track) fn plain(&mut self) {
        self.plain = true;
    }

    /// From now on there are many: `waiting` that wait, and as many as `booked` behind them that do so no more.
    pub(in crate::track) fn crowd(&mut self, waiting: u32, booked: u32) {
        self.crowded = true;
        self.sql.execute_batch("BEGIN").expect("begun");
        let now = self.clock.now();
        for nth in 0..waiting + booked {
            let at = now - SignedDuration::from_mins(self.rng.i64(20..11_000));
            let id = self.create(at);
            if nth >= waiting {
                let sql = "UPDATE consignment SET status = 3 WHERE id = ?1";
                self.sql.execute(sql, [id]).expect("booked");
                self.step(id, 3, at + SignedDuration::from_mins(5));
            }
        }
        self.sql.execute_batch("COMMIT").expect("ended");
    }

    pub(in crate::track) fn note(&mut self, what: impl Into<String>) {
        let line = format!("{} {}", self.clock.now(), what.into());
        self.log.push(line);
    }

    pub(in crate::track) fn pass(&mut self, time: SignedDuration) {
        self.clock.advance(time);
        self.bench_clock.advance(time);
    }

    /// Time goes by as it does at work.
    pub(in crate::track) fn pass_a_little(&mut self) {
        let seconds = self.rng.choice([0, 0, 1, 7, 45, 200]).unwrap_or(0);
        self.pass(SignedDuration::from_secs(seconds));
    }

    /// Has one thing happen.
    pub(in crate::track) fn act(&mut self) {
        if self.crowded && self.rng.u32(0..8) == 0 {
            return self.act_on_many();
        }
        match self.rng.u32(0..14) {
            0..4 => drop(self.create(self.clock.now())),
            4 => self.edit(),
            5 => self.delete(),
            6..9 => self.book(),
            9..12 => self.set_status(),
            12 => self.date_back(),
            _ => self.cancel(),
        }
    }

    /// Many that wait are deleted or booked at once, the oldest first: all that is listed behind the deleted ones moves up.
    fn act_on_many(&mut self) {
        let any = self.rng.usize(10..=400);
        let most = self.rng.choice([10, 60, 111, 150, any]).unwrap_or(any);
        let mut ids = self.those("status = 2");
        ids.truncate(most);
        let booked = self.rng.u32(0..4) == 0;
        self.sql.execute_batch("BEGIN").expect("begun");
        for id in ids {
            if booked {
                self.book_one(id);
            } else {
                self.remove(id);
            }
        }
        self.sql.execute_batch("COMMIT").expect("ended");
    }

    /// Makes one at a moment; answers its id.
    pub(in crate::track) fn create(&mut self, at: Timestamp) -> i64 {
        // Ids need not come in their order: those of another company come between.
        self.next += self.rng.i64(1..4);
        let at_random = self.rng.choice(&self.templates).expect("templates");
        let (carrier, document) = at_random.clone();
        let company = if self.rng.u32(0..5) == 0 { 2 } else { 1 };
        if self.plain {
            let (carrier, document) = self.templates[0].clone();
            return self.insert(1, carrier, &document, at);
        }
        self.insert(company, carrier, &document, at)
    }

    /// Creates a consignment for this company with this carrier.
    pub(in crate::track) fn create_of(&mut self, company: i64, carrier: usize) -> i64 {
        self.next += 1;
        let (carrier, document) = self.templates[carrier].clone();
        self.insert(company, carrier, &document, self.clock.now())
    }

    fn insert(&mut self, company: i64, carrier: i64, document: &str, at: Timestamp) -> i64 {
        let id = self.next;
        self.sql
            .execute(
                "INSERT INTO consignment (id, company_id, carrier_id, status, document) VALUES (?1, ?2, ?3, 2,
                 json_set(?4, '$.id', ?1, '$.company_id', ?2, '$.tracking_token', 'token-' || ?1, '$.created', ?5,
                    '$.carrier_consignment_id', 'C' || ?1, '$.job.customer_reference', 'SO-' || ?1))",
                params![id, company, carrier, document, at.to_string()],
            )
            .expect("made");
        self.step(id, 2, at);
        self.note(format!("made {id} of company {company}"));
        id
    }

    /// The change of a consignment without a change of status.
    fn edit(&mut self) {
        if let Some(id) = self.some("status = 2") {
            let name = format!("Receiver {}", self.rng.u32(..));
            self.rename(id, &name);
        }
    }

    pub(in crate::track) fn rename(&mut self, id: i64, name: &str) {
        self.sql
            .execute(
                "UPDATE consignment SET document = json_set(document, '$.job.to.name', ?2, '$.job.customer_reference', ?2)
                 WHERE id = ?1",
                params![id, name],
            )
            .expect("edited");
        self.note(format!("edited {id}"));
    }

    fn delete(&mut self) {
        if let Some(id) = self.some("status = 2") {
            self.remove(id);
        }
    }

    pub(in crate::track) fn remove(&mut self, id: i64) {
        for sql in [
            "DELETE FROM history WHERE consignment_id = ?1",
            "DELETE FROM consignment WHERE id = ?1",
        ] {
            self.sql.execute(sql, [id]).expect("deleted");
        }
        self.note(format!("deleted {id}"));
    }

    /// Books some: from then on their carriers move them.
    pub(in crate::track) fn book(&mut self) {
        for _ in 0..self.rng.u32(1..5) {
            if let Some(id) = self.some("status = 2") {
                self.book_one(id);
            }
        }
    }

    fn book_one(&mut self, id: i64) {
        let now = self.clock.now();
        self.sql
                .execute(
                    "INSERT INTO manifest (company_id, carrier_id, booked_us, carrier_reference, document)
                     SELECT company_id, carrier_id, ?2, 'M' || id, '{}' FROM consignment WHERE id = ?1",
                    params![id, now.as_microsecond()],
                )
                .expect("a manifest");
        let manifest = self.sql.last_insert_rowid();
        self.sql
            .execute(
                "UPDATE consignment SET status = 3, manifest_id = ?2 WHERE id = ?1",
                [id, manifest],
            )
            .expect("booked");
        self.sql
            .execute(
                "INSERT INTO carriage (consignment_id, steps, since_us, takes_us, next_us, ended)
                     VALUES (?1, 0, ?2, 0, ?2, 0)",
                [id, now.as_microsecond()],
            )
            .expect("sending");
        self.step(id, 3, now);
        self.note(format!("booked {id}"));
    }

    fn set_status(&mut self) {
        let Some(id) = self.some("status NOT IN (2, 10)") else {
            return;
        };
        let status = self.rng.choice([4, 6, 8, 9, 16, 28, 29]).unwrap_or(6);
        // Within what the service may take to list it.
        let back = SignedDuration::from_secs(self.rng.i64(0..500));
        self.becomes(id, status, self.clock.now() - back);
    }

    fn date_back(&mut self) {
        let Some(id) = self.some("status NOT IN (2, 10)") else {
            return;
        };
        let back = SignedDuration::from_mins(self.rng.i64(30..1_200));
        self.dated_back.insert(id);
        self.becomes(id, 6, self.clock.now() - back);
    }

    fn cancel(&mut self) {
        let Some(id) = self.some("status = 3") else {
            return;
        };
        self.sql
            .execute(
                "UPDATE carriage SET ended = 1, next_us = NULL WHERE consignment_id = ?1",
                [id],
            )
            .expect("not carried");
        self.becomes(id, 10, self.clock.now());
    }

    pub(in crate::track) fn becomes(&mut self, id: i64, status: i64, at: Timestamp) {
        self.sql
            .execute(
                "UPDATE consignment SET status = ?2 WHERE id = ?1",
                [id, status],
            )
            .expect("changed");
        self.step(id, status, at);
        self.note(format!("{id} is {status}, dated {at}"));
    }

    fn step(&self, id: i64, status: i64, at: Timestamp) {
        self.sql
            .execute(
                "INSERT INTO history (consignment_id, status, at_us, by_name, by_user_id) VALUES (?1, ?2, ?3, 'Clerk', 1)",
                params![id, status, at.as_microsecond()],
            )
            .expect("a step");
    }

    /// One of those that are so.
    fn some(&mut self, that: &str) -> Option<i64> {
        let ids = self.those(that);
        self.rng.choice(ids)
    }

    /// All that are so, the oldest first.
    fn those(&self, that: &str) -> Vec<i64> {
        let sql = format!("SELECT id FROM consignment WHERE {that} ORDER BY id");
        let mut rows = self.sql.prepare(&sql).expect("a query");
        let ids = rows.query_map([], |row| row.get(0)).expect("rows");
        ids.collect::<Result<_, _>>().expect("ids")
    }

    /// What there is, each with its company, its carrier and its last step.
    pub(in crate::track) fn all(&self) -> BTreeMap<i64, (i64, i64, Timestamp)> {
        let sql = "SELECT id, company_id, carrier_id, last_us FROM consignment";
        let mut rows = self.sql.prepare(sql).expect("a query");
        let rows = rows.query_map([], |row| {
            let last: i64 = row.get(3)?;
            let last = Timestamp::from_microsecond(last).expect("a moment");
            Ok((row.get(0)?, (row.get(1)?, row.get(2)?, last)))
        });
        rows.expect("rows").collect::<Result<_, _>>().expect("rows")
    }
}
