//! Print jobs that the service's printers would have printed.

use jiff::Timestamp;
use rusqlite::params;

use super::consignments::moment;
use super::{Store, StoreError};

/// One job of one printer.
#[derive(Debug)]
pub(crate) struct PrintJob {
    pub(crate) at: Timestamp,
    pub(crate) company_id: i64,
    pub(crate) consignment_ids: Vec<i64>,
    pub(crate) label_type: i64,
    pub(crate) printer_id: i64,
    pub(crate) print_a4: bool,
    pub(crate) by: String,
    /// The printing rule that created the job; none if a user did.
    pub(crate) rule: Option<String>,
}

impl Store {
    /// Saves all of the jobs, or none if one fails.
    pub(crate) fn insert_print_jobs(&mut self, jobs: &[PrintJob]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for job in jobs {
            transaction.execute(
                "INSERT INTO print_job (at_us, company_id, consignment_ids, label_type, printer_id, print_a4, by_name, rule)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    job.at.as_microsecond(),
                    job.company_id,
                    serde_json::to_string(&job.consignment_ids)?,
                    job.label_type,
                    job.printer_id,
                    job.print_a4,
                    job.by,
                    job.rule
                ],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Returns the newest `limit` jobs of these companies with their ids, newest first.
    pub(crate) fn print_jobs(
        &self,
        company_ids: &[i64],
        limit: i64,
    ) -> Result<Vec<(i64, PrintJob)>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT id, at_us, company_id, consignment_ids, label_type, printer_id, print_a4, by_name, rule FROM print_job
            WHERE company_id IN (SELECT value FROM json_each(?1)) ORDER BY id DESC LIMIT ?2",
        )?;
        let companies = serde_json::to_string(company_ids)?;
        let rows = statement.query_map(params![companies, limit], |row| {
            let (at, ids): (i64, String) = (row.get(1)?, row.get(3)?);
            let job = PrintJob {
                at: Timestamp::UNIX_EPOCH,
                company_id: row.get(2)?,
                consignment_ids: Vec::new(),
                label_type: row.get(4)?,
                printer_id: row.get(5)?,
                print_a4: row.get(6)?,
                by: row.get(7)?,
                rule: row.get(8)?,
            };
            Ok((row.get(0)?, at, ids, job))
        })?;
        rows.map(|row| {
            let (id, at, ids, job) = row?;
            let job = PrintJob {
                at: moment(at)?,
                consignment_ids: serde_json::from_str(&ids)?,
                ..job
            };
            Ok((id, job))
        })
        .collect()
    }
}
