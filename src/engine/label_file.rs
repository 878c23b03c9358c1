//! Label files: the stored file, otherwise the service's, which is stored before use.
//!
//! Invariants: a file that was requested before a change of its consignment is neither stored nor printed. A
//! damaged file is not stored, because the next answer may be intact.

use std::sync::Arc;

use super::EngineError;
use super::context::EngineContext;
use printing::job;
use printing::page::Scale;
use printing::verification::{ExpectedCodes, check_pdf_complete, verify_page};
use shipping::{Consignment, ConsignmentId, LabelSize};
use storage::{JournalError, LabelGeneration, StoredLabel};

/// Attempts to fetch a file if its consignment is changed each time.
const TRIES: usize = 3;

/// A label file with its circumstances.
pub(super) struct LabelFile {
    pub(super) label: StoredLabel,
    /// False for a damaged or blank file, which is not stored.
    pub(super) is_kept: bool,
    /// The generation of the consignment's labels when the file was requested.
    pub(super) generation: LabelGeneration,
}

impl EngineContext {
    /// Returns the current label file of a consignment.
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
/// unknown, because the labels may carry only that one.
fn numbers(consignment: Consignment) -> Vec<String> {
    let carriers = consignment
        .carrier_consignment_id
        .filter(|number| !number.is_empty());
    carriers.map_or_else(Vec::new, |number| {
        vec![number, consignment.consignment_number]
    })
}

/// Returns what the barcodes of a label must contain: the references of the pieces, or one of the numbers of
/// the consignment. If neither is known, any readable barcode is accepted.
pub(super) fn expected(items: Vec<String>, numbers: Vec<String>) -> ExpectedCodes {
    match (items.is_empty(), numbers.is_empty()) {
        (true, true) => ExpectedCodes::AnyCode,
        (false, true) => ExpectedCodes::References(items),
        (_, false) => ExpectedCodes::Consignment { items, numbers },
    }
}
