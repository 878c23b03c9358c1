//! Label files. A stored file is used if there is one; otherwise the file is fetched from the service and stored
//! before use.
//!
//! Invariants: a file that was requested before a change of its consignment is neither stored nor printed. A
//! damaged file is not stored, because the next answer may be intact.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::OnceCell;

use super::print::PREPARED_AT_ONCE;
use super::{EngineContext, EngineError, VerificationFault, lock};
use printing::job::{self, PrepareError, Prepared};
use printing::page::{PageSelection, Scale};
use printing::profile::PrinterProfile;
use printing::verification::{ExpectedCodes, VerificationError, check_pdf_complete, verify_page};
use shipping::{Consignment, ConsignmentId, LabelSize};
use storage::{JournalError, LabelGeneration, StoredLabel};

/// The most attempts to fetch a file, if its consignment is changed during each attempt.
const TRIES: usize = 3;

struct LabelFile {
    label: StoredLabel,
    /// The generation of the consignment's labels when the file was requested.
    generation: LabelGeneration,
}

/// A label as it would be printed.
pub(super) struct DrawnLabel {
    pub(super) prepared: Prepared,
    /// The problem that stops the printing, if there is one, and the fault that an override must name.
    pub(super) problem: Option<(VerificationError, VerificationFault)>,
    pub(super) generation: LabelGeneration,
    /// True if the barcodes were compared with numbers of the consignment; false if no number is known.
    pub(super) compared: bool,
}

impl EngineContext {
    /// Prepares the whole label for a printer, because the verification of a page depends on the label's other pages.
    pub(super) async fn drawn_label(
        &self,
        id: ConsignmentId,
        size: LabelSize,
        printer: &PrinterProfile,
    ) -> Result<DrawnLabel, EngineError> {
        let LabelFile { label, generation } = self.file(id, size, Some(printer)).await?;
        let compared = expected(&label) != ExpectedCodes::AnyCode;
        let mut prepared = self.prepare_label(&label, printer).await?;
        let sha256 = label.sha256;
        let problem = prepared.problem.take().map(|problem| {
            let kind = problem.word().to_owned();
            (problem, VerificationFault { sha256, kind })
        });
        Ok(DrawnLabel {
            prepared,
            problem,
            generation,
            compared,
        })
    }

    /// Returns the file of a label that is not drawn for a printer.
    pub(super) async fn label_file(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<StoredLabel, EngineError> {
        Ok(self.file(id, size, None).await?.label)
    }

    async fn file(
        &self,
        id: ConsignmentId,
        size: LabelSize,
        printer: Option<&PrinterProfile>,
    ) -> Result<LabelFile, EngineError> {
        for _ in 0..TRIES {
            match self.stored_or_fetched(id, size, printer).await {
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
        printer: Option<&PrinterProfile>,
    ) -> Result<LabelFile, EngineError> {
        let fetch = self.shared_labels.fetch_lock(id, size);
        let _turn = fetch.lock().await;
        let (generation, stored) = self
            .journal(move |journal| Ok((journal.label_generation(id)?, journal.label(id, size)?)))
            .await?;
        if let Some(label) = stored {
            return Ok(LabelFile { label, generation });
        }
        let pdf = self.client.label_file(id, size).await?.bytes()?;
        let consignment = self.client.consignment(id).await?;
        let label = StoredLabel {
            sha256: job::sha256(&pdf),
            pdf,
            expected: consignment.item_references(),
            numbers: numbers(consignment),
        };
        // A file that cannot be drawn is not stored but requested again later. A damaged or blank file is not stored
        // either; the clerk can still look at it.
        let is_sound = if let Some(printer) = printer {
            // The label will be printed from this drawing.
            let problem = self.prepare_label(&label, printer).await?.problem;
            problem.is_none_or(|problem| problem.is_about_codes())
        } else {
            let first: Arc<[u8]> = label.pdf.as_slice().into();
            let page = self.renderer.render(first, 0, Scale::DOTS_8).await?;
            verify_page(&page, &ExpectedCodes::Nothing).is_ok()
                && check_pdf_complete(&label.pdf).is_ok()
        };
        if is_sound {
            let (kept, now) = (label.clone(), self.now());
            self.journal(move |journal| journal.store_label(id, size, &kept, generation, now))
                .await?;
        }
        Ok(LabelFile { label, generation })
    }

    /// Prepares all pages of a label for a printer, or returns the pages that were already prepared from the same file.
    async fn prepare_label(
        &self,
        label: &StoredLabel,
        printer: &PrinterProfile,
    ) -> Result<Prepared, PrepareError> {
        let expected = expected(label);
        let drawing = (label.sha256.clone(), printer.clone(), expected.clone());
        let cell = self.shared_labels.cell(&drawing);
        let prepared = cell.get_or_try_init(|| {
            let pdf = label.pdf.as_slice().into();
            let all = PageSelection::All;
            job::prepare_despite_problem(&self.renderer, pdf, all, printer, &expected)
        });
        prepared.await.cloned()
    }
}

/// Returns the numbers that a label may carry for the whole consignment. Empty if the carrier's number is unknown: a
/// label may carry only that number, and its verification must not fail for that reason.
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
pub(super) fn expected(label: &StoredLabel) -> ExpectedCodes {
    let (items, numbers) = (label.expected.clone(), label.numbers.clone());
    match (items.is_empty(), numbers.is_empty()) {
        (true, true) => ExpectedCodes::AnyCode,
        (false, true) => ExpectedCodes::References(items),
        (_, false) => ExpectedCodes::Consignment { items, numbers },
    }
}

/// The number of drawn labels that are kept: the label that is shown, and those of the running batch and of the next batch
/// that are being prepared.
const KEPT: usize = 2 * PREPARED_AT_ONCE + 1;

/// A lock for each file that is being fetched. A lock exists only while a task uses it.
type FetchLocks = HashMap<(ConsignmentId, LabelSize), Weak<tokio::sync::Mutex<()>>>;

/// The inputs of a drawing: the SHA-256 of the file, the printer, and the expected barcodes.
type LabelDrawing = (String, PrinterProfile, ExpectedCodes);

/// The inputs of a drawing, and its pages, which may not be finished yet.
type DrawnPages = (LabelDrawing, Arc<OnceCell<Prepared>>);

/// Labels that are needed in two places at once: after Send, a label is shown and printed. Each label is fetched once
/// and drawn once. Holds the fetches in progress and the labels drawn last; cheap to clone.
#[derive(Clone, Default)]
pub(super) struct SharedLabels {
    fetches: Arc<Mutex<FetchLocks>>,
    drawn: Arc<Mutex<VecDeque<DrawnPages>>>,
}

impl SharedLabels {
    /// Returns the lock for fetching a file. A caller that had to wait for the lock finds the file stored.
    fn fetch_lock(&self, id: ConsignmentId, size: LabelSize) -> Arc<tokio::sync::Mutex<()>> {
        let mut fetches = lock(&self.fetches);
        fetches.retain(|_, fetch| fetch.strong_count() > 0);
        let known = fetches.entry((id, size)).or_default();
        known.upgrade().unwrap_or_else(|| {
            let fetch = Arc::default();
            *known = Arc::downgrade(&fetch);
            fetch
        })
    }

    /// Returns the place for the pages of a drawing, which may be there already.
    fn cell(&self, drawing: &LabelDrawing) -> Arc<OnceCell<Prepared>> {
        let mut drawn = lock(&self.drawn);
        if let Some((_, known)) = drawn.iter().find(|(of, _)| of == drawing) {
            return Arc::clone(known);
        }
        let prepared = Arc::default();
        drawn.push_back((drawing.clone(), Arc::clone(&prepared)));
        if drawn.len() > KEPT {
            drawn.pop_front();
        }
        prepared
    }
}
