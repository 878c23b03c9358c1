//! Printing a paper of our own: a booked manifest, made from what the journal keeps of it, or one that was shown before;
//! written down as a job like a label's and only then handed over.
//!
//! What always holds: the job has its bytes on disk before any of them leaves. It belongs to no one consignment.

use std::sync::Arc;

use super::bench::{Bench, Milestone};
use super::paper::begin_job;
use super::{DocumentOrder, Outcome, PaperOf, WorkError};
use crate::draft::DraftId;
use crate::journal::{NewJob, Origin, PrintJob};
use crate::printing::check::Expected;
use crate::printing::job::{self, Prepared};
use crate::printing::page::Pages;
use crate::shipping::ConsignmentId;

impl Bench {
    pub(super) async fn print_document(&self, order: DocumentOrder) {
        let prepared = match self.prepare_document(&order).await {
            Ok(prepared) => prepared,
            Err(error) => return self.tell_failed(not_printed(&order), error).await,
        };
        match self.write_document_job(&order, &prepared).await {
            Ok(job) => {
                self.reached(Milestone::JobWritten);
                self.tell(Outcome::Job(Box::new(job.clone()))).await;
                let to = &order.printer.destination;
                let _told = self.hand_over(job, &prepared.payload, to).await;
            }
            Err(error) => self.tell_failed(not_printed(&order), error).await,
        }
    }

    async fn prepare_document(&self, order: &DocumentOrder) -> Result<Prepared, WorkError> {
        let pdf: Arc<[u8]> = match &order.paper {
            PaperOf::Manifest(operation) => self.manifest_pdf(*operation).await?.into(),
            PaperOf::File(pdf) => Arc::clone(pdf),
        };
        Ok(job::prepare(
            &self.renderer,
            pdf,
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
                begin_job(journal, &new, (&Origin::default(), &order.printer), now)
            })
            .await
    }
}

const fn not_printed(order: &DocumentOrder) -> &'static str {
    match order.paper {
        PaperOf::Manifest(_) => "The manifest was not printed",
        PaperOf::File(_) => "The day sheet was not printed",
    }
}
