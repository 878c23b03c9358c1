//! The choice of a printer for each kind of document.
//!
//! Invariant: a document goes to the printer that was chosen for its kind, or nowhere. There is no default
//! and no fallback: a label from the office laser printer is worse than no label.

use thiserror::Error;

use super::settings::Settings;
use printing::profile::{DocumentKind, PrinterProfile};

/// Why a document has no printer. `Display` gives the headline, [`NoPrinter::advice`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoPrinter {
    /// No printer was chosen for this kind of document.
    #[error("No printer is chosen for {}", .0.name_in_sentence())]
    NotChosen(DocumentKind),
    /// The chosen printer is no longer set up.
    #[error("{printer}, which prints {}, is no longer set up", kind.name_in_sentence())]
    Gone {
        kind: DocumentKind,
        /// Name of the chosen printer.
        printer: String,
    },
}

impl NoPrinter {
    /// Returns what the clerk can do about the missing printer.
    pub fn advice(&self) -> &'static str {
        "Choose one on Labels, under Documents, or set one up there. Nothing was printed"
    }
}

impl Settings {
    /// Returns the printer for documents of this kind.
    pub fn printer_for(&self, kind: DocumentKind) -> Result<&PrinterProfile, NoPrinter> {
        let named = |name: &str| self.printers.iter().find(|printer| printer.name == name);
        if kind == DocumentKind::ItemLabels {
            let name = self.label_printer.as_deref();
            let name = name.ok_or(NoPrinter::NotChosen(kind))?;
            return named(name).ok_or_else(|| NoPrinter::Gone {
                kind,
                printer: name.to_owned(),
            });
        }
        let mut printers = self.printers.iter();
        printers
            .find(|printer| printer.documents.contains(&kind))
            .ok_or(NoPrinter::NotChosen(kind))
    }

    /// Assigns documents of this kind to the printer with this name; `None` assigns them to no printer.
    pub fn assign_printer(&mut self, kind: DocumentKind, name: Option<&str>) {
        for printer in &mut self.printers {
            printer.documents.retain(|held| *held != kind);
            if Some(printer.name.as_str()) == name {
                printer.documents.push(kind);
                printer.documents.sort_unstable();
            }
        }
        if kind == DocumentKind::ItemLabels {
            self.label_printer = name.map(str::to_owned);
        }
    }

    /// Migrates settings so that each kind of document has at most one printer. An older Packbench wrote the
    /// same documents into each profile, and stored a choice only for the label printer.
    pub(super) fn with_one_printer_per_kind(mut self) -> Self {
        let labels = self.label_printer.clone();
        for kind in DocumentKind::ALL {
            let holder = if kind == DocumentKind::ItemLabels {
                labels.clone()
            } else {
                self.printer_for(kind).ok().map(|one| one.name.clone())
            };
            self.assign_printer(kind, holder.as_deref());
        }
        self
    }
}
