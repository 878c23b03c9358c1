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
        let (prepared, missing_letters) = match self.prepare_document(&order).await {
            Ok(prepared) => prepared,
            Err(error) => return self.tell_failed(not_printed(&order), error).await,
        };
        match self.write_document_job(&order, &prepared).await {
            Ok(job) => {
                self.reached(Milestone::JobWritten);
                self.tell(Outcome::Job(Box::new(job.clone()))).await;
                if let Some(message) = missing_letters {
                    let document = order.name.clone();
                    self.tell(Outcome::LettersMissing { document, message })
                        .await;
                }
                let to = &order.printer.destination;
                let _told = self.hand_over(job, &prepared.payload, to).await;
            }
            Err(error) => self.tell_failed(not_printed(&order), error).await,
        }
    }

    /// With what the clerk is told of letters that its font lacks, where nobody has seen the page before.
    async fn prepare_document(
        &self,
        order: &DocumentOrder,
    ) -> Result<(Prepared, Option<String>), WorkError> {
        let (pdf, missing_letters): (Arc<[u8]>, _) = match &order.paper {
            PaperOf::Manifest(operation) => {
                let (_manifest, drawn) = self.manifest_page(*operation).await?;
                (drawn.pdf.into(), drawn.missing_letters)
            }
            PaperOf::File(pdf) => (Arc::clone(pdf), None),
        };
        let prepared = job::prepare(
            &self.renderer,
            pdf,
            Pages::All,
            &order.printer,
            // Nothing on it is scanned.
            &Expected::Nothing,
        );
        Ok((prepared.await?, missing_letters))
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
