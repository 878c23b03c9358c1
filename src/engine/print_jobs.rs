//! Follows print jobs in their printer queues and cancels or releases them.
//!
//! An unresponsive queue does not delay the other queues. A cancelled job is read again before it counts as
//! not printed. An expired job is taken out of its queue: a label that comes out hours later ends up on the
//! wrong parcel.

mod queue_match;

use jiff::{SignedDuration, Timestamp};

use super::context::EngineContext;
use super::remote::Fetch;
use super::{EngineError, Outcome, Reads};
use printing::queue::{JobInfo, JobState as Found, QueueState};
use printing::service::{JobAction, ServiceError};
use storage::{JobId, JobState, PrintJob, QueuedJobState};

use queue_match::{apply_queue_state, find_cancellable_job, find_job};

/// A queue may need this long to list a new job.
const SETTLES: SignedDuration = SignedDuration::from_secs(5);

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

    /// Cancels jobs or releases held jobs. Returns the count of jobs for which the queue refused that.
    pub fn act_on_jobs(&self, ids: Vec<JobId>, action: JobAction) -> Fetch<usize> {
        self.job(move |bench| async move {
            let jobs = bench.writer.run(move |journal| {
                let jobs = ids.iter().map(|id| journal.job(*id));
                jobs.collect::<Result<Vec<_>, _>>()
            });
            let jobs = jobs.await?;
            let mut refused = jobs.iter().filter(|job| job.is_none()).count();
            let mut failed = None;
            for (place, jobs) in by_queue(jobs.into_iter().flatten().collect()) {
                match bench.act_on_jobs_at(&place, jobs, action).await {
                    Ok(count) => refused += count,
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            failed.map_or(Ok(refused), Err)
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

struct Acted {
    /// The jobs in the queue after the action.
    found: Vec<JobInfo>,
    /// The numbers of the jobs for which the queue refused the action.
    refused: Vec<u32>,
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

    /// Performs an action on jobs of a queue, then reads the queue again. A cancelled job that is no longer
    /// listed counts as begun, because it may have been printing.
    async fn act_at(
        &self,
        place: &str,
        jobs: &[&JobInfo],
        action: JobAction,
    ) -> Result<Acted, ServiceError> {
        let (mut done, mut refused) = (Vec::new(), Vec::new());
        for one in jobs {
            if self.print_service.act_on_job(place, one.id, action).await? {
                done.push(*one);
            } else {
                refused.push(one.id);
            }
        }
        let mut found = match self.jobs_at(place).await {
            Ok(found) => found,
            Err(error) if action == JobAction::Release => return Err(error),
            Err(_unknown) => Vec::new(),
        };
        let lost = |one: &&JobInfo| found.iter().all(|now| now.id != one.id);
        let lost: Vec<_> = done.into_iter().filter(lost).cloned().collect();
        if action == JobAction::Cancel {
            found.extend(lost.into_iter().map(|one| JobInfo {
                state: Found::Cancelled,
                has_started: true,
                ..one
            }));
        }
        Ok(Acted { found, refused })
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
        let acted = self.act_at(place, &listed, action).await?;
        self.compare_all(jobs, &acted.found).await?;
        Ok(missing + acted.refused.len())
    }

    /// Calls [`Self::compare`] for each job, even if one fails.
    async fn compare_all(&self, jobs: Vec<PrintJob>, found: &[JobInfo]) -> Result<(), EngineError> {
        let mut failed = Ok(());
        for job in jobs {
            failed = failed.and(self.compare(job, found).await);
        }
        failed
    }

    /// Updates a job from its queue if something changed, and takes it out of the queue if it has expired.
    async fn compare(&self, seen: PrintJob, found: &[JobInfo]) -> Result<(), EngineError> {
        let (now, forgets) = (self.now(), self.print_service.forgets_finished_jobs());
        let at_queue = find_job(&seen, found);
        let is_overdue = |job: &PrintJob| job.queue_entry.expires.is_some_and(|at| at <= now);
        let mut same = seen.clone();
        apply_queue_state(&mut same, at_queue, forgets);
        if same == seen && !is_overdue(&seen) {
            return Ok(());
        }
        let id = seen.id;
        // Read the job again: the clerk may have answered in the meantime.
        let Some(mut job) = self.writer.run(move |journal| journal.job(id)).await? else {
            return Ok(());
        };
        if at_queue.is_none() && now.duration_since(job.changed) < SETTLES {
            return Ok(());
        }
        let (from, before) = (job.state, job.clone());
        if !matches!(from, JobState::Sent | JobState::Ask) {
            return Ok(());
        }
        apply_queue_state(&mut job, at_queue, forgets);
        let taken_back = match find_cancellable_job(&job, found) {
            Some(found) if is_overdue(&job) && may_still_print(&job) => {
                self.cancel_expired_job(&mut job, found, now).await
            }
            _ => Ok(()),
        };
        if job.state != from || job.message != before.message {
            self.keep_job(job, from).await;
        } else if job.queue_entry != before.queue_entry {
            let noted = job.clone();
            self.writer
                .run(move |journal| journal.save_queue_entry(noted.id, &noted.queue_entry))
                .await?;
            self.tell(Outcome::Job(Box::new(job))).await;
        }
        taken_back
    }

    /// Cancels an expired job, so that it does not come out unexpectedly.
    async fn cancel_expired_job(
        &self,
        job: &mut PrintJob,
        found: &JobInfo,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        let place = job.queue.clone();
        let acted = self.act_at(&place, &[found], JobAction::Cancel).await?;
        let minutes = now.duration_since(job.made).as_mins();
        if !acted.refused.is_empty() {
            "Waiting too long, but the queue refused to cancel it"
                .clone_into(&mut job.queue_entry.message);
            return Ok(());
        }
        job.queue_entry.state = Some(QueuedJobState::Cancelled);
        let waited = format!(
            "Cancelled after {minutes} min in the queue, so that it doesn't print unexpectedly"
        );
        // Use the queue's newest state: printing may have begun since.
        let began = find_job(job, &acted.found).is_none_or(|found| found.has_started);
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

    /// Records the clerk's answer whether a label was printed. A label that was not printed yet may still be
    /// printed: its queue is read first, in a background task, because the drafts queue must not wait for a
    /// print service.
    pub(super) async fn answer_job(&self, id: JobId, came_out: bool) {
        if came_out {
            self.answer(id, true).await;
        } else {
            let bench = self.clone();
            drop(tokio::spawn(async move { bench.answer(id, false).await }));
        }
    }

    async fn answer(&self, id: JobId, came_out: bool) {
        let mut job = match self.writer.run(move |journal| journal.job(id)).await {
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

    /// Takes a job out of its queue if it is still there. If that fails, the queue is still watched.
    async fn not_out(&self, job: &mut PrintJob) -> Result<(), ServiceError> {
        let place = job.queue.clone();
        let found = if place.is_empty() {
            Vec::new()
        } else {
            self.jobs_at(&place).await?
        };
        let Some(listed) = find_job(job, &found).filter(|one| !one.state.is_final()) else {
            (job.state, job.message) = (JobState::Failed, NOT_OUT.to_owned());
            return Ok(());
        };
        job.queue_entry.job = Some(listed.id);
        let cancelled = match find_cancellable_job(job, &found) {
            Some(ours) => {
                let acted = self.act_at(&place, &[ours], JobAction::Cancel).await?;
                acted.refused.is_empty()
            }
            None => false,
        };
        if cancelled {
            job.queue_entry.state = Some(QueuedJobState::Cancelled);
            let words = format!("{NOT_OUT}; removed from the queue");
            (job.state, job.message) = (JobState::Failed, words);
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
