//! Imports orders: opens a file, maps its columns, checks the orders and makes drafts of them.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::core::Core;
use crate::state::{ImportStage, ImportView, Notice, Tone};
use draft::Routing;
use draft::orders::{CheckedOrders, Mapping, OrderTerms};
use engine::{EngineError, ImportedOrders, OpenedOrders, Remote};

/// Background jobs of an import.
#[derive(Default)]
pub(crate) struct Import {
    opened: Option<OpenedOrders>,
    opening: Remote<Option<OpenedOrders>>,
    checking: Remote<CheckedOrders>,
    taking: Remote<ImportedOrders>,
    saving: Remote<Option<PathBuf>>,
    template: Remote<Option<PathBuf>>,
    progress: Arc<AtomicUsize>,
}

impl Core {
    pub(crate) fn open_orders(&mut self, typed: Option<PathBuf>) {
        let stage = self.shared.consign.import.stage;
        if !matches!(
            stage,
            ImportStage::Closed | ImportStage::Path | ImportStage::Done
        ) {
            return;
        }
        let turn = self.shared.consign.import.turn + 1;
        self.import = Import::default();
        self.shared.consign.import = ImportView {
            turn,
            ..ImportView::default()
        };
        if typed.is_none() && !self.system_info.file_dialog {
            self.shared.no_file_dialog = true;
            self.shared.consign.import.stage = ImportStage::Path;
            return;
        }
        self.shared.consign.import.stage = ImportStage::Opening;
        self.import
            .opening
            .start(self.work.reads().open_orders(typed));
    }

    pub(crate) fn check_orders(&mut self, mapping: Mapping, routing: Routing) {
        let stage = self.shared.consign.import.stage;
        let Some(opened) = &mut self.import.opened else {
            return;
        };
        if stage != ImportStage::Columns {
            return;
        }
        opened.mapping.clone_from(&mapping);
        let open = &self.editing.draft;
        let terms = OrderTerms {
            company: open.company,
            from: open.from.clone(),
            routing,
            locations: self
                .shared
                .catalogue
                .locations
                .value()
                .cloned()
                .unwrap_or_default(),
            items: Arc::clone(&self.shared.catalogue.items),
            check: self.shared.check_context(),
        };
        let drafts = self.shared.consign.drafts.iter().chain([open]);
        let drafts: HashSet<_> = drafts
            .map(|draft| draft.reference1.trim().to_lowercase())
            .collect();
        self.import.progress = Arc::default();
        let progress = Arc::clone(&self.import.progress);
        let check = self
            .work
            .reads()
            .check_orders(opened, terms, drafts, progress);
        self.import.checking.clear();
        self.import.checking.start(check);
        let view = &mut self.shared.consign.import;
        view.mapping = mapping;
        view.stage = ImportStage::Checking;
        view.done = 0;
        view.problem = None;
    }

    /// Makes drafts of the new orders, and of those known orders that the clerk ticked. `again` has the
    /// indices of the ticked ones.
    pub(crate) fn import_orders(&mut self, again: &[usize]) {
        let view = &mut self.shared.consign.import;
        let (Some(checked), Some(opened)) = (&view.checked, &self.import.opened) else {
            return;
        };
        if view.stage != ImportStage::Review {
            return;
        }
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
        self.import.taking.start(take);
        view.stage = ImportStage::Taking;
        view.problem = None;
    }

    pub(crate) fn save_rejected(&mut self, typed: Option<PathBuf>) {
        let view = &mut self.shared.consign.import;
        let (Some(checked), Some(sheet)) = (&view.checked, &view.sheet) else {
            return;
        };
        if typed.is_none() && !self.system_info.file_dialog {
            self.shared.no_file_dialog = true;
            return;
        }
        let (sheet, rejected) = (Arc::clone(sheet), checked.rejected.clone());
        let save = self.work.reads().save_rejected(sheet, rejected, typed);
        self.import.saving.start(save);
    }

    pub(crate) fn save_template(&mut self, typed: Option<PathBuf>) {
        if typed.is_none() && !self.system_info.file_dialog {
            self.shared.no_file_dialog = true;
            return;
        }
        let save = self.work.reads().save_template(typed);
        self.import.template.start(save);
    }

    /// Closes the import. While drafts are being made, nothing happens: that step always runs to its end.
    pub(crate) fn close_import(&mut self) {
        if self.shared.consign.import.stage == ImportStage::Taking {
            return;
        }
        let turn = self.shared.consign.import.turn + 1;
        self.import = Import::default();
        self.shared.consign.import = ImportView {
            turn,
            ..ImportView::default()
        };
    }

    pub(crate) fn poll_import(&mut self) {
        if self.shared.consign.import.stage == ImportStage::Checking {
            self.shared.consign.import.done = self.import.progress.load(Ordering::Relaxed);
        }
        if self.import.opening.poll()
            && let Some(opened) = self.import.opening.take()
        {
            self.orders_opened(opened);
        }
        if self.import.checking.poll()
            && let Some(checked) = self.import.checking.take()
        {
            self.orders_checked(checked);
        }
        if self.import.taking.poll()
            && let Some(taken) = self.import.taking.take()
        {
            self.orders_taken(taken);
        }
        if self.import.saving.poll()
            && let Some(saved) = self.import.saving.take()
        {
            self.rejected_saved(saved.transpose());
        }
        if self.import.template.poll()
            && let Some(saved) = self.import.template.take()
        {
            self.template_saved(saved.transpose());
        }
    }

    fn orders_opened(&mut self, opened: Result<Option<OpenedOrders>, EngineError>) {
        let view = &mut self.shared.consign.import;
        match opened {
            Ok(None) => self.close_import(),
            Ok(Some(opened)) => {
                view.stage = ImportStage::Columns;
                view.file = opened
                    .path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default();
                view.sheet = Some(Arc::clone(&opened.sheet));
                view.mapping.clone_from(&opened.mapping);
                view.remembered = opened.remembered;
                view.sender = self.editing.draft.from.title().to_owned();
                self.import.opened = Some(opened);
            }
            Err(error) => {
                view.stage = ImportStage::Path;
                view.problem = Some(Notice::failed(
                    &headline(&error, "Couldn't read the orders"),
                    &error,
                ));
            }
        }
    }

    fn orders_checked(&mut self, checked: Result<CheckedOrders, EngineError>) {
        let view = &mut self.shared.consign.import;
        match checked {
            Ok(checked) => {
                view.stage = ImportStage::Review;
                view.checked = Some(Arc::new(checked));
            }
            Err(error) => {
                view.stage = ImportStage::Columns;
                let headline = headline(&error, "Couldn't check the orders");
                view.problem = Some(Notice::failed(&headline, &error));
            }
        }
    }

    fn orders_taken(&mut self, taken: Result<ImportedOrders, EngineError>) {
        let view = &mut self.shared.consign.import;
        match taken {
            Ok(taken) => {
                view.stage = ImportStage::Done;
                view.made = taken.orders.len();
                match taken.file {
                    Some(Ok(path)) => view.rejected_at = Some(path.display().to_string()),
                    Some(Err(error)) => {
                        let what = "Couldn't save the rejected rows next to your file";
                        view.problem = Some(Notice::failed(what, &error));
                    }
                    None => {}
                }
                // In the order of the file, before older drafts.
                let drafts = taken.orders.into_iter().map(|order| order.draft);
                self.shared.consign.drafts.splice(0..0, drafts);
            }
            Err(error) => {
                view.stage = ImportStage::Review;
                let what = "No drafts were created";
                view.problem = Some(Notice::failed(what, &error));
            }
        }
    }

    fn rejected_saved(&mut self, saved: Option<Result<PathBuf, EngineError>>) {
        let view = &mut self.shared.consign.import;
        match saved {
            None => {}
            Some(Ok(path)) => {
                view.rejected_at = Some(path.display().to_string());
                view.problem = None;
            }
            Some(Err(error)) => {
                let what = "Couldn't save the rejected rows there";
                view.problem = Some(Notice::failed(what, &error));
            }
        }
    }

    fn template_saved(&mut self, saved: Option<Result<PathBuf, EngineError>>) {
        let notice = match saved {
            None => return,
            Some(Ok(path)) => {
                let headline = format!("Template saved to {}", path.display());
                Notice::new(Tone::Good, headline, "")
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
