//! Labels that are needed several times at once: after Send, one is shown and printed. It is fetched once and drawn
//! once.

use std::sync::{Arc, Mutex, Weak};

use tokio::sync::OnceCell;

use super::context::lock;
use printing::job::{self, PrepareError, Prepared};
use printing::page::PageSelection;
use printing::profile::PrinterProfile;
use printing::renderer::Renderer;
use printing::verification::ExpectedCodes;
use shipping::{ConsignmentId, LabelSize};

/// Drawn labels that are kept: the label that is shown, and the label that is being printed.
const KEPT: usize = 2;

/// The key of a file, and the lock for fetching it, which exists while somebody holds it.
type LabelFetch = ((ConsignmentId, LabelSize), Weak<tokio::sync::Mutex<()>>);

/// Fetches in progress and labels drawn last; cheap to clone.
#[derive(Clone, Default)]
pub(super) struct SharedLabels {
    fetches: Arc<Mutex<Vec<LabelFetch>>>,
    drawn: Arc<Mutex<Vec<DrawnLabel>>>,
}

struct DrawnLabel {
    sha256: String,
    printer: PrinterProfile,
    expected: ExpectedCodes,
    prepared: Arc<OnceCell<Prepared>>,
}

impl SharedLabels {
    /// Returns the lock for fetching a file. Who waits for it finds the file stored.
    pub(super) fn fetch_lock(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Arc<tokio::sync::Mutex<()>> {
        let mut fetches = lock(&self.fetches);
        fetches.retain(|(_, fetch)| fetch.strong_count() > 0);
        let known = fetches.iter().find(|(of, _)| *of == (id, size));
        if let Some(fetch) = known.and_then(|(_, fetch)| fetch.upgrade()) {
            return fetch;
        }
        let fetch = Arc::default();
        fetches.push(((id, size), Arc::downgrade(&fetch)));
        fetch
    }

    /// Prepares all pages of a label for a printer, or returns the pages that were already prepared from the
    /// same file.
    pub(super) async fn prepare(
        &self,
        renderer: &Renderer,
        (pdf, sha256): (Vec<u8>, &str),
        printer: &PrinterProfile,
        expected: &ExpectedCodes,
    ) -> Result<Prepared, PrepareError> {
        let cell = self.cell(sha256, printer, expected);
        let prepare = || {
            job::prepare_despite_problem(
                renderer,
                pdf.into(),
                PageSelection::All,
                printer,
                expected,
            )
        };
        cell.get_or_try_init(prepare).await.cloned()
    }

    fn cell(
        &self,
        sha256: &str,
        printer: &PrinterProfile,
        expected: &ExpectedCodes,
    ) -> Arc<OnceCell<Prepared>> {
        let mut drawn = lock(&self.drawn);
        let same = drawn.iter().find(|one| {
            one.sha256 == sha256 && one.printer == *printer && one.expected == *expected
        });
        if let Some(same) = same {
            return Arc::clone(&same.prepared);
        }
        if drawn.len() >= KEPT {
            drawn.remove(0);
        }
        let prepared = Arc::default();
        drawn.push(DrawnLabel {
            sha256: sha256.to_owned(),
            printer: printer.clone(),
            expected: expected.clone(),
            prepared: Arc::clone(&prepared),
        });
        prepared
    }
}
