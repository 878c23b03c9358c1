//! Imports orders: opens a file, maps its columns, checks the orders and makes drafts of them.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::core::Core;
use crate::state::{ImportStage, ImportView, Notice, Tone};
use draft::Routing;
use draft::orders::{CheckedOrders, Mapping, OrderTerms};
use engine::{EngineError, ImportedOrders, OpenedOrders, Remote};

#[derive(Default)]
pub(crate) struct ImportReads {
    pub(crate) opening: Remote<Option<OpenedOrders>>,
    pub(crate) checking: Remote<CheckedOrders>,
    pub(crate) taking: Remote<ImportedOrders>,
    pub(crate) saving: Remote<Option<PathBuf>>,
    pub(crate) template: Remote<Option<PathBuf>>,
}

impl Core {
    pub(super) fn open_orders(&mut self, typed: Option<PathBuf>) {
        let stage = self.shared.consign.import.stage;
        if !matches!(
            stage,
            ImportStage::Closed | ImportStage::Path | ImportStage::Done
        ) {
            let headline = "An import is open already";
            let advice = "Finish or close it first, then open the other file";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        self.close_import();
        if self.lacks_path(typed.is_some()) {
            self.shared.consign.import.stage = ImportStage::Path;
            return;
        }
        self.shared.consign.import.stage = ImportStage::Opening;
        let open = self.work.reads().open_orders(typed);
        self.consign.import.opening.start(open);
    }

    pub(super) fn check_orders(&mut self, mapping: Mapping, routing: Routing) {
        let open = &self.editing.draft;
        let terms = OrderTerms {
            company: open.company,
            from: open.from.clone(),
            routing,
            preset: None,
            locations: self.shared.catalogue.known_locations().to_vec(),
            items: Arc::clone(&self.shared.catalogue.items),
            check: self.shared.check_context(),
        };
        let drafts = self.shared.consign.drafts.iter().chain([open]);
        let drafts: HashSet<_> = drafts
            .map(|draft| draft.reference1.trim().to_lowercase())
            .collect();
        let view = &mut self.shared.consign.import;
        let (ImportStage::Columns, Some(opened)) = (view.stage, &mut view.opened) else {
            return;
        };
        opened.mapping = mapping;
        view.progress = Arc::default();
        let progress = Arc::clone(&view.progress);
        let check = self
            .work
            .reads()
            .check_orders(opened, terms, drafts, progress);
        self.consign.import.checking.start(check);
        view.stage = ImportStage::Checking;
        view.problem = None;
    }

    pub(super) fn back_to_columns(&mut self) {
        let view = &mut self.shared.consign.import;
        if view.stage == ImportStage::Review {
            view.stage = ImportStage::Columns;
        }
    }

    /// Makes drafts of the new orders, and of the known orders that the clerk ticked. `again` has the indices
    /// of the ticked orders.
    pub(super) fn import_orders(&mut self, again: &[usize]) {
        let view = &mut self.shared.consign.import;
        let (ImportStage::Review, Some(checked), Some(opened)) =
            (view.stage, &view.checked, &view.opened)
        else {
            return;
        };
        let orders = checked.orders.iter().enumerate();
        let orders = orders
            .filter(|(at, order)| order.duplicate.is_none() || again.contains(at))
            .map(|(_, order)| order.clone())
            .collect();
        let rejected = checked.rejected.clone();
        let take = self
            .work
            .reads()
            .import_orders(opened.clone(), orders, rejected);
        self.consign.import.taking.start(take);
        view.stage = ImportStage::Taking;
        view.problem = None;
    }

    pub(super) fn save_rejected(&mut self, typed: Option<PathBuf>) {
        if self.lacks_path(typed.is_some()) {
            return;
        }
        let view = &self.shared.consign.import;
        if let (Some(checked), Some(opened)) = (&view.checked, &view.opened) {
            let (sheet, rejected) = (Arc::clone(&opened.sheet), checked.rejected.clone());
            let save = self.work.reads().save_rejected(sheet, rejected, typed);
            self.consign.import.saving.start(save);
        }
    }

    pub(super) fn save_template(&mut self, typed: Option<PathBuf>) {
        if !self.lacks_path(typed.is_some()) {
            let save = self.work.reads().save_template(typed);
            self.consign.import.template.start(save);
        }
    }

    /// Closes the import. While drafts are being made, nothing happens: that step always runs to its end.
    pub(super) fn close_import(&mut self) {
        if self.shared.consign.import.stage != ImportStage::Taking {
            self.consign.import = ImportReads::default();
            self.shared.consign.import = ImportView::default();
        }
    }

    pub(crate) fn orders_opened(&mut self) {
        let opened = self.consign.import.opening.take();
        match self.finish_step(opened, ImportStage::Path, "Couldn't read the orders") {
            None => {}
            Some(None) => self.close_import(),
            Some(Some(opened)) => {
                let view = &mut self.shared.consign.import;
                view.stage = ImportStage::Columns;
                let sender = self.editing.draft.from.title();
                sender.clone_into(&mut view.sender);
                view.opened = Some(opened);
            }
        }
    }

    pub(crate) fn orders_checked(&mut self) {
        let checked = self.consign.import.checking.take();
        let what = "Couldn't check the orders";
        if let Some(checked) = self.finish_step(checked, ImportStage::Columns, what) {
            let view = &mut self.shared.consign.import;
            view.stage = ImportStage::Review;
            view.checked = Some(checked);
        }
    }

    pub(crate) fn orders_taken(&mut self) {
        let taken = self.consign.import.taking.take();
        if let Some(taken) = self.finish_step(taken, ImportStage::Review, "No drafts were created")
        {
            let view = &mut self.shared.consign.import;
            view.stage = ImportStage::Done;
            view.made = taken.orders.len();
            view.lost = taken.lost;
            let what = "Couldn't save the rejected rows next to your file";
            view.rejected_saved(taken.file, what);
            // New drafts are listed in the order of the file, before older drafts.
            let drafts = taken.orders.into_iter().map(|order| order.draft);
            self.shared.consign.drafts.splice(0..0, drafts);
        }
    }

    /// Returns the result of a step. After a failure, shows why and returns to an earlier stage.
    fn finish_step<T>(
        &mut self,
        result: Option<Result<T, EngineError>>,
        back: ImportStage,
        what: &str,
    ) -> Option<T> {
        match result? {
            Ok(value) => Some(value),
            Err(error) => {
                let view = &mut self.shared.consign.import;
                view.stage = back;
                view.problem = Some(Notice::failed(&headline(&error, what), &error));
                None
            }
        }
    }

    pub(crate) fn rejected_saved(&mut self) {
        let saved = self.consign.import.saving.take();
        let view = &mut self.shared.consign.import;
        let what = "Couldn't save the rejected rows there";
        view.rejected_saved(saved.and_then(Result::transpose), what);
    }

    pub(crate) fn template_saved(&mut self) {
        let saved = self.consign.import.template.take();
        let notice = match saved.and_then(Result::transpose) {
            None => return,
            Some(Ok(path)) => {
                let headline = format!("Template saved to {}", path.display());
                Notice::saved(headline, path.parent().unwrap_or(&path))
            }
            Some(Err(error)) => Notice::failed("Couldn't save the template", &error),
        };
        if self.shared.consign.import.stage == ImportStage::Closed {
            self.notify(notice);
        } else {
            self.shared.consign.import.problem = Some(notice);
        }
    }
}

impl ImportView {
    /// Shows where the rejected rows were saved, or why saving failed. Does nothing if the clerk chose no path.
    fn rejected_saved(&mut self, saved: Option<Result<PathBuf, EngineError>>, headline: &str) {
        match saved {
            None => {}
            Some(Ok(path)) => {
                self.rejected_at = Some(path.display().to_string());
                self.problem = None;
            }
            Some(Err(error)) => self.problem = Some(Notice::failed(headline, &error)),
        }
    }
}

/// Returns the error's own text as the headline if the error is about the file; otherwise
/// returns `otherwise`.
fn headline(error: &EngineError, otherwise: &str) -> String {
    match error {
        EngineError::Orders(_) | EngineError::Open(_) => {
            let words = error.to_string();
            let mut letters = words.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
        _ => otherwise.to_owned(),
    }
}
