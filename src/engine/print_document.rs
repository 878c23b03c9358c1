//! Prints our own documents, each as a print job like a label: the test label of a printer, a booked manifest made
//! from the journal's copy of it, or a PDF that was shown before.

use std::sync::Arc;

use super::context::EngineContext;
use super::print_label::NewPrint;
use super::remote::Fetch;
use super::{DocumentOrder, DocumentSource, EngineError, Outcome, Reads};
use printing::job::{self, PagePreview, Prepared};
use printing::page::PageSelection;
use printing::profile::PrinterProfile;
use printing::test_label;
use printing::verification::ExpectedCodes;
use storage::JobSubject;

#[derive(Debug, Clone)]
pub struct TestLabelOrder {
    pub printer: PrinterProfile,
    pub token: String,
    pub date: String,
}

impl Reads {
    /// Draws the test label as it would be printed, converted by `show`. The second argument of `show` is a
    /// message about letters that the font lacks.
    pub fn test_label<T: Send + 'static>(
        &self,
        order: TestLabelOrder,
        show: impl FnOnce(PagePreview, Option<String>) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let (mut prepared, missing_letters) = bench.prepare_test(&order).await?;
            let shown = prepared.previews.pop().ok_or(EngineError::Internal)?;
            Ok(show(shown, missing_letters))
        })
    }
}

impl EngineContext {
    /// Prints the test label in the print queue, in turn with other labels.
    pub(super) async fn print_test(&self, order: TestLabelOrder) {
        let printed = self.try_print_test(&order).await;
        self.report("Couldn't print the test label", printed).await;
    }

    async fn try_print_test(&self, order: &TestLabelOrder) -> Result<(), EngineError> {
        let (prepared, _shown_before) = self.prepare_test(order).await?;
        let print = NewPrint {
            subject: JobSubject::TestLabel,
            number: "Test label",
            printer: &order.printer,
            reason: "",
        };
        self.print_prepared(&print, prepared).await
    }

    pub(super) async fn print_document(&self, order: DocumentOrder) {
        let what = match order.paper {
            DocumentSource::Manifest(_) => "The manifest was not printed",
            DocumentSource::File(_) => "The day sheet was not printed",
        };
        let printed = self.try_print_document(&order).await;
        self.report(what, printed).await;
    }

    async fn try_print_document(&self, order: &DocumentOrder) -> Result<(), EngineError> {
        let (pdf, missing_letters): (Arc<[u8]>, _) = match &order.paper {
            DocumentSource::Manifest(operation) => {
                let (_manifest, drawn) = self.manifest_page(*operation).await?;
                (drawn.pdf.into(), drawn.missing_letters)
            }
            // The clerk has already seen the page and its message.
            DocumentSource::File(pdf) => (Arc::clone(pdf), None),
        };
        // A document has no barcodes to verify.
        let expected = ExpectedCodes::Nothing;
        let prepared = self.prepare_own(pdf, &order.printer, &expected).await?;
        if let Some(message) = missing_letters {
            let document = order.name.clone();
            self.tell(Outcome::LettersMissing { document, message })
                .await;
        }
        let print = NewPrint {
            subject: JobSubject::Document,
            number: &order.name,
            printer: &order.printer,
            reason: &order.reason,
        };
        self.print_prepared(&print, prepared).await
    }

    /// Also returns a message about letters that the font lacks.
    async fn prepare_test(
        &self,
        order: &TestLabelOrder,
    ) -> Result<(Prepared, Option<String>), EngineError> {
        let drawn = test_label::document(&order.printer, &order.token, &order.date);
        let drawn = drawn.map_err(|error| EngineError::NotPossible(error.to_string()))?;
        let expected = ExpectedCodes::References(vec![order.token.clone()]);
        let prepared = self.prepare_own(drawn.pdf.into(), &order.printer, &expected);
        Ok((prepared.await?, drawn.missing_letters))
    }

    async fn prepare_own(
        &self,
        pdf: Arc<[u8]>,
        printer: &PrinterProfile,
        expected: &ExpectedCodes,
    ) -> Result<Prepared, EngineError> {
        let pages = PageSelection::All;
        Ok(job::prepare(&self.renderer, pdf, pages, printer, expected).await?)
    }
}
