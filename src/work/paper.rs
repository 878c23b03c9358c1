//! Printing a label: fetched, stored, checked on its dots, written down, and only then handed over.

use std::path::Path;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::bench::{Bench, Milestone};
use super::label_file::{LabelFile, expected};
use super::{Fault, Outcome, PrintOrder, WorkError};
use crate::draft::DraftId;
use crate::journal::{
    Generation, JobId, JobState, JobSubject, Journal, JournalError, LabelSource, NewJob, Origin,
    PrintJob, UnprintedId,
};
use crate::printing::job::{self, Payload, Prepared, SendError};
use crate::printing::page::Pages;
use crate::printing::profile::{Destination, PrinterProfile};
use crate::shipping::LabelSize;

/// What is known of a job that was found where it was to go.
const FOUND: &str = "sent to printer: found in its queue";

/// A label that may be written down and handed over.
pub(super) struct Ready {
    prepared: Prepared,
    /// The stored file that it was made of; nothing where that was not fit to be stored.
    source: Option<LabelSource>,
    generation: Option<Generation>,
    /// Why it is printed although it fails the check; empty where it does not.
    despite: String,
}

/// What a new print job puts on paper, and where.
pub(super) struct NewPrint<'a> {
    pub(super) subject: JobSubject,
    /// The consignment's number or the document's name, for the clerk.
    pub(super) number: &'a str,
    pub(super) printer: &'a PrinterProfile,
    /// Why it is printed again; empty the first time.
    pub(super) reason: &'a str,
}

impl Ready {
    /// Made of no stored file.
    pub(super) const fn of_its_own(prepared: Prepared) -> Self {
        Self {
            prepared,
            source: None,
            generation: None,
            despite: String::new(),
        }
    }

    pub(super) const fn payload(&self) -> &Payload {
        &self.prepared.payload
    }
}

impl Bench {
    pub(super) async fn print(&self, order: PrintOrder) {
        let ready = self.prepare(&order).await;
        let _told = self.finish(&order, ready, Origin::default()).await;
    }

    /// Writes a label down and hands it over, and tells both. Answers why others will fare no better, where that is so.
    pub(super) async fn finish(
        &self,
        order: &PrintOrder,
        ready: Result<Ready, WorkError>,
        origin: Origin,
    ) -> Result<(), String> {
        let written = match ready {
            Ok(ready) => self.write_current(order, ready, &origin).await,
            Err(error) => Err(error),
        };
        let (job, payload) = match written {
            Ok(written) => written,
            Err(error) => return self.not_printed(order, error, origin.unprinted).await,
        };
        self.reached(Milestone::JobWritten);
        self.tell(Outcome::Job(Box::new(job.clone()))).await;
        self.hand_over(job, &payload, &order.printer.destination)
            .await
    }

    /// A label did not get as far as a print job.
    async fn not_printed(
        &self,
        order: &PrintOrder,
        error: WorkError,
        unprinted: Option<UnprintedId>,
    ) -> Result<(), String> {
        // What no label gets past for now is to be tried again: its row stays.
        let verdict = if error.holds_for_all() {
            Err(error.advice())
        } else {
            self.leave_unprinted(unprinted.into_iter().collect()).await;
            Ok(())
        };
        let consignment = order.consignment;
        self.tell(Outcome::LabelFailed { consignment, error }).await;
        verdict
    }

    /// A consignment that was changed while its label was drawn has another file by now: it is drawn once more.
    async fn write_current(
        &self,
        order: &PrintOrder,
        ready: Ready,
        origin: &Origin,
    ) -> Result<(PrintJob, Payload), WorkError> {
        let print = NewPrint {
            subject: JobSubject::Label(order.consignment),
            number: &order.number,
            printer: &order.printer,
            reason: &order.reason,
        };
        match self.write_job(&print, &ready, origin).await {
            Err(WorkError::Journal(JournalError::Changed)) => {
                let again = self.prepare(order).await?;
                let job = self.write_job(&print, &again, origin).await?;
                Ok((job, again.prepared.payload))
            }
            written => Ok((written?, ready.prepared.payload)),
        }
    }

    /// Fetches, draws, fits, checks and encodes; nothing of it is sent. A label that fails the check is ready only where the
    /// clerk gave their word for this very file and this very problem.
    pub(super) async fn prepare(&self, order: &PrintOrder) -> Result<Ready, WorkError> {
        if is_too_small(&order.printer, order.size) {
            let name = &order.printer.name;
            return Err(WorkError::Stopped(format!(
                "{name} has no paper for an A4 label. Choose A6 for it, or a printer with A4 paper"
            )));
        }
        let LabelFile {
            label,
            is_kept,
            generation,
        } = self.label_file(order.consignment, order.size).await?;
        let sha256 = label.sha256;
        let mut prepared = job::prepare_nevertheless(
            &self.renderer,
            label.pdf.into(),
            Pages::All,
            &order.printer,
            &expected(label.expected, label.numbers),
        )
        .await?;
        let mut despite = String::new();
        if let Some(problem) = prepared.problem.take() {
            let fault = Fault {
                sha256: sha256.clone(),
                kind: problem.word().to_owned(),
            };
            match order.despite.as_ref().filter(|word| word.of == fault) {
                Some(word) => despite.clone_from(&word.words),
                None => return Err(WorkError::Unfit { problem, fault }),
            }
        }
        // Whoever gave their word for a label has seen its size.
        if let Some(shrunk) = prepared.shrunk.take().filter(|_| despite.is_empty())
            && !order.agreed.iter().any(|agreed| agreed.covers(&shrunk))
        {
            return Err(WorkError::Shrinks(shrunk));
        }
        let size = order.size;
        Ok(Ready {
            prepared,
            source: is_kept.then_some(LabelSource { size, sha256 }),
            generation: Some(generation),
            despite,
        })
    }

    /// Writes a print job down before any byte of it leaves.
    pub(super) async fn write_job(
        &self,
        print: &NewPrint<'_>,
        ready: &Ready,
        origin: &Origin,
    ) -> Result<PrintJob, WorkError> {
        let (subject, number, reason) = (
            print.subject,
            print.number.to_owned(),
            print.reason.to_owned(),
        );
        let (printer, now) = (print.printer.clone(), self.now());
        let prepared = &ready.prepared;
        let (bytes, sha256) = (Arc::clone(&prepared.payload.bytes), prepared.sha256.clone());
        let origin = Origin {
            despite: ready.despite.clone(),
            source: ready.source.clone(),
            generation: ready.generation,
            ..origin.clone()
        };
        let title = format!("{number} {}-{}", self.name, DraftId::random());
        self.writer
            .run(move |journal| {
                let new = NewJob {
                    subject,
                    number: &number,
                    printer: &printer.name,
                    queue: printer.destination.asked().unwrap_or_default(),
                    title: &title,
                    bytes: &bytes,
                    sha256: &sha256,
                    reason: &reason,
                };
                begin_job(journal, &new, (&origin, &printer), now)
            })
            .await
    }

    /// Answers why the printer takes no other paper either, where it did not take this one.
    pub(super) async fn hand_over(
        &self,
        mut job: PrintJob,
        payload: &Payload,
        to: &Destination,
    ) -> Result<(), String> {
        let (spool, from): (&Path, _) = (&self.spool, job.state);
        let to = to.of_job(&job.number);
        let sent = job::send(&self.print_service, payload, &to, &job.title, spool).await;
        (job.state, job.words) = match sent {
            Ok(handed) => {
                job.at_queue.job = handed.job_id;
                (JobState::Sent, handed.words.to_owned())
            }
            Err(error) => (failed_state(&error), format!("{error}. {}", error.advice())),
        };
        self.reached(Milestone::HandedOver);
        if job.state == JobState::Ask {
            self.find_in_its_queue(&mut job).await;
        }
        let verdict = if job.state == JobState::Sent {
            Ok(())
        } else {
            Err(job.words.clone())
        };
        self.keep_job(job, from).await;
        verdict
    }

    /// The last run did not see this job through: where its queue has it, it was handed over.
    pub(super) async fn adopt_job(&self, id: JobId) {
        match self.writer.run(move |journal| journal.job(id)).await {
            Ok(Some(mut job)) if job.state == JobState::Ask => {
                if self.find_in_its_queue(&mut job).await {
                    self.keep_job(job, JobState::Ask).await;
                }
            }
            Ok(_) => {}
            Err(error) => {
                self.tell_failed("The print job could not be read", error)
                    .await;
            }
        }
    }

    /// Its title carries a key of its own: no other job has it. Where its queue has it, it was handed over.
    async fn find_in_its_queue(&self, job: &mut PrintJob) -> bool {
        if job.queue.is_empty() {
            return false;
        }
        let Ok(Some(found)) = self.print_service.find_job(&job.queue, &job.title).await else {
            return false;
        };
        job.at_queue.job = Some(found.id);
        (job.state, job.words) = (JobState::Sent, FOUND.to_owned());
        true
    }

    /// Writes down where a job stands that stood at `from`; one that moved on meanwhile is left where it is.
    pub(super) async fn keep_job(&self, mut job: PrintJob, from: JobState) {
        let now = self.now();
        let kept = self
            .writer
            .run(move |journal| {
                journal.change_job(&mut job, from, now)?;
                journal.note_at_queue(job.id, &job.at_queue)?;
                Ok(job)
            })
            .await;
        match kept {
            Ok(job) => self.tell(Outcome::Job(Box::new(job))).await,
            // Whoever was quicker has told it.
            Err(WorkError::Journal(JournalError::Changed)) => {}
            Err(error) => {
                self.tell_failed("The print job could not be written down", error)
                    .await;
            }
        }
    }
}

/// A label may only be called unprinted where no byte of it can have left.
fn failed_state(error: &SendError) -> JobState {
    if error.nothing_sent() {
        JobState::Failed
    } else {
        JobState::Ask
    }
}

/// Writes a job down with when it is taken back; what goes to a port or a file cannot be.
fn begin_job(
    journal: &mut Journal,
    new: &NewJob<'_>,
    (origin, printer): (&Origin, &PrinterProfile),
    now: Timestamp,
) -> Result<PrintJob, JournalError> {
    let mut job = journal.begin_job_of(new, origin, now)?;
    if !job.queue.is_empty() {
        job.at_queue.expires = Some(expiry_of(printer, now));
        journal.note_at_queue(job.id, &job.at_queue)?;
    }
    Ok(job)
}

/// When a job that is handed over now is taken back, should it still wait then.
fn expiry_of(printer: &PrinterProfile, now: Timestamp) -> Timestamp {
    let minutes = SignedDuration::from_mins(printer.expiry_minutes.get().into());
    now.checked_add(minutes).unwrap_or(Timestamp::MAX)
}

/// A sheet of labels on the paper of one would be drawn too small for any scanner.
fn is_too_small(printer: &PrinterProfile, size: LabelSize) -> bool {
    let (wide, _) = printer.media.size_mm();
    size == LabelSize::A4 && printer.language.is_dots() && wide < 200.0
}
