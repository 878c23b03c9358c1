//! The watched folder, as the Orders screen shows it.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::config::OrderFolderSettings;
use crate::state::{Notice, Shared};
use draft::{Draft, DraftId};
use engine::{FolderFile, WaitingFile, WrittenResults};
use jiff::Timestamp;
use shipping::Dollars;

#[derive(Debug, Default)]
pub struct OrderFolderView {
    /// The watched folder of the open service; `None` if none is set up.
    pub settings: Option<OrderFolderSettings>,
    /// The files that were taken last, newest first.
    pub files: Vec<FolderFile>,
    /// The files that can't be taken yet.
    pub waiting: Vec<WaitingFile>,
    /// The reason why no files are taken now.
    pub problem: Option<Notice>,
    /// When Packbench looked into the folder last.
    pub looked: Option<Timestamp>,
    pub results: WrittenResults,
    /// Orders that cost more than the limit, each with the reason why it waits.
    pub over_limit: HashMap<DraftId, String>,
    /// True if the clerk has stopped a run that Packbench had begun by itself.
    pub is_paused: bool,
    /// Why results can't be written now.
    pub results_problem: Option<Notice>,
}

/// A command on the Orders screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderFolderCommand {
    /// Look into the watched folder now.
    LookNow,
    /// Send the orders from the folder that have no problems.
    SendReady,
    /// Send orders by themselves again.
    ResumeSending,
    /// Move this failed file back into the watched folder.
    Retry(String),
}

/// How far an order from the folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderStage {
    Ready,
    /// The order is sent in the run that is in progress.
    InRun,
    /// The reason why a person has to look at it.
    NeedsAttention(String),
    NotCheckedYet,
}

/// The rule by which orders are sent by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendRule {
    pub price_limit: Option<Dollars>,
}

impl OrderFolderView {
    pub fn folder(&self) -> Option<&PathBuf> {
        Some(&self.settings.as_ref()?.folder)
    }

    /// Returns the rule; `None` if orders wait for a person.
    pub fn send_rule(&self) -> Option<SendRule> {
        let settings = self.settings.as_ref().filter(|settings| settings.sends)?;
        Some(SendRule {
            price_limit: settings.price_limit,
        })
    }
}

impl Shared {
    /// Returns the listed orders from the watched folder.
    pub fn folder_orders(&self) -> impl Iterator<Item = &Draft> {
        self.consign
            .drafts
            .iter()
            .filter(|draft| draft.is_from_folder)
    }

    /// Returns whether an order from the folder can be sent. Only for drafts that no run sends now.
    pub fn is_ready_order(&self, draft: &Draft) -> bool {
        let consign = &self.consign;
        consign.checked.get(&draft.id) == Some(&None)
            && !consign.refusals.contains_key(&draft.id)
            && !consign.is_excluded_from_runs(draft)
    }

    pub fn order_stage(&self, draft: &Draft) -> OrderStage {
        let consign = &self.consign;
        if consign
            .run
            .as_ref()
            .is_some_and(|run| run.contains(&draft.id))
        {
            return OrderStage::InRun;
        }
        if let Some(problem) = consign.refusals.get(&draft.id).and_then(|all| all.first()) {
            return OrderStage::NeedsAttention(problem.message.clone());
        }
        if let Some(reason) = self.order_folder.over_limit.get(&draft.id) {
            return OrderStage::NeedsAttention(reason.clone());
        }
        if consign.is_excluded_from_runs(draft) {
            let reason = "Open it: it may have been sent, or is saved at the service";
            return OrderStage::NeedsAttention(reason.to_owned());
        }
        match consign.checked.get(&draft.id) {
            Some(None) => OrderStage::Ready,
            Some(Some(problem)) => OrderStage::NeedsAttention(problem.clone()),
            None => OrderStage::NotCheckedYet,
        }
    }
}
