//! Print jobs and printers watched: looked at while somebody may care, and never in the way of anything.
//!
//! What always holds: one question is on its way at a time, each ends within the print service's limits, and one that
//! fails is asked again ever more seldom. A job that is open is looked at whatever screen is up, since it is taken back
//! when it waits too long.

use std::time::Duration;

use super::core::Core;
use crate::printing::service::JobAction;
use crate::state::{JobId, Notice, PrintJob, Remote, Screen, Tone};
use crate::work::is_open;

/// While Labels is up.
const LOOK_OFTEN: Duration = Duration::from_secs(2);

/// While another screen is.
const LOOK_SELDOM: Duration = Duration::from_secs(10);

/// The most that failures stretch it to.
const LOOK_RARELY: Duration = Duration::from_secs(80);

/// Jobs that are looked at: more are not open on any bench that is well.
const MOST: usize = 200;

/// What is watched.
#[derive(Default)]
pub(super) struct Watching {
    jobs: Remote<()>,
    acting: Remote<bool>,
    due: Option<Duration>,
    /// Looks that failed, one after the other.
    failures: u32,
}

impl Core {
    /// Looks at open jobs, and at the printers while Labels is up, when it is time.
    pub(super) fn watch_printers(&mut self, at: Duration) {
        if self.watching.jobs.poll() {
            self.watching.failures = match self.watching.jobs.problem() {
                Some(_) => self.watching.failures.saturating_add(1),
                None => 0,
            };
        }
        if self.watching.acting.poll() {
            self.acted();
        }
        let open: Vec<_> = self.open_jobs().take(MOST).cloned().collect();
        let labels_up = self.shared.screen == Screen::Labels;
        if open.is_empty() && !labels_up {
            self.watching.due = None;
            return;
        }
        let pause = if labels_up { LOOK_OFTEN } else { LOOK_SELDOM };
        let pause = (pause * 2_u32.saturating_pow(self.watching.failures.min(6))).min(LOOK_RARELY);
        // Coming to Labels shortens a long wait.
        let due = *self.watching.due.get_or_insert(at + pause.min(LOOK_OFTEN));
        if due.min(at + pause) > at {
            self.watching.due = Some(due.min(at + pause));
            return;
        }
        self.watching.due = Some(at + pause);
        if !open.is_empty() && !self.watching.jobs.is_loading() {
            let look = self.work.reads().look_at_jobs(open);
            self.watching.jobs.start(look);
        }
        if labels_up && !self.shared.printers.is_loading() {
            self.refresh_printers();
        }
    }

    /// When the next look is due.
    pub(super) const fn look_due(&self) -> Option<Duration> {
        self.watching.due
    }

    fn open_jobs(&self) -> impl Iterator<Item = &PrintJob> {
        self.shared.jobs.iter().filter(|job| is_open(job))
    }

    /// The clerk has a job taken out of its queue, or let go.
    pub(super) fn act_on_job(&mut self, id: JobId, action: JobAction) {
        let act = self.work.reads().act_on_job(id, action);
        self.watching.acting.start(act);
        self.watching.due = None;
    }

    fn acted(&mut self) {
        let headline = "The queue did not do it";
        if let Some(problem) = self.watching.acting.problem() {
            let notice = Notice::failed(headline, problem);
            self.notify(notice);
        } else if self.watching.acting.value() == Some(&false) {
            let advice = "The job may be done by now, or somebody else's: see what it says";
            self.notify(Notice::new(Tone::Warning, headline, advice));
        }
    }
}
