//! Booked manifests: listing, showing and printing.

use crate::core::Core;
use crate::state::{JobState, JobSubject, ManifestRow, OperationId};
use engine::{DocumentOrder, DocumentSource, Request};
use printing::profile::DocumentKind;

impl Core {
    pub(crate) fn list_manifests(&mut self) {
        let printer = self.setup.settings.printer_for(DocumentKind::Manifest);
        let printer = printer.ok().map(|printer| printer.name.clone());
        self.shared.dispatch.groups_view.printer = printer;
        let fetch = self.work.reads().manifests();
        self.shared.dispatch.groups_view.manifests.start(fetch);
    }

    pub(crate) fn open_manifest(&mut self, operation: OperationId) {
        let shown = &mut self.shared.dispatch.groups_view;
        if shown.shown != Some(operation) {
            shown.shown = Some(operation);
            shown.manifest.clear();
        }
        shown.manifest.start(self.work.reads().manifest(operation));
        if shown.manifests.value().is_none() {
            self.list_manifests();
        }
    }

    /// Opens the newest manifest, unless one is open already.
    pub(crate) fn manifests_came(&mut self) {
        let view = &self.shared.dispatch.groups_view;
        let newest = view.manifests.value().and_then(|list| list.first());
        if let (None, Some(newest)) = (view.shown, newest) {
            self.open_manifest(newest.operation);
        }
    }

    pub(crate) fn print_manifest(&mut self, operation: OperationId) {
        let Some(printer) = self.printer_for(DocumentKind::Manifest) else {
            return;
        };
        let name = self.manifest_name(operation);
        let is_same = |number: &str| number == name;
        let before = self.shared.labels.jobs.iter().any(|job| {
            job.subject == JobSubject::Document
                && is_same(&job.number)
                && job.state != JobState::Failed
        });
        let reason = if before { "another copy" } else { "" };
        self.work
            .submit(Request::PrintDocument(Box::new(DocumentOrder {
                paper: DocumentSource::Manifest(operation),
                reason: reason.to_owned(),
                name,
                printer,
            })));
    }

    /// Returns a name such as `Manifest SCR-000012`, by the carrier's reference, else the service's number,
    /// else the id of our operation.
    pub(crate) fn manifest_name(&self, operation: OperationId) -> String {
        let list = self.shared.dispatch.groups_view.manifests.value();
        let row = list.and_then(|list| list.iter().find(|row| row.operation == operation));
        let known = self.shared.operations.by_id(operation);
        let reference = known.map_or_else(
            || row.map(|row| row.reference.clone()).unwrap_or_default(),
            |operation| operation.reference.clone(),
        );
        if !reference.is_empty() {
            return format!("Manifest {reference}");
        }
        let number = |row: &ManifestRow| Some(format!("Manifest {}", row.manifest?));
        row.and_then(number)
            .unwrap_or_else(|| format!("Manifest for booking {}", operation.0))
    }
}
