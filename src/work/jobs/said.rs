//! Which job of a queue is ours, and what the queue's word means for the label.
//!
//! What always holds: a job is known by its number and its title together, since a queue that lost its memory gives the
//! same number to another label; nothing is taken out of a queue that may be somebody else's; "not printed" is only said
//! where the queue says that the job was never begun.

use crate::journal::{JobState, PrintJob, QueueWord};
use crate::printing::queue::{JobInfo, JobState as Found};
use crate::printing::service::OURS;

/// Of a job that a queue without a memory does not list any more.
const LEFT: &str = "It left the queue";

/// How long after it was written down a job is in its queue at the latest, and how far clocks may differ, in seconds.
const UNTIL_TAKEN: std::ops::RangeInclusive<i64> = -2..=60;

/// The job as its queue has it: by number and title; by title alone where its number was never told.
pub(super) fn known<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let ours = |one: &&JobInfo| one.title == job.title;
    // A service that keeps titles even from their owner tells none at all.
    let hidden = found.iter().all(|one| one.title.is_empty());
    let mut newest = found.iter().rev();
    match job.at_queue.job {
        Some(id) => newest.find(|one| one.id == id && (hidden || ours(one))),
        None => newest.find(ours),
    }
}

/// The same, where it is certain enough to be taken out: where titles are hidden, it also has to be of its time, or else of
/// our name.
pub(super) fn ours<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let marked = |one: &&JobInfo| match one.made {
        _ if !one.title.is_empty() => true,
        Some(made) => UNTIL_TAKEN.contains(&(made - job.made.as_second())),
        None => one.owner == OURS,
    };
    known(job, found).filter(marked)
}

/// What the queue says, into the job: its state there, and what that means for the label.
pub(super) fn take_over(job: &mut PrintJob, found: Option<&JobInfo>, forgets: bool) {
    let (word, message) = match found {
        Some(one) => (word(one.state), one.message.as_str()),
        // A queue that lists nothing that is done: what it once took is gone because it is.
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
