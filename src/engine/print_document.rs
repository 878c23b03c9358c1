//! Prints our own documents: a booked manifest, made from the journal's copy of it, or a PDF that was shown
//! before. A document becomes a print job, like a label.
//!
//! Invariant: the bytes of the job are on disk before any of them is sent.

use std::sync::Arc;

use super::context::{EngineContext, FaultPoint};
use super::print_label::{NewPrint, PreparedPrint};
use super::{DocumentOrder, DocumentSource, EngineError, Outcome};
use printing::job::{self, Prepared};
use printing::page::PageSelection;
use printing::verification::ExpectedCodes;
use storage::{JobOrigin, JobSubject};

impl EngineContext {
    pub(super) async fn print_document(&self, order: DocumentOrder) {
        let (ready, missing_letters) = match self.prepare_document(&order).await {
            Ok((prepared, missing_letters)) => {
                (PreparedPrint::of_its_own(prepared), missing_letters)
            }
            Err(error) => return self.tell_failed(not_printed(&order), error).await,
        };
        let print = NewPrint {
            subject: JobSubject::Document,
            number: &order.name,
            printer: &order.printer,
            reason: &order.reason,
        };
        match self.write_job(&print, &ready, &JobOrigin::default()).await {
            Ok(job) => {
                self.reach_fault_point(FaultPoint::JobWritten);
                self.tell(Outcome::Job(Box::new(job.clone()))).await;
                if let Some(message) = missing_letters {
                    let document = order.name.clone();
                    self.tell(Outcome::LettersMissing { document, message })
                        .await;
                }
                let to = &order.printer.destination;
                let _told = self.hand_over(job, ready.payload(), to).await;
            }
            Err(error) => self.tell_failed(not_printed(&order), error).await,
        }
    }

    /// Also returns a message about letters that the font lacks, unless the clerk has already seen the page.
    async fn prepare_document(
        &self,
        order: &DocumentOrder,
    ) -> Result<(Prepared, Option<String>), EngineError> {
        let (pdf, missing_letters): (Arc<[u8]>, _) = match &order.paper {
            DocumentSource::Manifest(operation) => {
                let (_manifest, drawn) = self.manifest_page(*operation).await?;
                (drawn.pdf.into(), drawn.missing_letters)
            }
            DocumentSource::File(pdf) => (Arc::clone(pdf), None),
        };
        let prepared = job::prepare(
            &self.renderer,
            pdf,
            PageSelection::All,
            &order.printer,
            // The document has no barcodes to verify.
            &ExpectedCodes::Nothing,
        );
        Ok((prepared.await?, missing_letters))
    }
}

const fn not_printed(order: &DocumentOrder) -> &'static str {
    match order.paper {
        DocumentSource::Manifest(_) => "The manifest was not printed",
        DocumentSource::File(_) => "The day sheet was not printed",
    }
}
