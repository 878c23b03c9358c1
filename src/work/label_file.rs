//! Label files: the stored one, else the service's, stored before it is used.
//!
//! What always holds: a file that was asked for before its consignment was changed is neither stored nor printed; one that is
//! damaged is not stored, since better may come.

use std::sync::Arc;

use super::WorkError;
use super::bench::Bench;
use crate::journal::{Generation, JournalError, StoredLabel};
use crate::printing::check::{Expected, before_ink, whole_file};
use crate::printing::job;
use crate::printing::page::Scale;
use crate::shipping::{Consignment, ConsignmentId, LabelSize};

/// How often a file is asked for whose consignment is changed each time meanwhile.
const TRIES: usize = 3;

/// A label file, and what may be concluded from it.
pub(super) struct LabelFile {
    pub(super) label: StoredLabel,
    /// False for one that is damaged.
    pub(super) is_kept: bool,
    /// The generation that it was asked for at.
    pub(super) generation: Generation,
}

impl Bench {
    /// The label file of a consignment as it is now.
    pub(super) async fn label_file(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<LabelFile, WorkError> {
        for _ in 0..TRIES {
            match self.stored_or_fetched(id, size).await {
                // The consignment was changed while its file was on its way.
                Err(WorkError::Journal(JournalError::Changed)) => {}
                file => return file,
            }
        }
        Err(JournalError::Changed.into())
    }

    async fn stored_or_fetched(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<LabelFile, WorkError> {
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
        // Drawn once before it is kept: a file that cannot be drawn is asked for again the next time.
        let first: Arc<[u8]> = label.pdf.as_slice().into();
        let page = self.renderer.render(first, 0, Scale::DOTS_8).await?;
        // So is one that is damaged or blank: it can be looked at.
        if before_ink(&page, &Expected::Nothing).is_err() || whole_file(&label.pdf).is_err() {
            return Ok(file(label, false));
        }
        let (kept, now) = (label.clone(), self.now());
        self.writer
            .run(move |journal| journal.store_label(id, size, &kept, generation, now))
            .await?;
        Ok(file(label, true))
    }
}

/// The numbers by which a label may name the whole consignment; none where the carrier's is not known, which may be all that
/// its labels carry.
fn numbers(consignment: Consignment) -> Vec<String> {
    let carriers = consignment
        .carrier_consignment_id
        .filter(|number| !number.is_empty());
    carriers.map_or_else(Vec::new, |number| {
        vec![number, consignment.consignment_number]
    })
}

/// What the codes of a label must say: a piece each, else one of the numbers of the whole. Where neither is known, nothing
/// is compared.
pub(super) fn expected(items: Vec<String>, numbers: Vec<String>) -> Expected {
    match (items.is_empty(), numbers.is_empty()) {
        (true, true) => Expected::AnyCode,
        (false, true) => Expected::References(items),
        (_, false) => Expected::Consignment { items, numbers },
    }
}
