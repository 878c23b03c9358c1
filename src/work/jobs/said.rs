//! Matches print jobs with the jobs that a queue lists, and translates the queue's state for the label.
//!
//! A job is identified by its number and title together, because a queue that was reset reuses numbers. A job
//! that may be somebody else's is never cancelled. A label counts as not printed only if the queue says that
//! the job never began.

use crate::journal::{JobState, PrintJob, QueueWord};
use crate::printing::queue::{JobInfo, JobState as Found};
use crate::printing::service::OURS;

/// The message for a job that is gone from a queue which lists only unfinished jobs.
const LEFT: &str = "It left the queue";

/// Seconds between writing a job down and its appearance in the queue, including the difference of
/// the clocks.
const UNTIL_TAKEN: std::ops::RangeInclusive<i64> = -2..=60;

/// Finds the job in its queue: by number and title, or by title alone if its number is unknown.
pub(super) fn known<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let ours = |one: &&JobInfo| one.title == job.title;
    // Some print services hide titles even from the owner of the jobs; then all titles are empty.
    let hidden = found.iter().all(|one| one.title.is_empty());
    let mut newest = found.iter().rev();
    match job.at_queue.job {
        Some(id) => newest.find(|one| one.id == id && (hidden || ours(one))),
        None => newest.find(ours),
    }
}

/// Finds the job like [`known`], but only if it is certain enough to cancel it: if titles are hidden, the
/// job's time must match, or without a time its owner.
pub(super) fn ours<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let marked = |one: &&JobInfo| match one.made {
        _ if !one.title.is_empty() => true,
        Some(made) => UNTIL_TAKEN.contains(&(made - job.made.as_second())),
        None => one.owner == OURS,
    };
    known(job, found).filter(marked)
}

/// Writes the queue's state into the job and derives the label's state from it.
pub(super) fn take_over(job: &mut PrintJob, found: Option<&JobInfo>, forgets: bool) {
    let (word, message) = match found {
        Some(one) => (word(one.state), one.message.as_str()),
        // The queue lists only unfinished jobs: a job that it once had is finished.
        None if forgets && job.at_queue.job.is_some() => (QueueWord::HandedOver, LEFT),
        None => (QueueWord::Gone, ""),
    };
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
        // The question that is already shown says more than that.
        QueueWord::Gone if job.state == JobState::Ask => return,
        QueueWord::Gone => {
            format!("{place}'s queue does not know this job any more. {look}")
        }
        QueueWord::Waiting | QueueWord::Held | QueueWord::Printing | QueueWord::Stopped => {
            // The job was found after all: the earlier question is answered.
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

#[cfg(test)]
mod tests {
    use super::{known, ours, take_over};
    use crate::journal::{AtQueue, JobId, JobState, JobSubject, PrintJob, QueueWord};
    use crate::printing::queue::{JobInfo, JobState as Found};
    use crate::shipping::ConsignmentId;

    fn job() -> PrintJob {
        let made = jiff::Timestamp::from_second(1_795_000_000).expect("a moment");
        PrintJob {
            id: JobId(1),
            subject: JobSubject::Label(ConsignmentId::new(1)),
            number: "MS1".to_owned(),
            printer: "Zebra".to_owned(),
            queue: "Zebra".to_owned(),
            title: "MS1 Bench 4-7K3QW2ZD".to_owned(),
            state: JobState::Sent,
            words: String::new(),
            reason: String::new(),
            made,
            changed: made,
            outdated: false,
            at_queue: AtQueue {
                job: Some(7),
                ..AtQueue::default()
            },
            despite: String::new(),
            batch: 0,
        }
    }

    fn listed(id: u32, title: &str, after: i64) -> JobInfo {
        JobInfo {
            id,
            title: title.to_owned(),
            state: Found::Waiting,
            message: String::new(),
            began: false,
            made: Some(1_795_000_000 + after),
            owner: String::new(),
        }
    }

    #[test]
    fn a_job_without_a_title_is_ours_only_where_none_has_one_and_is_cancelled_only_if_it_is_of_its_time()
     {
        let job = job();
        let hidden = [listed(7, "", 3)];
        assert!(known(&job, &hidden).is_some() && ours(&job, &hidden).is_some());
        let older = [listed(7, "", -90_000)];
        assert!(known(&job, &older).is_some() && ours(&job, &older).is_none());
        let among_titled = [listed(6, "MS9 Bench 4-AAAAAAAA", 0), listed(7, "", 3)];
        assert!(known(&job, &among_titled).is_none());
        let named = [listed(7, &job.title, -90_000)];
        assert!(ours(&job, &named).is_some(), "its title is its own");
    }

    #[test]
    fn what_a_queue_without_a_memory_lists_no_more_was_handed_over() {
        let mut gone = job();
        take_over(&mut gone, None, true);
        assert_eq!(gone.state, JobState::Sent);
        assert_eq!(gone.at_queue.state, Some(QueueWord::HandedOver));
        let mut unknown = job();
        take_over(&mut unknown, None, false);
        assert_eq!(unknown.state, JobState::Ask);
    }
}
