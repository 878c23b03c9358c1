//! Printing a paper of our own: a booked manifest, made from what the journal keeps of it, written down as a job like a label's
//! and only then handed over.
//!
//! What always holds: the job has its bytes on disk before any of them leaves. It belongs to no one consignment.

use std::sync::Arc;

use super::bench::{Bench, Milestone};
use super::{DocumentOrder, Outcome, WorkError};
use crate::draft::DraftId;
use crate::journal::{NewJob, PrintJob};
use crate::printing::check::Expected;
use crate::printing::job::{self, Prepared};
use crate::printing::page::Pages;
use crate::shipping::ConsignmentId;

impl Bench {
    pub(super) async fn print_document(&self, order: DocumentOrder) {
        let prepared = match self.prepare_document(&order).await {
            Ok(prepared) => prepared,
            Err(error) => return self.tell_failed(NOT_PRINTED, error).await,
        };
        match self.write_document_job(&order, &prepared).await {
            Ok(job) => {
                self.reached(Milestone::JobWritten);
                self.tell(Outcome::Job(Box::new(job.clone()))).await;
                self.hand_over(job, &prepared.payload, &order.printer.destination)
                    .await;
            }
            Err(error) => self.tell_failed(NOT_PRINTED, error).await,
        }
    }

    async fn prepare_document(&self, order: &DocumentOrder) -> Result<Prepared, WorkError> {
        let pdf = self.manifest_pdf(order.operation).await?;
        Ok(job::prepare(
            &self.renderer,
            pdf.into(),
            Pages::All,
            &order.printer,
            // Nothing on it is scanned.
            &Expected::Nothing,
        )
        .await?)
    }

    async fn write_document_job(
        &self,
        order: &DocumentOrder,
        prepared: &Prepared,
    ) -> Result<PrintJob, WorkError> {
        let (order, now) = (order.clone(), self.now());
        let (bytes, sha256) = (Arc::clone(&prepared.payload.bytes), prepared.sha256.clone());
        let title = format!("{} {}-{}", order.name, self.name, DraftId::random());
        self.writer
            .run(move |journal| {
                let new = NewJob {
                    consignment: ConsignmentId::new(0),
                    number: &order.name,
                    printer: &order.printer.name,
                    queue: order.printer.destination.asked().unwrap_or_default(),
                    title: &title,
                    bytes: &bytes,
                    sha256: &sha256,
                    reason: &order.reason,
                };
                journal.begin_job(&new, now)
            })
            .await
    }
}

const NOT_PRINTED: &str = "The manifest was not printed";
