//! Follows print jobs in their printer queues and cancels or releases them.
//!
//! An unresponsive queue does not delay the other queues. A cancelled job is read again before it counts as not
//! printed. An expired job is cancelled in its queue, because a label that is printed hours later may be stuck on the
//! wrong parcel.
//!
//! A job is identified by its number and title together, because a queue that was reset reuses numbers. A job
//! that may be somebody else's is never cancelled. A label counts as not printed only if the queue says that
//! the job never began.

use jiff::{SignedDuration, Timestamp};

use super::{EngineContext, EngineError, Fetch, Outcome, Reads};
use printing::queue::{JobInfo, JobState as Found, QueueState};
use printing::service::{IPP_USER_NAME, JobAction, ServiceError};
use storage::{JobId, JobState, PrintJob, QueuedJobState};

/// A queue may need this long to list a new job.
const SETTLES: SignedDuration = SignedDuration::from_secs(5);

/// The accepted seconds from the saving of a job to its creation in the queue, including the difference
/// of the clocks.
const UNTIL_TAKEN: std::ops::RangeInclusive<i64> = -2..=60;

/// The message for a job that is missing from a queue which lists only unfinished jobs.
const LEFT: &str = "No longer in the queue";

const NOT_OUT: &str = "marked as not printed";

impl Reads {
    /// Reads the state of these jobs from their queues, one request for each queue, beginning with the jobs
    /// that expire first. Changes are sent as outcomes; a queue that fails does not stop the other queues.
    pub fn refresh_jobs(&self, mut open: Vec<PrintJob>) -> Fetch<()> {
        self.job(move |bench| async move {
            open.sort_by_key(|job| job.queue_entry.expires.unwrap_or(Timestamp::MAX));
            let mut failed = Ok(());
            for (place, jobs) in by_queue(open) {
                let looked = match bench.jobs_at(&place).await {
                    Ok(found) => bench.compare_all(jobs, &found).await,
                    Err(error) => Err(error.into()),
                };
                failed = failed.and(looked);
            }
            failed
        })
    }

    /// Cancels jobs or releases held jobs. Returns the count of jobs for which the queue refused the action or which
    /// are missing.
    pub fn act_on_jobs(&self, ids: Vec<JobId>, action: JobAction) -> Fetch<usize> {
        self.job(move |bench| async move {
            let jobs = bench.journal(move |journal| {
                let jobs = ids.iter().map(|id| journal.job(*id));
                jobs.collect::<Result<Vec<_>, _>>()
            });
            let jobs = jobs.await?;
            let mut refused = Ok(jobs.iter().filter(|job| job.is_none()).count());
            for (place, jobs) in by_queue(jobs.into_iter().flatten().collect()) {
                let acted = bench.act_on_jobs_at(&place, jobs, action).await;
                refused = refused.and_then(|count| Ok(count + acted?));
            }
            refused
        })
    }
}

/// Groups jobs by queue and keeps their order.
fn by_queue(jobs: Vec<PrintJob>) -> Vec<(String, Vec<PrintJob>)> {
    let mut queues: Vec<(String, Vec<PrintJob>)> = Vec::new();
    for job in jobs {
        match queues.iter_mut().find(|(queue, _)| *queue == job.queue) {
            Some((_, jobs)) => jobs.push(job),
            None => queues.push((job.queue.clone(), vec![job])),
        }
    }
    queues
}

impl EngineContext {
    /// Reads the jobs of a queue, or of a printer by its address. A waiting job gets the message of its
    /// queue, because its own message is from its last attempt.
    async fn jobs_at(&self, place: &str) -> Result<Vec<JobInfo>, ServiceError> {
        let mut found = self.print_service.titled_jobs(place).await?;
        let waits = |one: &JobInfo| matches!(one.state, Found::Waiting | Found::Stopped);
        if !found.iter().any(waits) {
            return Ok(found);
        }
        if let Some(queue) = self.print_service.queue(place).await? {
            for one in found.iter_mut().filter(|one| waits(one)) {
                if queue.state == QueueState::Stopped {
                    one.state = Found::Stopped;
                }
                if !queue.message.is_empty() {
                    one.message.clone_from(&queue.message);
                }
            }
        }
        Ok(found)
    }

    /// Performs an action on jobs of a queue, then reads the queue again. A cancelled job that is no longer listed
    /// counts as begun, because it may have been printing. Returns the jobs in the queue after the action, and the
    /// count of jobs for which the queue refused the action.
    async fn act_at(
        &self,
        place: &str,
        jobs: &[&JobInfo],
        action: JobAction,
    ) -> Result<(Vec<JobInfo>, usize), ServiceError> {
        let mut done = Vec::new();
        for one in jobs {
            if self.print_service.act_on_job(place, one.id, action).await? {
                done.push(*one);
            }
        }
        let refused = jobs.len() - done.len();
        let mut found = match self.jobs_at(place).await {
            Ok(found) => found,
            Err(error) if action == JobAction::Release => return Err(error),
            Err(_unknown) => Vec::new(),
        };
        if action == JobAction::Cancel {
            done.retain(|one| found.iter().all(|now| now.id != one.id));
            found.extend(done.into_iter().map(|lost| JobInfo {
                state: Found::Cancelled,
                has_started: true,
                ..lost.clone()
            }));
        }
        Ok((found, refused))
    }

    async fn act_on_jobs_at(
        &self,
        place: &str,
        jobs: Vec<PrintJob>,
        action: JobAction,
    ) -> Result<usize, EngineError> {
        let found = self.jobs_at(place).await?;
        let listed: Vec<_> = jobs
            .iter()
            .filter_map(|job| find_cancellable_job(job, &found))
            .collect();
        let missing = jobs.len() - listed.len();
        let (found, refused) = self.act_at(place, &listed, action).await?;
        self.compare_all(jobs, &found).await?;
        Ok(missing + refused)
    }

    /// Calls [`Self::compare`] for each job, even if one fails.
    async fn compare_all(&self, jobs: Vec<PrintJob>, found: &[JobInfo]) -> Result<(), EngineError> {
        let mut failed = Ok(());
        for job in jobs {
            failed = failed.and(self.compare(job, found).await);
        }
        failed
    }

    /// Updates a job from its queue if something changed, and cancels it in the queue if it has expired.
    async fn compare(&self, seen: PrintJob, found: &[JobInfo]) -> Result<(), EngineError> {
        let (now, forgets) = (self.now(), self.print_service.forgets_finished_jobs());
        let at_queue = find_job(&seen, found);
        let is_overdue = |job: &PrintJob| job.queue_entry.expires.is_some_and(|at| at <= now);
        let mut updated = seen.clone();
        apply_queue_state(&mut updated, at_queue, forgets);
        if updated == seen && !is_overdue(&seen) {
            return Ok(());
        }
        // Read the job again: the clerk may have answered in the meantime.
        let Some(before) = self.journal(move |journal| journal.job(seen.id)).await? else {
            return Ok(());
        };
        let is_settling = at_queue.is_none() && now.duration_since(before.changed) < SETTLES;
        if is_settling || !matches!(before.state, JobState::Sent | JobState::Ask) {
            return Ok(());
        }
        let mut job = before.clone();
        apply_queue_state(&mut job, at_queue, forgets);
        let taken_back = match find_cancellable_job(&job, found) {
            Some(found) if is_overdue(&job) && may_still_print(&job) => {
                self.cancel_expired_job(&mut job, found).await
            }
            _ => Ok(()),
        };
        if (job.state, &job.message) != (before.state, &before.message) {
            self.keep_job(job, before.state).await;
        } else if job.queue_entry != before.queue_entry {
            let noted = job.clone();
            self.journal(move |journal| journal.save_queue_entry(&noted))
                .await?;
            self.tell(Outcome::Job(Box::new(job))).await;
        }
        taken_back
    }

    async fn cancel_expired_job(
        &self,
        job: &mut PrintJob,
        found: &JobInfo,
    ) -> Result<(), EngineError> {
        let (found, refused) = self.act_at(&job.queue, &[found], JobAction::Cancel).await?;
        if refused > 0 {
            "Waiting too long, but the queue refused to cancel it"
                .clone_into(&mut job.queue_entry.message);
            return Ok(());
        }
        let minutes = self.now().duration_since(job.made).as_mins();
        let waited = format!(
            "Cancelled after {minutes} min in the queue, so that it doesn't print unexpectedly"
        );
        // Use the queue's newest state: printing may have begun since.
        let began = find_job(job, &found).is_none_or(|found| found.has_started);
        job.queue_entry.state = Some(QueuedJobState::Cancelled);
        (job.state, job.message) = if began {
            (
                JobState::Ask,
                format!("{waited}. Printing may have started: check whether the label came out"),
            )
        } else {
            (JobState::Failed, format!("{waited}. Not printed"))
        };
        Ok(())
    }

    /// Records the clerk's answer whether a label was printed. If the label did not come out, its job may still be in
    /// the printer queue, which is read before the answer is recorded. A background task does that, because the drafts
    /// queue must not wait for a print service.
    pub(super) async fn answer_job(&self, id: JobId, came_out: bool) {
        if came_out {
            self.answer(id, true).await;
        } else {
            let bench = self.clone();
            drop(tokio::spawn(async move { bench.answer(id, false).await }));
        }
    }

    async fn answer(&self, id: JobId, came_out: bool) {
        let mut job = match self.journal(move |journal| journal.job(id)).await {
            Ok(Some(job)) => job,
            Ok(None) => return,
            Err(error) => {
                let what = "Couldn't read the print job";
                return self.tell_failed(what, error).await;
            }
        };
        let from = job.state;
        if came_out {
            (job.state, job.message) = (JobState::Printed, "marked as printed".to_owned());
        } else if let Err(error) = self.not_out(&mut job).await {
            let what = "Can't tell whether the label is still in its queue. We keep checking";
            self.tell_failed(what, error.into()).await;
        }
        self.keep_job(job, from).await;
    }

    /// Cancels a job if its queue still lists it. If that fails, the state of the job is still read from the queue.
    async fn not_out(&self, job: &mut PrintJob) -> Result<(), ServiceError> {
        let found = if job.queue.is_empty() {
            Vec::new()
        } else {
            self.jobs_at(&job.queue).await?
        };
        let Some(listed) = find_job(job, &found).filter(|one| !one.state.is_final()) else {
            (job.state, job.message) = (JobState::Failed, NOT_OUT.to_owned());
            return Ok(());
        };
        job.queue_entry.job = Some(listed.id);
        let cancelled = match find_cancellable_job(job, &found) {
            Some(ours) => self.act_at(&job.queue, &[ours], JobAction::Cancel).await?.1 == 0,
            None => false,
        };
        if cancelled {
            job.queue_entry.state = Some(QueuedJobState::Cancelled);
            let message = format!("{NOT_OUT}; removed from the queue");
            (job.state, job.message) = (JobState::Failed, message);
        } else {
            job.queue_entry.state = Some(QueuedJobState::Waiting);
            "Still in the queue, which refused to cancel it: the label may still print"
                .clone_into(&mut job.message);
        }
        Ok(())
    }
}

pub fn may_still_print(job: &PrintJob) -> bool {
    matches!(job.state, JobState::Sent | JobState::Ask)
        && !job.queue.is_empty()
        && !job.queue_entry.state.is_some_and(QueuedJobState::is_final)
}

/// Finds the job in its queue: by number and title, or by title alone if its number is unknown.
pub fn find_job<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let ours = |one: &&JobInfo| one.title == job.title;
    // Some print services hide titles even from the owner of the jobs; then all titles are empty.
    let hidden = found.iter().all(|one| one.title.is_empty());
    let mut newest = found.iter().rev();
    match job.queue_entry.job {
        Some(id) => newest.find(|one| one.id == id && (hidden || ours(one))),
        None => newest.find(ours),
    }
}

/// Finds the job like [`find_job`], but only if it is certain enough that the job is ours to cancel it: if titles are
/// hidden, the time of the job must match, or its owner if the time is unknown.
pub fn find_cancellable_job<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let marked = |one: &&JobInfo| match one.created_at {
        _ if !one.title.is_empty() => true,
        Some(made) => UNTIL_TAKEN.contains(&(made - job.made.as_second())),
        None => one.owner == IPP_USER_NAME,
    };
    find_job(job, found).filter(marked)
}

/// Writes the queue's state into the job and derives the label's state from it. `found` is the job as its queue lists it.
/// `forgets` is true if the queue lists only unfinished jobs.
pub fn apply_queue_state(job: &mut PrintJob, found: Option<&JobInfo>, forgets: bool) {
    let (state, message) = match found {
        Some(one) => (queued_state(one.state), one.message.as_str()),
        None if forgets && job.queue_entry.job.is_some() => (QueuedJobState::HandedOver, LEFT),
        None => (QueuedJobState::Gone, ""),
    };
    job.queue_entry.state = Some(state);
    message.clone_into(&mut job.queue_entry.message);
    if let Some(found) = found {
        job.queue_entry.job = Some(found.id);
    }
    // The queue's message may end with a full stop, and more text follows it here.
    let said = match message.trim_end_matches('.') {
        "" => String::new(),
        message => format!(": {message}"),
    };
    let began = found.is_none_or(|found| found.has_started);
    let is_asked = job.state == JobState::Ask;
    let ended = match state {
        QueuedJobState::Cancelled if began => {
            format!("Cancelled in the queue after printing started{said}")
        }
        QueuedJobState::Cancelled => format!("Cancelled in the queue{said}"),
        QueuedJobState::Aborted => format!("The print service aborted it{said}"),
        // The question that is already shown says more than this message would.
        QueuedJobState::Gone if is_asked => return,
        QueuedJobState::Gone => format!("This job is no longer in {}'s queue", job.printer),
        // The job was found after all: an earlier question is answered.
        state => {
            if is_asked {
                job.state = JobState::Sent;
                job.message.clear();
                if state == QueuedJobState::HandedOver {
                    "Sent to printer".clone_into(&mut job.message);
                }
            }
            return;
        }
    };
    (job.state, job.message) = if began {
        (
            JobState::Ask,
            format!("{ended}. Check whether the label came out"),
        )
    } else {
        (JobState::Failed, format!("{ended}. Not printed"))
    };
}

const fn queued_state(state: Found) -> QueuedJobState {
    match state {
        Found::Waiting | Found::Unknown => QueuedJobState::Waiting,
        Found::Held => QueuedJobState::Held,
        Found::Printing => QueuedJobState::Printing,
        Found::Stopped => QueuedJobState::Stopped,
        Found::Cancelled => QueuedJobState::Cancelled,
        Found::Aborted => QueuedJobState::Aborted,
        Found::HandedOver => QueuedJobState::HandedOver,
    }
}
