//! Consignments with their history: creates, reads, finds and lists them, and changes existing ones (edits,
//! deletions, status changes and bookings with a carrier). The caller holds the lock of changes, so that no other
//! user changes a consignment between the check of its status and the change.

use jiff::Timestamp;
use rusqlite::{Connection, Params, Row, params};
use serde_json::Value;

use super::{Store, StoreError, moment};
use crate::consignment::{Consignment, ConsignmentRecord, Status, StatusEvent};

/// One change of status by a user.
pub(crate) struct StatusChange {
    pub(crate) consignment_id: i64,
    /// The status that the consignment must still have.
    pub(crate) before: Status,
    /// A partial event leaves the status of the consignment unchanged.
    pub(crate) event: StatusEvent,
}

impl StatusChange {
    /// Returns the status of the consignment after the change.
    pub(crate) fn after(&self) -> Status {
        if self.event.partial {
            self.before
        } else {
            self.event.status
        }
    }
}

pub(crate) struct NewManifest<'a> {
    pub(crate) company_id: i64,
    pub(crate) carrier_id: i64,
    pub(crate) consignment_ids: &'a [i64],
    pub(crate) booked: &'a StatusEvent,
    /// Prefix of the carrier's reference, before the manifest's id; none if no pickup was requested.
    pub(crate) reference_prefix: Option<&'a str>,
    /// The pickup as requested.
    pub(crate) document: &'a Value,
}

/// The field to look up by. Values must match exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookupKey {
    CarrierConsignmentId,
    Reference1,
    Reference2,
}

impl LookupKey {
    /// Returns the JSON path of the field, exactly as in the index, so that SQLite uses the index.
    fn path(self) -> &'static str {
        match self {
            Self::CarrierConsignmentId => "$.carrier_consignment_id",
            Self::Reference1 => "$.job.customer_reference",
            Self::Reference2 => "$.job.customer_reference2",
        }
    }
}

/// The filter of a list: consignments with a status change from `from` to `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecentFilter {
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
    pub(crate) company_ids: Vec<i64>,
    pub(crate) carrier_id: Option<i64>,
}

/// A cached list of recently changed consignments, with the connection's write counter from when the list was made.
/// The list is valid until this connection writes anything, so a later page only reads its own rows.
#[derive(Debug)]
pub(super) struct CachedList {
    listing: RecentFilter,
    written: u64,
    /// In ascending order.
    ids: Vec<i64>,
}

impl Store {
    /// Returns the id of the next consignment, and a random token for its tracking address. The id is not reserved,
    /// so call this only while changes are locked.
    pub(crate) fn next_consignment(&self) -> Result<(i64, String), StoreError> {
        let query = "SELECT seq + 1, lower(hex(randomblob(12))) FROM sqlite_sequence WHERE name = 'consignment'";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.connection.query_row(query, [], read)?)
    }

    /// Inserts a consignment that takes the place of the pending consignments with the ids in `converts`.
    pub(crate) fn insert_consignment(
        &mut self,
        new: &Consignment,
        created: &StatusEvent,
        converts: &[i64],
    ) -> Result<(), StoreError> {
        let document = serde_json::to_string(new)?;
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO consignment (id, company_id, carrier_id, status, document) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![new.id, new.company_id, new.carrier_id, created.status.0, document],
        )?;
        add_event(&transaction, new.id, created)?;
        for pending in converts {
            let gone = transaction.execute("DELETE FROM pending WHERE id = ?1", [pending])?;
            if gone == 1 {
                transaction.execute(
                    "INSERT INTO converted (pending_id, consignment_id) VALUES (?1, ?2)",
                    [*pending, new.id],
                )?;
            }
        }
        Ok(transaction.commit()?)
    }

    pub(crate) fn consignment(&self, id: i64) -> Result<Option<ConsignmentRecord>, StoreError> {
        Ok(self.records("c.id = ?1", [id])?.pop())
    }

    /// Finds the consignment with this token in its tracking address.
    pub(crate) fn consignment_by_token(
        &self,
        token: &str,
    ) -> Result<Option<ConsignmentRecord>, StoreError> {
        let condition = "json_extract(c.document, '$.tracking_token') = ?1";
        Ok(self.records(condition, [token])?.pop())
    }

    /// Returns the consignment that a pending consignment was converted into.
    pub(crate) fn converted(&self, id: i64) -> Result<Option<ConsignmentRecord>, StoreError> {
        let condition = "c.id = (SELECT consignment_id FROM converted WHERE pending_id = ?1)";
        Ok(self.records(condition, [id])?.pop())
    }

    /// Returns the unmanifested consignments of a company, oldest first.
    pub(crate) fn unmanifested(
        &self,
        company_id: i64,
    ) -> Result<Vec<ConsignmentRecord>, StoreError> {
        let condition = "c.status = ?1 AND c.company_id = ?2 ORDER BY c.id";
        self.records(condition, [Status::UNMANIFESTED.0, company_id])
    }

    /// Finds the consignments for each value in order, oldest first within a value.
    pub(crate) fn find(
        &self,
        by: LookupKey,
        values: &[String],
    ) -> Result<Vec<ConsignmentRecord>, StoreError> {
        let path = by.path();
        let condition = format!("json_extract(c.document, '{path}') = ?1 ORDER BY c.id");
        let mut found = Vec::new();
        for value in values {
            found.extend(self.records(&condition, [value])?);
        }
        Ok(found)
    }

    /// Returns one page in the order of ids (`offset` counts from 0), and the number of consignments in the
    /// whole list.
    pub(crate) fn recent_page(
        &mut self,
        listing: RecentFilter,
        offset: usize,
        limit: usize,
    ) -> Result<(Vec<ConsignmentRecord>, usize), StoreError> {
        let written = self.connection.total_changes();
        let kept = self.recent.take();
        let kept = kept.filter(|found| found.written == written && found.listing == listing);
        let found = match kept {
            Some(found) => found,
            None => CachedList {
                ids: ids(&self.connection, &listing)?,
                listing,
                written,
            },
        };
        let page = found.ids.iter().skip(offset).take(limit);
        let page = page.filter_map(|id| self.consignment(*id).transpose());
        let page = page.collect::<Result<_, _>>()?;
        let total = found.ids.len();
        self.recent = Some(found);
        Ok((page, total))
    }

    /// Replaces a consignment by its edited form.
    pub(crate) fn replace_consignment(&mut self, edited: &Consignment) -> Result<(), StoreError> {
        let document = serde_json::to_string(edited)?;
        self.connection.execute(
            "UPDATE consignment SET company_id = ?2, carrier_id = ?3, document = ?4 WHERE id = ?1",
            params![edited.id, edited.company_id, edited.carrier_id, document],
        )?;
        Ok(())
    }

    /// Deletes all of the consignments. Ids are never reused.
    pub(crate) fn delete_consignments(&mut self, ids: &[i64]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for id in ids {
            transaction.execute("DELETE FROM history WHERE consignment_id = ?1", [id])?;
            transaction.execute("DELETE FROM consignment WHERE id = ?1", [id])?;
        }
        Ok(transaction.commit()?)
    }

    /// Saves all changes. If a consignment has a different status by now, saves no change and returns false.
    pub(crate) fn change_statuses(&mut self, changes: &[StatusChange]) -> Result<bool, StoreError> {
        let transaction = self.connection.transaction()?;
        for change in changes {
            let rows = transaction.execute(
                "UPDATE consignment SET status = ?2 WHERE id = ?1 AND status = ?3",
                params![change.consignment_id, change.after().0, change.before.0],
            )?;
            if rows != 1 {
                return Ok(false);
            }
            add_event(&transaction, change.consignment_id, &change.event)?;
        }
        transaction.commit()?;
        Ok(true)
    }

    /// Books the whole group in one transaction. Returns the manifest's id and the carrier's reference.
    pub(crate) fn insert_manifest(
        &mut self,
        new: &NewManifest<'_>,
    ) -> Result<(i64, Option<String>), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO manifest (company_id, carrier_id, booked_us, document) VALUES (?1, ?2, ?3, ?4)",
            params![new.company_id, new.carrier_id, new.booked.at.as_microsecond(), new.document.to_string()],
        )?;
        let id = transaction.last_insert_rowid();
        let prefix = new.reference_prefix;
        let reference = prefix.map(|prefix| format!("{prefix}-{id:06}"));
        transaction.execute(
            "UPDATE manifest SET carrier_reference = ?2 WHERE id = ?1",
            params![id, reference],
        )?;
        for &consignment in new.consignment_ids {
            transaction.execute(
                "UPDATE consignment SET status = ?2, manifest_id = ?3 WHERE id = ?1",
                [consignment, new.booked.status.0, id],
            )?;
            add_event(&transaction, consignment, new.booked)?;
            // The row is due at once, so that the simulation then computes when the first step is due.
            transaction.execute(
                "INSERT INTO carriage (consignment_id, steps, since_us, takes_us, next_us, ended) VALUES (?1, 0, ?2, 0, ?2, 0)",
                params![consignment, new.booked.at.as_microsecond()],
            )?;
        }
        transaction.commit()?;
        Ok((id, reference))
    }

    /// Returns the consignments `c` for which the SQL condition is true.
    fn records(
        &self,
        condition: &str,
        values: impl Params,
    ) -> Result<Vec<ConsignmentRecord>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT c.document, c.status, c.manifest_id, m.booked_us FROM consignment c
            LEFT JOIN manifest m ON m.id = c.manifest_id WHERE {condition}"
        ))?;
        let rows = statement.query_and_then(values, |row| self.record(row))?;
        rows.collect()
    }

    fn record(&self, row: &Row<'_>) -> Result<ConsignmentRecord, StoreError> {
        let document: String = row.get(0)?;
        let mut consignment: Consignment = serde_json::from_str(&document)?;
        // Documents from older versions have no line numbers.
        consignment.number_lines();
        let booked: Option<i64> = row.get(3)?;
        Ok(ConsignmentRecord {
            status: Status(row.get(1)?),
            manifest_id: row.get(2)?,
            booked: booked.map(moment).transpose()?,
            history: self.history(consignment.id)?,
            consignment,
        })
    }

    fn history(&self, id: i64) -> Result<Vec<StatusEvent>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT at_us, status, by_name, by_user_id, zone, partial, carrier_status, carrier_words, information,
                item_reference FROM history WHERE consignment_id = ?1 ORDER BY id",
        )?;
        let rows = statement.query_and_then([id], |row| {
            Ok(StatusEvent {
                at: moment(row.get(0)?)?,
                status: Status(row.get(1)?),
                by: row.get(2)?,
                by_user_id: row.get(3)?,
                zone: row.get(4)?,
                partial: row.get(5)?,
                carrier_status: row.get(6)?,
                carrier_words: row.get(7)?,
                information: row.get(8)?,
                item_reference: row.get(9)?,
            })
        })?;
        rows.collect()
    }
}

pub(super) fn add_event(
    connection: &Connection,
    id: i64,
    event: &StatusEvent,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO history (consignment_id, status, at_us, by_name, by_user_id, zone, partial, carrier_status,
            carrier_words, information, item_reference) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            id,
            event.status.0,
            event.at.as_microsecond(),
            event.by,
            event.by_user_id,
            event.zone,
            event.partial,
            event.carrier_status,
            event.carrier_words,
            event.information,
            event.item_reference
        ],
    )?;
    Ok(())
}

/// Finds all ids of the list in one pass over an index, because each consignment's row has the times of its
/// first and last change. If neither the first nor the last change is within the period, the history is
/// searched for a change in between.
fn ids(connection: &Connection, listing: &RecentFilter) -> Result<Vec<i64>, StoreError> {
    let companies = serde_json::to_string(&listing.company_ids)?;
    let mut statement = connection.prepare_cached(
        "SELECT c.id FROM consignment c
        WHERE c.company_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR c.carrier_id = ?2)
            AND c.last_us >= ?3 AND c.first_us <= ?4 AND (c.last_us <= ?4 OR c.first_us >= ?3
                OR EXISTS (SELECT 1 FROM history h WHERE h.consignment_id = c.id AND h.at_us BETWEEN ?3 AND ?4))",
    )?;
    let values = params![
        companies,
        listing.carrier_id,
        listing.from.as_microsecond(),
        listing.to.as_microsecond()
    ];
    let rows = statement.query_map(values, |row| row.get(0))?;
    let mut ids: Vec<i64> = rows.collect::<Result<_, _>>()?;
    ids.sort_unstable();
    Ok(ids)
}
