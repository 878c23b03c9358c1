//! Label files: the stored file, otherwise the service's, which is stored before use.
//!
//! Invariants: a file that was requested before a change of its consignment is neither stored nor printed. A
//! damaged file is not stored, because the next answer may be intact.

use std::sync::Arc;

use super::context::EngineContext;
use super::{EngineError, VerificationFault};
use printing::job::{self, Prepared};
use printing::page::Scale;
use printing::profile::PrinterProfile;
use printing::verification::{ExpectedCodes, VerificationError, check_pdf_complete, verify_page};
use shipping::{Consignment, ConsignmentId, LabelSize};
use storage::{JournalError, LabelGeneration, LabelSource, StoredLabel};

/// Attempts to fetch a file if its consignment is changed each time.
const TRIES: usize = 3;

pub(super) struct LabelFile {
    pub(super) label: StoredLabel,
    /// False for a damaged or blank file, which is not stored.
    pub(super) is_kept: bool,
    /// The generation of the consignment's labels when the file was requested.
    pub(super) generation: LabelGeneration,
}

/// A label as it would be printed.
pub(super) struct DrawnLabel {
    pub(super) prepared: Prepared,
    /// The problem that stops the printing, if any, and the fault that an override would have to name.
    pub(super) problem: Option<(VerificationError, VerificationFault)>,
    /// The stored file that the label was made from; `None` if the file was not stored.
    pub(super) source: Option<LabelSource>,
    pub(super) generation: LabelGeneration,
    /// True if the barcodes were compared with numbers of the consignment; none may be known.
    pub(super) compared: bool,
}

impl EngineContext {
    /// Prepares the whole label for a printer, because the verification of a page depends on the label's
    /// other pages.
    pub(super) async fn drawn_label(
        &self,
        id: ConsignmentId,
        size: LabelSize,
        printer: &PrinterProfile,
    ) -> Result<DrawnLabel, EngineError> {
        let LabelFile {
            label,
            is_kept,
            generation,
        } = self.label_file(id, size).await?;
        let sha256 = label.sha256;
        let expected = expected(label.expected, label.numbers);
        let file = (label.pdf, sha256.as_str());
        let prepared = { &self.shared_labels }.prepare(&self.renderer, file, printer, &expected);
        let mut prepared = prepared.await?;
        let problem = prepared.problem.take().map(|problem| {
            let fault = VerificationFault {
                sha256: sha256.clone(),
                kind: problem.word().to_owned(),
            };
            (problem, fault)
        });
        Ok(DrawnLabel {
            prepared,
            problem,
            source: is_kept.then_some(LabelSource { size, sha256 }),
            generation,
            compared: expected != ExpectedCodes::AnyCode,
        })
    }

    pub(super) async fn label_file(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<LabelFile, EngineError> {
        for _ in 0..TRIES {
            match self.stored_or_fetched(id, size).await {
                // The consignment was changed in the meantime.
                Err(EngineError::Journal(JournalError::Changed)) => {}
                file => return file,
            }
        }
        Err(JournalError::Changed.into())
    }

    async fn stored_or_fetched(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<LabelFile, EngineError> {
        let fetch = self.shared_labels.fetch_lock(id, size);
        let _turn = fetch.lock().await;
        let (generation, stored) = self
            .writer
            .run(move |journal| Ok((journal.label_generation(id)?, journal.label(id, size)?)))
            .await?;
        let file = |label, is_kept| LabelFile {
            label,
            is_kept,
            generation,
        };
        if let Some(stored) = stored {
            return Ok(file(stored, true));
        }
        let pdf = self.client.label_file(id, size).await?.bytes()?;
        let consignment = self.client.consignment(id).await?;
        let label = StoredLabel {
            sha256: job::sha256(&pdf),
            pdf,
            expected: consignment.item_references(),
            numbers: numbers(consignment),
        };
        // Draw a page before storing: a file that cannot be drawn is requested again the next time.
        let first: Arc<[u8]> = label.pdf.as_slice().into();
        let page = self.renderer.render(first, 0, Scale::DOTS_8).await?;
        // Do not store a damaged or blank file either; the clerk can still look at it.
        if verify_page(&page, &ExpectedCodes::Nothing).is_err()
            || check_pdf_complete(&label.pdf).is_err()
        {
            return Ok(file(label, false));
        }
        let (kept, now) = (label.clone(), self.now());
        self.writer
            .run(move |journal| journal.store_label(id, size, &kept, generation, now))
            .await?;
        Ok(file(label, true))
    }
}

/// Returns the numbers that a label may carry for the whole consignment. Empty if the carrier's number is
/// unknown, because the labels may carry no other number.
fn numbers(consignment: Consignment) -> Vec<String> {
    let carriers = consignment
        .carrier_consignment_id
        .filter(|number| !number.is_empty());
    carriers.map_or_else(Vec::new, |number| {
        vec![number, consignment.consignment_number]
    })
}

/// Returns what the barcodes of a label must contain: the references of the pieces, or any number of the
/// consignment. If neither is known, any readable barcode is accepted.
pub(super) fn expected(items: Vec<String>, numbers: Vec<String>) -> ExpectedCodes {
    match (items.is_empty(), numbers.is_empty()) {
        (true, true) => ExpectedCodes::AnyCode,
        (false, true) => ExpectedCodes::References(items),
        (_, false) => ExpectedCodes::Consignment { items, numbers },
    }
}
