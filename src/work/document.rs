//! Prints our own documents: a booked manifest, made from the journal's copy of it, or a PDF that was shown
//! before. A document becomes a print job, like a label.
//!
//! Invariant: the bytes of the job are on disk before any of them is sent.

use std::sync::Arc;

use super::bench::{Bench, Milestone};
use super::paper::{NewPrint, Ready};
use super::{DocumentOrder, Outcome, PaperOf, WorkError};
use crate::journal::{JobSubject, Origin};
use crate::printing::check::Expected;
use crate::printing::job::{self, Prepared};
use crate::printing::page::Pages;

impl Bench {
    pub(super) async fn print_document(&self, order: DocumentOrder) {
        let (ready, missing_letters) = match self.prepare_document(&order).await {
            Ok((prepared, missing_letters)) => (Ready::of_its_own(prepared), missing_letters),
            Err(error) => return self.tell_failed(not_printed(&order), error).await,
        };
        let print = NewPrint {
            subject: JobSubject::Document,
            number: &order.name,
            printer: &order.printer,
            reason: &order.reason,
        };
        match self.write_job(&print, &ready, &Origin::default()).await {
            Ok(job) => {
                self.reached(Milestone::JobWritten);
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
            // The document has no barcodes to verify.
            &Expected::Nothing,
        );
        Ok((prepared.await?, missing_letters))
    }
}

const fn not_printed(order: &DocumentOrder) -> &'static str {
    match order.paper {
        PaperOf::Manifest(_) => "The manifest was not printed",
        PaperOf::File(_) => "The day sheet was not printed",
    }
}
