//! What becomes of print jobs in their queues: looked at while they are open, taken back when they wait too long, cancelled
//! or let go as the clerk says.
//!
//! What always holds: a job is known by its number and its title together, since a queue that lost its memory gives the
//! same number to another label; "not printed" is only said where the queue says that the job was never begun; a job that
//! outlived its time is taken out of the queue, since a label that comes out hours later is stuck on the wrong parcel.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::bench::Bench;
use super::remote::Fetch;
use super::{Outcome, Reads, WorkError};
use crate::journal::{JobId, JobState, PrintJob, QueueWord};
use crate::printing::queue::{JobInfo, JobState as Found};
use crate::printing::service::JobAction;

/// A queue may take a moment to list what it has just been given.
const SETTLES: SignedDuration = SignedDuration::from_secs(5);

impl Reads {
    /// Looks at these jobs in their queues, one question a queue. What changed is told as outcomes.
    pub fn look_at_jobs(&self, open: Vec<PrintJob>) -> Fetch<()> {
        self.job(move |bench| async move {
            let mut queues: BTreeMap<String, Vec<PrintJob>> = BTreeMap::new();
            for job in open {
                queues.entry(job.queue.clone()).or_default().push(job);
            }
            let mut failed = None;
            for (queue, jobs) in queues {
                match bench.print_service.titled_jobs(&queue).await {
                    Ok(found) => {
                        for job in jobs {
                            bench.compare(job, &found).await?;
                        }
                    }
                    Err(error) => failed = Some(error),
                }
            }
            failed.map_or(Ok(()), |error| Err(error.into()))
        })
    }

    /// Takes a job out of its queue, or lets a held one go. Answers whether the queue did it.
    pub fn act_on_job(&self, id: JobId, action: JobAction) -> Fetch<bool> {
        self.job(move |bench| async move {
            let Some(job) = bench.writer.run(move |journal| journal.job(id)).await? else {
                return Ok(false);
            };
            let found = bench.print_service.titled_jobs(&job.queue).await?;
            let Some(number) = known(&job, &found).map(|found| found.id) else {
                bench.compare(job, &found).await?;
                return Ok(false);
            };
            let done = bench.print_service.act(&job.queue, number, action).await?;
            let found = bench.print_service.titled_jobs(&job.queue).await?;
            bench.compare(job, &found).await?;
            Ok(done)
        })
    }
}

impl Bench {
    /// Writes down what the queue says of a job, where that is new; takes it back where its time is over.
    async fn compare(&self, seen: PrintJob, found: &[JobInfo]) -> Result<(), WorkError> {
        let now = self.now();
        let id = seen.id;
        // As it is on disk by now: the clerk may have answered meanwhile.
        let Some(mut job) = self.writer.run(move |journal| journal.job(id)).await? else {
            return Ok(());
        };
        let at_queue = known(&job, found);
        if at_queue.is_none() && now.duration_since(job.changed) < SETTLES {
            return Ok(());
        }
        let (from, before) = (job.state, job.clone());
        if !matches!(from, JobState::Sent | JobState::Ask) {
            return Ok(());
        }
        take_over(&mut job, at_queue);
        let overdue = job.at_queue.expires.is_some_and(|expires| expires <= now);
        if let Some(found) = at_queue
            && overdue
            && is_open(&job)
        {
            self.take_back(&mut job, found, now).await?;
        }
        if job.state != from || job.words != before.words {
            self.keep_job(job, from).await;
        } else if job.at_queue != before.at_queue {
            let noted = job.clone();
            self.writer
                .run(move |journal| journal.note_at_queue(noted.id, &noted.at_queue))
                .await?;
            self.tell(Outcome::Job(Box::new(job))).await;
        }
        Ok(())
    }

    /// Its time is over: out of the queue, so that it does not come out unasked.
    async fn take_back(
        &self,
        job: &mut PrintJob,
        found: &JobInfo,
        now: Timestamp,
    ) -> Result<(), WorkError> {
        let place = job.queue.clone();
        let done = self
            .print_service
            .act(&place, found.id, JobAction::Cancel)
            .await?;
        let minutes = now.duration_since(job.made).as_mins();
        if !done {
            "It waits for too long, and the queue did not let it be taken back"
                .clone_into(&mut job.at_queue.message);
            return Ok(());
        }
        job.at_queue.state = Some(QueueWord::Cancelled);
        let waited = format!(
            "Taken back after {minutes} min in the queue, so that it does not come out unasked"
        );
        (job.state, job.words) = if found.began {
            (
                JobState::Ask,
                format!("{waited}. It was begun: look whether it came out"),
            )
        } else {
            (JobState::Failed, format!("{waited}. Not printed"))
        };
        Ok(())
    }
}

/// Whether anything may become of a job in its queue still.
pub(crate) fn is_open(job: &PrintJob) -> bool {
    matches!(job.state, JobState::Sent | JobState::Ask)
        && !job.queue.is_empty()
        && !job.at_queue.state.is_some_and(QueueWord::is_final)
}

/// The job as its queue has it: by number and title; by title alone where its number was never told.
fn known<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let ours = |one: &&JobInfo| one.title == job.title;
    let mut newest = found.iter().rev();
    match job.at_queue.job {
        // A service that keeps titles even from their owner tells none at all.
        Some(id) => newest.find(|one| one.id == id && (ours(one) || one.title.is_empty())),
        None => newest.find(ours),
    }
}

/// What the queue says, into the job: its state there, and what that means for the label.
fn take_over(job: &mut PrintJob, found: Option<&JobInfo>) {
    let (word, message) =
        found.map_or((QueueWord::Gone, ""), |one| (word(one.state), &one.message));
    job.at_queue.state = Some(word);
    message.clone_into(&mut job.at_queue.message);
    if let Some(found) = found {
        job.at_queue.job = Some(found.id);
    }
    let said = if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    };
    let began = found.is_none_or(|found| found.began);
    let place = job.printer.clone();
    let look = "Look whether the label came out";
    let ended = match word {
        QueueWord::Cancelled if began => {
            format!("Cancelled in the queue after it was begun{said}. {look}")
        }
        QueueWord::Cancelled => format!("Cancelled in the queue{said}. Not printed"),
        QueueWord::Aborted if began => format!("The print service gave it up{said}. {look}"),
        QueueWord::Aborted => format!("The print service gave it up{said}. Not printed"),
        // What is asked already says more than that.
        QueueWord::Gone if job.state == JobState::Ask => return,
        QueueWord::Gone => {
            format!("{place}'s queue does not know this job any more. {look}")
        }
        QueueWord::Waiting | QueueWord::Held | QueueWord::Printing | QueueWord::Stopped => {
            // Found where it was not known to be: no question is left but the queue's own.
            if job.state == JobState::Ask {
                (job.state, job.words) = (JobState::Sent, String::new());
            }
            return;
        }
        QueueWord::HandedOver => {
            if job.state == JobState::Ask {
                (job.state, job.words) = (JobState::Sent, "Sent to printer".to_owned());
            }
            return;
        }
    };
    job.state = if began {
        JobState::Ask
    } else {
        JobState::Failed
    };
    job.words = ended;
}

const fn word(state: Found) -> QueueWord {
    match state {
        Found::Waiting | Found::Unknown => QueueWord::Waiting,
        Found::Held => QueueWord::Held,
        Found::Printing => QueueWord::Printing,
        Found::Stopped => QueueWord::Stopped,
        Found::Cancelled => QueueWord::Cancelled,
        Found::Aborted => QueueWord::Aborted,
        Found::HandedOver => QueueWord::HandedOver,
    }
}
