//! Takes orders from the watched folder, sends them by the rule of the settings, and writes their results.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use crate::config::OrderFolderSettings;
use crate::core::Core;
use crate::state::{Notice, NoticeTarget, OrderFolderView, Tone};
use draft::orders::OrderTerms;
use draft::{Draft, DraftId, Party, Routing};
use engine::{FolderFile, FolderRound, OrderFolder, Outbox, Remote, WrittenResults, without_time};
use shipping::{Consignment, ConsignmentId, LabelSize};
use workgroup::WorkgroupState;

/// The wait before a failed look into the folder, or a failed writing of results, is repeated.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The shortest time between two looks into the folder.
const BETWEEN_ROUNDS: Duration = Duration::from_millis(100);

/// How long results are collected for one file.
const RESULTS_AFTER: Duration = Duration::from_secs(1);

/// The wait before orders are sent by themselves again after a run was stopped.
const SEND_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// Headline of the problem that the folder can't be used.
const NOT_TAKEN: &str = "Couldn't take orders from the folder";

/// State of Orders that the screens do not read.
#[derive(Default)]
pub(crate) struct OrderFolderUpdate {
    folder: Option<Arc<OrderFolder>>,
    pub(crate) round: Remote<FolderRound>,
    /// When to look into the folder next.
    round_due: Option<Duration>,
    /// The wait until then, counted from the next turn.
    round_in: Option<Duration>,
    pub(crate) results: Remote<WrittenResults>,
    results_due: Option<Duration>,
    results_in: Option<Duration>,
    /// The consignments that were created since results were written last.
    created: HashMap<ConsignmentId, Consignment>,
    pub(crate) retry: Remote<()>,
    /// No order is sent by itself before this time.
    send_due: Option<Duration>,
    has_stopped: bool,
    /// Data of the journal that is still to come, before the first look into the folder.
    missing: MissingData,
    /// When the last look into the folder began.
    last_round: Option<Duration>,
}

/// Data of the journal without which orders would be read wrongly.
struct MissingData {
    drafts: bool,
    presets: bool,
    items: bool,
}

impl Default for MissingData {
    fn default() -> Self {
        Self {
            drafts: true,
            presets: true,
            items: true,
        }
    }
}

impl MissingData {
    const fn any(&self) -> bool {
        self.drafts || self.presets || self.items
    }
}

impl OrderFolderUpdate {
    pub(super) fn next_due(&self) -> Option<Duration> {
        let round = self.round_due.filter(|_| !self.round.is_loading());
        let results = self.results_due.filter(|_| !self.results.is_loading());
        [round, results, self.send_due].into_iter().flatten().min()
    }
}

impl Core {
    /// Records that the drafts of the journal are known.
    pub(crate) fn drafts_restored(&mut self) {
        self.order_folder.missing.drafts = false;
        self.order_folder.results_in = Some(Duration::ZERO);
    }

    pub(crate) const fn presets_restored(&mut self) {
        self.order_folder.missing.presets = false;
    }

    pub(crate) const fn items_restored(&mut self) {
        self.order_folder.missing.items = false;
    }

    /// Looks into the folder at the next turn.
    pub(super) fn look_into_folder(&mut self) {
        self.order_folder.round_in = Some(Duration::ZERO);
    }

    /// Records that a consignment was created, whose result may be due.
    pub(crate) fn order_created(&mut self, consignment: &Consignment) {
        if self.shared.order_folder.settings.is_some() {
            self.order_folder
                .created
                .insert(consignment.id, consignment.clone());
            self.order_folder.results_in = Some(RESULTS_AFTER);
        }
    }

    /// Returns whether the workgroup's database can't say which orders other benches send.
    pub(crate) fn is_workgroup_away(&self) -> bool {
        let workgroup = self.shared.workgroup.as_ref();
        workgroup.is_some_and(|workgroup| workgroup.state != WorkgroupState::Connected)
    }

    /// Records that a run was stopped, so that orders are not sent by themselves for a while; if the clerk stopped it, until
    /// the clerk resumes.
    pub(crate) fn folder_run_stopped(&mut self, by_clerk: bool) {
        self.order_folder.has_stopped = true;
        self.shared.order_folder.is_paused |= by_clerk;
    }

    pub(super) fn watch_order_folder(&mut self, at: Duration) {
        // The settings may already be those of the service that is opened next.
        if self.session.leave_requested {
            return;
        }
        self.follow_folder_settings();
        let update = &mut self.order_folder;
        if update
            .folder
            .as_ref()
            .is_some_and(|folder| folder.take_change())
        {
            update.round_in = Some(Duration::ZERO);
        }
        if let Some(wait) = update.round_in.take() {
            let earliest = update.last_round.map(|last| last + BETWEEN_ROUNDS);
            update.round_due = Some((at + wait).max(earliest.unwrap_or_default()));
        }
        if let Some(wait) = update.results_in.take() {
            update.results_due = Some(
                update
                    .results_due
                    .map_or(at + wait, |due| due.min(at + wait)),
            );
        }
        if mem::take(&mut update.has_stopped) {
            update.send_due = Some(at + SEND_AGAIN_AFTER);
        }
        update.send_due = update.send_due.filter(|due| *due > at);
        let is_due = |due: Option<Duration>| due.is_some_and(|due| due <= at);
        let starts_round = is_due(update.round_due) && !update.round.is_loading();
        let writes = is_due(update.results_due) && !update.results.is_loading();
        if writes {
            self.write_results();
        }
        if starts_round {
            self.order_folder.last_round = Some(at);
            self.start_folder_round();
        }
        self.send_by_rule();
    }

    /// Watches the folder of the settings, if they have changed.
    fn follow_folder_settings(&mut self) {
        let wanted = self.setup.settings.order_folder();
        if self.shared.order_folder.settings.as_ref() == wanted {
            return;
        }
        let wanted = wanted.cloned();
        let update = &mut self.order_folder;
        let is_same = |folder: &Arc<OrderFolder>| {
            let path = wanted.as_ref().map(|wanted| wanted.folder.as_path());
            Some(folder.path()) == path
        };
        if !update.folder.as_ref().is_some_and(is_same) {
            let repaint = self.setup.tasks.repaint();
            let folder = wanted
                .as_ref()
                .map(|wanted| OrderFolder::new(wanted.folder.clone(), repaint));
            // A round in progress goes on: its orders are saved, and have to be listed.
            update.folder = folder.map(Arc::new);
        }
        update.round_due = wanted.as_ref().map(|_| Duration::ZERO);
        update.results_in = Some(Duration::ZERO);
        self.shared.order_folder = OrderFolderView {
            settings: wanted,
            ..OrderFolderView::default()
        };
    }

    /// Starts a look into the folder, unless the orders would be read wrongly now.
    fn start_folder_round(&mut self) {
        self.order_folder.round_due = None;
        let (Some(folder), Some(settings)) = (
            &self.order_folder.folder,
            &self.shared.order_folder.settings,
        ) else {
            return;
        };
        let is_starting = self.order_folder.missing.any();
        let terms = match self.folder_terms(settings) {
            Ok(terms) => terms,
            Err(advice) => {
                let wait = if is_starting {
                    BETWEEN_ROUNDS
                } else {
                    RETRY_AFTER
                };
                self.order_folder.round_in = Some(wait);
                let problem = Notice::new(Tone::Warning, "No orders are taken now", advice);
                self.shared.order_folder.problem = Some(problem);
                return;
            }
        };
        let consign = &self.shared.consign;
        let drafts = consign.drafts.iter().chain(&consign.sent);
        let listed: HashSet<_> = { drafts.chain([&self.editing.draft]) }
            .map(|draft| draft.reference1.trim().to_lowercase())
            .filter(|reference| !reference.is_empty())
            .collect();
        let reads = self.work.reads();
        let round = reads.take_folder_orders(Arc::clone(folder), terms, listed);
        self.order_folder.round.start(round);
    }

    /// Returns the terms for orders from the folder, or what the clerk has to do first.
    fn folder_terms(&self, settings: &OrderFolderSettings) -> Result<OrderTerms, &'static str> {
        if self.order_folder.missing.any() {
            return Err("Waiting for this bench's records");
        }
        let catalogue = &self.shared.catalogue;
        let is_company = |company| Some(company) == self.shared.session.company;
        if !settings.company.is_none_or(is_company) {
            return Err(
                "The folder belongs to another company. Switch to that company, or save the folder for this one",
            );
        }
        let mut from = Party::default();
        if let Some(sender) = settings.sender {
            let mut locations = catalogue.known_locations().iter();
            match locations.find(|location| location.id == sender) {
                Some(location) => from.set_location(location),
                None if catalogue.locations.value().is_none() => {
                    return Err("Waiting for the saved locations from the service");
                }
                None => {
                    return Err(
                        "Their sender is no longer a saved location. Choose another in Settings",
                    );
                }
            }
        }
        let mut presets = catalogue.presets.iter();
        let preset = presets
            .find(|preset| preset.name == settings.preset)
            .cloned();
        if preset.is_none() && !settings.preset.is_empty() {
            return Err("Their preset no longer exists. Choose another in Settings");
        }
        Ok(OrderTerms {
            company: settings.company,
            from,
            routing: Routing::Unchosen,
            preset,
            locations: catalogue.known_locations().to_vec(),
            items: Arc::clone(&catalogue.items),
            check: self.shared.check_context(),
        })
    }

    pub(super) fn folder_round_done(&mut self) {
        let view = &mut self.shared.order_folder;
        match self.order_folder.round.take() {
            None => {}
            Some(Ok(round)) => {
                self.order_folder.round_in = round.next;
                // A create whose answer was lost may have been found since.
                self.order_folder.results_in = Some(RESULTS_AFTER);
                let failed = |error| Notice::failed(NOT_TAKEN, error);
                view.problem = round.problem.as_ref().map(failed);
                view.looked = Some(self.shared.now);
                (view.files, view.waiting) = (round.known, round.waiting);
                let drafts = round.orders.into_iter().map(|order| order.draft);
                self.shared.consign.drafts.splice(0..0, drafts);
                self.tell_failed_files(&round.files);
            }
            Some(Err(error)) => {
                self.order_folder.round_in = Some(RETRY_AFTER);
                view.problem = Some(Notice::failed(NOT_TAKEN, &error));
            }
        }
    }

    /// Tells the clerk of rejected orders, on whatever screen.
    fn tell_failed_files(&mut self, taken: &[FolderFile]) {
        let failed: Vec<_> = taken.iter().filter(|file| file.rejected > 0).collect();
        let headline = match failed.as_slice() {
            [] => return,
            [file] => format!(
                "{} has orders that were not taken",
                without_time(&file.name)
            ),
            several => format!("{} files have orders that were not taken", several.len()),
        };
        let notice = Notice::new(
            Tone::Warning,
            headline,
            "Choose the file on Orders to see why",
        );
        self.notify(notice.with_target(NoticeTarget::OrderFolder));
    }

    fn write_results(&mut self) {
        self.order_folder.results_due = None;
        if self.order_folder.missing.drafts {
            return;
        }
        let settings = self.shared.order_folder.settings.as_ref();
        let outbox = settings.and_then(|settings| {
            Some(Outbox {
                folder: settings.outbox.clone()?,
                format: settings.result_format,
                labels: settings.saves_labels.then_some(LabelSize::A6),
                tracking: self.shared.session.tracking.clone(),
            })
        });
        let created = mem::take(&mut self.order_folder.created);
        let write = self.work.reads().write_order_results(outbox, created);
        self.order_folder.results.start(write);
    }

    pub(super) fn results_written(&mut self) {
        let view = &mut self.shared.order_folder;
        match self.order_folder.results.take() {
            None => {}
            Some(Ok(written)) => {
                view.results = written;
                view.results_problem = None;
            }
            Some(Err(error)) => {
                self.order_folder.results_in = Some(RETRY_AFTER);
                view.results_problem = Some(Notice::failed("Couldn't write the results", &error));
            }
        }
    }

    pub(super) fn retry_folder_file(&mut self, name: String) {
        if let Some(folder) = &self.order_folder.folder {
            let retry = self
                .work
                .reads()
                .retry_folder_file(Arc::clone(folder), name);
            self.order_folder.retry.start(retry);
        }
    }

    pub(super) fn folder_file_retried(&mut self) {
        if let Some(Err(error)) = self.order_folder.retry.take() {
            let notice = Notice::failed("Couldn't move the file back", &error);
            self.notify(notice);
        }
        self.look_into_folder();
    }

    /// Sends every order from the folder that has no problems, whatever it costs: the clerk has asked for it.
    pub(super) fn send_ready_orders(&mut self) {
        let ready = self.ready_orders(|_| true);
        self.send_all(ready);
    }

    /// Sends the orders from the folder by the rule of the settings, if there is one.
    fn send_by_rule(&mut self) {
        let Some(rule) = self.shared.order_folder.send_rule() else {
            return;
        };
        let is_away = self.shared.session.health.away_since.is_some();
        let is_paused = self.shared.order_folder.is_paused || is_away || self.is_workgroup_away();
        if self.shared.consign.run.is_some() || is_paused || self.order_folder.send_due.is_some() {
            return;
        }
        // A clerk may have begun to change an order that was opened.
        let over_limit = &self.shared.order_folder.over_limit;
        let ready =
            self.ready_orders(|order| !order.was_opened && !over_limit.contains_key(&order.id));
        self.send_by_itself(ready, rule);
    }

    /// Returns the wanted orders that can be sent, in the order in which they came.
    fn ready_orders(&self, is_wanted: impl Fn(&Draft) -> bool) -> Vec<DraftId> {
        let shared = &self.shared;
        let orders = shared
            .folder_orders()
            .filter(|draft| shared.is_ready_order(draft));
        orders
            .filter(|order| is_wanted(order))
            .map(|draft| draft.id.clone())
            .collect()
    }
}
