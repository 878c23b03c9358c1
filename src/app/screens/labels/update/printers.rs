//! Printers: the configured and the detected ones, and which printer prints which kind of document.

mod form;
mod printer_rows;

use crate::core::Core;
use crate::state::{DocumentKind, DocumentRoute, Notice, PrinterForm, Remote, Tone};
use printing::profile::PrinterProfile;

use printer_rows::printer_rows;

/// Returns the profile that labels are drawn for while no printer is chosen: ZPL at 8 dots/mm, any
/// head width.
pub(crate) fn default_profile() -> PrinterProfile {
    PrinterProfile::default()
}

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

    pub(crate) fn choose_printer(&mut self, name: &str) {
        self.assign_printer(DocumentKind::ItemLabels, Some(name));
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
        // Configured printers are shown at once. Detected ones are updated when the print service answers.
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
}
