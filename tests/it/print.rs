//! Printing: from documents, valid and malicious, to the bytes that printers receive, over working and
//! failing print services.

#![expect(clippy::unwrap_used, reason = "a test may end by panicking")]

pub(crate) mod batch;
mod checked;
mod checks;
mod device;
mod dots;
mod dropped;
mod fitting;
pub(crate) mod hostile;
mod jobs;
mod languages;
mod left;
pub(crate) mod places;
mod profiles;
mod queue_cost;
mod queues;
mod renderers;
mod reprint;
mod routes;
mod saved;
mod screen;
mod service;
mod spooler;
mod stale;
mod states;
mod taken_back;
mod test_label;

use std::path::PathBuf;
use std::sync::Arc;

use practice::RunningService;
use printing::job::{PrepareError, Prepared, prepare};
use printing::page::{Page, PageSelection, Scale};
use printing::profile::PrinterProfile;
use printing::renderer::Renderer;
use printing::verification::ExpectedCodes;
use shipping::ConsignmentId;

use crate::recovery::errands::order;
use crate::support::desk::Home;
use crate::support::lanes::{QUICK, client};

/// Creates consignments at the service, as another program does.
fn create<const COUNT: usize>(
    home: &Home,
    practice: &RunningService,
    references: [&str; COUNT],
) -> [ConsignmentId; COUNT] {
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    references.map(|reference| {
        let created = home.runtime.block_on(caller.create(&order(reference)));
        created.expect("created").id
    })
}

/// Our own executable, which serves as renderer and as print helper.
fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_packbench"))
}

fn renderer() -> Renderer {
    Renderer::new(program())
}

fn label(references: &[&str]) -> Arc<[u8]> {
    crate::support::labels::a6(references).into()
}

/// The page of a good label, drawn at this scale.
async fn drawn(scale: Scale) -> Page {
    let pdf = label(&["PKB000012345"]);
    renderer().render(pdf, 0, scale).await.unwrap()
}

/// Prepares every page of a document for a printer.
async fn prepare_all(
    pdf: impl Into<Arc<[u8]>>,
    profile: &PrinterProfile,
    expected: &ExpectedCodes,
) -> Result<Prepared, PrepareError> {
    let pages = PageSelection::All;
    prepare(&renderer(), pdf.into(), pages, profile, expected).await
}
