//! Commands for presets, for the import of orders and for sending all drafts. Imports orders: opens a file, maps its columns, checks the orders and makes drafts of them.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::core::Core;
use crate::state::{ImportStage, ImportView, Notice, OrdersCommand, Tone};
use draft::orders::{CheckedOrders, Mapping, OrderTerms};
use draft::{Preset, Routing};
use engine::{EngineError, ImportedOrders, OpenedOrders, Remote, Request};

/// Background jobs of an import.
#[derive(Default)]
pub(crate) struct Import {
    opened: Option<OpenedOrders>,
    pub(crate) opening: Remote<Option<OpenedOrders>>,
    pub(crate) checking: Remote<CheckedOrders>,
    pub(crate) taking: Remote<ImportedOrders>,
    pub(crate) saving: Remote<Option<PathBuf>>,
    pub(crate) template: Remote<Option<PathBuf>>,
    progress: Arc<AtomicUsize>,
}

impl Core {
    pub(crate) fn run_orders(&mut self, command: OrdersCommand) {
        match command {
            OrdersCommand::SavePreset { preset, was } => self.save_preset(*preset, was),
            OrdersCommand::RemovePreset(name) => {
                self.work.submit(Request::RemovePreset(name));
            }
            OrdersCommand::Import => self.open_orders(None),
            OrdersCommand::ImportFrom(path) => self.open_orders(Some(path.trim().into())),
            OrdersCommand::Check { mapping, routing } => self.check_orders(mapping, routing),
            OrdersCommand::BackToColumns => {
                if self.shared.consign.import.stage == ImportStage::Review {
                    self.shared.consign.import.stage = ImportStage::Columns;
                }
            }
            OrdersCommand::CreateDrafts(again) => self.import_orders(&again),
            OrdersCommand::SaveRejected => self.save_rejected(None),
            OrdersCommand::SaveRejectedAt(path) => self.save_rejected(Some(path.trim().into())),
            OrdersCommand::PutAway => self.close_import(),
            OrdersCommand::SaveTemplate => self.save_template(None),
            OrdersCommand::SaveTemplateAt(path) => self.save_template(Some(path.trim().into())),
            OrdersCommand::SendAll(drafts) => self.send_all(drafts),
            OrdersCommand::StopSending => {
                if let Some(run) = &mut self.consign.sending_all.run {
                    run.view.stopping = true;
                }
            }
        }
    }

    /// Saves a preset in place of the one called `was`. The dialog has already made sure that no other preset
    /// uses its key.
    fn save_preset(&mut self, preset: Preset, was: Option<String>) {
        if preset.name.is_empty() {
            return;
        }
        self.work.submit(Request::SavePreset(Box::new(preset), was));
    }

    fn open_orders(&mut self, typed: Option<PathBuf>) {
        let stage = self.shared.consign.import.stage;
        if !matches!(
            stage,
            ImportStage::Closed | ImportStage::Path | ImportStage::Done
        ) {
            return;
        }
        let turn = self.shared.consign.import.turn + 1;
        self.consign.import = Import::default();
        self.shared.consign.import = ImportView {
            turn,
            ..ImportView::default()
        };
        if self.lacks_path(typed.is_some()) {
            self.shared.consign.import.stage = ImportStage::Path;
            return;
        }
        self.shared.consign.import.stage = ImportStage::Opening;
        self.consign
            .import
            .opening
            .start(self.work.reads().open_orders(typed));
    }

    fn check_orders(&mut self, mapping: Mapping, routing: Routing) {
        let stage = self.shared.consign.import.stage;
        let Some(opened) = &mut self.consign.import.opened else {
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
            locations: self.shared.catalogue.known_locations().to_vec(),
            items: Arc::clone(&self.shared.catalogue.items),
            check: self.shared.check_context(),
        };
        let drafts = self.shared.consign.drafts.iter().chain([open]);
        let drafts: HashSet<_> = drafts
            .map(|draft| draft.reference1.trim().to_lowercase())
            .collect();
        self.consign.import.progress = Arc::default();
        let progress = Arc::clone(&self.consign.import.progress);
        let check = self
            .work
            .reads()
            .check_orders(opened, terms, drafts, progress);
        self.consign.import.checking.clear();
        self.consign.import.checking.start(check);
        let view = &mut self.shared.consign.import;
        view.mapping = mapping;
        view.stage = ImportStage::Checking;
        view.done = 0;
        view.problem = None;
    }

    /// Makes drafts of the new orders, and of the known orders that the clerk ticked. `again` has the indices
    /// of the ticked orders.
    fn import_orders(&mut self, again: &[usize]) {
        let view = &mut self.shared.consign.import;
        let (Some(checked), Some(opened)) = (&view.checked, &self.consign.import.opened) else {
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
        self.consign.import.taking.start(take);
        view.stage = ImportStage::Taking;
        view.problem = None;
    }

    fn save_rejected(&mut self, typed: Option<PathBuf>) {
        let view = &self.shared.consign.import;
        let (Some(checked), Some(sheet)) = (&view.checked, &view.sheet) else {
            return;
        };
        let (sheet, rejected) = (Arc::clone(sheet), checked.rejected.clone());
        if self.lacks_path(typed.is_some()) {
            return;
        }
        let save = self.work.reads().save_rejected(sheet, rejected, typed);
        self.consign.import.saving.start(save);
    }

    fn save_template(&mut self, typed: Option<PathBuf>) {
        if self.lacks_path(typed.is_some()) {
            return;
        }
        let save = self.work.reads().save_template(typed);
        self.consign.import.template.start(save);
    }

    /// Closes the import. While drafts are being made, nothing happens: that step always runs to its end.
    fn close_import(&mut self) {
        if self.shared.consign.import.stage == ImportStage::Taking {
            return;
        }
        let turn = self.shared.consign.import.turn + 1;
        self.consign.import = Import::default();
        self.shared.consign.import = ImportView {
            turn,
            ..ImportView::default()
        };
    }

    pub(crate) fn show_import_progress(&mut self) {
        if self.shared.consign.import.stage == ImportStage::Checking {
            self.shared.consign.import.done = self.consign.import.progress.load(Ordering::Relaxed);
        }
    }

    pub(crate) fn orders_opened(&mut self) {
        let Some(opened) = self.consign.import.opening.take() else {
            return;
        };
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
                self.consign.import.opened = Some(opened);
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

    pub(crate) fn orders_checked(&mut self) {
        let Some(checked) = self.consign.import.checking.take() else {
            return;
        };
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

    pub(crate) fn orders_taken(&mut self) {
        let Some(taken) = self.consign.import.taking.take() else {
            return;
        };
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

    pub(crate) fn rejected_saved(&mut self) {
        let saved = self.consign.import.saving.take();
        let view = &mut self.shared.consign.import;
        match saved.and_then(Result::transpose) {
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

    pub(crate) fn template_saved(&mut self) {
        let saved = self.consign.import.template.take();
        let notice = match saved.and_then(Result::transpose) {
            None => return,
            Some(Ok(path)) => {
                let headline = format!("Template saved to {}", path.display());
                Notice::new(Tone::Ok, headline, "")
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
