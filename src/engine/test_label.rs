//! Draws, verifies and prints the test label of a printer, as a print job like any other label.

use std::sync::Arc;

use super::context::EngineContext;
use super::print_label::{NewPrint, PreparedPrint};
use super::remote::Fetch;
use super::{EngineError, Outcome, Reads};
use printing::job::{self, PagePreview, Prepared};
use printing::page::PageSelection;
use printing::profile::PrinterProfile;
use printing::test_label;
use printing::verification::ExpectedCodes;
use storage::{JobOrigin, JobSubject};

#[derive(Debug, Clone)]
pub struct TestLabelOrder {
    pub printer: PrinterProfile,
    /// The content of the barcode.
    pub token: String,
    /// The date as printed.
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
    async fn prepare_test(
        &self,
        order: &TestLabelOrder,
    ) -> Result<(Prepared, Option<String>), EngineError> {
        let drawn = test_label::document(&order.printer, &order.token, &order.date);
        let drawn = drawn.map_err(|error| EngineError::NotPossible(error.to_string()))?;
        let pdf: Arc<[u8]> = drawn.pdf.into();
        let expected = ExpectedCodes::References(vec![order.token.clone()]);
        let printer = &order.printer;
        let prepared =
            job::prepare(&self.renderer, pdf, PageSelection::All, printer, &expected).await?;
        Ok((prepared, drawn.missing_letters))
    }

    /// Prints the test label in the print queue, in turn with other labels.
    pub(super) async fn print_test(&self, order: TestLabelOrder) {
        if let Err(error) = self.try_print_test(&order).await {
            let what = "The test label could not be printed";
            self.tell_failed(what, error).await;
        }
    }

    async fn try_print_test(&self, order: &TestLabelOrder) -> Result<(), EngineError> {
        let (prepared, _shown_before) = self.prepare_test(order).await?;
        let print = NewPrint {
            subject: JobSubject::TestLabel,
            number: "Test label",
            printer: &order.printer,
            reason: "",
        };
        let ready = PreparedPrint::of_its_own(prepared);
        let job = self
            .write_job(&print, &ready, &JobOrigin::default())
            .await?;
        self.tell(Outcome::Job(Box::new(job.clone()))).await;
        let to = &order.printer.destination;
        let _told = self.hand_over(job, ready.payload(), to).await;
        Ok(())
    }
}
