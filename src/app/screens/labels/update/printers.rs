//! Printers: configured and detected printers, and which printer prints which kind of document. Also lists
//! the service's own printers and prints on them: the service can't say whether a label was printed.

mod form;
mod printer_rows;

use crate::core::Core;
use crate::state::{
    DocumentKind, DocumentRoute, Notice, PrinterForm, Remote, ServicePrinters, Tone,
};
use engine::Request;
use printing::profile::PrinterProfile;
use shipping::{ConsignmentId, LabelType, PrintLabelsRequest};

use printer_rows::printer_rows;

impl Core {
    /// Checks the printers again. Configured printers are shown at once, the state of their queues when it
    /// is known.
    pub(crate) fn refresh_printers(&mut self) {
        let (profiles, chosen) = (
            self.setup.settings.printers.clone(),
            self.setup.settings.label_printer.clone(),
        );
        let zone = self.shared.session.zone.clone();
        if self.shared.labels.printers.value().is_none() {
            let shown = printer_rows(&profiles, chosen.as_deref(), None, &zone);
            self.shared.labels.printers = Remote::ready(shown);
        }
        self.show_documents();
        let asked = profiles.clone();
        let fetch = self.work.reads().printers(asked, move |seen| {
            printer_rows(&profiles, chosen.as_deref(), Some(&seen), &zone)
        });
        self.shared.labels.printers.start(fetch);
    }

    /// Sends documents of this kind to this printer from now on, or to no printer.
    pub(crate) fn assign_printer(&mut self, kind: DocumentKind, name: Option<&str>) {
        self.setup.settings.assign_printer(kind, name);
        self.printers_changed();
    }

    pub(crate) fn remove_printer(&mut self, name: &str) {
        self.setup
            .settings
            .printers
            .retain(|printer| printer.name != name);
        if self.setup.settings.label_printer.as_deref() == Some(name) {
            self.setup.settings.label_printer = None;
        }
        self.printers_changed();
    }

    pub(crate) fn save_printer(&mut self, form: &PrinterForm) {
        let settings = &mut self.setup.settings;
        let replaced = form.was.as_ref().unwrap_or(&form.name).trim().to_owned();
        let before = settings
            .printers
            .iter()
            .find(|known| known.name == replaced);
        let profile = match form::profile(form, before) {
            Err(problem) => return self.shared.labels.printer_problem = Some(problem),
            Ok(profile) => profile,
        };
        self.shared.labels.printer_problem = None;
        let name = profile.name.clone();
        let place = settings
            .printers
            .iter()
            .position(|known| known.name == replaced);
        let place = place.unwrap_or(settings.printers.len());
        settings
            .printers
            .retain(|known| known.name != replaced && known.name != name);
        let place = place.min(settings.printers.len());
        settings.printers.insert(place, profile);
        if settings.label_printer.as_ref() == Some(&replaced) {
            settings.label_printer = None;
        }
        let mut kinds = form.documents.clone();
        // The first printer of a bench prints labels, unless the form assigns documents to it.
        if settings.label_printer.is_none() && settings.printers.len() == 1 && kinds.is_empty() {
            kinds.push(DocumentKind::ItemLabels);
        }
        for kind in kinds {
            settings.assign_printer(kind, Some(&name));
        }
        self.printers_changed();
    }

    pub(crate) fn printers_changed(&mut self) {
        self.setup.write();
        // Configured printers are shown at once. Detected printers are updated when the print service
        // answers.
        let set_up = printer_rows(
            &self.setup.settings.printers,
            self.setup.settings.label_printer.as_deref(),
            None,
            &self.shared.session.zone,
        );
        if let Some(shown) = self.shared.labels.printers.value_mut() {
            let found = shown.drain(..).filter(|view| !view.set_up);
            let found: Vec<_> = found
                .filter(|view| set_up.iter().all(|known| known.name != view.name))
                .collect();
            *shown = set_up.into_iter().chain(found).collect();
        }
        self.refresh_printers();
        self.refresh_preview();
    }

    /// Fills the table of documents: the printer of each kind, or why there is none.
    fn show_documents(&mut self) {
        let settings = &self.setup.settings;
        let route = |kind| match settings.printer_for(kind) {
            Ok(profile) => DocumentRoute {
                kind,
                printer: Some(profile.name.clone()),
                problem: String::new(),
            },
            Err(error) => DocumentRoute {
                kind,
                printer: None,
                problem: error.to_string(),
            },
        };
        self.shared.labels.documents = DocumentKind::OFFERED.map(route).to_vec();
    }

    /// Returns the printer for documents of this kind. Without one, shows a notice and returns `None`, and
    /// nothing may be printed.
    pub(crate) fn printer_for(&mut self, kind: DocumentKind) -> Option<PrinterProfile> {
        match self.setup.settings.printer_for(kind) {
            Ok(profile) => Some(profile.clone()),
            Err(error) => {
                let notice = Notice::new(Tone::Warning, error.to_string(), error.advice());
                self.notify(notice);
                None
            }
        }
    }

    pub(crate) fn ask_service_printers(&mut self, ids: Vec<ConsignmentId>) {
        if ids.is_empty() || !self.shared.session.lists_printers {
            return;
        }
        let fetch = self.work.reads().fetch(move |client| async move {
            let choice = client.printers(&ids).await?;
            Ok(ServicePrinters { ids, choice })
        });
        self.shared.labels.service_printers.start(fetch);
    }

    /// Prints labels on a printer of the service. A label that may already be printed needs a reason, whoever
    /// printed it.
    pub(crate) fn print_at_service(&mut self, order: PrintLabelsRequest, reason: &str) {
        let (ids, reason) = (order.consignment_ids(), reason.trim());
        let is_out = order.label_type() == Some(LabelType::Item)
            && ids.iter().any(|id| self.shared.labels.may_be_out(*id));
        if is_out && reason.is_empty() {
            let headline = "Not printed: some of these labels may have been printed already";
            let notice = Notice::new(
                Tone::Warning,
                headline,
                "Enter a reason for printing them again",
            );
            self.notify(notice);
        } else if !ids.is_empty() {
            self.keep_service_printer(&order);
            let request = Request::PrintAtService(order, reason.to_owned());
            self.work.submit(request);
        }
    }

    /// Stores a printer number that was typed, so that it is suggested the next time.
    fn keep_service_printer(&mut self, order: &PrintLabelsRequest) {
        let printer = Some(order.printer());
        let is_listed = self.shared.labels.service_printers.value().is_some();
        if !is_listed && self.shared.labels.service_printer != printer {
            self.shared.labels.service_printer = printer;
            self.setup.settings.set_service_printer(printer);
            self.setup.write();
        }
    }
}
