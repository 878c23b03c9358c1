//! Polls open print jobs and printers, and cancels or releases jobs.
//!
//! One question is in progress at a time, each ends within the print service's limits, and failures make the
//! pauses longer. Open jobs are polled on every screen, so that a job that waits too long can be cancelled.

use std::collections::VecDeque;
use std::time::Duration;

use crate::core::Core;
use crate::state::{JobId, Notice, PrintJob, Remote, Screen, Tone};
use engine::may_still_print;
use printing::service::JobAction;

/// Pause between polls while Labels is shown.
const LOOK_OFTEN: Duration = Duration::from_secs(2);

/// Pause between polls while another screen is shown.
const LOOK_SELDOM: Duration = Duration::from_secs(10);

/// Longest pause between polls after repeated failures.
const LOOK_RARELY: Duration = Duration::from_secs(80);

/// State of polling print jobs and printers.
#[derive(Default)]
pub(crate) struct JobPolling {
    pub(crate) jobs: Remote<()>,
    /// Actions that the clerk asked for, run one after the other. No action is dropped for a later action.
    wanted: VecDeque<(JobAction, Vec<JobId>)>,
    pub(crate) acting: Remote<usize>,
    pub(super) due: Option<Duration>,
    /// Number of polls that failed in a row.
    failures: u32,
}

impl Core {
    /// Polls open jobs, and the printers while Labels is shown, when a poll is due.
    pub(crate) fn watch_printers(&mut self, at: Duration) {
        self.act_on_the_next();
        let labels_up = self.shared.screen == Screen::Labels && !self.is_hidden();
        let any_open = self.open_jobs().next().is_some();
        if !any_open && !labels_up {
            self.labels.polling.due = None;
            return;
        }
        let pause = if labels_up { LOOK_OFTEN } else { LOOK_SELDOM };
        let pause =
            (pause * 2_u32.saturating_pow(self.labels.polling.failures.min(6))).min(LOOK_RARELY);
        // Opening Labels shortens a long pause.
        let due = *self
            .labels
            .polling
            .due
            .get_or_insert(at + pause.min(LOOK_OFTEN));
        if due.min(at + pause) > at {
            self.labels.polling.due = Some(due.min(at + pause));
            return;
        }
        self.labels.polling.due = Some(at + pause);
        if any_open && !self.labels.polling.jobs.is_loading() {
            let open = self.open_jobs().cloned().collect();
            let look = self.work.reads().refresh_jobs(open);
            self.labels.polling.jobs.start(look);
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
        self.shared
            .labels
            .jobs
            .iter()
            .filter(|job| may_still_print(job))
    }

    /// Cancels or releases jobs in their queues, as the clerk asked.
    pub(crate) fn act_on_jobs(&mut self, ids: Vec<JobId>, action: JobAction) {
        match self.labels.polling.wanted.back_mut() {
            Some((last, jobs)) if *last == action => jobs.extend(ids),
            _ => self.labels.polling.wanted.push_back((action, ids)),
        }
        self.act_on_the_next();
    }

    fn act_on_the_next(&mut self) {
        if self.labels.polling.acting.is_loading() {
            return;
        }
        if let Some((action, ids)) = self.labels.polling.wanted.pop_front() {
            let act = self.work.reads().act_on_jobs(ids, action);
            self.labels.polling.acting.start(act);
            self.labels.polling.due = None;
        }
    }

    /// Cancels all open jobs of a printer.
    pub(crate) fn cancel_all_of(&mut self, printer: &str) {
        let its = self.open_jobs().filter(|job| job.printer == printer);
        let ids: Vec<_> = its.map(|job| job.id).collect();
        if !ids.is_empty() {
            self.act_on_jobs(ids, JobAction::Cancel);
        }
    }

    /// Says if the print queue refused what the clerk asked for.
    pub(crate) fn acted(&mut self) {
        let headline = "The print queue refused";
        if let Some(problem) = self.labels.polling.acting.problem() {
            let notice = Notice::failed(headline, problem);
            self.notify(notice);
        } else if self
            .labels
            .polling
            .acting
            .value()
            .is_some_and(|refused| *refused > 0)
        {
            let advice =
                "The job may be finished by now, or belong to somebody else: check its status";
            self.notify(Notice::new(Tone::Warning, headline, advice));
        }
    }
}
