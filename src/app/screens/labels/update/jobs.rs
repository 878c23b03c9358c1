//! Print jobs: polls open jobs and printers, cancels or releases jobs, and derives the states of labels from
//! jobs, printing by the service, and later changes of the consignment.
//!
//! Only one poll runs at a time, each poll ends within the print service's time limits, and after failures the pauses
//! between polls grow. Open jobs are polled on every screen, so that a job that waits too long can be cancelled.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::core::Core;
use crate::state::{
    ActionItem, JobId, JobState, LabelState, NewestLabelJob, Notice, Operation, OperationState,
    PrintJob, QueuedJobState, Remote, Screen, Tone,
};
use engine::{EngineError, Payload, UnprintedLabel, may_still_print};
use printing::service::JobAction;
use shipping::{ConsignmentId, LabelType};

/// Pause between polls while Labels is shown.
const LOOK_OFTEN: Duration = Duration::from_secs(2);

/// Pause between polls while another screen is shown.
const LOOK_SELDOM: Duration = Duration::from_secs(10);

/// Longest pause between polls after repeated failures.
const LOOK_RARELY: Duration = Duration::from_secs(80);

/// The newest job of each consignment, and the label state that follows from it.
pub(super) type NewestJobStates = HashMap<ConsignmentId, (JobId, LabelState)>;

/// State of polling print jobs and printers.
#[derive(Default)]
pub(crate) struct JobPolling {
    pub(crate) jobs: Remote<()>,
    /// Actions that the clerk requested. They run one after the other, and none is replaced by another.
    wanted: VecDeque<(JobAction, Vec<JobId>)>,
    pub(crate) acting: Remote<usize>,
    pub(crate) due: Option<Duration>,
    /// Number of polls that failed in a row.
    failures: u32,
}

impl Core {
    /// Polls open jobs, and the printers while Labels is shown, when a poll is due.
    pub(crate) fn watch_printers(&mut self, at: Duration) {
        self.act_on_the_next();
        let labels_up = self.shared.screen == Screen::Labels && !self.is_hidden();
        let any_open = self.open_jobs().next().is_some();
        let polling = &mut self.labels.polling;
        if !any_open && !labels_up {
            polling.due = None;
            return;
        }
        let pause = if labels_up { LOOK_OFTEN } else { LOOK_SELDOM };
        let pause = (pause * 2_u32.saturating_pow(polling.failures.min(6))).min(LOOK_RARELY);
        // Opening Labels shortens a long pause.
        let due = polling.due.unwrap_or(at + pause.min(LOOK_OFTEN));
        let due = due.min(at + pause);
        if due > at {
            polling.due = Some(due);
            return;
        }
        polling.due = Some(at + pause);
        if any_open && !polling.jobs.is_loading() {
            let open = self.open_jobs().cloned().collect();
            let poll = self.work.reads().refresh_jobs(open);
            self.labels.polling.jobs.start(poll);
        }
        if labels_up && !self.shared.labels.printers.is_loading() {
            self.refresh_printers();
        }
    }

    pub(crate) fn jobs_polled(&mut self) {
        let polling = &mut self.labels.polling;
        polling.failures = match polling.jobs.problem() {
            Some(_) => polling.failures.saturating_add(1),
            None => 0,
        };
    }

    fn open_jobs(&self) -> impl Iterator<Item = &PrintJob> {
        let jobs = self.shared.labels.jobs.iter();
        jobs.filter(|job| may_still_print(job))
    }

    /// Cancels or releases jobs in their queues, as the clerk asked.
    pub(super) fn act_on_jobs(&mut self, ids: Vec<JobId>, action: JobAction) {
        match self.labels.polling.wanted.back_mut() {
            Some((last, jobs)) if *last == action => jobs.extend(ids),
            _ => self.labels.polling.wanted.push_back((action, ids)),
        }
        self.act_on_the_next();
    }

    fn act_on_the_next(&mut self) {
        let polling = &mut self.labels.polling;
        if !polling.acting.is_loading()
            && let Some((action, ids)) = polling.wanted.pop_front()
        {
            polling
                .acting
                .start(self.work.reads().act_on_jobs(ids, action));
            polling.due = None;
        }
    }

    /// Cancels all open jobs of a printer.
    pub(super) fn cancel_all_of(&mut self, printer: &str) {
        let jobs = self.open_jobs().filter(|job| job.printer == printer);
        let ids: Vec<_> = jobs.map(|job| job.id).collect();
        if !ids.is_empty() {
            self.act_on_jobs(ids, JobAction::Cancel);
        }
    }

    /// Shows a notice if the print queue did not cancel or release a job.
    pub(crate) fn acted(&mut self) {
        let headline = "The print queue refused to cancel or release the job";
        let acting = &self.labels.polling.acting;
        if let Some(problem) = acting.problem() {
            let notice = Notice::failed(headline, problem);
            self.notify(notice);
        } else if acting.value().is_some_and(|refused| *refused > 0) {
            let advice =
                "The job may be finished by now, or belong to somebody else: check its status";
            self.notify(Notice::new(Tone::Warning, headline, advice));
        }
    }

    /// Stores a print job that is new or has changed, and updates its label and its batch.
    pub(crate) fn job_changed(&mut self, job: PrintJob) {
        let id = job.id;
        let jobs = &mut self.shared.labels.jobs;
        let mut was_under_way = false;
        if let Some(known) = jobs.iter_mut().find(|known| known.id == id) {
            was_under_way = known.state == JobState::Spooling;
            known.clone_from(&job);
        } else {
            // The list is sorted newest first.
            let place = jobs.partition_point(|known| known.id > id);
            jobs.insert(place, job.clone());
        }
        if let Some(newest) = job.as_label_job() {
            let consignment = newest.consignment;
            self.update_label_state(newest);
            self.batch_saw(consignment, job, was_under_way);
        }
        self.operations.have_items_changed = true;
        self.refresh_action_item(ActionItem::Job(id));
    }

    /// Updates a label's state from a print job, unless a newer job exists.
    fn update_label_state(&mut self, newest: NewestLabelJob) {
        let (id, job) = (newest.consignment, newest.job);
        let known = self.labels.standings.get(&id);
        if known.is_none_or(|(known, _)| *known <= job) {
            let state = label_state(newest);
            self.labels.standings.insert(id, (job, state.clone()));
            self.shared.labels.set_state(id, state);
        }
    }

    /// Records that a label failed before it became a print job.
    pub(crate) fn label_failed(&mut self, consignment: ConsignmentId, error: &EngineError) {
        let words = Notice::failed("not printed", error).advice;
        let state = if let Some(fault) = error.fault() {
            self.labels.faults.insert(consignment, fault.clone());
            LabelState::FailedVerification(words.clone())
        } else {
            LabelState::Failed(words.clone())
        };
        self.shared.labels.set_state(consignment, state);
        self.batch_lost(consignment, &words, false);
    }

    /// Marks printed labels of changed consignments as out of date. If such a label is shown, fetches it again.
    pub(crate) fn labels_outdated(&mut self, ids: &[ConsignmentId]) {
        for job in &mut self.shared.labels.jobs {
            let label = job.subject.consignment();
            job.outdated |= label.is_some_and(|id| ids.contains(&id));
        }
        for id in ids {
            if let Some((_, state)) = self.labels.standings.get_mut(id)
                && let LabelState::InQueue(_) | LabelState::Sent(_) | LabelState::Printed(_) = state
            {
                *state = LabelState::Stale;
            }
            let state = match self.shared.labels.state(*id) {
                LabelState::Printing => continue,
                LabelState::AtService(_) => LabelState::Stale,
                _ => self.state_without_print(*id),
            };
            self.shared.labels.set_state(*id, state);
        }
        let selected = self.shared.labels.selected;
        if selected.is_some_and(|id| ids.contains(&id)) {
            self.shared.labels.preview.clear();
            self.refresh_preview();
        }
    }

    /// Returns the state of a label that is not being printed, from its newest job or its printer token.
    pub(super) fn state_without_print(&self, id: ConsignmentId) -> LabelState {
        if let Some((_, state)) = self.labels.standings.get(&id) {
            return state.clone();
        }
        let token = self.shared.labels.printed_by_token.get(&id);
        token.map_or(LabelState::Waiting, |token| by_token(token))
    }

    /// Restores the journal's print jobs, the newest label state of each consignment, and the labels not printed yet.
    pub(crate) fn restore_jobs(
        &mut self,
        jobs: Vec<PrintJob>,
        labels: Vec<NewestLabelJob>,
        unprinted: Vec<UnprintedLabel>,
    ) {
        self.labels.standings.clear();
        self.shared.labels.states.clear();
        for newest in labels {
            let (id, job, state) = (newest.consignment, newest.job, label_state(newest));
            self.labels.standings.insert(id, (job, state.clone()));
            self.shared.labels.states.insert(id, state);
        }
        self.shared.labels.jobs = jobs;
        for operation in self.shared.operations.list.clone() {
            self.learn_service_print(&operation);
        }
        self.restore_batch(unprinted);
        self.rebuild_labels();
    }

    /// Records the labels that the service may have printed, because of a printer token or a print request.
    pub(crate) fn learn_service_print(&mut self, operation: &Operation) {
        if operation.state != OperationState::Done {
            return;
        }
        match operation.payload() {
            Some(Payload::Create(request)) => {
                let token = request.printer_token.as_deref().unwrap_or_default().trim();
                for id in operation.consignments.iter().filter(|_| !token.is_empty()) {
                    let tokens = &mut self.shared.labels.printed_by_token;
                    tokens.insert(*id, token.to_owned());
                    self.left_to_service(*id, by_token(token));
                }
            }
            Some(Payload::ServicePrint(order)) if order.label_type() == Some(LabelType::Item) => {
                let printers = self.shared.labels.service_printers.value();
                let mut printers = printers.into_iter().flat_map(|all| &all.printers);
                let known = printers.find(|printer| printer.id == order.printer());
                let words = known.map_or_else(
                    || format!("printer {}", order.printer()),
                    |printer| printer.name.clone(),
                );
                for id in order.consignment_ids() {
                    self.left_to_service(*id, LabelState::AtService(words.clone()));
                }
            }
            _ => {}
        }
    }

    /// Sets the state of a label that the service may have printed, unless the bench printed the label itself.
    fn left_to_service(&mut self, id: ConsignmentId, state: LabelState) {
        let labels = &mut self.shared.labels;
        if let LabelState::Waiting | LabelState::Stale | LabelState::AtService(_) = labels.state(id)
        {
            labels.set_state(id, state);
        }
    }
}

fn by_token(token: &str) -> LabelState {
    LabelState::AtService(format!("token {token}"))
}

fn label_state(job: NewestLabelJob) -> LabelState {
    use QueuedJobState::{Held, Printing, Stopped, Waiting};
    let in_queue = matches!(job.queue_state, Some(Waiting | Held | Stopped | Printing));
    match job.state {
        JobState::Spooling => LabelState::Printing,
        JobState::Sent | JobState::Printed if job.outdated => LabelState::Stale,
        JobState::Sent if in_queue => LabelState::InQueue(job.changed),
        JobState::Sent => LabelState::Sent(job.changed),
        JobState::Printed => LabelState::Printed(job.changed),
        JobState::Failed => LabelState::Failed(job.message),
        JobState::Ask => LabelState::Uncertain(job.message),
    }
}
