//! Matches print jobs with the jobs that a queue lists, and translates the queue's state for the label.
//!
//! A job is identified by its number and title together, because a queue that was reset reuses numbers. A job
//! that may be somebody else's is never cancelled. A label counts as not printed only if the queue says that
//! the job never began.

use printing::queue::{JobInfo, JobState as Found};
use printing::service::IPP_USER_NAME;
use storage::{JobState, PrintJob, QueuedJobState};

/// The message for a job that is missing from a queue which lists only unfinished jobs.
const LEFT: &str = "No longer in the queue";

/// Seconds between writing a job down and its appearance in the queue, including the difference of
/// the clocks.
const UNTIL_TAKEN: std::ops::RangeInclusive<i64> = -2..=60;

/// Finds the job in its queue: by number and title, or by title alone if its number is unknown.
pub(super) fn find_job<'a>(job: &PrintJob, found: &'a [JobInfo]) -> Option<&'a JobInfo> {
    let ours = |one: &&JobInfo| one.title == job.title;
    // Some print services hide titles even from the owner of the jobs; then all titles are empty.
    let hidden = found.iter().all(|one| one.title.is_empty());
    let mut newest = found.iter().rev();
    match job.queue_entry.job {
        Some(id) => newest.find(|one| one.id == id && (hidden || ours(one))),
        None => newest.find(ours),
    }
}

/// Finds the job like [`find_job`], but only if it is certain enough to cancel it: if titles are hidden, the
/// job's time must match, or without a time its owner.
pub(super) fn find_cancellable_job<'a>(
    job: &PrintJob,
    found: &'a [JobInfo],
) -> Option<&'a JobInfo> {
    let marked = |one: &&JobInfo| match one.created_at {
        _ if !one.title.is_empty() => true,
        Some(made) => UNTIL_TAKEN.contains(&(made - job.made.as_second())),
        None => one.owner == IPP_USER_NAME,
    };
    find_job(job, found).filter(marked)
}

/// Writes the queue's state into the job and derives the label's state from it.
pub(super) fn apply_queue_state(job: &mut PrintJob, found: Option<&JobInfo>, forgets: bool) {
    let (word, message) = match found {
        Some(one) => (word(one.state), one.message.as_str()),
        // The queue lists only unfinished jobs: a job that it once had is finished.
        None if forgets && job.queue_entry.job.is_some() => (QueuedJobState::HandedOver, LEFT),
        None => (QueuedJobState::Gone, ""),
    };
    job.queue_entry.state = Some(word);
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
    let place = job.printer.clone();
    let look = "Check whether the label came out";
    let ended = match word {
        QueuedJobState::Cancelled if began => {
            format!("Cancelled in the queue after printing started{said}. {look}")
        }
        QueuedJobState::Cancelled => format!("Cancelled in the queue{said}. Not printed"),
        QueuedJobState::Aborted if began => format!("The print service aborted it{said}. {look}"),
        QueuedJobState::Aborted => format!("The print service aborted it{said}. Not printed"),
        // The question that is already shown says more than that.
        QueuedJobState::Gone if job.state == JobState::Ask => return,
        QueuedJobState::Gone => {
            format!("This job is no longer in {place}'s queue. {look}")
        }
        QueuedJobState::Waiting
        | QueuedJobState::Held
        | QueuedJobState::Printing
        | QueuedJobState::Stopped => {
            // The job was found after all: the earlier question is answered.
            if job.state == JobState::Ask {
                (job.state, job.message) = (JobState::Sent, String::new());
            }
            return;
        }
        QueuedJobState::HandedOver => {
            if job.state == JobState::Ask {
                (job.state, job.message) = (JobState::Sent, "Sent to printer".to_owned());
            }
            return;
        }
    };
    job.state = if began {
        JobState::Ask
    } else {
        JobState::Failed
    };
    job.message = ended;
}

const fn word(state: Found) -> QueuedJobState {
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

#[cfg(test)]
mod tests {
    use super::{apply_queue_state, find_cancellable_job, find_job};
    use printing::queue::{JobInfo, JobState as Found};
    use shipping::ConsignmentId;
    use storage::{JobId, JobState, JobSubject, PrintJob, QueueEntry, QueuedJobState};

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
            message: String::new(),
            reason: String::new(),
            made,
            changed: made,
            outdated: false,
            queue_entry: QueueEntry {
                job: Some(7),
                ..QueueEntry::default()
            },
            override_reason: String::new(),
            batch: 0,
        }
    }

    fn listed(id: u32, title: &str, after: i64) -> JobInfo {
        JobInfo {
            id,
            title: title.to_owned(),
            state: Found::Waiting,
            message: String::new(),
            has_started: false,
            created_at: Some(1_795_000_000 + after),
            owner: String::new(),
        }
    }

    #[test]
    fn a_job_without_a_title_is_ours_only_where_none_has_one_and_is_cancelled_only_if_it_is_of_its_time()
     {
        let job = job();
        let hidden = [listed(7, "", 3)];
        assert!(find_job(&job, &hidden).is_some() && find_cancellable_job(&job, &hidden).is_some());
        let older = [listed(7, "", -90_000)];
        assert!(find_job(&job, &older).is_some() && find_cancellable_job(&job, &older).is_none());
        let among_titled = [listed(6, "MS9 Bench 4-AAAAAAAA", 0), listed(7, "", 3)];
        assert!(find_job(&job, &among_titled).is_none());
        let named = [listed(7, &job.title, -90_000)];
        assert!(
            find_cancellable_job(&job, &named).is_some(),
            "its title is its own"
        );
    }

    #[test]
    fn what_a_queue_without_a_memory_lists_no_more_was_handed_over() {
        let mut gone = job();
        apply_queue_state(&mut gone, None, true);
        assert_eq!(gone.state, JobState::Sent);
        assert_eq!(gone.queue_entry.state, Some(QueuedJobState::HandedOver));
        let mut unknown = job();
        apply_queue_state(&mut unknown, None, false);
        assert_eq!(unknown.state, JobState::Ask);
    }
}
