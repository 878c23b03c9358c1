//! Prints a label: fetched, stored, verified on its dots, saved as a print job, and only then handed over.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::context::{EngineContext, FaultPoint};
use super::{EngineError, Outcome, PrintOrder};
use draft::DraftId;
use printing::job::{self, Payload, Prepared};
use printing::profile::{Destination, PrinterProfile};
use shipping::LabelSize;
use storage::{
    JobId, JobOrigin, JobState, JobSubject, JournalError, NewJob, PrintJob, UnprintedLabelId,
};

const FOUND: &str = "sent to printer: found in its queue";

/// A document that is ready to become a print job.
pub(super) struct PreparedPrint {
    prepared: Prepared,
    origin: JobOrigin,
}

pub(super) struct NewPrint<'a> {
    pub(super) subject: JobSubject,
    /// The consignment's number or the document's name, shown to the clerk.
    pub(super) number: &'a str,
    pub(super) printer: &'a PrinterProfile,
    /// The reason for a reprint; empty the first time.
    pub(super) reason: &'a str,
}

#[derive(Default, Clone, Copy)]
pub(super) struct BatchPlace {
    /// The id of the batch; 0 for a label printed alone.
    pub(super) batch: i64,
    pub(super) unprinted: Option<UnprintedLabelId>,
}

impl EngineContext {
    pub(super) async fn print(&self, order: PrintOrder) {
        let ready = self.prepare(&order).await;
        let _told = self.finish(&order, ready, BatchPlace::default()).await;
    }

    /// Prints a document of our own as a print job, like a label.
    pub(super) async fn print_prepared(
        &self,
        print: &NewPrint<'_>,
        prepared: Prepared,
    ) -> Result<(), EngineError> {
        let ready = PreparedPrint {
            prepared,
            origin: JobOrigin::default(),
        };
        let job = self.write_job(print, &ready).await?;
        let to = &print.printer.destination;
        let _told = self.hand_over(job, &ready.prepared.payload, to).await;
        Ok(())
    }

    /// Writes a print job down, hands it over, and tells the window of both. Returns an error if the next
    /// labels would fail in the same way.
    pub(super) async fn finish(
        &self,
        order: &PrintOrder,
        ready: Result<PreparedPrint, EngineError>,
        place: BatchPlace,
    ) -> Result<(), String> {
        let written = match ready {
            Ok(ready) => self.write_current(order, ready, place).await,
            Err(error) => Err(error),
        };
        match written {
            Ok((job, payload)) => {
                let to = &order.printer.destination;
                self.hand_over(job, &payload, to).await
            }
            Err(error) => self.not_printed(order, error, place.unprinted).await,
        }
    }

    /// Handles a label that failed before it became a print job.
    async fn not_printed(
        &self,
        order: &PrintOrder,
        error: EngineError,
        unprinted: Option<UnprintedLabelId>,
    ) -> Result<(), String> {
        // The cause stops all labels at the moment: keep the row, so that the label is tried again.
        let verdict = if error.affects_all_labels() {
            Err(error.advice())
        } else {
            self.discard_unprinted(unprinted.into_iter().collect())
                .await;
            Ok(())
        };
        let consignment = order.consignment;
        self.tell(Outcome::LabelFailed { consignment, error }).await;
        verdict
    }

    /// Writes the print job. If the consignment was changed in the meantime, the label is prepared once more
    /// from its new file.
    async fn write_current(
        &self,
        order: &PrintOrder,
        ready: PreparedPrint,
        place: BatchPlace,
    ) -> Result<(PrintJob, Payload), EngineError> {
        let print = NewPrint {
            subject: JobSubject::Label(order.consignment),
            number: &order.number,
            printer: &order.printer,
            reason: &order.reason,
        };
        let at_place = |mut ready: PreparedPrint| {
            ready.origin.batch = place.batch;
            ready.origin.unprinted = place.unprinted;
            ready
        };
        let mut ready = at_place(ready);
        let job = match self.write_job(&print, &ready).await {
            Err(EngineError::Journal(JournalError::Changed)) => {
                ready = at_place(self.prepare(order).await?);
                self.write_job(&print, &ready).await?
            }
            written => written?,
        };
        Ok((job, ready.prepared.payload))
    }

    /// Fetches, draws, scales, verifies and encodes a label without sending it. A label that fails its
    /// verification is ready only if the clerk has overridden this problem for this file.
    pub(super) async fn prepare(&self, order: &PrintOrder) -> Result<PreparedPrint, EngineError> {
        if is_too_small(&order.printer, order.size) {
            let name = &order.printer.name;
            return Err(EngineError::NotPossible(format!(
                "{name} can't print A4 labels. Choose A6, or a printer with A4 paper"
            )));
        }
        let drawn = self.drawn_label(order.consignment, order.size, &order.printer);
        let mut drawn = drawn.await?;
        let mut despite = String::new();
        if let Some((problem, fault)) = drawn.problem {
            match { order.verification_override.as_ref() }.filter(|given| given.of == fault) {
                Some(given) => despite.clone_from(&given.reason),
                None => return Err(EngineError::VerificationFailed { problem, fault }),
            }
        }
        // A clerk who gave an override has seen the size too.
        if let Some(shrunk) = drawn
            .prepared
            .shrink_warning
            .take()
            .filter(|_| despite.is_empty())
            && !order
                .accepted_shrinks
                .iter()
                .any(|agreed| agreed.covers(&shrunk))
        {
            return Err(EngineError::WouldShrink(shrunk));
        }
        Ok(PreparedPrint {
            prepared: drawn.prepared,
            origin: JobOrigin {
                source: drawn.source,
                generation: Some(drawn.generation),
                override_reason: despite,
                ..JobOrigin::default()
            },
        })
    }

    /// Writes a print job down before any byte of it is sent, together with its expiry time. Jobs sent to a port or
    /// a file cannot be cancelled and have none.
    async fn write_job(
        &self,
        print: &NewPrint<'_>,
        ready: &PreparedPrint,
    ) -> Result<PrintJob, EngineError> {
        let (subject, now, origin) = (print.subject, self.now(), ready.origin.clone());
        let (number, reason) = (print.number.to_owned(), print.reason.to_owned());
        let (printer, prepared) = (print.printer.clone(), &ready.prepared);
        let (bytes, sha256) = (Arc::clone(&prepared.payload.bytes), prepared.sha256.clone());
        let title = format!("{number} {}-{}", self.name, DraftId::random());
        let written = self.writer.run(move |journal| {
            let new = NewJob {
                subject,
                number: &number,
                printer: &printer.name,
                queue: printer.destination.query_target().unwrap_or_default(),
                title: &title,
                bytes: &bytes,
                sha256: &sha256,
                reason: &reason,
            };
            let mut job = journal.begin_job_from(&new, &origin, now)?;
            if !job.queue.is_empty() {
                job.queue_entry.expires = Some(expiry_of(&printer, now));
                journal.save_queue_entry(job.id, &job.queue_entry)?;
            }
            Ok(job)
        });
        written.await
    }

    /// Tells the window of a print job that was just saved, then hands it over. If that fails, returns an
    /// error that explains why other labels would fail too.
    async fn hand_over(
        &self,
        mut job: PrintJob,
        payload: &Payload,
        to: &Destination,
    ) -> Result<(), String> {
        self.reach_fault_point(FaultPoint::JobWritten);
        self.tell(Outcome::Job(Box::new(job.clone()))).await;
        let (spool, from) = (&self.spool, job.state);
        let to = to.of_job(&job.number);
        let sent = job::send(&self.print_service, payload, &to, &job.title, spool).await;
        (job.state, job.message) = match sent {
            Ok(handed) => {
                job.queue_entry.job = handed.job_id;
                (JobState::Sent, handed.message.to_owned())
            }
            Err(error) => {
                // Unless certainly no byte left, the clerk is asked.
                let state = if error.nothing_sent() {
                    JobState::Failed
                } else {
                    JobState::Ask
                };
                (state, format!("{error}. {}", error.advice()))
            }
        };
        self.reach_fault_point(FaultPoint::HandedOver);
        if job.state == JobState::Ask {
            self.find_in_its_queue(&mut job).await;
        }
        let verdict = if job.state == JobState::Sent {
            Ok(())
        } else {
            Err(job.message.clone())
        };
        self.keep_job(job, from).await;
        verdict
    }

    /// Resolves a print job that the last run left open: if its queue has it, it was handed over.
    pub(super) async fn resolve_open_job(&self, id: JobId) {
        match self.writer.run(move |journal| journal.job(id)).await {
            Ok(Some(mut job)) if job.state == JobState::Ask => {
                if self.find_in_its_queue(&mut job).await {
                    self.keep_job(job, JobState::Ask).await;
                }
            }
            Ok(_) => {}
            Err(error) => {
                self.tell_failed("Couldn't read the print job", error).await;
            }
        }
    }

    /// Searches the printer queue for the job's title, which has a unique key. If it is there, it was
    /// handed over.
    async fn find_in_its_queue(&self, job: &mut PrintJob) -> bool {
        if job.queue.is_empty() {
            return false;
        }
        let Ok(Some(found)) = self.print_service.find_job(&job.queue, &job.title).await else {
            return false;
        };
        job.queue_entry.job = Some(found.id);
        (job.state, job.message) = (JobState::Sent, FOUND.to_owned());
        true
    }

    /// Writes the new state of a job down if it is still in the state `from`.
    pub(super) async fn keep_job(&self, mut job: PrintJob, from: JobState) {
        let now = self.now();
        let kept = self
            .writer
            .run(move |journal| {
                journal.change_job(&mut job, from, now)?;
                journal.save_queue_entry(job.id, &job.queue_entry)?;
                Ok(job)
            })
            .await;
        match kept {
            Ok(job) => self.tell(Outcome::Job(Box::new(job))).await,
            // Another task has changed the job and told the window.
            Err(EngineError::Journal(JournalError::Changed)) => {}
            Err(error) => {
                self.tell_failed("Couldn't save the print job", error).await;
            }
        }
    }
}

/// Returns the time when a job that is handed over now is cancelled if it is still waiting.
fn expiry_of(printer: &PrinterProfile, now: Timestamp) -> Timestamp {
    let minutes = SignedDuration::from_mins(printer.expiry_minutes.get().into());
    now.checked_add(minutes).unwrap_or(Timestamp::MAX)
}

/// Returns true if a sheet of labels would be printed on the paper of a single label: the barcodes would be
/// too small for any scanner.
fn is_too_small(printer: &PrinterProfile, size: LabelSize) -> bool {
    let (wide, _) = printer.media.size_mm();
    size == LabelSize::A4 && printer.language.is_dots() && wide < 200.0
}
