//! Label states, derived from print jobs, printing by the service, and later changes of the consignment.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::core::Core;
use crate::state::{
    ActionItem, JobId, JobState, LabelState, NewestLabelJob, Notice, Operation, OperationState,
    PrintJob, QueuedJobState,
};
use engine::{EngineError, Payload, UnprintedLabel};
use shipping::{ConsignmentId, LabelType};

/// The newest job of each consignment, and the label state that follows from it.
pub(crate) type NewestJobStates = HashMap<ConsignmentId, (JobId, LabelState)>;

impl Core {
    /// Takes over a print job that is new or has changed.
    pub(crate) fn job_changed(&mut self, job: PrintJob) {
        let matter = ActionItem::Job(job.id);
        let known = self
            .shared
            .labels
            .jobs
            .iter_mut()
            .find(|known| known.id == job.id);
        let was_under_way = known
            .as_ref()
            .is_some_and(|known| known.state == JobState::Spooling);
        if let Some(known) = known {
            known.clone_from(&job);
        } else {
            // The list is sorted newest first. An older job does not change the label's state.
            let place = self
                .shared
                .labels
                .jobs
                .partition_point(|known| known.id > job.id);
            self.shared.labels.jobs.insert(place, job.clone());
        }
        if let Some(standing) = job.as_label_job() {
            let consignment = standing.consignment;
            self.learn_standing(standing);
            self.batch_saw(consignment, job, was_under_way);
        }
        self.action_items_changed = true;
        self.refresh_action_item(matter);
    }

    /// Updates a label's state from a print job, unless a newer job exists.
    fn learn_standing(&mut self, standing: NewestLabelJob) {
        let (id, job) = (standing.consignment, standing.job);
        let state = label_state(standing);
        match self.labels.standings.entry(id) {
            Entry::Occupied(known) if known.get().0 > job => return,
            Entry::Occupied(mut known) => {
                known.insert((job, state.clone()));
            }
            Entry::Vacant(new) => {
                new.insert((job, state.clone()));
            }
        }
        self.shared.labels.set_state(id, state);
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

    /// Marks printed labels of changed consignments as out of date, and fetches a shown label again.
    pub(crate) fn labels_outdated(&mut self, ids: &[ConsignmentId]) {
        for job in &mut self.shared.labels.jobs {
            job.outdated |= job
                .subject
                .consignment()
                .is_some_and(|id| ids.contains(&id));
        }
        for id in ids {
            if let Some((_, state)) = self.labels.standings.get_mut(id)
                && matches!(
                    state,
                    LabelState::InQueue(_) | LabelState::Sent(_) | LabelState::Printed(_)
                )
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
        if self
            .shared
            .labels
            .selected
            .is_some_and(|id| ids.contains(&id))
        {
            self.shared.labels.preview.clear();
            self.refresh_preview();
        }
    }

    /// Returns the state of a label that is not being printed, from its newest job or its printer token.
    pub(super) fn state_without_print(&self, id: ConsignmentId) -> LabelState {
        let last = self.labels.standings.get(&id);
        match (last, self.shared.labels.printed_by_token.get(&id)) {
            (Some((_, state)), _) => state.clone(),
            (None, Some(token)) => LabelState::AtService(by_token(token)),
            (None, None) => LabelState::Waiting,
        }
    }

    /// Takes over the journal's print jobs, newest first, and the newest label state of each consignment.
    pub(crate) fn restore_jobs(
        &mut self,
        jobs: Vec<PrintJob>,
        labels: Vec<NewestLabelJob>,
        unprinted: Vec<UnprintedLabel>,
    ) {
        let standing = |one: NewestLabelJob| (one.consignment, (one.job, label_state(one)));
        self.labels.standings = labels.into_iter().map(standing).collect();
        let states = self.labels.standings.iter();
        self.shared.labels.states = states
            .map(|(id, (_, state))| (*id, state.clone()))
            .collect();
        self.shared.labels.jobs = jobs;
        for operation in self.shared.operations.list.clone() {
            self.learn_service_print(&operation);
        }
        self.restore_batch(unprinted);
        self.rebuild_labels();
    }

    /// Records which labels may come out of the service's printers: by a printer token, or a print request.
    pub(crate) fn learn_service_print(&mut self, operation: &Operation) {
        if operation.state != OperationState::Done {
            return;
        }
        match operation.payload() {
            Some(Payload::Create(request)) => {
                let token = request.printer_token.as_deref().unwrap_or_default().trim();
                if token.is_empty() {
                    return;
                }
                for id in &operation.consignments {
                    self.shared
                        .labels
                        .printed_by_token
                        .insert(*id, token.to_owned());
                    self.left_to_service(*id, by_token(token));
                }
            }
            Some(Payload::ServicePrint(order)) => {
                if order.label_type() != Some(LabelType::Item) {
                    return;
                }
                let printers = self.shared.labels.service_printers.value();
                let printer = printers.into_iter().flat_map(|all| &all.choice.printers);
                let known = { printer }.find(|printer| printer.id == order.printer());
                let words = known.map_or_else(
                    || format!("printer {}", order.printer()),
                    |printer| printer.name.clone(),
                );
                for id in order.consignment_ids() {
                    self.left_to_service(*id, words.clone());
                }
            }
            _ => {}
        }
    }

    /// Marks a label as left to the service, unless the bench printed the label itself.
    fn left_to_service(&mut self, id: ConsignmentId, words: String) {
        if matches!(
            self.shared.labels.state(id),
            LabelState::Waiting | LabelState::Stale | LabelState::AtService(_)
        ) {
            self.shared
                .labels
                .set_state(id, LabelState::AtService(words));
        }
    }
}

fn by_token(token: &str) -> String {
    format!("token {token}")
}

fn label_state(job: NewestLabelJob) -> LabelState {
    let in_queue = matches!(
        job.queue_state,
        Some(
            QueuedJobState::Waiting
                | QueuedJobState::Held
                | QueuedJobState::Stopped
                | QueuedJobState::Printing
        )
    );
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
