//! The list of recently changed consignments, page by page, fast even with a hundred thousand consignments.
//!
//! Each consignment's row has the times of the first and last change, so one pass over an index finds the
//! whole list. The ids are kept until this or another connection writes anything, so later pages only cost
//! the rows on them.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::consignments::{SELECT_CONSIGNMENT, StoredRow};
use super::{Store, StoreError};
use crate::status::ConsignmentRecord;

/// The filter of a list: consignments with a status change from `from` to `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecentFilter {
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
    pub(crate) company_ids: Vec<i64>,
    pub(crate) carrier_id: Option<i64>,
}

/// A cached list, with the write counters from when it was made.
#[derive(Debug)]
pub(super) struct CachedList {
    listing: RecentFilter,
    written: (u64, i64),
    /// In ascending order.
    ids: Vec<i64>,
}

impl Store {
    /// Returns one page in the order of ids (`offset` counts from 0), and the number of consignments in the
    /// whole list.
    pub(crate) fn recent_page(
        &mut self,
        listing: RecentFilter,
        offset: usize,
        limit: usize,
    ) -> Result<(Vec<ConsignmentRecord>, usize), StoreError> {
        let by_others = self
            .connection
            .pragma_query_value(None, "data_version", |row| row.get(0))?;
        let written = (self.connection.total_changes(), by_others);
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
        let page = self.records(page)?;
        let total = found.ids.len();
        self.recent = Some(found);
        Ok((page, total))
    }

    fn records<'a>(
        &self,
        ids: impl Iterator<Item = &'a i64>,
    ) -> Result<Vec<ConsignmentRecord>, StoreError> {
        let query = format!("{SELECT_CONSIGNMENT} WHERE c.id = ?1");
        let mut statement = self.connection.prepare_cached(&query)?;
        ids.map(|id| self.to_record(&statement.query_row([id], StoredRow::read)?))
            .collect()
    }
}

/// Finds all ids of the list. If neither the first nor the last change is within the period, the history is
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
