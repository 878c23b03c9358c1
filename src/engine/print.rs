//! Prints labels and our own documents, each as a print job.
//!
//! A label is fetched, stored, verified on its dots, saved as a print job, and only then handed over. Our own documents
//! are the test label of a printer, a booked manifest made from the journal's copy of it, and a PDF that was shown
//! before. A batch is saved first; its labels are prepared ahead and handed over one after the other.
//!
//! Invariants of a batch: labels are printed in the requested order; each is in the journal as unprinted until it is a
//! print job there, so a crash neither loses nor duplicates a label; after a stop or a failing printer no further label
//! is handed over.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinHandle;

use super::{
    BatchEnd, BatchEndReason, BatchId, DocumentOrder, DocumentSource, EngineContext, EngineError,
    FaultPoint, Fetch, Outcome, PrintBatch, PrintOrder, Reads,
};
use draft::DraftId;
use printing::job::{self, PagePreview, Payload, PrepareError, Prepared};
use printing::page::PageSelection;
use printing::profile::{Destination, PrinterProfile};
use printing::test_label;
use printing::verification::ExpectedCodes;
use shipping::LabelSize;
use storage::{
    JobId, JobOrigin, JobState, JobSubject, JournalError, LabelRequest, NewJob, PrintJob,
    UnprintedLabelId,
};

/// Labels that are prepared while another is handed over: enough to use both cores, few enough that a stop
/// wastes little.
const AHEAD: usize = 3;

const FOUND: &str = "sent to printer: found in its queue";

/// A document that is ready to become a print job.
struct PreparedPrint {
    prepared: Prepared,
    origin: JobOrigin,
}

struct NewPrint<'a> {
    subject: JobSubject,
    /// The consignment's number or the document's name, shown to the clerk.
    number: &'a str,
    printer: &'a PrinterProfile,
    /// The reason for a reprint; empty the first time.
    reason: &'a str,
}

/// The labels that are being prepared, in the order in which they will be printed.
struct PreparationQueue<'a> {
    bench: &'a EngineContext,
    orders: &'a [PrintOrder],
    begun: usize,
    drawn: VecDeque<JoinHandle<Result<PreparedPrint, EngineError>>>,
}

impl PreparationQueue<'_> {
    /// Starts the preparation of the labels that follow, then returns the next prepared label.
    async fn next(&mut self) -> Result<PreparedPrint, EngineError> {
        while self.drawn.len() <= AHEAD
            && let Some(order) = self.orders.get(self.begun).cloned()
        {
            let bench = self.bench.clone();
            self.drawn
                .push_back(tokio::spawn(async move { bench.prepare(&order).await }));
            self.begun += 1;
        }
        let Some(first) = self.drawn.front_mut() else {
            return Err(EngineError::Internal);
        };
        let ready = first.await;
        self.drawn.pop_front();
        // A label whose preparation panics can't be printed; the other labels can.
        ready.unwrap_or_else(|_panicked| Err(PrepareError::Interrupted.into()))
    }
}

impl Reads {
    /// Draws the test label as it would be printed, converted by `show`. The second argument of `show` is a
    /// message about letters that the font lacks.
    pub fn test_label<T: Send + 'static>(
        &self,
        order: DocumentOrder,
        show: impl FnOnce(PagePreview, Option<String>) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let (mut prepared, missing_letters) = bench.prepare_document(&order).await?;
            let shown = prepared.previews.pop().ok_or(EngineError::Internal)?;
            Ok(show(shown, missing_letters))
        })
    }
}

impl EngineContext {
    pub(super) async fn print_batch(&self, batch: PrintBatch) {
        let unprinted = match self.write_batch(&batch).await {
            Ok(unprinted) => unprinted,
            Err(error) => {
                let end = Box::new(batch.not_written(error));
                return self.tell(Outcome::Batch(end)).await;
            }
        };
        // A batch without rows in the journal is a single label.
        let ids = unprinted.iter().copied().map(Some);
        let rows = batch.orders.iter().zip(ids.chain(std::iter::repeat(None)));
        let mut ahead = PreparationQueue {
            bench: self,
            orders: &batch.orders,
            begun: 0,
            drawn: VecDeque::new(),
        };
        let mut ending = BatchEndReason::Done;
        let (mut done, mut ended_at) = (0, None);
        for (order, id) in rows.clone() {
            let ready = tokio::select! {
                biased;
                // The remaining labels stay in the journal for the next start.
                () = self.outcomes.closed() => return ahead.drawn.iter().for_each(JoinHandle::abort),
                () = self.until_stopped(batch.id) => {
                    ending = BatchEndReason::Stopped;
                    break;
                }
                ready = ahead.next() => ready,
            };
            if let Err(EngineError::WouldShrink(shrunk)) = ready {
                // The label stays first among the remaining labels: the clerk has to decide.
                ending = BatchEndReason::AskAboutShrinking(shrunk);
                break;
            }
            done += 1;
            let place = JobOrigin {
                batch: unprinted.first().map_or(0, |first| first.0),
                unprinted: id,
                ..JobOrigin::default()
            };
            if let Err(message) = self.finish(order, ready, place).await {
                if done < batch.orders.len() {
                    (ending, ended_at) = (BatchEndReason::Halted(message), id);
                    break;
                }
                // No other label follows: the clerk can print this label again alone.
                self.discard_unprinted(id.into_iter().collect()).await;
            }
        }
        let rest = rows.skip(done).map(|(order, id)| (order.consignment, id));
        let rest: Vec<_> = rest.collect();
        if matches!(ending, BatchEndReason::Stopped) {
            self.discard_unprinted(rest.iter().filter_map(|(_, id)| *id).collect())
                .await;
        }
        let end = BatchEnd {
            id: batch.id,
            ending,
            ended_at,
            rest,
        };
        self.tell(Outcome::Batch(Box::new(end))).await;
    }

    /// Writes the batch to the journal. A single label needs no row: if it is interrupted, it is still
    /// visible in the queue.
    async fn write_batch(&self, batch: &PrintBatch) -> Result<Vec<UnprintedLabelId>, EngineError> {
        let wanted = batch.orders.iter().map(|order| LabelRequest {
            consignment: order.consignment,
            number: order.number.clone(),
            printer: order.printer.name.clone(),
            size: order.size,
            reason: order.reason.clone(),
        });
        let wanted: Vec<_> = wanted.collect();
        let (replaced, now) = (batch.replaces.clone(), self.now());
        if wanted.len() < 2 && replaced.is_empty() {
            return Ok(Vec::new());
        }
        self.journal(move |journal| journal.begin_batch(&wanted, &replaced, now))
            .await
    }

    async fn until_stopped(&self, id: BatchId) {
        let mut stop = self.stop_printing.subscribe();
        let _gone = stop.wait_for(|up_to| *up_to >= id).await;
    }

    pub(super) async fn discard_unprinted(&self, ids: Vec<UnprintedLabelId>) {
        if ids.is_empty() {
            return;
        }
        let left = self.journal(move |journal| journal.remove_unprinted(&ids));
        let what = "Couldn't save which labels are not to be printed";
        self.report(what, left.await).await;
    }

    pub(super) async fn print_document(&self, order: DocumentOrder) {
        let what = match order.paper {
            DocumentSource::TestLabel { .. } => "Couldn't print the test label",
            DocumentSource::Manifest(_) => "The manifest was not printed",
            DocumentSource::File(_) => "The day sheet was not printed",
        };
        let printed = self.try_print_document(&order).await;
        self.report(what, printed).await;
    }

    async fn try_print_document(&self, order: &DocumentOrder) -> Result<(), EngineError> {
        let (prepared, missing_letters) = self.prepare_document(order).await?;
        let subject = match order.paper {
            DocumentSource::TestLabel { .. } => JobSubject::TestLabel,
            DocumentSource::Manifest(_) | DocumentSource::File(_) => JobSubject::Document,
        };
        // The clerk has already seen a test label and its message.
        if let (Some(message), JobSubject::Document) = (missing_letters, subject) {
            let document = order.name.clone();
            self.tell(Outcome::LettersMissing { document, message })
                .await;
        }
        let print = NewPrint {
            subject,
            number: &order.name,
            printer: &order.printer,
            reason: &order.reason,
        };
        self.print_prepared(&print, prepared).await
    }

    /// Draws, scales and encodes a document of our own. Also returns a message about letters that the font lacks.
    async fn prepare_document(
        &self,
        order: &DocumentOrder,
    ) -> Result<(Prepared, Option<String>), EngineError> {
        // Only a test label has a barcode to verify.
        let mut expected = ExpectedCodes::Nothing;
        let (pdf, missing_letters): (Arc<[u8]>, _) = match &order.paper {
            DocumentSource::TestLabel { token, date } => {
                expected = ExpectedCodes::References(vec![token.clone()]);
                let drawn = test_label::document(&order.printer, token, date);
                let drawn = drawn.map_err(|error| EngineError::NotPossible(error.to_string()))?;
                (drawn.pdf.into(), drawn.missing_letters)
            }
            DocumentSource::Manifest(operation) => {
                let (_manifest, drawn) = self.manifest_page(*operation).await?;
                (drawn.pdf.into(), drawn.missing_letters)
            }
            // The clerk has already seen the page and its message.
            DocumentSource::File(pdf) => (Arc::clone(pdf), None),
        };
        let pages = PageSelection::All;
        let prepared = job::prepare(&self.renderer, pdf, pages, &order.printer, &expected);
        Ok((prepared.await?, missing_letters))
    }

    /// Prints a document of our own as a print job, like a label.
    async fn print_prepared(
        &self,
        print: &NewPrint<'_>,
        prepared: Prepared,
    ) -> Result<(), EngineError> {
        let job = self
            .write_job(print, &prepared, JobOrigin::default())
            .await?;
        let to = &print.printer.destination;
        let _told = self.hand_over(job, &prepared.payload, to).await;
        Ok(())
    }

    /// Writes a print job down, hands it over, and tells the window of both. Returns an error if the next
    /// labels would fail in the same way. `place` is the label's place in its batch.
    async fn finish(
        &self,
        order: &PrintOrder,
        ready: Result<PreparedPrint, EngineError>,
        place: JobOrigin,
    ) -> Result<(), String> {
        let unprinted = place.unprinted;
        let error = match self.write_current(order, ready, place).await {
            Ok((job, payload)) => {
                let to = &order.printer.destination;
                return self.hand_over(job, &payload, to).await;
            }
            Err(error) => error,
        };
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
        ready: Result<PreparedPrint, EngineError>,
        place: JobOrigin,
    ) -> Result<(PrintJob, Payload), EngineError> {
        let print = NewPrint {
            subject: JobSubject::Label(order.consignment),
            number: &order.number,
            printer: &order.printer,
            reason: &order.reason,
        };
        let at_place = |origin: JobOrigin| JobOrigin {
            batch: place.batch,
            unprinted: place.unprinted,
            ..origin
        };
        let mut ready = ready?;
        let written = self.write_job(&print, &ready.prepared, at_place(ready.origin));
        let job = match written.await {
            Err(EngineError::Journal(JournalError::Changed)) => {
                ready = self.prepare(order).await?;
                self.write_job(&print, &ready.prepared, at_place(ready.origin))
                    .await?
            }
            written => written?,
        };
        Ok((job, ready.prepared.payload))
    }

    /// Fetches, draws, scales, verifies and encodes a label without sending it. A label that fails its
    /// verification is ready only if the clerk has overridden this problem for this file.
    async fn prepare(&self, order: &PrintOrder) -> Result<PreparedPrint, EngineError> {
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
        prepared: &Prepared,
        origin: JobOrigin,
    ) -> Result<PrintJob, EngineError> {
        let (subject, now) = (print.subject, self.now());
        let (number, reason) = (print.number.to_owned(), print.reason.to_owned());
        let printer = print.printer.clone();
        let (bytes, sha256) = (Arc::clone(&prepared.payload.bytes), prepared.sha256.clone());
        let title = format!("{number} {}-{}", self.name, DraftId::random());
        let written = self.journal(move |journal| {
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
                // If a byte may have left the machine, the clerk is asked whether the label was printed.
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
        match self.journal(move |journal| journal.job(id)).await {
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

    /// Saves the new state of a job, if the stored job is still in the state `from`.
    pub(super) async fn keep_job(&self, mut job: PrintJob, from: JobState) {
        let now = self.now();
        let kept = self
            .journal(move |journal| {
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
