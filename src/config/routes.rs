//! Which printer a kind of document goes to.
//!
//! What always holds: a document goes to the printer that was chosen for its kind, or nowhere. There is no default and no
//! fallback: a label on the office laser is worse than none.

use thiserror::Error;

use super::settings::Settings;
use crate::printing::profile::{DocumentKind, PrinterProfile};

/// Why a document goes nowhere. `Display` is the headline, [`NoPrinter::advice`] what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoPrinter {
    /// Nobody chose one.
    #[error("No printer is chosen for {}", .0.words())]
    NotChosen(DocumentKind),
    /// The chosen one is not set up any more.
    #[error("{printer}, which prints {}, is no longer set up", kind.words())]
    Gone {
        /// What was to be printed.
        kind: DocumentKind,
        /// The printer's name.
        printer: String,
    },
}

impl NoPrinter {
    /// What the clerk can do about it.
    pub fn advice(&self) -> &'static str {
        "Choose one on Labels, under Documents, or set one up there. Nothing was printed"
    }
}

impl Settings {
    /// The printer that documents of this kind go to.
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

    /// Sends documents of this kind to the printer of this name from now on; nowhere without one.
    pub fn print_on(&mut self, kind: DocumentKind, name: Option<&str>) {
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

    /// An older Packbench wrote the same documents into each profile, and knew one choice: of the printer for labels.
    pub(super) fn with_one_printer_a_kind(mut self) -> Self {
        let labels = self.label_printer.clone();
        for kind in DocumentKind::ALL {
            let holder = if kind == DocumentKind::ItemLabels {
                labels.clone()
            } else {
                self.printer_for(kind).ok().map(|one| one.name.clone())
            };
            self.print_on(kind, holder.as_deref());
        }
        self
    }
}
